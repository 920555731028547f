package bam

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

// CigarType is the kind of a CIGAR operation, the low four bits of its packed
// form. Values from 9 up mean nothing and print as '?'.
type CigarType uint8

// The kinds of CIGAR operation, SAMv1 section 1.4.6.
const (
	CigarMatch     CigarType = iota // M, match or mismatch
	CigarInsertion                  // I
	CigarDeletion                   // D
	CigarSkip                       // N
	CigarSoftClip                   // S
	CigarHardClip                   // H
	CigarPadding                    // P
	CigarEqual                      // =
	CigarDiffer                     // X
)

const (
	cigarChars  = "MIDNSHP=X???????"
	noCigarChar = '?'
)

// consumesRef has bit t set if an operation of CigarType t advances the
// reference: M, D, N, = and X.
const (
	consumesRef   = 1<<CigarMatch | 1<<CigarDeletion | 1<<CigarSkip | 1<<CigarEqual | 1<<CigarDiffer
	consumesQuery = 1<<CigarMatch | 1<<CigarInsertion | 1<<CigarSoftClip | 1<<CigarEqual | 1<<CigarDiffer
)

// CigarOp is one packed operation: length << 4 | type.
type CigarOp uint32

// newCigarOp packs an operation; length must be below 2^28.
func newCigarOp(length int, t CigarType) CigarOp { return CigarOp(length<<4) | CigarOp(t) }

// Type returns the kind of operation.
func (o CigarOp) Type() CigarType { return CigarType(o & 0xf) }

// Len returns the operation's length, at most 2^28-1.
func (o CigarOp) Len() int { return int(o >> 4) }

// Cigar is a list of packed operations, little-endian uint32 each, as it
// stands in a record. The zero value is the absent CIGAR, "*".
type Cigar []byte

// Len returns the number of operations.
func (c Cigar) Len() int { return len(c) / 4 }

// At returns operation i; it panics if there is none.
func (c Cigar) At(i int) CigarOp { return CigarOp(binary.LittleEndian.Uint32(c[4*i:])) }

// RefLen returns how many reference bases the alignment covers.
func (c Cigar) RefLen() int64 { return c.sum(consumesRef) }

// QueryLen returns how many bases of the read the operations count.
func (c Cigar) QueryLen() int64 { return c.sum(consumesQuery) }

// sum adds the lengths of operations of a set of types.
func (c Cigar) sum(types uint16) int64 {
	var n int64
	for ; len(c) >= 4; c = c[4:] {
		op := c.At(0)
		if types>>op.Type()&1 != 0 {
			n += int64(op.Len())
		}
	}
	return n
}

// LeadingClips returns how many bases are soft and hard clipped before the
// first operation that is no clip.
func (c Cigar) LeadingClips() (soft, hard int64) {
	for i := range c.Len() {
		if !c.At(i).addClip(&soft, &hard) {
			break
		}
	}
	return soft, hard
}

// TrailingClips returns how many bases are soft and hard clipped after the last
// operation that is no clip. A CIGAR of clips alone gives all of them here and
// in LeadingClips.
func (c Cigar) TrailingClips() (soft, hard int64) {
	for i := c.Len() - 1; i >= 0; i-- {
		if !c.At(i).addClip(&soft, &hard) {
			break
		}
	}
	return soft, hard
}

// addClip adds the operation to soft or hard and reports whether it is a clip.
func (o CigarOp) addClip(soft, hard *int64) bool {
	switch o.Type() {
	case CigarSoftClip:
		*soft += int64(o.Len())
	case CigarHardClip:
		*hard += int64(o.Len())
	default:
		return false
	}
	return true
}

// UnclippedStart returns where an alignment at pos (0-based) would start if its
// clipped bases, soft and hard, were aligned. It may be negative.
func (c Cigar) UnclippedStart(pos int64) int64 {
	soft, hard := c.LeadingClips()
	return pos - soft - hard
}

// UnclippedEnd returns where an alignment at pos (0-based) would end if its
// clipped bases, soft and hard, were aligned: 0-based, one past the last base.
func (c Cigar) UnclippedEnd(pos int64) int64 {
	soft, hard := c.TrailingClips()
	return pos + c.RefLen() + soft + hard
}

// SoftUnclippedStart is UnclippedStart without the hard clips, which is what
// template-coordinate order uses.
func (c Cigar) SoftUnclippedStart(pos int64) int64 {
	soft, _ := c.LeadingClips()
	return pos - soft
}

// SoftUnclippedEnd is UnclippedEnd without the hard clips, which is what
// template-coordinate order uses.
func (c Cigar) SoftUnclippedEnd(pos int64) int64 {
	soft, _ := c.TrailingClips()
	return pos + c.RefLen() + soft
}

// Append appends the text form to dst: "*" when there are no operations.
func (c Cigar) Append(dst []byte) []byte {
	if len(c) < 4 {
		return append(dst, '*')
	}
	for ; len(c) >= 4; c = c[4:] {
		op := c.At(0)
		dst = strconv.AppendUint(dst, uint64(op.Len()), 10)
		dst = append(dst, cigarChars[op.Type()])
	}
	return dst
}

// String returns the text form.
func (c Cigar) String() string { return string(c.Append(nil)) }

// maxCigarLen is the longest operation, 28 bits.
const maxCigarLen = 1<<28 - 1

// AppendCigar appends the packed form of a CIGAR's text to dst, nothing for
// "*". It is also the way to read an MC tag. The error wraps [ErrCorrupt].
func AppendCigar(dst Cigar, text []byte) (Cigar, error) {
	long, err := appendCigar(dst, text)
	if err != nil {
		return dst, fmt.Errorf("%w: CIGAR %q: %w", ErrCorrupt, excerpt(text), err)
	}
	return long, nil
}

func appendCigar(dst Cigar, text []byte) (Cigar, error) {
	if len(text) == 1 && text[0] == '*' {
		return dst, nil
	}
	if len(text) == 0 {
		return dst, errEmpty
	}
	for i := 0; i < len(text); i++ {
		n, digits := 0, i
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			if n = n*10 + int(text[i]-'0'); n > maxCigarLen {
				return dst, fmt.Errorf("an operation is longer than %d", maxCigarLen)
			}
		}
		switch {
		case i == digits:
			return dst, errors.New("an operation has no length")
		case i == len(text):
			return dst, errors.New("a length has no operation")
		case cigarCodes[text[i]] == 0:
			return dst, fmt.Errorf("operation %q is none of MIDNSHP=X", text[i])
		}
		op := newCigarOp(n, CigarType(cigarCodes[text[i]]-1))
		dst = binary.LittleEndian.AppendUint32(dst, uint32(op))
	}
	return dst, nil
}

// cigarCodes maps an operation's letter to its CigarType + 1, and all else to 0.
var cigarCodes = func() (t [256]uint8) {
	for i := range CigarDiffer + 1 {
		t[cigarChars[i]] = uint8(i) + 1
	}
	return t
}()
