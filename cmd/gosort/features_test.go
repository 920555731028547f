package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// orderGolden are expected results of the orders; their README has the origins.
const orderGolden = "../../sortcoll/testdata/orders/"

// sortsLike returns a test that flags sort a file of orderGolden into another.
func sortsLike(in, want string, flags ...string) func(t *testing.T) {
	return func(t *testing.T) {
		got := mustSort(t, append(flags, "-i", orderGolden+in+".sam", "-format", "sam", "-no-pg")...)
		if want := readFile(t, orderGolden+in+"."+want+".sam"); got != want {
			t.Errorf("%q: %s", flags, firstDifference(got, want))
		}
	}
}

// both returns a test that a and b pass.
func both(a, b func(t *testing.T)) func(t *testing.T) {
	return func(t *testing.T) {
		a(t)
		b(t)
	}
}

// features are tests of what the README's table says of gosort, by the names of its rows.
var features = map[string]func(t *testing.T){
	"coordinate order":       TestGolden,
	"names in natural order": TestGolden,
	"names in byte order":    TestGolden,
	"Picard's own two orders": both(
		sortsLike("c02_coord_strand_ties", "picard.coordinate", "-order", "coordinate:picard"),
		sortsLike("n09_hi_tags", "picard.queryname", "-order", "queryname:picard")),
	"by tag": both(
		sortsLike("t04_mixed_types", "stdev.tXX", "-t", "XX"),
		sortsLike("t01_int", "stdev.tXXn", "-t", "XX", "-n")),
	"template-coordinate":  sortsLike("x01_tc_pairs", "stdev.tc", "-order", "template-coordinate"),
	"SAM input and output": TestSAMgz,
	"CRAM input and output": func(t *testing.T) {
		in := filepath.Join(t.TempDir(), "in.cram")
		writeFile(t, in, "CRAM\x03\x00", 0o600)
		wantFailure(t, "hint: samtools view -u ", "-i", in)
	},
	"several inputs sorted into one":                 TestSeveralInputs,
	"merge of sorted inputs, refusing unsorted ones": both(TestMergeOfManyFiles, TestMergeRefuses),
	"index while writing": func(t *testing.T) { // TestIndex looks into it
		dir := t.TempDir()
		for format, magic := range map[string]string{"bai": "BAI\x01", "csi": "\x1f\x8b\x08\x04"} {
			out := filepath.Join(dir, format)
			mustSort(t, "-i", golden+"/../sarscov2_illumina_bwamem_namegrouped.bam", "-o", out, "-index", format)
			if got := readFile(t, out+"."+format); !strings.HasPrefix(got, magic) {
				t.Errorf("%s begins with %q, want %q", format, got[:4], magic)
			}
		}
	},
	"check of order without writing": TestCheck,
	"MD5 file while writing":         TestMD5,
	"memory limit":                   TestHeadersTooLarge, // and TestMemory, which takes long
	"input without end-of-file marker": func(t *testing.T) {
		wantFailure(t, "no EOF marker", "-i", golden+"/b03_no_eof_marker/input.bam", "-format", "sam")
	},
}

// wantFailure runs the program and wants it to fail with words.
func wantFailure(t *testing.T, words string, args ...string) {
	t.Helper()
	if got := gosort(t, args...); got.code != exitFailed || !strings.Contains(got.stderr, words) {
		t.Errorf("%q: status %d, want %d; it says\n%swant %q", args, got.code, exitFailed, got.stderr, words)
	}
}

// TestFeatures runs a test for each row of the README's table of features.
func TestFeatures(t *testing.T) {
	_, section, _ := strings.Cut(readme(t), "## Features\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile(`(?m)^\| ([^|]+) \|`).FindAllStringSubmatch(section, -1)
	if len(rows) != len(features) {
		t.Errorf("the README has %d features, %d are tested", len(rows), len(features))
	}
	for _, row := range rows {
		test, ok := features[row[1]]
		if !ok {
			t.Errorf("%q is not tested", row[1])
			continue
		}
		t.Run(row[1], test)
	}
}
