package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openFile opens what the test needs as a standard stream.
func openFile(t *testing.T, path string, flags int) *os.File {
	t.Helper()
	file, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// terminal returns a file that is a terminal.
func terminal(t *testing.T) *os.File {
	t.Helper()
	file, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { file.Close() })
	if !isTerminal(file) {
		t.Skip("/dev/ptmx is no terminal here")
	}
	return file
}

func TestCheckFilesSame(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.bam")
	writeFile(t, in, "x", 0o644)
	writeFile(t, filepath.Join(dir, "other.bam"), "x", 0o644)
	if err := errors.Join(os.Link(in, filepath.Join(dir, "hard")), os.Symlink("in.bam", filepath.Join(dir, "soft")),
		os.Symlink("soft", filepath.Join(dir, "softer"))); err != nil {
		t.Skip(err)
	}
	null := openFile(t, os.DevNull, os.O_RDWR)
	for _, test := range []struct {
		name, in, out string
		stdin, stdout *os.File
		same          bool
	}{
		{"same spelling", in, in, null, null, true},
		{"other spelling", in, dir + "/./in.bam", null, null, true},
		{"hard link", in, dir + "/hard", null, null, true},
		{"symbolic links", dir + "/soft", dir + "/softer", null, null, true},
		{"redirected input", "-", in, openFile(t, in, os.O_RDONLY), null, true},
		{"redirected output", in, "-", null, openFile(t, in, os.O_WRONLY), true},
		{"both redirected", "-", "-", openFile(t, in, os.O_RDONLY), openFile(t, in, os.O_WRONLY), true},
		{"two files", in, dir + "/other.bam", null, null, false},
		{"new output", in, dir + "/new.bam", null, null, false},
		{"no input", dir + "/missing", in, null, null, false},
		{"a device", os.DevNull, os.DevNull, null, null, false},
		{"a device, redirected", "-", "-", openFile(t, os.DevNull, os.O_RDONLY), openFile(t, os.DevNull, os.O_WRONLY), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := checkFiles(config{inputs: []string{test.in}, output: test.out, format: formatSAM}, test.stdin, test.stdout)
			usage, refused := errors.AsType[*usageError](err)
			if refused != test.same || !refused && err != nil {
				t.Fatalf("got %v, want refused: %v", err, test.same)
			}
			if refused && !strings.HasPrefix(usage.msg, "input and output are the same file: ") {
				t.Errorf("got %q", usage.msg)
			}
		})
	}
}

func TestCheckFilesTerminal(t *testing.T) {
	tty, null := terminal(t), openFile(t, os.DevNull, os.O_WRONLY)
	for _, test := range []struct {
		name          string
		cfg           config
		stdin, stdout *os.File
		want          string
	}{
		{"BAM to a terminal", config{inputs: []string{"in"}, output: "-", format: formatBAM}, null, tty, "BAM is not written to a terminal"},
		{"SAM to a terminal", config{inputs: []string{"in"}, output: "-", format: formatSAM}, null, tty, ""},
		{"BAM to a pipe", config{inputs: []string{"in"}, output: "-", format: formatBAM}, tty, null, ""},
		{"terminal as input", config{inputs: []string{"-"}, output: "out", format: formatBAM}, tty, null, "no input: "},
		{"neither used", config{inputs: []string{"in"}, output: "out", format: formatBAM}, tty, tty, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := checkFiles(test.cfg, test.stdin, test.stdout)
			if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestCheckFilesTempDirs(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	writeFile(t, file, "", 0o600)
	null := openFile(t, os.DevNull, os.O_RDWR)
	for _, test := range []struct{ dir, want string }{
		{dir, ""},
		{dir + "/missing", "does not exist"},
		{file, "is not a directory"},
	} {
		err := checkFiles(config{inputs: []string{"in"}, output: "out", tmpdirs: []string{dir, test.dir}}, null, null)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.dir, err, test.want)
		}
	}
}

// TestReportsOverwriteNothing: statistics and profiles have files of their own.
func TestReportsOverwriteNothing(t *testing.T) {
	dir := t.TempDir()
	in, out, other := filepath.Join(dir, "in.bam"), filepath.Join(dir, "out.bam"), filepath.Join(dir, "other")
	writeFile(t, in, "x", 0o600)
	if err := os.Link(in, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	null := openFile(t, os.DevNull, os.O_RDWR)
	for _, test := range []struct {
		cfg  config
		want string
	}{
		{config{statsFile: out}, "-stats " + out + " is the output too"},
		{config{statsFile: filepath.Join(dir, ".", "x", "..", "out.bam")}, "is the output too"},
		{config{cpuProfile: in}, "-cpuprofile " + in + " is the input too"},
		{config{memProfile: filepath.Join(dir, "link")}, "is the input too"},
		{config{traceFile: other, cpuProfile: other}, "is that of -cpuprofile too"},
		{config{md5: true, statsFile: out + ".md5"}, "is that of -stats too"},
		{config{index: indexAuto, statsFile: out + ".csi"}, "is that of -stats too"},
		{config{index: indexBAI, statsFile: out + ".csi"}, ""},
		{config{md5: true, index: indexBAI}, ""},
		{config{md5: true, output: os.DevNull}, "-index and -md5 write beside the output, and /dev/null is no file"},
		{config{index: indexAuto, output: os.DevNull}, "is no file that they could lie beside"},
		{config{statsFile: os.DevNull, traceFile: os.DevNull}, ""},
		{config{statsFile: other, traceFile: filepath.Join(dir, "t")}, ""},
	} {
		test.cfg.inputs, test.cfg.output, test.cfg.format = []string{other + "0", in}, cmp.Or(test.cfg.output, out), formatSAM
		err := checkFiles(test.cfg, null, null)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: got %v, want %q", test.cfg, err, test.want)
		}
	}
}
