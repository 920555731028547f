package main

import (
	"bufio"
	"context"
	"io"
	"sync/atomic"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bgzfout"
)

// samBuffer gathers lines of text into writes of this size.
const samBuffer = 1 << 20

// sink takes the records that go out.
type sink struct {
	bytes  atomic.Int64 // written, as on disk
	digest bam.Digest
	w      *bam.Writer
	end    func() error // drains what lies between w and the output
}

// openSink writes the header to out and returns a sink of the records.
func openSink(out io.Writer, h *bam.Header, cfg config, mem memory) (*sink, error) {
	s := &sink{}
	dst := &countingWriter{out, &s.bytes}
	var err error
	if cfg.format == formatSAM {
		b := bufio.NewWriterSize(dst, samBuffer)
		s.end = b.Flush
		s.w, err = bam.NewWriter(b, h, bam.SAM)
	} else {
		var z *bgzfout.Writer
		if z, err = bgzfout.NewWriter(dst, mem.writer); err != nil {
			return nil, err
		}
		s.end = z.Close
		s.w, err = bam.NewWriter(z, h, bam.BAM)
	}
	if err != nil {
		_ = s.end() // ends the goroutines; the error that led here is the one to tell
		return nil, err
	}
	return s, nil
}

// write counts, hashes and writes r.
func (s *sink) write(r bam.Record) error {
	s.digest.Add(r)
	return s.w.Write(r)
}

// drain writes next's records until io.EOF and closes the sink.
func (s *sink) drain(next func() (bam.Record, error), p *phase) error {
	for {
		r, err := next()
		if err == io.EOF {
			err = s.end()
			s.progress(p)
			return err
		}
		if err == nil {
			err = s.write(r)
		}
		if err != nil {
			_ = s.end() // ends the goroutines; the error that led here is the one to tell
			return err
		}
		if s.digest.Count%progressStep == 0 {
			s.progress(p)
		}
	}
}

func (s *sink) progress(p *phase) {
	p.records.Store(s.digest.Count)
	p.bytes.Store(s.bytes.Load())
}

// progressStep is how many records pass between two updates of the progress.
const progressStep = 1 << 12

// cancellableWriter refuses to write once ctx has ended.
type cancellableWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *cancellableWriter) Write(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.w.Write(p)
}

// countingWriter counts what was written to w.
type countingWriter struct {
	w     io.Writer
	count *atomic.Int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.count.Add(int64(n))
	return n, err
}
