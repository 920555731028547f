package inflate

import (
	"encoding/binary"
	"slices"
)

// deflater writes deflate streams by hand, right or wrong, with the code that was set last.
type deflater struct {
	b           []byte
	n           int // bits in the last byte
	lits, dists []bitCode
}

// bitCode is a code of n bits, its first bit highest.
type bitCode struct {
	v uint32
	n int
}

// bits appends the lowest n bits of v, the lowest first.
func (d *deflater) bits(v uint32, n int) *deflater {
	for i := range n {
		if d.n%8 == 0 {
			d.b = append(d.b, 0)
		}
		d.b[len(d.b)-1] |= byte(v>>i&1) << (d.n % 8)
		d.n++
	}
	return d
}

// code appends a code, the highest bit first.
func (d *deflater) code(c bitCode) *deflater {
	for i := c.n - 1; i >= 0; i-- {
		d.bits(c.v>>i, 1)
	}
	return d
}

// canonical gives the codes to code lengths (RFC 1951 section 3.2.2), whether they are a code or not.
func canonical(lens []uint8) []bitCode {
	codes := make([]bitCode, len(lens))
	v := uint32(0)
	for n := 1; n < 16; n++ {
		v <<= 1
		for s, l := range lens {
			if int(l) == n {
				codes[s] = bitCode{v, n}
				v++
			}
		}
	}
	return codes
}

func (d *deflater) stored(last uint32, p []byte) *deflater {
	d.bits(last, 1).bits(0, 2)
	d.n = 0
	d.b = binary.LittleEndian.AppendUint16(d.b, uint16(len(p)))
	d.b = binary.LittleEndian.AppendUint16(d.b, ^uint16(len(p)))
	d.b = append(d.b, p...)
	return d
}

func (d *deflater) fixed(last uint32) *deflater {
	d.lits = canonical(slices.Concat(repeat(8, 144), repeat(9, 112), repeat(7, 24), repeat(8, 8)))
	d.dists = canonical(repeat(5, 32))
	return d.bits(last, 1).bits(1, 2)
}

func repeat(v uint8, n int) []uint8 { return slices.Repeat([]uint8{v}, n) }

// lensCode is a complete code of the code lengths.
var lensCode = slices.Concat(repeat(4, 13), repeat(5, 6))

// dynamic begins a block with its own codes, one length after the other.
func (d *deflater) dynamic(last uint32, lits, dists []uint8) *deflater {
	d.dynamicHead(last, len(lits)-257, len(dists)-1, lensCode)
	for _, n := range slices.Concat(lits, dists) {
		d.code(canonical(lensCode)[n])
	}
	d.lits, d.dists = canonical(lits), canonical(dists)
	return d
}

func (d *deflater) dynamicHead(last uint32, hlit, hdist int, lens []uint8) *deflater {
	d.bits(last, 1).bits(2, 2).bits(uint32(hlit), 5).bits(uint32(hdist), 5).bits(15, 4)
	for _, s := range lensOrder {
		d.bits(uint32(lens[s]), 3)
	}
	return d
}

func (d *deflater) symbols(symbols ...int) *deflater {
	for _, s := range symbols {
		d.code(d.lits[s])
	}
	return d
}

func (d *deflater) text(s string) *deflater {
	for _, c := range []byte(s) {
		d.symbols(int(c))
	}
	return d
}

// match appends a length and a distance.
func (d *deflater) match(length, distance int) *deflater {
	s := 285
	for ; base(litEntries[s]) > length; s-- { // 285 is the one way to 258 that is allowed
	}
	d.symbols(s).bits(uint32(length-base(litEntries[s])), int(litEntries[s]&dropMask))
	s = 29
	for ; base(distEntries[s]) > distance; s-- {
	}
	return d.code(d.dists[s]).bits(uint32(distance-base(distEntries[s])), int(distEntries[s]&dropMask))
}

func base(e entry) int { return int(e >> 16) }

func (d *deflater) end() []byte { return d.symbols(256).b }
