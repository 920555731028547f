//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/gosort/gosort/bam/bamtest"
)

// victim is a gosort that is about to be killed.
type victim struct {
	t     *testing.T
	cmd   *exec.Cmd
	dir   string // holds runs and output, nothing else
	input []byte
	stdin *os.File // our end
	lines *bufio.Reader
	fifo  *os.File // our end, if the output is one
}

// start runs gosort with runs of a few MB and so little fan-in that there are
// merge passes.
func start(t *testing.T, input []byte, dir string, fifo bool) *victim {
	t.Helper()
	v := &victim{t: t, dir: dir, input: input}
	out := filepath.Join(dir, "out.bam")
	if fifo {
		if err := syscall.Mkfifo(out, 0o600); err != nil {
			t.Fatal(err)
		}
		var err error
		if v.fifo, err = os.OpenFile(out, os.O_RDWR, 0); err != nil { // for both, so that neither end waits for the other
			t.Fatal(err)
		}
		t.Cleanup(func() { v.fifo.Close() })
	}
	v.cmd = command("-o", out, "-tmpdir", dir, "-memory", leastMemory, "-threads", "2", "-max-runs", "2", "-level", "1", "-v")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	v.cmd.Stdin, v.stdin = r, w
	words, err := v.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	v.lines = bufio.NewReader(words)
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.Close()
	return v
}

// feed writes the first n bytes of the input: it returns when gosort has taken
// all but what a pipe holds.
func (v *victim) feed(n int) {
	v.t.Helper()
	if _, err := v.stdin.Write(v.input[:n]); err != nil {
		v.t.Fatal(err)
	}
}

// feedAll writes the whole input and ends it.
func (v *victim) feedAll() {
	v.t.Helper()
	v.feed(len(v.input))
	if err := v.stdin.Close(); err != nil {
		v.t.Fatal(err)
	}
}

// line waits for a line that contains words.
func (v *victim) line(words string) {
	v.t.Helper()
	for {
		line, err := v.lines.ReadString('\n')
		if err != nil {
			v.t.Fatalf("waiting for %q: %v", words, err)
		}
		if strings.Contains(line, words) {
			return
		}
	}
}

// take reads n bytes of the output.
func (v *victim) take(n int64) {
	v.t.Helper()
	if _, err := io.CopyN(io.Discard, v.fifo, n); err != nil {
		v.t.Fatal(err)
	}
}

// spilling sees that gosort has a temporary file open.
func (v *victim) spilling() {
	v.t.Helper()
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", v.cmd.Process.Pid))
	if err != nil {
		v.t.Fatal(err)
	}
	for _, link := range links {
		if file, err := os.Readlink(link); err == nil && strings.HasPrefix(file, v.dir+"/") {
			return
		}
	}
	v.t.Error("there is no temporary file yet: this is not the spill phase")
}

// kill sends the signal and returns how gosort ended.
func (v *victim) kill(s syscall.Signal) (ended string, words string) {
	v.t.Helper()
	if err := v.cmd.Process.Signal(s); err != nil {
		v.t.Fatal(err)
	}
	rest, err := io.ReadAll(v.lines)
	if err != nil {
		v.t.Fatal(err)
	}
	ended = "exit status 0"
	if err := v.cmd.Wait(); err != nil {
		ended = err.Error()
	}
	return ended, string(rest)
}

// moment is a point of the work that a signal can hit. From where the input has
// ended on the output is a FIFO, or the work might be done before the signal
// comes.
type moment struct {
	name  string
	fifo  bool // the output is a FIFO, which waits for us
	reach func(*victim)
}

var moments = []moment{
	{"read: nothing yet", false, func(v *victim) { v.line("memory") }},
	{"read: within the header", false, func(v *victim) { v.line("memory"); v.feed(20) }},
	{"read: the first fill", false, func(v *victim) { v.feed(200 << 10) }},
	{"spill: half the input", false, func(v *victim) { v.feed(len(v.input) / 2); v.spilling() }},
	{"spill: all input but its end", false, func(v *victim) { v.feed(len(v.input)); v.spilling() }},
	{"merge passes", true, func(v *victim) { v.feedAll(); v.line("read: "); v.spilling() }},
	{"write: begins", true, func(v *victim) { v.feedAll(); v.line(" merge passes before the last"); v.spilling() }},
	{"write: the first bytes", true, func(v *victim) { v.feedAll(); v.take(1) }},
	{"write: a reader that waits", true, func(v *victim) { v.feedAll(); v.take(256 << 10) }},
	{"write: further on", true, func(v *victim) { v.feedAll(); v.take(768 << 10) }},
}

// TestKilled sends each signal at each moment: neither a temporary file nor an
// output is left, and an old output is what it was.
func TestKilled(t *testing.T) {
	if _, p, err := createNameless(filepath.Join(t.TempDir(), "probe"), nil); err != nil {
		t.Skip("no O_TMPFILE here, so SIGKILL leaves what was begun:", err)
	} else if err := p.discard(); err != nil {
		t.Fatal(err)
	}
	input := mixedBAM(t, 24<<20)
	for _, s := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		for i, m := range moments {
			if (raceEnabled || testing.Short()) && s != syscall.SIGKILL && i%3 != int(s)%3 {
				continue // the moments are divided among the signals that are caught
			}
			t.Run(fmt.Sprintf("%v/%s", s, m.name), func(t *testing.T) {
				t.Parallel()
				if signal.Ignored(s) {
					t.Skip("the signal is ignored here, as under nohup")
				}
				killAt(t, input, s, m, i%2 == 0)
			})
		}
	}
}

func killAt(t *testing.T, input []byte, s syscall.Signal, m moment, old bool) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.bam")
	old = old && !m.fifo
	if old {
		writeFile(t, out, "old", 0o640)
	}
	v := start(t, input, dir, m.fifo)
	m.reach(v)
	ended, words := v.kill(s)
	want := fmt.Sprintf("exit status %d", 128+int(s))
	if s == syscall.SIGKILL {
		want = "signal: killed"
	} else if named := strings.Contains(words, "gosort: error: stopped by signal: "+s.String()+"\n"); !named && !m.fifo {
		t.Errorf("it says %q, want the signal named", words) // a write that waits for the FIFO's reader may be cut off wordlessly
	}
	if ended != want {
		t.Errorf("it ended with %s, want %s", ended, want)
	}
	switch {
	case m.fifo:
		wantNames(t, dir, "out.bam")
	case old:
		wantFile(t, out, "old", 0o640)
		wantNames(t, dir, "out.bam")
	default:
		wantNames(t, dir)
	}
}

// TestKilledWriting: a signal while a file is written and put in place comes
// too early or too late, never in between.
func TestKilledWriting(t *testing.T) {
	input := mixedBAM(t, 8<<20)
	want := bamtest.Digest(readRecords(t, fileOf(t, input)))
	for _, s := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		for _, words := range []string{" merge passes before the last", "write: "} {
			dir := t.TempDir()
			out := filepath.Join(dir, "out.bam")
			writeFile(t, out, "old", 0o640)
			v := start(t, input, dir, false)
			v.feedAll()
			v.line(words)
			ended, words := v.kill(s)
			if readFile(t, out) == "old" {
				wantNames(t, dir, "out.bam")
				if ended == "exit status 0" {
					t.Errorf("%v: it ended well with the old output; it says %s", s, words)
				}
			} else if got := bamtest.Digest(readRecords(t, out)); got != want {
				t.Errorf("%v: the new output has %d records (%v), want all %d (%v)", s, got.Count, got, want.Count, want)
			}
		}
	}
}

// TestWaitingForFIFO: nobody need be at the other end for a signal to end the work.
func TestWaitingForFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	for _, flag := range []int{os.O_RDONLY, os.O_WRONLY} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stopped := errors.New("stopped")
		cancel(stopped)
		if _, err := openWaiting(ctx, path, flag); !errors.Is(err, stopped) {
			t.Errorf("flag %d: got %v, want %v", flag, err, stopped)
		}
	}
}
