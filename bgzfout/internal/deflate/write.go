package deflate

import "encoding/binary"

// storedOverhead is what a stored block adds to its bytes (RFC 1951 section
// 3.2.4) when it begins at a byte.
const storedOverhead = 5

// Slack is the room that dst needs beyond a payload's length for Append not to
// allocate: stored blocks with their overhead, and the eight bytes that are
// written at a time.
const Slack = (storedOverhead+1)*maxPieces + 8

// appendStored appends src as one final stored block.
func appendStored(dst, src []byte) []byte {
	dst = append(dst, byte(blockHead(true, 0)))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(src)))
	dst = binary.LittleEndian.AppendUint16(dst, ^uint16(len(src)))
	return append(dst, src...)
}

// pending holds bits that are not written yet, n of them from the lowest on. Its
// methods return the new value: that keeps it in registers.
type pending struct {
	bits uint64
	n    uint
}

// add adds a code. There is room for 4 of 14 bits beside the 7 that rest leaves,
// or for a length and a distance (14+5+14+13).
func (p pending) add(c code) pending {
	return pending{p.bits | c.bits()<<(p.n&63), p.n + c.length()}
}

// addDist adds a distance; d is that less one, and c belongs to its symbol.
func (p pending) addDist(c *distCode, d uint32) pending {
	v := uint64(c.code) | uint64(d-uint32(c.base))<<(c.length&63)
	return pending{p.bits | v<<(p.n&63), p.n + uint(c.total)}
}

// store writes p to out at an offset, and returns that of the first bit that is
// not part of a whole byte.
func (p pending) store(out []byte, at int) int {
	binary.LittleEndian.PutUint64(out[at:], p.bits)
	return at + int(p.n>>3)
}

// rest is what remains when the whole bytes are written.
func (p pending) rest() pending { return pending{p.bits >> (p.n & 56), p.n & 7} }

// bitWriter writes bits to out from at on.
type bitWriter struct {
	out []byte
	at  int
	pending
}

// newBitWriter returns a writer that appends to dst, with room for the blocks
// of n bytes, none of which is longer than its stored form.
func newBitWriter(dst []byte, n int) bitWriter {
	if cap(dst)-len(dst) < n+Slack {
		dst = append(make([]byte, 0, len(dst)+n+Slack), dst...)
	}
	return bitWriter{out: dst[:cap(dst)], at: len(dst)}
}

// put writes n bits, at most 32.
func (w *bitWriter) put(v uint64, n uint) {
	w.bits |= v << w.n
	w.n += n
	w.flush()
}

// flush writes the whole bytes that are pending.
func (w *bitWriter) flush() {
	w.at = w.store(w.out, w.at)
	w.pending = w.rest()
}

// finish fills the last byte up and returns what was written.
func (w *bitWriter) finish() []byte {
	w.put(0, -w.n&7)
	return w.out[:w.at]
}

// stored writes src as a stored block.
func (w *bitWriter) stored(src []byte, final bool) {
	w.put(blockHead(final, 0), 3)
	w.put(0, -w.n&7)
	w.put(uint64(len(src))|uint64(^uint16(len(src)))<<16, 32)
	w.at += copy(w.out[w.at:], src)
}

// litMask keeps the first so many of three literals.
var litMask = [4][3]code{1: {^code(0)}, 2: {^code(0), ^code(0)}, 3: {^code(0), ^code(0), ^code(0)}}

// symbols writes the literals and matches of b.
func (w *bitWriter) symbols(src *payload, b block, h *header) {
	var lits [litSymbols]code
	assignCodes(h.lit[:], lits[:])
	lit := (*[256]code)(lits[:])
	lengths := lengthCodes(&lits)
	dists := distCodes(&h.dist)
	i := b.begin
	p, out, at := w.pending, w.out, w.at // copies, which stay in registers
	for _, s := range b.seqs {
		n := s.literals()
		for ; n >= 4; n -= 4 {
			v := src.u32(i)
			i += 4
			p = p.add(lit[v&255]).add(lit[v>>8&255]).add(lit[v>>16&255]).add(lit[v>>24])
			at = p.store(out, at)
			p = p.rest()
		}
		// How many of the last 0 to 3 there are is random: masking all three
		// spares the branch that would be mispredicted.
		v, m := src.u32(i), &litMask[n&3]
		i += n
		p = p.add(lit[v&255] & m[0]).add(lit[v>>8&255] & m[1]).add(lit[v>>16&255] & m[2])
		at = p.store(out, at)
		p = p.rest()
		if l := s.length(); l != 0 {
			i += l
			d := s.distance()
			p = p.add(lengths[l&lengthMask]).addDist(&dists[distSymbol(d)], d)
			at = p.store(out, at)
			p = p.rest()
		}
	}
	w.at = at
	w.pending = p.add(lits[endOfBlock])
	w.flush()
}

// lengthCodes returns for each length of a match its code and extra bits as one.
func lengthCodes(lits *[litSymbols]code) (t [lengthMask + 1]code) {
	for l := minMatch; l <= maxMatch; l++ {
		s := lengthSymbol[l]
		c := lits[firstLength+int(s)]
		t[l] = c + code(l-int(lengthBase[s]))<<c.length() + code(lengthExtra[s])<<24
	}
	return t
}

// distCode is the code of a distance's symbol and what its extra bits need.
type distCode struct {
	code   uint16
	base   uint16 // the smallest distance, less one
	length uint8  // of the code
	total  uint8  // with the extra bits
}

func distCodes(lens *[distSymbols]uint8) (t [distSymbols]distCode) {
	var codes [distSymbols]code
	assignCodes(lens[:], codes[:])
	for s := range usedDists {
		t[s] = distCode{uint16(codes[s].bits()), distBase[s] - 1, lens[s], lens[s] + distExtra[s]}
	}
	return t
}
