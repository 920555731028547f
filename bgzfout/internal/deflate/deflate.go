package deflate

import "fmt"

// MaxPayload is the most bytes of a payload: positions are kept in 16 bits.
const MaxPayload = 1<<16 - 1

// minDynamic is the shortest payload worth a code of its own: describing one
// takes some 50 bytes.
const minDynamic = 64

// Encoder compresses payloads. It is for one goroutine at a time and keeps
// nothing from one payload to the next but its memory, see Memory.
type Encoder struct {
	effort
	src payload // a copy, so that no index into it needs a check
	n   int     // its length
	lim int     // positions from here on are not searched: loads are 8 bytes

	greedy *greedyTable // level 1
	chains *chainTables // levels 2 to 9

	// The parser's state, between its calls.
	i    int   // the next byte to parse
	run  int   // literals before it that are not in seqs yet
	rep  int   // distance of the last match; at first 4, as of numbers in an array
	seqs []seq // what the payload was parsed to
	costs

	pieces [maxPieces]piece
	done   int  // pieces that have ended; the next one is open
	all    hist // symbols of those
	cutAt  int  // where the open piece is to end
}

// New returns an Encoder for level 0, which stores, to 9. It panics on others.
func New(level int) *Encoder {
	if level < 0 || level >= len(efforts) {
		panic(fmt.Sprintf("deflate: no level %d", level))
	}
	e := &Encoder{effort: efforts[level]}
	switch {
	case level == 0:
	case e.depth == 0:
		e.greedy = new(greedyTable)
	default:
		e.chains = new(chainTables)
	}
	if level > 0 {
		e.seqs = make([]seq, 0, maxSeqs)
	}
	return e
}

// Append appends the stream of src, any bytes, to dst. It panics if src is
// longer than MaxPayload.
func (e *Encoder) Append(dst, src []byte) []byte {
	if !e.start(src) {
		return appendStored(dst, src)
	}
	return e.finish(dst, src)
}

// AppendRecords is Append for BAM records: src begins inside open, or with a
// record if open is zero. What it says of the records is a hint. Where it is
// wrong, or a record is none, the stream may be longer but decodes the same.
func (e *Encoder) AppendRecords(dst, src []byte, open Record) []byte {
	if !e.start(src) {
		return appendStored(dst, src)
	}
	e.longFields(src, open)
	return e.finish(dst, src)
}

// start prepares for src, and reports whether there is anything to try.
func (e *Encoder) start(src []byte) bool {
	if len(src) > MaxPayload {
		panic(fmt.Sprintf("deflate: payload of %d bytes, at most %d", len(src), MaxPayload))
	}
	if len(src) < minDynamic || e.greedy == nil && e.chains == nil {
		return false
	}
	e.n = copy(e.src[:], src)
	e.lim = e.n - 8
	e.i, e.run, e.rep, e.seqs = 0, 0, 4, e.seqs[:0]
	e.known = false
	e.all, e.done, e.pieces[0].hist = hist{}, 0, hist{}
	// Clearing costs less than 1 % of the time.
	if e.greedy != nil {
		clear(e.greedy[:])
		e.cutAt = e.piece
	} else {
		clear(e.chains.head[:])
		clear(e.chains.short[:])
		e.cutAt = firstPiece
	}
	return true
}

// finish parses what is left, and writes the blocks unless they come out no
// shorter than the stored form.
func (e *Encoder) finish(dst, src []byte) []byte {
	e.parse(e.n)
	e.literals(e.n)
	e.endRun()
	start := len(dst)
	w := newBitWriter(dst, len(src))
	e.blocks(&w)
	if out := w.finish(); len(out)-start < len(src)+storedOverhead {
		return out
	}
	return appendStored(dst, src)
}

// parse parses up to end, but for the last bytes of the payload.
func (e *Encoder) parse(end int) {
	end = min(end, e.lim)
	if e.greedy != nil {
		e.parseGreedy(end)
	} else {
		e.parseLazy(end)
	}
}

// literals takes the bytes up to end as literals.
func (e *Encoder) literals(end int) {
	h := &e.pieces[e.done].hist
	for ; e.i < end; e.i++ {
		h.lit[e.src[uint16(e.i)]]++
		e.run++
	}
}

// endRun ends a run of literals without a match.
func (e *Encoder) endRun() {
	if e.run > 0 {
		e.seqs = append(e.seqs, newSeq(e.run, 0, 1))
		e.run = 0
	}
}
