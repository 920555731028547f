package deflate

import "math"

const (
	// firstPiece is shorter than others, so that costs are known early.
	firstPiece = 4 << 10
	// maxPieces is more than long fields make of a payload, which is 57. If there
	// were more the last would take the rest.
	maxPieces = 64
)

// piece is a part of the payload that goes into one block.
type piece struct {
	hist
	seq, end int // where it ends: index in seqs, offset in the payload
}

// hist counts symbols: literals and lengths, and distances (RFC 1951 section
// 3.2.5).
type hist struct {
	lit  [litSymbols]uint32
	dist [distSymbols]uint32
}

// match counts a match.
func (h *hist) match(length, distance int) {
	h.lit[firstLength+int(lengthSymbol[length&lengthMask])]++
	h.dist[distSymbol(uint32(distance-1))]++
}

func (h *hist) add(other *hist) {
	for s, n := range &other.lit {
		h.lit[s] += n
	}
	for s, n := range &other.dist {
		h.dist[s] += n
	}
}

// endPiece ends the open piece with its literals.
func (e *Encoder) endPiece() {
	e.endRun()
	e.cut()
}

// cut ends the open piece at e.i, before which no literal is pending, if it has
// bytes and there is room for another.
func (e *Encoder) cut() {
	e.cutAt = e.i + e.piece
	if e.done == maxPieces-1 || e.i == e.begun() {
		return
	}
	p := &e.pieces[e.done]
	p.seq, p.end = len(e.seqs), e.i
	e.all.add(&p.hist)
	e.done++
	e.pieces[e.done].hist = hist{}
}

// begun is where the open piece begins.
func (e *Encoder) begun() int {
	if e.done == 0 {
		return 0
	}
	return e.pieces[e.done-1].end
}

// blocks writes the pieces, neighbours as one block where that is estimated to
// be shorter.
func (e *Encoder) blocks(w *bitWriter) {
	pieces := e.pieces[:e.done+1]
	last := &pieces[e.done]
	last.seq, last.end = len(e.seqs), e.n
	seq, begin := 0, 0
	size := pieces[0].cost()
	for k := range pieces {
		p := &pieces[k]
		if k < e.done {
			next := &pieces[k+1]
			both := p.hist
			both.add(&next.hist)
			apart, joined := next.cost(), both.cost()
			if joined <= size+apart {
				next.hist, size = both, joined
				continue
			}
			size = apart
		}
		w.block(&e.src, block{seqs: e.seqs[seq:p.seq], begin: begin, end: p.end, hist: &p.hist, final: k == e.done})
		seq, begin = p.seq, p.end
	}
}

// cost estimates the size of a block in 1/16 bits: entropy of the symbols and a
// header. Extra bits are left out, they are the same however blocks are cut.
func (h *hist) cost() int {
	c := 60 * bit
	for _, symbols := range [2][]uint32{h.lit[:], h.dist[:]} {
		var all uint32
		for _, n := range symbols {
			if n != 0 {
				c += 7*bit/2 - int(entropy(n)) // 3.5 bits describe a code's length
				all += n
			}
		}
		c += int(entropy(all))
	}
	return c
}

// entropies[n] is n*log2(n), in 1/16 bits.
var entropies = func() (t [1 << 13]uint32) {
	for n := range t {
		t[n] = slowEntropy(uint32(n))
	}
	return t
}()

func entropy(n uint32) uint32 {
	if int(n) < len(entropies) {
		return entropies[n]
	}
	return slowEntropy(n)
}

func slowEntropy(n uint32) uint32 {
	if n == 0 {
		return 0
	}
	return uint32(math.Round(float64(n) * math.Log2(float64(n)) * bit))
}
