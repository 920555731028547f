package deflate

import (
	"math"
	"testing"
)

// TestSymbols compares the fast tables with those of the RFC, for every length
// and distance.
func TestSymbols(t *testing.T) {
	for l := minMatch; l <= maxMatch; l++ {
		s := lengthSymbol[l]
		if extra := l - int(lengthBase[s]); extra < 0 || extra >= 1<<lengthExtra[s] {
			t.Errorf("length %d has symbol %d, of %d and %d bits", l, s, lengthBase[s], lengthExtra[s])
		}
	}
	if got := lengthSymbol[maxMatch]; got != 28 { // the one with two ways to write it
		t.Errorf("length %d has symbol %d, want 28", maxMatch, got)
	}
	for d := range uint32(window) {
		s := distSymbol(d)
		if extra := int(d) + 1 - int(distBase[s]); extra < 0 || extra >= 1<<distExtra[s] {
			t.Errorf("distance %d has symbol %d, of %d and %d bits", d+1, s, distBase[s], distExtra[s])
		}
	}
}

// TestCosts: the tables' costs are within their rounding of the logarithm.
func TestCosts(t *testing.T) {
	for _, all := range []uint32{300, 4096, 65535} {
		for _, n := range []uint32{0, 1, all / 100, all / 3, all} {
			got := float64(costOf(n, 1<<44/uint64(all))) / bit
			share := max(1, math.Round(4096*float64(n)/float64(all))) / 4096
			if want := max(1, -math.Log2(share)); math.Abs(got-want) > 1.0/bit {
				t.Errorf("%d of %d: %v bits, want %v", n, all, got, want)
			}
		}
	}
	for _, n := range []uint32{0, 1, 2, 8191, 8192, 65535} {
		if got, want := float64(entropy(n))/bit, float64(n)*math.Log2(max(1, float64(n))); math.Abs(got-want) > 1.0/bit {
			t.Errorf("entropy(%d) = %v, want %v", n, got, want)
		}
	}
}
