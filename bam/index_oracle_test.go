package bam_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
	"github.com/gosort/gosort/bgzfout"
)

func runSamtools(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("samtools", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("samtools %q: %v\n%s", args, err, stderr.Bytes())
	}
	return string(out)
}

// TestIndexIsSamtools: the index is the one that samtools makes of the file,
// and samtools answers from it what a scan finds.
func TestIndexIsSamtools(t *testing.T) {
	bamtest.Samtools(t)
	for _, c := range indexCases(t) {
		for _, o := range indexOptions {
			t.Run(fmt.Sprintf("%s/%v-%d", c.name, o.Format, o.MinShift), func(t *testing.T) {
				c.write(t, o).checkWithSamtools(t, 20)
			})
		}
	}
}

// checkWithSamtools compares the index with samtools', and the answers to
// regions asked of it with those of a scan.
func (f indexed) checkWithSamtools(t *testing.T, regions int) {
	t.Helper()
	x := parseIndex(t, f.index)
	format := "bai"
	args := []string{"index", "-b"}
	if x.csi {
		format = "csi"
		args = []string{"index", "-c", "-m", strconv.Itoa(x.minShift)}
	}
	ours, theirs := filepath.Join(t.TempDir(), "ours.bam"), filepath.Join(t.TempDir(), "theirs.bam")
	putFile(t, ours, f.data)
	putFile(t, theirs, f.data)
	runSamtools(t, append(args, theirs)...)
	sameIndex(t, x, parseIndex(t, []byte(readFile(t, theirs+"."+format))))

	putFile(t, ours+"."+format, f.packedIndex(t, x.csi))
	if got, want := runSamtools(t, "idxstats", ours), runSamtools(t, "idxstats", theirs); got != want {
		t.Errorf("idxstats:\n%swant:\n%s", got, want)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	ask := []string{"view", ours}
	var want []string
	for range regions {
		ref, beg, end, ok := f.region(rng)
		if !ok {
			return
		}
		ask = append(ask, fmt.Sprintf("%s:%d-%d", f.header.RefName(ref), beg+1, end))
		want = append(want, f.scan(ref, beg, end)...)
	}
	if got := names(runSamtools(t, ask...)); !slices.Equal(got, want) { // region by region
		t.Errorf("%q: samtools finds %d reads through our index, scans %d\n%q\n%q", ask, len(got), len(want), got, want)
	}
}

// packedIndex returns the index as it stands in a file: a CSI in BGZF.
func (f *indexed) packedIndex(t *testing.T, csi bool) []byte {
	t.Helper()
	if !csi {
		return f.index
	}
	var packed bytes.Buffer
	z, err := bgzfout.NewWriter(&packed, bgzfout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(f.index); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func putFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// names lists the first column of SAM text.
func names(text string) (list []string) {
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, "\t")
		list = append(list, name)
	}
	return list
}

// scan lists the reads that overlap a region.
func (f *indexed) scan(ref int, beg, end int64) (list []string) {
	for i, r := range f.records {
		if b, e := f.ranges[i][0], f.ranges[i][1]; int(r.RefID()) == ref && b < end && beg < e && r.Pos() >= 0 {
			list = append(list, string(r.ReadName()))
		}
	}
	return list
}

// TestIndexOfRealFiles does the same with files that other programs wrote: the
// reads of one are spliced, those of another have their CIGARs in tags.
func TestIndexOfRealFiles(t *testing.T) {
	bamtest.Samtools(t)
	files, err := filepath.Glob("../testdata/golden/real/*.bam")
	if err != nil || len(files) < 3 {
		t.Fatalf("found %q (error %v), want at least 3 files", files, err)
	}
	for _, name := range files {
		c := readIndexCase(t, name)
		for _, o := range indexOptions[:2] {
			t.Run(fmt.Sprintf("%s/%v", c.name, o.Format), func(t *testing.T) {
				c.write(t, o).checkWithSamtools(t, 100)
			})
		}
	}
}

// readIndexCase reads a file's records and sorts them.
func readIndexCase(t *testing.T, name string) indexCase {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := bam.NewReader(file, bam.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := indexCase{name: filepath.Base(name), header: r.Header()}
	for {
		rec, err := r.Read()
		if err == io.EOF {
			slices.SortStableFunc(c.records, byCoordinate)
			return c
		}
		if err != nil {
			t.Fatal(err)
		}
		c.records = append(c.records, bam.Trusted(bytes.Clone(rec.Bytes())))
	}
}
