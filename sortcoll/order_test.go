package sortcoll

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// TestNaturalCompare holds the natural order to what samtools 1.16.1 makes of other projects' cases.
func TestNaturalCompare(t *testing.T) {
	table, err := os.ReadFile("testdata/natural_name_cases.tsv")
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	for i, line := range strings.Split(strings.TrimRight(string(table), "\n"), "\n")[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 6 {
			t.Fatalf("line %d has %d fields", i+2, len(f))
		}
		text := f[3]
		if text == "n/a" { // not a read name
			text = f[2]
		}
		want, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("line %d: %v", i+2, err)
		}
		tested++
		if got := naturalCompare([]byte(f[0]), []byte(f[1])); got != want {
			t.Errorf("%q, %q: got %d, want %d (%s)", f[0], f[1], got, want, f[5])
		}
	}
	if tested < 100 {
		t.Errorf("only %d cases", tested)
	}
}

// TestNaturalCompareIsTotal checks what a sort relies on, over all short names of an alphabet that has every case.
func TestNaturalCompareIsTotal(t *testing.T) {
	names := [][]byte{{}}
	for start, n := 0, 0; n < 4; n++ {
		end := len(names)
		for _, name := range names[start:end] {
			for _, c := range []byte("012+:a") {
				names = append(names, append(bytes.Clone(name), c))
			}
		}
		start = end
	}
	rng := rand.New(rand.NewPCG(1, 1))
	pick := func() []byte { return names[rng.IntN(len(names))] }
	for range 300000 {
		a, b, c := pick(), pick(), pick()
		if naturalCompare(a, b) != -naturalCompare(b, a) {
			t.Fatalf("%q, %q: not antisymmetric", a, b)
		}
		if (naturalCompare(a, b) == 0) != bytes.Equal(a, b) {
			t.Fatalf("%q, %q: equal and distinct", a, b)
		}
		if naturalCompare(a, b) <= 0 && naturalCompare(b, c) <= 0 && naturalCompare(a, c) > 0 {
			t.Fatalf("%q, %q, %q: not transitive", a, b, c)
		}
	}
}

// TestKeysAgreeWithCompare holds every order's key to its definition.
func TestKeysAgreeWithCompare(t *testing.T) {
	for _, ord := range allOrders() {
		for seed := range uint64(4) {
			f := newFrames(t, header(t), ord, randomRecords(t, seed, 1500, 0))
			rng := rand.New(rand.NewPCG(seed, 3))
			for range 20000 {
				i, j := rng.IntN(len(f.frames)), rng.IntN(len(f.frames))
				f.check(t, i, j, 0)
				f.check(t, i, j, f.skip)
			}
		}
	}
}

// TestKeysOfAnyHeader has references so many and so long that a key has no room for all, or none.
func TestKeysOfAnyHeader(t *testing.T) {
	for _, c := range []struct {
		refs   int
		length int64
	}{{0, 0}, {1, 1}, {4, math.MaxInt32}, {200_000, 20}, {1 << 20, math.MaxInt32}} {
		refs := new(bam.References)
		for i := range c.refs {
			if err := refs.Add(fmt.Append(nil, i), c.length); err != nil {
				t.Fatal(err)
			}
		}
		h, err := bam.NewHeader(nil, refs)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, uint64(c.refs)))
		place := func() (ref, pos int32) {
			ref = []int32{-1, 0, 0, int32(c.refs - 1), rng.Int32N(int32(c.refs + 1))}[rng.IntN(5)]
			return ref, []int32{-1, 0, 5, 5, int32(c.length - 1), rng.Int32()}[rng.IntN(6)]
		}
		var records []bam.Record
		for range 150 {
			f := bamtest.Fields{Name: string("ab"[rng.IntN(2)]), Flag: bam.Paired | bam.Flag(rng.IntN(64)), Cigar: "5S10M3S"}
			f.RefID, f.Pos = place()
			f.NextRefID, f.NextPos = place()
			f.Aux = bamtest.AppendAux(nil, "MC", []string{"10M", "9M", "100000S10M", "4M100000N4M"}[rng.IntN(4)])
			f.Aux = bamtest.AppendAux(f.Aux, "XX", uint8(rng.IntN(2)))
			records = append(records, f.Record(t))
		}
		for _, ord := range allOrders() {
			f := newFrames(t, h, ord, records)
			for i := range records {
				for j := range records {
					f.check(t, i, j, f.skip)
				}
			}
		}
	}
}

// frames are records as the engine sees them.
type frames struct {
	ord     Order
	how     ordering
	compare func(a, b bam.Record) int
	records []bam.Record
	frames  [][]byte
	skip    int // what all share
}

func newFrames(t *testing.T, h *bam.Header, ord Order, records []bam.Record) *frames {
	t.Helper()
	f := &frames{ord: ord, how: ord.ordering(h), compare: ord.Comparer(h), records: records}
	for _, r := range records {
		frame := r.Bytes()
		if f.how.digest != nil {
			digest, err := f.how.digest(nil, r)
			if err != nil || len(digest) != f.how.digestLen {
				t.Fatalf("%v: digest of %d bytes, %v; want %d", ord, len(digest), err, f.how.digestLen)
			}
			frame = append(digest, frame...)
		}
		f.frames = append(f.frames, frame)
	}
	if f.how.shared != nil {
		f.skip = math.MaxInt
		for _, frame := range f.frames {
			f.skip = f.how.shared(f.frames[0], frame, f.skip)
		}
	}
	return f
}

// check compares records i and j in all ways there are.
func (f *frames) check(t *testing.T, i, j, skip int) {
	t.Helper()
	a, b := f.records[i], f.records[j]
	byKey := cmp.Compare(f.how.key(f.frames[i], skip), f.how.key(f.frames[j], skip))
	want := f.compare(a, b)
	if byKey != 0 && byKey != want || byKey == 0 && f.how.compare == nil && want != 0 {
		t.Fatalf("%v: keys with %d skipped say %d, the definition says %d, of\n%q\n%q",
			f.ord, skip, byKey, want, a.Bytes(), b.Bytes())
	}
	if byKey == 0 && f.how.compare != nil && f.how.compare(f.frames[i], f.frames[j]) != want {
		t.Fatalf("%v: equal keys are settled as %d, the definition says %d, of\n%q\n%q",
			f.ord, f.how.compare(f.frames[i], f.frames[j]), want, a.Bytes(), b.Bytes())
	}
}

// TestOrdersAreTotal checks what a sort relies on: antisymmetry and transitivity.
func TestOrdersAreTotal(t *testing.T) {
	for _, ord := range allOrders() {
		compare := ord.Comparer(header(t))
		for seed := range uint64(4) {
			records := randomRecords(t, seed, 60, 0)
			for _, a := range records {
				for _, b := range records {
					ab := compare(a, b)
					if ab != -compare(b, a) {
						t.Fatalf("%v: not antisymmetric:\n%q\n%q", ord, a.Bytes(), b.Bytes())
					}
					for _, c := range records {
						if ab <= 0 && compare(b, c) <= 0 && compare(a, c) > 0 {
							t.Fatalf("%v: not transitive:\n%q\n%q\n%q", ord, a.Bytes(), b.Bytes(), c.Bytes())
						}
					}
				}
			}
		}
	}
}

// TestKeysSettleMost: of neighbours in the order that differ, few may share a key.
func TestKeysSettleMost(t *testing.T) {
	records := bamtest.Generator{Seed: 1, Refs: 25}.Records(t, 20000)
	h := bamtest.Header(t, 25)
	for ord, limit := range map[Order]float64{
		Coordinate: 0, CoordinatePicard: 0.01,
		TemplateCoordinate:           0.52, // the two reads of a template share a key
		mustTag(t, "NM", Coordinate): 0.1, mustTag(t, "RG", Coordinate): 0.1, mustTag(t, "XX", Coordinate): 0.01,
	} {
		c, err := NewRecords(t.Context(), h, ord, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if err := c.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		f := c.eng.cur
		c.eng.prepare(f)
		compared := 0
		for i := 1; i < f.n; i++ {
			a, b := f.entries.at(i-1), f.entries.at(i)
			if a.key == b.key && c.eng.ord.compare != nil && c.eng.ord.compare(f.frame(a.pos), f.frame(b.pos)) != 0 {
				compared++
			}
		}
		if got := float64(compared) / float64(f.n); got > limit {
			t.Errorf("%v: %.3f of neighbours share a key, want at most %v", ord, got, limit)
		}
		c.Close()
	}
}

func FuzzNaturalKey(f *testing.F) {
	for _, s := range []string{"a1", "a01", "a001b", "r123456789", "r1234567890", "", "0", "00", "9:", "x0:0", "1:2:3:4:5:6:7:8"} {
		f.Add(s, "a2b")
		f.Add("a2b", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 254 || len(b) > 254 {
			return
		}
		x, y := record(t, a, 0, 0, 0, 0), record(t, b, 0, 0, 0, 0)
		for _, ord := range []Order{QuerynameNatural, QuerynameLexicographical} {
			f := newFrames(t, header(t), ord, []bam.Record{x, y})
			f.check(t, 0, 1, 0)
			f.check(t, 0, 1, f.skip)
		}
	})
}

func TestCoordinate(t *testing.T) {
	var in []bam.Record
	for _, r := range []struct {
		ref, pos int32
		flag     bam.Flag
	}{{0, -1, 0}, {0, 0, 0}, {0, 0, bam.Reverse}, {0, 5, 0}, {1, -1, bam.Reverse}, {1, 1<<31 - 1, 0}, {2, 7, 0}, {-1, -1, 0}, {-1, -1, bam.Reverse}, {-1, 3, 0}} {
		in = append(in, record(t, "x", r.flag, r.ref, r.pos, 0))
	}
	f := newFrames(t, header(t), Coordinate, in)
	for i := range in {
		for j := range in {
			if got, want := Coordinate.Compare(in[i], in[j]), cmp.Compare(i, j); got != want {
				t.Errorf("records %d and %d: got %d, want %d", i, j, got, want)
			}
			f.check(t, i, j, 0)
		}
	}
}

// TestFlagsWithinTemplate walks all combinations in the order that samtools 1.20 has them.
func TestFlagsWithinTemplate(t *testing.T) {
	prev := -1
	for _, end := range []bam.Flag{0, bam.Read1, bam.Read2, bam.Read1 | bam.Read2} {
		for _, part := range []bam.Flag{0, bam.Supplementary, bam.Secondary, bam.Secondary | bam.Supplementary} {
			for _, noise := range []bam.Flag{0, bam.Reverse, bam.Duplicate | bam.QCFail} {
				if got := rank(end | part | noise); noise == 0 && got <= prev || noise != 0 && got != prev {
					t.Errorf("flags %#x: rank %d after %d", end|part|noise, got, prev)
				} else {
					prev = got
				}
			}
		}
	}
}

func TestParseOrder(t *testing.T) {
	for _, name := range Orders() {
		o, err := ParseOrder(name)
		if err != nil || o.String() != name {
			t.Errorf("ParseOrder(%q) = %v, %v", name, o, err)
		}
	}
	for name, want := range map[string]Order{
		"queryname":                           QuerynameNatural,
		"template-coordinate":                 TemplateCoordinate,
		"coordinate:picard":                   CoordinatePicard,
		"queryname:picard":                    QuerynamePicard,
		"tag:X0":                              mustTag(t, "X0", Coordinate),
		"tag:rg:queryname:natural":            mustTag(t, "rg", QuerynameNatural),
		"tag:MI:queryname:lexicographical":    mustTag(t, "MI", QuerynameLexicographical),
		mustTag(t, "NM", Coordinate).String(): mustTag(t, "NM", Coordinate),
	} {
		if o, err := ParseOrder(name); err != nil || o != want {
			t.Errorf("%s: got %v, %v", name, o, err)
		}
	}
	for name, want := range map[string]string{
		"size":                    "queryname:lexicographical",
		"":                        "queryname:lexicographical",
		"tag":                     "tag:XX",
		"tag:":                    "no tag",
		"tag:X":                   "no tag",
		"tag:XXX":                 "no tag",
		"tag:0X":                  "no tag",
		"tag:X_":                  "no tag",
		"tag:XX:":                 "behind the tag",
		"tag:XX:queryname":        "behind the tag",
		"tag:XX:queryname:picard": "behind the tag",
	} {
		if o, err := ParseOrder(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, %v, want an error with %q", name, o, err, want)
		}
	}
	for _, ties := range []Order{CoordinatePicard, QuerynamePicard, TemplateCoordinate, Unsorted, mustTag(t, "XX", Coordinate)} {
		if o, err := Tag("XX", ties); err == nil {
			t.Errorf("ties by %v: got %v, want an error", ties, o)
		}
	}
}

func TestHeaderFields(t *testing.T) {
	for o, want := range map[Order]string{
		Coordinate:                                 "coordinate  ",
		CoordinatePicard:                           "coordinate  ",
		QuerynameNatural:                           "queryname  queryname:natural",
		QuerynameLexicographical:                   "queryname  queryname:lexicographical",
		QuerynamePicard:                            "queryname  ",
		mustTag(t, "XX", Coordinate):               "unsorted  unsorted:XX:coordinate",
		mustTag(t, "AS", QuerynameNatural):         "unsorted  unsorted:AS:queryname:natural",
		mustTag(t, "RG", QuerynameLexicographical): "unsorted  unsorted:RG:queryname:lexicographical",
		TemplateCoordinate:                         "unsorted query unsorted:template-coordinate",
		TemplateCoordinateNextPos:                  "unsorted query unsorted:template-coordinate",
		Unsorted:                                   "unsorted  ",
	} {
		so, group, sub := o.HeaderFields()
		if got := fmt.Sprint(so, " ", group, " ", sub); got != want {
			t.Errorf("%v: got header fields %q, want %q", o, got, want)
		}
	}
}
