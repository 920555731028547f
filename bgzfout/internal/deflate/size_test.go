package deflate

import (
	"bytes"
	"fmt"
	"testing"

	kpflate "github.com/klauspost/compress/flate"
)

// klauspost is the other encoder, payload by payload.
type klauspost struct {
	w   *kpflate.Writer
	buf bytes.Buffer
}

func newKlauspost(t testing.TB, level int) *klauspost {
	t.Helper()
	k := new(klauspost)
	var err error
	if k.w, err = kpflate.NewWriter(&k.buf, level); err != nil {
		t.Fatal(err)
	}
	return k
}

// size compresses src and returns the length of the stream.
func (k *klauspost) size(t testing.TB, src []byte) int {
	k.buf.Reset()
	k.w.Reset(&k.buf)
	if _, err := k.w.Write(src); err != nil {
		t.Fatal(err)
	}
	if err := k.w.Close(); err != nil {
		t.Fatal(err)
	}
	return k.buf.Len()
}

// size is that of all inputs at a level.
func size(level int, inputs []input) (n int) {
	e := New(level)
	for _, in := range inputs {
		n += len(e.AppendRecords(nil, in.src, in.open))
	}
	return n
}

// TestSize guards the sizes that the levels promise, against klauspost's, which
// stay what they are. The margin is half a per cent.
func TestSize(t *testing.T) {
	tests := []struct {
		name  string
		level int
		other int     // klauspost's level
		most  float64 // of its size
	}{
		{"novaseq151", 1, 1, 0.885},
		{"hiseqx128", 1, 1, 0.911},
		{"umi", 1, 1, 0.955},
		{"ont", 1, 1, 0.811},
		{"hifi", 1, 1, 0.863},
		{"novaseq151", 4, 5, 0.932},
		{"hiseqx128", 4, 5, 0.956},
		{"umi", 4, 5, 0.973},
		{"ont", 4, 5, 0.896},
		{"hifi", 4, 5, 0.900},
		{"novaseq151", 6, 6, 0.943},
		{"hiseqx128", 6, 6, 0.959},
		{"umi", 6, 6, 0.976},
		{"ont", 6, 6, 0.893},
		{"hifi", 6, 6, 0.909},
		{"novaseq151", 9, 9, 0.998},
		{"hiseqx128", 9, 9, 1.005},
		{"umi", 9, 9, 1.008},
		{"ont", 9, 9, 0.885},
		{"hifi", 9, 9, 0.929},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s/level=%d", tt.name, tt.level), func(t *testing.T) {
			inputs := cut(t, tt.name, 2)
			k := newKlauspost(t, tt.other)
			other := 0
			for _, in := range inputs {
				other += k.size(t, in.src)
			}
			if got := float64(size(tt.level, inputs)) / float64(other); got > tt.most {
				t.Errorf("%.4f of the size of klauspost's level %d, want at most %.4f", got, tt.other, tt.most)
			}
		})
	}
}

// TestLevelsShrink: more effort never makes real records larger, but for noise.
func TestLevelsShrink(t *testing.T) {
	for _, name := range cuts {
		inputs := cut(t, name, 2)
		before := size(1, inputs)
		for level := 2; level < levels; level++ {
			n := size(level, inputs)
			if float64(n) > 1.002*float64(before) {
				t.Errorf("%s: %d bytes at level %d, %d at the one below", name, n, level, before)
			}
			before = n
		}
	}
}

// TestRecordsHelp: knowing where the fields of long reads are is worth much, also
// in the middle of a record.
func TestRecordsHelp(t *testing.T) {
	for name, most := range map[string]float64{"ont": 0.97, "hifi": 0.97} {
		in := cut(t, name, 1)[0]
		e := New(6)
		middle := in.src[fixedFields+5000:]
		r, ok := recordAt(in.src, 0)
		if !ok {
			t.Fatalf("%s does not begin with a record", name)
		}
		n := len(in.src) - len(middle)
		open := Record{r.Cigar - n, r.Seq - n, r.Qual - n, r.End - n}
		for what, got := range map[string]float64{
			"whole":  float64(len(e.AppendRecords(nil, in.src, Record{}))) / float64(len(e.Append(nil, in.src))),
			"middle": float64(len(e.AppendRecords(nil, middle, open))) / float64(len(e.Append(nil, middle))),
		} {
			if got > most {
				t.Errorf("%s, %s: %.4f of the size without, want at most %.4f", name, what, got, most)
			}
		}
	}
}
