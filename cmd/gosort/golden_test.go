package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam/bamtest"
)

// goldenOrders are the orders as the names of the expected files spell them.
var goldenOrders = []struct {
	name  string
	flags []string
}{{"coordinate", nil}, {"n", []string{"-n"}}, {"N", []string{"-N"}}}

// goldenFlags are those that an input is refused without.
var goldenFlags = map[string][]string{
	"b03_no_eof_marker": {"-allow-truncated"},
	"b09_empty_file":    {"-allow-empty"},
}

// goldenCases guards against files that are missing or not found.
const goldenCases = 39

func TestGolden(t *testing.T) {
	inputs, err := filepath.Glob(golden + "/*/input.*")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, input := range inputs {
		dir := filepath.Dir(input)
		if filepath.Base(dir) == programCase {
			continue
		}
		for _, order := range goldenOrders {
			want, ok := expected(t, dir, order.name)
			if !ok {
				continue
			}
			cases++
			t.Run(filepath.Base(dir)+"/"+order.name, func(t *testing.T) {
				flags := append([]string{"-i", input, "-format", "sam", "-no-pg"}, order.flags...)
				got := gosort(t, append(flags, goldenFlags[filepath.Base(dir)]...)...)
				if got.code != 0 || got.stdout != want {
					t.Errorf("status %d, got\n%s\nwant\n%s\nit says %s", got.code, got.stdout, want, got.stderr)
				}
			})
		}
	}
	if cases != goldenCases {
		t.Errorf("%d cases under %s, want %d", cases, golden, goldenCases)
	}
}

// expected joins the header that samtools 1.23.1 makes with its records, or
// with those of another tool where its file lies beside it.
func expected(t *testing.T, dir, order string) (text string, ok bool) {
	t.Helper()
	var header, records string
	for _, tool := range []string{"stdev", "st116", "picard"} {
		b, err := os.ReadFile(fmt.Sprintf("%s/%s.%s.sam", dir, tool, order))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		ok = true
		h, r := splitSAM(string(b))
		if header == "" {
			header = h
		}
		records = r
	}
	return header + records, ok
}

// splitSAM divides a SAM text where the header ends.
func splitSAM(text string) (header, records string) {
	n := 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "@") {
			break
		}
		n += len(line)
	}
	return text[:n], text[n:]
}

// TestGoldenRefused: damage is an error, and leaves nothing.
func TestGoldenRefused(t *testing.T) {
	for name, words := range map[string]string{
		"b03_no_eof_marker":                      "no EOF marker",
		"b04_truncated_mid_block":                "truncated",
		"b05_truncated_at_block_edge_mid_record": "truncated",
		"b08_bad_crc":                            "CRC32",
		"b09_empty_file":                         "the input is empty",
	} {
		for _, format := range []string{"bam", "sam"} {
			t.Run(name+"/"+format, func(t *testing.T) {
				input, out := filepath.Join(golden, name, "input.bam"), filepath.Join(t.TempDir(), "out")
				got := gosort(t, "-i", input, "-o", out, "-format", format)
				first, _, _ := strings.Cut(complaints(got.stderr), "\n")
				if got.code != 1 || !strings.HasPrefix(first, "gosort: error: "+input+": ") || !strings.Contains(first, words) {
					t.Errorf("status %d, it says %q, want 1 and %q of %s", got.code, first, words, input)
				}
				wantNames(t, filepath.Dir(out))
			})
		}
	}
}

// TestGoldenPassesThrough: a CIGAR that does not fit the bases is no sorter's
// business, though samtools and Picard drop the record.
func TestGoldenPassesThrough(t *testing.T) {
	input, out := golden+"/b12_cigar_seq_mismatch/input.bam", filepath.Join(t.TempDir(), "out.bam")
	mustSort(t, "-i", input, "-o", out)
	got, want := readRecords(t, out), readRecords(t, input)
	bamtest.SameRecords(t, got, want)
	if name := string(got[0].ReadName()); len(got) != 2 || name != "b" { // on the first reference
		t.Errorf("%d records, %q first, want 2, and b first", len(got), name)
	}
}

// TestGoldenUnknownLines: a header line of a type that nobody knows is kept.
// samtools refuses it and Picard drops it, so the input is what is expected.
func TestGoldenUnknownLines(t *testing.T) {
	input := golden + "/g04_unknown_lines/input.sam"
	want := strings.Replace(readFile(t, input), "SO:unsorted", "SO:coordinate", 1)
	if got := mustSort(t, "-i", input, "-format", "sam", "-no-pg"); got != want || !strings.Contains(got, "\n@XX\tfoo:bar\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

const programCase = "g03_pg_chains"

// TestGoldenProgramLine compares the new @PG line by rule: it stands where
// samtools puts its own and follows the same program; all other lines are equal.
func TestGoldenProgramLine(t *testing.T) {
	dir := filepath.Join(golden, programCase)
	want, _ := expected(t, dir, "coordinate")
	theirs := programLine(t, want, "ID:samtools.1")
	text := mustSort(t, "-i", filepath.Join(dir, "input.sam"), "-format", "sam")
	ours := programLine(t, text, "ID:gosort")
	if got := strings.Replace(text, ours, theirs, 1); got != want {
		t.Errorf("beside the new line, got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(theirs, "\tPP:samtools\t") {
		t.Fatalf("%q does not follow samtools", theirs)
	}
	for _, field := range []string{"PN:gosort", "VN:" + version, "PP:samtools"} {
		if !strings.Contains(strings.TrimSuffix(ours, "\n")+"\t", "\t"+field+"\t") {
			t.Errorf("%q lacks %s", ours, field)
		}
	}
	if strings.Count(text, "PN:gosort") != 1 {
		t.Errorf("want one line of gosort in\n%s", text)
	}
}

func programLine(t *testing.T, text, id string) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "@PG\t"+id+"\t") {
			return line
		}
	}
	t.Fatalf("no @PG %s in\n%s", id, text)
	return ""
}

// TestSamtoolsSortCases are samtools' own.
func TestSamtoolsSortCases(t *testing.T) {
	for _, test := range []struct{ flag, input, want string }{
		{"-order=coordinate", "test_input_1_a.bam", "pos"},
		{"-n", "test_input_1_a.bam", "name"},
		{"-N", "test_input_1_b.bam", "name2"},
		{"-n", "sort_name_input_1.sam", "name3"},
	} {
		t.Run(test.want, func(t *testing.T) {
			dir := filepath.Join(golden, "samtools_sort")
			want := readFile(t, filepath.Join(dir, test.want+".sort.expected.sam"))
			if test.want == "name3" { // with samtools' own @PG line, which the others lack
				want = strings.Replace(want, programLine(t, want, "ID:samtools"), "", 1)
			}
			got := mustSort(t, "-i", filepath.Join(dir, test.input), test.flag, "-format", "sam", "-no-pg")
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
