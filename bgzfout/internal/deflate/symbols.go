package deflate

import "math/bits"

// The alphabets of RFC 1951 section 3.2.5, and their arrays, of which some are
// longer so that an index needs no check.
const (
	litSymbols  = 288
	usedLits    = 286
	distSymbols = 32
	usedDists   = 30
	endOfBlock  = 256
	firstLength = 257 // the symbol of length 3
	lengthMask  = 511
)

var (
	lengthBase  = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [distSymbols]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [distSymbols]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
)

// lengthSymbol[l] is the symbol of length l, counted from that of length 3.
var lengthSymbol = func() (t [lengthMask + 1]uint8) {
	for s, base := range lengthBase {
		for l := int(base); l <= maxMatch; l++ {
			t[l] = uint8(s)
		}
	}
	return t
}()

// distTable has the symbols of distances 1 to 256, then of every 128th.
var distTable = func() (t [512]uint8) {
	for d := range uint32(256) {
		t[d] = slowDistSymbol(d)
		t[256+d] = slowDistSymbol(d << 7)
	}
	return t
}()

// distSymbol returns the symbol of a distance; d is that less one.
func distSymbol(d uint32) uint32 {
	far := (255 - d) >> 31 // 1 from 256 on; a branch would be mispredicted
	return uint32(distTable[(d>>(far*7)+far<<8)&511]) & (distSymbols - 1)
}

// slowDistSymbol is distSymbol by its definition: two symbols to each power of
// two.
func slowDistSymbol(d uint32) uint8 {
	if d < 4 {
		return uint8(d)
	}
	n := uint32(bits.Len32(d)) - 1
	return uint8(n*2 + d>>(n-1)&1)
}
