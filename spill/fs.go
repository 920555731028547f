package spill

import (
	"io"
	"os"
)

// FS opens the temporary files of a Store. It is an interface so that every file
// operation can be made to fail in tests (see package spilltest); [OS] is the real
// one. An FS must be safe for use from several goroutines.
type FS interface {
	// OpenTemp opens a new, empty, private file in dir for reading and writing.
	OpenTemp(dir string) (File, error)
	// Free returns the bytes an unprivileged user may still write in dir.
	Free(dir string) (int64, error)
}

// File is a temporary file. ReadAt and WriteAt may be called from several
// goroutines, on ranges that do not overlap; writes may leave holes.
type File interface {
	io.ReaderAt
	io.WriterAt
	// Name returns a name for messages.
	Name() string
	// Release gives the space of n bytes at off back to the file system; the
	// file keeps its length. An error is harmless: the space stays in use.
	Release(off, n int64) error
	// Truncate cuts the file to size bytes.
	Truncate(size int64) error
	// WillNeed hints that n bytes at off will be read soon. It does not block on
	// the device.
	WillNeed(off, n int64)
	// Close closes the file and removes it.
	Close() error
}

// OS is the FS of the operating system.
type OS struct{}

// OpenTemp opens a nameless file in dir, mode 0600. Where the system or the file
// system has no such thing it creates one under a random name and unlinks it; if
// even that is impossible, Close removes it.
func (OS) OpenTemp(dir string) (File, error) {
	// Any failure leads to the second way: whatever is really wrong with dir
	// shows there again, with a path in the error.
	if f, err := openUnnamed(dir); err == nil {
		return f, nil
	}
	return createTemp(dir)
}

// Free returns the free bytes of the file system dir is on, or an error wrapping
// errors.ErrUnsupported where that cannot be asked.
func (OS) Free(dir string) (int64, error) { return freeBytes(dir) }

// osFile is a File of the operating system. Release and WillNeed are in fs_*.go.
type osFile struct {
	*os.File
	name  string
	later string // path to remove on Close, when it could not be unlinked before
}

// createTemp relies on os.CreateTemp for mode 0600 and O_EXCL, which refuses to
// follow a symbolic link planted under the name.
func createTemp(dir string) (File, error) {
	f, err := os.CreateTemp(dir, "gosort-*.spill")
	if err != nil {
		return nil, err
	}
	t := &osFile{File: f, name: f.Name()}
	if os.Remove(t.name) != nil {
		t.later = t.name
	}
	return t, nil
}

// Name returns the path the file had, or dir/#inode if it never had one.
func (f *osFile) Name() string { return f.name }

// Close closes the file, which frees its space, and removes its name if it has one.
func (f *osFile) Close() error {
	err := f.File.Close()
	if f.later == "" {
		return err
	}
	if rm := os.Remove(f.later); err == nil {
		err = rm
	}
	f.later = ""
	return err
}
