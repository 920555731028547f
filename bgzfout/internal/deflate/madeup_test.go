package deflate

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"sync"
)

// madeUp returns payloads of the largest size, by name: the plain ones, and those
// that drive a part of the encoder to its bounds.
var madeUp = sync.OnceValue(func() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := map[string][]byte{
		"zeros":              make([]byte, MaxPayload),
		"ones":               bytes.Repeat([]byte{255}, MaxPayload),
		"random":             filled(func(int) byte { return byte(r.Uint32()) }),
		"two bits":           filled(func(int) byte { return byte(r.Uint32() & 3) }),
		"one bit":            filled(func(int) byte { return byte(r.Uint32() & 1) }),
		"counting":           filled(func(i int) byte { return byte(i) }),
		"all pairs":          filled(func(i int) byte { return byte(i >> 8 * (i & 1)) }),
		"rising periods":     filled(func(i int) byte { return byte(i % (1 + i/220)) }),
		"half random":        filled(func(i int) byte { return byte(r.Uint32() >> (i / 30000 * 6)) }),
		"text":               bytes.Repeat([]byte("It is a truth universally acknowledged, that a read in possession of a mate "), 900)[:MaxPayload],
		"de Bruijn":          deBruijn(),
		"Fibonacci literals": fibonacci(r),
		"geometric":          geometric(r),
		"mixed":              mixed(r),
	}
	for _, p := range []int{2, 3, 4, 7, 257, 258, 259, 4095, 4097} {
		unit := kinds["random"][:p]
		kinds["period "+strconv.Itoa(p)] = bytes.Repeat(unit, MaxPayload/p+1)[:MaxPayload]
	}
	for name, distance := range map[string]int{"doubled at the window": window, "doubled beyond it": window + 1} {
		b := bytes.Clone(kinds["random"])
		copy(b[distance:], b[:MaxPayload-distance])
		kinds[name] = b
	}
	return kinds
})

func filled(f func(i int) byte) []byte {
	b := make([]byte, MaxPayload)
	for i := range b {
		b[i] = f(i)
	}
	return b
}

// deBruijn returns a sequence over 16 letters in which no 4 of them come twice
// (Fredricksen, Kessler and Maiorana): all hashes are new.
func deBruijn() []byte {
	const letters, length = 16, 4
	var a [letters * length]byte
	var b []byte
	var next func(t, p int)
	next = func(t, p int) {
		if t > length {
			if length%p == 0 {
				b = append(b, a[1:p+1]...)
			}
			return
		}
		a[t] = a[t-p]
		next(t+1, p)
		for c := a[t-p] + 1; c < letters; c++ {
			a[t] = c
			next(t+1, t)
		}
	}
	next(1, 1)
	return append(b, b[:8]...)[:MaxPayload]
}

// fibonacci returns literals with the frequencies of Fibonacci, in random order:
// an unlimited code of them would take more than 15 bits.
func fibonacci(r *rand.Rand) []byte {
	var b []byte
	for x, y, c := 1, 1, byte(0); len(b)+x <= MaxPayload; x, y, c = y, x+y, c+1 {
		b = append(b, bytes.Repeat([]byte{c * 11}, x)...)
	}
	b = append(b, make([]byte, MaxPayload-len(b))...)
	r.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return b
}

// geometric returns bytes each of which is half as frequent as the one before.
func geometric(r *rand.Rand) []byte {
	return filled(func(int) byte {
		c := byte(0)
		for c < 40 && r.Uint32()&1 == 0 {
			c++
		}
		return c * 6
	})
}

// mixed returns runs, noise, and copies of what was before.
func mixed(r *rand.Rand) []byte {
	b := make([]byte, 1, MaxPayload+400)
	for len(b) < MaxPayload {
		n := 1 + r.IntN(400)
		switch r.IntN(4) {
		case 0:
			b = append(b, bytes.Repeat([]byte{byte(r.Uint32())}, n)...)
		case 1:
			for range n {
				b = append(b, byte(r.Uint32()))
			}
		default:
			at := r.IntN(len(b))
			b = append(b, b[at:min(len(b), at+n)]...)
		}
	}
	return b[:MaxPayload]
}

// lyingRecords returns noise with the fixed fields of records in it, of which
// lengths do not agree.
func lyingRecords(r *rand.Rand) []byte {
	b := make([]byte, 200+r.IntN(30000))
	for i := range b {
		b[i] = byte(r.IntN(1 + r.IntN(255)))
	}
	for i := 0; i+fixedFields < len(b); {
		n := 32 + r.IntN(9000)
		binary.LittleEndian.PutUint32(b[i:], uint32(n))
		b[i+12] = byte(r.IntN(20))
		binary.LittleEndian.PutUint16(b[i+16:], uint16(r.IntN(9)))
		binary.LittleEndian.PutUint32(b[i+20:], uint32(r.IntN(1+n*2/3)))
		i += n + 4
	}
	return b
}
