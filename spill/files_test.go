package spill_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gosort/gosort/spill"
	"github.com/gosort/gosort/spill/spilltest"
)

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Nothing is on disk before the first block, and no name ever is where files can be
// unlinked while open.
func TestNothingLeft(t *testing.T) {
	dir := t.TempDir()
	fs := spilltest.New(nil)
	s := newStore(t, spill.Options{Dirs: []string{dir}, FS: fs})
	w, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if fs.Opened() != 0 {
		t.Error("a file was opened before the first block was full")
	}
	r, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	rd, err := s.Open(r, spill.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	if names := list(t, dir); len(names) != 0 && runtime.GOOS != "windows" {
		t.Errorf("with an open run the directory holds %q", names)
	}
	if !strings.Contains(r.Name(), dir) {
		t.Errorf("Name() = %q lacks the directory %q", r.Name(), dir)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if names := list(t, dir); len(names) != 0 {
		t.Errorf("after Close the directory holds %q", names)
	}
}

// Both ways of opening a file give a private one that reads and writes alike and goes
// away.
func TestTempFiles(t *testing.T) {
	for name, open := range map[string]func(string) (spill.File, error){
		"OpenTemp": spill.OS{}.OpenTemp, "CreateTemp": spill.CreateTemp,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f, err := open(dir)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Dir(f.Name()) != dir {
				t.Errorf("name %q is not in %q", f.Name(), dir)
			}
			if names := list(t, dir); len(names) != 0 && runtime.GOOS != "windows" {
				t.Errorf("an open file has a name: %q", names)
			}
			if fi, err := f.(interface{ Stat() (os.FileInfo, error) }).Stat(); err != nil || fi.Mode() != 0o600 && runtime.GOOS != "windows" {
				t.Errorf("mode %v, %v, want -rw-------", fi.Mode(), err)
			}
			if _, err := f.WriteAt([]byte("data"), 5); err != nil {
				t.Error(err)
			}
			f.WillNeed(0, 9)
			got := make([]byte, 9)
			if _, err := f.ReadAt(got, 0); err != nil || string(got) != "\x00\x00\x00\x00\x00data" {
				t.Errorf("read %q, %v", got, err)
			}
			if err := f.Truncate(7); err != nil {
				t.Error(err)
			}
			if n, err := f.ReadAt(got, 0); n != 7 || err != io.EOF {
				t.Errorf("after Truncate: read %d, %v", n, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if names := list(t, dir); len(names) != 0 {
				t.Errorf("a closed file is still there: %q", names)
			}
			if f.Release(0, 1) == nil {
				t.Error("Release of a closed file succeeds")
			}
		})
	}
	if _, err := (spill.OS{}).OpenTemp(filepath.Join(t.TempDir(), "missing")); !os.IsNotExist(err) {
		t.Errorf("OpenTemp in a missing directory: %v", err)
	}
}

// A file that could not be unlinked while open goes when it is closed.
func TestNamedFile(t *testing.T) {
	dir := t.TempDir()
	osf, err := os.CreateTemp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	f := spill.NamedFile(osf)
	if names := list(t, dir); len(names) != 1 {
		t.Fatalf("the directory holds %q, want one file", names)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if names := list(t, dir); len(names) != 0 {
		t.Errorf("after Close the directory holds %q", names)
	}
	if osf, err = os.CreateTemp(dir, ""); err != nil {
		t.Fatal(err)
	}
	f = spill.NamedFile(osf)
	if err := os.Remove(f.Name()); err != nil {
		t.Skip("an open file cannot be removed here")
	}
	if err := f.Close(); !os.IsNotExist(err) {
		t.Errorf("Close of a file somebody removed: got %v", err)
	}
}

// Remove gives space back at once if other runs share the file (by a hole), and
// empties the file with the last run; a Reader on a removed run reads on.
func TestRemove(t *testing.T) {
	fs := spilltest.New(nil)
	s := newStore(t, spill.Options{BlockSize: 500, FS: fs})
	frames := words(1, 100, 100)
	var runs []spill.Run
	for range 3 {
		runs = append(runs, mustWrite(t, s, frames))
	}
	rd, err := s.Open(runs[1], spill.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, release, truncate int64) {
		t.Helper()
		gotR, gotT := fs.Count(spilltest.Release), fs.Count(spilltest.Truncate)
		if gotR != release || gotT != truncate {
			t.Errorf("%s: %d releases, %d truncations, want %d, %d", when, gotR, gotT, release, truncate)
		}
	}
	for _, i := range []int{0, 1} {
		if err := s.Remove(runs[i]); err != nil {
			t.Fatal(err)
		}
	}
	check("with a reader on the second run", 1, 0)
	for i, want := range frames {
		if got, err := rd.Next(); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("removed run, frame %d: got %d bytes, %v", i, len(got), err)
		}
	}
	if err := rd.Close(); err != nil {
		t.Error(err)
	}
	check("without the reader", 2, 0)
	mustRead(t, s, runs[2], nil, frames)
	if err := s.Remove(runs[2]); err != nil {
		t.Fatal(err)
	}
	check("after the last run", 2, 1)

	// A Writer at work keeps its file from being emptied.
	first := mustWrite(t, s, frames)
	w, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if err := w.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Remove(first); err != nil {
		t.Fatal(err)
	}
	check("under a writer", 3, 1)
	second, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	mustRead(t, s, second, nil, frames)
	if got := fs.Opened(); got != 1 {
		t.Errorf("%d files opened, want 1", got)
	}
}

// What the removal frees is really free: blocks allocated to the file, by the system's
// own count, fall.
func TestRemoveFreesDisk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("holes are punched on Linux only")
	}
	rec := &recorder{FS: spill.OS{}}
	s := newStore(t, spill.Options{Codec: spill.None, FS: rec})
	frames := [][]byte{noise(1, 1<<20)}
	first, second := mustWrite(t, s, frames), mustWrite(t, s, frames)
	full := diskBytes(t, rec.files[0])
	if full < 2<<20 {
		t.Fatalf("two runs of 1 MiB take %d bytes", full)
	}
	if err := s.Remove(first); err != nil {
		t.Fatal(err)
	}
	half := diskBytes(t, rec.files[0])
	if half == full {
		t.Skip("this file system punches no holes")
	}
	if half > full/2+64<<10 {
		t.Errorf("after removing one of two runs %d of %d bytes are in use", half, full)
	}
	mustRead(t, s, second, nil, frames)
	if err := s.Remove(second); err != nil {
		t.Fatal(err)
	}
	if got := diskBytes(t, rec.files[0]); got != 0 {
		t.Errorf("after removing all runs %d bytes are in use", got)
	}
}

// recorder is an FS that remembers its files.
type recorder struct {
	spill.FS
	mu    sync.Mutex
	files []spill.File
}

func (r *recorder) OpenTemp(dir string) (spill.File, error) {
	f, err := r.FS.OpenTemp(dir)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files = append(r.files, f)
	return f, err
}

// Abort leaves no trace in the next run, wherever it happens.
func TestAbort(t *testing.T) {
	fs := spilltest.New(nil)
	s := newStore(t, spill.Options{BlockSize: 100, FS: fs})
	frames := words(1, 30, 60)
	kept := mustWrite(t, s, frames)
	for n := range len(frames) + 1 {
		w, err := s.Create()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames[:n] {
			if err := w.Write(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Abort(); err != nil {
			t.Error(err)
		}
		next := mustWrite(t, s, frames[n:])
		mustRead(t, s, next, nil, frames[n:])
		if err := s.Remove(next); err != nil {
			t.Error(err)
		}
	}
	mustRead(t, s, kept, nil, frames)
	if got := fs.Opened(); got != 1 {
		t.Errorf("%d files opened, want 1", got)
	}
}
