package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// output is where the records go. A regular file appears whole or not at all:
// it is written beside the target and put in place by Commit. Standard output
// and what is no regular file (a FIFO, /dev/null) are written as they are.
// An output has one user at a time and ends with exactly one Commit or Abort.
type output struct {
	path    string   // as the user named it, for messages
	file    *os.File // takes the bytes
	pending pending  // nil: file is a stream
}

// pending is a file that is not yet where it belongs.
type pending interface {
	// publish closes the file and puts it in its target's place, durably.
	publish() error
	// discard closes and removes the file.
	discard() error
}

// createOutput opens path for writing, or takes stdout when path is "-". It
// fails before anything is written when the directory is missing or the target
// is a directory or read-only. A target that is a symbolic link stays one: the
// file it points to is replaced. An existing target keeps its permission bits;
// a new one gets 0666 less the umask.
func createOutput(ctx context.Context, path string, stdout *os.File) (*output, error) {
	if path == stdio {
		return &output{path: "standard output", file: stdout}, nil
	}
	if n := descriptor(path); n >= 0 {
		return &output{path: path, file: inherited(n, path, stdout)}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("output %s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		return openStream(ctx, path)
	case err == nil:
		// The rename would silently replace a file made read-only to be kept.
		if err := checkWritable(path); err != nil {
			return nil, fmt.Errorf("output: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("output: %w", err)
	}
	target, err := resolveTarget(path)
	if err != nil {
		return nil, fmt.Errorf("output: %w", err)
	}
	if dir, err := os.Stat(filepath.Dir(target)); err != nil {
		return nil, fmt.Errorf("output directory: %w", err)
	} else if !dir.IsDir() {
		return nil, fmt.Errorf("output: %s is not a directory", filepath.Dir(target))
	}
	file, p, err := createPending(target, info)
	if err != nil {
		return nil, fmt.Errorf("output %s: cannot write in %s: %w", path, filepath.Dir(target), err)
	}
	return &output{path: path, file: file, pending: p}, nil
}

// descriptor returns the number of the open descriptor that path names, -1 if it
// names none. What lies behind one belongs to whoever opened it and goes on with
// it (a log that others write too): it must be neither replaced nor opened anew.
func descriptor(path string) int {
	number := ""
	switch dir, name := filepath.Split(filepath.Clean(path)); dir {
	case "/dev/fd/", "/proc/self/fd/":
		number = name
	case "/dev/":
		number = map[string]string{"stdout": "1", "stderr": "2"}[name]
	}
	if n, err := strconv.ParseUint(number, 10, 31); err == nil {
		return int(n)
	}
	return -1
}

// inherited returns the file of an open descriptor.
func inherited(n int, path string, stdout *os.File) *os.File {
	switch n {
	case 1:
		return stdout
	case 2:
		return os.Stderr
	}
	return os.NewFile(uintptr(n), path)
}

// openStream opens what is there already and is no regular file.
func openStream(ctx context.Context, path string) (*output, error) {
	file, err := openWaiting(ctx, path, os.O_WRONLY)
	if err != nil {
		return nil, fmt.Errorf("output: %w", err)
	}
	return &output{path: path, file: file}, nil
}

// checkWritable opens without truncating, which is the one portable way to ask.
func checkWritable(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// maxLinks is the kernel's own limit on links followed in a path.
const maxLinks = 40

// resolveTarget follows path while it is a symbolic link, dangling ones
// included, and returns the path of the file to make or replace.
func resolveTarget(path string) (string, error) {
	for range maxLinks {
		// Not filepath.Dir: it would clean away ".." after a link as text.
		dir, name := filepath.Split(path)
		dir, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, name)
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link, or not there: this is it
		}
		if filepath.IsAbs(link) {
			path = link
		} else {
			path = dir + string(filepath.Separator) + link
		}
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("too many symbolic links")}
}

// Write appends p. Every error is final.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
	if err != nil {
		err = o.fail(err)
	}
	return n, err
}

// Commit makes what was written durable and puts it in place: file and
// directory are fsynced around the rename. After an error the target is what
// it was before, unless the error is the directory's fsync.
func (o *output) Commit() error {
	if err := o.file.Sync(); err != nil && !(o.pending == nil && cannotSync(err)) {
		return errors.Join(o.fail(err), o.Abort())
	}
	if o.pending == nil {
		if err := o.closeStream(); err != nil {
			return o.fail(err)
		}
		return nil
	}
	if err := o.pending.publish(); err != nil {
		return o.fail(err)
	}
	return nil
}

// Abort closes the output and leaves nothing of it behind. What a stream has
// taken is gone.
func (o *output) Abort() error {
	if o.pending == nil {
		return o.closeStream()
	}
	return o.pending.discard()
}

// closeStream closes what is no pending file. Standard error stays open: there
// may be words to come.
func (o *output) closeStream() error {
	if o.file == os.Stderr {
		return nil
	}
	return o.file.Close()
}

// fail names the output in an error, once and as the user spelled it, and says
// what is free where the disk is full.
func (o *output) fail(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", pe.Op, pe.Err)
	}
	if isFull(err) {
		e := &outputFullError{path: o.path, err: err}
		if o.pending != nil {
			e.free, e.known = freeSpace(filepath.Dir(o.file.Name()))
		}
		return e
	}
	return fmt.Errorf("output %s: %w", o.path, err)
}

// isFull reports whether there was no space, or none that we may use.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// cannotSync reports whether a stream (pipe, terminal, device) refused fsync
// because it has nothing to sync.
func cannotSync(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}

// syncDir makes a rename in dir durable. File systems that cannot (some FUSE
// and network ones) say so; there is nothing more to do there.
func syncDir(dir *os.File) error {
	if err := dir.Sync(); err != nil && !cannotSync(err) {
		return fmt.Errorf("directory %s: %w", dir.Name(), err)
	}
	return nil
}

// outputFullError is a write that found no space or quota left.
type outputFullError struct {
	path  string
	free  int64 // bytes, if known
	known bool
	err   error
}

func (e *outputFullError) Error() string {
	text := fmt.Sprintf("output %s: %v", e.path, e.err)
	if e.known {
		text += fmt.Sprintf(" (%s free)", humanSize(e.free))
	}
	return text
}

func (e *outputFullError) Unwrap() error { return e.err }
