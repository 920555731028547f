package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// names lists a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func wantNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("%s holds %q, want %q", dir, got, want)
	}
}

func wantFile(t *testing.T, path, want string, mode fs.FileMode) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v, want %q", path, got, err, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != mode {
		t.Errorf("%s: %v, %v, want mode %v", path, info.Mode(), err, mode)
	}
}

func writeFile(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// begin creates an output and writes "new" to it.
func begin(t *testing.T, path string) *output {
	t.Helper()
	o, err := createOutput(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(o, "new"); err != nil {
		t.Fatal(err)
	}
	return o
}

// umaskedMode is what a new file gets here.
func umaskedMode(t *testing.T) fs.FileMode {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "x"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

func TestOutputNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.bam")
	o := begin(t, path)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the target exists before Commit: %v", err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, "new", umaskedMode(t))
	wantNames(t, dir, "out.bam")
}

func TestOutputExisting(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o664, 0o777} {
		dir := t.TempDir()
		path := filepath.Join(dir, "out.bam")
		writeFile(t, path, "old", mode)
		o := begin(t, path)
		wantFile(t, path, "old", mode)
		if err := o.Commit(); err != nil {
			t.Fatal(err)
		}
		wantFile(t, path, "new", mode)
		wantNames(t, dir, "out.bam")
	}
}

func TestOutputAbort(t *testing.T) {
	dir := t.TempDir()
	fresh, existing := filepath.Join(dir, "fresh"), filepath.Join(dir, "existing")
	writeFile(t, existing, "old", 0o644)
	for _, path := range []string{fresh, existing} {
		if err := begin(t, path).Abort(); err != nil {
			t.Errorf("Abort of %s: %v", path, err)
		}
	}
	wantFile(t, existing, "old", 0o644)
	wantNames(t, dir, "existing")
}

// TestOutputAppearsMeanwhile: a target made by someone else while we wrote is
// replaced, as a rename would.
func TestOutputAppearsMeanwhile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.bam")
	first, second := begin(t, path), begin(t, path)
	if err := errors.Join(first.Commit(), second.Commit()); err != nil {
		t.Fatal(err)
	}
	wantFile(t, path, "new", umaskedMode(t))
	wantNames(t, dir, "out.bam")
}

func TestOutputSymlinks(t *testing.T) {
	for _, test := range []struct {
		name, link, target string
		existing           bool
	}{
		{"relative", "../data/out.bam", "data/out.bam", true},
		{"relative and dangling", "../data/out.bam", "data/out.bam", false},
		{"chain", "second", "data/out.bam", true},
		{"chain and dangling", "second", "data/out.bam", false},
		{"dots after a linked directory", "elsewhere/../data/out.bam", "data/out.bam", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			for _, dir := range []string{"links", "data", "other"} {
				if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for link, to := range map[string]string{
				"links/first": test.link, "links/second": filepath.Join(root, "data/out.bam"), "links/elsewhere": "../other",
			} {
				if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
					t.Skip(err)
				}
			}
			target := filepath.Join(root, test.target)
			if test.existing {
				writeFile(t, target, "old", 0o640)
			}
			if err := begin(t, filepath.Join(root, "links/first")).Commit(); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(target); err != nil || string(got) != "new" {
				t.Errorf("the link's target holds %q, %v, want the new output", got, err)
			}
			if to, err := os.Readlink(filepath.Join(root, "links/first")); err != nil || to != test.link {
				t.Errorf("the link points to %q, %v, want %q", to, err, test.link)
			}
			wantNames(t, filepath.Join(root, "links"), "elsewhere", "first", "second")
			wantNames(t, filepath.Join(root, "data"), "out.bam")
		})
	}
}

func TestOutputRefused(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "file"), "old", 0o644)
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{
		"":              "is a directory",
		"missing/x.bam": "no such file",
		"file/x.bam":    "not a directory",
		"loop":          "too many",
	} {
		_, err := createOutput(t.Context(), dir+"/"+name, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("createOutput(%q): got %v, want %q", name, err, want)
		}
	}
	wantNames(t, dir, "file", "loop")
}

func TestOutputReadOnly(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	writeFile(t, file, "old", 0o444)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(dir, "new")} {
		if _, err := createOutput(t.Context(), path, nil); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("createOutput(%s): got %v, want %v", path, err, fs.ErrPermission)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := createOutput(t.Context(), file, nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a read-only target in a writable directory: got %v, want %v", err, fs.ErrPermission)
	}
	wantFile(t, file, "old", 0o444)
}

// TestOutputPublishFails: what cannot be put in place leaves nothing.
func TestOutputPublishFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.bam")
	o := begin(t, path)
	// A directory in the target's place stops every kind of rename.
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	err := o.Commit()
	if err == nil || !strings.Contains(err.Error(), "output "+path) {
		t.Errorf("Commit over a directory: got %v, want an error naming %s", err, path)
	}
	wantNames(t, dir, "out.bam")
}

func TestOutputClosedFile(t *testing.T) {
	dir := t.TempDir()
	o := begin(t, filepath.Join(dir, "out.bam"))
	if err := o.file.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write: got %v, want %v", err, os.ErrClosed)
	}
	if err := o.Commit(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Commit: got %v, want %v", err, os.ErrClosed)
	}
	wantNames(t, dir)
}

func TestOutputStdout(t *testing.T) {
	for _, kind := range []string{"pipe", "file"} {
		t.Run(kind, func(t *testing.T) {
			var r, w *os.File
			var err error
			if kind == "pipe" {
				r, w, err = os.Pipe()
			} else {
				path := filepath.Join(t.TempDir(), "x")
				if w, err = os.Create(path); err == nil {
					r, err = os.Open(path)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			o, err := createOutput(t.Context(), "-", w)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(o, "new"); err != nil {
				t.Fatal(err)
			}
			if err := o.Commit(); err != nil {
				t.Errorf("Commit: %v", err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != "new" {
				t.Errorf("got %q, %v, want %q", got, err, "new")
			}
		})
	}
}

func TestOutputBrokenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	o, err := createOutput(t.Context(), "-", w)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(o, "new"); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("Write: got %v, want %v", err, syscall.EPIPE)
	}
	if err := o.Abort(); err != nil {
		t.Errorf("Abort: %v", err)
	}
}

func TestOutputDevices(t *testing.T) {
	o, err := createOutput(t.Context(), os.DevNull, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(o, "new"); err != nil {
		t.Error(err)
	}
	if err := o.Commit(); err != nil {
		t.Errorf("Commit: %v", err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is %v, %v, want the device it was", os.DevNull, info.Mode(), err)
	}
}

func TestOutputDevFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	o, err := createOutput(t.Context(), "/dev/full", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(o, "new")
	if full, ok := errors.AsType[*outputFullError](err); !ok || full.path != "/dev/full" || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Write: got %v, want an *outputFullError", err)
	}
	if want := "output /dev/full: write: no space left on device"; err.Error() != want {
		t.Errorf("Write: got %q, want %q", err, want)
	}
	if err := o.Abort(); err != nil {
		t.Errorf("Abort: %v", err)
	}
}

func TestOutputFullError(t *testing.T) {
	o := begin(t, filepath.Join(t.TempDir(), "out.bam"))
	defer o.Abort()
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		err := o.fail(&fs.PathError{Op: "write", Path: "x", Err: cause})
		full, ok := errors.AsType[*outputFullError](err)
		if !ok || !errors.Is(err, cause) {
			t.Fatalf("fail(%v) = %v, want an *outputFullError", cause, err)
		}
		if full.known && !strings.Contains(err.Error(), " free)") {
			t.Errorf("%q does not say what is free", err)
		}
	}
}

// TestOutputDescriptor: what is behind an open descriptor is written through it,
// behind what is there, and neither replaced nor begun anew.
func TestOutputDescriptor(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	writeFile(t, log, "head ", 0o600)
	file, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	o, err := createOutput(t.Context(), "/dev/fd/1", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(o, "output"); err != nil {
		t.Fatal(err)
	}
	if err := o.Commit(); err != nil {
		t.Fatal(err)
	}
	wantFile(t, log, "head output", 0o600)
	wantNames(t, dir, "log")
	for path, want := range map[string]int{
		"/dev/fd/7": 7, "/proc/self/fd/3": 3, "/dev/stdout": 1, "/dev/stderr": 2, "/dev//fd/./7": 7,
		"/dev/fd/x": -1, "/dev/fd/-1": -1, "/dev/null": -1, "fd/1": -1, "-": -1, "/dev/fd/99999999999": -1,
	} {
		if got := descriptor(path); got != want {
			t.Errorf("descriptor(%q) = %d, want %d", path, got, want)
		}
	}
}
