package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// createPending makes a file without a name in the target's directory, so that
// not even SIGKILL leaves a trace. Where the file system, the kernel or a
// missing /proc does not allow that, the file has a temporary name.
func createPending(target string, existing fs.FileInfo) (*os.File, pending, error) {
	file, p, err := createNameless(target, existing)
	if err == nil {
		return file, p, nil
	}
	if !namelessUnsupported(err) {
		return nil, nil, err
	}
	return createRenamed(target, existing)
}

// errNoProc means that a nameless file could not be given a name later.
var errNoProc = errors.New("no /proc")

// namelessUnsupported tells what O_TMPFILE answers where it does not exist
// (old kernels see an attempt to open a directory for writing) from errors
// that a named file would meet just the same.
func namelessUnsupported(err error) bool {
	return errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EISDIR) || errors.Is(err, unix.ENOENT) ||
		errors.Is(err, unix.EINVAL) || errors.Is(err, errNoProc)
}

// namelessFile has an inode and no name until publish. The directory is held
// open: the file ends where it was begun even if the directory is renamed.
type namelessFile struct {
	file *os.File
	dir  *os.File
	name string // of the target, in dir
}

func createNameless(target string, existing fs.FileInfo) (*os.File, pending, error) {
	dir, err := os.Open(filepath.Dir(target))
	if err != nil {
		return nil, nil, err
	}
	fd, err := unix.Openat(int(dir.Fd()), ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o666)
	if err != nil {
		return nil, nil, errors.Join(err, dir.Close())
	}
	n := &namelessFile{file: os.NewFile(uintptr(fd), target), dir: dir, name: filepath.Base(target)}
	if _, err := os.Stat(n.procPath()); err != nil {
		return nil, nil, errors.Join(errNoProc, n.discard())
	}
	if existing != nil {
		if err := n.file.Chmod(existing.Mode().Perm()); err != nil {
			return nil, nil, errors.Join(err, n.discard())
		}
	}
	return n.file, n, nil
}

// procPath is the one name the file can be linked from without privileges.
func (n *namelessFile) procPath() string { return fmt.Sprintf("/proc/self/fd/%d", n.file.Fd()) }

// linkAs gives the file a name in its directory; an existing name is EEXIST.
func (n *namelessFile) linkAs(name string) error {
	err := unix.Linkat(unix.AT_FDCWD, n.procPath(), int(n.dir.Fd()), name, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: "temporary file", New: filepath.Join(n.dir.Name(), name), Err: err}
	}
	return nil
}

func (n *namelessFile) publish() error {
	err := n.linkAs(n.name)
	if errors.Is(err, fs.ErrExist) {
		err = n.replace()
	}
	if err != nil {
		return errors.Join(err, n.discard())
	}
	err = n.file.Close()
	return errors.Join(err, syncDir(n.dir), n.dir.Close())
}

// replace takes an existing target's place. Linux cannot link over a name, so
// for the moment between two system calls the file has a temporary one.
func (n *namelessFile) replace() error {
	temporary := "." + n.name + "." + rand.Text()
	if err := n.linkAs(temporary); err != nil {
		return err
	}
	dir := int(n.dir.Fd())
	if err := unix.Renameat(dir, temporary, dir, n.name); err != nil {
		return errors.Join(&os.LinkError{Op: "rename", Old: temporary, New: n.name, Err: err},
			unix.Unlinkat(dir, temporary, 0))
	}
	return nil
}

func (n *namelessFile) discard() error { return errors.Join(n.file.Close(), n.dir.Close()) }
