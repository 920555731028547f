package sortcoll

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// allOrders are the orders, of each kind all there are.
func allOrders() []Order {
	all := []Order{
		Coordinate, CoordinatePicard, QuerynameNatural, QuerynameLexicographical, QuerynamePicard,
		TemplateCoordinate, TemplateCoordinateNextPos, Unsorted,
	}
	for _, ties := range []Order{Coordinate, QuerynameNatural, QuerynameLexicographical} {
		ord, err := Tag("XX", ties)
		if err != nil {
			panic(err)
		}
		all = append(all, ord)
	}
	return all
}

func mustTag(t testing.TB, tag string, ties Order) Order {
	t.Helper()
	ord, err := Tag(tag, ties)
	if err != nil {
		t.Fatal(err)
	}
	return ord
}

// header has three references and three read groups of two libraries.
func header(t testing.TB) *bam.Header {
	t.Helper()
	h, err := bam.ParseHeader([]byte("@SQ\tSN:a\tLN:1000\n@SQ\tSN:b\tLN:1000\n@SQ\tSN:c\tLN:1000\n" +
		"@RG\tID:1\tLB:z\n@RG\tID:2\tLB:y\n@RG\tID:3\n"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// record makes a record without CIGAR, bases or qualities; aux makes it any size.
func record(t testing.TB, name string, flag bam.Flag, ref, pos int32, aux int) bam.Record {
	t.Helper()
	f := bamtest.Fields{Name: name, Flag: flag, RefID: ref, Pos: pos, NextRefID: -1, NextPos: -1}
	if aux > 0 {
		f.Aux = bamtest.AppendAux(nil, "XX", strings.Repeat("x", aux))
	}
	return f.Record(t)
}

// randomRecords has many ties in every order and a running number in the last field, so that no two are the same bytes.
// Reads with a mapped mate have MC tags, a few lie where no header of ours has a reference.
func randomRecords(t testing.TB, seed uint64, n, aux int) []bam.Record {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	styles := []func() string{
		func() string {
			return fmt.Sprintf("A00130:81:HFFW:1:%d:%d:%d", 1101+rng.IntN(3), rng.IntN(3000), rng.IntN(9))
		},
		func() string { return fmt.Sprintf("r%0*d", 1+rng.IntN(4), rng.IntN(20)) },
		func() string { return string([]byte{"ab01_"[rng.IntN(5)], "ab01_"[rng.IntN(5)], "ab01_"[rng.IntN(5)]}) },
	}
	style := styles[seed%3]
	cigars := []string{"", "10M", "10M", "5S5M", "6M4S", "5H10M", "3S4M2D3M2S5H", "1200S10M", "10S", "2000M"}
	place := func() (ref, pos int32) {
		if rng.IntN(50) == 0 {
			return []int32{0, 2, 3, 4, 7, 1 << 20}[rng.IntN(6)], []int32{-1, 998, 2100, 1<<31 - 1}[rng.IntN(4)]
		}
		return int32(rng.IntN(4)) - 1, int32(rng.IntN(50)) - 1
	}
	records := make([]bam.Record, n)
	for i := range records {
		if seed%4 == 3 {
			style = styles[rng.IntN(3)]
		}
		f := bamtest.Fields{Name: style(), Flag: bam.Flag(rng.Uint32()) & 0xfff, Cigar: cigars[rng.IntN(len(cigars))]}
		f.MapQ, f.TLen = uint8(rng.IntN(2)), int32(rng.IntN(3)-1)
		f.RefID, f.Pos = place()
		if f.NextRefID, f.NextPos = place(); rng.IntN(2) == 0 {
			f.NextRefID = f.RefID
		}
		f.Aux = randomTags(rng, cigars)
		f.Aux = bamtest.AppendAux(f.Aux, "ZZ", fmt.Sprintf("%0*x", 8+rng.IntN(aux+1), i))
		records[i] = f.Record(t)
	}
	return records
}

// randomTags returns fields that orders look at.
func randomTags(rng *rand.Rand, cigars []string) []byte {
	mate := cigars[rng.IntN(len(cigars))]
	tags := bamtest.AppendAux(nil, "MC", max(mate, "*"))
	for _, f := range []struct {
		tag    string
		values []any
	}{
		{"RG", []any{nil, "1", "2", "3", "4", int32(1)}},
		{"CB", []any{nil, nil, "", "A", "AC"}},
		{"MI", []any{nil, "1/A", "1/B", "1", "2/A", "/A", "A"}},
		{"HI", []any{nil, uint8(1), int8(-1), int32(1), uint32(1 << 31)}},
		{"XX", []any{nil, "", "A", "AB", "lane1_1", "lane1_2", "lane1_12345678", bamtest.Hex("4142"), bamtest.Char('A'), bamtest.Char('B'),
			int8(-3), uint8(3), int32(-3), int32(3), uint32(1 << 31), int32(-1 << 31), float32(3), float32(2.5), float32(-2.5), 2.5 + 1e-15, 2.5 - 1e-15, -2.5 - 1e-15,
			float32(0), float32(math.Copysign(0, -1)), math.NaN(), float32(math.NaN()), math.Inf(1), math.Inf(-1), 5e-324,
			[]int8{1}, []float32{2}}},
	} {
		if v := f.values[rng.IntN(len(f.values))]; v != nil {
			tags = bamtest.AppendAux(tags, f.tag, v)
		}
	}
	return tags
}

// sortedBy is what a Collection must agree with.
func sortedBy(t testing.TB, ord Order, records []bam.Record) []bam.Record {
	want := slices.Clone(records)
	slices.SortStableFunc(want, ord.Comparer(header(t)))
	return want
}

// drain returns all records of a pass, copied.
func drain(it *Iterator[bam.Record]) ([]bam.Record, error) {
	var all []bam.Record
	for {
		r, err := it.Read()
		if err == io.EOF {
			return all, nil
		} else if err != nil {
			return all, err
		}
		all = append(all, bam.Trusted(bytes.Clone(r.Bytes())))
	}
}

// sortThrough adds records to a new Collection and returns what it makes of them.
func sortThrough(t testing.TB, ord Order, o Options, records []bam.Record) ([]bam.Record, Stats) {
	t.Helper()
	return sortFile(t, header(t), ord, o, records)
}

// sortFile is sortThrough for records of another header.
func sortFile(t testing.TB, h *bam.Header, ord Order, o Options, records []bam.Record) ([]bam.Record, Stats) {
	t.Helper()
	c, err := NewRecords(t.Context(), h, ord, o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var buf []byte
	for _, r := range records {
		buf = append(buf[:0], r.Bytes()...)
		if err := c.Add(bam.Trusted(buf)); err != nil {
			t.Fatal(err)
		}
		clear(buf) // Add must have copied
	}
	it, err := c.Sort()
	if err != nil {
		t.Fatal(err)
	}
	got, err := drain(it)
	if err != nil {
		t.Fatal(err)
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return got, c.Stats()
}
