package deflate

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
	for i < end {
		v := p.u32(i)
		slot := &table[greedyHash(v)]
		newest, older := int(*slot&0xffff), int(*slot>>16)
		*slot = *slot<<16 | uint32(i)
		l, d := e.greedyMatch(i, v, newest, older)
		if l == 0 || l == 4 && d > farShort || l <= maxCosted && e.known && !e.worth(i, l, d) {
			h.lit[v&255]++
			i++
			continue
		}
		e.seqs = append(e.seqs, newSeq(i-from, l, d))
		h.match(l, d)
		next := i + l
		for i++; i < min(next, e.lim); i++ {
			slot := &table[greedyHash(p.u32(i))]
			*slot = *slot<<16 | uint32(i)
		}
		i, from = next, next
		if i >= e.cutAt {
			e.i, e.run = i, 0
			e.cut()
			h = &e.pieces[e.done].hist
		}
	}
	e.run, e.i = i-from, i
}

// greedyMatch returns the longer of the matches of the bytes v at i with two
// earlier positions, or length 0.
func (e *Encoder) greedyMatch(i int, v uint32, newest, older int) (length, distance int) {
	p := &e.src
	limit := min(maxMatch, e.n-i)
	if p.u32(newest) == v {
		length, distance = 4+p.matchLen(newest+4, i+4, limit-4), i-newest
		if length < e.nice && length < limit && p.u32(older+length-3) == p.u32(i+length-3) {
			if l := p.matchLen(older, i, limit); l > length {
				length, distance = l, i-older
			}
		}
	} else if p.u32(older) == v {
		length, distance = 4+p.matchLen(older+4, i+4, limit-4), i-older
	}
	if distance > window {
		return 0, 0
	}
	return length, distance
}
