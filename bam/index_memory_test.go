package bam_test

import (
	"encoding/binary"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// TestIndexMemoryIsPlausible: what builders take is within the estimate, which
// is not so large that it would waste much.
func TestIndexMemoryIsPlausible(t *testing.T) {
	const length = 200_000_000
	csi := bam.IndexOptions{MinShift: 10}
	for _, test := range []struct {
		name    string
		o       bam.IndexOptions
		cigar   string // of every other read
		step    int    // from one read to the next
		bytes   int64  // of a read, compressed
		atMost  int64  // times what is taken
		unknown bool
	}{
		{"sparse", bam.IndexOptions{}, "150M", 8000, 100, 4, false},
		{"one read a window", csi, "150M", 1000, 100, 4, false},
		{"deep", bam.IndexOptions{}, "150M", 30, 50, 4, false},
		{"deep, fine", csi, "150M", 30, 50, 4, false},
		{"few reads", csi, "150M", 2_000_000, 100, 10, false},
		{"long reads", bam.IndexOptions{}, "20000M", 700, 9000, 4, false},
		{"pipe", bam.IndexOptions{}, "150M", 300, 100, 4, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, _ := bamtest.FromSAM(t, "@SQ\tSN:a\tLN:200000000\n")
			x, err := bam.NewIndexBuilder(h, test.o)
			if err != nil {
				t.Fatal(err)
			}
			reads := []bam.Record{bamtest.Fields{Cigar: test.cigar}.Record(t), bamtest.Fields{Cigar: "10M"}.Record(t)}
			var size int64
			for pos := 0; pos < length-30_000; pos += test.step {
				r := reads[pos/test.step%2]
				binary.LittleEndian.PutUint32(r.Bytes()[4:], uint32(pos))
				if err := x.Add(r, size>>14, int(size&(1<<14-1))); err != nil {
					t.Fatal(err)
				}
				size += test.bytes
			}
			if test.unknown {
				size = 0
			}
			if got, held := test.o.Memory(h, size), x.Held(); got < held || got > test.atMost*held {
				t.Errorf("estimate %d for %d bytes, want up to %d times as much", got, held, test.atMost)
			}
		})
	}
}
