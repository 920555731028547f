package sortcoll

import (
	"bytes"
	"cmp"
	"encoding/binary"

	"github.com/gosort/gosort/bam"
)

// templateDigestLen is the length of the digest: the key; what equal keys need next, packed as upper, exact and library;
// and the offsets of the CB and MI tags.
const templateDigestLen = 8 + 3*4

// The low bits of the digest's second number.
const (
	digestUpper = 1 << iota
	digestExact // the key tells everything about the ends
	digestLibrary
)

func (t *templates) ordering() ordering {
	return ordering{digest: t.digest, digestLen: templateDigestLen, key: templateKey, compare: t.compareFrames}
}

// digest is made once for each record because a CIGAR, a mate's CIGAR in text and a walk through the tags cost more than
// all else that sorting does with it.
func (t *templates) digest(dst []byte, r bam.Record) ([]byte, error) {
	var x template
	if err := t.read(&x, r); err != nil {
		return dst, err
	}
	key, exact := t.layout.endsKey(&x)
	packed := bit(x.upper)*digestUpper | bit(exact)*digestExact | uint64(x.library)*digestLibrary
	dst = binary.LittleEndian.AppendUint64(dst, key)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(packed))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(x.tags[cell].Offset))
	return binary.LittleEndian.AppendUint32(dst, uint32(x.tags[molecule].Offset)), nil
}

// endsKey packs both ends, and tells whether nothing of them was left out. The second end lies on the same reference as
// a rule, where it is not before the first: a bit and the distance say all.
func (l layout) endsKey(x *template) (key uint64, exact bool) {
	p := packer{room: 64}
	a, b := x.first, x.second
	apart := a.ref != b.ref
	exact = l.putRef(&p, a.ref) && p.put(bit(apart), 1) && (!apart || l.putRef(&p, b.ref)) && l.putEnd(&p, a)
	switch {
	case !exact:
		return p.key, false
	case apart:
		exact = l.putEnd(&p, b)
	case a.ref != absent:
		bits := p.room - 2
		exact = bits > 0 && p.putWithin(b.pos-a.pos, -1, 1<<bits-2, bits)
	}
	exact = exact && p.put(bit(!a.reverse)<<1|bit(!b.reverse), 2)
	return p.key, exact
}

// putEnd adds the position of an end, if it has one.
func (l layout) putEnd(p *packer, e end) bool { return e.ref == absent || l.putPos(p, e.pos) }

func templateKey(frame []byte, _ int) uint64 { return binary.LittleEndian.Uint64(frame) }

// compareFrames says what compareRecords says.
func (t *templates) compareFrames(a, b []byte) int {
	if c := cmp.Compare(templateKey(a, 0), templateKey(b, 0)); c != 0 {
		return c
	}
	p, q := binary.LittleEndian.Uint32(a[8:]), binary.LittleEndian.Uint32(b[8:])
	x, y := bam.Trusted(a[templateDigestLen:]), bam.Trusted(b[templateDigestLen:])
	if p&q&digestExact == 0 {
		return t.compareRecords(x, y)
	}
	if c := cmp.Compare(p/digestLibrary, q/digestLibrary); c != 0 {
		return c
	}
	if c := bytes.Compare(digestText(a, 12), digestText(b, 12)); c != 0 {
		return c
	}
	if c := bytes.Compare(moleculeOf(digestText(a, 16)), moleculeOf(digestText(b, 16))); c != 0 {
		return c
	}
	if c := bytes.Compare(x.ReadName(), y.ReadName()); c != 0 {
		return c
	}
	return cmp.Compare(p&digestUpper, q&digestUpper)
}

// digestText returns the text of the field whose offset is at i in the digest.
func digestText(frame []byte, i int) []byte {
	if at := binary.LittleEndian.Uint32(frame[i:]); at != 0 {
		return bam.Trusted(frame[templateDigestLen:]).AuxAt(int(at)).Bytes()
	}
	return nil
}
