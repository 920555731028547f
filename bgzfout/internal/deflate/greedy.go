package deflate

import "math/bits"

// greedyTable has for each hash of 4 bytes the two newest positions, the newest
// in the low half: entering a position is one load and one store. 64 kB.
type greedyTable [1 << greedyBits]uint32

const greedyBits = 14

func greedyHash(v uint32) uint32 { return v * 0x9E3779B1 >> (32 - greedyBits) }

// farShort is the distance from which a match of 4 bytes costs more than its
// literals do, nearly always.
const farShort = 4096

// parseGreedy takes the first match there is. Plain code wins here: a second
// hash, or comparing the candidates without branches, was slower.
func (e *Encoder) parseGreedy(end int) {
	p, table := &e.src, e.greedy
	i := e.i
	if i == 0 && end > 0 { // position 0 means none and is not searched
		e.literals(1)
		i = 1
	}
	from := i - e.run // the first literal that is not in seqs
	h := &e.pieces[e.done].hist
	nice, lim := e.nice, e.lim
	for i < end {
		v := p.u64(i)
		slot := &table[greedyHash(uint32(v))]
		newest, older := int(*slot&0xffff), int(*slot>>16)
		*slot = *slot<<16 | uint32(i)
		var l, d int
		if x := p.u64(newest) ^ v; uint32(x) == 0 {
			l, d = e.extend(i, newest, x), i-newest
			if l < nice && p.u32(older+l-3) == p.u32(i+l-3) {
				if l2 := e.extend(i, older, p.u64(older)^v); l2 > l {
					l, d = l2, i-older
				}
			}
		} else if x := p.u64(older) ^ v; uint32(x) == 0 {
			l, d = e.extend(i, older, x), i-older
		} else {
			h.lit[v&255]++
			i++
			continue
		}
		if d > window || l == 4 && d > farShort || l <= maxCosted && e.known && !e.worth(i, l, d) {
			h.lit[v&255]++
			i++
			continue
		}
		e.seqs = append(e.seqs, newSeq(i-from, l, d))
		h.match(l, d)
		from = i + l
		for i, end := i+1, min(from, lim); i < end; i++ {
			slot := &table[greedyHash(p.u32(i))]
			*slot = *slot<<16 | uint32(i)
		}
		i = from
		if i >= e.cutAt {
			e.i, e.run = i, 0
			e.cut()
			h = &e.pieces[e.done].hist
		}
	}
	e.run, e.i = i-from, i
}

// extend returns the length of the match of i and c, whose first 8 bytes differ
// by x.
func (e *Encoder) extend(i, c int, x uint64) int {
	if x != 0 {
		return bits.TrailingZeros64(x) >> 3
	}
	return 8 + e.src.matchLen(c+8, i+8, min(maxMatch, e.n-i)-8)
}
