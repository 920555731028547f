package bam

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
)

// arrayHeaderLen is the subtype and count before a B array's elements.
const arrayHeaderLen = 5

// Aux is one auxiliary field, SAMv1 section 4.2.4: a view of the record.
type Aux struct {
	Tag   [2]byte
	Type  byte // one of AcCsSiIfdZHB; d, a double, is no part of SAMv1 but htslib's
	value []byte
}

// fixedSizes holds the length of each type's value, 0 for those of no fixed
// length and for letters that are no type.
var fixedSizes = [256]uint8{'A': 1, 'c': 1, 'C': 1, 's': 2, 'S': 2, 'i': 4, 'I': 4, 'f': 4, 'd': 8}

// Aux returns the first field with the tag. A malformed field ends the walk:
// what lies behind it is not found.
func (r Record) Aux(tag [2]byte) (Aux, bool) {
	for b := r.AuxBytes(); ; {
		n := auxLen(b)
		if n == 0 {
			return Aux{}, false
		}
		if b[0] == tag[0] && b[1] == tag[1] {
			return auxAt(b[:n]), true
		}
		b = b[n:]
	}
}

// AuxFields walks the auxiliary fields in the order they are stored. At the
// first malformed one it yields an error that wraps [ErrCorrupt], and stops.
func (r Record) AuxFields() iter.Seq2[Aux, error] {
	return func(yield func(Aux, error) bool) {
		for b := r.AuxBytes(); len(b) > 0; {
			n := auxLen(b)
			if n == 0 {
				yield(Aux{}, fmt.Errorf("%w: %w", ErrCorrupt, auxError(b)))
				return
			}
			if !yield(auxAt(b[:n]), nil) {
				return
			}
			b = b[n:]
		}
	}
}

// auxLen returns the whole length of the field at the start of b, 0 if b is
// empty or does not start with a whole field.
func auxLen(b []byte) int {
	if len(b) < 4 { // the shortest field is an A or an empty Z: tag, type, one byte
		return 0
	}
	n := 3
	switch t := b[2]; t {
	case 'Z', 'H':
		nul := bytes.IndexByte(b[3:], 0)
		if nul < 0 {
			return 0
		}
		return n + nul + 1
	case 'B':
		size := uint64(fixedSizes[b[3]])
		if len(b) < 3+arrayHeaderLen || !isArrayType(b[3]) {
			return 0
		}
		total := 3 + arrayHeaderLen + size*uint64(binary.LittleEndian.Uint32(b[4:]))
		if total > uint64(len(b)) {
			return 0
		}
		return int(total)
	default:
		if n += int(fixedSizes[t]); n == 3 || n > len(b) {
			return 0
		}
		return n
	}
}

// isArrayType reports whether t may be the type of a B array's elements.
func isArrayType(t byte) bool { return fixedSizes[t] != 0 && t != 'A' && t != 'd' }

// auxAt makes an Aux of one whole field.
func auxAt(b []byte) Aux {
	value := b[3:]
	if b[2] == 'Z' || b[2] == 'H' {
		value = value[:len(value)-1]
	}
	return Aux{Tag: [2]byte{b[0], b[1]}, Type: b[2], value: value}
}

// auxError says why auxLen refused the field at the start of b.
func auxError(b []byte) error {
	if len(b) < 4 {
		return fmt.Errorf("%d stray bytes after the auxiliary fields", len(b))
	}
	tag, t := b[:2], b[2]
	switch {
	case t == 'Z' || t == 'H':
		return fmt.Errorf("tag %q of type %c has no NUL at its end", tag, t)
	case t == 'B' && !isArrayType(b[3]):
		return fmt.Errorf("tag %q is an array of unknown type %q", tag, b[3])
	case t != 'B' && fixedSizes[t] == 0:
		return fmt.Errorf("tag %q has unknown type %q", tag, t)
	}
	return fmt.Errorf("tag %q of type %c overruns the record", tag, t)
}

// Int returns the value of an integer field (c, C, s, S, i, I).
func (a Aux) Int() (int64, bool) {
	switch a.Type {
	case 'c', 'C', 's', 'S', 'i', 'I':
		return intValue(a.Type, a.value), true
	}
	return 0, false
}

// intValue reads an integer of the type from the start of v.
func intValue(t byte, v []byte) int64 {
	switch t {
	case 'c':
		return int64(int8(v[0]))
	case 'C':
		return int64(v[0])
	case 's':
		return int64(int16(binary.LittleEndian.Uint16(v)))
	case 'S':
		return int64(binary.LittleEndian.Uint16(v))
	case 'i':
		return int64(int32(binary.LittleEndian.Uint32(v)))
	default: // I
		return int64(binary.LittleEndian.Uint32(v))
	}
}

// Float returns the value of a floating point field (f, d).
func (a Aux) Float() (float64, bool) {
	switch a.Type {
	case 'f':
		return float32Value(a.value), true
	case 'd':
		return math.Float64frombits(binary.LittleEndian.Uint64(a.value)), true
	}
	return 0, false
}

func float32Value(v []byte) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(v)))
}

// Bytes returns the value as stored: the text of an A, Z or H field without a
// NUL, the little-endian bytes of a number, and of an array its subtype, its
// count and its elements.
func (a Aux) Bytes() []byte { return a.value }

// ArrayType returns the type of a B array's elements, one of cCsSiIf, and 0 if
// the field is no array.
func (a Aux) ArrayType() byte {
	if a.Type != 'B' {
		return 0
	}
	return a.value[0]
}

// ArrayLen returns how many elements a B array has, 0 if the field is no array.
func (a Aux) ArrayLen() int {
	if a.Type != 'B' {
		return 0
	}
	return int(binary.LittleEndian.Uint32(a.value[1:]))
}

// ArrayInt returns element i of an array of integers. Like a slice it panics
// when i is out of range, or the field is no such array.
func (a Aux) ArrayInt(i int) int64 {
	t := a.ArrayType()
	return intValue(t, a.value[arrayHeaderLen+i*int(fixedSizes[t]):])
}

// ArrayFloat returns element i of an array of floats. Like a slice it panics
// when i is out of range, or the field is no such array.
func (a Aux) ArrayFloat(i int) float64 { return float32Value(a.value[arrayHeaderLen+4*i:]) }
