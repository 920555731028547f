package sortcoll

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// header has three references.
func header(t testing.TB) *bam.Header {
	t.Helper()
	return bamtest.Header(t, 3)
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

// randomRecords has many ties in every order and a running number in the aux field, so that no two are the same bytes.
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
	records := make([]bam.Record, n)
	for i := range records {
		if seed%4 == 3 {
			style = styles[rng.IntN(3)]
		}
		flag := bam.Flag(rng.Uint32()) & 0xfff
		records[i] = record(t, style(), flag, int32(rng.IntN(4))-1, int32(rng.IntN(50))-1, 8+rng.IntN(aux+1))
		b := records[i].Bytes()
		copy(b[len(b)-9:], fmt.Sprintf("%08x", i))
	}
	return records
}

// sortedBy is what a Collection must agree with.
func sortedBy(ord Order, records []bam.Record) []bam.Record {
	want := slices.Clone(records)
	slices.SortStableFunc(want, ord.Compare)
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
	c, err := NewRecords(t.Context(), header(t), ord, o)
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
