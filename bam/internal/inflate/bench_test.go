package inflate

import (
	"bytes"
	"io"
	"testing"

	"github.com/klauspost/compress/flate"
)

// BenchmarkInflate gives MB/s of output, for the blocks of real files, beside what bgzfin used before.
func BenchmarkInflate(b *testing.B) {
	dst := make([]byte, 1<<16)
	var d Decoder
	var src bytes.Reader
	fr := flate.NewReader(&src)
	for _, name := range realNames {
		blocks := realBlocks(b, name)
		b.Run("data="+name+"/by=ours", func(b *testing.B) {
			benchmarkInflate(b, blocks, func(bl realBlock) (int, error) {
				made, _, err := d.Decode(dst[:bl.isize], bl.deflate)
				return made, err
			})
		})
		b.Run("data="+name+"/by=klauspost", func(b *testing.B) {
			benchmarkInflate(b, blocks, func(bl realBlock) (int, error) {
				src.Reset(bl.deflate)
				if err := fr.(flate.Resetter).Reset(&src, nil); err != nil {
					return 0, err
				}
				return io.ReadFull(fr, dst[:bl.isize])
			})
		})
	}
}

func benchmarkInflate(b *testing.B, blocks []realBlock, inflate func(realBlock) (int, error)) {
	size := 0
	for _, bl := range blocks {
		size += bl.isize
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, bl := range blocks {
			if made, err := inflate(bl); made != bl.isize || err != nil {
				b.Fatalf("got %d bytes, %v, want %d", made, err, bl.isize)
			}
		}
	}
}
