package main

import (
	"bufio"
	"io"
)

// textBuffer gathers lines of text into writes of this size.
const textBuffer = 256 << 10

// overlapped writes in a goroutine of its own, so that text is made while the
// system takes what was made before: on a fast disk its part is as long as that
// of merging and making the text. It is for one user at a time.
type overlapped struct {
	w          io.Writer
	full, free chan []byte
	done       chan struct{} // closed when the goroutine has ended
	err        error         // of w, sticky; read it only once free or done is closed
}

// overlap starts the goroutine. Close ends it.
func overlap(w io.Writer) *overlapped {
	o := &overlapped{w: w, full: make(chan []byte, 2), free: make(chan []byte, 2), done: make(chan struct{})}
	for range cap(o.free) {
		o.free <- nil
	}
	go o.run()
	return o
}

func (o *overlapped) run() {
	defer close(o.done)
	for b := range o.full {
		if o.err != nil {
			continue // so that Write never waits in vain
		}
		if _, o.err = o.w.Write(b); o.err != nil {
			close(o.free)
			continue
		}
		o.free <- b
	}
}

// Write hands a copy of p over. Its error may be that of an earlier Write.
func (o *overlapped) Write(p []byte) (int, error) {
	b, ok := <-o.free
	if !ok {
		return 0, o.err
	}
	o.full <- append(b[:0], p...)
	return len(p), nil
}

// Close waits until all is written and returns the first error.
func (o *overlapped) Close() error {
	close(o.full)
	<-o.done
	return o.err
}

// textWriter returns a buffered writer to w and what flushes it and ends its
// goroutine, if there is one. Both must be called by one goroutine.
func textWriter(w io.Writer, threads int) (*bufio.Writer, func() error) {
	if threads == 1 {
		b := bufio.NewWriterSize(w, textBuffer)
		return b, b.Flush
	}
	o := overlap(w)
	b := bufio.NewWriterSize(o, textBuffer)
	return b, func() error {
		err := b.Flush()
		if cerr := o.Close(); err == nil {
			err = cerr
		}
		return err
	}
}
