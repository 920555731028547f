package bam

import (
	"bytes"
	"fmt"
	"io"
)

// samReader turns lines of text into records (SAMv1 section 1).
type samReader struct {
	w    *window
	h    *Header
	line int64  // of the current line, from 1
	text []byte // a line that lies in two windows
	rec  []byte
}

// header reads the lines that begin with '@'.
func (d *samReader) header() (*Header, error) {
	var text []byte
	for {
		if b, err := d.w.peek(1); err == io.EOF || err == nil && b[0] != '@' {
			break
		} else if err != nil {
			return nil, err
		}
		line, err := d.next()
		if err != nil {
			return nil, err
		}
		text = append(text, line...)
	}
	h, err := ParseHeader(text)
	d.h = h
	return h, err
}

// next returns the next line with its newline, which the last line may lack; io.EOF behind that.
func (d *samReader) next() ([]byte, error) {
	d.text = d.text[:0]
	for {
		b := d.w.buf[d.w.pos:]
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			d.w.pos += i + 1
			d.line++
			if len(d.text) == 0 {
				return b[:i+1], nil
			}
			d.text = append(d.text, b[:i+1]...)
			return d.text, nil
		}
		d.text = append(d.text, b...)
		d.w.pos = len(d.w.buf)
		if err := d.w.more(); err == io.EOF && len(d.text) > 0 {
			d.line++
			return d.text, nil
		} else if err != nil {
			return nil, err
		}
	}
}

func (d *samReader) read() (Record, error) {
	line, err := d.next()
	if err != nil {
		return Record{}, err
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	if len(line) == 0 {
		// A blank line is legal only as the last.
		if _, err := d.w.peek(1); err == io.EOF {
			return Record{}, err
		}
		return Record{}, fmt.Errorf("%w: a blank line between records", ErrCorrupt)
	}
	if line[0] == '@' && isHeaderLine(line) {
		return Record{}, fmt.Errorf("%w: a header line behind the first record", ErrCorrupt)
	}
	if d.rec, err = d.h.ParseSAMLine(d.rec[:0], line); err != nil {
		return Record{}, err
	}
	return ParseRecord(d.rec)
}

// isHeaderLine tells a header line from a read whose name begins with '@', which has ten more fields.
func isHeaderLine(line []byte) bool {
	return len(line) >= 4 && line[3] == '\t' && bytes.Count(line, []byte("\t")) < 10
}

func (d *samReader) where() string { return fmt.Sprintf("line %d", d.line) }
