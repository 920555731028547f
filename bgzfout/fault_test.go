package bgzfout

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
)

var errDisk = errors.New("disk is on fire")

// faultyWriter takes calls until the one numbered fail (from 0), which takes
// take(len(p)) bytes and returns err. It counts the calls after that one.
type faultyWriter struct {
	buf         bytes.Buffer
	calls, fail int
	take        func(n int) int
	err         error
	afterwards  int
}

func (f *faultyWriter) Write(p []byte) (int, error) {
	call := f.calls
	f.calls++
	if call > f.fail {
		f.afterwards++
	}
	if call != f.fail {
		return f.buf.Write(p)
	}
	n := f.take(len(p))
	f.buf.Write(p[:min(n, len(p))])
	return n, f.err
}

// faults are the ways a write goes wrong.
var faults = []struct {
	name string
	take func(n int) int
	err  error
	want error
}{
	{"error", func(int) int { return 0 }, errDisk, errDisk},
	{"error after half", func(n int) int { return n / 2 }, errDisk, errDisk},
	{"error after all", func(n int) int { return n }, errDisk, errDisk},
	{"short", func(n int) int { return n - 1 }, nil, io.ErrShortWrite},
	{"nothing", func(int) int { return 0 }, nil, io.ErrShortWrite},
	{"more than given", func(n int) int { return n + 1 }, nil, io.ErrShortWrite},
}

// TestEveryWriteFails fails the n-th write for every n until a run gets through.
// A method that hangs or a goroutine that stays is a deadlock to synctest.
func TestEveryWriteFails(t *testing.T) {
	data := randomBytes(7 * MaxPayload)
	for _, fault := range faults {
		for _, threads := range threadCounts {
			for _, blocks := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s/threads=%d/slot=%d", fault.name, threads, blocks), func(t *testing.T) {
					o := Options{Level: Stored, Threads: threads, SlotBlocks: blocks}
					for n := 0; ; n++ {
						f := &faultyWriter{fail: n, take: fault.take, err: fault.err}
						synctest.Test(t, func(t *testing.T) { runFaulty(t, f, o, data, fault.want) })
						if f.calls <= n {
							if n < 7/blocks+1 {
								t.Errorf("got through at fault %d: too few writes to mean anything", n)
							}
							return
						}
					}
				})
			}
		}
	}
}

// runFaulty writes data with a Flush halfway, ignoring errors until the end, as
// a careless caller does, and checks them all.
func runFaulty(t *testing.T, f *faultyWriter, o Options, data []byte, want error) {
	w, err := NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	var first error
	note := func(call string, err error) {
		switch {
		case first == nil:
			first = err
		case err == nil || err.Error() != first.Error():
			t.Errorf("fault %d: %s = %v after %v", f.fail, call, err, first)
		}
	}
	write := func(data []byte) {
		for len(data) > 0 {
			p := data[:min(20_000, len(data))]
			note("FlushTry", w.FlushTry(len(p)))
			n, err := w.Write(p)
			note("Write", err)
			if n > len(p) || n < len(p) && err == nil {
				t.Errorf("fault %d: Write = %d, %v for %d bytes", f.fail, n, err, len(p))
			}
			data = data[len(p):]
		}
	}
	write(data[:len(data)/2])
	note("Flush", w.Flush())
	if failed := f.calls > f.fail; failed && first == nil {
		t.Errorf("fault %d: Flush reports nothing", f.fail)
	}
	write(data[len(data)/2:])
	closed := w.Close()
	note("Close", closed)
	if again := w.Close(); !errors.Is(again, closed) {
		t.Errorf("fault %d: second Close = %v, first %v", f.fail, again, closed)
	}
	checkFaulty(t, f, closed, data, want)
}

// checkFaulty checks what the writer and its destination are left with.
func checkFaulty(t *testing.T, f *faultyWriter, closed error, data []byte, want error) {
	t.Helper()
	if f.calls <= f.fail { // the fault never came
		if closed != nil {
			t.Errorf("Close = %v without a fault", closed)
		}
		if _, content := mustWalk(t, f.buf.Bytes()); !bytes.Equal(content, data) {
			t.Error("wrong content without a fault")
		}
		return
	}
	if !errors.Is(closed, want) {
		t.Errorf("fault %d: Close = %v, want %v", f.fail, closed, want)
	}
	if f.afterwards > 0 {
		t.Errorf("fault %d: %d more writes after it", f.fail, f.afterwards)
	}
}

// TestErrorStopsTheCaller: the caller hears of a failure while it still writes,
// not only at Close.
func TestErrorStopsTheCaller(t *testing.T) {
	for _, threads := range threadCounts {
		synctest.Test(t, func(t *testing.T) {
			f := &faultyWriter{take: func(int) int { return 0 }, err: errDisk}
			o := Options{Level: Stored, Threads: threads, SlotBlocks: 1}
			w, err := NewWriter(f, o)
			if err != nil {
				t.Fatal(err)
			}
			var taken int
			for err == nil {
				var n int
				n, err = w.Write(make([]byte, 10_000))
				synctest.Wait()
				if taken += n; taken > 2*MaxPayload {
					t.Fatalf("threads %d: %d bytes taken after the first block failed", threads, taken)
				}
			}
			if !errors.Is(err, errDisk) {
				t.Errorf("threads %d: Write = %v, want %v", threads, err, errDisk)
			}
			if err := w.Close(); !errors.Is(err, errDisk) {
				t.Errorf("threads %d: Close = %v, want %v", threads, err, errDisk)
			}
		})
	}
}

// TestFailureWhileCallerWaits: a caller that waits for a free slot when the
// underlying writer fails is let go, from each method that can wait.
func TestFailureWhileCallerWaits(t *testing.T) {
	tests := []struct {
		name string
		call func(w *Writer) error
	}{
		{"Write", func(w *Writer) error { _, err := w.Write(make([]byte, 20*MaxPayload)); return err }},
		{"Flush", func(w *Writer) error { return errors.Join(writeByte(w), w.Flush()) }},
		{"Close", func(w *Writer) error { return errors.Join(writeByte(w), w.Close()) }},
	}
	for _, tt := range tests {
		for _, threads := range threadCounts {
			t.Run(fmt.Sprintf("%s/threads=%d", tt.name, threads), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					pr, pw := io.Pipe() // nobody reads
					w, err := NewWriter(pw, Options{Level: 1, Threads: threads, SlotBlocks: 1})
					if err != nil {
						t.Fatal(err)
					}
					var got error
					go func() {
						got = tt.call(w)
						if err := w.Close(); !errors.Is(err, errDisk) {
							t.Errorf("Close = %v, want %v", err, errDisk)
						}
					}()
					synctest.Wait()
					pr.CloseWithError(errDisk)
					synctest.Wait()
					if !errors.Is(got, errDisk) {
						t.Errorf("%s = %v, want %v", tt.name, got, errDisk)
					}
				})
			})
		}
	}
}

func writeByte(w *Writer) error {
	_, err := w.Write([]byte("x"))
	return err
}

func TestUseAfterClose(t *testing.T) {
	for _, threads := range threadCounts {
		var buf bytes.Buffer
		w, err := NewWriter(&buf, Options{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		size := buf.Len()
		if n, err := w.Write([]byte("y")); n != 0 || !errors.Is(err, errClosed) {
			t.Errorf("threads %d: Write = %d, %v", threads, n, err)
		}
		if _, err := w.Write(nil); !errors.Is(err, errClosed) {
			t.Errorf("threads %d: Write of nothing = %v", threads, err)
		}
		if err := w.FlushTry(1); !errors.Is(err, errClosed) {
			t.Errorf("threads %d: FlushTry = %v", threads, err)
		}
		if err := w.Flush(); !errors.Is(err, errClosed) {
			t.Errorf("threads %d: Flush = %v", threads, err)
		}
		if err := w.Close(); err != nil {
			t.Errorf("threads %d: second Close = %v", threads, err)
		}
		if buf.Len() != size {
			t.Errorf("threads %d: %d bytes written after Close", threads, buf.Len()-size)
		}
	}
}
