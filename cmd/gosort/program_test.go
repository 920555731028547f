package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
	"github.com/gosort/gosort/bgzfout"
)

// golden is where expected results and real files lie; their README has the
// origins.
const golden = "../../testdata/golden"

// outcome is what a run of gosort left.
type outcome struct {
	code           int
	stdout, stderr string
}

// gosort runs the program in this process, with nothing on standard input, and
// takes back what it sets for the whole process.
func gosort(t testing.TB, args ...string) outcome {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer debug.SetMemoryLimit(math.MaxInt64)
	dir := t.TempDir()
	var files [3]*os.File
	for i, path := range []string{os.DevNull, filepath.Join(dir, "stdout"), filepath.Join(dir, "stderr")} {
		var err error
		flags := os.O_WRONLY | os.O_CREATE
		if i == 0 {
			flags = os.O_RDONLY // for both it would be what a closed one looks like
		}
		if files[i], err = os.OpenFile(path, flags, 0o600); err != nil {
			t.Fatal(err)
		}
		defer files[i].Close()
	}
	code := run(context.Background(), args, files[0], files[1], files[2])
	return outcome{code, readFile(t, filepath.Join(dir, "stdout")), readFile(t, filepath.Join(dir, "stderr"))}
}

// mustSort runs the program in this process and wants success without words.
func mustSort(t testing.TB, args ...string) string {
	t.Helper()
	got := gosort(t, args...)
	if got.code != 0 || complaints(got.stderr) != "" {
		t.Fatalf("gosort %q: status %d, want 0; it says\n%s", args, got.code, got.stderr)
	}
	return got.stdout
}

// command is gosort as a process of its own, found by the PATH that TestMain
// sets.
func command(args ...string) *exec.Cmd { return exec.Command("gosort", args...) }

// child runs cmd and returns how it ended.
func child(t testing.TB, cmd *exec.Cmd) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); !ok {
			t.Fatal(err)
		}
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// sortStats is what -stats says of the spilling.
type sortStats struct {
	Runs     int   `json:"runs"`
	RawBytes int64 `json:"raw_bytes"`
}

// mustSortChild runs gosort as its own process, wants success without words,
// and returns its statistics.
func mustSortChild(t testing.TB, args ...string) sortStats {
	t.Helper()
	return mustSortAs(t, command(args...))
}

// mustSortAs is mustSortChild for a command whose last arguments are gosort's.
func mustSortAs(t testing.TB, cmd *exec.Cmd) sortStats {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stats.json")
	cmd.Args = append(cmd.Args, "-stats", path)
	if got := child(t, cmd); got.code != 0 || complaints(got.stderr) != "" {
		t.Fatalf("%q: status %d, want 0; it says\n%s", cmd.Args, got.code, got.stderr)
	}
	return sortStatsOf(t, path)
}

func sortStatsOf(t testing.TB, path string) (stats sortStats) {
	t.Helper()
	if err := json.Unmarshal([]byte(readFile(t, path)), &stats); err != nil {
		t.Fatal(err)
	}
	return stats
}

// complaints is what gosort says but for the warning that the temporary
// directory is in memory, as it may well be in tests.
func complaints(stderr string) string {
	var rest strings.Builder
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "gosort: warning: temporary files in ") {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func wantMissing(t testing.TB, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is there (%v), want no output", path, err)
	}
}

// readRecords returns the records of a BAM or SAM file.
func readRecords(t testing.TB, path string) []bam.Record {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := bam.NewReader(file, bam.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var records []bam.Record
	for {
		borrowed, err := r.Read()
		if err == io.EOF {
			return records
		} else if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		own, err := bam.ParseRecord(slices.Clone(borrowed.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, own)
	}
}

// bamBytes returns a BAM file of the records n times over. The mapping quality
// tells one time from the other and is no sort key: there are as many ties as
// can be, and every exchange of two shows.
func bamBytes(t testing.TB, h *bam.Header, records []bam.Record, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := bgzfout.NewWriter(&b, bgzfout.Options{Level: 1, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	w, err := bam.NewWriter(z, h, bam.BAM)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		for _, r := range records {
			r.Bytes()[9] = byte(i) // MAPQ, SAMv1 section 4.2
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mixedBAM returns a BAM of about the given bytes of records, uncompressed:
// ordinary reads and odd ones.
func mixedBAM(t testing.TB, raw int) []byte {
	t.Helper()
	records := slices.Concat(
		bamtest.Generator{Seed: 1, Refs: 3}.Records(t, 2000),
		bamtest.Generator{Seed: 2, Refs: 3, Odd: true}.Records(t, 2000))
	size := 0
	for _, r := range records {
		size += 4 + len(r.Bytes())
	}
	return bamBytes(t, bamtest.Header(t, 3), records, (raw+size-1)/size)
}

// firstDifference shows where two texts part, for they are long.
func firstDifference(got, want string) string {
	g, w := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: got\n%.500s\nwant\n%.500s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g)-1, len(w)-1)
}
