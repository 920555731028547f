package spill_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/spill"
	"github.com/gosort/gosort/spill/spilltest"
)

// Flip a bit of every byte of a run, then cut it at every byte: each must be an error
// that names the file, and the frames before it must be right.
func TestDamage(t *testing.T) {
	frames := append(words(1, 12, 60), noise(1, 90), nil)
	for _, codec := range codecs {
		for _, workers := range []int{0, 1} {
			fs := spilltest.New(nil)
			s := newStore(t, spill.Options{Codec: codec, BlockSize: 200, FS: fs})
			a := spill.NewReadAhead(workers)
			defer a.Close()
			mustWrite(t, s, frames) // so that the run does not begin at 0
			r := mustWrite(t, s, frames)
			mustRead(t, s, r, a, frames)
			start, stored := r.StoredBytes(), r.StoredBytes()
			for pos := start; pos < start+stored; pos++ {
				fs.OnRead(func(_ string, off int64, p []byte) int {
					if i := pos - off; i >= 0 && i < int64(len(p)) {
						p[i] ^= 1 << (pos % 8)
					}
					return len(p)
				})
				checkDamage(t, s, r, a, frames, "flip", pos)
				fs.OnRead(func(_ string, off int64, p []byte) int {
					return int(min(int64(len(p)), max(0, pos-off)))
				})
				checkDamage(t, s, r, a, frames, "cut", pos)
			}
			fs.OnRead(nil)
			mustRead(t, s, r, a, frames)
		}
	}
}

func checkDamage(t *testing.T, s *spill.Store, r spill.Run, a *spill.ReadAhead, frames [][]byte, what string, pos int64) {
	t.Helper()
	n, err := readRun(s, r, a, frames)
	if !errors.Is(err, spill.ErrCorrupt) {
		t.Fatalf("%s at %d: got %d frames and %v, want ErrCorrupt", what, pos, n, err)
	}
	file := r.Name()[strings.LastIndex(r.Name(), " ")+1:]
	for _, want := range []string{file, "run 2", "offset"} {
		if !strings.Contains(err.Error(), want) {
			t.Fatalf("%s at %d: message %q lacks %q", what, pos, err, want)
		}
	}
}

// bytesFile is a File over bytes.
type bytesFile struct{ *bytes.Reader }

func (bytesFile) Name() string                       { return "bytes" }
func (bytesFile) WriteAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }
func (bytesFile) Release(int64, int64) error         { return nil }
func (bytesFile) Truncate(int64) error               { return nil }
func (bytesFile) WillNeed(int64, int64)              {}
func (bytesFile) Close() error                       { return nil }

// split cuts data into blocks of the given lengths.
func split(data []byte, lengths []uint32) [][]byte {
	var blocks [][]byte
	for _, n := range lengths {
		blocks = append(blocks, slices.Clone(data[:n]))
		data = data[n:]
	}
	return blocks
}

func lengthsOf(blocks [][]byte) []uint32 {
	var lengths []uint32
	for _, b := range blocks {
		lengths = append(lengths, uint32(len(b)))
	}
	return lengths
}

// newBlock returns a block that is right in all that Seal can make right.
func newBlock(seq, rawLen, frames int, kind uint8, payload []byte) []byte {
	b := append(make([]byte, spill.HeaderSize), payload...)
	spill.Seal(b, 1, seq, rawLen, frames, kind)
	return b
}

// Blocks with a good checksum that are nevertheless not what was written.
func TestLies(t *testing.T) {
	le := binary.LittleEndian
	frame := func(n uint32, p ...byte) []byte { return append(le.AppendUint32(nil, n), p...) }
	trailer := func(frames, size, blocks uint64) []byte {
		return le.AppendUint64(le.AppendUint64(le.AppendUint64(nil, frames), size), blocks)
	}
	const none, end = uint8(spill.None), uint8(spill.KindTrailer)
	one := newBlock(0, 5, 1, none, frame(1, 'x'))
	good := newBlock(1, 24, 0, end, trailer(1, 1, 1))
	foreign := slices.Clone(one)
	spill.Seal(foreign, 2, 0, 5, 1, none)
	cases := []struct {
		name   string
		blocks [][]byte
		ok     bool
	}{
		{"right", [][]byte{one, good}, true},
		{"no trailer", [][]byte{one}, false},
		{"trailer only", [][]byte{newBlock(0, 24, 0, end, trailer(0, 0, 0))}, false},
		{"trailer first", [][]byte{newBlock(0, 24, 0, end, trailer(0, 0, 0)), newBlock(1, 5, 1, none, frame(1, 'x'))}, false},
		{"block twice", [][]byte{one, one, good}, false},
		{"foreign block", [][]byte{foreign, good}, false},
		{"trailer counts frames wrong", [][]byte{one, newBlock(1, 24, 0, end, trailer(2, 1, 1))}, false},
		{"trailer counts bytes wrong", [][]byte{one, newBlock(1, 24, 0, end, trailer(1, 2, 1))}, false},
		{"trailer counts blocks wrong", [][]byte{one, newBlock(1, 24, 0, end, trailer(1, 1, 2))}, false},
		{"trailer too long", [][]byte{one, newBlock(1, 24, 0, end, append(trailer(1, 1, 1), 0))}, false},
		{"frame longer than its block", [][]byte{newBlock(0, 5, 1, none, frame(2, 'x')), good}, false},
		{"frame shorter than its block", [][]byte{newBlock(0, 5, 1, none, frame(0, 'x')), good}, false},
		{"huge frame", [][]byte{newBlock(0, 5, 1, none, frame(1<<32-1, 'x')), good}, false},
		{"second frame has no length", [][]byte{newBlock(0, 8, 2, none, frame(1, 'x', 0, 0, 0)), good}, false},
		{"no frames", [][]byte{newBlock(0, 5, 0, none, frame(1, 'x')), good}, false},
		{"more frames than fit", [][]byte{newBlock(0, 5, 2, none, frame(1, 'x')), good}, false},
		{"raw length above the limit", [][]byte{newBlock(0, 300, 1, none, frame(1, 'x')), good}, false},
		{"stored less than raw", [][]byte{newBlock(0, 6, 1, none, frame(1, 'x')), good}, false},
		{"stored more than raw", [][]byte{newBlock(0, 4, 1, none, frame(1, 'x')), good}, false},
		{"unknown kind", [][]byte{newBlock(0, 5, 1, 7, frame(1, 'x')), good}, false},
		{"s2 decodes to less", [][]byte{newBlock(0, 5, 1, uint8(spill.S2), []byte{1, 0, 'x'}), good}, false},
		{"s2 garbage", [][]byte{newBlock(0, 5, 1, uint8(spill.S2), []byte{5, 0xff, 0xff}), good}, false},
		{"zstd garbage", [][]byte{newBlock(0, 5, 1, uint8(spill.Zstd), frame(1, 'x')), good}, false},
		{"zstd of nothing", [][]byte{newBlock(0, 5, 1, uint8(spill.Zstd), nil), good}, false},
		{"no room for a header", [][]byte{one[:20], good}, false},
	}
	for _, c := range cases {
		for _, codec := range codecs {
			s := newStore(t, spill.Options{Codec: codec})
			data := bytesFile{bytes.NewReader(bytes.Join(c.blocks, nil))}
			r := spill.RunOver(s, data, 1, lengthsOf(c.blocks), 200, 1)
			n, err := readRun(s, r, nil, [][]byte{{'x'}})
			if c.ok && err != nil || !c.ok && !errors.Is(err, spill.ErrCorrupt) {
				t.Errorf("%s, store of %v: got %d frames, %v, want ok=%v", c.name, codec, n, err, c.ok)
			}
		}
	}
}

// Every way of losing, doubling or swapping whole blocks of a good run.
func TestBlocksLost(t *testing.T) {
	s := newStore(t, spill.Options{BlockSize: 100})
	frames := words(1, 20, 50)
	r := mustWrite(t, s, frames)
	data, lengths, err := spill.RunBytes(r)
	if err != nil {
		t.Fatal(err)
	}
	blocks := split(data, lengths)
	read := func(blocks [][]byte) error {
		f := bytesFile{bytes.NewReader(bytes.Join(blocks, nil))}
		_, err := readRun(s, spill.RunOver(s, f, r.ID(), lengthsOf(blocks), r.MaxBlock(), r.Frames()), nil, frames)
		return err
	}
	if err := read(blocks); err != nil {
		t.Fatalf("whole: %v", err)
	}
	for i := range blocks {
		for what, b := range map[string][][]byte{
			"lost":      slices.Delete(slices.Clone(blocks), i, i+1),
			"doubled":   slices.Insert(slices.Clone(blocks), i, blocks[i]),
			"first two": append([][]byte{blocks[i]}, blocks[1:]...),
		} {
			if what == "first two" && i == 0 || len(b) == 0 {
				continue
			}
			if err := read(b); !errors.Is(err, spill.ErrCorrupt) {
				t.Errorf("block %d %s: got %v, want ErrCorrupt", i, what, err)
			}
		}
	}
}

// FuzzReader reads arbitrary bytes as a run, cut into blocks of arbitrary lengths, and
// with seal set makes the checksums right, so that what is behind them is reached.
func FuzzReader(f *testing.F) {
	for _, codec := range codecs {
		s := newStore(f, spill.Options{Codec: codec, BlockSize: 200})
		for _, frames := range [][][]byte{nil, words(1, 30, 40), {noise(1, 150), bytes.Repeat([]byte("ab"), 300)}} {
			data, lengths, err := spill.RunBytes(mustWrite(f, s, frames))
			if err != nil {
				f.Fatal(err)
			}
			var cuts []byte
			for _, n := range lengths {
				cuts = append(cuts, byte(n))
			}
			f.Add(data, cuts, uint16(1000), int64(len(frames)), uint8(codec), false)
			f.Add(data, cuts, uint16(200), int64(len(frames)), uint8(codec), true)
		}
	}
	f.Fuzz(func(t *testing.T, data, cuts []byte, maxBlock uint16, frames int64, codec uint8, seal bool) {
		if len(cuts) == 0 {
			return // no Run is without a block
		}
		var lengths []uint32
		for _, n := range cuts {
			lengths = append(lengths, uint32(n))
		}
		if seal {
			data = sealAll(data, lengths)
		}
		s, err := spill.NewStore(spill.Options{Codec: spill.Codec(codec % 3)})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		r := spill.RunOver(s, bytesFile{bytes.NewReader(data)}, 1, lengths, int(maxBlock), frames)
		checkFuzzed(t, s, r)
	})
}

// sealAll gives every block of data that has room for a header a right one, keeping
// the lengths, counts and kinds it claims.
func sealAll(data []byte, lengths []uint32) []byte {
	data = slices.Clone(data)
	rest := data
	le := binary.LittleEndian
	for i, n := range lengths {
		if int(n) > len(rest) || n < spill.HeaderSize {
			break
		}
		b := rest[:n]
		spill.Seal(b, 1, i, int(le.Uint32(b[8:])), int(le.Uint32(b[12:])), b[28])
		rest = rest[n:]
	}
	return data
}

// checkFuzzed reads r to its end: io.EOF after as many frames as promised, or
// ErrCorrupt, and in any case no more bytes than the blocks can hold.
func checkFuzzed(t *testing.T, s *spill.Store, r spill.Run) {
	rd, err := s.Open(r, spill.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	var n int64
	for {
		f, err := rd.Next()
		if err == io.EOF && n == r.Frames() || errors.Is(err, spill.ErrCorrupt) {
			if _, again := rd.Next(); again != err {
				t.Fatalf("after %v came %v", err, again)
			}
			return
		}
		if err != nil {
			t.Fatalf("after %d of %d frames: %v", n, r.Frames(), err)
		}
		if len(f) > r.MaxBlock() {
			t.Fatalf("a frame of %d bytes in blocks of at most %d", len(f), r.MaxBlock())
		}
		n++
	}
}
