package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestDefaultTempDir(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(dir, "elsewhere")
	if err := os.Mkdir(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "file"), "", 0o600)
	if err := os.Symlink("elsewhere/out.bam", filepath.Join(dir, "link.bam")); err != nil {
		t.Skip(err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	for output, want := range map[string]string{
		"-":                     os.TempDir(),
		os.DevNull:              os.TempDir(),
		dir:                     os.TempDir(), // createOutput refuses it
		dir + "/missing/x.bam":  os.TempDir(), // likewise
		dir + "/file/out.bam":   os.TempDir(), // likewise
		dir + "/out.bam":        dir,
		dir + "/link.bam":       elsewhere,
		elsewhere + "/../x.bam": dir,
	} {
		if got := defaultTempDir(output); got != want {
			t.Errorf("defaultTempDir(%q) = %q, want %q", output, got, want)
		}
	}
	if runtime.GOOS != "windows" && os.TempDir() != filepath.Join(dir, "tmp") {
		t.Errorf("the system's directory is %q, want $TMPDIR", os.TempDir())
	}
}

func TestTmpfsWarning(t *testing.T) {
	disk := t.TempDir()
	if inMemory(disk) {
		t.Skip("the test's own directory is in memory")
	}
	if got := tmpfsWarning([]string{disk, disk + "/missing"}); got != "" {
		t.Errorf("on disk: got %q, want no warning", got)
	}
	const memory = "/dev/shm"
	if !inMemory(memory) {
		t.Skip(memory, "is not in memory here")
	}
	if got := tmpfsWarning([]string{disk, memory}); !strings.Contains(got, memory) || !strings.Contains(got, "-tmpdir") {
		t.Errorf("got %q, want a warning about %s", got, memory)
	}
}

func TestFreeSpace(t *testing.T) {
	if free, ok := freeSpace(t.TempDir()); ok != (runtime.GOOS == "linux") || ok && free <= 0 {
		t.Errorf("freeSpace of a directory we write in: %d, %v", free, ok)
	}
	if free, ok := freeSpace(filepath.Join(t.TempDir(), "missing")); ok {
		t.Errorf("freeSpace of a missing directory: %d, true", free)
	}
}
