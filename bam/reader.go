package bam

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gosort/gosort/bam/internal/bgzfin"
)

// ErrEmpty is returned by NewReader for an input of 0 bytes.
var ErrEmpty = errors.New("bam: the input is empty")

// Format is a file format of alignment records.
type Format uint8

// The formats. The zero value is BAM.
const (
	BAM Format = iota // SAMv1 section 4.2, in BGZF
	SAM               // SAMv1 section 1, plain text
)

// String returns "bam" or "sam".
func (f Format) String() string {
	if f == SAM {
		return "sam"
	}
	return "bam"
}

// ReaderOptions configure a Reader. The zero value reads on the caller's goroutine.
type ReaderOptions struct {
	// Threads is the number of goroutines that inflate BGZF, and of those that parse SAM; <= 1 starts none.
	Threads int
	// UnitBlocks is the number of BGZF blocks handed over at once; 0 means 16, about 1 MiB inflated. SAM is handed over
	// in units of a quarter of that.
	UnitBlocks int
	// AllowTruncated makes a cut in the input its end: whole records before it are kept, and Truncated says so.
	AllowTruncated bool

	unitText int // bytes of SAM in a unit, 0 but in tests
}

// textUnit returns the bytes of SAM in a unit.
func (o ReaderOptions) textUnit() int {
	if o.unitText > 0 {
		return o.unitText
	}
	if o.UnitBlocks <= 0 {
		o.UnitBlocks = bgzfin.DefaultUnitBlocks
	}
	return o.UnitBlocks * textPerBlock
}

// Memory returns an upper bound of the bytes a Reader with these options holds, whatever the format. Not counted are the
// header, a record larger than a BGZF block, and lines longer than a unit, which take about three times the longest's length.
func (o ReaderOptions) Memory() int64 {
	return bgzfin.Options{Threads: o.Threads, UnitBlocks: o.UnitBlocks}.Memory() + sniffSize + streamWindow +
		textMemory(o.Threads, o.textUnit())
}

// sniffSize is the read-ahead for telling formats apart.
const sniffSize = 4 << 10

// source yields a stream's plain bytes window by window.
type source interface {
	// next returns the next window, valid until the following call; io.EOF after the last.
	next() ([]byte, error)
	// offset returns the place of byte i of the current window in the stream, and place puts it into words.
	offset(i int) int64
	place(offset int64) string
	// marked reports, once next returned io.EOF, whether a marker says that the stream is whole.
	marked() bool
	close() error
}

// decoder turns a source's bytes into records.
type decoder interface {
	header() (*Header, error)
	read() (Record, error)
	where() string
	close() error // ends the decoder's goroutines and closes the source
}

// Reader reads alignment records in BAM (BGZF, plain gzip or uncompressed) or SAM. It is for one goroutine.
type Reader struct {
	h         *Header
	dec       decoder
	format    Format
	allow     bool
	truncated error
	count     int64
	err       error // sticky
}

// NewReader reads the header from r and returns a Reader of its records. The format is found by content. It returns
// ErrEmpty for 0 bytes, and errors wrapping ErrTruncated and ErrCorrupt for damage.
func NewReader(r io.Reader, o ReaderOptions) (*Reader, error) {
	br := bufio.NewReaderSize(r, sniffSize)
	head, err := br.Peek(fixedSniff)
	if len(head) == 0 {
		if err == io.EOF {
			err = ErrEmpty
		}
		return nil, err
	}
	src, err := openSource(br, head, o)
	if err != nil {
		return nil, translate(err)
	}
	rd := &Reader{allow: o.AllowTruncated}
	if err := rd.open(src, o); err != nil {
		_ = src.close() // the error that led here is the one to tell
		return nil, fmt.Errorf("%w (in the header)", translate(err))
	}
	return rd, nil
}

// open finds out the format and reads the header.
func (r *Reader) open(src source, o ReaderOptions) error {
	w := &window{src: src}
	var err error
	if r.format, err = sniff(w); err != nil {
		return err
	}
	if r.format == SAM {
		r.dec = newSAMReader(w, o)
	} else {
		r.dec = &bamReader{w: w}
	}
	r.h, err = r.dec.header()
	return err
}

// Header returns the file's header. The caller clones it before changing it.
func (r *Reader) Header() *Header { return r.h }

// Format returns the input's format.
func (r *Reader) Format() Format { return r.format }

// Truncated returns the error that told of a cut, when AllowTruncated made it the end of the input.
func (r *Reader) Truncated() error { return r.truncated }

// Unended reports, once Read returned io.EOF, whether the input is text that is not compressed and whose last line has no
// end. SAMv1 allows that, but a cut inside the last field looks the same.
func (r *Reader) Unended() bool {
	s, ok := r.dec.(*samReader)
	return ok && s.unended()
}

// Read returns the next record, borrowed until the next Read; io.EOF after the last. Errors wrap ErrTruncated or
// ErrCorrupt, name the record's number, counted from 1, and its place in the file, and are sticky.
func (r *Reader) Read() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	rec, err := r.dec.read()
	if err != nil {
		r.err = r.judge(err)
		return Record{}, r.err
	}
	r.count++
	return rec, nil
}

// judge turns the error that ended the reading into the one that the caller sees.
func (r *Reader) judge(err error) error {
	if err == io.EOF {
		return err
	}
	err = translate(err)
	if r.allow && errors.Is(err, ErrTruncated) {
		r.truncated = err
		return io.EOF
	}
	return fmt.Errorf("%w (record %d, %s)", err, r.count+1, r.dec.where())
}

// Close ends the Reader's goroutines; it does not close the underlying reader. It waits for a Read of that which is
// under way. It is idempotent.
func (r *Reader) Close() error {
	if r.err == nil {
		r.err = errors.New("bam: read after Close")
	}
	return r.dec.close()
}

// translate gives errors of the BGZF reader this package's sentinels.
func translate(err error) error {
	switch {
	case errors.Is(err, ErrTruncated), errors.Is(err, ErrCorrupt):
		return err
	case errors.Is(err, bgzfin.ErrTruncated):
		return &damage{ErrTruncated, err}
	case errors.Is(err, bgzfin.ErrCorrupt):
		return &damage{ErrCorrupt, err}
	}
	return err
}

// damage is an error of another package with one of our sentinels.
type damage struct{ kind, err error }

func (d *damage) Error() string   { return "bam: " + d.err.Error() }
func (d *damage) Unwrap() []error { return []error{d.kind, d.err} }

// window walks a source's bytes. Stages take whole pieces of it; a piece that lies in two windows is put together in
// scratch.
type window struct {
	src     source
	buf     []byte
	pos     int
	scratch []byte
	err     error // sticky
}

// more moves to the next window.
func (w *window) more() error {
	if w.err == nil {
		buf, err := w.src.next()
		if err == nil {
			w.buf, w.pos = buf, 0
		}
		w.err = err
	}
	return w.err
}

// rest returns what is left of the window, or else the next one, without taking it; it is never empty.
func (w *window) rest() ([]byte, error) {
	if w.pos == len(w.buf) {
		if err := w.more(); err != nil {
			return nil, err
		}
	}
	return w.buf[w.pos:], nil
}

// take returns the next n bytes, valid until the next call. Memory grows only with bytes that are there. When the input
// ends before n bytes it returns io.EOF if there was none, else what there is and the error of endsEarly.
func (w *window) take(n int) ([]byte, error) {
	if n <= len(w.buf)-w.pos {
		b := w.buf[w.pos : w.pos+n]
		w.pos += n
		return b, nil
	}
	var err error
	w.scratch, err = w.appendTo(w.scratch[:0], n)
	return w.scratch, err
}

// appendTo takes n bytes like take, but appends them to dst.
func (w *window) appendTo(dst []byte, n int) ([]byte, error) {
	for have := 0; have < n; {
		b, err := w.rest()
		if err == io.EOF && have > 0 {
			return dst, w.endsEarly(fmt.Sprintf("after %d of %d bytes", have, n))
		} else if err != nil {
			return dst, err
		}
		m := min(n-have, len(b))
		if m > cap(dst)-len(dst) {
			dst = slices.Grow(dst, min(n-have, max(m, len(dst)))) // doubles, but never beyond n
		}
		dst = append(dst, b[:m]...)
		w.pos += m
		have += m
	}
	return dst, nil
}

// need makes io.EOF, where more bytes must follow, the error of endsEarly.
func (w *window) need(err error) error {
	if err == io.EOF {
		return w.endsEarly("here")
	}
	return err
}

// endsEarly is the error of data that ends where more must follow: a cut, unless a marker says that nothing is missing.
func (w *window) endsEarly(where string) error {
	if w.src.marked() {
		return fmt.Errorf("%w: the data ends %s, and the EOF marker says that it is whole", ErrCorrupt, where)
	}
	return fmt.Errorf("%w: the data ends %s", ErrTruncated, where)
}

// peek returns up to n bytes of the window without taking them; fewer only if the window is short.
func (w *window) peek(n int) ([]byte, error) {
	b, err := w.rest()
	return b[:min(n, len(b))], err
}

// uint32 takes a little-endian integer.
func (w *window) uint32() (uint32, error) {
	b, err := w.take(4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}
