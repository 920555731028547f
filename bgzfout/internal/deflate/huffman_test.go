package deflate

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// optimal returns the least bits that a code of at most limit bits needs, by
// package-merge (Larmore and Hirschberg 1990).
func optimal(freqs []uint32, limit int) (total uint64) {
	type packet struct {
		weight  uint64
		symbols []int
	}
	var leaves, packets []packet
	for s, f := range freqs {
		if f > 0 {
			leaves = append(leaves, packet{uint64(f), []int{s}})
		}
	}
	for range limit {
		var pairs []packet
		for p := range slices.Chunk(packets, 2) {
			if len(p) == 2 {
				pairs = append(pairs, packet{p[0].weight + p[1].weight, slices.Concat(p[0].symbols, p[1].symbols)})
			}
		}
		packets = slices.Concat(leaves, pairs)
		slices.SortStableFunc(packets, func(a, b packet) int { return int(int64(a.weight) - int64(b.weight)) })
	}
	for _, p := range packets[:2*len(leaves)-2] {
		total += p.weight
	}
	return total
}

// TestCodeLengths: every code is complete and within its limit, rarer symbols
// have no shorter codes, and the whole is optimal, or not far from it where it was cut.
func TestCodeLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	fib := make([]uint32, 24)
	for i := range fib {
		fib[i] = max(1, fib[max(i-1, 0)]+fib[max(i-2, 0)])
	}
	flat := slices.Repeat([]uint32{1}, usedLits)
	tests := map[string][]uint32{
		"two": {0, 5, 0, 1}, "flat": flat, "Fibonacci": fib, "one heavy": append(slices.Clone(flat), 60000)[1:],
	}
	for i := range 40 {
		freqs := make([]uint32, 2+r.IntN(usedLits-1))
		for s := range freqs {
			freqs[s] = r.Uint32N(1<<16) >> r.UintN(17)
		}
		freqs[0], freqs[1] = 1, 2
		tests[fmt.Sprintf("random %d", i)] = freqs
	}
	for name, freqs := range tests {
		for _, limit := range []int{maxLengthCode, maxCode} {
			if limit == maxLengthCode && len(freqs) > 19 {
				freqs = freqs[:19]
			}
			lens := make([]uint8, len(freqs))
			codeLengths(freqs, lens, limit)
			checkLengths(t, fmt.Sprintf("%s, limit %d", name, limit), freqs, lens, limit)
		}
	}
}

func checkLengths(t *testing.T, name string, freqs []uint32, lens []uint8, limit int) {
	t.Helper()
	space, total, longest := 0, uint64(0), uint8(0)
	for s, l := range lens {
		if (l > 0) != (freqs[s] > 0) || int(l) > limit {
			t.Fatalf("%s: symbol %d, seen %d times, has a code of %d bits", name, s, freqs[s], l)
		}
		if l == 0 {
			continue
		}
		space += 1 << (limit - int(l))
		total += uint64(freqs[s]) * uint64(l)
		longest = max(longest, l)
		for s2, l2 := range lens {
			if freqs[s2] > freqs[s] && l2 > l {
				t.Fatalf("%s: %d times %d bits, %d times %d bits", name, freqs[s], l, freqs[s2], l2)
			}
		}
	}
	if space != 1<<limit {
		t.Fatalf("%s: the code takes %d of %d", name, space, 1<<limit)
	}
	best := optimal(freqs, limit)
	if int(longest) < limit && total != best {
		t.Errorf("%s: %d bits, the best is %d", name, total, best)
	}
	if total > best+best/8 {
		t.Errorf("%s: %d bits, the best within the limit is %d", name, total, best)
	}
}

// TestFewSymbols: a code has two symbols even if fewer are seen.
func TestFewSymbols(t *testing.T) {
	for _, freqs := range [][]uint32{make([]uint32, 30), {7, 0, 0}, {0, 7, 0}, {0, 0, 7}} {
		lens := make([]uint8, len(freqs))
		codeLengths(freqs, lens, maxCode)
		if n := bits.OnesCount64(uint64(slices.Max(lens))); n != 1 || len(lens)-len(slices.DeleteFunc(slices.Clone(lens), func(l uint8) bool { return l == 1 })) != 2 {
			t.Errorf("%v: lengths %v, want two of 1", freqs, lens)
		}
		for s, f := range freqs {
			if f > 0 && lens[s] != 1 {
				t.Errorf("%v: lengths %v", freqs, lens)
			}
		}
	}
}

// TestAssignCodes has the example of RFC 1951 section 3.2.2.
func TestAssignCodes(t *testing.T) {
	lens := []uint8{3, 3, 3, 3, 3, 2, 4, 4, 0}
	want := []string{"010", "011", "100", "101", "110", "00", "1110", "1111", ""}
	codes := make([]code, len(lens))
	assignCodes(lens, codes)
	for s, c := range codes {
		got := ""
		for i := range c.length() {
			got += fmt.Sprint(c.bits() >> i & 1)
		}
		if got != want[s] {
			t.Errorf("symbol %d: %q, want %q", s, got, want[s])
		}
	}
}
