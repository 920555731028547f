package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/sortcoll"
	"github.com/gosort/gosort/spill"
)

const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	// exitSignal is what shells add to a signal's number.
	exitSignal = 128
)

// exitCode is the status that err, the end of the work, stands for. ctx is the
// one the work ran under: a signal shows as whatever error it caused first.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitDone
	}
	if stopped, ok := errors.AsType[*signalError](context.Cause(ctx)); ok {
		return exitSignal + int(stopped.signal)
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitSignal + int(syscall.SIGPIPE)
	}
	return exitFailed
}

// explain puts an error into one sentence and the hints that go with it for
// someone who asked for cfg. Of
// several errors joined it takes the first, which is the cause of the others.
// The sentence is empty for a closed pipe downstream: `| head` is no failure
// anyone wants to read about.
func explain(err error, cfg config) (message string, hints []string) {
	for {
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok || len(joined.Unwrap()) == 0 {
			break
		}
		// An error may wrap several and still be one sentence; errors.Join puts each on a line of its own.
		first := joined.Unwrap()[0]
		if !strings.HasPrefix(err.Error()+"\n", first.Error()+"\n") {
			break
		}
		err = first
	}
	if errors.Is(err, syscall.EPIPE) {
		return "", nil
	}
	if usage, ok := errors.AsType[*usageError](err); ok {
		return err.Error(), usage.hints
	}
	if hinted, ok := errors.AsType[*hintedError](err); ok {
		return err.Error(), []string{hinted.hint}
	}
	if stopped, ok := errors.AsType[*signalError](err); ok {
		return stopped.Error(), nil // wherever it was noticed
	}
	if full, ok := errors.AsType[*outputFullError](err); ok {
		err = full // names the output itself: once is enough
	}
	if hint := hintFor(err, cfg); hint != "" {
		hints = []string{hint}
	}
	return err.Error(), hints
}

// hintFor knows what to do about the errors that have a remedy which cfg does
// not have already; "" is none.
func hintFor(err error, cfg config) string {
	if _, ok := errors.AsType[*spill.NoSpaceError](err); ok {
		if (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) && !isFull(err) {
			return "-tmpdir names a directory for temporary files; see with ls -ld who may write there"
		}
		return "-tmpdir names a directory with more space and may be given several times; " +
			"more -memory or -spill-codec zstd needs less"
	}
	if _, ok := errors.AsType[*outputFullError](err); ok {
		return "free some space or name an output on another disk with -o"
	}
	if need, ok := errors.AsType[*needError](err); ok {
		return need.hint()
	}
	if _, ok := errors.AsType[*sortcoll.MissingMCError](err); ok {
		return "samtools fixmate -m adds MC tags; -mc-missing nextpos takes the mate's position as it stands"
	}
	switch {
	case errors.Is(err, errStdinClosed):
		return "name the input with -i"
	case errors.Is(err, errStdoutClosed):
		return "name the output with -o; -o " + os.DevNull + " throws it away"
	case errors.Is(err, bam.ErrEmpty) && !cfg.allowEmpty:
		return "-allow-empty takes it as a file without header and records"
	case errors.Is(err, bam.ErrTruncated) && !cfg.allowTruncated:
		return "-allow-truncated keeps the whole records before the cut"
	case errors.Is(err, syscall.EMFILE):
		return "raise the open-file limit (ulimit -n); without -merge the inputs are read one after the other"
	case errors.Is(err, syscall.ENFILE):
		return "the whole machine is out of open files"
	case errors.Is(err, fs.ErrNotExist):
		if path, ok := errors.AsType[*fs.PathError](err); ok && filepath.IsAbs(path.Path) {
			return ""
		}
		return "relative paths start where gosort was started: see pwd"
	case errors.Is(err, fs.ErrPermission):
		return "see who may read or write there with ls -l"
	}
	return ""
}
