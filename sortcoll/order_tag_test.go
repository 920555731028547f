package sortcoll

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// TestTagValues walks values in order; those of one row are equal.
func TestTagValues(t *testing.T) {
	negativeNaN := math.Float32frombits(0xffc00000)
	rows := [][]any{
		{nil},
		{bamtest.Char('!')}, {bamtest.Char('A')}, {bamtest.Char('a')}, {bamtest.Char(0xff)},
		{[]int8{5, 1}, []uint16{4}, []float32{}},
		{"", bamtest.Hex("")}, {"10"}, {"9", bamtest.Hex("9")}, {"A"}, {"AB"}, {"B"}, {"a"}, {"\xff"},
		{math.Inf(-1), float32(math.Inf(-1))}, {-1e300}, {int32(math.MinInt32)}, {float32(-32769)}, {-32768.00000000001}, {int16(-32768)},
		{-32767.5}, {int16(-300)}, {int8(-1), float32(-1), -1.0}, {-1 + 1e-16}, {-5e-324},
		{int8(0), uint32(0), float32(0), math.Copysign(0, -1)}, {5e-324}, {uint8(1), int32(1), 1.0}, {1 + 1e-15}, {float32(1.5)},
		{int16(32767)}, {32767.9}, {uint16(32768)}, {32768.00000000001}, {float32(40000.25)}, {int32(math.MaxInt32)}, {uint32(1 << 31), float32(1 << 31)}, {uint32(math.MaxUint32)}, {1e300}, {math.Inf(1)},
		{math.NaN(), float32(math.NaN()), negativeNaN},
	}
	var records []bam.Record
	var ranks []int
	for rank, row := range rows {
		for _, v := range row {
			var aux []byte
			if v != nil {
				aux = bamtest.AppendAux(nil, "XX", v)
			}
			records = append(records, bamtest.Fields{Name: fmt.Sprint(v), Aux: aux}.Record(t))
			ranks = append(ranks, rank)
		}
	}
	f := newFrames(t, header(t), mustTag(t, "XX", Coordinate), records)
	for i, a := range records {
		for j, b := range records {
			if got, want := f.compare(a, b), cmp.Compare(ranks[i], ranks[j]); got != want {
				t.Errorf("%q and %q: got %d, want %d", a.ReadName(), b.ReadName(), got, want)
			}
			f.check(t, i, j, 0)
		}
	}
}

// TestTagTies: equal values are settled by what samtools sort has without -n, with -n and with -N.
func TestTagTies(t *testing.T) {
	aux := bamtest.AppendAux(nil, "XX", "same")
	a := bamtest.Fields{Name: "r10", RefID: 0, Pos: 5, Aux: aux}.Record(t)
	b := bamtest.Fields{Name: "r9", RefID: -1, Pos: 0, Aux: aux}.Record(t)
	c := bamtest.Fields{Name: "r9", RefID: 0, Pos: 5, Flag: bam.Reverse | bam.Read1, Aux: aux}.Record(t)
	for ties, want := range map[Order][3]int{ // of a and b, b and c, a and c
		Coordinate:               {-1, 1, -1},
		QuerynameNatural:         {1, -1, 1},
		QuerynameLexicographical: {-1, -1, -1},
	} {
		ord := mustTag(t, "XX", ties)
		if got := [3]int{ord.Compare(a, b), ord.Compare(b, c), ord.Compare(a, c)}; got != want {
			t.Errorf("%v: got %v, want %v", ord, got, want)
		}
	}
}

// TestSharedTag: what a key skips is shared by all text, and by all names if they settle ties.
func TestSharedTag(t *testing.T) {
	const none = 1<<nameBits - 1
	for _, c := range []struct {
		ties       Order
		a, b       any
		text, name int
		want       [2]int // text and name
	}{
		{Coordinate, "lane1", "lane2", 100, none, [2]int{4, none}},
		{Coordinate, "lane1", "lane2", 2, none, [2]int{2, none}},
		{Coordinate, "lane1", "lane1", 100, none, [2]int{5, none}},
		{Coordinate, "lane1", "la", 100, none, [2]int{2, none}},
		{Coordinate, "x", "y", 100, none, [2]int{0, none}},
		{Coordinate, "lane1", nil, 100, none, [2]int{5, none}},
		{Coordinate, "lane1", int8(1), 3, none, [2]int{3, none}},
		{Coordinate, nil, "lane1", 100, none, [2]int{0, none}},
		{Coordinate, int8(1), "lane1", 100, none, [2]int{0, none}},
		{Coordinate, nil, nil, 7, none, [2]int{0, none}},
		{QuerynameNatural, "lane1", "lane2", 100, none, [2]int{4, 2}}, // not inside a number
		{QuerynameNatural, nil, nil, 100, 1, [2]int{0, 1}},
		{QuerynameLexicographical, "x", int8(1), 100, none, [2]int{1, 3}},
	} {
		ord := mustTag(t, "XX", c.ties)
		frame := func(name string, v any) []byte {
			var aux []byte
			if v != nil {
				aux = bamtest.AppendAux(nil, "XX", v)
			}
			return newFrames(t, header(t), ord, []bam.Record{bamtest.Fields{Name: name, Aux: aux}.Record(t)}).frames[0]
		}
		shared := ord.ordering(header(t)).shared
		got := shared(frame("r:12", c.a), frame("r:13", c.b), c.text<<nameBits|c.name)
		if want := c.want[0]<<nameBits | c.want[1]; got != want {
			t.Errorf("%v, %v and %v: got %d and %d, want %v", c.ties, c.a, c.b, got>>nameBits, got&none, c.want)
		}
	}
}
