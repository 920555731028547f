package bam_test

import (
	"encoding/binary"
	"io"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// BenchmarkIndexAdd is the cost of the index for each record: short reads at
// 30-fold coverage, and long reads that cross windows. The records are few enough
// to stay in the cache, as one is that was just written.
func BenchmarkIndexAdd(b *testing.B) {
	for _, bb := range []struct {
		name, cigar string
		step        uint32
	}{
		{"short", "150M", 5},
		{"clipped", "5S60M1D30M2I53M", 5},
		{"spliced", "70M20000N80M", 5},
		{"long", "10000M", 300},
	} {
		b.Run("reads="+bb.name, func(b *testing.B) { benchmarkIndexAdd(b, bb.cigar, bb.step) })
	}
}

func benchmarkIndexAdd(b *testing.B, cigar string, step uint32) {
	const length = 200_000_000
	h, err := bam.ParseHeader([]byte("@SQ\tSN:a\tLN:250000000\n"))
	if err != nil {
		b.Fatal(err)
	}
	var records [64]bam.Record
	for i := range records {
		f := bamtest.Fields{Name: "HISEQ:1:1101:1234:5678", Cigar: cigar}
		if i%40 == 7 { // an unmapped mate
			f.Flag = bam.Unmapped
		}
		records[i] = f.Record(b)
	}
	var x *bam.IndexBuilder
	begin := func() {
		if x, err = bam.NewIndexBuilder(h, bam.IndexOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	begin()
	b.SetBytes(int64(4 + len(records[0].Bytes())))
	b.ReportAllocs()
	n, pos := 0, uint32(0)
	for b.Loop() {
		r := records[n%len(records)]
		binary.LittleEndian.PutUint32(r.Bytes()[4:], pos)
		if err := x.Add(r, int64(n/200), n%200*300); err != nil {
			b.Fatal(err)
		}
		n++
		if pos += step; pos > length {
			pos = 0
			begin()
		}
	}
}

// BenchmarkIndexFinish writes the index of a chromosome where every block ends the
// run of a bin, some 80 blocks to a window, and one of references without records.
func BenchmarkIndexFinish(b *testing.B) {
	b.Run("blocks=800000", func(b *testing.B) { benchmarkIndexFinish(b, 1, 800_000) })
	b.Run("references=300000", func(b *testing.B) { benchmarkIndexFinish(b, 300_000, 0) })
}

func benchmarkIndexFinish(b *testing.B, refs, blocks int) {
	h, _ := bamtest.FromSAM(b, manyReferences(refs))
	reads := []bam.Record{bamtest.Fields{Cigar: "50M"}.Record(b), bamtest.Fields{Cigar: "150M"}.Record(b)} // inside, and over the edge
	starts := make(layout, blocks+1)
	for i := range blocks {
		starts[i+1] = starts[i] + 20_000
	}
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		x, err := bam.NewIndexBuilder(h, bam.IndexOptions{})
		if err != nil {
			b.Fatal(err)
		}
		for i := range blocks {
			r := reads[i%2]
			binary.LittleEndian.PutUint32(r.Bytes()[4:], uint32(i/80<<14+1<<14-75))
			if err := x.Add(r, int64(i), 0); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		if err := x.Finish(io.Discard, starts); err != nil {
			b.Fatal(err)
		}
	}
}
