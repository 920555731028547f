package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"
)

// signalError is the cause of a context that a signal ended.
type signalError struct{ signal syscall.Signal }

func (e *signalError) Error() string { return fmt.Sprintf("stopped by signal: %v", e.signal) }

// signalContext returns a context that SIGINT, SIGTERM and SIGHUP cancel, with
// a *signalError as the cause; a second signal kills the process at once. A
// signal that is ignored already stays so: nohup and shells that start a job
// in the background ask for that. stop ends the goroutine that waits, and
// gives the signals back.
//
// SIGPIPE is ignored, so that a closed pipe downstream is a write error like
// any other and temporary files are cleaned up.
func signalContext(parent context.Context) (ctx context.Context, stop func()) {
	signal.Ignore(syscall.SIGPIPE)
	watched := slices.DeleteFunc([]os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	ctx, cancel := context.WithCancelCause(parent)
	if len(watched) == 0 { // Notify would take none for all
		return ctx, func() { cancel(nil) }
	}
	received := make(chan os.Signal, 1)
	signal.Notify(received, watched...)
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-received:
			// The default action comes back before anyone waits for us to end.
			signal.Reset(watched...)
			number, _ := s.(syscall.Signal)
			cancel(&signalError{signal: number})
			select {
			case <-ended:
			case <-time.After(grace):
				_, _ = fmt.Fprintf(os.Stderr, "gosort: error: stopped by signal: %v\n", s)
				os.Exit(exitSignal + int(number))
			}
		case <-ctx.Done():
			signal.Stop(received)
		}
	}()
	return ctx, func() {
		close(ended)
		cancel(nil)
		<-done
	}
}

// grace is how long the work may take to end after a signal. It ends within one block, unless it waits in a write to a
// pipe that nobody reads, which cannot be interrupted: then the process ends without it. Files without a name, as output
// and runs are where the system can, end with the process.
const grace = 3 * time.Second
