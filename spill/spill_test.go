package spill_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/gosort/gosort/spill"
	"github.com/gosort/gosort/spill/spilltest"
)

var codecs = []spill.Codec{spill.S2, spill.Zstd, spill.None}

// words makes compressible frames of up to size bytes: like sorted records, each
// resembles the one before.
func words(seed uint64, n, size int) [][]byte {
	rng := rand.New(rand.NewPCG(seed, 1))
	base := noise(seed, max(size, 1))
	frames := make([][]byte, n)
	for i := range frames {
		f := bytes.Clone(base[:rng.IntN(size+1)])
		if len(f) >= 8 {
			binary.LittleEndian.PutUint64(f, uint64(i))
		}
		frames[i] = f
	}
	return frames
}

// noise returns n incompressible bytes.
func noise(seed uint64, n int) []byte {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(b)
	return b
}

func newStore(t testing.TB, o spill.Options) *spill.Store {
	t.Helper()
	if o.Dirs == nil {
		o.Dirs = []string{t.TempDir()}
	}
	s, err := spill.NewStore(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func writeRun(s *spill.Store, frames [][]byte) (spill.Run, error) {
	w, err := s.Create()
	if err != nil {
		return spill.Run{}, err
	}
	defer w.Abort()
	for _, f := range frames {
		if err := w.Write(f); err != nil {
			return spill.Run{}, err
		}
	}
	return w.Close()
}

func mustWrite(t testing.TB, s *spill.Store, frames [][]byte) spill.Run {
	t.Helper()
	r, err := writeRun(s, frames)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var errDiffers = errors.New("frame differs")

// readRun reads r to its end and compares it with want. It returns the number of
// frames read before the error, if any.
func readRun(s *spill.Store, r spill.Run, a *spill.ReadAhead, want [][]byte) (n int, err error) {
	rd, err := s.Open(r, spill.ReadOptions{ReadAhead: a})
	if err != nil {
		return 0, err
	}
	defer rd.Close()
	for ; ; n++ {
		f, err := rd.Next()
		if err == io.EOF && n == len(want) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if n == len(want) || !bytes.Equal(f, want[n]) {
			return n, fmt.Errorf("%w: number %d, got %d bytes", errDiffers, n, len(f))
		}
	}
}

func mustRead(t testing.TB, s *spill.Store, r spill.Run, a *spill.ReadAhead, want [][]byte) {
	t.Helper()
	if n, err := readRun(s, r, a, want); err != nil {
		t.Fatalf("%s: after %d of %d frames: %v", r.Name(), n, len(want), err)
	}
}

func TestRoundTrip(t *testing.T) {
	mixed := append(words(3, 50, 300), noise(4, 3000), nil, noise(5, 1), bytes.Repeat([]byte("ACGT"), 2000))
	cases := []struct {
		name   string
		frames [][]byte
		block  int
	}{
		{"empty run", nil, 0},
		{"one empty frame", [][]byte{{}}, 0},
		{"empty frames only", make([][]byte, 1000), 64},
		{"blocks of one frame", words(1, 100, 40), 1},
		{"frame fills the block", [][]byte{noise(1, 60), noise(2, 60), noise(3, 61)}, 64},
		{"frames larger than a block", [][]byte{noise(1, 100), noise(2, 5000), {}, noise(3, 200000)}, 64},
		{"compressible and not", mixed, 1024},
		{"many", words(2, 100_000, 60), 0},
		{"large zstd frames", [][]byte{bytes.Repeat(noise(9, 70_000), 40)}, 0},
	}
	for _, c := range cases {
		for _, codec := range codecs {
			t.Run(fmt.Sprintf("%s/codec=%v", c.name, codec), func(t *testing.T) {
				s := newStore(t, spill.Options{Codec: codec, BlockSize: c.block})
				a := spill.NewReadAhead(1)
				defer a.Close()
				r := mustWrite(t, s, c.frames)
				mustRead(t, s, r, nil, c.frames)
				mustRead(t, s, r, a, c.frames)
				mustRead(t, s, r, nil, c.frames)

				var raw int64
				for _, f := range c.frames {
					raw += int64(len(f))
				}
				if r.Frames() != int64(len(c.frames)) || r.RawBytes() != raw {
					t.Errorf("got %d frames, %d bytes, want %d, %d", r.Frames(), r.RawBytes(), len(c.frames), raw)
				}
				want := spill.Stats{Runs: 1, RawBytes: raw, StoredBytes: r.StoredBytes(), ReadBytes: 3 * r.StoredBytes()}
				if got := s.Stats(); got != want {
					t.Errorf("stats: got %+v, want %+v", got, want)
				}
			})
		}
	}
}

func TestCompression(t *testing.T) {
	frames := make([][]byte, 2000)
	for i := range frames {
		frames[i] = fmt.Appendf(nil, "read%06d chr1 %d 60 100M = %d 300", i, i*7, i*7+200)
	}
	stored := map[spill.Codec]int64{}
	for _, codec := range codecs {
		r := mustWrite(t, newStore(t, spill.Options{Codec: codec}), frames)
		stored[codec] = r.StoredBytes()
	}
	if !(stored[spill.Zstd] < stored[spill.S2] && stored[spill.S2] < stored[spill.None]/2) {
		t.Errorf("stored bytes %v: want zstd < s2 < half of none", stored)
	}
	// What cannot be compressed costs 32 bytes a block, a length a frame, a trailer.
	for _, codec := range codecs {
		r := mustWrite(t, newStore(t, spill.Options{Codec: codec}), [][]byte{noise(1, 10_000)})
		if got, want := r.StoredBytes(), int64(spill.HeaderSize+4+10_000+spill.TrailerBlock); got != want {
			t.Errorf("noise with %v: got %d stored bytes, want %d", codec, got, want)
		}
		if r.MaxBlock() != 10_004 || r.MaxStored() != 10_004+spill.HeaderSize {
			t.Errorf("noise with %v: MaxBlock %d, MaxStored %d", codec, r.MaxBlock(), r.MaxStored())
		}
	}
}

// Every frame must stay intact for as long as Buffered says frames of its block are
// unread, and Buffered must count down to 0 within each block.
func TestBuffered(t *testing.T) {
	frames := words(1, 500, 50)
	for _, workers := range []int{0, 1} {
		s := newStore(t, spill.Options{BlockSize: 400})
		a := spill.NewReadAhead(workers)
		defer a.Close()
		rd, err := s.Open(mustWrite(t, s, frames), spill.ReadOptions{ReadAhead: a})
		if err != nil {
			t.Fatal(err)
		}
		defer rd.Close()
		first, blocks := 0, 0
		var held [][]byte
		for i := range frames {
			if rd.Buffered() == 0 {
				first, held, blocks = i, nil, blocks+1
			}
			f, err := rd.Next()
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, f)
			for j, h := range held {
				if !bytes.Equal(h, frames[first+j]) {
					t.Fatalf("workers=%d: frame %d changed while frame %d was read", workers, first+j, i)
				}
			}
		}
		if blocks < 10 || rd.Buffered() != 0 {
			t.Errorf("workers=%d: %d blocks seen, %d frames buffered at the end", workers, blocks, rd.Buffered())
		}
	}
}

func TestWriteCopies(t *testing.T) {
	s := newStore(t, spill.Options{})
	w, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	frame := []byte("before")
	if err := w.Write(frame); err != nil {
		t.Fatal(err)
	}
	copy(frame, "after!")
	r, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	mustRead(t, s, r, nil, [][]byte{[]byte("before")})
}

func TestConcurrent(t *testing.T) {
	for _, codec := range codecs {
		t.Run(codec.String(), func(t *testing.T) {
			fs := spilltest.New(nil)
			s := newStore(t, spill.Options{Codec: codec, BlockSize: 2000, FS: fs})
			a := spill.NewReadAhead(2)
			defer a.Close()
			const workers, rounds = 4, 20
			var wg sync.WaitGroup
			for g := range workers {
				wg.Go(func() {
					for i := range rounds {
						frames := words(uint64(g*rounds+i), 200, 100)
						r, err := writeRun(s, frames)
						if err != nil {
							t.Error(err)
							return
						}
						for _, ahead := range []*spill.ReadAhead{a, nil} {
							if _, err := readRun(s, r, ahead, frames); err != nil {
								t.Error(err)
							}
						}
						if i%3 != 0 {
							if err := s.Remove(r); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			wg.Wait()
			if got := fs.Opened(); got > workers {
				t.Errorf("%d files for %d writers", got, workers)
			}
		})
	}
}

// A merge of 300 runs, all open at once, two writers at a time.
func TestDescriptors(t *testing.T) {
	const runs = 300
	fs := spilltest.New(nil)
	s := newStore(t, spill.Options{BlockSize: 500, FS: fs})
	a := spill.NewReadAhead(1)
	defer a.Close()
	var readers []*spill.Reader
	for i := 0; i < runs; i += 2 {
		var pair [2]*spill.Writer
		for j := range pair {
			w, err := s.Create()
			if err != nil {
				t.Fatal(err)
			}
			pair[j] = w
		}
		for _, f := range words(uint64(i), 40, 100) {
			for _, w := range pair {
				if err := w.Write(f); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, w := range pair {
			r, err := w.Close()
			if err != nil {
				t.Fatal(err)
			}
			rd, err := s.Open(r, spill.ReadOptions{ReadAhead: a})
			if err != nil {
				t.Fatal(err)
			}
			defer rd.Close()
			readers = append(readers, rd)
		}
	}
	for k := range 40 {
		for i, rd := range readers {
			want := words(uint64(i&^1), 40, 100)[k]
			if got, err := rd.Next(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("run %d, frame %d: got %d bytes, %v", i, k, len(got), err)
			}
		}
	}
	for i, rd := range readers {
		if f, err := rd.Next(); err != io.EOF {
			t.Fatalf("run %d: got %d bytes, %v, want io.EOF", i, len(f), err)
		}
	}
	if got := fs.Opened(); got != 2 {
		t.Errorf("%d files opened, want 2", got)
	}
}

func TestNewStoreRefuses(t *testing.T) {
	for _, o := range []spill.Options{{Codec: 3}, {BlockSize: -1}, {BlockSize: 1<<30 + 1}} {
		if s, err := spill.NewStore(o); err == nil {
			t.Errorf("NewStore(%+v) = %v, want an error", o, s)
		}
	}
}

func TestParseCodec(t *testing.T) {
	for _, c := range codecs {
		if got, err := spill.ParseCodec(c.String()); got != c || err != nil {
			t.Errorf("ParseCodec(%q) = %v, %v", c.String(), got, err)
		}
	}
	for _, name := range []string{"", "S2", "gzip", "Codec(9)"} {
		if c, err := spill.ParseCodec(name); err == nil {
			t.Errorf("ParseCodec(%q) = %v, want an error", name, c)
		}
	}
	if got := spill.Codec(9).String(); got != "Codec(9)" {
		t.Errorf("got %q", got)
	}
}

func TestFrameTooLong(t *testing.T) {
	if err := spill.CheckFrame(spill.MaxFrame); err != nil {
		t.Error(err)
	}
	if spill.CheckFrame(spill.MaxFrame+1) == nil {
		t.Error("a frame of MaxFrame+1 bytes is accepted")
	}
}

func TestMisuse(t *testing.T) {
	s, other := newStore(t, spill.Options{}), newStore(t, spill.Options{})
	w, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write after Close: %v", err)
	}
	if _, err := w.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
	if err := w.Abort(); err != nil {
		t.Errorf("Abort after Close: %v", err)
	}
	for name, run := range map[string]spill.Run{"zero": {}, "foreign": mustWrite(t, other, nil)} {
		if _, err := s.Open(run, spill.ReadOptions{}); err == nil {
			t.Errorf("Open of a %s run succeeds", name)
		}
		if s.Remove(run) == nil {
			t.Errorf("Remove of a %s run succeeds", name)
		}
	}
	mustRead(t, s, r, nil, nil)
	rd, err := s.Open(r, spill.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := rd.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := rd.Next(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Next after Close: %v", err)
	}
	if err := s.Remove(r); err != nil {
		t.Error(err)
	}
	if s.Remove(r) == nil {
		t.Error("second Remove succeeds")
	}
	if _, err := s.Open(r, spill.ReadOptions{}); err == nil {
		t.Error("Open after Remove succeeds")
	}
}

func TestRunIDsRise(t *testing.T) {
	s := newStore(t, spill.Options{})
	last := uint64(0)
	for i := range 5 {
		r := mustWrite(t, s, nil)
		if r.ID() <= last {
			t.Errorf("run %d has id %d after %d", i, r.ID(), last)
		}
		last = r.ID()
		if err := s.Remove(r); err != nil {
			t.Error(err)
		}
	}
}
