package bam

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
)

// magic starts every BAM file.
const magic = "BAM\x01"

// refFixedLen is what a reference takes in a BAM header beside its name: l_name, the NUL, l_ref.
const refFixedLen = 4 + 1 + 4

// partLen is the least length of the parts that a dictionary of millions is written in.
const partLen = 64 << 10

// AppendBinary appends the header block of a BAM file to dst (SAMv1 section
// 4.2: magic, text, dictionary). It fails if edits made the text longer than
// 2^31-1 bytes.
func (h *Header) AppendBinary(dst []byte) ([]byte, error) {
	if err := h.fitsBinary(); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, len(magic)+8+len(h.text)+h.refs.names.Len()+refFixedLen*h.NumRefs())
	for part := range h.binaryParts() {
		dst = append(dst, part...)
	}
	return dst, nil
}

func (h *Header) fitsBinary() error {
	if len(h.text) > math.MaxInt32 {
		return fmt.Errorf("bam: header text grew to %d bytes, and BAM holds at most 2^31-1", len(h.text))
	}
	return nil
}

// binaryParts yields the header block of a BAM file in parts, each valid until the next.
func (h *Header) binaryParts() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		buf := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(h.text)))
		if !yield(buf) || !yield(h.text) {
			return
		}
		buf = binary.LittleEndian.AppendUint32(buf[:0], uint32(h.NumRefs()))
		h.yieldRefs(buf, yield, func(dst []byte, name string, length int64) []byte {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(len(name)+1))
			dst = append(append(dst, name...), 0)
			return binary.LittleEndian.AppendUint32(dst, uint32(length))
		})
	}
}

// yieldRefs yields buf and what add appends for each reference, in parts. It reports whether the last yield did.
func (h *Header) yieldRefs(buf []byte, yield func([]byte) bool, add func(dst []byte, name string, length int64) []byte) bool {
	for i := range h.NumRefs() {
		buf = add(buf, h.RefName(i), h.RefLen(i))
		if len(buf) >= partLen {
			if !yield(buf) {
				return false
			}
			buf = buf[:0]
		}
	}
	return yield(buf)
}

// AppendSAMHeader appends the header of a SAM file to dst: the text, and, if
// that has no @SQ lines, those of the dictionary behind @HD. The last line is
// ended.
func (h *Header) AppendSAMHeader(dst []byte) []byte {
	dst = slices.Grow(dst, len(h.text)+1)
	for part := range h.samParts() {
		dst = append(dst, part...)
	}
	return dst
}

// fitsText refuses what is no header of a SAM file, though BAM can hold it.
func (h *Header) fitsText() error {
	n, refs := 0, false
	for _, line := range headerLines(h.text) {
		n++
		if len(line) == 0 || line[0] != '@' || isRead(line) || bytes.IndexByte(line, 0) >= 0 {
			return fmt.Errorf("%w: header line %d is none that SAM can hold: %q", ErrCorrupt, n, excerpt(line))
		}
		if isLine(line, "@SQ") {
			refs = true
			if _, _, err := parseReference(line); err != nil {
				return fmt.Errorf("%w: header line %d: %w", ErrCorrupt, n, err)
			}
		}
	}
	for i := 0; !refs && i < h.NumRefs(); i++ { // else the names are those of the lines
		if name := []byte(h.RefName(i)); !fitsColumn(name) || isNoReference(name) {
			return fmt.Errorf("%w: reference %d has a name that SAM cannot hold: %q", ErrCorrupt, i+1, excerpt(name))
		}
	}
	if again := h.refs.repeated(); again > 0 {
		return fmt.Errorf("%w: reference %d has the name of one before it, %q, and SAM has only names", ErrCorrupt, again+1, h.RefName(again))
	}
	return nil
}

// samParts yields the header of a SAM file in parts, each valid until the next.
func (h *Header) samParts() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if h.hasRefLines() {
			yieldLines(h.text, yield)
			return
		}
		at, line := h.hdLine()
		at += len(line)
		if n := bytes.IndexByte(h.text[at:], '\n'); line != nil && n >= 0 {
			at += n + 1
		}
		ok := yieldLines(h.text[:at], yield) &&
			h.yieldRefs(nil, yield, func(dst []byte, name string, length int64) []byte {
				dst = append(append(dst, "@SQ\tSN:"...), name...)
				dst = strconv.AppendInt(append(dst, "\tLN:"...), length, 10)
				return append(dst, '\n')
			})
		if ok {
			yieldLines(h.text[at:], yield)
		}
	}
}

// hasRefLines reports whether the text has @SQ lines.
func (h *Header) hasRefLines() bool {
	for _, line := range headerLines(h.text) {
		if isLine(line, "@SQ") {
			return true
		}
	}
	return false
}

// yieldLines yields text, and a line end if it lacks its last. It reports whether the last yield did.
func yieldLines(text []byte, yield func([]byte) bool) bool {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return yield(text)
	}
	return yield(text) && yield([]byte{'\n'})
}
