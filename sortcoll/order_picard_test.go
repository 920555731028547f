package sortcoll

import (
	"cmp"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// TestCoordinatePicard has records in order, one reason each.
func TestCoordinatePicard(t *testing.T) {
	var in []bam.Record
	for _, f := range []bamtest.Fields{
		{Name: "z", RefID: 0, Pos: -1},
		{Name: "z", RefID: 0, Pos: 5},
		{Name: "z", RefID: 0, Pos: 6, Flag: 1024},
		{Name: "a", RefID: 0, Pos: 6, Flag: bam.Reverse},
		{Name: "B", RefID: 1, Pos: 0, Flag: 4095 &^ bam.Reverse, MapQ: 9},
		{Name: "a", RefID: 1, Pos: 0, Flag: 1, MapQ: 9},
		{Name: "a", RefID: 1, Pos: 0, Flag: 2, MapQ: 8, NextRefID: 3},
		{Name: "a", RefID: 1, Pos: 0, Flag: 2, MapQ: 200, NextRefID: -1, NextPos: 7},
		{Name: "a", RefID: 1, Pos: 0, Flag: 2, MapQ: 200, NextRefID: 0, NextPos: -1, TLen: 3},
		{Name: "a", RefID: 1, Pos: 0, Flag: 2, MapQ: 200, NextRefID: 0, NextPos: 0, TLen: -4},
		{Name: "a", RefID: 1, Pos: 0, Flag: 2, MapQ: 200, NextRefID: 0, NextPos: 0, TLen: 3},
		{Name: "aa", RefID: 1, Pos: 0},
		{Name: "a", RefID: -1, Pos: 9},
		{Name: "b", RefID: -1, Pos: 3},
		{Name: "a", RefID: -1, Pos: 3, Flag: bam.Reverse},
	} {
		in = append(in, f.Record(t))
	}
	ascending(t, CoordinatePicard, in)
}

// TestQuerynamePicard has records in order, one reason each.
func TestQuerynamePicard(t *testing.T) {
	const p, r1, r2, rev, sec, sup = bam.Paired, bam.Read1, bam.Read2, bam.Reverse, bam.Secondary, bam.Supplementary
	hit := func(n any) []byte { return bamtest.AppendAux(nil, "HI", n) }
	var in []bam.Record
	for _, f := range []bamtest.Fields{
		{Name: "a10", Flag: 0},
		{Name: "a9", Flag: p | r1 | sup},
		{Name: "a9", Flag: p | r1 | sec},
		{Name: "a9", Flag: p | r1 | sec, Aux: hit(int8(-1))},
		{Name: "a9", Flag: p | r1 | sec, Aux: hit(uint8(2))},
		{Name: "a9", Flag: p | r1 | sec, Aux: hit(int16(10))},
		{Name: "a9", Flag: p | r1 | sec, Aux: hit(uint32(1 << 31))},
		{Name: "a9", Flag: p | r1 | rev},
		{Name: "a9", Flag: p}, // neither end
		{Name: "a9", Flag: p | r1 | r2 | rev},
		{Name: "a9", Flag: p | r2 | bam.Duplicate},
		{Name: "a9", Flag: p | r2 | rev},
		{Name: "a9", Flag: r2 | sup},
		{Name: "a9", Flag: r1 | sec | sup},
		{Name: "a9", Flag: r1 | rev},
		{Name: "b", Flag: p | r1},
	} {
		in = append(in, f.Record(t))
	}
	ascending(t, QuerynamePicard, in)
}

// ascending checks all pairs of records that are in order and all different.
func ascending(t *testing.T, ord Order, in []bam.Record) {
	t.Helper()
	f := newFrames(t, header(t), ord, in)
	for i := range in {
		for j := range in {
			if got, want := f.compare(in[i], in[j]), cmp.Compare(i, j); got != want {
				t.Errorf("records %d and %d: got %d, want %d", i, j, got, want)
			}
			f.check(t, i, j, f.skip)
		}
	}
}
