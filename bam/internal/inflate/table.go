package inflate

import "math/bits"

// A table is indexed with the next bits of the stream and says what they are. An entry has
//
//	bits  0..5   bits to drop: the code and its extra bits
//	bits  8..11  bits of the code alone, or of the index if the entry links to a subtable
//	bits 12..14  flags
//	bits 16..30  the literal, the base of the length or distance, or where the subtable begins
//	bit  31      a literal
//
// so that one load gives all that is needed to go on, and extra bits are cut out of the same word that held the code.
type entry = uint32

const (
	litBits  = 11 // 8 kB, with the distances' 1 kB a third of the first-level cache; few codes are longer
	distBits = 8
	lensBits = 7 // the most that a code of code lengths has

	isLiteral entry = 1 << 31 // the sign, which is tested in one instruction
	isLink    entry = 1 << 12
	isEnd     entry = 1 << 13                            // of the block
	isBad     entry = 1 << 14                            // no code
	isSpecial       = isLiteral | isLink | isEnd | isBad // all but lengths and distances

	dropMask = 63

	// The most that complete codes of 288 and 32 symbols of up to 15 bits need, subtables included, is 2342 and 402
	// (computed by zlib's examples/enough.c). Powers of 2 make the masks that spare the bounds checks.
	litSize  = 4096
	distSize = 512
	lensSize = 1 << lensBits
)

// The entries of the symbols, less their codes' bits.
var (
	litEntries  [288]entry
	distEntries [32]entry
	lensEntries [19]entry
)

// init computes the entries from RFC 1951 section 3.2.5: extra bits grow by one with every 4 lengths or 2 distances.
func init() {
	for i := range 256 {
		litEntries[i] = isLiteral | entry(i)<<16
	}
	litEntries[256] = isEnd
	base := entry(3)
	for i := range entry(28) {
		extra := max(i/4, 1) - 1
		litEntries[257+i] = base<<16 | extra
		base += 1 << extra
	}
	litEntries[285] = 258 << 16
	litEntries[286], litEntries[287] = isBad, isBad
	base = 1
	for i := range entry(30) {
		extra := max(i/2, 1) - 1
		distEntries[i] = base<<16 | extra
		base += 1 << extra
	}
	distEntries[30], distEntries[31] = isBad, isBad
	for i := range lensEntries {
		lensEntries[i] = entry(i) << 16
	}
}

// code is a canonical Huffman code: the symbols in the order of their codes.
type code struct {
	count   [16]int // symbols by the length of their code; [0] counts nothing
	symbols [288]uint16
	used    int // symbols that have a code
	longest int
}

// set sorts the symbols whose code lengths are given. It returns false unless the code is complete, or has a single
// symbol of 1 bit, or none at all: what compress/flate and zlib take.
func (c *code) set(lens []uint8) bool {
	c.count = [16]int{}
	for _, n := range lens {
		c.count[n&15]++
	}
	c.count[0] = 0
	var next [16]int
	left, sum := 1, 0
	c.longest = 0
	for i := 1; i < 16; i++ {
		next[i] = sum
		sum += c.count[i]
		left = left<<1 - c.count[i] // once below 0, over-subscribed, it stays there
		if c.count[i] != 0 {
			c.longest = i
		}
	}
	c.used = sum
	for s, n := range lens {
		if n &= 15; n != 0 {
			c.symbols[next[n]] = uint16(s)
			next[n]++
		}
	}
	return left == 0 || sum == 0 || sum == 1 && c.longest == 1
}

// build fills the table of 1<<width entries, and the subtables behind them, for the code lengths. It returns false when
// they are no code.
func (c *code) build(table, entries []entry, lens []uint8, width int) bool {
	if !c.set(lens) {
		return false
	}
	if c.used < 2 {
		c.buildDegenerate(table[:1<<width], entries)
		return true
	}
	// The table is made for codes of 1 bit, 2 bits and so on. It doubles by copying itself: half the stores of setting
	// every 2^n-th entry, and in order.
	done, reversed, size := 0, uint32(0), 1
	for n := 1; n <= width; n++ {
		copy(table[size:2*size], table[:size])
		size *= 2
		for _, s := range c.symbols[done : done+c.count[n]] {
			table[reversed] = coded(entries[s], n)
			reversed = increment(reversed, n)
		}
		done += c.count[n]
	}
	c.buildLinks(table, entries, width, done, reversed)
	return true
}

// buildLinks adds the subtables of the codes longer than width, which begin with symbol done and the given code.
func (c *code) buildLinks(table, entries []entry, width, done int, reversed uint32) {
	mask := uint32(1)<<width - 1
	prefix, start, size := ^uint32(0), 0, 1<<width
	for n := width + 1; n <= c.longest; n++ {
		for left := c.count[n]; left > 0; left-- {
			if reversed&mask != prefix {
				prefix = reversed & mask
				index := c.subtableBits(n, width, left)
				start = size
				size += 1 << index
				table[prefix] = isLink | entry(start)<<16 | entry(index)<<8 | entry(width)
			}
			e := coded(entries[c.symbols[done]], n)
			for k := start + int(reversed>>width); k < size; k += 1 << (n - width) {
				table[k] = e
			}
			done++
			reversed = increment(reversed, n)
		}
	}
}

// subtableBits returns the index width of the subtable that begins with the first of left codes of n bits: it ends with
// the longest code that has the same first bits.
func (c *code) subtableBits(n, width, left int) int {
	index := n - width
	for free := 1<<index - left; free > 0 && n < c.longest; index++ {
		n++
		free = free<<1 - c.count[n]
	}
	return index
}

// buildDegenerate fills the table for a code of a single symbol, which is 0, or of none.
func (c *code) buildDegenerate(table, entries []entry) {
	for i := range table {
		table[i] = isBad | 1
		if c.used == 1 && i&1 == 0 {
			table[i] = coded(entries[c.symbols[0]], 1)
		}
	}
}

// coded returns e with a code of n bits.
func coded(e entry, n int) entry { return e + entry(n)<<8 + entry(n) }

// increment returns the code that follows in canonical order. Both have n bits, the first of which is the lowest, as in
// the stream.
func increment(reversed uint32, n int) uint32 {
	// The bits that are set at the end of the code become 0 and the 0 before them becomes 1. Behind the last code of a
	// complete code comes 0, which nothing uses.
	high := bits.Len32(^reversed&(1<<n-1)) - 1
	if high < 0 {
		return 0
	}
	return reversed&(1<<high-1) | 1<<high
}
