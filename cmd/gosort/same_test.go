package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// way is how a sort is done, which must not show in what it gives.
type way struct{ threads, memory, codec string }

var (
	wayThreads  = []string{"1", "2", "7"}
	wayMemories = []string{"32M", "1G"}
	wayCodecs   = []string{"s2", "zstd", "none"}
)

// everyWay is the full product.
func everyWay() (ways []way) {
	for _, threads := range wayThreads {
		for _, memory := range wayMemories {
			for _, codec := range wayCodecs {
				ways = append(ways, way{threads, memory, codec})
			}
		}
	}
	return ways
}

// someWays has each of threads with each of memory, and each codec where it
// is used.
func someWays() (ways []way) {
	for i, threads := range wayThreads {
		for _, memory := range wayMemories {
			ways = append(ways, way{threads, memory, wayCodecs[i]})
		}
	}
	return ways
}

// TestSameBytes: the output depends on input, order, level and format only.
func TestSameBytes(t *testing.T) {
	size, all, some := 24<<20, everyWay(), someWays()
	if raceEnabled || testing.Short() {
		size, some = 16<<20, []way{{"2", "32M", "zstd"}, {"7", "32M", "s2"}, {"1", "1G", "none"}}
		all = some
	}
	input := filepath.Join(t.TempDir(), "in.bam")
	if err := os.WriteFile(input, mixedBAM(t, size), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		flags string
		ways  []way
	}{
		{"-order=coordinate -level=1", all},
		{"-n -level=1", some},
		{"-N -format=sam", some},
		{"-order=unsorted -level=1", some},
		{"-order=coordinate -level=6 -max-runs=2", some[:3]},
	} {
		t.Run(strings.ReplaceAll(test.flags, " ", ""), func(t *testing.T) {
			first := ""
			for _, w := range test.ways {
				got := sortOneWay(t, input, w, strings.Fields(test.flags))
				if first == "" {
					first = got
				}
				if got != first {
					t.Errorf("%+v gives %s, %+v %s, want the same bytes", w, got, test.ways[0], first)
				}
			}
		})
	}
}

// sortOneWay returns a digest of the output, and sees that runs were written
// where there is little memory and none where there is enough.
func sortOneWay(t *testing.T, input string, w way, flags []string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	stats := mustSortChild(t, append(flags, "-i", input, "-o", out, "-no-pg", // which would tell the flags
		"-threads", w.threads, "-memory", w.memory, "-spill-codec", w.codec)...)
	spills := w.memory == "32M" && flags[0] != "-order=unsorted"
	if (stats.Runs > 0) != spills {
		t.Fatalf("%+v: %d runs, want some: %v", w, stats.Runs, spills)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(readFile(t, out))))
}

// TestSameBytesFromPipe: where the records come from and go to does not count,
// and neither does a pause in the middle of a block.
func TestSameBytesFromPipe(t *testing.T) {
	data := mixedBAM(t, 1<<20)
	input := filepath.Join(t.TempDir(), "in.bam")
	if err := os.WriteFile(input, data, 0o600); err != nil {
		t.Fatal(err)
	}
	want := mustSort(t, "-i", input, "-no-pg")
	cmd := command("-no-pg")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer stdin.Close()
		for len(data) > 0 {
			n := min(len(data), 7001)
			if _, err := stdin.Write(data[:n]); err != nil {
				return // the test sees what is missing
			}
			data = data[n:]
		}
	}()
	if got := child(t, cmd); got.code != 0 || got.stdout != want {
		t.Errorf("status %d, %d bytes, want 0 and the %d bytes of a sort of the file; it says %s",
			got.code, len(got.stdout), len(want), got.stderr)
	}
}
