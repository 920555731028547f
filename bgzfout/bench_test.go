package bgzfout

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// total counts the bytes it is given.
type total struct{ n int64 }

func (c *total) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// BenchmarkWrite compresses real records as a sorter hands them over: one by
// one, each after a FlushTry. Setting up and closing the Writer is included.
func BenchmarkWrite(b *testing.B) {
	data := bytes.Repeat(slices.Concat(records(b, "novaseq151"), records(b, "hiseqx128")), 8)
	for _, level := range []int{Stored, 1, 4, 6, 9} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("level=%d/threads=%d", level, threads), func(b *testing.B) {
				benchmarkWrite(b, Options{Level: level, Threads: threads}, data)
			})
		}
	}
}

// BenchmarkSlotBlocks shows what the size of a hand-over costs.
func BenchmarkSlotBlocks(b *testing.B) {
	data := bytes.Repeat(records(b, "hiseqx128"), 16)
	for _, blocks := range []int{1, 4, 16, 64} {
		b.Run(fmt.Sprintf("blocks=%d", blocks), func(b *testing.B) {
			benchmarkWrite(b, Options{Level: 1, Threads: 2, SlotBlocks: blocks}, data)
		})
	}
}

func benchmarkWrite(b *testing.B, o Options, data []byte) {
	const record = 350 // about what a short read takes
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	var out total
	for b.Loop() {
		out.n = 0
		w, err := NewWriter(&out, o)
		if err != nil {
			b.Fatal(err)
		}
		for p := range slices.Chunk(data, record) {
			if err := w.FlushTry(len(p)); err != nil {
				b.Fatal(err)
			}
			if _, err := w.Write(p); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(out.n)/float64(len(data)), "ratio")
}
