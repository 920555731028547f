package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam/bamtest"
	"github.com/gosort/gosort/sortcoll"
)

// indexPair is a sorted BAM with our index and a copy of it with samtools'.
type indexPair struct{ ours, theirs string }

// sortIndexed sorts a file with -index and has samtools index a copy. Both have
// directories of their own and the same name, which readers may print.
func sortIndexed(t *testing.T, in, format string, flags ...string) indexPair {
	t.Helper()
	p := indexPair{filepath.Join(t.TempDir(), "x.bam"), filepath.Join(t.TempDir(), "x.bam")}
	mustSort(t, append([]string{"-i", in, "-o", p.ours, "-index"}, flags...)...)
	readFile(t, p.ours+"."+format) // it is there
	writeFile(t, p.theirs, readFile(t, p.ours), 0o600)
	samtools(t, "index", map[string]string{"bai": "-b", "csi": "-c"}[format], p.theirs)
	return p
}

// same compares what a program prints of the two files, which must be something.
// Their names go between the arguments before and after; lines that begin with #
// are headers.
func (p indexPair) same(t *testing.T, program string, before, after []string) {
	t.Helper()
	answer := func(file string) string {
		cmd := exec.Command(program, append(append(before, file), after...)...)
		cmd.Stderr = io.Discard // tells of files and progress
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v", cmd.Args, err)
		}
		var text strings.Builder
		for line := range strings.Lines(string(out)) {
			if !strings.HasPrefix(line, "#") {
				text.WriteString(line)
			}
		}
		return text.String()
	}
	if got, want := answer(p.ours), answer(p.theirs); got != want || want == "" {
		t.Errorf("%s %q %q: through our index and samtools' the answers differ: %s", program, before, after, firstDifference(got, want))
	}
}

// regions returns n regions, most of them around the start of a read.
func (p indexPair) regions(t *testing.T, n int) (list []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	var names []string
	var lengths []int
	for line := range strings.Lines(samtools(t, "idxstats", p.ours)) {
		columns := strings.Split(line, "\t")
		length, err := strconv.Atoi(columns[1])
		if err != nil {
			t.Fatal(err)
		}
		names, lengths = append(names, columns[0]), append(lengths, length)
	}
	records := readRecords(t, p.ours)
	for range n {
		id := rng.IntN(len(names) - 1) // the last line is for reads without a reference
		begin := 1 + rng.IntN(lengths[id])
		if r := records[rng.IntN(len(records))]; r.RefID() >= 0 && rng.IntN(4) > 0 {
			id = int(r.RefID())
			begin = min(lengths[id], max(1, int(r.Pos())-100+rng.IntN(200)))
		}
		end := min(lengths[id], begin+1<<rng.IntN(15))
		list = append(list, fmt.Sprintf("%s:%d-%d", names[id], begin, end))
	}
	return list
}

// TestIndex: samtools answers from our indexes as from its own.
func TestIndex(t *testing.T) {
	path := bamtest.Samtools(t)
	for _, in := range realFiles(t) {
		for _, format := range []string{"bai", "csi"} {
			t.Run(filepath.Base(in)+"/"+format, func(t *testing.T) {
				p := sortIndexed(t, in, format, format)
				p.same(t, path, []string{"idxstats"}, nil)
				p.same(t, path, []string{"view"}, append(p.regions(t, 60), "*"))
			})
		}
	}
}

// TestIndexOfLongReference: a reference that no BAI can hold gets a CSI.
func TestIndexOfLongReference(t *testing.T) {
	path := bamtest.Samtools(t)
	const length = 600_000_000
	rng := rand.New(rand.NewPCG(9, 9))
	var text strings.Builder
	fmt.Fprintf(&text, "@SQ\tSN:long\tLN:%d\n@SQ\tSN:short\tLN:1000\n", length)
	for i := range 5000 {
		pos := length - 3 - i%50 // up to the last base
		if i%5 > 0 {
			pos = 1 + rng.IntN(length-10)
		}
		fmt.Fprintf(&text, "r%d\t0\tlong\t%d%s\n", i, pos, fields)
	}
	in := filepath.Join(t.TempDir(), "in.sam")
	writeFile(t, in, text.String(), 0o600)
	p := sortIndexed(t, in, "csi")
	wantMissing(t, p.ours+".bai")
	p.same(t, path, []string{"idxstats"}, nil)
	p.same(t, path, []string{"view"}, append(p.regions(t, 200), "long:1-100000000", "long:590000000"))
}

// TestIndexForOthers: other programs answer from our indexes as from samtools'.
func TestIndexForOthers(t *testing.T) {
	bamtest.Samtools(t)
	for _, test := range []struct {
		program, format string
		before          []string
		after           func(regions []string) []string
	}{
		{"sambamba", "bai", []string{"view"}, func(regions []string) []string { return regions }},
		{"bcftools", "bai", []string{"mpileup", "--no-reference", "--skip-indels"}, pileupRegions},
		{"bcftools", "csi", []string{"mpileup", "--no-reference", "--skip-indels"}, pileupRegions},
	} {
		t.Run(test.program+"/"+test.format, func(t *testing.T) {
			path := bamtest.Tool(t, test.program)
			for _, in := range realFiles(t) {
				p := sortIndexed(t, in, test.format, test.format)
				regions := p.regions(t, 3)
				p.same(t, path, test.before, test.after(regions))
			}
		})
	}
}

// pileupRegions are the arguments for bcftools mpileup.
func pileupRegions(regions []string) []string { return []string{"-r", strings.Join(regions, ",")} }

// TestOtherIndex: an old index in the other format is told of, because htslib would answer from it.
func TestOtherIndex(t *testing.T) {
	in, out := golden+"/samtools_sort/test_input_1_a.bam", filepath.Join(t.TempDir(), "out.bam")
	mustSort(t, "-i", in, "-o", out, "-index", "csi")
	mustSort(t, "-i", in, "-o", out, "-index", "csi")
	if got := gosort(t, "-i", in, "-o", out, "-index", "bai"); got.code != exitDone || !strings.Contains(got.stderr, "warning: "+out+".csi is of an older ") {
		t.Errorf("got %+v, want a warning about the CSI", got)
	}
}

// TestIndexIsCharged: the index takes from the fills what it needs, as far as
// they can give.
func TestIndexIsCharged(t *testing.T) {
	const headers = 1 << 20
	for _, test := range []struct{ before, index, want int64 }{
		{21 << 20, 3 << 20, 17 << 20},
		{21 << 20, 1 << 40, 10 << 20}, // half is left
		{6 << 20, 1 << 40, sortcoll.LeastMemory},
	} {
		m := memory{collection: test.before}
		if err := m.charge(config{}, headers, test.index); err != nil || m.collection != test.want {
			t.Errorf("an index of %d bytes leaves %d of %d (%v), want %d", test.index, m.collection, test.before, err, test.want)
		}
	}
}
