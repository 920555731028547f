package bamtest_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

func TestGeneratorRepeats(t *testing.T) {
	g := bamtest.Generator{Seed: 4, Refs: 3, Length: 30, Odd: true}
	h := bamtest.Header(t, 3)
	a, b := bamtest.BAM(t, h, g.Records(t, 500)), bamtest.BAM(t, h, g.Records(t, 500))
	if !bytes.Equal(a, b) {
		t.Error("the same seed gave other records")
	}
	g.Seed++
	if bytes.Equal(a, bamtest.BAM(t, h, g.Records(t, 500))) {
		t.Error("another seed gave the same records")
	}
}

func TestGeneratorVariety(t *testing.T) {
	var flags bam.Flag
	types := map[string]bool{}
	unplaced, noPos, noSeq, placedUnmapped := 0, 0, 0, 0
	for _, r := range (bamtest.Generator{Seed: 1, Refs: 3, Length: 10, Odd: true}).Records(t, 2000) {
		flags |= r.Flag()
		if r.RefID() < 0 {
			unplaced++
		} else if r.Flag()&bam.Unmapped != 0 {
			placedUnmapped++
		}
		if r.RefID() >= 0 && r.Pos() < 0 {
			noPos++
		}
		if r.LSeq() == 0 {
			noSeq++
		}
		for a, err := range r.AuxFields() {
			if err != nil {
				t.Fatal(err)
			}
			types[fmt.Sprintf("%c%c", a.Type, a.ArrayType())] = true
		}
	}
	const all = bam.Paired | bam.Unmapped | bam.MateUnmapped | bam.Reverse | bam.MateReverse | bam.Read1 | bam.Read2 |
		bam.Secondary | bam.QCFail | bam.Duplicate | bam.Supplementary
	if flags&all != all || unplaced == 0 || noPos == 0 || noSeq == 0 || placedUnmapped == 0 || len(types) != 11+7 {
		t.Errorf("flags %#x, %d unplaced, %d without Pos, %d without SEQ, %d placed but unmapped, types %v",
			flags, unplaced, noPos, noSeq, placedUnmapped, types)
	}
}

func TestFromSAM(t *testing.T) {
	const lines = "a\t0\tchr1\t1\t60\t4M\t=\t5\t0\tACGT\tIIII\tXX:i:7\nb\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n"
	h, records := bamtest.FromSAM(t, "@SQ\tSN:chr1\tLN:5\n"+lines)
	if h.NumRefs() != 1 || len(records) != 2 {
		t.Fatalf("%d references, %d records", h.NumRefs(), len(records))
	}
	if got := bamtest.SAM(t, h, records); got != lines {
		t.Errorf("got %q, want %q", got, lines)
	}
	if _, none := bamtest.FromSAM(t, "@CO\tno end"); len(none) != 0 {
		t.Errorf("%d records of a header", len(none))
	}
}

// recorder stands for the test that a check fails.
type recorder struct {
	testing.TB
	message string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.message = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestSameRecords(t *testing.T) {
	named := func(names string) (records []bam.Record) {
		for _, name := range names {
			records = append(records, bamtest.Fields{Name: string(name)}.Record(t))
		}
		return records
	}
	for _, c := range []struct{ got, want, message string }{
		{"abca", "aacb", ""}, {"", "", ""}, {"ab", "abb", "missing"}, {"abb", "ab", "not wanted"}, {"abd", "abc", "missing"}, {"abc", "abd", "not wanted"},
		{"aab", "abb", "not wanted"}, {"b", "ab", "missing"},
	} {
		r := &recorder{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			bamtest.SameRecords(r, named(c.got), named(c.want))
		}()
		<-done
		if !strings.Contains(r.message, c.message) || (r.message == "") != (c.message == "") {
			t.Errorf("%q against %q: message %q, want %q", c.got, c.want, r.message, c.message)
		}
	}
}
