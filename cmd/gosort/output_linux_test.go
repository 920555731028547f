package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestRenamedOutput goes through what is used where O_TMPFILE is missing.
func TestRenamedOutput(t *testing.T) {
	for _, existing := range []bool{false, true} {
		dir := t.TempDir()
		target := filepath.Join(dir, "out.bam")
		mode := umaskedMode(t)
		var info os.FileInfo
		if existing {
			mode = 0o640
			writeFile(t, target, "old", mode)
			var err error
			if info, err = os.Stat(target); err != nil {
				t.Fatal(err)
			}
		}
		open := func() *output {
			file, p, err := createRenamed(target, info)
			if err != nil {
				t.Fatal(err)
			}
			o := &output{path: target, file: file, pending: p}
			if _, err := io.WriteString(o, "new"); err != nil {
				t.Fatal(err)
			}
			return o
		}
		if err := open().Abort(); err != nil {
			t.Errorf("Abort: %v", err)
		}
		if existing {
			wantFile(t, target, "old", mode)
			wantNames(t, dir, "out.bam")
		} else {
			wantNames(t, dir)
		}
		if err := open().Commit(); err != nil {
			t.Errorf("Commit: %v", err)
		}
		wantFile(t, target, "new", mode)
		wantNames(t, dir, "out.bam")
	}
}

func TestRenamedOutputFails(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "out.bam")
	file, p, err := createRenamed(target, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := (&output{path: target, file: file, pending: p}).Commit(); err == nil {
		t.Error("Commit over a directory succeeds")
	}
	wantNames(t, dir, "out.bam")
}

func TestNamelessUnsupported(t *testing.T) {
	for err, want := range map[error]bool{
		syscall.EOPNOTSUPP: true, syscall.EISDIR: true, syscall.ENOENT: true, errNoProc: true,
		syscall.EACCES: false, syscall.ENOSPC: false, syscall.EROFS: false, syscall.EMFILE: false,
	} {
		if got := namelessUnsupported(errors.Join(err, nil)); got != want {
			t.Errorf("namelessUnsupported(%v) = %v, want %v", err, got, want)
		}
	}
}

// TestOutputWithoutProc: what a nameless file would need at the end is missed at the start, and it has a name then.
func TestOutputWithoutProc(t *testing.T) {
	const hidden = `mount -t tmpfs none /proc && test ! -e /proc/self && exec "$@"`
	inside := func(args ...string) *exec.Cmd {
		return exec.Command("unshare", append([]string{"-rm", "sh", "-c", hidden, "sh"}, args...)...)
	}
	if err := inside("true").Run(); err != nil {
		t.Skip("no mount namespaces here:", err)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.bam"), filepath.Join(dir, "out.bam")
	writeFile(t, in, string(mixedBAM(t, 1<<16)), 0o600)
	for range 2 { // the second replaces the first
		if got := child(t, inside("gosort", "-i", in, "-o", out)); got.code != 0 {
			t.Fatalf("without /proc: status %d, it says\n%s", got.code, got.stderr)
		}
		wantNames(t, dir, "in.bam", "out.bam")
	}
}

// TestOutputDirectoryMoves: the file ends where it was begun.
func TestOutputDirectoryMoves(t *testing.T) {
	root := t.TempDir()
	dir, moved := filepath.Join(root, "dir"), filepath.Join(root, "moved")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file, p, err := createNameless(filepath.Join(dir, "out.bam"), nil)
	if err != nil {
		t.Skip("no O_TMPFILE here:", err)
	}
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if err := (&output{path: "out.bam", file: file, pending: p}).Commit(); err != nil {
		t.Fatal(err)
	}
	wantNames(t, moved, "out.bam")
}

// TestOutputKilled kills a process that has an output open: nothing of it may
// stay, and an existing target must be what it was.
func TestOutputKilled(t *testing.T) {
	dir := os.Getenv("GOSORT_TEST_OUTPUT_DIR")
	if dir != "" {
		for _, name := range []string{"existing", "fresh"} {
			begin(t, filepath.Join(dir, name))
		}
		_, _ = os.Stdout.WriteString("open\n")
		select {} // until the parent kills us
	}
	dir = t.TempDir()
	if file, p, err := createNameless(filepath.Join(dir, "probe"), nil); err != nil {
		t.Skip("no O_TMPFILE here:", err)
	} else if err := p.discard(); err != nil {
		t.Fatal(file.Name(), err)
	}
	writeFile(t, filepath.Join(dir, "existing"), "old", 0o644)
	cmd := exec.Command(os.Args[0], "-test.run=^TestOutputKilled$")
	cmd.Env = append(os.Environ(), "GOSORT_TEST_OUTPUT_DIR="+dir)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "open\n" {
		t.Errorf("the process says %q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the process ended well, want it killed")
	}
	wantFile(t, filepath.Join(dir, "existing"), "old", 0o644)
	wantNames(t, dir, "existing")
}

func TestOutputFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	// Opened for both, so that neither end waits for the other.
	reader, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := begin(t, path).Commit(); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if _, err := io.ReadFull(reader, got); err != nil || string(got) != "new" {
		t.Errorf("the FIFO passed %q, %v, want %q", got, err, "new")
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the FIFO is now %v, %v", info.Mode(), err)
	}
}

// TestOutputFileTooLarge: a write cut short by a limit is an error, and leaves
// nothing.
func TestOutputFileTooLarge(t *testing.T) {
	dir := t.TempDir()
	o := begin(t, filepath.Join(dir, "out.bam"))
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 10, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	n, err := o.Write(make([]byte, 100))
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, unix.EFBIG) || n != 7 {
		t.Errorf("Write: got %d, %v, want 7, %v", n, err, unix.EFBIG)
	}
	if err := o.Abort(); err != nil {
		t.Errorf("Abort: %v", err)
	}
	wantNames(t, dir)
}
