package spill_test

import (
	"slices"
	"testing"

	"github.com/gosort/gosort/spill"
)

// hinted is an FS that remembers the hints given to its one file.
type hinted struct {
	spill.FS
	ranges [][2]int64 // begin, end
}

func (h *hinted) OpenTemp(dir string) (spill.File, error) {
	f, err := h.FS.OpenTemp(dir)
	return hintedFile{f, h}, err
}

type hintedFile struct {
	spill.File
	h *hinted
}

func (f hintedFile) WillNeed(off, n int64) {
	f.h.ranges = append(f.h.ranges, [2]int64{off, off + n})
	f.File.WillNeed(off, n)
}

// The hints cover a run once, in order, in strides of some hundred KiB, begin when it
// is opened, and end where it ends.
func TestHints(t *testing.T) {
	h := &hinted{FS: spill.OS{}}
	s := newStore(t, spill.Options{Codec: spill.None, BlockSize: 10_000, FS: h})
	frames := slices.Collect(slices.Chunk(noise(1, 4<<20), 900))
	mustWrite(t, s, frames)
	r := mustWrite(t, s, frames)
	mustWrite(t, s, frames)
	rd, err := s.Open(r, spill.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.ranges) != 1 {
		t.Errorf("%d hints at Open, want 1", len(h.ranges))
	}
	if err := rd.Close(); err != nil {
		t.Error(err)
	}
	h.ranges = nil
	mustRead(t, s, r, nil, frames)
	next, end := r.StoredBytes(), 2*r.StoredBytes() // all runs are of the same size
	for i, x := range h.ranges {
		if x[0] != next || x[1] <= x[0] || x[1] > end {
			t.Fatalf("hint %d is %v, want it to begin at %d and to end by %d", i, x, next, end)
		}
		next = x[1]
	}
	if next != end || len(h.ranges) < 8 || len(h.ranges) > 20 {
		t.Errorf("%d hints end at %d, want 8 to 20 that end at %d", len(h.ranges), next, end)
	}
}
