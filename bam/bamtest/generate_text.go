package bamtest

import (
	"fmt"
	"math"
	"strings"
)

// name returns the next template's name.
func (m *maker) name() string {
	m.made++
	if m.Odd && m.rng.IntN(3) > 0 {
		return m.oddName()
	}
	return fmt.Sprintf("A00%d:%d:HKXYZDSXX:%d:%d:%d:%d", m.rng.IntN(10), m.rng.IntN(300), 1+m.rng.IntN(4),
		1101+m.rng.IntN(578), m.rng.IntN(32000), m.made)
}

// oddName returns names that few sorters agree on: zeros before numbers, numbers
// beyond 64 bits, names that begin others, bytes at the ends of the range.
func (m *maker) oddName() string {
	n := m.rng.IntN(30)
	switch m.rng.IntN(10) {
	case 0:
		return fmt.Sprintf("r%d", n)
	case 1:
		return fmt.Sprintf("r%03d", n)
	case 2:
		return fmt.Sprintf("r%d.%02d", n, m.rng.IntN(12))
	case 3:
		return "*"
	case 4:
		return strings.Repeat("9", n+1)
	case 5:
		return strings.Repeat("x", 254)
	case 6:
		return fmt.Sprintf("~%d!", n)
	case 7:
		return fmt.Sprintf("é%d", n)
	case 8:
		return fmt.Sprintf("00000000-1111-2222-3333-%012x", n)
	}
	return fmt.Sprintf("m64/%d/ccs", n)
}

// aux returns the fields of a read: few as a rule, now and then of every type.
func (m *maker) aux() []byte {
	b := AppendAux(nil, "NM", uint8(m.rng.IntN(8)))
	b = AppendAux(b, "MD", fmt.Sprintf("%dA%d", m.rng.IntN(75), m.rng.IntN(75)))
	b = AppendAux(b, "RG", string("ab"[m.rng.IntN(2)]))
	if !m.Odd {
		return b
	}
	if m.rng.IntN(2) == 0 {
		b = AppendAux(b, "CB", fmt.Sprintf("CELL%d-1", m.rng.IntN(4)))
		b = AppendAux(b, "MI", fmt.Sprintf("%d/%c", m.rng.IntN(5), "AB"[m.rng.IntN(2)]))
	}
	if m.rng.IntN(2) == 0 {
		b = m.everyType(b)
	}
	return m.mixedType(b)
}

// everyType appends a field of each type, with values at the ends of the range.
func (m *maker) everyType(b []byte) []byte {
	for i, v := range []any{
		int8(math.MinInt8), uint8(math.MaxUint8), int16(math.MinInt16), uint16(math.MaxUint16),
		int32(math.MinInt32), uint32(math.MaxUint32), float32(1.5e-7), math.Pi, "", "text, with\x7f", Char('!'), Hex("1AE301"),
		[]int8{-128, 127}, []uint8{0, 255}, []int16{-32768}, []uint16{}, []int32{math.MinInt32}, []uint32{math.MaxUint32, 0},
		[]float32{0, float32(math.Inf(-1)), 1e10, -0.25},
	} {
		b = AppendAux(b, fmt.Sprintf("X%c", 'a'+i), v)
	}
	if m.Length > 1000 { // long reads carry a value for each base
		b = AppendAux(b, "ML", make([]uint8, m.Length))
	}
	return b
}

// mixedType appends a tag ZZ whose type changes from read to read, or none.
func (m *maker) mixedType(b []byte) []byte {
	values := []any{
		int8(-3), uint8(3), int32(70000), uint32(1 << 31), float32(2.5), float32(math.NaN()), "10", "9", Char('x'), Hex("0F"),
		[]int16{1, 2}, nil,
	}
	if v := values[m.rng.IntN(len(values))]; v != nil {
		b = AppendAux(b, "ZZ", v)
	}
	return b
}
