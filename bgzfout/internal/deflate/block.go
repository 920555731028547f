package deflate

// block is what one DEFLATE block holds.
type block struct {
	seqs       []seq
	begin, end int // in the payload
	hist       *hist
	final      bool
}

// header is the description of a block's codes (RFC 1951 section 3.2.7).
type header struct {
	lit     [litSymbols]uint8  // lengths of the codes
	dist    [distSymbols]uint8 // likewise
	lits    int                // how many of them are described
	dists   int
	ops     [usedLits + usedDists]uint16 // the lengths run by run: symbol | extra bits<<5
	nops    int
	opFreqs [19]uint32
	opLens  [19]uint8
	opCount int // how many of opLens are described
}

// opOrder is the order in which the lengths of the codes of ops are described.
var opOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// The symbols of ops beyond lengths, with their extra bits: repeat the last
// length, a few zeros, many zeros.
const (
	opRepeat = 16
	opZeros  = 17
	opMany   = 18
)

var opExtra = [32]uint8{opRepeat: 2, opZeros: 3, opMany: 7}

// block writes b with codes of its own, or stored if that is not longer.
func (w *bitWriter) block(src *payload, b block) {
	b.hist.lit[endOfBlock] = 1
	var h header
	h.describe(b.hist)
	if h.bits(b.hist) >= 8*(b.end-b.begin+storedOverhead) {
		w.stored(src[b.begin:b.end], b.final)
		return
	}
	w.put(blockHead(b.final, 2), 3)
	w.header(&h)
	w.symbols(src, b, &h)
}

// blockHead returns BFINAL and BTYPE.
func blockHead(final bool, kind uint64) uint64 {
	if final {
		return kind<<1 | 1
	}
	return kind << 1
}

func (h *header) describe(symbols *hist) {
	codeLengths(symbols.lit[:usedLits], h.lit[:usedLits], maxCode)
	codeLengths(symbols.dist[:usedDists], h.dist[:usedDists], maxCode)
	for h.lits = usedLits; h.lit[h.lits-1] == 0; { // endOfBlock has a code
		h.lits--
	}
	for h.dists = usedDists; h.dist[h.dists-1] == 0; {
		h.dists--
	}
	var all [usedLits + usedDists]uint8
	copy(all[:], h.lit[:h.lits])
	copy(all[h.lits:], h.dist[:h.dists])
	for lens := all[:h.lits+h.dists]; len(lens) > 0; {
		n := 1
		for n < len(lens) && lens[n] == lens[0] {
			n++
		}
		h.run(lens[0], n)
		lens = lens[n:]
	}
	codeLengths(h.opFreqs[:], h.opLens[:], maxLengthCode)
	for h.opCount = len(opOrder); h.opCount > 4 && h.opLens[opOrder[h.opCount-1]] == 0; {
		h.opCount--
	}
}

// run describes n equal lengths of codes.
func (h *header) run(length uint8, n int) {
	if length != 0 {
		h.op(int(length), 0)
		n--
	}
	for n >= 3 {
		switch {
		case length != 0:
			k := min(n, 6)
			h.op(opRepeat, k-3)
			n -= k
		case n <= 10:
			h.op(opZeros, n-3)
			n = 0
		default:
			k := min(n, 138)
			h.op(opMany, k-11)
			n -= k
		}
	}
	for range n {
		h.op(int(length), 0)
	}
}

func (h *header) op(symbol, extra int) {
	h.ops[h.nops] = uint16(symbol | extra<<5)
	h.nops++
	h.opFreqs[symbol]++
}

// bits is the exact size of a block with this header and these symbols.
func (h *header) bits(symbols *hist) int {
	n := 3 + 14 + 3*h.opCount
	for s, f := range h.opFreqs {
		n += int(f) * int(h.opLens[s]+opExtra[s])
	}
	for s, f := range symbols.lit[:usedLits] {
		n += int(f) * int(h.lit[s])
	}
	for s, f := range symbols.lit[firstLength:usedLits] {
		n += int(f) * int(lengthExtra[s])
	}
	for s, f := range symbols.dist[:usedDists] {
		n += int(f) * int(h.dist[s]+distExtra[s])
	}
	return n
}

// header writes h.
func (w *bitWriter) header(h *header) {
	w.put(uint64(h.lits-257)|uint64(h.dists-1)<<5|uint64(h.opCount-4)<<10, 14)
	for _, s := range opOrder[:h.opCount] {
		w.put(uint64(h.opLens[s]), 3)
	}
	var codes [32]code
	assignCodes(h.opLens[:], codes[:])
	for _, op := range h.ops[:h.nops] {
		s := op & 31
		w.put(codes[s].bits(), codes[s].length())
		w.put(uint64(op>>5), uint(opExtra[s]))
	}
}
