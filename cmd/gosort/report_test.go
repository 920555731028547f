package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestReporterLines(t *testing.T) {
	say := func(r *reporter) {
		r.errorf("bad %s", "thing")
		r.hintf("do %d", 1)
		r.warnf("careful")
		r.verbosef("reading")
		r.errorf("two\nlines")
	}
	for verbose, want := range map[bool]string{
		false: "gosort: error: bad thing\ngosort: hint: do 1\ngosort: warning: careful\ngosort: error: two; lines\n",
		true:  "gosort: error: bad thing\ngosort: hint: do 1\ngosort: warning: careful\ngosort: reading\ngosort: error: two; lines\n",
	} {
		var out bytes.Buffer
		say(&reporter{w: &out, verbose: verbose})
		if out.String() != want {
			t.Errorf("verbose %v: got\n%swant\n%s", verbose, out.String(), want)
		}
	}
}

func TestReporterFail(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{errors.New("x"), "gosort: error: x\n"},
		{&usageError{msg: "x", hints: []string{"a", "b"}}, "gosort: error: x\ngosort: hint: a\ngosort: hint: b\n"},
		{&usageError{msg: "100%d"}, "gosort: error: 100%d\n"},
		{fmt.Errorf("x: %w", syscall.EPIPE), ""},
	} {
		var out bytes.Buffer
		(&reporter{w: &out}).fail(test.err, config{})
		if out.String() != test.want {
			t.Errorf("%v: got %q, want %q", test.err, out.String(), test.want)
		}
	}
}

func TestReporterCleanedUp(t *testing.T) {
	var out bytes.Buffer
	r := &reporter{w: &out}
	r.cleanedUp(nil)
	r.cleanedUp(errors.New("spill: close x: y"))
	if want := "gosort: warning: temporary files: spill: close x: y\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// TestReporterKeepsLinesWhole runs under -race.
func TestReporterKeepsLinesWhole(t *testing.T) {
	var out bytes.Buffer
	r := &reporter{w: &out}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				r.warnf("a line")
			}
		})
	}
	wg.Wait()
	if want := strings.Repeat("gosort: warning: a line\n", 400); out.String() != want {
		t.Errorf("got %d bytes, want 400 whole lines of %d", out.Len(), len(want)/400)
	}
}

func TestNewReporter(t *testing.T) {
	if r := newReporter(openFile(t, os.DevNull, os.O_WRONLY), true); r.live || !r.verbose {
		t.Errorf("to a file with -v: live %v, verbose %v, want false, true", r.live, r.verbose)
	}
	if r := newReporter(terminal(t), false); !r.live || r.verbose {
		t.Errorf("to a terminal: live %v, verbose %v, want true, false", r.live, r.verbose)
	}
}
