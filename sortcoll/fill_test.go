package sortcoll

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestMixedSizesStayInBudget: what one size of record leaves behind is given up when another size needs the room.
func TestMixedSizesStayInBudget(t *testing.T) {
	for _, threads := range []int{1, 2} {
		t.Run(fmt.Sprintf("threads=%d", threads), func(t *testing.T) {
			e, err := newEngine(t.Context(), Coordinate.ordering(header(t)), Options{Memory: 16 << 20, Threads: threads, FS: memFS()})
			if err != nil {
				t.Fatal(err)
			}
			defer e.close()
			rng := rand.New(rand.NewPCG(1, 1))
			for phase, size := range []int{0, 1 << 20, 0, 20 << 10, 300, 0, 2 << 20} {
				r := record(t, "r", 0, 0, 0, size)
				for added := 0; added < 20<<20; added += 4 + len(r.Bytes()) {
					r.Bytes()[4] = byte(rng.IntN(256)) // Pos: no run follows another in order
					if err := e.add(r.Bytes()); err != nil {
						t.Fatal(err)
					}
					if held, most := e.cur.held(0), e.b.share+int64(size); held > most {
						t.Fatalf("phase %d, records of %d bytes: the fill holds %d bytes, its share is %d", phase, len(r.Bytes()), held, most)
					}
				}
			}
			if e.largest < 2<<20 || e.share() >= e.b.share {
				t.Errorf("the largest frame is %d and a fill still has %d of %d bytes", e.largest, e.share(), e.b.share)
			}
		})
	}
}
