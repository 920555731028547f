package bam

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// sniff tells BAM from SAM by the first bytes of the plain stream.
func sniff(w *window) (Format, error) {
	b, err := w.peek(len(magic))
	if err != nil && err != io.EOF {
		return BAM, err
	}
	if len(b) > 0 && string(b) == magic[:len(b)] {
		return BAM, nil
	}
	if b, _ := w.peek(1 << 10); bytes.IndexByte(b, 0) >= 0 {
		return SAM, fmt.Errorf("%w: the data is neither BAM nor SAM", ErrCorrupt)
	}
	return SAM, nil
}

// bamReader frames records (SAMv1 section 4.2).
type bamReader struct {
	w      *window
	nref   uint32
	name   []byte
	start  int   // of the current record in the window, for messages
	offset int64 // the same in the stream, when the record leaves the window; else -1
}

// header reads the header block. Lengths are believed only as far as bytes back them.
func (d *bamReader) header() (*Header, error) {
	if m, err := d.w.take(len(magic)); err != nil {
		return nil, d.w.need(err)
	} else if string(m) != magic {
		return nil, fmt.Errorf("%w: no BAM magic", ErrCorrupt)
	}
	text, err := d.text()
	if err != nil {
		return nil, err
	}
	nref, err := d.w.uint32()
	if err != nil {
		return nil, d.w.need(err)
	} else if nref > math.MaxInt32 {
		return nil, fmt.Errorf("%w: n_ref is negative", ErrCorrupt)
	}
	refs := new(References)
	for i := range nref {
		name, err := d.refName()
		if err != nil {
			return nil, fmt.Errorf("reference %d of %d: %w", i+1, nref, err)
		}
		if len(name) == 0 || name[len(name)-1] != 0 {
			return nil, fmt.Errorf("%w: the name of reference %d of %d does not end in NUL", ErrCorrupt, i+1, nref)
		}
		d.name = append(d.name[:0], name[:len(name)-1]...) // the name is borrowed, and the length comes next
		length, err := d.w.uint32()
		if err != nil {
			return nil, d.w.need(err)
		}
		if err := refs.Add(d.name, int64(int32(length))); err != nil {
			return nil, err
		}
	}
	d.nref = nref
	return joinHeader(text, refs)
}

// text takes the header's text, without the NULs it may be padded with. It is not borrowed.
func (d *bamReader) text() ([]byte, error) {
	n, err := d.length("l_text")
	if err != nil {
		return nil, err
	}
	text, err := d.w.appendTo(nil, n)
	return bytes.TrimRight(text, "\x00"), d.w.need(err)
}

// refName takes the length of a reference's name and the name, which is borrowed, with its NUL.
func (d *bamReader) refName() ([]byte, error) {
	n, err := d.length("l_name")
	if err != nil {
		return nil, err
	}
	b, err := d.w.take(n)
	return b, d.w.need(err)
}

func (d *bamReader) length(field string) (int, error) {
	n, err := d.w.uint32()
	if err != nil {
		return 0, d.w.need(err)
	}
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("%w: %s is negative", ErrCorrupt, field)
	}
	return int(n), nil
}

func (d *bamReader) read() (Record, error) {
	d.start, d.offset = d.w.pos, -1
	if b := d.w.buf[d.w.pos:]; len(b) >= 4 {
		// Nearly always the record lies whole in the window.
		if n := uint64(binary.LittleEndian.Uint32(b)); n <= uint64(len(b)-4) {
			d.w.pos += 4 + int(n)
			return d.check(b[4 : 4+n])
		}
	}
	d.offset = d.w.src.offset(d.start) // the window's end, should there be no other, and it is gone then
	if _, err := d.w.rest(); err != nil {
		return Record{}, err
	}
	d.start = d.w.pos // in the window that has the record's first byte, whatever the units
	d.offset = d.w.src.offset(d.start)
	n, err := d.w.uint32()
	if err != nil {
		return Record{}, err
	}
	if n < fixedLen || n > math.MaxInt32 {
		return Record{}, fmt.Errorf("%w: block_size is %d", ErrCorrupt, int32(n))
	}
	b, err := d.w.take(int(n))
	if err != nil {
		return Record{}, d.w.need(err)
	}
	return d.check(b)
}

// check is all that a record must pass.
func (d *bamReader) check(raw []byte) (Record, error) {
	r, err := ParseRecord(raw)
	if err != nil {
		return Record{}, err
	}
	if uint32(r.RefID()+1) > d.nref || uint32(r.NextRefID()+1) > d.nref {
		return Record{}, fmt.Errorf("%w: RefID %d or next RefID %d of read %q is outside the header's %d references",
			ErrCorrupt, r.RefID(), r.NextRefID(), r.ReadName(), d.nref)
	}
	return r, nil
}

func (d *bamReader) close() error { return d.w.src.close() }

func (d *bamReader) where() string {
	if d.offset < 0 {
		d.offset = d.w.src.offset(d.start)
	}
	return d.w.src.place(d.offset)
}
