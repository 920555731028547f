package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
)

// TestNothingLate: what must fail is known before the records are read.
func TestNothingLate(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.sam"), filepath.Join(dir, "out.bam")
	// Reading the records would be another error.
	writeFile(t, in, "@SQ\tSN:a\tLN:600000000\nbad\n", 0o600)
	for _, name := range []string{".csi", ".md5"} {
		if err := os.Mkdir(out+name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		code  int
		words string
		args  []string
	}{
		{exitFailed, "out.bam.csi is a directory", []string{"-index"}},
		{exitFailed, "out.bam.md5 is a directory", []string{"-md5"}},
		{exitUsage, "a BAI index holds at most 2^29: choose CSI", []string{"-index", "bai"}},
		{exitFailed, "line has 1 columns", nil},
	} {
		got := gosort(t, append(test.args, "-i", in, "-o", out)...)
		if got.code != test.code || !strings.Contains(got.stderr, test.words) {
			t.Errorf("%q: status %d, want %d; it says\n%swant %q", test.args, got.code, test.code, got.stderr, test.words)
		}
		wantMissing(t, out)
	}
}

// TestInputChanges: a file that is another one when it is opened again is refused, whichever way it is another.
func TestInputChanges(t *testing.T) {
	text := "@SQ\tSN:a\tLN:9\n"
	for name, change := range map[string]func(path string) error{
		"not": func(string) error { return nil },
		"replaced": func(path string) error {
			return errors.Join(os.Rename(path, path+".old"), os.WriteFile(path, []byte(text), 0o600))
		},
		"longer": func(path string) error { return os.WriteFile(path, []byte(text+text), 0o600) },
		"gone":   os.Remove,
	} {
		path := filepath.Join(t.TempDir(), "in.sam")
		writeFile(t, path, text, 0o600)
		in, err := openInput(t.Context(), config{}, path, nil, bam.ReaderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(in.close(), change(path)); err != nil {
			t.Fatal(err)
		}
		err = in.open(t.Context(), config{}, bam.ReaderOptions{})
		if (err == nil) != (name == "not") {
			t.Errorf("%s: got %v", name, err)
		}
		if err := in.close(); err != nil {
			t.Error(err)
		}
	}
}

// TestMD5Line: names that would break the line are escaped as md5sum does.
func TestMD5Line(t *testing.T) {
	for path, want := range map[string]string{
		"d/a b.bam": "01ff  a b.bam\n",
		`d/a\b.bam`: `\01ff  a\\b.bam` + "\n",
		"a\nb.bam":  `\01ff  a\nb.bam` + "\n",
	} {
		if got := md5Line([]byte{1, 0xff}, path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

// TestMergeOfRenamed: an input that is in order until its read groups are renamed is told that it was the renaming.
func TestMergeOfRenamed(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.sam"), filepath.Join(dir, "b.sam")
	const read = "\t0\tc1\t1" + fields + "\tRG:Z:"
	writeFile(t, a, "@SQ\tSN:c1\tLN:99\n@RG\tID:a\tSM:1\nr"+read+"a\n", 0o600)
	writeFile(t, b, "@SQ\tSN:c1\tLN:99\n@RG\tID:a\tSM:2\n@RG\tID:a.0\tSM:3\nr"+read+"a\ns"+read+"a.0\n", 0o600)
	flags := []string{"-t", "RG", "-i", a, "-i", b, "-o", filepath.Join(dir, "out.bam")}
	mustSort(t, flags...)
	wantFailure(t, "hint: what its header names was renamed", append(flags, "-merge")...)
}
