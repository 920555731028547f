package bam_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// fuzzedLen is the length of each reference that FuzzIndexBuilder uses. The model
// lists every window, so it is not more.
const fuzzedLen = 1 << 24

// fuzzedFile is what FuzzIndexBuilder makes of its input: sorted records, their
// places, and a layout of the blocks.
type fuzzedFile struct {
	records []bam.Record
	blocks  []int64
	offsets []int
	starts  layout
}

func (f *fuzzedFile) virtual(i int) uint64 {
	return uint64(f.starts[f.blocks[i]])<<16 | uint64(f.offsets[i])
}

// newFuzzedFile takes six bytes a record. Positions, lengths and places grow by
// powers of 2, so that a few bytes reach across windows, levels and blocks.
func newFuzzedFile(t testing.TB, refs int, data []byte) *fuzzedFile {
	f := &fuzzedFile{}
	ref, pos, block, offset := 0, -1, int64(1), 0
	for ; len(data) >= 6; data = data[6:] {
		fields := bamtest.Fields{Name: "r"}
		switch kind := data[0] % 16; {
		case ref < refs && kind == 0: // the next reference, or none after the last
			ref, pos = ref+1, -1
		case kind == 1:
			ref, pos = min(ref+2, refs), 0
		case kind < 4:
			fields.Flag = bam.Unmapped
		}
		pos = min(pos+int(data[1]%8)<<(data[1]/8), fuzzedLen-1)
		fields.RefID, fields.Pos = int32(ref), int32(pos)
		if ref == refs {
			fields.RefID = -1
		}
		if length := int(data[2]%8) << (data[2] / 8 % 22); length > 0 {
			fields.Cigar = fmt.Sprintf("3S%dM", min(length, fuzzedLen-pos))
		}
		f.records = append(f.records, fields.Record(t))
		f.blocks, f.offsets = append(f.blocks, block), append(f.offsets, offset)
		offset += 1 + int(data[3])
		if data[4] < 100 || offset > 0xffff {
			block, offset = block+1+int64(data[4]%3), 0
		}
	}
	f.starts = layout{0}
	rng := rand.New(rand.NewPCG(uint64(len(f.records)), uint64(block)))
	for range block + 1 {
		f.starts = append(f.starts, f.starts[len(f.starts)-1]+1+rng.Int64N(1<<16))
	}
	return f
}

// FuzzIndexBuilder holds the builder to the model over records of any kind.
func FuzzIndexBuilder(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 3))
	for size := range 40 {
		seed := make([]byte, 6*size*size)
		for i := range seed {
			seed[i] = byte(rng.Uint32())
			if i%6 == 1 || i%6 == 2 {
				seed[i] %= byte(16 + 4*size)
			}
			if i%6 == 0 && size%2 == 0 {
				seed[i] |= 2 // stays on its reference
			}
		}
		f.Add(uint8(size), seed)
	}
	const refs = 4
	h, err := bam.ParseHeader(fmt.Appendf(nil, "@SQ\tSN:a\tLN:%d\n@SQ\tSN:b\tLN:5\n@SQ\tSN:c\tLN:5\n@SQ\tSN:d\tLN:5\n", fuzzedLen))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, option uint8, data []byte) {
		o := bam.IndexOptions{Format: bam.BAI}
		if option%4 > 0 {
			o = bam.IndexOptions{Format: bam.CSI, MinShift: 11 + int(option/4)%16}
		}
		x, err := bam.NewIndexBuilder(h, o)
		if err != nil {
			t.Fatal(err)
		}
		file := newFuzzedFile(t, refs, data)
		begins := make([]uint64, len(file.records))
		for i, r := range file.records {
			if err := x.Add(r, file.blocks[i], file.offsets[i]); err != nil {
				t.Fatalf("record %d: %v", i, err)
			}
			begins[i] = file.virtual(i)
		}
		var out bytes.Buffer
		if err := x.Finish(&out, file.starts); err != nil {
			t.Fatal(err)
		}
		got := parseIndex(t, out.Bytes())
		end := uint64(file.starts[len(file.starts)-1]) << 16
		sameIndex(t, got, modelIndex(refs, got.csi, got.minShift, got.depth, file.records, begins, end))
	})
}
