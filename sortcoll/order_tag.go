package sortcoll

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"github.com/gosort/gosort/bam"
)

// tagDigestLen is the length of an order by tag's digest: where in the record the tag is, 0 for nowhere.
const tagDigestLen = 4

// tagOrder sorts frames by the tag that their digests point at.
type tagOrder struct {
	layout
	order Order
}

func (o Order) tagOrdering(h *bam.Header) ordering {
	t := tagOrder{newLayout(h), o}
	return ordering{digest: t.digest, digestLen: tagDigestLen, key: t.key, compare: t.compare, shared: t.shared}
}

func (t *tagOrder) digest(dst []byte, r bam.Record) ([]byte, error) {
	found, err := findTag(r, t.order.tag)
	return binary.LittleEndian.AppendUint32(dst, uint32(found.Offset)), err
}

// findTag returns the first field with the tag, one of type 0 if there is none.
func findTag(r bam.Record, tag [2]byte) (bam.FoundAux, error) {
	var found [1]bam.FoundAux
	tags := [1][2]byte{tag}
	err := r.FindAux(tags[:], found[:])
	return found[0], err
}

// compareTag is the definition of an order by tag. A malformed field counts as the end of a record.
func (o Order) compareTag(a, b bam.Record) int {
	x, _ := findTag(a, o.tag)
	y, _ := findTag(b, o.tag)
	return cmp.Or(compareValues(x.Aux, y.Aux), o.compareTies(a.Bytes(), b.Bytes()))
}

// compareTies settles ties of an order by tag.
func (o Order) compareTies(a, b []byte) int {
	switch o.ties {
	case kindNatural:
		return compareNatural(a, b)
	case kindLexicographical:
		return compareLexical(a, b)
	}
	return compareCoordinate(bam.Trusted(a), bam.Trusted(b))
}

// The classes of values, in order.
const (
	classNone uint64 = iota
	classChar
	classArray
	classText
	classNumber
	classBits = 3
)

func classOf(a bam.Aux) uint64 {
	switch a.Type {
	case 0:
		return classNone
	case 'A':
		return classChar
	case 'B':
		return classArray
	case 'Z', 'H':
		return classText
	}
	return classNumber
}

// compareValues compares by class, then by value.
func compareValues(a, b bam.Aux) int {
	class := classOf(a)
	if c := cmp.Compare(class, classOf(b)); c != 0 {
		return c
	}
	switch class {
	case classChar, classText:
		return bytes.Compare(a.Bytes(), b.Bytes())
	case classNumber:
		return compareNumbers(numberOf(a), numberOf(b))
	}
	return 0
}

// numberOf returns a number as a double, which holds all integers of 32 bits and fewer, and those are all there are.
func numberOf(a bam.Aux) float64 {
	if i, ok := a.Int(); ok {
		return float64(i)
	}
	f, _ := a.Float()
	return f
}

// compareNumbers puts NaN behind all numbers.
func compareNumbers(x, y float64) int {
	if c := cmp.Compare(bit(math.IsNaN(x)), bit(math.IsNaN(y))); c != 0 {
		return c
	}
	return cmp.Compare(x, y)
}

// value returns the field that a frame's digest points at.
func value(frame []byte) bam.Aux {
	if at := binary.LittleEndian.Uint32(frame); at != 0 {
		return bam.Trusted(frame[tagDigestLen:]).AuxAt(int(at))
	}
	return bam.Aux{}
}

func (t *tagOrder) compare(a, b []byte) int {
	if c := compareValues(value(a), value(b)); c != 0 {
		return c
	}
	return t.order.compareTies(a[tagDigestLen:], b[tagDigestLen:])
}

// nameBits are the bits of a skip that count the shared bytes of the name; those above count the value's, if it is text.
const nameBits = 8

// key is the class, the value and, in the bits that are left, the head of what settles ties.
func (t *tagOrder) key(frame []byte, skip int) uint64 {
	p := packer{room: 64}
	a := value(frame)
	class := classOf(a)
	p.put(class, classBits)
	whole := true
	switch class {
	case classChar:
		p.put(uint64(a.Bytes()[0]), 8)
	case classText:
		whole = p.putBytes(a.Bytes()[skip>>nameBits:])
	case classNumber:
		whole = p.putNumber(numberOf(a))
	}
	if whole {
		t.putTies(&p, bam.Trusted(frame[tagDigestLen:]), skip&(1<<nameBits-1))
	}
	return p.key
}

// putTies adds what fits of the coordinate or the name.
func (t *tagOrder) putTies(p *packer, r bam.Record, skip int) {
	switch t.order.ties {
	case kindNatural:
		p.putNatural(r.ReadName(), skip)
	case kindLexicographical:
		p.putBytes(r.ReadName()[skip:])
	default:
		ref, pos := placeOf(r)
		if t.putRef(p, ref) && t.putPos(p, pos) {
			p.put(bit(r.Flag()&bam.Reverse != 0), 1)
		}
	}
}

// putNumber adds a number: in few bits if its integer part fits 16, as that of most tags, so that ties have room; else its
// exponent and 33 bits of its fraction, which is more than integers and single floats have. A bit puts what has more
// behind what has not; then it returns false.
func (p *packer) putNumber(f float64) bool {
	const (
		low, high      = -1 << 15, 1 << 15
		kept           = 45
		below, in      = 0, 1
		above, noValue = 2, 3
	)
	bits := math.Float64bits(f)
	switch {
	case math.IsNaN(f):
		return p.put(noValue, 2)
	case low <= f && f < high:
		integer := math.Floor(f)
		p.put(in, 2)
		p.put(uint64(integer-low), 16)
		return p.put(bit(f != integer), 1) && f == integer
	case f < low:
		p.put(below, 2)
		bits = -bits // as a number the sign bit and less the larger the magnitude
	default:
		p.put(above, 2)
	}
	p.put(bits>>(64-kept), kept)
	more := bits<<kept != 0
	return p.put(bit(more), 1) && !more
}

// shared counts, for the name if that settles ties and for values that are text, how much of what n says b shares with
// a. Values that are no text skip nothing, and if a's is none, neither do the others.
func (t *tagOrder) shared(a, b []byte, n int) int {
	name, text := n&(1<<nameBits-1), n>>nameBits
	switch t.order.ties {
	case kindNatural:
		name = sharedNatural(a[tagDigestLen:], b[tagDigestLen:], name)
	case kindLexicographical:
		name = sharedName(a[tagDigestLen:], b[tagDigestLen:], name)
	}
	x, y := value(a), value(b)
	switch {
	case classOf(x) != classText:
		text = 0
	case classOf(y) != classText:
		text = min(text, len(x.Bytes()))
	default:
		text = sharedBytes(x.Bytes(), y.Bytes(), text)
	}
	return text<<nameBits | name
}
