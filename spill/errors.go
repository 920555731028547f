package spill

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// ErrCorrupt is wrapped by every error that says that what a Reader found is not
// what a Writer wrote: the run must not be used.
var ErrCorrupt = errors.New("spill: corrupt run")

var (
	errStoreClosed  = fmt.Errorf("spill: store is closed: %w", os.ErrClosed)
	errWriterClosed = fmt.Errorf("spill: writer is closed: %w", os.ErrClosed)
	errReaderClosed = fmt.Errorf("spill: reader is closed: %w", os.ErrClosed)
)

// A NoSpaceError says that no temporary directory could take another block.
type NoSpaceError struct {
	Dir    string // the first directory that was out of space, else the first that failed
	Needed int64  // bytes the block needs
	Free   int64  // bytes free in Dir when it was asked; -1 if that is unknown
	Err    error  // why Dir failed, and after it why the other directories did
}

// Error names the directory, what was needed and what is free.
func (e *NoSpaceError) Error() string {
	free := "free space unknown"
	if e.Free >= 0 {
		free = fmt.Sprintf("%d bytes free", e.Free)
	}
	return fmt.Sprintf("spill: cannot store %d bytes in %s (%s): %v", e.Needed, e.Dir, free, e.Err)
}

// Unwrap returns the cause, usually a syscall error such as ENOSPC.
func (e *NoSpaceError) Unwrap() error { return e.Err }

// isFull reports whether err means that this file or its file system takes no more,
// while another directory might.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		errors.Is(err, syscall.EFBIG) || isSystemFull(err)
}

// dirFailures collects why directories were given up during one run.
type dirFailures struct {
	failed []bool // by index in Store.dirs
	dir    string // the directory a NoSpaceError names
	full   bool   // dir failed for want of space, not for another reason
	err    error
}

// add notes that directory number i of n, called dir, failed with err. A directory
// that ran full is the one to name: it is what the user can do something about.
func (d *dirFailures) add(i, n int, dir string, err error) {
	if d.failed == nil {
		d.failed = make([]bool, n)
	}
	d.failed[i] = true
	switch {
	case d.err == nil:
		d.dir, d.full, d.err = dir, isFull(err), err
	case isFull(err) && !d.full:
		d.err = fmt.Errorf("%w; in %s: %w", err, d.dir, d.err)
		d.dir, d.full = dir, true
	default:
		d.err = fmt.Errorf("%w; in %s: %w", d.err, dir, err)
	}
}
