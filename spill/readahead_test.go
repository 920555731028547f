package spill_test

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"testing/synctest"

	"github.com/gosort/gosort/spill"
	"github.com/gosort/gosort/spill/spilltest"
)

// held is a Store whose reads of one run block until released.
type held struct {
	s       *spill.Store
	run     spill.Run // its reads block
	free    spill.Run // its reads do not
	frames  [][]byte
	release chan struct{}
}

func newHeld(t *testing.T) *held {
	h := &held{frames: words(1, 50, 50), release: make(chan struct{})}
	fs := spilltest.New(nil)
	h.s = newStore(t, spill.Options{BlockSize: 200, FS: fs})
	h.run = mustWrite(t, h.s, h.frames)
	h.free = mustWrite(t, h.s, h.frames)
	fs.OnRead(func(_ string, off int64, p []byte) int {
		if off < h.run.StoredBytes() { // it is the first in the file
			<-h.release
		}
		return len(p)
	})
	return h
}

// open returns a Reader with read-ahead on r.
func (h *held) open(t *testing.T, r spill.Run, a *spill.ReadAhead) *spill.Reader {
	t.Helper()
	rd, err := h.s.Open(r, spill.ReadOptions{ReadAhead: a})
	if err != nil {
		t.Fatal(err)
	}
	return rd
}

// The only worker is stuck with one Reader: the others do their own loading.
func TestReadAheadStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld(t)
		a := spill.NewReadAhead(1)
		defer a.Close()
		stuck := h.open(t, h.run, a)
		synctest.Wait() // the worker is in the read
		for range 3 {
			mustRead(t, h.s, h.free, a, h.frames)
		}
		close(h.release)
		for i, want := range h.frames {
			if got, err := stuck.Next(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("frame %d: got %d bytes, %v", i, len(got), err)
			}
		}
		if err := stuck.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Reader.Close waits for a load that has begun, and takes back one that has not.
func TestReadAheadReaderClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld(t)
		a := spill.NewReadAhead(1)
		defer a.Close()
		stuck := h.open(t, h.run, a)
		synctest.Wait()
		var queued []*spill.Reader
		for range 3 {
			queued = append(queued, h.open(t, h.free, a))
		}
		for _, i := range []int{1, 0, 2} { // the middle, the first, the only one
			if err := queued[i].Close(); err != nil {
				t.Error(err)
			}
		}
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			if err := stuck.Close(); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("Close returned while the worker was loading")
		default:
		}
		close(h.release)
		<-closed
		mustRead(t, h.s, h.free, a, h.frames)
	})
}

// After ReadAhead.Close its Readers load for themselves, whether their block was
// loaded, queued or not asked for.
func TestReadAheadCloseBeforeReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHeld(t)
		a := spill.NewReadAhead(1)
		loaded := h.open(t, h.free, a)
		synctest.Wait()
		stuck := h.open(t, h.run, a)
		synctest.Wait()
		queued := h.open(t, h.free, a)
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			a.Close()
		}()
		synctest.Wait()
		close(h.release)
		<-closed
		a.Close()
		for i, want := range h.frames {
			for _, rd := range []*spill.Reader{loaded, stuck, queued} {
				if got, err := rd.Next(); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("frame %d: got %d bytes, %v", i, len(got), err)
				}
			}
		}
		for _, rd := range []*spill.Reader{loaded, stuck, queued} {
			if err := rd.Close(); err != nil {
				t.Error(err)
			}
		}
		mustRead(t, h.s, h.free, a, h.frames)
	})
}

// At most one block is loaded ahead of the consumer.
func TestReadAheadOneBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := spilltest.New(nil)
		s := newStore(t, spill.Options{BlockSize: 200, FS: fs})
		r := mustWrite(t, s, words(1, 100, 50))
		a := spill.NewReadAhead(3)
		defer a.Close()
		rd, err := s.Open(r, spill.ReadOptions{ReadAhead: a})
		if err != nil {
			t.Fatal(err)
		}
		defer rd.Close()
		crossed := int64(0)
		for range 100 {
			if rd.Buffered() == 0 {
				synctest.Wait()
				crossed++
				if got := fs.Count(spilltest.ReadAt); got != crossed {
					t.Fatalf("%d blocks read before block %d was asked for", got, crossed)
				}
			}
			if _, err := rd.Next(); err != nil {
				t.Fatal(err)
			}
		}
		if crossed < 5 {
			t.Errorf("the run has only %d blocks", crossed)
		}
	})
}

// Closing the Store under open Readers and Writers makes them fail, not hang.
func TestStoreClosedFirst(t *testing.T) {
	for _, workers := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			fs := spilltest.New(nil)
			s := newStore(t, spill.Options{BlockSize: 100, FS: fs})
			r := mustWrite(t, s, words(1, 100, 50))
			a := spill.NewReadAhead(workers)
			defer a.Close()
			rd, err := s.Open(r, spill.ReadOptions{ReadAhead: a})
			if err != nil {
				t.Fatal(err)
			}
			w, err := s.Create()
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := s.Create()
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := w.Write(noise(1, 300)); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
			for range 2 {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
			for err = nil; err == nil; {
				_, err = rd.Next()
			}
			_, closeErr := w.Close()
			_, freshErr := fresh.Close()
			_, createErr := s.Create()
			_, openErr := s.Open(r, spill.ReadOptions{})
			for name, err := range map[string]error{
				"Next": err, "Writer.Close": closeErr, "Close of an unused Writer": freshErr,
				"Create": createErr, "Open": openErr, "Remove": s.Remove(r),
			} {
				if !errors.Is(err, os.ErrClosed) {
					t.Errorf("%s after Store.Close: got %v, want os.ErrClosed", name, err)
				}
			}
			if err := rd.Close(); err != nil {
				t.Error(err)
			}
			if got := fs.OpenFiles(); got != 0 {
				t.Errorf("%d files left open", got)
			}
		})
	}
}

// closing is an FS during whose OpenTemp the Store is closed.
type closing struct {
	spill.FS
	s *spill.Store
}

func (c *closing) OpenTemp(dir string) (spill.File, error) {
	f, err := c.FS.OpenTemp(dir)
	return f, errors.Join(err, c.s.Close())
}

// A file that was being opened while the Store was closed is closed too.
func TestStoreClosedWhileOpening(t *testing.T) {
	fs := spilltest.New(nil)
	c := &closing{FS: fs}
	c.s = newStore(t, spill.Options{FS: c})
	if _, err := writeRun(c.s, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v, want os.ErrClosed", err)
	}
	if fs.Opened() != 1 || fs.OpenFiles() != 0 {
		t.Errorf("%d of %d files left open, want 0 of 1", fs.OpenFiles(), fs.Opened())
	}
}
