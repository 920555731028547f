package deflate

import (
	"fmt"
	"testing"
)

// BenchmarkDeflate compresses the first payloads of each file.
func BenchmarkDeflate(b *testing.B) {
	for _, level := range []int{1, 4, 6, 9} {
		e := New(level)
		dst := make([]byte, 0, bgzfPayload+Slack)
		benchmark(b, fmt.Sprintf("level=%d", level), func(in input) int { return len(e.AppendRecords(dst, in.src, in.open)) })
	}
}

// BenchmarkKlauspost is what to compare with.
func BenchmarkKlauspost(b *testing.B) {
	for _, level := range []int{1, 4, 6, 9} {
		k := newKlauspost(b, level)
		benchmark(b, fmt.Sprintf("level=%d", level), func(in input) int { return k.size(b, in.src) })
	}
}

func benchmark(b *testing.B, name string, size func(in input) int) {
	for _, data := range cuts {
		b.Run(name+"/data="+data, func(b *testing.B) {
			inputs := cut(b, data, 8)
			var raw, compressed int
			for _, in := range inputs {
				raw += len(in.src)
				compressed += size(in)
			}
			b.SetBytes(int64(raw))
			b.ReportAllocs()
			for b.Loop() {
				for _, in := range inputs {
					size(in)
				}
			}
			b.ReportMetric(float64(compressed)/float64(raw), "ratio")
		})
	}
}
