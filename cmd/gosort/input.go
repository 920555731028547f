package main

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/gosort/gosort/bam"
)

// input is the file being read.
type input struct {
	name   string
	file   *os.File
	size   int64 // bytes on disk; 0 when unknown
	bytes  atomic.Int64
	reader *bam.Reader // nil for an empty input that is allowed
	header *bam.Header
	raw    int64 // bytes of records, uncompressed
	digest bam.Digest
}

// openInput opens what cfg names and reads its header.
func openInput(ctx context.Context, cfg config, stdin *os.File, mem memory) (*input, error) {
	in := &input{name: cfg.input, file: stdin}
	if cfg.input == stdio {
		in.name = "standard input"
	} else {
		f, err := os.Open(cfg.input)
		if err != nil {
			return nil, err
		}
		in.file = f
	}
	info, err := in.file.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("is a directory")
	}
	if err != nil {
		return nil, in.fail(errors.Join(err, in.close()))
	}
	src := io.Reader(&cancellable{ctx, in.file})
	if info.Mode().IsRegular() {
		in.size = info.Size()
	} else {
		src = pump(ctx, in.file)
	}
	o := mem.reader
	o.AllowTruncated = cfg.allowTruncated
	in.reader, err = bam.NewReader(&countingReader{src, &in.bytes}, o)
	if errors.Is(err, bam.ErrEmpty) && cfg.allowEmpty {
		in.header, err = bam.ParseHeader(nil)
	} else if err == nil {
		in.header = in.reader.Header()
	}
	if err != nil {
		_ = in.close()
		return nil, in.fail(err)
	}
	return in, nil
}

// read returns the next record, counted and hashed.
func (in *input) read() (bam.Record, error) {
	if in.reader == nil {
		return bam.Record{}, io.EOF
	}
	r, err := in.reader.Read()
	if err != nil {
		if err != io.EOF {
			err = in.fail(err)
		}
		return bam.Record{}, err
	}
	in.digest.Add(r)
	in.raw += int64(len(r.Bytes())) + 4
	return r, nil
}

// each gives every record to do.
func (in *input) each(p *phase, do func(bam.Record) error) error {
	for {
		r, err := in.read()
		if err == nil {
			err = do(r)
		}
		if err != nil || in.digest.Count%progressStep == 0 {
			p.records.Store(in.digest.Count)
			p.bytes.Store(in.bytes.Load())
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// tell reports what was read.
func (in *input) tell(report *reporter, stats *runStats) {
	stats.RecordsIn, stats.RecordsOut, stats.RecordHash = in.digest.Count, in.digest.Count, in.digest.String()
	stats.BytesRead, stats.RawBytes = in.bytes.Load(), in.raw
	if in.reader != nil && in.reader.Truncated() != nil {
		report.warnf("%s: %v; the %s whole records before the cut are kept", in.name, in.reader.Truncated(), grouped(in.digest.Count))
	}
	report.verbosef("%s records, hash %v", grouped(in.digest.Count), in.digest)
}

// fail names the file in an error.
func (in *input) fail(err error) error { return &inputError{in.name, err} }

// close ends the reader and closes the file. It is idempotent.
func (in *input) close() error {
	var errs []error
	if in.reader != nil {
		errs = append(errs, in.reader.Close())
	}
	if in.file != nil {
		errs = append(errs, in.file.Close())
		in.file = nil
	}
	return errors.Join(errs...)
}

// inputError is an error of the input, which it names.
type inputError struct {
	name string
	err  error
}

func (e *inputError) Error() string { return e.name + ": " + e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

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
// interrupted: with it a signal ends the work at once. The goroutine ends with the stream or, waiting in that read, with
// the process.
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
