package bam_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
	"github.com/gosort/gosort/bgzfout"
)

// indexCase is a sorted file to index.
type indexCase struct {
	name    string
	header  *bam.Header
	records []bam.Record
}

// indexCases are files that differ in what matters to an index: how reads lie on
// bins, and how bins lie in the file.
func indexCases(t testing.TB) []indexCase {
	t.Helper()
	m := readMaker{t: t, rng: rand.New(rand.NewPCG(7, 7))}
	return []indexCase{
		m.shortReads(),
		m.splicedReads(),
		m.longReads(),
		m.deepWindow(),
		m.file("600 Mbp", []int64{600_000_000, 1000}, func(i int) bamtest.Fields {
			if i%100 == 0 { // a read may hang over the end a little
				return bamtest.Fields{RefID: 0, Pos: 600_000_000 - 1 - int32(m.rng.IntN(50)), Cigar: "150M"}
			}
			return bamtest.Fields{RefID: 0, Pos: int32(m.rng.IntN(599_990_000)), Cigar: "150M"}
		}, 3000),
		m.file("empty references", slices.Repeat([]int64{30_000}, 3000), func(int) bamtest.Fields {
			return bamtest.Fields{RefID: []int32{3, 4, 1000, 2998}[m.rng.IntN(4)], Pos: int32(m.rng.IntN(29_000)), Cigar: "50M"}
		}, 1000),
		m.file("small references", []int64{100, 1, 500}, func(int) bamtest.Fields {
			return bamtest.Fields{RefID: int32(m.rng.IntN(3)), Pos: 0, Cigar: "10M"}
		}, 30),
		m.file("no records", []int64{1_000_000, 2000}, nil, 0),
		m.file("only unplaced", []int64{1_000_000}, func(int) bamtest.Fields {
			return bamtest.Fields{RefID: -1, Pos: -1, Flag: bam.Unmapped}
		}, 500),
		m.file("only unmapped", []int64{1_000_000, 2_000_000}, func(int) bamtest.Fields {
			return bamtest.Fields{RefID: int32(m.rng.IntN(3) - 1), Pos: int32(m.rng.IntN(1_000_000)), Flag: bam.Unmapped}
		}, 500),
		m.file("2^29", []int64{1 << 29, 1000}, m.atTheEnd(1<<29), 1000),
		m.file("2^29+1", []int64{1<<29 + 1, 1000}, m.atTheEnd(1<<29+1), 1000),
		m.file("many references", slices.Repeat([]int64{400}, 54_579), func(int) bamtest.Fields {
			return bamtest.Fields{RefID: int32(m.rng.IntN(54_579)), Pos: int32(m.rng.IntN(400)), Cigar: "1M"}
		}, 2000),
		m.file("no references", nil, func(int) bamtest.Fields {
			return bamtest.Fields{RefID: -1, Pos: -1, Flag: bam.Unmapped}
		}, 5),
		m.longCigar(),
	}
}

// readMaker makes reads at random.
type readMaker struct {
	t   testing.TB
	rng *rand.Rand
}

// file makes a file of n reads from read, in coordinate order, each padded with
// up to 600 bytes so that blocks and extents come into play.
func (m readMaker) file(name string, lengths []int64, read func(i int) bamtest.Fields, n int) indexCase {
	m.t.Helper()
	var text strings.Builder
	for i, length := range lengths {
		fmt.Fprintf(&text, "@SQ\tSN:chr%d\tLN:%d\n", i+1, length)
	}
	h, err := bam.ParseHeader([]byte(text.String()))
	if err != nil {
		m.t.Fatal(err)
	}
	c := indexCase{name: name, header: h}
	for i := range n {
		f := read(i)
		f.Name, f.NextRefID, f.NextPos = fmt.Sprintf("r%d", i), -1, -1
		f.Aux = bamtest.AppendAux(f.Aux, "XX", make([]uint8, m.rng.IntN(600)))
		c.records = append(c.records, f.Record(m.t))
	}
	slices.SortStableFunc(c.records, byCoordinate)
	return c
}

// atTheEnd makes reads that end on the last base of the first reference, and
// some that are anywhere on it.
func (m readMaker) atTheEnd(length int32) func(int) bamtest.Fields {
	return func(i int) bamtest.Fields {
		n := int32(1 + m.rng.IntN(200))
		f := bamtest.Fields{Pos: length - n, Cigar: fmt.Sprintf("%dM", n)}
		if i%3 == 0 {
			f.Pos = m.rng.Int32N(f.Pos)
		}
		return f
	}
}

func byCoordinate(a, b bam.Record) int {
	return cmp.Or(cmp.Compare(uint32(a.RefID()), uint32(b.RefID())), cmp.Compare(a.Pos(), b.Pos()))
}

func (m readMaker) shortReads() indexCase {
	return m.file("short reads", []int64{1_000_000, 700_000, 2_000_000}, func(i int) bamtest.Fields {
		f := bamtest.Fields{RefID: int32(m.rng.IntN(3)), Pos: int32(m.rng.IntN(690_000)), Cigar: "5S145M"}
		switch m.rng.IntN(20) {
		case 0:
			f = bamtest.Fields{RefID: -1, Pos: -1, Flag: bam.Unmapped}
		case 1:
			f.Flag, f.Cigar = bam.Unmapped, "" // placed with its mate
		case 2:
			f.Flag = bam.Unmapped // the CIGAR of an unmapped read counts for nothing
		case 3:
			f.Cigar = "150S"
		case 4: // a read without bases on the reference takes one, also where a window begins
			f.Pos &^= 1<<14 - 1
			f.Cigar = ""
		}
		if i < 3 { // htslib refuses a second one on a reference
			f.RefID, f.Pos = int32(i), -1
		}
		return f
	}, 12_000)
}

// splicedReads has some genes, and reads that leap over much of them.
func (m readMaker) splicedReads() indexCase {
	return m.file("spliced reads", []int64{100_000_000, 40_000_000}, func(int) bamtest.Fields {
		gene := m.rng.IntN(40)
		f := bamtest.Fields{RefID: int32(gene % 2), Pos: int32(gene*900_000 + m.rng.IntN(20_000)), Cigar: "150M"}
		if m.rng.IntN(2) == 0 {
			f.Cigar = fmt.Sprintf("50M%dN50M%dN50M", 1<<m.rng.IntN(19), 1<<m.rng.IntN(19))
		}
		return f
	}, 12_000)
}

func (m readMaker) longReads() indexCase {
	return m.file("long reads", []int64{5_000_000, 5_000_000}, func(int) bamtest.Fields {
		n := 500 + m.rng.IntN(100_000)
		f := bamtest.Fields{RefID: int32(m.rng.IntN(2)), Pos: int32(m.rng.IntN(4_800_000)), Cigar: fmt.Sprintf("100H%dM20D7I%d=9X", n, n/3)}
		f.Aux = bamtest.AppendAux(nil, "mv", make([]uint8, n/5))
		if m.rng.IntN(500) == 0 { // no block holds it
			f.Aux = bamtest.AppendAux(f.Aux, "ml", make([]uint8, 150_000))
		}
		return f
	}, 1500)
}

// deepWindow has all reads of a reference start in one window, over many blocks.
func (m readMaker) deepWindow() indexCase {
	return m.file("deep window", []int64{1_000_000, 1_000_000}, func(int) bamtest.Fields {
		return bamtest.Fields{RefID: 1, Pos: int32(16384*9 - 200 + m.rng.IntN(250)), Cigar: fmt.Sprintf("%dM", 1+m.rng.IntN(200))}
	}, 5000)
}

// longCigar has CIGARs that only the CG tag can hold (SAMv1 section 4.2.2).
func (m readMaker) longCigar() indexCase {
	return m.file("long CIGARs", []int64{10_000_000}, func(int) bamtest.Fields {
		ops := slices.Repeat([]uint32{7 << 4, 1<<4 | 1}, 33_000+m.rng.IntN(10_000)) // 7M1I
		query, ref := len(ops)/2*8, len(ops)/2*7
		f := bamtest.Fields{RefID: 0, Pos: int32(m.rng.IntN(9_000_000)), Cigar: fmt.Sprintf("%dS%dN", query, ref)}
		f.Seq = strings.Repeat("A", query)
		f.Aux = bamtest.AppendAux(nil, "CG", ops)
		return f
	}, 6)
}

// indexed is a file with an index.
type indexed struct {
	indexCase
	data   []byte     // BAM
	index  []byte     // plain, also a CSI
	begins []uint64   // the records' virtual offsets
	end    uint64     // the EOF marker's
	ranges [][2]int64 // that the records cover
}

// write writes the file, uncompressed so that extents are large, and its index.
func (c indexCase) write(t testing.TB, o bam.IndexOptions) indexed {
	t.Helper()
	var file, index bytes.Buffer
	z, err := bgzfout.NewWriter(&file, bgzfout.Options{Level: bgzfout.Stored, Threads: 2, SlotBlocks: 2, BlockStarts: true})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	w, err := bam.NewWriter(z, c.header, bam.BAM)
	if err != nil {
		t.Fatal(err)
	}
	x, err := bam.NewIndexBuilder(c.header, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetIndex(x); err != nil {
		t.Fatal(err)
	}
	for _, r := range c.records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := x.Finish(&index, z); err != nil {
		t.Fatal(err)
	}
	f := indexed{indexCase: c, data: file.Bytes(), index: index.Bytes()}
	f.locate(t)
	for _, r := range f.records {
		beg, end := refRange(r)
		f.ranges = append(f.ranges, [2]int64{beg, end})
	}
	return f
}

// locate finds the records in the BAM, block by block.
func (f *indexed) locate(t testing.TB) {
	t.Helper()
	binary, err := f.header.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	next, plain := len(binary), 0 // of the next record, and of the block, in the plain bytes
	for r := bytes.NewReader(f.data); r.Len() > 0; {
		start := uint64(len(f.data) - r.Len())
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		n, err := io.Copy(io.Discard, z)
		if err != nil {
			t.Fatal(err)
		}
		for len(f.begins) < len(f.records) && next < plain+int(n) {
			f.begins = append(f.begins, start<<16|uint64(next-plain))
			next += 4 + len(f.records[len(f.begins)-1].Bytes())
		}
		plain += int(n)
		f.end = start << 16
	}
	if len(f.begins) != len(f.records) || plain != next {
		t.Fatalf("found %d of %d records in %d bytes, which end at %d", len(f.begins), len(f.records), plain, next)
	}
}
