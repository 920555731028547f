package bam

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// BlockWriter is a compressor that ends its current block when n more bytes would not fit into it, so that a record
// lies in one block wherever it can (htslib's bgzf_flush_try). bgzfout.Writer is one.
type BlockWriter interface {
	io.Writer
	// FlushTry ends the current block if n more bytes, 1 or more, do not fit into it.
	FlushTry(n int) error
}

// Positioner is a BlockWriter that tells where it is. bgzfout.Writer is one.
type Positioner interface {
	BlockWriter
	// Position returns where the next byte goes: the number of its block, counted from 0, and the offset in the block's
	// payload.
	Position() (block int64, offset int)
}

// blockPayload is the most that a BGZF block holds; no block can take that many bytes more, so FlushTry of it ends the
// block.
const blockPayload = 0xff00

// Writer writes a header and records in BAM or SAM. It is for one goroutine. An error is sticky.
type Writer struct {
	w      io.Writer
	blocks BlockWriter // w, when it is one
	h      *Header
	format Format
	count  int64 // records written, the one under way included
	buf    []byte
	err    error

	index    *IndexBuilder // nil unless SetIndex was called
	position Positioner
}

// NewWriter writes h to w and returns a Writer of records; what the format has no form for is an error. BAM is written uncompressed: w is the compressor, and if it
// is a BlockWriter, records begin in a block of their own and do not straddle blocks. Each Write to w is small; w does
// the buffering. There is nothing to close here: closing the compressor ends the file.
func NewWriter(w io.Writer, h *Header, f Format) (*Writer, error) {
	bw := &Writer{w: w, h: h, format: f}
	if f == SAM {
		if err := h.fitsText(); err != nil {
			return nil, err
		}
		for part := range h.samParts() {
			bw.put(part)
		}
		return bw, bw.err
	}
	bw.blocks, _ = w.(BlockWriter)
	if err := h.fitsBinary(); err != nil {
		return nil, err
	}
	for part := range h.binaryParts() {
		bw.put(part)
	}
	bw.flushTry(blockPayload)
	return bw, bw.err
}

// SetIndex has every record that is written from now on added to x too, whose errors become the Writer's. It fails if
// the Writer does not write BAM to a Positioner.
func (w *Writer) SetIndex(x *IndexBuilder) error {
	p, ok := w.w.(Positioner)
	if !ok || w.format != BAM {
		return errors.New("bam: only BAM that is compressed to BGZF has an index")
	}
	w.index, w.position = x, p
	return nil
}

// Write writes r. It does not keep r.
func (w *Writer) Write(r Record) error {
	if w.err != nil {
		return w.err
	}
	w.count++
	if w.format == SAM {
		var err error
		if w.buf, err = w.h.AppendSAM(w.buf[:0], r); err != nil {
			w.err = fmt.Errorf("%w (record %d of the output)", err, w.count)
		}
		w.put(w.buf)
		return w.err
	}
	b := r.Bytes()
	w.flushTry(4 + len(b))
	if w.index != nil && w.err == nil {
		block, offset := w.position.Position()
		w.err = w.index.Add(r, block, offset)
	}
	w.buf = binary.LittleEndian.AppendUint32(w.buf[:0], uint32(len(b)))
	w.put(w.buf)
	w.put(b)
	return w.err
}

func (w *Writer) flushTry(n int) {
	if w.err == nil && w.blocks != nil {
		w.fail(w.blocks.FlushTry(n))
	}
}

func (w *Writer) put(b []byte) {
	if w.err == nil {
		_, err := w.w.Write(b)
		w.fail(err)
	}
}

func (w *Writer) fail(err error) {
	if err != nil {
		w.err = fmt.Errorf("bam: writing %v: %w", w.format, err)
	}
}
