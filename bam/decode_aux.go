package bam

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// appendAuxField appends one auxiliary field, TAG:TYPE:VALUE.
func appendAuxField(dst, field []byte) ([]byte, error) {
	if len(field) < 5 || field[2] != ':' || field[4] != ':' {
		return dst, errors.New("it is not of the form TAG:TYPE:VALUE")
	}
	if bytes.IndexByte(field, 0) >= 0 {
		return dst, errNUL
	}
	t, value := field[3], field[5:]
	dst = append(dst, field[0], field[1])
	switch t {
	case 'i', 'I': // I is no type of SAM, but files with it are about and htslib reads them
		return appendInteger(dst, value)
	case 'A':
		if len(value) != 1 {
			return dst, fmt.Errorf("the value has %d characters, type A is one", len(value))
		}
		return append(dst, 'A', value[0]), nil
	case 'Z', 'H':
		return append(append(append(dst, t), value...), 0), nil
	case 'f', 'd':
		return appendReal(append(dst, t), t, value)
	case 'B':
		return appendArray(append(dst, 'B'), value)
	}
	return dst, fmt.Errorf("type %q is none of AifZHB", t)
}

// appendInteger appends type and value of an i field. The type is the smallest
// that holds the value, and signed only behind a minus sign, as in htslib.
func appendInteger(dst, value []byte) ([]byte, error) {
	n, ok := parseInt(value, math.MinInt32, math.MaxUint32)
	if !ok {
		return dst, errors.New("the value is no integer in -2^31..2^32-1")
	}
	types := "CSI"
	if value[0] == '-' {
		types = "csi"
	}
	for i := range types {
		if r := intRanges[types[i]]; n >= r.min && n <= r.max {
			return appendInt(append(dst, types[i]), types[i], n), nil
		}
	}
	return dst, errRange
}

// intRanges holds what the integer types hold.
var intRanges = [256]struct{ min, max int64 }{
	'c': {math.MinInt8, math.MaxInt8}, 'C': {0, math.MaxUint8},
	's': {math.MinInt16, math.MaxInt16}, 'S': {0, math.MaxUint16},
	'i': {math.MinInt32, math.MaxInt32}, 'I': {0, math.MaxUint32},
}

// appendInt appends n, which the integer type t holds.
func appendInt(dst []byte, t byte, n int64) []byte {
	switch fixedSizes[t] {
	case 1:
		return append(dst, byte(n))
	case 2:
		return binary.LittleEndian.AppendUint16(dst, uint16(n))
	default:
		return binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
}

// appendArray appends the value of a B field: subtype, count, elements.
func appendArray(dst, value []byte) ([]byte, error) {
	if len(value) == 0 || !isArrayType(value[0]) {
		return dst, errors.New("the array's type is none of cCsSiIf")
	}
	t, rest := value[0], value[1:]
	dst = append(dst, t)
	at := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, 0) // the count, once it is known
	count := uint32(0)
	for len(rest) > 0 {
		if rest[0] != ',' {
			return dst, errors.New("no comma follows the array's type")
		}
		text := rest[1:]
		if n := bytes.IndexByte(text, ','); n >= 0 {
			text = text[:n]
		}
		rest = rest[1+len(text):]
		var err error
		if dst, err = appendElement(dst, t, text); err != nil {
			return dst, fmt.Errorf("element %d: %w", count+1, err)
		}
		count++
	}
	binary.LittleEndian.PutUint32(dst[at:], count)
	return dst, nil
}

func appendElement(dst []byte, t byte, text []byte) ([]byte, error) {
	if t == 'f' {
		return appendReal(dst, t, text)
	}
	r := intRanges[t]
	n, ok := parseInt(text, r.min, r.max)
	if !ok {
		return dst, fmt.Errorf("it is no integer in %d..%d", r.min, r.max)
	}
	return appendInt(dst, t, n), nil
}

// appendReal appends a number of type f or d. A number beyond the type's range
// is refused, for it would become another one; one below its precision is
// rounded.
func appendReal(dst []byte, t byte, text []byte) ([]byte, error) {
	v, err := parseFloat(text)
	if err != nil {
		return dst, err
	}
	if t == 'd' {
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v)), nil
	}
	single := float32(v)
	if math.IsInf(float64(single), 0) && !math.IsInf(v, 0) {
		return dst, errRange
	}
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(single)), nil
}

// parseFloat reads what C's strtod reads; Go's own parser knows no "-nan", which
// samtools writes.
func parseFloat(text []byte) (float64, error) {
	if bytes.IndexByte(text, '_') >= 0 { // Go's grammar, not C's
		return 0, errNumber
	}
	if len(text) == 4 && text[0] == '-' && bytes.EqualFold(text[1:], []byte("nan")) {
		return math.Copysign(math.NaN(), -1), nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errRange
	case err != nil:
		return 0, errNumber
	}
	return v, nil
}

// maxParsed is the largest limit parseUint takes: one more digit does not
// overflow below it.
const maxParsed = 1 << 59

// parseUint reads a decimal number of at most limit, leading zeros or not.
func parseUint(text []byte, limit uint64) (uint64, bool) {
	n := uint64(0)
	for _, c := range text {
		if c -= '0'; c > 9 || n > limit {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	return n, len(text) > 0 && n <= limit
}

// parseInt reads a decimal number in low..high, perhaps with a sign.
func parseInt(text []byte, low, high int64) (int64, bool) {
	digits := text
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		digits = text[1:]
	}
	u, ok := parseUint(digits, maxParsed)
	n := int64(u)
	if len(digits) < len(text) && text[0] == '-' {
		n = -n
	}
	return n, ok && n >= low && n <= high
}
