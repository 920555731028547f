package deflate

// effort is what a level spends.
type effort struct {
	depth int // steps along a hash chain; 0: the greedy parser, which has none
	lazy  int // a match shorter than this waits for a better one a byte later
	short int // inside a match, the first so many positions enter the 4-byte table
	pay   int // a long field is searched only if that saves 1/pay of it
	piece int // so many bytes are parsed before a block may end
}

// efforts lists the levels. The anchors: 1 is the fast one, 4 has most of the
// size for the least time, 6 is at most the size of libdeflate's 7 (which is
// htslib's 6), and 9 that of its 8. short costs 0.3 % of size for 5 to 12 % of
// speed. Waiting is cheaper than depth: 20 steps and waiting below 130
// are as fast as 24 and 64 or 30 and 32, and 0.15 % smaller. That a long match ends
// the search (from 32 bytes on, or 130) saved no time and cost 0.2 to 0.5 %. Pieces
// of 16 kB make output 0.2 to 0.5 % smaller than one block does, of 8 kB 0.1 % more
// for 2 % of the time; level 1 gains 3 % of speed by 32 kB and loses nothing.
var efforts = [10]effort{
	1: {pay: 16, piece: 32 << 10},
	2: {depth: 2, lazy: 8, short: 4, pay: 16, piece: 16 << 10},
	3: {depth: 4, lazy: 16, short: 4, pay: 24, piece: 16 << 10},
	4: {depth: 6, lazy: 64, short: 4, pay: 24, piece: 16 << 10},
	5: {depth: 14, lazy: 64, short: 4, pay: 32, piece: 16 << 10},
	6: {depth: 24, lazy: 130, short: 16, pay: 48, piece: 16 << 10},
	7: {depth: 48, lazy: maxMatch, short: maxMatch, pay: 96, piece: 16 << 10},
	8: {depth: 96, lazy: maxMatch, short: maxMatch, pay: 1000, piece: 16 << 10},
	9: {depth: 200, lazy: maxMatch, short: maxMatch, pay: 1000, piece: 16 << 10},
}

// Memory is an upper bound, in bytes, of what an Encoder of the level takes. A
// test holds it.
func Memory(level int) int64 {
	switch {
	case level == 0:
		return 160 << 10
	case efforts[level].depth == 0:
		return 400 << 10
	}
	return 576 << 10
}
