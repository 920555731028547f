package bam_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

func TestDigest(t *testing.T) {
	records := bamtest.Generator{Seed: 9, Refs: 2, Length: 20, Odd: true}.Records(t, 100)
	want := bamtest.Digest(records)
	if want.Count != 100 || len(want.String()) != 32 {
		t.Errorf("count %d, text %q", want.Count, want)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	if got := bamtest.Digest(records); got != want {
		t.Errorf("another order: got %v, want %v", got, want)
	}
	merged := bamtest.Digest(records[:30])
	merged.Merge(bamtest.Digest(records[30:]))
	if merged != want {
		t.Errorf("merged: got %v, want %v", merged, want)
	}
	// A lost record, a doubled one and a changed byte all show.
	if got := bamtest.Digest(records[1:]); got.String() == want.String() {
		t.Error("a lost record does not show")
	}
	twice := want
	twice.Add(records[0])
	twice.Add(records[0])
	if twice.String() == want.String() || twice.Count != 102 {
		t.Error("a record added twice does not show")
	}
	raw := records[0].Bytes()
	raw[4] ^= 1
	if got := bamtest.Digest(records); got.String() == want.String() {
		t.Error("a changed bit does not show")
	}
}

func TestDigestCarry(t *testing.T) {
	d := bam.Digest{Count: 1, Lo: math.MaxUint64}
	d.Merge(bam.Digest{Count: 2, Hi: 5, Lo: 1})
	if want := (bam.Digest{Count: 3, Hi: 6}); d != want {
		t.Errorf("got %+v, want %+v", d, want)
	}
	if got, want := (bam.Digest{Hi: 0xab, Lo: 1}).String(), "00000000000000ab0000000000000001"; got != want {
		t.Errorf("String is %s, want %s", got, want)
	}
}
