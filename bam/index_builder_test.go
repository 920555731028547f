package bam_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
	"github.com/gosort/gosort/bgzfout"
)

// indexOptions are the formats that every file is tried with.
var indexOptions = []bam.IndexOptions{
	{},
	{Format: bam.CSI},
	{MinShift: 10},
	{MinShift: 20},
}

// TestIndexIsTheModels holds the index to the model, and then a reader of it to
// a scan: it must be led to every read that overlaps a region.
func TestIndexIsTheModels(t *testing.T) {
	for _, c := range indexCases(t) {
		for _, o := range indexOptions {
			t.Run(fmt.Sprintf("%s/%v-%d", c.name, o.Format, o.MinShift), func(t *testing.T) {
				f := c.write(t, o)
				x := parseIndex(t, f.index)
				sameIndex(t, x, modelIndex(c.header.NumRefs(), x.csi, x.minShift, x.depth, f.records, f.begins, f.end))
				rng := rand.New(rand.NewPCG(1, 1))
				for range 60 {
					if ref, beg, end, ok := f.region(rng); ok {
						f.checkAnswer(t, x, ref, beg, end)
					}
				}
			})
		}
	}
}

// region returns a region of any size, most often one where reads are.
func (f *indexed) region(rng *rand.Rand) (ref int, beg, end int64, ok bool) {
	if f.header.NumRefs() == 0 {
		return 0, 0, 0, false
	}
	ref = rng.IntN(f.header.NumRefs())
	beg = rng.Int64N(f.header.RefLen(ref))
	if len(f.records) > 0 && rng.IntN(4) > 0 {
		if r := f.records[rng.IntN(len(f.records))]; r.RefID() >= 0 && r.Pos() >= 0 {
			ref, beg = int(r.RefID()), int64(r.Pos())
		}
	}
	return ref, beg, min(beg+1<<rng.IntN(25), f.header.RefLen(ref)), true
}

func (f *indexed) checkAnswer(t *testing.T, x index, ref int, beg, end int64) {
	t.Helper()
	spans := x.query(ref, beg, end)
	for i, r := range f.records {
		b, e := f.ranges[i][0], f.ranges[i][1]
		if int(r.RefID()) != ref || b >= end || beg >= e {
			continue
		}
		found := slices.ContainsFunc(spans, func(s [2]uint64) bool { return s[0] <= f.begins[i] && f.begins[i] < s[1] })
		if !found {
			t.Fatalf("%s:%d-%d: read %s at %d-%d is not in %v", f.header.RefName(ref), beg+1, end, r.ReadName(), b+1, e, spans)
		}
	}
}

// layout is a file of blocks that start where it says, the EOF marker last.
type layout []int64

func (l layout) Position() (block int64, offset int) { return int64(len(l) - 1), 0 }
func (l layout) BlockStart(block int64) int64        { return l[block] }

func TestIndexFormatChosen(t *testing.T) {
	const fits = 1 << 29
	tests := []struct {
		longest int64
		o       bam.IndexOptions
		want    bam.IndexFormat
		shift   int
		depth   int
		err     string
	}{
		{longest: fits, want: bam.BAI},
		{longest: fits, o: bam.IndexOptions{MinShift: 14}, want: bam.BAI},
		{longest: fits + 1, want: bam.CSI, shift: 14, depth: 6},
		{longest: fits, o: bam.IndexOptions{Format: bam.CSI}, want: bam.CSI, shift: 14, depth: 6},
		{longest: fits - 256, o: bam.IndexOptions{Format: bam.CSI}, want: bam.CSI, shift: 14, depth: 5},
		{longest: fits - 255, o: bam.IndexOptions{Format: bam.CSI}, want: bam.CSI, shift: 14, depth: 6},
		{longest: 1<<31 - 1, want: bam.CSI, shift: 14, depth: 6},
		{longest: 1<<31 - 1, o: bam.IndexOptions{MinShift: 5}, want: bam.CSI, shift: 5, depth: 9},
		{longest: 1<<31 - 1, o: bam.IndexOptions{MinShift: 30}, want: bam.CSI, shift: 30, depth: 1},
		{longest: 1000, o: bam.IndexOptions{MinShift: 1}, want: bam.CSI, shift: 1, depth: 4},
		{longest: 1000, o: bam.IndexOptions{Format: bam.CSI}, want: bam.CSI, shift: 14, depth: 0},
		{longest: 1<<31 - 1, o: bam.IndexOptions{MinShift: 4}, err: `bam: reference "long" has 2147483647 bases, too many for a CSI index with min_shift 4: choose a larger one`},
		{longest: fits + 1, o: bam.IndexOptions{Format: bam.BAI}, err: `bam: reference "long" has 536870913 bases, and a BAI index holds at most 2^29: choose CSI`},
		{longest: 1000, o: bam.IndexOptions{Format: bam.BAI, MinShift: 13}, err: "bam: a BAI index has min_shift 14, not 13: choose CSI"},
		{longest: 1000, o: bam.IndexOptions{MinShift: -1}, err: "bam: CSI min_shift -1 is not in 1 to 30"},
		{longest: 1000, o: bam.IndexOptions{MinShift: 31}, err: "bam: CSI min_shift 31 is not in 1 to 30"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d/%v-%d", tt.longest, tt.o.Format, tt.o.MinShift), func(t *testing.T) {
			h, err := bam.ParseHeader(fmt.Appendf(nil, "@SQ\tSN:a\tLN:7\n@SQ\tSN:long\tLN:%d\n@SQ\tSN:b\tLN:8\n", tt.longest))
			if err != nil {
				t.Fatal(err)
			}
			x, err := bam.NewIndexBuilder(h, tt.o)
			if err != nil || tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			var out bytes.Buffer
			if err := x.Finish(&out, layout{0}); err != nil {
				t.Fatal(err)
			}
			got := parseIndex(t, out.Bytes())
			if x.Format() != tt.want || got.csi != (tt.want == bam.CSI) || got.csi && (got.minShift != tt.shift || got.depth != tt.depth) {
				t.Errorf("format %v, min_shift %d, depth %d; want %v, %d, %d", x.Format(), got.minShift, got.depth, tt.want, tt.shift, tt.depth)
			}
		})
	}
}

// TestIndexMergesSmallBins: a bin moves into its parent if it spans less than
// 65,536 bytes of the file, and only into one that has records of its own.
func TestIndexMergesSmallBins(t *testing.T) {
	const leaf, parent, pseudo = 4681, 585, 37450
	tests := []struct {
		name   string
		extent int64
		cigar  string // of the read between two of the first leaf
		want   []uint32
	}{
		{"small", 65535, "20000M", []uint32{parent, pseudo}},
		{"large", 65536, "20000M", []uint32{parent, leaf, pseudo}},
		{"small without parent", 65535, "500M", []uint32{leaf, pseudo}},
		{"large without parent", 65536, "500M", []uint32{leaf, pseudo}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := bam.NewIndexBuilder(bamtest.Header(t, 1), bam.IndexOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for i, cigar := range []string{"10M", tt.cigar, "10M"} {
				if err := x.Add(bamtest.Fields{Pos: 50, Cigar: cigar}.Record(t), int64(i), 0); err != nil {
					t.Fatal(err)
				}
			}
			var out bytes.Buffer
			if err := x.Finish(&out, layout{100, 200, 300, 100 + tt.extent}); err != nil {
				t.Fatal(err)
			}
			bins := parseIndex(t, out.Bytes()).refs[0].bins
			if got := slices.Sorted(maps.Keys(bins)); !slices.Equal(got, tt.want) {
				t.Errorf("bins %v, want %v", got, tt.want)
			}
		})
	}
}

func TestIndexFormatNames(t *testing.T) {
	for f, want := range map[bam.IndexFormat]string{bam.AutoIndex: "auto", bam.BAI: "bai", bam.CSI: "csi"} {
		if got := f.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestIndexRefusesRecords(t *testing.T) {
	const header = "@SQ\tSN:a\tLN:536870912\n@SQ\tSN:b\tLN:1000\n"
	read := func(ref, pos int32, cigar string) bamtest.Fields {
		return bamtest.Fields{Name: fmt.Sprintf("%d:%d", ref, pos), RefID: ref, Pos: pos, Cigar: cigar}
	}
	tests := []struct {
		name  string
		o     bam.IndexOptions
		reads []bamtest.Fields
		want  string // the last read's error, "" for none
	}{
		{"equal", bam.IndexOptions{}, []bamtest.Fields{read(0, 5, "1M"), read(0, 5, "1M")}, ""},
		{"no position twice", bam.IndexOptions{}, []bamtest.Fields{read(0, -1, "1M"), read(0, -1, ""), read(0, 0, "")}, ""},
		{"position", bam.IndexOptions{}, []bamtest.Fields{read(0, 5, "1M"), read(0, 4, "1M")},
			`bam: index: read "0:4" at a:5 comes after a read at 6: not in coordinate order`},
		{"no position", bam.IndexOptions{}, []bamtest.Fields{read(1, 5, "1M"), read(1, -1, "1M")},
			`bam: index: read "1:-1" at b:1 comes after a read at 6: not in coordinate order`},
		{"reference", bam.IndexOptions{}, []bamtest.Fields{read(1, 5, "1M"), read(0, 9, "1M")},
			`bam: index: read "0:9" on "a" comes after reads on "b": not in coordinate order`},
		{"after unplaced", bam.IndexOptions{}, []bamtest.Fields{read(-1, -1, ""), read(1, 9, "1M")},
			`bam: index: read "1:9" on "b" comes after reads without a reference: not in coordinate order`},
		{"unknown reference", bam.IndexOptions{}, []bamtest.Fields{read(2, 9, "1M")},
			`bam: index: read "2:9" has RefID 2, and the header has 2 references`},
		{"unknown reference after unplaced", bam.IndexOptions{}, []bamtest.Fields{read(-7, 3, ""), read(2, 9, "1M")},
			`bam: index: read "2:9" on "reference 2" comes after reads without a reference: not in coordinate order`},
		{"up to the end", bam.IndexOptions{}, []bamtest.Fields{read(0, 1<<29-5, "5M")}, ""},
		{"beyond the end of a BAI", bam.IndexOptions{}, []bamtest.Fields{read(0, 1<<29-5, "6M")},
			`bam: index: read "0:536870907" at a:536870908 ends at 536870913, and the bai index ends at 536870912: choose CSI`},
		{"beyond the reference, in a CSI", bam.IndexOptions{Format: bam.CSI}, []bamtest.Fields{read(0, 1<<29-5, "6M")}, ""},
		{"beyond the end of a CSI", bam.IndexOptions{Format: bam.CSI, MinShift: 30}, []bamtest.Fields{read(0, 1<<30-5, "6M")},
			`bam: index: read "0:1073741819" at a:1073741820 ends at 1073741825, and the csi index ends at 1073741824`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, _ := bamtest.FromSAM(t, header)
			x, err := bam.NewIndexBuilder(h, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range tt.reads {
				err := x.Add(f.Record(t), 1, i)
				if last := i == len(tt.reads)-1; !last && err != nil {
					t.Fatalf("read %d: %v", i, err)
				} else if last && fmt.Sprint(err) != max(tt.want, "<nil>") {
					t.Errorf("error %v\nwant  %q", err, tt.want)
				}
			}
		})
	}
}

func TestSetIndexRefused(t *testing.T) {
	h := bamtest.Header(t, 1)
	x, err := bam.NewIndexBuilder(h, bam.IndexOptions{})
	if err != nil {
		t.Fatal(err)
	}
	z, err := bgzfout.NewWriter(io.Discard, bgzfout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, w := range map[string]io.Writer{"plain BAM": io.Discard, "SAM": z} {
		format := bam.BAM
		if name == "SAM" {
			format = bam.SAM
		}
		bw, err := bam.NewWriter(w, h, format)
		if err != nil {
			t.Fatal(err)
		}
		if err := bw.SetIndex(x); err == nil || !strings.Contains(err.Error(), "BGZF") {
			t.Errorf("%s: SetIndex = %v", name, err)
		}
	}
}

// TestWriterStopsWithItsIndex: the error of Add is the Writer's, and sticks.
func TestWriterStopsWithItsIndex(t *testing.T) {
	h := bamtest.Header(t, 2)
	x, err := bam.NewIndexBuilder(h, bam.IndexOptions{})
	if err != nil {
		t.Fatal(err)
	}
	z, err := bgzfout.NewWriter(io.Discard, bgzfout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := bam.NewWriter(z, h, bam.BAM)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetIndex(x); err != nil {
		t.Fatal(err)
	}
	for i, ref := range []int32{1, 0, 1} {
		before, at := z.Position()
		err := w.Write(bamtest.Fields{Name: "r", RefID: ref}.Record(t))
		if wrong := err != nil; wrong != (i > 0) || wrong && !strings.Contains(err.Error(), "not in coordinate order") {
			t.Errorf("record %d: error %v", i, err)
		}
		if block, offset := z.Position(); i > 0 && (block != before || offset != at) {
			t.Errorf("record %d was written in spite of the error", i)
		}
	}
}

// TestIndexFailsWithItsFile: whichever write fails, Finish says so.
func TestIndexFailsWithItsFile(t *testing.T) {
	h, _ := bamtest.FromSAM(t, manyReferences(40_000))
	errFull := errors.New("disk full")
	for fail := 0; ; fail++ {
		x, err := bam.NewIndexBuilder(h, bam.IndexOptions{})
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		err = x.Finish(writerFunc(func(p []byte) (int, error) {
			calls++
			if calls > fail {
				return 0, errFull
			}
			return len(p), nil
		}), layout{0})
		if calls <= fail {
			if err != nil || fail < 3 {
				t.Errorf("%d writes, error %v", calls, err)
			}
			return
		}
		if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "bam: writing the bai index: ") {
			t.Errorf("write %d failed: error %v", fail, err)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func manyReferences(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "@SQ\tSN:%d\tLN:1000\n", i)
	}
	return text.String()
}

// TestIndexMemory: references without records cost nothing, those with few cost
// little, and records in the same places nothing more.
func TestIndexMemory(t *testing.T) {
	const refs, every = 200_000, 10
	h, _ := bamtest.FromSAM(t, manyReferences(refs))
	x, err := bam.NewIndexBuilder(h, bam.IndexOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Held(); got > 0 {
		t.Errorf("%d bytes for %d references without records", got, refs)
	}
	add := func(r bam.Record, block int64, offset int) {
		t.Helper()
		if err := x.Add(r, block, offset); err != nil {
			t.Fatal(err)
		}
	}
	for id := int32(0); id < refs; id += every {
		r := bamtest.Fields{RefID: id, Cigar: "10M"}.Record(t)
		for i := range 5 {
			add(r, int64(id), i)
		}
	}
	if got := x.Held(); got > refs/every*160 { // 88 and what append leaves free
		t.Errorf("%d bytes for %d references with records", got, refs/every)
	}
	const last = refs - every
	over := bamtest.Fields{RefID: last, Pos: 16383, Cigar: "10M"}.Record(t) // the first window's end
	inside := bamtest.Fields{RefID: last, Pos: 16383, Cigar: "1M"}.Record(t)
	few := x.Held()
	for i := range 10_000 {
		add(over, refs, i)
		add(inside, refs, i)
	}
	if got := x.Held(); got > few {
		t.Errorf("%d bytes more for many records of two bins in one block", got-few)
	}
}
