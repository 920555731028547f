package bam

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// The columns of a SAM line, SAMv1 section 1.4; auxiliary fields follow.
const (
	colName = iota
	colFlag
	colRefName
	colPos
	colMapQ
	colCigar
	colNextRefName
	colNextPos
	colTLen
	colSeq
	colQual
	numColumns
)

var columnNames = [numColumns]string{
	"QNAME", "FLAG", "RNAME", "POS", "MAPQ", "CIGAR", "RNEXT", "PNEXT", "TLEN", "SEQ", "QUAL",
}

// Limits of a record's fields.
const (
	maxNameLen = 254   // l_read_name is a byte and counts the NUL
	maxCigar   = 65535 // n_cigar_op is a uint16
)

var (
	errEmpty  = errors.New("it is empty")
	errNUL    = errors.New("it has a NUL, which would end it in BAM")
	errNumber = errors.New("the value is no number")
	errRange  = errors.New("the value is out of the type's range")
)

// ParseSAMLine appends the record that a line of SAM stands for to dst: its BAM
// bytes without block_size, for [ParseRecord]. The line end, "\n" or "\r\n", may
// be there or not.
//
// What BAM has no form for is an error that names the column, or the tag, and
// wraps [ErrCorrupt]; dst comes back as it was. What BAM can hold is not
// judged, but that SEQ must be as long as the CIGAR says, and as htslib does a reference without a position is taken for none,
// and a read without a reference or without a CIGAR for unmapped. The bin is the
// one of SAMv1 section 5.3; an integer takes the smallest type that htslib would
// give it; more than 65,535 CIGAR operations go to a CG tag (section 4.2.2).
func (h *Header) ParseSAMLine(dst, line []byte) ([]byte, error) {
	if i := bytes.IndexByte(line, '\n'); i >= 0 && i < len(line)-1 {
		return dst, fmt.Errorf("%w: text follows the end of the line", ErrCorrupt)
	}
	record, err := h.appendRecord(dst, line)
	if err != nil {
		return dst, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return record, nil
}

// appendRecord is ParseSAMLine, but that it leaves to the caller what its errors wrap.
func (h *Header) appendRecord(dst, line []byte) ([]byte, error) {
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
	if bytes.HasSuffix(line, []byte{'\r'}) {
		return dst, errors.New("the line ends with more than one carriage return")
	}
	// A record is little longer than its text even where that is all short numbers.
	b := lineBuilder{h: h, dst: slices.Grow(dst, len(line)+2*fixedLen), start: len(dst)}
	aux, more := line, true
	for i := range b.col {
		if !more {
			return dst, fmt.Errorf("the line has %d columns, a record has at least %d", i, numColumns)
		}
		b.col[i], aux, more = cutColumn(aux)
	}
	if err := b.build(); err != nil {
		return dst, err
	}
	for more {
		var field []byte
		field, aux, more = cutColumn(aux)
		var err error
		if b.dst, err = appendAuxField(b.dst, field); err != nil {
			return dst, fmt.Errorf("tag %q: %w", excerpt(field), err)
		}
	}
	if err := b.appendLongCigar(); err != nil {
		return dst, b.wrong(colCigar, err)
	}
	return b.dst, nil
}

// cutColumn returns the text before the first tab and behind it, and whether there is a tab. It is bytes.Cut for one
// byte, in half the time.
func cutColumn(text []byte) (column, rest []byte, more bool) {
	if i := bytes.IndexByte(text, '\t'); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, nil, false
}

// excerpt shortens text that goes into a message.
func excerpt(text []byte) []byte {
	const most = 40
	if len(text) > most {
		return append(bytes.Clone(text[:most]), "…"...)
	}
	return text
}

// lineBuilder makes one record. Fixed fields are put in place, the rest is
// appended.
type lineBuilder struct {
	h     *Header
	col   [numColumns][]byte
	dst   []byte
	start int   // of the record in dst
	ops   Cigar // more operations than n_cigar_op counts, for the CG tag
	query int64 // bases that the CIGAR says SEQ has, -1 without one
}

func (b *lineBuilder) wrong(col int, err error) error {
	return fmt.Errorf("%s %q: %w", columnNames[col], excerpt(b.col[col]), err)
}

// build appends all but the auxiliary fields.
func (b *lineBuilder) build() error {
	name := b.col[colName]
	if err := checkName(name); err != nil {
		return b.wrong(colName, err)
	}
	b.dst = b.dst[:b.start+fixedLen] // ParseSAMLine made room, and each of these bytes is put in place below
	b.dst = append(append(b.dst, name...), 0)
	if err := b.integers(); err != nil {
		return err
	}
	if err := b.references(); err != nil {
		return err
	}
	if err := b.cigar(); err != nil {
		return b.wrong(colCigar, err)
	}
	if err := b.seq(); err != nil {
		return b.wrong(colSeq, err)
	}
	if err := b.qual(); err != nil {
		return b.wrong(colQual, err)
	}
	return nil
}

// fixed returns the record's fixed fields from offset i on.
func (b *lineBuilder) fixed(i int) []byte { return b.dst[b.start+i:] }

func (b *lineBuilder) int32(i int) int32 { return int32(binary.LittleEndian.Uint32(b.fixed(i))) }

func (b *lineBuilder) flag() Flag { return Flag(binary.LittleEndian.Uint16(b.fixed(14))) }

func (b *lineBuilder) addFlag(f Flag) { binary.LittleEndian.PutUint16(b.fixed(14), uint16(b.flag()|f)) }

func (b *lineBuilder) put32(i int, v int32) { binary.LittleEndian.PutUint32(b.fixed(i), uint32(v)) }

func checkName(name []byte) error {
	switch {
	case len(name) == 0:
		return errEmpty
	case len(name) > maxNameLen:
		return fmt.Errorf("it has %d characters, BAM holds at most %d", len(name), maxNameLen)
	case bytes.IndexByte(name, 0) >= 0:
		return errNUL
	}
	return nil
}

// integers puts FLAG, POS, MAPQ, PNEXT, TLEN and l_read_name in place.
func (b *lineBuilder) integers() error {
	var v [numColumns]uint64
	for _, c := range [...]struct {
		col int
		max uint64
	}{{colFlag, math.MaxUint16}, {colPos, math.MaxInt32}, {colMapQ, math.MaxUint8}, {colNextPos, math.MaxInt32}} {
		var ok bool
		if v[c.col], ok = parseUint(b.col[c.col], c.max); !ok {
			return b.wrong(c.col, fmt.Errorf("it is no integer in 0..%d", c.max))
		}
	}
	if flag := b.col[colFlag]; len(flag) > 1 && flag[0] == '0' {
		return b.wrong(colFlag, errors.New("a leading 0 means octal to some tools"))
	}
	tlen, ok := parseInt(b.col[colTLen], math.MinInt32, math.MaxInt32)
	if !ok {
		return b.wrong(colTLen, errors.New("it is no integer in -2^31..2^31-1"))
	}
	binary.LittleEndian.PutUint16(b.fixed(14), uint16(v[colFlag]))
	b.put32(4, int32(v[colPos])-1)
	b.fixed(8)[0] = uint8(len(b.col[colName]) + 1)
	b.fixed(9)[0] = uint8(v[colMapQ])
	b.put32(24, int32(v[colNextPos])-1)
	b.put32(28, int32(tlen))
	return nil
}

// references puts refID and next_refID in place.
func (b *lineBuilder) references() error {
	id, err := b.refID(colRefName)
	if err != nil {
		return err
	}
	// htslib's rules, which what comes after a sorter expects: a reference without a position does not count, neither
	// for the read nor for its mate, and a read without a reference is unmapped.
	if b.int32(4) < 0 {
		id = -1
	}
	next := id
	if text := b.col[colNextRefName]; len(text) != 1 || text[0] != '=' {
		if next, err = b.refID(colNextRefName); err != nil {
			return err
		}
	}
	if b.int32(24) < 0 {
		next = -1
	}
	if id < 0 {
		b.addFlag(Unmapped)
	}
	b.put32(0, id)
	b.put32(20, next)
	return nil
}

func (b *lineBuilder) refID(col int) (int32, error) {
	name := b.col[col]
	if len(name) == 1 && name[0] == '*' {
		return -1, nil
	}
	if id, ok := b.h.RefID(name); ok {
		return id, nil
	}
	if b.h.NumRefs() == 0 {
		return 0, b.wrong(col, errors.New("the header has no @SQ lines; put the header of the reference before the records"))
	}
	return 0, b.wrong(col, errors.New("the header has no @SQ line of that name; add one with its length"))
}

// cigar appends the operations, or the placeholder for too many of them, and
// puts n_cigar_op and bin in place.
func (b *lineBuilder) cigar() error {
	at := len(b.dst)
	dst, err := appendCigar(b.dst, b.col[colCigar])
	if err != nil {
		return err
	}
	b.dst = dst
	ops := Cigar(b.dst[at:])
	span := ops.RefLen()
	if b.query = -1; ops.Len() > 0 {
		b.query = ops.QueryLen()
	}
	if ops.Len() > maxCigar {
		if span > maxCigarLen || b.seqLen() > maxCigarLen {
			return fmt.Errorf("%d operations need the CG tag, which allows at most %d bases", ops.Len(), maxCigarLen)
		}
		b.ops = slices.Clone(ops)
		b.dst = binary.LittleEndian.AppendUint32(b.dst[:at], uint32(newCigarOp(b.seqLen(), CigarSoftClip)))
		b.dst = binary.LittleEndian.AppendUint32(b.dst, uint32(newCigarOp(int(span), CigarSkip)))
	}
	binary.LittleEndian.PutUint16(b.fixed(12), uint16((len(b.dst)-at)/4))
	if len(ops) == 0 {
		b.addFlag(Unmapped) // htslib's rule again: a read without a CIGAR is not mapped
	}
	pos := int64(b.int32(4))
	if b.flag()&Unmapped != 0 || span == 0 {
		span = 1
	}
	binary.LittleEndian.PutUint16(b.fixed(10), regionBin(pos, pos+span))
	return nil
}

// regionBin is reg2bin of SAMv1 section 5.3 for [beg, end): the number of the
// smallest bin that holds it, cut to the 16 bits of the field where a position
// is beyond 2^29.
func regionBin(beg, end int64) uint16 {
	end--
	for shift, first := 14, int64(4681); shift < 29; shift, first = shift+3, first>>3 {
		if beg>>shift == end>>shift {
			return uint16(first + beg>>shift)
		}
	}
	return 0
}

// appendLongCigar appends the CG tag with the operations that did not fit.
func (b *lineBuilder) appendLongCigar() error {
	if b.ops == nil {
		return nil
	}
	if _, ok := (Record{b.dst[b.start:]}).Aux(longCigarTag); ok {
		return fmt.Errorf("%d operations need the CG tag, which the line has already", b.ops.Len())
	}
	b.dst = append(b.dst, longCigarTag[0], longCigarTag[1], 'B', 'I')
	b.dst = binary.LittleEndian.AppendUint32(b.dst, uint32(b.ops.Len()))
	b.dst = append(b.dst, b.ops...)
	return nil
}
