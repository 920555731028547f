package bam

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// Header is the header of a BAM or SAM file: its text, byte for byte, and the
// reference dictionary that RefID counts in. Methods that read may run at once
// in many goroutines.
type Header struct {
	text []byte
	refs *References // never changed once the Header is made; clones share it
}

// ParseHeader makes a Header of the header lines of a SAM file; the dictionary
// comes from the @SQ lines. The text is copied. Errors wrap [ErrCorrupt] and
// name the line: one that does not start with '@', an @SQ without SN or LN, an
// LN that BAM cannot hold, two references of one name.
func ParseHeader(text []byte) (*Header, error) { return parseHeader(bytes.Clone(text)) }

// parseHeader is ParseHeader of text that it may keep.
func parseHeader(text []byte) (*Header, error) {
	refs := newReferences(bytes.Count(text, []byte{'\n'}) + 1)
	n := 0
	for _, line := range headerLines(text) {
		n++
		if len(line) == 0 || line[0] != '@' {
			return nil, fmt.Errorf("%w: header line %d does not start with '@'", ErrCorrupt, n)
		}
		if !isLine(line, "@SQ") {
			continue
		}
		name, length, err := parseReference(line)
		if err != nil {
			return nil, fmt.Errorf("%w: header line %d: %w", ErrCorrupt, n, err)
		}
		if err := refs.Add(name, length); err != nil {
			return nil, err
		}
	}
	if again := refs.repeated(); again > 0 {
		first, _ := refs.Find([]byte(refs.Name(again)))
		return nil, fmt.Errorf("%w: header line %d: @SQ SN:%s was there before, in line %d",
			ErrCorrupt, referenceLine(text, again), refs.Name(again), referenceLine(text, int(first)))
	}
	return newHeader(text, refs)
}

// NewHeader makes a Header of the two parts of a BAM header: the text, which is
// copied without the NULs it may be padded with, and the dictionary, which is
// kept. Text without @SQ lines is legal. If it has some they must be the
// dictionary; if they are not the error wraps [ErrCorrupt] and says where.
func NewHeader(text []byte, refs *References) (*Header, error) {
	return joinHeader(bytes.Clone(bytes.TrimRight(text, "\x00")), refs)
}

// joinHeader is NewHeader of text without padding that it may keep.
func joinHeader(text []byte, refs *References) (*Header, error) {
	n, id := 0, 0
	for _, line := range headerLines(text) {
		n++
		if !isLine(line, "@SQ") {
			continue
		}
		if err := sameReference(refs, id, line); err != nil {
			return nil, fmt.Errorf("%w: header line %d: %w", ErrCorrupt, n, err)
		}
		id++
	}
	if id != 0 && id != refs.Len() {
		return nil, fmt.Errorf("%w: header text has %d @SQ lines, the binary dictionary %d references: %q has no line",
			ErrCorrupt, id, refs.Len(), refs.Name(id))
	}
	return newHeader(text, refs)
}

func newHeader(text []byte, refs *References) (*Header, error) {
	if len(text) > math.MaxInt32 {
		return nil, fmt.Errorf("%w: header text of %d bytes, and BAM holds at most 2^31-1", ErrCorrupt, len(text))
	}
	return &Header{text: text, refs: refs}, nil
}

// parseReference reads an @SQ line.
func parseReference(line []byte) (name []byte, length int64, err error) {
	var text []byte
	names, lengths := 0, 0
	for f := range fieldsOf(line) {
		switch {
		case isField(f, "SN:"):
			name = f[3:]
			names++
		case isField(f, "LN:"):
			text = f[3:]
			lengths++
		}
	}
	switch {
	case len(name) == 0:
		return nil, 0, errors.New("@SQ has no SN")
	case isNoReference(name):
		return nil, 0, fmt.Errorf("@SQ has SN:%s, which means something else in a record", name)
	case lengths == 0:
		return nil, 0, fmt.Errorf("@SQ SN:%s has no LN", name)
	case names > 1 || lengths > 1: // of two lengths some tools believe the first, some the last
		return nil, 0, fmt.Errorf("@SQ SN:%s has SN or LN twice", name)
	}
	n, ok := parseUint(text, maxParsed)
	if !ok {
		return nil, 0, fmt.Errorf("@SQ SN:%s has LN %q, which is no length", name, text)
	}
	if n > math.MaxInt32 {
		return nil, 0, fmt.Errorf("@SQ SN:%s has LN %d, and BAM holds at most 2^31-1", name, n)
	}
	return name, int64(n), nil
}

// isNoReference reports whether name stands for no reference, or for that of the read, in a record's columns.
func isNoReference(name []byte) bool { return len(name) == 1 && (name[0] == '*' || name[0] == '=') }

// sameReference checks an @SQ line against reference id of the dictionary. A
// missing LN contradicts nothing.
func sameReference(refs *References, id int, line []byte) error {
	if id >= refs.Len() {
		return fmt.Errorf("@SQ number %d, but the binary dictionary has only %d references", id+1, refs.Len())
	}
	if name, _ := fieldOf(line, "SN:"); string(name) != refs.Name(id) {
		return fmt.Errorf("@SQ number %d has SN %q where the binary dictionary has %q", id+1, name, refs.Name(id))
	}
	text, ok := fieldOf(line, "LN:")
	if n, valid := parseUint(text, math.MaxInt32); ok && (!valid || int64(n) != refs.Length(id)) {
		return fmt.Errorf("@SQ SN:%s has LN %q where the binary dictionary has %d", refs.Name(id), text, refs.Length(id))
	}
	return nil
}

// referenceLine returns the number of the line that is @SQ number id, for an error.
func referenceLine(text []byte, id int) int {
	n := 0
	for _, line := range headerLines(text) {
		n++
		if isLine(line, "@SQ") {
			if id--; id < 0 {
				break
			}
		}
	}
	return n
}

// editRoom is what Clone leaves for edits to grow into, so that they need no further copy of a long text.
const editRoom = 4 << 10

// Clone returns a copy that can be edited on its own. The two share the dictionary.
func (h *Header) Clone() *Header {
	text := make([]byte, 0, len(h.text)+editRoom)
	return &Header{text: append(text, h.text...), refs: h.refs}
}

// Memory returns the bytes that the header holds: the text with the room to
// edit it, and the dictionary with its index, be that built yet or not. Clones
// count the dictionary they share in each of them. Making a header of a file
// takes up to twice that for a moment, writing it nothing worth mention.
func (h *Header) Memory() int64 { return int64(cap(h.text)) + h.refs.memory() }

// Text returns the text as it stands, until the next edit; the caller must not
// change it.
func (h *Header) Text() []byte { return h.text }

// NumRefs returns the number of references.
func (h *Header) NumRefs() int { return h.refs.Len() }

// RefName returns the name of reference i; it panics if there is none.
func (h *Header) RefName(i int) string { return h.refs.Name(i) }

// RefLen returns the length of reference i in bases; it panics if there is none.
func (h *Header) RefLen(i int) int64 { return h.refs.Length(i) }

// RefID returns the index of the reference with the name, and whether there is
// one. The first call builds an index, about 10 bytes a reference.
func (h *Header) RefID(name []byte) (int32, bool) { return h.refs.Find(name) }
