package sortcoll

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
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
	for k, o := range orders {
		ord := Order{orderKind(k)}
		for seed := range uint64(4) {
			records := randomRecords(t, seed, 1500, 0)
			skip := 0
			if o.frames.shared != nil {
				skip = 1 << 20
				for _, r := range records {
					skip = o.frames.shared(records[0].Bytes(), r.Bytes(), skip)
				}
			}
			rng := rand.New(rand.NewPCG(seed, 3))
			for range 20000 {
				a, b := records[rng.IntN(len(records))], records[rng.IntN(len(records))]
				for _, n := range []int{0, skip} {
					checkKey(t, ord, o.frames, n, a, b)
				}
			}
		}
	}
}

func checkKey(t *testing.T, ord Order, f ordering, skip int, a, b bam.Record) {
	t.Helper()
	byKey := cmp.Compare(f.key(a.Bytes(), skip), f.key(b.Bytes(), skip))
	want := ord.Compare(a, b)
	if byKey != 0 && byKey != want || byKey == 0 && f.compare == nil && want != 0 {
		t.Fatalf("%v: keys of %q (%d) and %q (%d) with %d skipped say %d, Compare says %d",
			ord, a.ReadName(), a.Flag(), b.ReadName(), b.Flag(), skip, byKey, want)
	}
	if f.compare != nil && f.compare(a.Bytes(), b.Bytes()) != want {
		t.Fatalf("%v: frames and records of %q and %q compare differently", ord, a.ReadName(), b.ReadName())
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
			o := orders[ord.kind].frames
			checkKey(t, ord, o, 0, x, y)
			checkKey(t, ord, o, o.shared(x.Bytes(), y.Bytes(), 1<<20), x, y)
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
	for i := range in {
		for j := range in {
			if got, want := Coordinate.Compare(in[i], in[j]), cmp.Compare(i, j); got != want {
				t.Errorf("records %d and %d: got %d, want %d", i, j, got, want)
			}
			checkKey(t, Coordinate, orders[kindCoordinate].frames, 0, in[i], in[j])
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
	if o, err := ParseOrder("queryname"); err != nil || o != QuerynameNatural {
		t.Errorf("queryname: got %v, %v", o, err)
	}
	if o, err := ParseOrder("size"); err == nil || !strings.Contains(err.Error(), "queryname:lexicographical") {
		t.Errorf("size: got %v, %v, want an error that lists the orders", o, err)
	}
	for o, want := range map[Order]string{Coordinate: "coordinate  ", QuerynameNatural: "queryname  queryname:natural",
		QuerynameLexicographical: "queryname  queryname:lexicographical", Unsorted: "unsorted  "} {
		so, group, sub := o.HeaderFields()
		if got := fmt.Sprint(so, " ", group, " ", sub); got != want {
			t.Errorf("%v: got header fields %q, want %q", o, got, want)
		}
	}
}
