package bam_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// TestFindAuxFindsWhatAuxFinds compares one walk for several tags with a walk for each.
func TestFindAuxFindsWhatAuxFinds(t *testing.T) {
	tags := [][2]byte{{'M', 'C'}, {'X', 'a'}, {'N', 'M'}, {'Z', 'Z'}, {'X', 's'}, {'N', 'O'}}
	rng := rand.New(rand.NewPCG(1, 1))
	found := 0
	for i, r := range (bamtest.Generator{Seed: 3, Refs: 2, Length: 20, Odd: true}).Records(t, 2000) {
		asked := slices.Clone(tags[:1+rng.IntN(len(tags))])
		rng.Shuffle(len(asked), func(i, j int) { asked[i], asked[j] = asked[j], asked[i] })
		at := slices.Repeat([]bam.FoundAux{{Offset: -1}}, len(asked))
		if err := r.FindAux(asked, at); err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		for j, tag := range asked {
			want, ok := r.Aux(tag)
			if ok != (at[j].Offset != 0) {
				t.Fatalf("record %d, %s: got offset %d, found by Aux: %v", i, tag, at[j].Offset, ok)
			}
			if !ok {
				continue
			}
			found++
			for _, got := range []bam.Aux{at[j].Aux, r.AuxAt(at[j].Offset)} {
				if got.Tag != tag || got.Type != want.Type || string(got.Bytes()) != string(want.Bytes()) {
					t.Fatalf("record %d, %s: got %c %q, want %c %q", i, tag, got.Type, got.Bytes(), want.Type, want.Bytes())
				}
			}
		}
	}
	if found < 2000 {
		t.Errorf("only %d fields were found", found)
	}
}

func TestFindAuxOfMalformedFields(t *testing.T) {
	aa, bb := [2]byte{'A', 'A'}, [2]byte{'B', 'B'}
	whole := bamtest.AppendAux(bamtest.AppendAux(nil, "AA", "first"), "AA", "second")
	for _, c := range []struct {
		name string
		aux  []byte
		tags [][2]byte
		bad  bool
	}{
		{"found before", append(slices.Clone(whole), "BBZunended"...), [][2]byte{aa}, false},
		{"not found before", append(slices.Clone(whole), "BBZunended"...), [][2]byte{aa, bb}, true},
		{"unknown type", []byte("BBq1234"), [][2]byte{aa}, true},
		{"stray bytes", append(slices.Clone(whole), 0), [][2]byte{bb}, true},
		{"nothing asked", whole, nil, false},
		{"no fields", nil, [][2]byte{aa}, false},
	} {
		r := bamtest.Fields{Name: "r", Aux: c.aux}.Record(t)
		at := make([]bam.FoundAux, len(c.tags))
		err := r.FindAux(c.tags, at)
		if errors.Is(err, bam.ErrCorrupt) != c.bad || (err != nil) != c.bad {
			t.Errorf("%s: got %v, want an error: %v", c.name, err, c.bad)
		}
		if err == nil && len(at) > 0 && at[0].Offset != 0 && string(at[0].Bytes()) != "first" {
			t.Errorf("%s: got %q, want the first field", c.name, at[0].Bytes())
		}
	}
}
