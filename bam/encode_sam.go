package bam

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// AppendSAM appends r as a line of SAM, with its "\n", to dst: the line that
// "samtools view" prints. A CIGAR kept in the CG tag returns to its column and
// the tag is left out. What SAM has no form for, or no reader would take back,
// is an error that names the read and wraps [ErrCorrupt], and dst comes back as
// it was: a name, tag or text whose characters would break the line, a position
// below -1, an operation that has no letter, a quality above 222, a reference
// the header does not have, a malformed auxiliary field.
//
// What SAM cannot tell is lost without an error, as everywhere: the bin, the
// width of an integer, the digits of a float behind the sixth, the quality of a
// single base if it is 9, which prints as the "*" for none.
func (h *Header) AppendSAM(dst []byte, r Record) ([]byte, error) {
	line, err := h.appendLine(slices.Grow(dst, 3*len(r.b)), r)
	if err != nil {
		return dst, fmt.Errorf("%w: read %q: %w", ErrCorrupt, r.ReadName(), err)
	}
	if line[len(line)-1] == '\r' {
		return dst, fmt.Errorf("%w: read %q: a carriage return at its end would be taken for the line's", ErrCorrupt, r.ReadName())
	}
	return append(line, '\n'), nil
}

func (h *Header) appendLine(dst []byte, r Record) ([]byte, error) {
	name := r.ReadName()
	if err := checkTextName(name); err != nil {
		return dst, err
	}
	dst = append(append(dst, name...), '\t')
	dst = strconv.AppendUint(dst, uint64(r.Flag()), 10)
	dst = append(dst, '\t')
	dst, err := h.appendRefName(dst, r.RefID(), "RefID")
	if err != nil {
		return dst, err
	}
	if dst, err = appendPos(dst, r.Pos(), "position"); err != nil {
		return dst, err
	}
	dst = appendIntColumn(dst, int64(r.MapQ()))
	cigar := r.storedCigar()
	long, isLong := r.longCigar(cigar)
	if isLong {
		cigar = long
	}
	at := len(dst)
	dst = append(cigar.Append(append(dst, '\t')), '\t')
	if bytes.IndexByte(dst[at:], noCigarChar) >= 0 {
		return dst, errors.New("the CIGAR has an operation of unknown type")
	}
	if next := r.NextRefID(); next >= 0 && next == r.RefID() {
		dst = append(dst, '=')
	} else if dst, err = h.appendRefName(dst, next, "next RefID"); err != nil {
		return dst, err
	}
	if dst, err = appendPos(dst, r.NextPos(), "next position"); err != nil {
		return dst, err
	}
	dst = appendIntColumn(dst, int64(r.TLen()))
	dst = appendSeq(append(dst, '\t'), r.Seq(), r.LSeq())
	if dst, err = appendQual(append(dst, '\t'), r.Qual()); err != nil {
		return dst, err
	}
	return appendAuxFields(dst, r.AuxBytes(), isLong)
}

// checkTextName refuses what is no QNAME: the reader of a line would find another record, or none.
func checkTextName(name []byte) error {
	switch {
	case len(name) == 0:
		return errors.New("the read name is empty")
	case !fitsColumn(name):
		return errors.New("the read name has a tab, line end or NUL")
	case string(name) == commentKind:
		return errors.New("the read name makes the line a comment of the header")
	}
	return nil
}

// appendPos appends a position, which SAM counts from 1.
func appendPos(dst []byte, pos int32, field string) ([]byte, error) {
	if pos < -1 || pos == math.MaxInt32 {
		return dst, fmt.Errorf("the %s is %d, SAM can hold -1..2^31-2", field, pos)
	}
	return appendIntColumn(dst, int64(pos)+1), nil
}

func appendIntColumn(dst []byte, n int64) []byte {
	return strconv.AppendInt(append(dst, '\t'), n, 10)
}

func (h *Header) appendRefName(dst []byte, id int32, field string) ([]byte, error) {
	if id == -1 {
		return append(dst, '*'), nil
	}
	if id < 0 || int(id) >= h.NumRefs() {
		return dst, fmt.Errorf("%s is %d, the header has %d references", field, id, h.NumRefs())
	}
	return append(dst, h.RefName(int(id))...), nil
}

// fitsColumn reports whether text may stand in a column of SAM. It keeps out
// only what would change how the line is split, and NUL, where C's text ends.
func fitsColumn(text []byte) bool {
	for _, c := range text {
		if c <= '\n' && (c == '\t' || c == '\n' || c == 0) {
			return false
		}
	}
	return true
}

// baseChars are the bases in the order of their four-bit codes.
const baseChars = "=ACMGRSVTWYHKDBN"

// basePairs holds the two letters of each packed byte, so that SEQ unpacks two
// at a time.
var basePairs = func() (t [256][2]byte) {
	for i := range t {
		t[i] = [2]byte{baseChars[i>>4], baseChars[i&0xf]}
	}
	return t
}()

// appendSeq appends n bases.
func appendSeq(dst, packed []byte, n int) []byte {
	if n == 0 {
		return append(dst, '*')
	}
	for _, b := range packed[:n/2] {
		dst = append(dst, basePairs[b][0], basePairs[b][1])
	}
	if n&1 != 0 {
		dst = append(dst, basePairs[packed[n/2]][0])
	}
	return dst
}

// qualShift is what SAM adds to a quality to print it. The sum must be a byte:
// above 222 samtools prints what wraps around, which may be a tab.
const (
	qualShift = 33
	maxQual   = 0xff - qualShift
)

func appendQual(dst, qual []byte) ([]byte, error) {
	if len(qual) == 0 || qual[0] == noQual {
		return append(dst, '*'), nil
	}
	for _, q := range qual {
		if q > maxQual {
			return dst, fmt.Errorf("a quality of %d, SAM can hold at most %d", q, maxQual)
		}
		dst = append(dst, q+qualShift)
	}
	return dst, nil
}

// appendAuxFields appends the columns of the fields in b, but for the first CG
// if skipLong is set.
func appendAuxFields(dst, b []byte, skipLong bool) ([]byte, error) {
	for len(b) > 0 {
		n := auxLen(b)
		if n == 0 {
			return dst, auxError(b)
		}
		a := auxAt(b[:n])
		b = b[n:]
		if skipLong && a.Tag == longCigarTag {
			skipLong = false
			continue
		}
		dst = append(dst, '\t', a.Tag[0], a.Tag[1], ':')
		if !fitsColumn(a.Tag[:]) || a.isText() && !fitsColumn(a.value) {
			return dst, fmt.Errorf("tag %q has a tab, line end or NUL", string(a.Tag[:]))
		}
		dst = a.appendValue(dst)
	}
	return dst, nil
}

func (a Aux) isText() bool { return a.Type == 'A' || a.Type == 'Z' || a.Type == 'H' }

// appendValue appends TYPE:VALUE.
func (a Aux) appendValue(dst []byte) []byte {
	switch a.Type {
	case 'A', 'Z', 'H':
		return append(append(dst, a.Type, ':'), a.value...)
	case 'f', 'd':
		v, _ := a.Float()
		return appendFloat(append(dst, a.Type, ':'), v)
	case 'B':
		return a.appendArray(append(dst, 'B', ':'))
	default: // all integers are i in SAM
		return strconv.AppendInt(append(dst, 'i', ':'), intValue(a.Type, a.value), 10)
	}
}

func (a Aux) appendArray(dst []byte) []byte {
	t := a.ArrayType()
	dst = append(dst, t)
	size := int(fixedSizes[t])
	for v := a.value[arrayHeaderLen:]; len(v) > 0; v = v[size:] {
		dst = append(dst, ',')
		if t == 'f' {
			dst = appendFloat(dst, float32Value(v))
		} else {
			dst = strconv.AppendInt(dst, intValue(t, v), 10)
		}
	}
	return dst
}

// appendFloat appends v as C's "%g" prints it, which Go's 'g' matches but for
// the names of what is no finite number.
func appendFloat(dst []byte, v float64) []byte {
	switch {
	case math.IsNaN(v) && math.Signbit(v):
		return append(dst, "-nan"...)
	case math.IsNaN(v):
		return append(dst, "nan"...)
	case math.IsInf(v, 1):
		return append(dst, "inf"...)
	case math.IsInf(v, -1):
		return append(dst, "-inf"...)
	}
	return strconv.AppendFloat(dst, v, 'g', 6, 64)
}
