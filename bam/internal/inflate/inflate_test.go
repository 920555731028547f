package inflate

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// oracle is compress/flate.
type oracle struct {
	src bytes.Reader
	fr  io.ReadCloser
	buf []byte
}

// inflate returns what the stream holds, but not much more than size bytes, how many of src it took, and how it ended:
// io.EOF is the end of the stream, nil that there is more.
func (o *oracle) inflate(src []byte, size int) (made []byte, taken int, err error) {
	o.src.Reset(src)
	if o.fr == nil {
		o.fr = flate.NewReader(&o.src)
	} else if err := o.fr.(flate.Resetter).Reset(&o.src, nil); err != nil {
		return nil, 0, err
	}
	o.buf = slices.Grow(o.buf[:0], size+1)
	n := 0
	for n <= size && err == nil {
		var m int
		m, err = o.fr.Read(o.buf[n : size+1])
		n += m
	}
	return o.buf[:n], len(src) - o.src.Len(), err
}

// pair is a Decoder and its oracle, used again and again as workers do.
type pair struct {
	d   Decoder
	o   oracle
	dst []byte
}

const guard = 0xa5

// same decodes src to size bytes with both and wants the same of them. It returns the Decoder's error.
func (p *pair) same(t testing.TB, src []byte, size int) error {
	t.Helper()
	p.dst = slices.Grow(p.dst[:0], size+64)
	back := p.dst[:size+64]
	for i := range back {
		back[i] = guard
	}
	made, taken, err := p.d.Decode(back[:size], src)
	want, wantTaken, wantErr := p.o.inflate(src, size)
	switch {
	case slices.ContainsFunc(back[size:], func(b byte) bool { return b != guard }):
		t.Fatalf("%d bytes to %d: written behind the destination", len(src), size)
	case len(want) > size:
		if err != ErrTooLong {
			t.Fatalf("%d bytes to %d: got error %v, want %v", len(src), size, err, ErrTooLong)
		}
	case wantErr != io.EOF:
		if err == nil {
			t.Fatalf("%d bytes to %d: got no error, compress/flate: %v after %d bytes", len(src), size, wantErr, len(want))
		}
	case err != nil || made != len(want) || taken != wantTaken:
		t.Fatalf("%d bytes to %d: made %d of %d, %v, compress/flate made %d of %d", len(src), size, made, taken, err, len(want), wantTaken)
	case !bytes.Equal(back[:made], want):
		t.Fatalf("%d bytes to %d: the bytes differ from compress/flate's", len(src), size)
	}
	return err
}

// around tries destinations that are just too small, right and larger, and bytes behind the stream.
func (p *pair) around(t testing.TB, src []byte, size int) {
	t.Helper()
	for _, n := range []int{0, size / 2, size - 1, size, size + 1, size + matchRoom} {
		_ = p.same(t, src, max(n, 0)) // the verdict is compress/flate's
		_ = p.same(t, slices.Concat(src, repeat(0x6d, 40)), max(n, 0))
	}
}

func deflate(t testing.TB, level int, p []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err == nil {
		_, err = w.Write(p)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var levels = []int{flate.HuffmanOnly, flate.NoCompression, flate.BestSpeed, 6, flate.BestCompression}

// realNames are the files of blocks in testdata.
var realNames = []string{"novaseq151", "hiseqx128", "umi", "ont", "hifi"}

// realBlock is a BGZF block's deflate stream and the size of what it holds.
type realBlock struct {
	deflate []byte
	isize   int
}

func realBlocks(t testing.TB, name string) []realBlock {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".bgzf")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []realBlock
	for len(b) > 0 {
		n := int(binary.LittleEndian.Uint16(b[16:])) + 1 // all have the header of 18 bytes
		blocks = append(blocks, realBlock{b[18 : n-8], int(binary.LittleEndian.Uint32(b[n-4:]))})
		b = b[n:]
	}
	return blocks
}

func TestRealBlocks(t *testing.T) {
	var p pair
	for _, name := range realNames {
		for _, b := range realBlocks(t, name) {
			if err := p.same(t, b.deflate, b.isize); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			p.around(t, b.deflate, b.isize)
			raw := bytes.Clone(p.dst[:b.isize])
			for _, level := range levels {
				p.around(t, deflate(t, level, raw), b.isize)
			}
		}
	}
}

// TestDamagedBlocks changes, cuts and repeats bytes of real blocks.
func TestDamagedBlocks(t *testing.T) {
	var p pair
	rng := rand.New(rand.NewPCG(3, 4))
	for _, name := range realNames {
		for _, b := range realBlocks(t, name) {
			for range 150 {
				src := bytes.Clone(b.deflate)
				for range 1 + rng.IntN(4) {
					src[rng.IntN(1+rng.IntN(len(src)))] ^= 1 << rng.IntN(8)
				}
				if rng.IntN(4) == 0 {
					src = src[:rng.IntN(len(src))]
				}
				_ = p.same(t, src, b.isize-rng.IntN(2)*rng.IntN(300)) // the verdict is compress/flate's
			}
		}
	}
}

// TestMatches: every length at distances of every way of copying, far from the end of the destination and near it.
func TestMatches(t *testing.T) {
	var p pair
	history := make([]byte, 33000)
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range history {
		history[i] = byte(rng.Uint32())
	}
	for _, distance := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 258, 1024, 24577, 32767, 32768} {
		d := new(deflater).stored(0, history).fixed(1)
		size := len(history)
		for length := 3; length <= 258; length++ {
			d.match(length, distance).text("\x00")
			size += length + 1
		}
		if err := p.same(t, d.end(), size); err != nil {
			t.Errorf("distance %d: %v", distance, err)
		}
		p.around(t, d.b, size)
	}
}

func TestRandomTokens(t *testing.T) {
	var p pair
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 9))
		d := new(deflater)
		size := 0
		for last := uint32(0); last == 0; {
			last = uint32(rng.IntN(2))
			switch rng.IntN(3) {
			case 0:
				n := rng.IntN(40)
				d.stored(last, history(rng, n))
				size += n
				continue
			case 1:
				d.fixed(last)
			default:
				d.dynamic(last, randomCode(rng, 286), randomCode(rng, 30))
			}
			for range rng.IntN(120) {
				if rng.IntN(3) > 0 || size == 0 {
					d.symbols(rng.IntN(256))
					size++
					continue
				}
				n := 3 + rng.IntN(1+rng.IntN(256))
				d.match(n, 1+rng.IntN(1+rng.IntN(min(size, 32768))))
				size += n
			}
			d.symbols(256)
		}
		if err := p.same(t, d.b, size); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		p.around(t, d.b, size)
	}
}

func history(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// randomCode returns the lengths of a complete code of n symbols, from a tree whose leaves are split at random.
func randomCode(rng *rand.Rand, n int) []uint8 {
	lens := []uint8{0}
	for len(lens) < n {
		i := rng.IntN(len(lens))
		if rng.IntN(3) > 0 {
			i = len(lens) - 1 // deep
		}
		if lens[i] == 15 {
			continue
		}
		lens[i]++
		lens = append(lens, lens[i])
	}
	rng.Shuffle(n, func(i, j int) { lens[i], lens[j] = lens[j], lens[i] })
	return lens
}

func TestNoAllocation(t *testing.T) {
	var d Decoder
	dst := make([]byte, 1<<16)
	for _, name := range realNames {
		for _, b := range realBlocks(t, name) {
			if n := testing.AllocsPerRun(3, func() { _, _, _ = d.Decode(dst[:b.isize], b.deflate) }); n > 0 {
				t.Errorf("%s: got %v allocations a block, want 0", name, n)
			}
		}
	}
}
