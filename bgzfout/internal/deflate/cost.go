package deflate

import "math"

// bit is the unit of costs: they are in 1/16 bits, as integers, so that every
// machine decides alike.
const bit = 16

// maxCosted is the longest match that must be worth its cost. Longer ones are.
const maxCosted = 6

// costs estimates what symbols cost, to reject matches that cost more than
// their literals: worth 0 to 0.4 % on short reads and several per cent on long
// ones, for 3 % of the time. It learns from the payload alone.
type costs struct {
	known    bool
	lit      [256]uint32
	length   [16]uint32 // 3 to 10, of which the symbols have no extra bits
	distance [32]uint32
}

// logs[i] is -log2(i/4096).
var logs = func() (t [4097]uint32) {
	t[0] = 13 * bit
	for i := 1; i < len(t); i++ {
		t[i] = uint32(math.Round(-math.Log2(float64(i)/4096) * bit))
	}
	return t
}()

// costOf is the cost of a symbol seen so many times, of which scale is
// 1<<32*4096 over that of all symbols: a bit at least.
func costOf(times uint32, scale uint64) uint32 {
	share := (uint64(times)*scale + 1<<31) >> 32
	return max(bit, logs[min(max(1, share), 4096)])
}

// learn sets the costs by the symbols of the pieces that have ended.
func (e *Encoder) learn() {
	lits, distances := uint64(1), uint64(1)
	for _, n := range e.all.lit {
		lits += uint64(n)
	}
	for _, n := range e.all.dist {
		distances += uint64(n)
	}
	scale := 1 << 44 / lits
	for s := range e.lit {
		e.lit[s] = costOf(e.all.lit[s], scale)
	}
	for l := minMatch; l <= 10; l++ {
		e.length[l] = costOf(e.all.lit[firstLength+l-minMatch], scale)
	}
	scale = 1 << 44 / distances
	for s := range e.distance {
		e.distance[s] = costOf(e.all.dist[s], scale) + uint32(distExtra[s])*bit
	}
	e.known = true
}

// learnBytes sets the costs by the first bytes of a long field from i to end, as
// if all were literals: that is what a match in it must beat.
func (e *Encoder) learnBytes(i, end int) {
	end = min(end, i+4096)
	var times [256]uint32
	for _, c := range e.src[i:end] {
		times[c]++
	}
	scale := 1 << 44 / uint64(end-i)
	for s := range e.lit {
		e.lit[s] = costOf(times[s], scale)
	}
	for l := range uint32(11) {
		e.length[l] = 4*bit + l*bit/4
	}
	for s := range e.distance {
		e.distance[s] = 4*bit + uint32(distExtra[s])*bit
	}
	e.known = true
}

// literalCost is the cost of n bytes from i on as literals.
func (e *Encoder) literalCost(i, n int) (c uint32) {
	for ; n > 0; n-- {
		c += e.lit[e.src[uint16(i)]]
		i++
	}
	return c
}

// matchCost is the cost of a match; d is the distance less one.
func (e *Encoder) matchCost(length int, d uint32) uint32 {
	return e.length[min(length, 10)&15] + e.distance[distSymbol(d)]
}

// worth tells whether a match saves more than a bit.
func (e *Encoder) worth(i, length, distance int) bool {
	return e.literalCost(i, length) > e.matchCost(length, uint32(distance-1))+bit
}

// pays tells whether the matches of seqs, which begin at i, save 1/pay of their
// bytes' cost up to e.i.
func (e *Encoder) pays(i int, seqs []seq) bool {
	all := int(e.literalCost(i, e.i-i))
	saved := 0
	for _, s := range seqs {
		i += s.literals()
		if l := s.length(); l > 0 {
			saved += int(e.literalCost(i, l)) - int(e.matchCost(l, s.distance()))
			i += l
		}
	}
	return saved > all/e.pay
}
