package spill_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"github.com/gosort/gosort/spill"
)

// allocated returns the bytes f allocates, whether they are freed again or not: what
// it holds at any moment is less. The collector is off, for it empties the pools s2
// takes its tables from.
func allocated(f func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// hardToEncode returns frames of n bytes together that take a compressor's every
// buffer to its size: matches as short and as many as can be, among noise.
func hardToEncode(n, frame int) [][]byte {
	rng := rand.New(rand.NewPCG(1, 1))
	dict := noise(1, 400)
	var b []byte
	for len(b) < n {
		at := rng.IntN(len(dict) - 8)
		b = append(b, dict[at:at+6+rng.IntN(2)]...)
		if rng.IntN(4) == 0 {
			b = append(b, byte(rng.Uint32()))
		}
	}
	return slices.Collect(slices.Chunk(b[:n], frame))
}

// skipUnderRace skips a test that counts allocations: the race detector makes
// sync.Pool forget at random.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("allocations differ under the race detector")
	}
}

// A Writer allocates no more than WriterMemory says, from the first frame on, and a
// Reader no more than ReaderMemory and LoadMemory; slack is for the small objects.
func TestMemoryBounds(t *testing.T) {
	skipUnderRace(t)
	const slack = 32 << 10
	inputs := map[string][][]byte{
		"hard":  hardToEncode(8<<20, 200),
		"noise": {noise(1, 200_000), noise(2, 200_000)},
		"zeros": {make([]byte, 250_000), make([]byte, 250_000)},
	}
	for _, codec := range codecs {
		for name, frames := range inputs {
			for _, block := range []int{32 << 10, 256 << 10, 2 << 20} {
				t.Run(fmt.Sprintf("codec=%v/input=%s/block=%d", codec, name, block), func(t *testing.T) {
					if len(frames[0])+4 > block {
						t.Skip("the bound is for frames that fit a block")
					}
					o := spill.Options{Codec: codec, BlockSize: block}
					s := newStore(t, o)
					var r spill.Run
					got := allocated(func() { r = mustWrite(t, s, frames) })
					if want := o.WriterMemory(); got > want+slack {
						t.Errorf("a Writer allocated %d bytes, WriterMemory says %d", got, want)
					}
					got = allocated(func() { mustRead(t, s, r, nil, frames) })
					if want := s.ReaderMemory(r, false) + s.LoadMemory(r); got > want+slack {
						t.Errorf("a Reader allocated %d bytes, ReaderMemory and LoadMemory say %d", got, want)
					}
					a := spill.NewReadAhead(1)
					defer a.Close()
					got = allocated(func() { mustRead(t, s, r, a, frames) })
					if want := s.ReaderMemory(r, true) + 2*s.LoadMemory(r); got > want+slack {
						t.Errorf("a Reader with read-ahead allocated %d bytes, want %d at most", got, want)
					}
				})
			}
		}
	}
}

// Once buffers are warm neither writing nor reading allocates per block, and a new
// run finds the buffers of the one before.
func TestNoAllocations(t *testing.T) {
	skipUnderRace(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	frames := words(1, 2000, 100)
	for _, codec := range codecs {
		t.Run(codec.String(), func(t *testing.T) {
			s := newStore(t, spill.Options{Codec: codec, BlockSize: 1000})
			r := mustWrite(t, s, frames) // 100 blocks or so
			mustRead(t, s, r, nil, frames)
			write := testing.AllocsPerRun(10, func() { mustWrite(t, s, frames) })
			// The Writer, its Run's index (which grows by doubling), its life.
			if write > 16 {
				t.Errorf("a run of 100 blocks was written with %v allocations", write)
			}
			read := testing.AllocsPerRun(10, func() { mustRead(t, s, r, nil, frames) })
			if read > 4 { // the Reader and its buffer
				t.Errorf("a run of 100 blocks was read with %v allocations", read)
			}
		})
	}
}

// inUse returns the bytes of live objects.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A frame that bloated a Writer's buffers does not stay in memory.
func TestLargeFrameIsForgotten(t *testing.T) {
	const large = 16 << 20
	s := newStore(t, spill.Options{BlockSize: 1000})
	mustWrite(t, s, words(1, 10, 10))
	before := inUse()
	mustWrite(t, s, [][]byte{noise(1, large)})
	if got := inUse() - before; got > large/4 {
		t.Errorf("after a frame of %d bytes %d more are in use", large, got)
	}
	mustWrite(t, s, words(1, 10, 10)) // the Store is alive up to here
}

// A block that decodes to far more than it says is refused before it is decoded.
func TestBomb(t *testing.T) {
	skipUnderRace(t)
	const size = 64 << 20
	zeros := make([]byte, size)
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for codec, payload := range map[spill.Codec][]byte{
		spill.S2: s2.Encode(nil, zeros), spill.Zstd: enc.EncodeAll(zeros, nil),
	} {
		s := newStore(t, spill.Options{Codec: codec})
		block := newBlock(0, 100, 1, uint8(codec), payload)
		r := spill.RunOver(s, bytesFile{bytes.NewReader(block)}, 1, []uint32{uint32(len(block)), 56}, 200, 1)
		got := allocated(func() { _, err = readRun(s, r, nil, nil) })
		if !errors.Is(err, spill.ErrCorrupt) {
			t.Errorf("%v: got %v, want ErrCorrupt", codec, err)
		}
		if limit := int64(len(block)) + 1<<20; got > limit {
			t.Errorf("%v: reading a block of %d bytes allocated %d", codec, len(block), got)
		}
	}
}

// benchFrames resembles records with keys: text-like, sorted, 64 MiB in all.
func benchFrames() ([][]byte, int64) {
	rng := rand.New(rand.NewPCG(1, 2))
	var frames [][]byte
	var size int64
	for i := 0; size < 64<<20; i++ {
		f := fmt.Appendf(nil, "%016x\x00A00%d:%d:HXXX:%d:%d", i*37, rng.IntN(4), i, rng.IntN(2000), rng.IntN(30000))
		for range 75 {
			f = append(f, byte(rng.IntN(256)))
		}
		f = append(f, bytes.Repeat([]byte{byte(30 + rng.IntN(8))}, 100+rng.IntN(50))...)
		frames = append(frames, f)
		size += int64(len(f))
	}
	return frames, size
}

func BenchmarkWrite(b *testing.B) {
	frames, size := benchFrames()
	for _, codec := range codecs {
		b.Run(fmt.Sprintf("codec=%v", codec), func(b *testing.B) {
			s := newStore(b, spill.Options{Codec: codec})
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				r := mustWrite(b, s, frames)
				b.ReportMetric(float64(r.StoredBytes())/float64(size), "ratio")
				if err := s.Remove(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	frames, size := benchFrames()
	for _, codec := range codecs {
		s := newStore(b, spill.Options{Codec: codec})
		r := mustWrite(b, s, frames)
		for _, workers := range []int{0, 1} {
			b.Run(fmt.Sprintf("codec=%v/readahead=%d", codec, workers), func(b *testing.B) {
				a := spill.NewReadAhead(workers)
				defer a.Close()
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					rd, err := s.Open(r, spill.ReadOptions{ReadAhead: a})
					for err == nil {
						_, err = rd.Next()
					}
					if err != io.EOF {
						b.Fatal(err)
					}
					if err := rd.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
