package deflate

import "testing"

// FuzzRoundTrip: any bytes, any level, and whatever is said of the records, come
// back as they were, twice in the same bytes. The payload is some bytes over and
// over, but for the first of them: so short inputs, which fuzzing is quick with,
// reach what only long payloads have.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("hello hello hello hello hello hello"), byte(3), byte(6), 0, 0, 0, 0)
	f.Add(make([]byte, 300), byte(255), byte(9), 0, 0, 0, 0)
	for i, name := range cuts {
		in := cut(f, name, 1)[0]
		f.Add(in.src[:500], byte(100*i), byte(1), 0, 0, 0, 0)
		f.Add(in.src[i*1000:i*1000+700], byte(20*i), byte(i), 10, 1900, 3500, 3600)
	}
	var encoders [levels]*Encoder
	for level := range encoders {
		encoders[level] = New(level)
	}
	f.Fuzz(func(t *testing.T, unit []byte, times, level byte, cigar, seq, qual, end int) {
		if len(unit) == 0 || len(unit) > 2000 {
			t.Skip("nothing to repeat, or long for no gain")
		}
		var src []byte
		for k := range times {
			src = append(append(src, unit[0]+k), unit[1:]...)
		}
		in := input{src[:min(len(src), MaxPayload)], Record{cigar, seq, qual, end}}
		e := encoders[int(level)%levels]
		first := check(t, e, in, "fuzz")
		if again := check(t, e, in, "fuzz"); string(again) != string(first) {
			t.Fatalf("level %d: %d bytes, then %d others", level, len(first), len(again))
		}
	})
}
