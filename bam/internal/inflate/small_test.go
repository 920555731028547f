package inflate

import (
	"compress/flate"
	"io"
	"math/rand/v2"
	"testing"
)

// smallStreams are short ones of every kind, some beyond what the last bytes of the destination need.
func smallStreams(t testing.TB) map[string][]byte {
	text := "SRR062634.1\tACGTACGTTTGACCA\tIIIIIIIIIIHHHHGGG"
	long := []byte(text)
	rng := rand.New(rand.NewPCG(5, 6))
	for len(long) < 700 {
		at := rng.IntN(len(long) - 20)
		long = append(long, long[at:at+3+rng.IntN(17)]...)
		long = append(long, byte('!'+rng.IntN(40)))
	}
	return map[string][]byte{
		"empty": deflate(t, 6, nil), "text": deflate(t, 6, []byte(text)), "stored": deflate(t, 0, []byte(text)),
		"literals": deflate(t, flate.HuffmanOnly, []byte(text)), "run": deflate(t, 6, repeat('F', 900)), "long": deflate(t, 6, long),
		"mixed": new(deflater).fixed(0).text("abc").match(9, 3).symbols(256).stored(0, []byte("def")).fixed(0).symbols(256).
			dynamic(1, deepLits(), deepDists()).text("\x00\x01\x02\x0e").match(258, 1).match(20, 17).end(),
	}
}

// TestEveryCut and TestEveryFlip: the same verdict, the same bytes and the same end as compress/flate's.
func TestEveryCut(t *testing.T) {
	var p pair
	for name, src := range smallStreams(t) {
		made, _, err := p.o.inflate(src, 2000)
		if err != io.EOF {
			t.Fatalf("%s: %v", name, err)
		}
		size := len(made)
		for cut := range src {
			if err := p.same(t, src[:cut], size); err == nil {
				t.Errorf("%s: no error when cut at %d of %d", name, cut, len(src))
			}
			p.around(t, src[:cut], size)
		}
		p.around(t, src, size)
	}
}

func TestEveryFlip(t *testing.T) {
	var p pair
	for name, src := range smallStreams(t) {
		made, _, err := p.o.inflate(src, 2000)
		if err != io.EOF {
			t.Fatalf("%s: %v", name, err)
		}
		size := len(made)
		for i := range src {
			for bit := range 8 {
				src[i] ^= 1 << bit
				p.around(t, src, size)
				src[i] ^= 1 << bit
			}
		}
	}
}
