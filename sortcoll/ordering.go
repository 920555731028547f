package sortcoll

import (
	"math/bits"

	"github.com/gosort/gosort/bam"
)

// ordering is how the engine sorts frames. A frame is a digest of digestLen bytes and the bytes of a record.
type ordering struct {
	// digest appends to dst what key and compare would else have to find in the record again and again, or refuses a
	// record that has no place in the order. It is called by one goroutine. nil when frames are bare records that all
	// have a place.
	digest    func(dst []byte, r bam.Record) ([]byte, error)
	digestLen int
	// key returns a prefix of the order: key(a) < key(b) only if a sorts before b. skip is a count of bytes that all
	// frames share, as shared counted them, and that the key may leave out.
	key func(frame []byte, skip int) uint64
	// compare settles equal keys; nil when the key is the whole order.
	compare func(a, b []byte) int
	// shared returns how much of the first n bytes of a's variable part b shares, at most n; nil when the key skips
	// nothing.
	shared func(a, b []byte, n int) int
}

// ordering returns how to sort records of a file with header h.
func (o Order) ordering(h *bam.Header) ordering {
	switch o.kind {
	case kindCoordinate:
		return ordering{key: coordinateKey}
	case kindCoordinatePicard:
		l := newLayout(h)
		return ordering{key: l.coordinatePicardKey, compare: compareCoordinatePicard, shared: sharedName}
	case kindNatural:
		return ordering{key: naturalKey, compare: compareNatural, shared: sharedNatural}
	case kindLexicographical:
		return ordering{key: lexicalKey, compare: compareLexical, shared: sharedName}
	case kindQuerynamePicard:
		return ordering{digest: checkHitIndex, key: lexicalKey, compare: compareQuerynamePicard, shared: sharedName}
	case kindTag:
		return o.tagOrdering(h)
	case kindTemplate:
		return newTemplates(h, o.nextPos).ordering()
	}
	return ordering{key: func([]byte, int) uint64 { return 0 }}
}

// packer builds a key from its most significant bit down.
type packer struct {
	key  uint64
	room int // bits left
}

// put adds the low bits of v, which has no others. It returns false if they did not all fit; then nothing may follow.
func (p *packer) put(v uint64, bits int) bool {
	if p.room < bits {
		p.key |= v >> (bits - p.room)
		p.room = 0
		return false
	}
	p.room -= bits
	p.key |= v << p.room
	return true
}

// putWithin adds v-lo, with v brought into lo..hi if it is outside. It returns false if it was, or lies on either limit,
// or did not fit: what follows is then no part of the key.
func (p *packer) putWithin(v, lo, hi int64, bits int) bool {
	fits := p.put(uint64(min(max(v, lo), hi)-lo), bits)
	return fits && lo < v && v < hi
}

// putBytes adds as many bytes of b as there is room for, and a zero byte behind them. It returns false if they did not
// all fit.
func (p *packer) putBytes(b []byte) bool {
	for _, c := range b {
		if !p.put(uint64(c), 8) {
			return false
		}
	}
	return p.put(0, 8)
}

// bit returns 1 for true.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// layout is how many bits of a key a reference and a position take, as few as the header's references allow.
type layout struct {
	refs    int64
	refBits int
	last    int64 // the last position that is told from those behind it
	posBits int
}

// overhang is how far behind the ends of a reference positions are still told apart: clipped bases hang over.
const overhang = 1 << 10

// absent is the reference of what has no place, and comes after all that 32 bits can say.
const absent = 1 << 32

func newLayout(h *bam.Header) layout {
	l := layout{refs: int64(h.NumRefs()), last: overhang}
	for i := range h.NumRefs() {
		l.last = max(l.last, h.RefLen(i)+overhang)
	}
	l.refBits = bits.Len64(uint64(l.refs + 3))
	l.posBits = bits.Len64(uint64(l.last + overhang))
	return l
}

// putRef adds a reference.
func (l layout) putRef(p *packer, ref int64) bool {
	if ref == absent {
		return p.put(uint64(l.refs+3), l.refBits)
	}
	return p.putWithin(ref, -2, l.refs, l.refBits)
}

// putPos adds a position, which may lie outside its reference.
func (l layout) putPos(p *packer, pos int64) bool {
	return p.putWithin(pos, -overhang, l.last, l.posBits)
}

// placeOf returns RefID and Pos as numbers that compare like unsigned ones, as in coordinate order.
func placeOf(r bam.Record) (ref, pos int64) {
	ref, pos = int64(uint32(r.RefID())), int64(uint32(r.Pos()+1))
	if r.RefID() == -1 {
		ref = absent
	}
	return ref, pos
}
