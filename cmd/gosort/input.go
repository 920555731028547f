package main

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/gosort/gosort/bam"
)

// input is one file being read.
type input struct {
	path   string
	name   string   // for messages
	file   *os.File // nil while closed
	size   int64    // bytes on disk; 0 when unknown
	again  bool     // it can be opened a second time
	bytes  atomic.Int64
	reader *bam.Reader // nil while closed, and for an empty input that is allowed
	header *bam.Header
	to     *bam.Translation // into the merged header
	buf    []byte           // holds a translated record
	cut    error            // how it was cut, when that is allowed
	count  int64            // records read
}

// openInput opens the file at path, or takes stdin, and reads the header.
func openInput(ctx context.Context, cfg config, path string, stdin *os.File, o bam.ReaderOptions) (*input, error) {
	in := &input{path: path, name: path, file: stdin}
	if path == stdio {
		in.name = "standard input"
	}
	if err := in.open(ctx, cfg, o); err != nil {
		return nil, in.fail(errors.Join(err, in.close()))
	}
	return in, nil
}

// open opens the file if it is closed, and reads its header.
func (in *input) open(ctx context.Context, cfg config, o bam.ReaderOptions) error {
	if in.path != stdio {
		f, err := os.Open(in.path)
		if err != nil {
			return err
		}
		in.file = f
	}
	info, err := in.file.Stat()
	if err != nil {
		return err
	} else if info.IsDir() {
		return errors.New("is a directory")
	}
	src := io.Reader(&cancellable{ctx, in.file})
	if info.Mode().IsRegular() {
		in.size, in.again = info.Size(), in.path != stdio
	} else {
		src = pump(ctx, in.file)
	}
	in.bytes.Store(0)
	in.count = 0
	o.AllowTruncated = cfg.allowTruncated
	in.reader, err = bam.NewReader(&countingReader{src, &in.bytes}, o)
	if errors.Is(err, bam.ErrEmpty) && cfg.allowEmpty {
		in.header, err = bam.ParseHeader(nil)
	} else if err == nil {
		in.header = in.reader.Header()
	}
	return err
}

// read returns the next record in terms of the merged header.
func (in *input) read() (bam.Record, error) {
	if in.reader == nil {
		return bam.Record{}, io.EOF
	}
	r, err := in.reader.Read()
	if err == io.EOF {
		in.cut = in.reader.Truncated()
		return r, err
	} else if err != nil {
		return r, in.fail(err)
	}
	in.count++
	if in.to.Identity() {
		return r, nil
	}
	if in.buf, err = in.to.Apply(in.buf[:0], r); err != nil {
		return r, in.fail(err)
	}
	return bam.ParseRecord(in.buf)
}

// fail names the file in an error.
func (in *input) fail(err error) error { return &inputError{in.name, err} }

// close ends the reader and closes the file. It is idempotent.
func (in *input) close() error {
	var errs []error
	if in.reader != nil {
		errs = append(errs, in.reader.Close())
		in.reader = nil
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
