package deflate

import "testing"

// FuzzRoundTrip: any bytes, any level, and whatever is said of the records, come
// back as they were, twice in the same bytes.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("hello hello hello hello hello hello hello hello hello hello hello hello"), byte(6), 0, 0, 0, 0)
	for i, name := range cuts {
		in := cut(f, name, 1)[0]
		f.Add(in.src[:5000], byte(1), 0, 0, 0, 0)
		f.Add(in.src[i*1000:i*1000+4000], byte(6), 10, 1900, 3500, 3600)
	}
	var encoders [levels]*Encoder
	for level := range encoders {
		encoders[level] = New(level)
	}
	f.Fuzz(func(t *testing.T, src []byte, level byte, cigar, seq, qual, end int) {
		src = src[:min(len(src), MaxPayload)]
		in := input{src, Record{cigar, seq, qual, end}}
		e := encoders[int(level)%levels]
		first := check(t, e, in, "fuzz")
		if again := check(t, e, in, "fuzz"); string(again) != string(first) {
			t.Fatalf("level %d: %d bytes, then %d others", level, len(first), len(again))
		}
	})
}
