package deflate

import "math/bits"

// greedyTable has the newest position of each hash of 6 bytes. Its 32 kB fit the
// fastest cache. Matches of 4 and 5 bytes are not looked for: with them, at two
// positions a hash, level 1 was 20 % slower and 0.8 % larger on short reads.
type greedyTable [1 << greedyBits]uint16

const greedyBits = 14

func greedyHash(v uint64) uint32 { return uint32(v << 16 * 0x9E3779B97F4A7C15 >> (64 - greedyBits)) }

// parseGreedy takes the first match there is, or the longer one that a jump from
// it finds.
func (e *Encoder) parseGreedy(end int) {
	p, table, lim := &e.src, e.greedy, e.lim
	i := e.i
	if i == 0 && end > 0 { // an empty slot means position 0, which must be earlier
		e.literals(1)
		i = 1
	}
	from := i - e.run // the first literal that is not in seqs
	h := &e.pieces[e.done].hist
	for i < end {
		v := p.u64(i)
		slot := &table[greedyHash(v)]
		c := int(*slot)
		*slot = uint16(i)
		x := p.u64(c) ^ v
		if x<<16 != 0 || i-c > window {
			h.lit[v&255]++
			i++
			continue
		}
		l, d := e.extend(i, c, x), i-c
		if l2, d2 := e.greedyJump(i, l); l2 > l {
			l, d = l2, d2
		}
		if l <= maxCosted && e.known && !e.worth(i, l, d) {
			h.lit[v&255]++
			i++
			continue
		}
		e.seqs = append(e.seqs, newSeq(i-from, l, d))
		h.match(l, d)
		from = i + l
		for i, end := i+1, min(from, lim); i < end; i++ {
			table[greedyHash(p.u64(i))] = uint16(i)
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

// greedyJump looks for a match at i longer than l, once, where the 6 bytes that
// end after that last were: see jump. It saves 1.9 % of size for 5 % of speed.
func (e *Encoder) greedyJump(i, l int) (length, distance int) {
	if i+l+3 > e.n {
		return 0, 0
	}
	p, at := &e.src, l-5
	c := int(e.greedy[greedyHash(p.u64(i+at))]) - at
	if c < 0 || i-c > window || p.u32(c+l-3) != p.u32(i+l-3) {
		return 0, 0
	}
	return e.extend(i, c, p.u64(c)^p.u64(i)), i - c
}

// extend returns the length of the match of i and c, whose first 8 bytes differ
// by x.
func (e *Encoder) extend(i, c int, x uint64) int {
	if x != 0 {
		return bits.TrailingZeros64(x) >> 3
	}
	return 8 + e.src.matchLen(c+8, i+8, min(maxMatch, e.n-i)-8)
}
