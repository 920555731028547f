// Package spilltest makes the file operations of package spill fail on purpose.
//
// An [FS] wraps another spill.FS, counts what is done through it, fails the
// operation it is told to, runs out of space where it is told to, damages what is
// read, and knows which files are still open. It is safe for use from several
// goroutines, as spill.FS demands, starts none, and costs a lock per operation.
package spilltest

import (
	"fmt"
	"io"
	"sync"
	"syscall"

	"github.com/gosort/gosort/spill"
)

// Op is a kind of file operation that can fail.
type Op int

// The kinds of operation.
const (
	NoOp     Op = iota // no operation
	OpenTemp           // spill.FS.OpenTemp
	Free               // spill.FS.Free
	ReadAt             // spill.File.ReadAt
	WriteAt            // spill.File.WriteAt
	Release            // spill.File.Release
	Truncate           // spill.File.Truncate
	Close              // spill.File.Close
	numOps
)

var opNames = [numOps]string{"none", "open", "free", "read", "write", "release", "truncate", "close"}

// String returns a word for messages.
func (o Op) String() string {
	if o < 0 || o >= numOps {
		return fmt.Sprintf("Op(%d)", int(o))
	}
	return opNames[o]
}

// MayBeIgnored reports whether spill goes on, with the right result, when an
// operation of this kind fails: it then only wastes space or chooses another
// directory.
func (o Op) MayBeIgnored() bool { return o == Free || o == Release || o == Truncate }

// FS is a spill.FS that misbehaves as told. Use New.
type FS struct {
	inner spill.FS

	mu     sync.Mutex
	counts [numOps]int64
	total  int64
	failAt int64 // value of total that fails; -1: none
	err    error
	keep   int // bytes a failing read or write still moves
	failed Op
	room   map[string]int64 // bytes left to write, by directory
	onRead func(name string, off int64, p []byte) int
	open   int
	opened int
}

// New returns an FS that passes everything on to inner; nil means spill.OS{}.
func New(inner spill.FS) *FS {
	if inner == nil {
		inner = spill.OS{}
	}
	return &FS{inner: inner, failAt: -1, room: map[string]int64{}}
}

// FailAt makes the n-th operation from now on (0 is the next) fail with err, once. A
// read or write that fails still moves up to keep bytes. A nil err makes a short
// read or write without an error, and lets other operations pass.
func (f *FS) FailAt(n int64, keep int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failAt, f.keep, f.err, f.failed = f.total+n, keep, err, NoOp
}

// Failed returns the kind of the operation FailAt hit, NoOp if there was none.
func (f *FS) Failed() Op {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

// SetRoom says that n more bytes can be written to files in dir. Free reports what
// is left; a write that needs more writes what fits and fails with ENOSPC. Space is
// not given back by Release, Truncate or Close.
func (f *FS) SetRoom(dir string, n int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.room[dir] = n
}

// OnRead has damage called with what every successful read returned: it may change
// p, and returns how many bytes of it are kept (len(p) for all); fewer make the read
// end as at the end of the file. Nil ends it.
func (f *FS) OnRead(damage func(name string, off int64, p []byte) int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onRead = damage
}

// Count returns how many operations of one kind were begun.
func (f *FS) Count(o Op) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts[o]
}

// OpenFiles returns how many files are open now.
func (f *FS) OpenFiles() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open
}

// Opened returns how many files were opened so far.
func (f *FS) Opened() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.opened
}

// begin counts an operation. If it is the one to fail, fail is true, and err and keep
// say how.
func (f *FS) begin(o Op) (fail bool, keep int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.total
	f.total++
	f.counts[o]++
	if n != f.failAt {
		return false, 0, nil
	}
	f.failed = o
	return true, f.keep, f.err
}

// OpenTemp opens a file of the inner FS.
func (f *FS) OpenTemp(dir string) (spill.File, error) {
	if _, _, err := f.begin(OpenTemp); err != nil {
		return nil, err
	}
	inner, err := f.inner.OpenTemp(dir)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open++
	f.opened++
	return &file{File: inner, fs: f, dir: dir}, nil
}

// Free returns what SetRoom left, or what the inner FS says.
func (f *FS) Free(dir string) (int64, error) {
	if _, _, err := f.begin(Free); err != nil {
		return 0, err
	}
	f.mu.Lock()
	room, ok := f.room[dir]
	f.mu.Unlock()
	if ok {
		return room, nil
	}
	return f.inner.Free(dir)
}

// take takes n bytes of dir's room and returns how many there were.
func (f *FS) take(dir string, n int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	room, ok := f.room[dir]
	if !ok {
		return n
	}
	n = int(min(int64(n), room))
	f.room[dir] = room - int64(n)
	return n
}

// file is a spill.File whose operations go through fs. WillNeed, which cannot fail,
// and Name are the inner File's.
type file struct {
	spill.File
	fs     *FS
	dir    string
	closed bool
}

func (f *file) ReadAt(p []byte, off int64) (int, error) {
	if fail, keep, err := f.fs.begin(ReadAt); fail {
		n, readErr := f.File.ReadAt(p[:min(keep, len(p))], off)
		if err == nil {
			err = readErr
		}
		return n, err
	}
	n, err := f.File.ReadAt(p, off)
	f.fs.mu.Lock()
	damage := f.fs.onRead
	f.fs.mu.Unlock()
	if err != nil || damage == nil {
		return n, err
	}
	if kept := damage(f.Name(), off, p[:n]); kept < n {
		return kept, io.EOF
	}
	return n, nil
}

func (f *file) WriteAt(p []byte, off int64) (int, error) {
	if fail, keep, err := f.fs.begin(WriteAt); fail {
		n, writeErr := f.File.WriteAt(p[:min(keep, len(p))], off)
		if err == nil {
			err = writeErr
		}
		return n, err
	}
	n := f.fs.take(f.dir, len(p))
	n, err := f.File.WriteAt(p[:n], off)
	if err == nil && n < len(p) {
		err = syscall.ENOSPC
	}
	return n, err
}

func (f *file) Release(off, n int64) error {
	if _, _, err := f.fs.begin(Release); err != nil {
		return err
	}
	return f.File.Release(off, n)
}

func (f *file) Truncate(size int64) error {
	if _, _, err := f.fs.begin(Truncate); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

// Close closes the inner file even if it is told to fail, so that a test leaks none.
func (f *file) Close() error {
	_, _, fail := f.fs.begin(Close)
	err := f.File.Close()
	f.fs.mu.Lock()
	if !f.closed {
		f.fs.open--
		f.closed = true
	}
	f.fs.mu.Unlock()
	if fail != nil {
		return fail
	}
	return err
}
