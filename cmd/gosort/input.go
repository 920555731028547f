package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/gosort/gosort/bam"
)

// input is one file being read.
type input struct {
	path      string
	name      string   // for messages
	file      *os.File // nil while closed
	info      os.FileInfo
	size      int64 // bytes on disk; 0 when unknown
	again     bool  // it can be opened a second time
	bytes     atomic.Int64
	interrupt context.CancelFunc // ends a read that waits for a producer; nil for what does not wait
	head      []byte             // the first bytes, for messages
	reader    *bam.Reader        // nil while closed, and for an empty input that is allowed
	header    *bam.Header
	to        *bam.Translation // into the merged header
	buf       []byte           // holds a translated record
	cut       error            // how it was cut, when that is allowed
	unended   bool             // it is text whose last line has no end
	count     int64            // records read
}

// openInput opens the file at path, or takes stdin, and reads the header.
func openInput(ctx context.Context, cfg config, path string, stdin *os.File, o bam.ReaderOptions) (*input, error) {
	in := &input{path: path, name: inputName(path), file: stdin}
	if err := in.open(ctx, cfg, o); err != nil {
		return nil, in.fail(errors.Join(err, in.close()))
	}
	return in, nil
}

// inputName is what messages call the input at path.
func inputName(path string) string {
	if path == stdio {
		return "standard input"
	}
	return path
}

// open opens the file if it is closed, and reads its header.
func (in *input) open(ctx context.Context, cfg config, o bam.ReaderOptions) error {
	if in.path != stdio {
		f, err := openWaiting(ctx, in.path, os.O_RDONLY)
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
	} else if in.info != nil && !(os.SameFile(in.info, info) && in.info.Size() == info.Size() && in.info.ModTime().Equal(info.ModTime())) {
		return errors.New("the file changed while it was read")
	}
	in.info = info
	src := io.Reader(&cancellable{ctx, in.file})
	if info.Mode().IsRegular() {
		in.size, in.again = info.Size(), in.path != stdio
	} else {
		ctx, in.interrupt = context.WithCancel(ctx)
		src = pump(ctx, in.file)
	}
	in.bytes.Store(0)
	in.count = 0
	o.AllowTruncated = cfg.allowTruncated
	buffered := bufio.NewReader(&countingReader{src, &in.bytes})
	if _, err := buffered.Peek(1); err == nil {
		head, _ := buffered.Peek(min(buffered.Buffered(), headSize)) // what is there comes without an error
		in.head = bytes.Clone(head)
	}
	in.reader, err = bam.NewReader(buffered, o)
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
		in.cut, in.unended = in.reader.Truncated(), in.reader.Unended()
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
func (in *input) fail(err error) error { return &inputError{in.path, in.recognise(err)} }

// close ends the reader and closes the file. It is idempotent.
func (in *input) close() error {
	var errs []error
	if in.interrupt != nil {
		in.interrupt() // the reader waits for it
	}
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
	path string
	err  error
}

func (e *inputError) Error() string { return inputName(e.path) + ": " + e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }
