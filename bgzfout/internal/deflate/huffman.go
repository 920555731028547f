package deflate

import (
	"math/bits"
	"slices"
)

const (
	// maxCode is the longest code of a literal, length or distance. With 14 bits
	// instead of 15 four literals fit one flush of the bit buffer; what that costs
	// in size could not be measured.
	maxCode = 14
	// maxLengthCode is the longest code in the description of the codes.
	maxLengthCode = 7
)

// codeLengths writes to lens the lengths of a prefix code for symbols of these
// frequencies, at most limit. Two symbols at least get a code, so that every code
// is complete: some decoders refuse others.
func codeLengths(freqs []uint32, lens []uint8, limit int) {
	var keys [litSymbols]uint32 // frequency, which is below 1<<17, and symbol
	n := 0
	for s, f := range freqs {
		lens[s] = 0
		if f != 0 {
			keys[n] = f<<9 | uint32(s)
			n++
		}
	}
	for s := 0; n < 2; s++ {
		if freqs[s] == 0 {
			keys[n] = 1<<9 | uint32(s)
			n++
		}
	}
	slices.Sort(keys[:n])
	counts := countLengths(keys[:n], limit)
	i := 0
	for l := limit; l > 0; l-- { // the rarest symbols get the longest codes
		for range counts[l] {
			lens[keys[i]&511] = uint8(l)
			i++
		}
	}
}

// countLengths returns how many codes there are of each length, for frequencies
// in rising order: Moffat and Katajainen, "In-Place Calculation of
// Minimum-Redundancy Codes" (1995), and codes that are too long cut.
func countLengths(keys []uint32, limit int) (counts [maxCode + 1]int) {
	n := len(keys)
	var a [litSymbols]uint32 // weights, then parents, then depths of inner nodes
	for i, k := range keys {
		a[i] = k >> 9
	}
	root, leaf := 0, 0
	for next := range n - 1 {
		var weight uint32
		for range 2 {
			if leaf == n || root < next && a[root] < a[leaf] {
				weight += a[root]
				a[root] = uint32(next)
				root++
			} else {
				weight += a[leaf]
				leaf++
			}
		}
		a[next] = weight
	}
	a[n-2] = 0
	for i := n - 3; i >= 0; i-- {
		a[i] = a[a[i]] + 1
	}
	root = n - 2
	for nodes, depth := 1, 0; nodes > 0; depth++ {
		inner := 0
		for ; root >= 0 && a[root] == uint32(depth); root-- {
			inner++
		}
		counts[min(depth, limit)] += nodes - inner
		nodes = 2 * inner
	}
	repair(&counts, limit)
	return counts
}

// repair makes a code of counts, of which the longest were cut to limit: as long
// as there are too many, a code is taken from those and put beside a shorter
// one that grows by a bit. The best code would save 5 of 500,000 bits on real
// records, all of them in the description of the codes.
func repair(counts *[maxCode + 1]int, limit int) {
	space := 0 // in units of the longest code
	for l := 1; l <= limit; l++ {
		space += counts[l] << (limit - l)
	}
	for ; space > 1<<limit; space-- {
		l := limit - 1
		for counts[l] == 0 {
			l--
		}
		counts[limit]--
		counts[l]--
		counts[l+1] += 2
	}
}

// code is a canonical code, its bits reversed as DEFLATE wants them, and its
// length from bit 24 on.
type code uint32

func (c code) bits() uint64 { return uint64(c & (1<<24 - 1)) }
func (c code) length() uint { return uint(c >> 24) }

// assignCodes writes the codes of these lengths (RFC 1951 section 3.2.2).
func assignCodes(lens []uint8, codes []code) {
	var counts, next [16]uint32
	for _, l := range lens {
		counts[l&15]++
	}
	counts[0] = 0
	for l := 1; l < len(next); l++ {
		next[l] = (next[l-1] + counts[l-1]) << 1
	}
	for s, l := range lens {
		codes[s] = 0
		if l != 0 {
			codes[s] = code(bits.Reverse16(uint16(next[l&15]))>>(16-l)) | code(l)<<24
			next[l&15]++
		}
	}
}
