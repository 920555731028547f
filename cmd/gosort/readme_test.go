package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// readme returns the text of the README.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fenced returns the README's only code block that begins with ```info.
func fenced(t *testing.T, info string) string {
	t.Helper()
	blocks := regexp.MustCompile("(?ms)^```"+info+"\n(.*?)^```$").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) != 1 {
		t.Fatalf("the README has %d blocks of %q, want 1", len(blocks), info)
	}
	return blocks[0][1]
}

func TestReadmeIsShort(t *testing.T) {
	if got := strings.Count(readme(t), "\n"); got > 230 {
		t.Errorf("%d lines, want at most 230", got)
	}
}

// TestReadmeListsFlags holds the README's table to the usage text, names of values included.
func TestReadmeListsFlags(t *testing.T) {
	var listed, want []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`-[^|]*) \\|").FindAllStringSubmatch(readme(t), -1) {
		for _, flag := range regexp.MustCompile("`(-[^`]*)`").FindAllStringSubmatch(row[1], -1) {
			listed = append(listed, flag[1])
		}
	}
	for _, flag := range regexp.MustCompile(`(?m)^\t(-\S+(?: [A-Z]+\b)?)`).FindAllStringSubmatch(usageText, -1) {
		want = append(want, flag[1])
	}
	slices.Sort(listed)
	slices.Sort(want)
	if !slices.Equal(listed, want) {
		t.Errorf("the README lists\n%q, the usage text\n%q", listed, want)
	}
}

// TestReadmeHint holds the README's example of a corrected command line to what is printed.
func TestReadmeHint(t *testing.T) {
	line := regexp.MustCompile(`(?m)^\$ gosort (.*)\n((?:gosort: .*\n)+)`).FindStringSubmatch(readme(t))
	if line == nil {
		t.Fatal("the README has no example")
	}
	_, err := parseArgs(strings.Fields(line[1]))
	message, hints := explain(err, config{})
	got := "gosort: error: " + message + "\n"
	for _, hint := range hints {
		got += "gosort: hint: " + hint + "\n"
	}
	if got != line[2] {
		t.Errorf("gosort %s prints\n%s, the README says\n%s", line[1], got, line[2])
	}
}

// TestReadmeLeastMemory holds the README's numbers to the ledger.
func TestReadmeLeastMemory(t *testing.T) {
	claims := regexp.MustCompile(`(\d+)M\s+with\s+(\d+)`).FindAllStringSubmatch(readme(t), -1)
	if len(claims) < 5 {
		t.Fatalf("the README gives the least memory for %d numbers of threads, want 5 or more", len(claims))
	}
	for _, claim := range claims {
		threads, err := strconv.Atoi(claim[2])
		if err != nil {
			t.Fatal(err)
		}
		_, err = divideMemory(config{memory: leastSize, threads: threads, level: 6})
		usage, ok := errors.AsType[*usageError](err)
		if !ok {
			t.Fatalf("%d threads: %v, want a usageError", threads, err)
		}
		want := fmt.Sprintf("the least that works is -memory %sM with -threads %d", claim[1], threads)
		if got := usage.hints[0]; got != want {
			t.Errorf("%q, the README says %q", got, want)
		}
	}
}

// TestReadmeLibraryExample holds the README to code that is compiled and run.
func TestReadmeLibraryExample(t *testing.T) {
	example, err := os.ReadFile(filepath.Join(root, "sortcoll", "example_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for line := range strings.Lines(fenced(t, "go")) {
		want.WriteString("\t" + line)
	}
	if !strings.Contains(string(example), "{\n"+want.String()+"}\n") {
		t.Errorf("no function of sortcoll/example_test.go has the body\n%s", want.String())
	}
}

// TestReadmeSlurm runs the job script as a batch system would.
func TestReadmeSlurm(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the script is for bash:", err)
	}
	dir := t.TempDir()
	in, err := os.ReadFile(filepath.Join(root, "testdata", "sarscov2_illumina_bwamem_namegrouped.bam"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "in.bam"), in, 0o600); err != nil {
		t.Fatal(err)
	}
	job := exec.Command(bash, "-c", fenced(t, "sh slurm"))
	job.Dir = dir
	job.Env = append(os.Environ(), "SLURM_CPUS_PER_TASK=2", "SLURM_MEM_PER_NODE=100", "TMPDIR="+dir)
	words, err := job.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, words)
	}
	if want := "memory 90M (as -memory says), threads 2"; !strings.Contains(string(words), want) {
		t.Errorf("the job says\n%s, want %q", words, want)
	}
	if out, err := os.Stat(filepath.Join(dir, "out.bam")); err != nil || out.Size() == 0 {
		t.Errorf("the job's output: %v, %v", out, err)
	}
}
