//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

func TestSignalContext(t *testing.T) {
	for _, sent := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sent) {
			continue // nohup go test
		}
		ctx, stop := signalContext(context.Background())
		if err := syscall.Kill(os.Getpid(), sent); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
		stop()
		stopped, ok := errors.AsType[*signalError](context.Cause(ctx))
		if !ok || stopped.signal != sent {
			t.Errorf("%v: the cause is %v", sent, context.Cause(ctx))
		}
		if want := "stopped by signal: " + sent.String(); stopped.Error() != want {
			t.Errorf("got %q, want %q", stopped, want)
		}
	}
}

func TestSignalContextStops(t *testing.T) {
	ctx, stop := signalContext(context.Background())
	stop()
	if ctx.Err() == nil || context.Cause(ctx) != context.Canceled {
		t.Errorf("after stop: %v, cause %v, want %v", ctx.Err(), context.Cause(ctx), context.Canceled)
	}
}

// TestSignalsInChild runs what cannot be tried in this process: a second
// signal kills, and an ignored signal stays ignored.
func TestSignalsInChild(t *testing.T) {
	if mode := os.Getenv("GOSORT_TEST_SIGNALS"); mode != "" {
		signalChild(mode)
		return
	}
	for _, test := range []struct {
		mode string
		want string // how the child ends
	}{
		{"twice", "signal: terminated"},
		{"ignored", "exit status 7"},
	} {
		t.Run(test.mode, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestSignalsInChild$")
			cmd.Env = append(os.Environ(), "GOSORT_TEST_SIGNALS="+test.mode)
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(stdout)
			for lines.Scan() { // the child asks for each signal
				if line := lines.Text(); !strings.HasPrefix(line, "send") {
					t.Fatalf("the child says %q", line)
				}
				if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
			}
			if err := cmd.Wait(); err == nil || err.Error() != test.want {
				t.Errorf("the child ended with %v, want %s", err, test.want)
			}
		})
	}
}

func signalChild(mode string) {
	switch mode {
	case "twice":
		ctx, _ := signalContext(context.Background())
		fmt.Println("send")
		<-ctx.Done()
		fmt.Println("send again")
		select {} // until the second one kills
	case "ignored":
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		ctx, stop := signalContext(context.Background())
		if !signal.Ignored(syscall.SIGTERM) || ctx.Err() != nil {
			os.Exit(1)
		}
		stop()
		os.Exit(7)
	}
}
