package main

import (
	"context"
	"io"
	"os"
)

// openWaiting opens a file. Opening a FIFO waits for its other end, which a signal must be able to interrupt: that is done
// by a goroutine, which ends with the waiting or with the process.
func openWaiting(ctx context.Context, path string, flag int) (*os.File, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.OpenFile(path, flag, 0)
	}
	type opened struct {
		file *os.File
		err  error
	}
	result := make(chan opened, 1)
	go func() {
		f, err := os.OpenFile(path, flag, 0)
		result <- opened{f, err}
	}()
	select {
	case o := <-result:
		return o.file, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// cancellable is a file that can no longer be read once ctx has ended.
type cancellable struct {
	ctx  context.Context
	file *os.File
}

func (c *cancellable) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.file.Read(p)
}

// pumpBuffer holds what Linux's pipes hold at most by default.
const pumpBuffer = 64 << 10

// pumped is a pipe or terminal read by a goroutine of its own, because a read that waits for a producer cannot be
// interrupted: with it a signal or an error ends the work at once. The goroutine ends with the stream or, waiting in that
// read, with the process.
type pumped struct {
	ctx        context.Context
	full, free chan []byte
	cur, rest  []byte
	err        error // valid once full is closed
}

func pump(ctx context.Context, r io.Reader) *pumped {
	p := &pumped{ctx: ctx, full: make(chan []byte, 2), free: make(chan []byte, 2)}
	for range cap(p.free) {
		p.free <- make([]byte, pumpBuffer)
	}
	go func() {
		defer close(p.full)
		for b := range p.free {
			n, err := r.Read(b[:cap(b)])
			p.full <- b[:n]
			if err != nil {
				p.err = err
				return
			}
		}
	}()
	return p
}

func (p *pumped) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.cur != nil {
			p.free <- p.cur
			p.cur = nil
		}
		select {
		case buf, ok := <-p.full:
			if !ok {
				return 0, p.err
			}
			p.cur, p.rest = buf, buf
		case <-p.ctx.Done():
			return 0, context.Cause(p.ctx)
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
