package bam_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// randomHeader makes a header of few names, so that several of them meet. Its references keep to the order a, b, c …
// unless mixed.
func randomHeader(rng *rand.Rand, mixed bool) string {
	var b strings.Builder
	if rng.IntN(2) == 0 {
		b.WriteString("@HD\tVN:1.6\n")
	}
	names := rng.Perm(6)[:rng.IntN(6)]
	if !mixed {
		slices.Sort(names)
	}
	for _, n := range names {
		fmt.Fprintf(&b, "@SQ\tSN:%c\tLN:%d\n", 'a'+n, 100+n)
	}
	for _, n := range rng.Perm(3)[:rng.IntN(3)] {
		fmt.Fprintf(&b, "@PG\tID:%c\tVN:%d\tPP:%c\n", 'p'+n, rng.IntN(2), 'p'+rng.IntN(4))
	}
	for _, n := range rng.Perm(3)[:rng.IntN(3)] {
		fmt.Fprintf(&b, "@RG\tID:%c\tSM:%d\tPG:%c\n", 'u'+n, rng.IntN(2), 'p'+rng.IntN(4))
	}
	fmt.Fprintf(&b, "@CO\t%d\n", rng.IntN(3))
	return b.String()
}

// compatible reports whether the references of all headers have a common order, found by taking away, again and again,
// a name that no header has behind another.
func compatible(hs []*bam.Header) bool {
	var rest [][]string
	for _, h := range hs {
		var names []string
		for i := range h.NumRefs() {
			names = append(names, h.RefName(i))
		}
		rest = append(rest, names)
	}
	for {
		free, left := "", false
		for _, names := range rest {
			left = left || len(names) > 0
			if len(names) > 0 && !slices.ContainsFunc(rest, func(o []string) bool { return slices.Index(o, names[0]) > 0 }) {
				free = names[0]
			}
		}
		if free == "" {
			return !left
		}
		for i, names := range rest {
			rest[i] = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == free })
		}
	}
}

// idLines returns the lines of a kind by their ID, without it.
func idLines(h *bam.Header, kind string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(string(h.Text())) {
		if rest, ok := strings.CutPrefix(line, kind+"\tID:"); ok {
			id, rest, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), "\t")
			all[id] = rest
		}
	}
	return all
}

// TestMergeProperties holds merged headers of many random ones to what MergeHeaders promises.
func TestMergeProperties(t *testing.T) {
	conflicts := 0
	for seed := range uint64(1500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var hs []*bam.Header
		for range 1 + rng.IntN(4) {
			hs = append(hs, parseHeader(t, randomHeader(rng, seed%2 == 0)))
		}
		merged, translations, err := bam.MergeHeaders(hs)
		if fits := compatible(hs); fits != (err == nil) {
			t.Fatalf("seed %d: error %v, references have a common order: %v", seed, err, fits)
		}
		if err != nil {
			conflicts++
			continue
		}
		for i, h := range hs {
			if msg := followed(t, merged, h, translations[i], seed); msg != "" {
				t.Fatalf("seed %d, input %d: %s\nof %q\nin %q", seed, i+1, msg, h.Text(), merged.Text())
			}
		}
		if again, _, err := bam.MergeHeaders([]*bam.Header{merged, hs[0]}); err != nil || string(again.Text()) != string(merged.Text()) {
			t.Fatalf("seed %d: merged with its first input again: %v\n got %q\nwant %q", seed, err, again.Text(), merged.Text())
		}
	}
	if conflicts < 50 {
		t.Errorf("only %d inputs in conflict", conflicts)
	}
}

// followed says what of h is not in merged as it must be.
func followed(t *testing.T, merged, h *bam.Header, tr *bam.Translation, seed uint64) string {
	last := int32(-1)
	for i := range h.NumRefs() {
		id, ok := merged.RefID([]byte(h.RefName(i)))
		if !ok || id <= last || merged.RefLen(int(id)) != h.RefLen(i) {
			return fmt.Sprintf("reference %d became %d, behind %d", i, id, last)
		}
		last = id
	}
	programs, groups := idLines(h, "@PG"), idLines(h, "@RG")
	newPrograms, newGroups := idLines(merged, "@PG"), idLines(merged, "@RG")
	for id, line := range programs {
		rest, pp, _ := strings.Cut(line, "PP:")
		if _, circle := programs[pp]; circle && circular(programs, id) {
			continue
		}
		if want := rest + "PP:" + tr.Program(pp); newPrograms[tr.Program(id)] != want {
			return fmt.Sprintf("program %q became %q, want %q", id, newPrograms[tr.Program(id)], want)
		}
	}
	for id, line := range groups {
		rest, pg, _ := strings.Cut(line, "PG:")
		if want := rest + "PG:" + tr.Program(pg); newGroups[tr.ReadGroup(id)] != want {
			return fmt.Sprintf("read group %q became %q, want %q", id, newGroups[tr.ReadGroup(id)], want)
		}
	}
	return sameText(t, merged, h, tr, seed, slices.Sorted(maps.Keys(groups)))
}

// circular reports whether the PP links from id come back to a program that was passed.
func circular(programs map[string]string, id string) bool {
	seen := map[string]bool{}
	for ; !seen[id]; _, id, _ = strings.Cut(programs[id], "PP:") {
		if _, ok := programs[id]; !ok {
			return false
		}
		seen[id] = true
	}
	return true
}

// sameText translates records and compares their text under either header.
func sameText(t *testing.T, merged, h *bam.Header, tr *bam.Translation, seed uint64, groups []string) string {
	if h.NumRefs() == 0 {
		return ""
	}
	for i, r := range (bamtest.Generator{Seed: seed, Refs: h.NumRefs(), Length: 3}).Records(t, 4) {
		var suffix, want []byte
		if len(groups) > 0 {
			id := groups[i%len(groups)]
			suffix, want = bamtest.AppendAux(nil, "RG", id), fmt.Appendf(nil, "\tRG:Z:%s", tr.ReadGroup(id))
		}
		raw, err := tr.Apply(nil, bam.Trusted(slices.Concat(r.Bytes(), suffix)))
		if err != nil {
			return err.Error()
		}
		// The generator's own groups are called a and b, and no header here has them.
		got := strings.TrimSuffix(bamtest.SAM(t, merged, []bam.Record{bam.Trusted(raw)}), "\n")
		if want := strings.TrimSuffix(bamtest.SAM(t, h, []bam.Record{r}), "\n") + string(want); got != want {
			return fmt.Sprintf("record\n got %q\nwant %q", got, want)
		}
	}
	return ""
}

// FuzzMergeHeaders: whatever two headers say, their merger is a header that has all references of both and to which the
// first adds nothing more.
func FuzzMergeHeaders(f *testing.F) {
	f.Add(oddText, "@HD\tVN:1.5\n@SQ\tSN:z\tLN:1\n@RG\tID:x\tPG:p\n@PG\tID:p\tPP:p\n")
	f.Add("@RG\tID:a\n@RG\tID:a\tSM:s", "@RG\tID:a\tSM:t\n@RG\tID:a.1\n")
	f.Add("@PG\tID:a\tPP:b\n@PG\tID:b\tPP:a\n", "@PG\tID:b\tPP:a\n@PG\tID:a\tPP:b\tVN:2\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		var hs []*bam.Header
		for _, text := range []string{a, b} {
			h, err := bam.ParseHeader([]byte(text))
			if err != nil {
				return
			}
			hs = append(hs, h)
		}
		merged, tr, err := bam.MergeHeaders(hs)
		if err != nil {
			return
		}
		for i, h := range hs {
			for k := range h.NumRefs() {
				if _, ok := merged.RefID([]byte(h.RefName(k))); !ok {
					t.Fatalf("reference %q of input %d is lost in %q", h.RefName(k), i+1, merged.Text())
				}
			}
			raw, err := tr[i].Apply(nil, bamtest.Fields{RefID: int32(h.NumRefs() - 1), NextRefID: -1, Aux: bamtest.AppendAux(nil, "RG", "a")}.Record(t))
			if err != nil {
				t.Fatal(err)
			}
			if r, err := bam.ParseRecord(raw); err != nil || int(r.RefID()) >= merged.NumRefs() {
				t.Fatalf("record %q: %v", raw, err)
			}
		}
		if reparsed, err := bam.ParseHeader(merged.Text()); err != nil || reparsed.NumRefs() != merged.NumRefs() {
			t.Fatalf("the merged text %q has %v", merged.Text(), err)
		}
		again, _, err := bam.MergeHeaders([]*bam.Header{merged, hs[0]})
		if err != nil || string(again.Text()) != string(merged.Text()) {
			t.Fatalf("merged with its first input again: %v\n got %q\nwant %q", err, again.Text(), merged.Text())
		}
	})
}

func BenchmarkTranslation(b *testing.B) {
	_, tr := merge(b, lines("SQ SN:x LN:1\nRG ID:a SM:s"), lines("SQ SN:chr1 LN:1\nSQ SN:chr2 LN:1\nRG ID:a SM:t\nRG ID:b SM:t"))
	records := bamtest.Generator{Seed: 1, Refs: 2}.Records(b, 500)
	n := 0
	for _, r := range records {
		n += len(r.Bytes())
	}
	var dst []byte
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for _, r := range records {
			var err error
			if dst, err = tr[1].Apply(dst[:0], r); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkMergeHeaders(b *testing.B) {
	text := string(largeText(500_000))
	for name, second := range map[string]string{"equal": text, "more": strings.ReplaceAll(text, "_2", "_x2")} {
		b.Run("dictionaries="+name, func(b *testing.B) {
			hs := []*bam.Header{parseHeader(b, text), parseHeader(b, second)}
			b.SetBytes(int64(len(text) + len(second)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := bam.MergeHeaders(hs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
