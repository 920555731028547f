package sortcoll

import (
	"fmt"
	"io"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// benchInput returns the header and n records of pairs as a sequencer emits them, with MC tags, and their bytes.
func benchInput(b *testing.B, n int) (*bam.Header, []bam.Record, int64) {
	b.Helper()
	const refs = 25
	records := bamtest.Generator{Seed: 1, Refs: refs}.Records(b, n)
	var size int64
	for _, r := range records {
		size += int64(len(r.Bytes()))
	}
	return bamtest.Header(b, refs), records, size
}

// benchOrders are orders that differ in cost, on tags that the records have.
func benchOrders(b *testing.B) []Order {
	return []Order{
		Coordinate, CoordinatePicard, QuerynameNatural, QuerynameLexicographical, QuerynamePicard, TemplateCoordinate,
		mustTag(b, "RG", Coordinate), mustTag(b, "NM", QuerynameNatural), Unsorted,
	}
}

func newBench(b *testing.B, h *bam.Header, ord Order, o Options) *Collection[bam.Record] {
	b.Helper()
	c, err := NewRecords(b.Context(), h, ord, o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}

// addAll adds records from memory in the cache, where a reader of a file has them.
func addAll(b *testing.B, c *Collection[bam.Record], records []bam.Record) {
	var buf []byte
	for _, r := range records {
		buf = append(buf[:0], r.Bytes()...)
		if err := c.Add(bam.Trusted(buf)); err != nil {
			b.Fatal(err)
		}
	}
}

// readAll ends the adding and copies everything, as a writer does.
func readAll(b *testing.B, c *Collection[bam.Record], want int) {
	var buf []byte
	it, err := c.Sort()
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for ; ; n++ {
		r, err := it.Read()
		if err == io.EOF {
			break
		} else if err != nil {
			b.Fatal(err)
		}
		buf = append(buf[:0], r.Bytes()...)
	}
	if err := it.Close(); err != nil || n != want {
		b.Fatalf("got %d records, want %d; %v", n, want, err)
	}
}

// BenchmarkAdd is the caller's part alone, into memory that is there already.
func BenchmarkAdd(b *testing.B) {
	h, records, size := benchInput(b, 50000)
	for _, ord := range benchOrders(b) {
		b.Run(fmt.Sprintf("order=%v", ord), func(b *testing.B) {
			c := newBench(b, h, ord, Options{Memory: 1 << 30})
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				c.eng.cur.reset()
				addAll(b, c, records)
			}
		})
	}
}

// BenchmarkSort is what is done to a full fill: late keys, the radix passes and the settling of equal keys.
func BenchmarkSort(b *testing.B) {
	h, records, size := benchInput(b, 200000)
	for _, ord := range benchOrders(b) {
		b.Run(fmt.Sprintf("order=%v", ord), func(b *testing.B) {
			c := newBench(b, h, ord, Options{Memory: 1 << 30})
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				c.eng.cur.reset()
				addAll(b, c, records)
				b.StartTimer()
				c.eng.prepare(c.eng.cur)
			}
		})
	}
}

// BenchmarkCollection is all of it, from the first Add to the last Read, in memory and through temp files.
func BenchmarkCollection(b *testing.B) {
	h, records, size := benchInput(b, 200000)
	for _, memory := range []int64{1 << 30, 16 << 20} {
		for _, ord := range benchOrders(b) {
			b.Run(fmt.Sprintf("memory=%dMiB/order=%v", memory>>20, ord), func(b *testing.B) {
				dirs := []string{b.TempDir()}
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					c := newBench(b, h, ord, Options{Memory: memory, TempDirs: dirs})
					addAll(b, c, records)
					readAll(b, c, len(records))
					c.Close()
				}
			})
		}
	}
}

// BenchmarkMerge reads sorted runs from memory, so that it shows decoding and merging only.
func BenchmarkMerge(b *testing.B) {
	h, records, size := benchInput(b, 200000)
	for _, runs := range []int{2, 16, 128, 512} {
		b.Run(fmt.Sprintf("runs=%d/order=%v", runs, Coordinate), func(b *testing.B) {
			c := newBench(b, h, Coordinate, Options{Memory: 256 << 20, FS: memFS()})
			for i, r := range records {
				if err := c.Add(r); err != nil {
					b.Fatal(err)
				}
				if (i+1)%(len(records)/runs) == 0 && len(c.eng.runs) < runs {
					if err := c.eng.rotate(); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				readAll(b, c, len(records))
			}
			if s := c.Stats(); s.Runs != runs || s.MergePasses != 0 {
				b.Fatalf("got %d runs and %d merge passes, want %d and 0", s.Runs, s.MergePasses, runs)
			}
		})
	}
}
