package spilltest_test

import (
	"errors"
	"io"
	"syscall"
	"testing"

	"github.com/gosort/gosort/spill"
	"github.com/gosort/gosort/spill/spilltest"
)

var errInjected = errors.New("injected")

func open(t *testing.T, fs *spilltest.FS, dir string) spill.File {
	t.Helper()
	f, err := fs.OpenTemp(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func write(t *testing.T, f spill.File, text string) {
	t.Helper()
	if n, err := f.WriteAt([]byte(text), 0); n != len(text) || err != nil {
		t.Fatalf("WriteAt(%q) = %d, %v", text, n, err)
	}
}

func read(f spill.File) (string, error) {
	p := make([]byte, 6)
	n, err := f.ReadAt(p, 0)
	return string(p[:n]), err
}

// Each kind of operation fails when it is its turn, and works the next time.
func TestFailAt(t *testing.T) {
	dir := t.TempDir()
	fs := spilltest.New(nil)
	f := open(t, fs, dir)
	write(t, f, "abcdef")
	p := make([]byte, 6)
	for op, do := range map[spilltest.Op]func() error{
		spilltest.OpenTemp: func() error {
			g, err := fs.OpenTemp(dir)
			if err == nil {
				_ = g.Close()
			}
			return err
		},
		spilltest.Free:     func() error { _, err := fs.Free(dir); return err },
		spilltest.ReadAt:   func() error { _, err := f.ReadAt(p, 0); return err },
		spilltest.WriteAt:  func() error { _, err := f.WriteAt(p, 0); return err },
		spilltest.Truncate: func() error { return f.Truncate(6) },
	} {
		before := fs.Count(op)
		fs.FailAt(0, 0, errInjected)
		if err := do(); !errors.Is(err, errInjected) || fs.Failed() != op {
			t.Errorf("%v: got %v, Failed() = %v", op, err, fs.Failed())
		}
		if err := do(); err != nil {
			t.Errorf("%v: second time: %v", op, err)
		}
		if got := fs.Count(op) - before; got != 2 {
			t.Errorf("%v: counted %d times, want 2", op, got)
		}
	}
	fs.FailAt(1, 0, errInjected)
	if err := f.Truncate(6); err != nil || fs.Failed() != spilltest.NoOp {
		t.Errorf("operation before the one to fail: %v, Failed() = %v", err, fs.Failed())
	}
	if err := f.Release(0, 1); !errors.Is(err, errInjected) || fs.Failed() != spilltest.Release {
		t.Errorf("Release: got %v, Failed() = %v", err, fs.Failed())
	}
	// A Close that fails has closed all the same.
	fs.FailAt(0, 0, errInjected)
	if err := f.Close(); !errors.Is(err, errInjected) || fs.Failed() != spilltest.Close {
		t.Errorf("Close: got %v, Failed() = %v", err, fs.Failed())
	}
	if got := fs.OpenFiles(); got != 0 {
		t.Errorf("%d files open, want 0", got)
	}
	if _, err := read(f); err == nil {
		t.Error("the inner file is still open")
	}
}

func TestShort(t *testing.T) {
	for _, injected := range []error{nil, errInjected} {
		fs := spilltest.New(nil)
		f := open(t, fs, t.TempDir())
		write(t, f, "abcdef")
		fs.FailAt(0, 2, injected)
		if n, err := f.WriteAt([]byte("ABCDEF"), 0); n != 2 || err != injected {
			t.Errorf("WriteAt = %d, %v, want 2, %v", n, err, injected)
		}
		fs.FailAt(0, 4, injected)
		if got, err := read(f); got != "ABcd" || err != injected {
			t.Errorf("read %q, %v, want ABcd, %v", got, err, injected)
		}
		if got, err := read(f); got != "ABcdef" || err != nil {
			t.Errorf("read %q, %v, want ABcdef", got, err)
		}
	}
}

func TestSetRoom(t *testing.T) {
	small, other := t.TempDir(), t.TempDir()
	fs := spilltest.New(nil)
	fs.SetRoom(small, 10)
	f := open(t, fs, small)
	write(t, f, "abcdef")
	if free, err := fs.Free(small); free != 4 || err != nil {
		t.Errorf("Free = %d, %v, want 4", free, err)
	}
	if n, err := f.WriteAt([]byte("ABCDEF"), 0); n != 4 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("WriteAt = %d, %v, want 4, ENOSPC", n, err)
	}
	if got, err := read(f); got != "ABCDef" || err != nil {
		t.Errorf("read %q, %v, want ABCDef", got, err)
	}
	write(t, open(t, fs, other), "abcdef")
}

func TestOnRead(t *testing.T) {
	fs := spilltest.New(nil)
	f := open(t, fs, t.TempDir())
	write(t, f, "abcdef")
	fs.OnRead(func(name string, off int64, p []byte) int {
		if name != f.Name() || off != 0 {
			t.Errorf("read of %q at %d", name, off)
		}
		p[1] = '!'
		return 3
	})
	if got, err := read(f); got != "a!c" || err != io.EOF {
		t.Errorf("read %q, %v, want a!c, io.EOF", got, err)
	}
	fs.OnRead(nil)
	if got, err := read(f); got != "abcdef" || err != nil {
		t.Errorf("read %q, %v, want abcdef", got, err)
	}
}

func TestFilesAreCounted(t *testing.T) {
	dir := t.TempDir()
	fs := spilltest.New(spill.OS{})
	a, b := open(t, fs, dir), open(t, fs, dir)
	for range 2 { // the second Close of a file is not another file's
		_ = a.Close()
	}
	if fs.OpenFiles() != 1 || fs.Opened() != 2 {
		t.Errorf("%d of %d files open, want 1 of 2", fs.OpenFiles(), fs.Opened())
	}
	if err := b.Close(); err != nil || fs.OpenFiles() != 0 {
		t.Errorf("%v, %d files open", err, fs.OpenFiles())
	}
}

func TestOpString(t *testing.T) {
	for op, want := range map[spilltest.Op]string{
		spilltest.NoOp: "none", spilltest.Close: "close", -1: "Op(-1)", 99: "Op(99)",
	} {
		if got := op.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
