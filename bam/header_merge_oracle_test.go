package bam_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// ofKind returns the lines of a kind in text, in order.
func ofKind(text, kind string) (all []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, kind) {
			all = append(all, line)
		}
	}
	return all
}

// TestMergeEqualsSamtools merges where samtools' rules are ours: references that do not come in between, and lines of
// one ID that are equal (-c -p; without them samtools renames even those). What it does in its own way is not here: it
// repeats comments, drops an RG that the header does not have, and moves RG and PG behind all other tags.
func TestMergeEqualsSamtools(t *testing.T) {
	texts := []string{
		lines("HD VN:1.6 SO:unsorted\nSQ SN:a LN:100 M5:x\nSQ SN:c LN:100\nRG ID:r SM:s PG:p\nRG ID:k SM:s\nPG ID:p VN:1\nCO x"),
		lines("HD VN:1.5 SO:unsorted\nSQ SN:c LN:100\nSQ SN:d LN:90\nPG ID:o VN:1\nPG ID:p VN:1\nRG ID:q SM:t PG:o\nRG ID:r SM:s PG:p\nCO y"),
		lines("HD VN:1.5 SO:unsorted\nSQ SN:d LN:90\nSQ SN:e LN:80\nSQ SN:b LN:80 UR:u\nRG ID:z SM:t PG:n\nPG ID:n PP:o\nPG ID:o VN:1\nCO z"),
	}
	records := []string{
		"1 0 c 5 60 1M a 7 0 A I RG:Z:r PG:Z:p\n2 0 a 5 60 1M * 0 0 A I\n",
		"3 0 c 5 60 1M d 7 0 A I XX:i:1 RG:Z:q PG:Z:o\n4 4 * 0 0 * * 0 0 A I\n",
		"5 0 b 5 60 1M e 7 0 A I MD:Z:1 RG:Z:z PG:Z:n\n6 16 d 5 60 1M = 7 0 A I\n",
	}
	dir := t.TempDir()
	args := []string{"merge", "-c", "-p", "-u", "-n", "--no-PG", "-f", "-O", "sam", "-"}
	var hs []*bam.Header
	for i, text := range texts {
		file := filepath.Join(dir, string(rune('1'+i))+".sam")
		if err := os.WriteFile(file, []byte(text+strings.ReplaceAll(records[i], " ", "\t")), 0o600); err != nil {
			t.Fatal(err)
		}
		if i+1 < len(texts) {
			args = append(args, file)
		}
		hs = append(hs, parseHeader(t, text))
	}
	out := string(samtools(t, []byte(texts[2]+strings.ReplaceAll(records[2], " ", "\t")), args...))
	h, translations, err := bam.MergeHeaders(hs)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"@SQ", "@RG", "@PG", "@CO"} {
		got, want := ofKind(string(h.Text()), kind), ofKind(out, kind)
		if kind == "@PG" { // samtools puts a program before those that follow it
			slices.Sort(got)
			slices.Sort(want)
		}
		if !slices.Equal(got, want) || len(got) == 0 {
			t.Errorf("%s lines\n got %q\nwant %q", kind, got, want)
		}
	}
	var got []bam.Record
	for i, old := range hs {
		for line := range strings.Lines(records[i]) {
			raw, err := old.ParseSAMLine(nil, []byte(strings.ReplaceAll(line, " ", "\t")))
			if err != nil {
				t.Fatal(err)
			}
			if raw, err = translations[i].Apply(nil, bam.Trusted(raw)); err != nil {
				t.Fatal(err)
			}
			got = append(got, bam.Trusted(raw))
		}
	}
	if got, want := bamtest.SAM(t, h, got), recordLines(out); got != want {
		t.Errorf("records\n got %q\nwant %q", got, want)
	}
}

// TestMergeRenamesLikeSamtools: what clashes for us clashes for samtools too, and its records follow in the same way.
func TestMergeRenamesLikeSamtools(t *testing.T) {
	first := lines("SQ SN:a LN:100\nRG ID:r SM:s\nPG ID:p VN:1")
	second := lines("SQ SN:a LN:100\nRG ID:r SM:t PG:q\nPG ID:p VN:2\nPG ID:q PP:p")
	record := strings.ReplaceAll("n 0 a 5 60 1M = 7 0 A I RG:Z:r PG:Z:q\n", " ", "\t")
	file := filepath.Join(t.TempDir(), "1.sam")
	if err := os.WriteFile(file, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	out := string(samtools(t, []byte(second+record), "merge", "-u", "--no-PG", "-f", "-O", "sam", "-", file))
	// Its suffixes are eight random digits behind a '-'.
	for _, id := range []string{"r", "p"} {
		_, rest, ok := strings.Cut(out, "ID:"+id+"-")
		if !ok {
			t.Fatalf("samtools did not rename %q in %q", id, out)
		}
		suffix, _, _ := strings.Cut(rest, "\t")
		out = strings.ReplaceAll(out, id+"-"+suffix, id+".1")
	}
	h, tr := merge(t, first, second)
	raw, err := parseHeader(t, second).ParseSAMLine(nil, []byte(record))
	if err != nil {
		t.Fatal(err)
	}
	if raw, err = tr[1].Apply(nil, bam.Trusted(raw)); err != nil {
		t.Fatal(err)
	}
	got := bytes.Join([][]byte{h.Text(), []byte(bamtest.SAM(t, h, []bam.Record{bam.Trusted(raw)}))}, nil)
	for _, kind := range []string{"@SQ", "@RG", "@PG", "n\t"} {
		if got, want := ofKind(string(got), kind), ofKind(out, kind); !slices.Equal(got, want) {
			t.Errorf("%q\n got %q\nwant %q", kind, got, want)
		}
	}
}
