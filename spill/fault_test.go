package spill_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/gosort/gosort/spill"
	"github.com/gosort/gosort/spill/spilltest"
)

var errInjected = errors.New("injected")

// session is everything a sort does to a Store: two Writers at once, an aborted one,
// Readers side by side, Remove while one reads. It returns the first error; wrong
// data is errDiffers. It always closes what it opened.
func session(fs spill.FS, dirs []string, workers int) (err error) {
	s, err := spill.NewStore(spill.Options{Dirs: dirs, BlockSize: 300, FS: fs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	a := spill.NewReadAhead(workers)
	defer a.Close()

	var runs [2]spill.Run
	var writers [2]*spill.Writer
	for i := range writers {
		if writers[i], err = s.Create(); err != nil {
			return err
		}
		defer writers[i].Abort()
	}
	frames := words(7, 20, 100)
	for _, f := range frames {
		for _, w := range writers {
			if err := w.Write(f); err != nil {
				return err
			}
		}
	}
	for i, w := range writers {
		if runs[i], err = w.Close(); err != nil {
			return err
		}
	}
	dropped, err := s.Create()
	if err != nil {
		return err
	}
	if err := dropped.Write(make([]byte, 1000)); err != nil {
		return errors.Join(err, dropped.Abort())
	}
	if err := dropped.Abort(); err != nil {
		return err
	}
	if err := merge(s, a, runs[:], frames); err != nil {
		return err
	}
	again, err := writeRun(s, frames)
	if err != nil {
		return err
	}
	_, err = readRun(s, again, a, frames)
	return err
}

// merge reads runs, which all hold want, side by side, and removes them meanwhile.
func merge(s *spill.Store, a *spill.ReadAhead, runs []spill.Run, want [][]byte) error {
	var readers []*spill.Reader
	for _, r := range runs {
		rd, err := s.Open(r, spill.ReadOptions{ReadAhead: a})
		if err != nil {
			return err
		}
		defer rd.Close()
		readers = append(readers, rd)
		if err := s.Remove(r); err != nil {
			return err
		}
	}
	for i := range len(want) + 1 {
		for _, rd := range readers {
			f, err := rd.Next()
			switch {
			case i == len(want) && err == io.EOF:
			case err != nil:
				return err
			case i == len(want) || !bytes.Equal(f, want[i]):
				return fmt.Errorf("%w: number %d", errDiffers, i)
			}
		}
	}
	return nil
}

// Fail every operation in turn, until a session ends before the one to fail. The
// bubble of synctest fails the test if a goroutine is left, or if all hang.
func TestFaultSweep(t *testing.T) {
	for _, dirs := range []int{1, 2} {
		for _, workers := range []int{0, 2} {
			for _, keep := range []int{0, 40} {
				for _, injected := range []error{errInjected, syscall.ENOSPC, nil} {
					t.Run(fmt.Sprintf("dirs=%d/workers=%d/keep=%d/err=%v", dirs, workers, keep, injected), func(t *testing.T) {
						sweep(t, dirs, workers, keep, injected)
					})
				}
			}
		}
	}
}

func sweep(t *testing.T, ndirs, workers, keep int, injected error) {
	var dirs []string
	for range ndirs {
		dirs = append(dirs, t.TempDir())
	}
	var hit [10]int
	for n := int64(0); ; n++ {
		fs := spilltest.New(nil)
		fs.FailAt(n, keep, injected)
		var err error
		synctest.Test(t, func(*testing.T) { err = session(fs, dirs, workers) })
		op := fs.Failed()
		if got := fs.OpenFiles(); got != 0 {
			t.Fatalf("operation %d (%v): %d files left open", n, op, got)
		}
		hit[op]++
		if op == spilltest.NoOp {
			if err != nil {
				t.Fatalf("without a fault: %v", err)
			}
			break
		}
		checkFault(t, n, op, ndirs, injected, err)
	}
	for _, op := range []spilltest.Op{spilltest.OpenTemp, spilltest.ReadAt, spilltest.WriteAt, spilltest.Close} {
		if hit[op] == 0 {
			t.Errorf("no operation of kind %v was made to fail", op)
		}
	}
}

// checkFault demands the error that a fault in an operation of kind op must have led
// to.
func checkFault(t *testing.T, n int64, op spilltest.Op, ndirs int, injected, err error) {
	t.Helper()
	silent := injected == nil && op != spilltest.ReadAt && op != spilltest.WriteAt
	otherDir := ndirs > 1 && (op == spilltest.OpenTemp || op == spilltest.WriteAt && injected == syscall.ENOSPC)
	want := injected
	switch {
	case silent || op.MayBeIgnored() || otherDir:
		want = nil
	case injected == nil && op == spilltest.ReadAt:
		want = spill.ErrCorrupt
	case injected == nil:
		want = io.ErrShortWrite
	}
	if !errors.Is(err, want) {
		t.Errorf("operation %d (%v): got error %v, want %v", n, op, err, want)
	}
	var full *spill.NoSpaceError
	wantFull := want != nil && (op == spilltest.OpenTemp || op == spilltest.WriteAt && injected == syscall.ENOSPC)
	if errors.As(err, &full) != wantFull {
		t.Errorf("operation %d (%v): got error %v, want NoSpaceError: %v", n, op, err, wantFull)
	}
}

// The directory with the most room fills up in the middle of a block: the run goes on
// in the other one.
func TestMovesToAnotherDir(t *testing.T) {
	for _, codec := range codecs {
		t.Run(codec.String(), func(t *testing.T) {
			fs := spilltest.New(nil)
			dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
			fs.SetRoom(dirs[0], 3000)
			fs.SetRoom(dirs[1], 5500)
			fs.SetRoom(dirs[2], 1<<30)
			s := newStore(t, spill.Options{Dirs: dirs, Codec: codec, BlockSize: 1000, FS: fs})
			fs.SetRoom(dirs[2], 2500) // the smallest, so it comes last
			var frames [][]byte
			for i := range 100 {
				frames = append(frames, noise(uint64(i), 100))
			}
			r := mustWrite(t, s, frames[:90])
			if got := spill.Extents(r); got != 3 {
				t.Errorf("got %d extents, want 3", got)
			}
			a := spill.NewReadAhead(1)
			defer a.Close()
			mustRead(t, s, r, nil, frames[:90])
			mustRead(t, s, r, a, frames[:90])

			_, err := writeRun(s, frames)
			checkNoSpace(t, err, dirs)
			mustRead(t, s, r, nil, frames[:90])
		})
	}
}

func checkNoSpace(t *testing.T, err error, dirs []string) {
	t.Helper()
	var full *spill.NoSpaceError
	if !errors.As(err, &full) || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want a NoSpaceError that wraps ENOSPC", err)
	}
	if full.Needed <= 0 || full.Free < 0 || full.Free >= full.Needed {
		t.Errorf("needed %d, free %d", full.Needed, full.Free)
	}
	for _, want := range append(dirs, fmt.Sprint(full.Needed), fmt.Sprint(full.Free)) {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("message %q lacks %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("message %q has several lines", err)
	}
}

// A directory that is not there is left for one that is full, and the full one is what
// the error names; with only missing ones, the first.
func TestNoSpaceErrorNamesTheFullDir(t *testing.T) {
	full, missing := t.TempDir(), t.TempDir()+"/missing"
	dirs := []string{full, missing}
	for _, first := range dirs { // the one that claims more room
		fs := spilltest.New(nil)
		fs.SetRoom(full, 10)
		fs.SetRoom(missing, 10)
		fs.SetRoom(first, 11)
		s := newStore(t, spill.Options{Dirs: dirs, FS: fs})
		_, err := writeRun(s, words(1, 10, 10))
		var no *spill.NoSpaceError
		if !errors.As(err, &no) || no.Dir != full {
			t.Fatalf("%s first: got %v, want a NoSpaceError about %s", first, err, full)
		}
		if !errors.Is(err, os.ErrNotExist) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s first: %v does not wrap both causes", first, err)
		}
	}
	s := newStore(t, spill.Options{Dirs: []string{missing}})
	_, err := writeRun(s, nil)
	var no *spill.NoSpaceError
	if !errors.As(err, &no) || no.Dir != missing || no.Free != -1 || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// A full directory is tried again by the next run: space may be back.
func TestDirIsTriedAgain(t *testing.T) {
	fs := spilltest.New(nil)
	dir := t.TempDir()
	s := newStore(t, spill.Options{Dirs: []string{dir}, FS: fs})
	frames := words(1, 10, 100)
	fs.SetRoom(dir, 100)
	if _, err := writeRun(s, frames); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want ENOSPC", err)
	}
	fs.SetRoom(dir, 1<<20)
	mustRead(t, s, mustWrite(t, s, frames), nil, frames)
}

// tooLong is an FS whose files end at max bytes, like those of FAT or ulimit -f.
type tooLong struct {
	spill.FS
	max int64
}

func (f tooLong) OpenTemp(dir string) (spill.File, error) {
	file, err := f.FS.OpenTemp(dir)
	return tooLongFile{file, f.max}, err
}

type tooLongFile struct {
	spill.File
	max int64
}

func (f tooLongFile) WriteAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= f.max {
		return f.File.WriteAt(p, off)
	}
	n, err := f.File.WriteAt(p[:max(0, f.max-off)], off)
	return n, errors.Join(err, syscall.EFBIG)
}

// A file at its limit is replaced by another one in the same directory.
func TestFileTooLong(t *testing.T) {
	fs := spilltest.New(nil)
	frames := words(1, 200, 200)
	s := newStore(t, spill.Options{BlockSize: 500, Codec: spill.None, FS: tooLong{fs, 3000}})
	r := mustWrite(t, s, frames)
	if spill.Extents(r) < 3 || fs.Opened() != spill.Extents(r) {
		t.Errorf("%d extents in %d files, want as many, and 3 or more", spill.Extents(r), fs.Opened())
	}
	mustRead(t, s, r, nil, frames)
	if err := s.Remove(r); err != nil {
		t.Fatal(err)
	}
	// The files are empty now and serve again.
	before := fs.Opened()
	r = mustWrite(t, s, frames)
	mustRead(t, s, r, nil, frames)
	if got := fs.Opened(); got != before {
		t.Errorf("%d files opened, want no more than %d", got, before)
	}
	// A single block over the limit is an error, not an endless search.
	if _, err := writeRun(s, [][]byte{make([]byte, 4000)}); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("got %v, want EFBIG", err)
	}
}

func TestIsFull(t *testing.T) {
	for err, want := range map[error]bool{
		syscall.ENOSPC: true, syscall.EDQUOT: true, syscall.EFBIG: true,
		syscall.EIO: false, os.ErrClosed: false,
	} {
		wrapped := &os.PathError{Op: "write", Path: "x", Err: err}
		if got := spill.IsFull(wrapped); got != want {
			t.Errorf("%v: got %v, want %v", err, got, want)
		}
	}
}

// The most room wins; among equals, and where it cannot be asked, directories take
// turns.
func TestPickDir(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		name         string
		roomA, roomB int64
		min, max     int // of 10 runs, how many go to b
	}{
		{"more in a", 1 << 31, 1 << 30, 0, 0},
		{"more in b", 1 << 30, 1 << 31, 10, 10},
		{"unknown", -1, -1, 5, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := spilltest.New(noFree{spill.OS{}})
			if c.roomA >= 0 {
				fs.SetRoom(a, c.roomA)
				fs.SetRoom(b, c.roomB)
			}
			s := newStore(t, spill.Options{Dirs: []string{a, b}, FS: fs})
			inB := 0
			for range 10 {
				if strings.Contains(mustWrite(t, s, nil).Name(), b+"/") {
					inB++
				}
			}
			if inB < c.min || inB > c.max {
				t.Errorf("%d of 10 runs in b, want %d to %d", inB, c.min, c.max)
			}
		})
	}
}

// noFree is an FS that cannot tell the free space.
type noFree struct{ spill.FS }

func (noFree) Free(string) (int64, error) { return 0, errors.ErrUnsupported }
