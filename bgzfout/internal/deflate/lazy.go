package deflate

import "math/bits"

// parseLazy takes a match unless there is a better one a byte later. Looking
// two bytes ahead as well saved 0.3 to 0.5 % for 7 % of the time, which more
// depth does too.
func (e *Encoder) parseLazy(end int) {
	p := &e.src
	i := e.i
	from := i - e.run // the first literal that is not in seqs
	for {
		var l, d int
		if i, l, d = e.next(i, end); l == 0 {
			break
		}
		h := &e.pieces[e.done].hist
		enter := i + 1 // the first position of the match that is not in the tables
		for l < e.lazy && i+1 < e.lim {
			enter = i + 2
			l2, d2 := e.better(i+1, l)
			// Longer is better unless the larger distance eats the gain: a byte
			// is worth some 4 bits.
			if l2 == 0 || 4*(l2-l)+bits.Len32(uint32(d))-bits.Len32(uint32(d2)) <= 2 {
				break
			}
			h.lit[p[uint16(i)]]++
			i++
			l, d = l2, d2
		}
		e.seqs = append(e.seqs, newSeq(i-from, l, d))
		h.match(l, d)
		e.rep = d
		i += l
		from = i
		e.enter(enter, min(i, e.lim))
		if i >= e.cutAt {
			e.i, e.run = i, 0
			e.cut()
			e.learn()
		}
	}
	e.run, e.i = i-from, i
}

// enter enters the positions from i to end in the tables. Entering every
// second one only gained 10 % of speed and lost 3 % of size.
func (e *Encoder) enter(i, end int) {
	p, t := &e.src, e.chains
	for mid := min(end, i+e.short); i < mid; i++ {
		v := p.u64(i)
		t.enter(i, v)
		t.short[hash4(v)] = uint16(i)
	}
	for ; i < end; i++ {
		t.enter(i, p.u64(i))
	}
}

// next returns the first match from i on that is worth taking; length 0 means
// none before end. It enters the positions that it passes, and counts their
// literals. That it is one function saves a call for each of them.
func (e *Encoder) next(i, end int) (at, length, distance int) {
	p, t, h := &e.src, e.chains, &e.pieces[e.done].hist
	for ; i < end; i++ {
		v := p.u64(i)
		s := &t.short[hash4(v)]
		near := int(*s)
		*s = uint16(i)
		c := t.enter(i, v)
		first := max(0, i-window) // the last position that is too far
		l, d := 0, 0
		if c > first {
			l, d = e.walk(i, 5, c, 0, e.depth)
		}
		if l == 0 && near > first && p.u32(near) == uint32(v) {
			l, d = 4, i-near
			if p[uint16(near+4)] == byte(v>>32) {
				l = 5
			}
		}
		// Three bytes count at the last distance only. Numeric arrays need that
		// (it takes 15 % of excess of a PacBio kinetics file to 10 %); a table
		// for them gained short reads 0.1 % and cost 5 % of the speed.
		if r := e.rep; l == 0 && r <= i && (p.u32(i-r)^uint32(v))<<8 == 0 {
			l, d = 3, r
		}
		if l != 0 && (l > maxCosted || !e.known || e.worth(i, l, d)) {
			return i, l, d
		}
		h.lit[v&255]++
	}
	return i, 0, 0
}
