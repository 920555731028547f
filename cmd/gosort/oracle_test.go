package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam/bamtest"
)

func samtools(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("samtools", args...)
	var words bytes.Buffer
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("samtools %q: %v\n%s", args, err, words.Bytes())
	}
	return string(out)
}

// realFiles are BAM files that other programs wrote.
func realFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{golden + "/real/*.bam", "../../testdata/*.bam"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 4 {
		t.Fatalf("found %q, want at least 4 real files", files)
	}
	return files
}

// leastMemory works with 2 threads and makes runs of a few MB.
const leastMemory = "24M"

func TestSamtoolsAgrees(t *testing.T) {
	bamtest.Samtools(t)
	for _, file := range realFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			dir := t.TempDir()
			mixed := filepath.Join(dir, "mixed.bam") // sorted files would not ask much of coordinate order
			mustSortChild(t, "-i", file, "-o", mixed, "-N", "-level", "1")
			t.Run("coordinate", func(t *testing.T) { compareCoordinate(t, mixed) })
			t.Run("names", func(t *testing.T) { compareNames(t, file) })
		})
	}
}

// compareCoordinate sorts input by coordinate: the records, the header and the
// SAM text are samtools'.
func compareCoordinate(t *testing.T, input string) {
	out, text := filepath.Join(t.TempDir(), "out.bam"), filepath.Join(t.TempDir(), "out.sam")
	mustSortChild(t, "-i", input, "-o", out, "-memory", leastMemory, "-threads", "2", "-no-pg")
	mustSortChild(t, "-i", input, "-o", text, "-memory", leastMemory, "-threads", "1", "-no-pg")
	samtools(t, "quickcheck", "-v", out)
	ours := samtools(t, "view", "-h", "--no-PG", out)
	want := samtools(t, "sort", "--no-PG", "-O", "sam", input)
	_, ourRecords := splitSAM(ours)
	_, theirRecords := splitSAM(want)
	if ourRecords != theirRecords {
		t.Errorf("the records of the BAM differ from samtools sort\n%s", firstDifference(ourRecords, theirRecords))
	}
	if got := readFile(t, text); got != ours {
		t.Errorf("the SAM differs from samtools view -h of the BAM\n%s", firstDifference(got, ours))
	}
}

// compareNames compares the sequence of names only: samtools before 1.20
// breaks ties otherwise.
func compareNames(t *testing.T, input string) {
	out := filepath.Join(t.TempDir(), "out.bam")
	mustSortChild(t, "-i", input, "-o", out, "-n", "-memory", leastMemory, "-threads", "2")
	samtools(t, "quickcheck", "-v", out)
	got, want := nameList(samtools(t, "view", out)), nameList(samtools(t, "sort", "-n", "-O", "sam", input))
	if got != want {
		t.Errorf("the names are in another order than after samtools sort -n\n%s", firstDifference(got, want))
	}
}

// nameList is the first column of a SAM text's records.
func nameList(text string) string {
	_, records := splitSAM(text)
	var list strings.Builder
	for line := range strings.Lines(records) {
		name, _, _ := strings.Cut(line, "\t")
		list.WriteString(name + "\n")
	}
	return list.String()
}

// TestSamtoolsReadsEveryLevel: what is stored, or compressed in whatever way,
// is the same to others.
func TestSamtoolsReadsEveryLevel(t *testing.T) {
	bamtest.Samtools(t)
	if raceEnabled {
		t.Skip("ten sorts that differ in deflate only, which runs the same goroutines at each level")
	}
	input := golden + "/real/umi_duplex_grouped_NA12878.bam"
	want := samtools(t, "sort", "-O", "sam", input)
	_, want = splitSAM(want)
	for _, level := range strings.Split("0123456789", "") {
		out := filepath.Join(t.TempDir(), "out.bam")
		mustSortChild(t, "-i", input, "-o", out, "-level", level)
		samtools(t, "quickcheck", "-v", out)
		if got := samtools(t, "view", out); got != want {
			t.Errorf("level %s: the records differ\n%s", level, firstDifference(got, want))
		}
	}
}
