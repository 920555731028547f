package deflate

import (
	"encoding/binary"
	"math/bits"
)

const (
	window   = 1 << 15 // the largest distance
	minMatch = 3
	maxMatch = 258
)

// payload is a payload at a fixed place, with room for a load of eight bytes
// from any 16-bit position: the compiler then drops every bounds check, and
// safe Go is as fast as pointers are. The copy costs 1 % of the fastest level.
type payload [1<<16 + 8]byte

func (p *payload) u32(i int) uint32 { return binary.LittleEndian.Uint32(p[uint16(i):]) }
func (p *payload) u64(i int) uint64 { return binary.LittleEndian.Uint64(p[uint16(i):]) }

// matchLen counts equal bytes at a and b, up to limit.
func (p *payload) matchLen(a, b, limit int) int {
	n := 0
	for ; n+8 <= limit; n += 8 {
		if x := p.u64(a+n) ^ p.u64(b+n); x != 0 {
			return n + bits.TrailingZeros64(x)>>3
		}
	}
	for n < limit && p[uint16(a+n)] == p[uint16(b+n)] {
		n++
	}
	return n
}

// maxSeqs bounds the sequences of a payload: one for each match, one for each
// run of literals that the end of a piece cuts.
const maxSeqs = MaxPayload/minMatch + 2*(MaxPayload/longField+1) + 1

// seq is a run of literals and the match after it: literals<<32 | length<<16 |
// distance-1. Length 0 is no match. The literals themselves stay in the payload.
type seq uint64

func newSeq(literals, length, distance int) seq {
	return seq(literals)<<32 | seq(length)<<16 | seq(distance-1)
}

func (s seq) literals() int { return int(s >> 32) }
func (s seq) length() int   { return int(s>>16) & lengthMask }

// distance is that of the match, less one.
func (s seq) distance() uint32 { return uint32(s) & (window - 1) }
