package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

const (
	// memoryTested is -memory, and memoryAllowed what peak RSS may reach of it.
	memoryTested  = 64 << 20
	memoryAllowed = memoryTested + memoryTested/20
	// memoryInput is the least size of the input's records, uncompressed.
	memoryInput = 200 << 20
)

// TestMemory: peak RSS obeys -memory, for ordinary reads and for long ones. It
// is the kernel's count, as wait4 gives it for a gosort built without tests.
// That count includes what the parent had resident before it called exec: so a
// small process stands between.
func TestMemory(t *testing.T) {
	if args := os.Getenv("GOSORT_TEST_MEMORY"); args != "" {
		printPeak(strings.Split(args, "\n"))
		return
	}
	if raceEnabled || testing.Short() {
		t.Skip("sorts hundreds of MB; under -race memory is another matter")
	}
	binary := filepath.Join(t.TempDir(), "gosort")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Skipf("cannot build gosort: %v\n%s", err, out)
	}
	for _, test := range []struct {
		name      string
		generator bamtest.Generator
		records   int // of one copy
		refs      int
		flags     []string
	}{
		{"short reads", bamtest.Generator{Seed: 3, Refs: 3, Length: 100}, 40_000, 3, []string{"-index"}},
		{"short reads by name", bamtest.Generator{Seed: 3, Refs: 3, Length: 100}, 40_000, 3, []string{"-n"}},
		{"long reads", bamtest.Generator{Seed: 4, Refs: 3, Length: 50_000, Odd: true}, 100, 3, nil},
		{"many references", bamtest.Generator{Seed: 5, Refs: 3, Length: 100}, 40_000, 200_000, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			input, stats := filepath.Join(dir, "in.bam"), filepath.Join(dir, "stats.json")
			writeCopies(t, input, test.refs, test.generator.Records(t, test.records))
			args := slices.Concat([]string{binary, "-i", input, "-o", filepath.Join(dir, "out.bam"), "-stats", stats, "-level", "1",
				"-threads", "8", "-memory", fmt.Sprint(memoryTested)}, test.flags)
			peak := peakOf(t, args)
			t.Logf("peak RSS %d KiB", peak>>10)
			if peak > memoryAllowed {
				t.Errorf("peak RSS is %d bytes, %.2f of -memory, want at most 1.05", peak, float64(peak)/memoryTested)
			}
			if got := sortStatsOf(t, stats); got.Runs < 3 || got.RawBytes < memoryInput {
				t.Errorf("%d runs of %d bytes: the input is too small", got.Runs, got.RawBytes)
			}
		})
	}
}

// peakOf runs the command from a fresh process and returns its peak RSS.
func peakOf(t *testing.T, args []string) int64 {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestMemory$")
	cmd.Env = append(os.Environ(), "GOSORT_TEST_MEMORY="+strings.Join(args, "\n"))
	got := child(t, cmd)
	first, _, _ := strings.Cut(got.stdout, "\n")
	peak, err := strconv.ParseInt(first, 10, 64)
	if got.code != 0 || err != nil {
		t.Fatalf("%q: status %d, it says %s%s", args, got.code, got.stdout, got.stderr)
	}
	return peak
}

// printPeak runs the command and prints its peak RSS in bytes.
func printPeak(args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	fmt.Println(usage.Maxrss << 10)
}

// writeCopies writes a BAM that repeats the records until there are enough. The
// copies are compressed once: an EOF marker in the middle is legal.
func writeCopies(t *testing.T, path string, refs int, records []bam.Record) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	head := bamBytes(t, bamtest.Header(t, refs), nil, 0)
	copied := bytes.TrimPrefix(bamBytes(t, bamtest.Header(t, refs), records, 1), head[:len(head)-28])
	size := 0
	for _, r := range records {
		size += 4 + len(r.Bytes())
	}
	if _, err := file.Write(head); err != nil {
		t.Fatal(err)
	}
	for written := 0; written < memoryInput; written += size {
		if _, err := file.Write(copied); err != nil {
			t.Fatal(err)
		}
	}
}
