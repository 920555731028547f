package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/schollz/progressbar/v3"
)

// reporter writes all of gosort's words to standard error. Its methods may be
// called from any goroutine. An error of standard error itself is ignored:
// there is nobody left to tell.
type reporter struct {
	verbose bool // -v
	live    bool // standard error is a terminal: show a bar instead of lines

	mu  sync.Mutex // keeps lines whole and the bar off them
	w   io.Writer
	bar *progressbar.ProgressBar // nil between phases and without live
}

func newReporter(stderr *os.File, verbose bool) *reporter {
	return &reporter{verbose: verbose, live: isTerminal(stderr), w: stderr}
}

// errorf says why the work failed.
func (r *reporter) errorf(format string, args ...any) { r.line("error: ", format, args...) }

// hintf says what to do about it.
func (r *reporter) hintf(format string, args ...any) { r.line("hint: ", format, args...) }

// warnf says what went wrong without failing the work.
func (r *reporter) warnf(format string, args ...any) { r.line("warning: ", format, args...) }

// cleanedUp warns of temporary files that could not be removed: the output is no worse for them.
func (r *reporter) cleanedUp(err error) {
	if err != nil {
		r.warnf("temporary files: %v", err)
	}
}

// verbosef says what is going on, with -v only.
func (r *reporter) verbosef(format string, args ...any) {
	if r.verbose {
		r.line("", format, args...)
	}
}

// line writes one line whole, whatever newlines are in the message.
func (r *reporter) line(kind, format string, args ...any) {
	message := bytes.ReplaceAll(fmt.Appendf(nil, format, args...), []byte("\n"), []byte("; "))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bar != nil {
		_ = r.bar.Clear()
	}
	_, _ = fmt.Fprintf(r.w, "gosort: %s%s\n", kind, message) // nobody is left to tell
}

// fail reports an error that ends the program, its hints below it. An error
// that needs no words (a closed pipe downstream) gets none.
func (r *reporter) fail(err error, cfg config) {
	message, hints := explain(err, cfg)
	if message == "" {
		return
	}
	r.errorf("%s", message)
	for _, h := range hints {
		r.hintf("%s", h)
	}
}
