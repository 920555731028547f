package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/spill"
)

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		name          string
		err           error
		message, hint string // hint: a part of the only one; "" for none
	}{
		{"plain", errors.New("bam: bad"), "bam: bad", ""},
		{"usage", &usageError{msg: "wrong", hints: []string{"do this"}}, "wrong", "do this"},
		{"wrapped usage", fmt.Errorf("x: %w", &usageError{msg: "wrong", hints: []string{"do this"}}), "x: wrong", "do this"},
		{"first of several", errors.Join(errors.New("cause"), errors.New("consequence")), "cause", ""},
		{"first of several, nested", errors.Join(errors.Join(errors.New("cause"), errors.New("b")), errors.New("c")), "cause", ""},
		{"temp directory full", fmt.Errorf("sortcoll: %w", &spill.NoSpaceError{Dir: "/tmp", Needed: 5, Free: 1, Err: syscall.ENOSPC}),
			"sortcoll: spill: cannot store 5 bytes in /tmp (1 bytes free): no space left on device", "-tmpdir names a directory"},
		{"temp directory not ours", &spill.NoSpaceError{Dir: "/x", Needed: 5, Free: 9, Err: syscall.EACCES},
			"spill: cannot store 5 bytes in /x (9 bytes free): permission denied", "see with ls -ld who may write there"},
		{"one temp directory not ours, one full", &spill.NoSpaceError{Dir: "/x", Needed: 5, Free: 0, Err: errors.Join(syscall.EACCES, syscall.ENOSPC)},
			"spill: cannot store 5 bytes in /x (0 bytes free): permission denied\nno space left on device", "a directory with more space"},
		{"output full", &outputFullError{path: "o.bam", free: 3 << 10, known: true, err: syscall.ENOSPC},
			"output o.bam: no space left on device (3K free)", "another disk with -o"},
		{"output full, wrapped", fmt.Errorf("bgzfout: write: %w", &outputFullError{path: "o.bam", err: syscall.EDQUOT}),
			"output o.bam: disk quota exceeded", "another disk with -o"},
		{"truncated", fmt.Errorf("record 7: %w", bam.ErrTruncated), "record 7: " + bam.ErrTruncated.Error(), "-allow-truncated keeps"},
		{"corrupt", fmt.Errorf("record 7: %w", bam.ErrCorrupt), "record 7: " + bam.ErrCorrupt.Error(), ""},
		{"open files", &fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}, "open x: too many open files", "ulimit -n"},
		{"open files in the system", syscall.ENFILE, syscall.ENFILE.Error(), "whole machine"},
		{"not there", &fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT}, "open x: no such file or directory", "pwd"},
		{"not allowed", &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, "open x: permission denied", "ls -l"},
		{"signal", fmt.Errorf("bgzfout: write: %w", &signalError{signal: syscall.SIGTERM}), "stopped by signal: terminated", ""},
		{"closed pipe", fmt.Errorf("output: %w", syscall.EPIPE), "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			message, hints := explain(test.err, config{})
			if message != test.message {
				t.Errorf("got %q, want %q", message, test.message)
			}
			if all := strings.Join(hints, "\n"); !strings.Contains(all, test.hint) || test.hint == "" && all != "" {
				t.Errorf("got the hints %q, want %q", hints, test.hint)
			}
		})
	}
}

func TestExitCode(t *testing.T) {
	background := context.Background()
	stopped, cancel := context.WithCancelCause(background)
	cancel(&signalError{signal: syscall.SIGTERM})
	cancelled, cancelPlain := context.WithCancel(background)
	cancelPlain()
	for _, test := range []struct {
		name string
		ctx  context.Context
		err  error
		want int
	}{
		{"done", background, nil, 0},
		{"done just before the signal", stopped, nil, 0},
		{"failed", background, errors.New("x"), 1},
		{"usage", background, fmt.Errorf("x: %w", &usageError{}), 2},
		{"signal", stopped, context.Canceled, 143},
		{"signal, seen as another error", stopped, errors.New("x"), 143},
		{"cancelled without a signal", cancelled, context.Canceled, 1},
		{"closed pipe", background, fmt.Errorf("x: %w", syscall.EPIPE), 141},
	} {
		if got := exitCode(test.ctx, test.err); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}
