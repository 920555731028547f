package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// fields are the columns of a placed read behind its position.
const fields = "\t60\t4M\t*\t0\t0\tACGT\tIIII"

// twoInputs are files whose headers clash in everything that may.
func twoInputs(t *testing.T) (dir, a, b string) {
	t.Helper()
	dir = t.TempDir()
	a, b = filepath.Join(dir, "a.sam"), filepath.Join(dir, "b.sam")
	writeFile(t, a, "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:c1\tLN:1000\n@SQ\tSN:c2\tLN:1000\n@RG\tID:x\tSM:one\n@PG\tID:p\tVN:1\n@CO\tcommon\n@CO\tof a\n"+
		"a1\t0\tc1\t5"+fields+"\tRG:Z:x\n"+"a2\t0\tc2\t5"+fields+"\tRG:Z:x\tPG:Z:p\n", 0o600)
	writeFile(t, b, "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:c0\tLN:500\n@SQ\tSN:c2\tLN:1000\n@RG\tID:x\tSM:two\n@PG\tID:p\tVN:2\n@CO\tcommon\n"+
		"b0\t0\tc0\t9"+fields+"\n"+"b1\t0\tc2\t4"+fields+"\tRG:Z:x\tPG:Z:p\n"+"b2\t0\tc2\t5"+fields+"\n", 0o600)
	return dir, a, b
}

// TestSeveralInputs: one header, records in one order, ties by the order of the inputs, tags following their renamed
// lines; the same whether the files are sorted or merged.
func TestSeveralInputs(t *testing.T) {
	dir, a, b := twoInputs(t)
	var texts []string
	for _, flags := range [][]string{{}, {"-merge"}, {"-threads", "1"}, {"-merge", "-threads", "1"}} {
		out := filepath.Join(dir, "out.sam")
		mustSort(t, append([]string{"-i", a, "-i", b, "-o", out, "-no-pg"}, flags...)...)
		texts = append(texts, readFile(t, out))
	}
	for i, text := range texts {
		if text != texts[0] {
			t.Errorf("way %d differs: %s", i, firstDifference(text, texts[0]))
		}
	}
	header, records := splitSAM(texts[0])
	for _, want := range []string{"@SQ\tSN:c0\tLN:500\n", "@RG\tID:x\tSM:one\n", "\tSM:two\n", "\tVN:2\n", "@CO\tof a\n"} {
		if strings.Count(header, want) != 1 {
			t.Errorf("header has %q %d times, want once:\n%s", want, strings.Count(header, want), header)
		}
	}
	if n := strings.Count(header, "@CO\tcommon\n"); n != 1 {
		t.Errorf("the comment of both is there %d times, want once", n)
	}
	for _, want := range [][2]string{{"a1", "b1"}, {"b1", "a2"}, {"a2", "b2"}} {
		if i, j := strings.Index(records, want[0]), strings.Index(records, want[1]); i < 0 || j < i {
			t.Errorf("%s does not come before %s:\n%s", want[0], want[1], records)
		}
	}
	for line := range strings.Lines(records) {
		if was := strings.Contains(line, "RG:Z:x\n") || strings.Contains(line, "RG:Z:x\t"); was != strings.HasPrefix(line, "a") {
			t.Errorf("only b's read group is renamed, but: %s", line)
		}
	}
}

func TestInputsThatConflict(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.sam"), filepath.Join(dir, "b.sam")
	for _, test := range []struct{ a, b, want string }{
		{"@SQ\tSN:c1\tLN:10\n", "@SQ\tSN:c1\tLN:11\n", `"c1"`},
		{"@SQ\tSN:c1\tLN:10\n@SQ\tSN:c2\tLN:10\n", "@SQ\tSN:c2\tLN:10\n@SQ\tSN:c1\tLN:10\n", `"c1"`},
	} {
		writeFile(t, a, test.a, 0o600)
		writeFile(t, b, test.b, 0o600)
		got := gosort(t, "-i", a, "-i", b, "-o", filepath.Join(dir, "out.bam"))
		if got.code != 1 || !strings.Contains(got.stderr, test.want) || !strings.Contains(got.stderr, a) || !strings.Contains(got.stderr, b) {
			t.Errorf("%q and %q: status %d, it says\n%swant 1 with %s and the files", test.a, test.b, got.code, got.stderr, test.want)
		}
		wantMissing(t, filepath.Join(dir, "out.bam"))
	}
}

// TestMergeRefuses: an input of -merge that is out of order is named, with the record.
func TestMergeRefuses(t *testing.T) {
	dir, a, b := twoInputs(t)
	got := gosort(t, "-merge", "-n", "-i", a, "-i", b, "-o", filepath.Join(dir, "ok.bam"))
	if got.code != 0 {
		t.Errorf("inputs in name order: status %d: %s", got.code, got.stderr)
	}
	bad := filepath.Join(dir, "bad.sam")
	writeFile(t, bad, "@SQ\tSN:c1\tLN:1000\nz\t0\tc1\t9"+fields+"\ny\t0\tc1\t8"+fields+"\n", 0o600)
	out := filepath.Join(dir, "out.bam")
	got = gosort(t, "-merge", "-i", a, "-i", bad, "-o", out)
	if got.code != 1 || !strings.Contains(got.stderr, bad+": record 2 ") || !strings.Contains(got.stderr, `"y"`) {
		t.Errorf("status %d, want 1; it says\n%swant the file, record 2 and its name", got.code, got.stderr)
	}
	wantMissing(t, out)
}

// TestMergeOfManyFiles merges the parts of a sorted file back into it.
func TestMergeOfManyFiles(t *testing.T) {
	dir := t.TempDir()
	h := bamtest.Header(t, 3)
	args := []string{"-merge", "-no-pg", "-o", filepath.Join(dir, "merged.bam")}
	all := []string{"-no-pg", "-o", filepath.Join(dir, "all.bam")}
	for i := range 9 {
		in, part := filepath.Join(dir, fmt.Sprint("in", i, ".bam")), filepath.Join(dir, fmt.Sprint("part", i, ".bam"))
		records := bamtest.Generator{Seed: uint64(i), Refs: 3}.Records(t, 300)
		writeFile(t, in, string(bamBytes(t, h, records, 1)), 0o600)
		mustSort(t, "-i", in, "-o", part, "-no-pg")
		args, all = append(args, "-i", part), append(all, "-i", in)
	}
	mustSort(t, args...)
	mustSort(t, all...)
	if readFile(t, args[3]) != readFile(t, all[2]) {
		t.Error("the merged parts and the sorted whole differ")
	}
}

// TestSortedInputIsCopied: an input whose header is right about its order needs no collection, one whose header lies is
// sorted all the same, and the bytes are those of the ordinary way.
func TestSortedInputIsCopied(t *testing.T) {
	dir := t.TempDir()
	in, sorted, liar := filepath.Join(dir, "in.bam"), filepath.Join(dir, "sorted.bam"), filepath.Join(dir, "liar.bam")
	writeFile(t, in, string(mixedBAM(t, 1<<20)), 0o600)
	mustSort(t, "-i", in, "-o", sorted, "-no-pg")
	records := readRecords(t, sorted)
	records = append(records[1:], records[0]) // so that the lie shows at the last record
	r, err := os.Open(sorted)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	br, err := bam.NewReader(r, bam.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer br.Close()
	writeFile(t, liar, string(bamBytes(t, br.Header(), records, 1)), 0o600)
	for _, file := range []string{sorted, liar} {
		ordinary, quick := filepath.Join(dir, "ordinary.bam"), filepath.Join(dir, "quick.bam")
		piped := gosortPiped(t, file, "-no-pg", "-o", ordinary)
		if piped.code != 0 {
			t.Fatal(piped.stderr)
		}
		got := gosort(t, "-i", file, "-o", quick, "-no-pg", "-v")
		if got.code != 0 || strings.Contains(got.stderr, "read: ") != (file == liar) {
			t.Errorf("%s: status %d, it says\n%s", file, got.code, got.stderr)
		}
		if readFile(t, quick) != readFile(t, ordinary) {
			t.Errorf("%s: the quick way and the ordinary one differ", file)
		}
	}
}

// gosortPiped runs the program in this process with a file on standard input, which cannot be read twice.
func gosortPiped(t *testing.T, file string, args ...string) outcome {
	t.Helper()
	cmd := command(args...)
	cmd.Stdin = bytes.NewReader([]byte(readFile(t, file)))
	return child(t, cmd)
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	in, sorted := filepath.Join(dir, "in.bam"), filepath.Join(dir, "sorted.bam")
	writeFile(t, in, string(mixedBAM(t, 1<<18)), 0o600)
	mustSort(t, "-i", in, "-o", sorted)
	if got := gosort(t, "-check", "-i", sorted); got.code != 0 || !strings.Contains(got.stdout, "in coordinate order") || got.stderr != "" {
		t.Errorf("sorted: %+v", got)
	}
	hash := func(file string) string {
		_, after, _ := strings.Cut(gosort(t, "-check", "-v", "-order", "unsorted", "-i", file).stderr, "hash ")
		return after
	}
	if a, b := hash(in), hash(sorted); a != b || len(a) < 32 {
		t.Errorf("record hashes %q and %q, want the same", a, b)
	}
	if got := gosort(t, "-check", "-n", "-i", sorted); got.code != 1 || !strings.Contains(got.stderr, "sorts before record") {
		t.Errorf("by name: %+v", got)
	}
	cut := filepath.Join(dir, "cut.bam")
	writeFile(t, cut, strings.TrimSuffix(readFile(t, sorted), readFile(t, sorted)[len(readFile(t, sorted))-28:]), 0o600)
	if got := gosort(t, "-check", "-i", cut); got.code != 1 || !strings.Contains(got.stderr, "EOF marker") {
		t.Errorf("cut: %+v", got)
	}
}

func TestMD5(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.bam"), filepath.Join(dir, "out.bam")
	writeFile(t, in, string(mixedBAM(t, 1<<18)), 0o600)
	for _, threads := range []string{"1", "3"} {
		mustSort(t, "-i", in, "-o", out, "-md5", "-threads", threads)
		if got, want := readFile(t, out+".md5"), fmt.Sprintf("%x  out.bam\n", md5.Sum([]byte(readFile(t, out)))); got != want {
			t.Errorf("%s threads: got %q, want %q", threads, got, want)
		}
	}
}

// TestSAMgz: the text of -format sam, in BGZF.
func TestSAMgz(t *testing.T) {
	dir := t.TempDir()
	in, text, packed := realFiles(t)[0], filepath.Join(dir, "out.sam"), filepath.Join(dir, "out.sam.gz")
	mustSort(t, "-i", in, "-o", text, "-no-pg")
	mustSort(t, "-i", in, "-o", packed, "-no-pg")
	mustSort(t, "-i", packed, "-o", filepath.Join(dir, "again.sam"), "-order", "unsorted", "-no-pg")
	got := strings.Replace(readFile(t, filepath.Join(dir, "again.sam")), "SO:unsorted", "SO:coordinate", 1)
	if want := readFile(t, text); got != want {
		t.Errorf("the text differs: %s", firstDifference(got, want))
	}
	if head := readFile(t, packed)[:4]; head != "\x1f\x8b\x08\x04" {
		t.Errorf("out.sam.gz begins with %q", head)
	}
}
