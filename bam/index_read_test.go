package bam_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"testing"
)

// index is an index file as it is read: a second opinion on SAMv1 section 5.2
// and CSIv1 that shares nothing with the code under test.
type index struct {
	csi             bool
	minShift, depth int
	refs            []indexRef
	unplaced        uint64
}

// indexRef is what an index has of one reference.
type indexRef struct {
	bins   map[uint32]indexBin
	linear []uint64 // BAI only
}

type indexBin struct {
	loffset uint64 // CSI only
	spans   [][2]uint64
}

// parseIndex reads a BAI, or a CSI in BGZF or plain.
func parseIndex(t testing.TB, data []byte) index {
	t.Helper()
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		data = gunzip(t, data)
	}
	p := &indexParser{data: data}
	x := index{minShift: 14, depth: 5}
	switch magic := string(p.take(4)); magic {
	case "BAI\x01":
	case "CSI\x01":
		x.csi = true
		x.minShift, x.depth = p.int(), p.int()
		p.take(p.int())
	default:
		t.Fatalf("magic %q", magic)
	}
	x.refs = make([]indexRef, p.int())
	for i := range x.refs {
		x.refs[i] = p.reference(x.csi)
	}
	x.unplaced = p.uint64()
	if p.short || p.at != len(data) {
		t.Fatalf("the index has %d bytes, read up to %d", len(data), p.at)
	}
	return x
}

func gunzip(t testing.TB, data []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	data, err = io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// indexParser reads zeros once the data is over.
type indexParser struct {
	data  []byte
	at    int
	short bool
}

func (p *indexParser) take(n int) []byte {
	if n > len(p.data)-p.at {
		p.short = true
		return make([]byte, 8)
	}
	p.at += n
	return p.data[p.at-n : p.at]
}

func (p *indexParser) int() int       { return int(int32(binary.LittleEndian.Uint32(p.take(4)))) }
func (p *indexParser) uint64() uint64 { return binary.LittleEndian.Uint64(p.take(8)) }

func (p *indexParser) reference(csi bool) indexRef {
	r := indexRef{bins: map[uint32]indexBin{}}
	for range p.int() {
		number := uint32(p.int())
		var b indexBin
		if csi {
			b.loffset = p.uint64()
		}
		for range p.int() {
			b.spans = append(b.spans, [2]uint64{p.uint64(), p.uint64()})
		}
		r.bins[number] = b
	}
	if !csi {
		for range p.int() {
			r.linear = append(r.linear, p.uint64())
		}
	}
	return r
}

// sameIndex fails the test at the first difference in meaning.
func sameIndex(t testing.TB, got, want index) {
	t.Helper()
	if got.csi != want.csi || got.minShift != want.minShift || got.depth != want.depth || len(got.refs) != len(want.refs) {
		t.Fatalf("got CSI %v, min_shift %d, depth %d, %d references; want %v, %d, %d, %d",
			got.csi, got.minShift, got.depth, len(got.refs), want.csi, want.minShift, want.depth, len(want.refs))
	}
	if got.unplaced != want.unplaced {
		t.Errorf("n_no_coor %d, want %d", got.unplaced, want.unplaced)
	}
	for i, w := range want.refs {
		g := got.refs[i]
		if !slices.Equal(slices.Sorted(maps.Keys(g.bins)), slices.Sorted(maps.Keys(w.bins))) {
			t.Fatalf("reference %d: bins %d, want %d", i, slices.Sorted(maps.Keys(g.bins)), slices.Sorted(maps.Keys(w.bins)))
		}
		for number, wb := range w.bins {
			if gb := g.bins[number]; gb.loffset != wb.loffset || !slices.Equal(gb.spans, wb.spans) {
				t.Fatalf("reference %d, bin %d: %v, want %v", i, number, gb, wb)
			}
		}
		if !slices.Equal(g.linear, w.linear) {
			t.Fatalf("reference %d: linear index %v, want %v", i, g.linear, w.linear)
		}
	}
}

func (b indexBin) String() string {
	s := fmt.Sprintf("loffset %d:%d, spans", b.loffset>>16, b.loffset&0xffff)
	for _, p := range b.spans {
		s += fmt.Sprintf(" %d:%d-%d:%d", p[0]>>16, p[0]&0xffff, p[1]>>16, p[1]&0xffff)
	}
	return s
}

// query returns the stretches of the file in which reads overlapping [beg, end)
// of a reference may begin, as a reader of indexes works them out.
func (x index) query(ref int, beg, end int64) [][2]uint64 {
	r := x.refs[ref]
	var least uint64
	if w := int(beg >> x.minShift); !x.csi && len(r.linear) > 0 {
		if w >= len(r.linear) {
			return nil // no read reaches as far
		}
		least = r.linear[w]
	}
	if x.csi {
		least = x.leastOffset(r, beg)
	}
	var found [][2]uint64
	for level, first := 0, int64(0); level <= x.depth; level++ {
		shift := x.minShift + 3*(x.depth-level)
		for bin := first + beg>>shift; bin <= first+(end-1)>>shift && bin <= math.MaxUint32; bin++ {
			for _, s := range r.bins[uint32(bin)].spans {
				if s[1] > least {
					found = append(found, [2]uint64{max(s[0], least), s[1]})
				}
			}
		}
		first = first*8 + 1
	}
	return found
}

// leastOffset returns the loffset of the smallest bin around beg that there is.
func (x index) leastOffset(r indexRef, beg int64) uint64 {
	first := int64(0)
	for range x.depth {
		first = first*8 + 1
	}
	for bin := first + beg>>x.minShift; ; bin = (bin - 1) / 8 {
		if b, ok := r.bins[uint32(bin)]; ok {
			return b.loffset
		}
		if bin == 0 {
			return 0
		}
	}
}
