package sortcoll

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
	"github.com/gosort/gosort/spill"
	"github.com/gosort/gosort/spill/spilltest"
)

// TestSortsLikeSliceSort is the whole contract on inputs that need no disk, one run and many runs: a permutation, in
// order, stable, and the same for every budget, number of threads and codec.
func TestSortsLikeSliceSort(t *testing.T) {
	shapes := []Options{
		{Memory: 1 << 30}, {Memory: LeastMemory}, {Memory: LeastMemory, Threads: 4}, {Memory: 6 << 20, Threads: 2, SpillCodec: spill.Zstd},
		{Memory: LeastMemory, MaxRuns: 2, SpillCodec: spill.None}, {Memory: LeastMemory, MaxRuns: 3, Threads: 3},
	}
	for _, n := range []int{0, 1, 2, 100, 16000} {
		for i, ord := range allOrders() {
			records := randomRecords(t, uint64(n+i), n, 500)
			want := sortedBy(t, ord, records)
			for _, o := range shapes {
				t.Run(fmt.Sprintf("%v/n=%d/memory=%d/threads=%d/codec=%v/runs=%d", ord, n, o.Memory, o.Threads, o.SpillCodec, o.MaxRuns), func(t *testing.T) {
					o.FS = memFS()
					if ord == Coordinate { // the file system is the same for all
						o.FS, o.TempDirs = nil, []string{t.TempDir()}
					}
					got, stats := sortThrough(t, ord, o, records)
					bamtest.SameSequence(t, got, want)
					if spills := n == 16000 && o.Memory < 1<<30; (stats.Runs > 0) != spills {
						t.Errorf("got %d runs, spills expected: %v", stats.Runs, spills)
					}
					if o.MaxRuns > 0 && stats.Runs > o.MaxRuns && stats.MergePasses == 0 {
						t.Errorf("%d runs were merged at once, at most %d may be", stats.Runs, o.MaxRuns)
					}
				})
			}
		}
	}
}

// TestSortedInputIsOneRun: a fill that follows the newest run in order is added to it.
func TestSortedInputIsOneRun(t *testing.T) {
	for _, ord := range allOrders() {
		records := sortedBy(t, ord, randomRecords(t, 5, 16000, 500))
		for _, threads := range []int{1, 3} {
			got, stats := sortThrough(t, ord, Options{Memory: LeastMemory, Threads: threads, FS: memFS()}, records)
			bamtest.SameSequence(t, got, records)
			if stats.Runs != 1 {
				t.Errorf("%v, %d threads: sorted input made %d runs, want 1", ord, threads, stats.Runs)
			}
		}
	}
}

// TestTwoFillsStayInMemory: what fits one and a quarter of a fill touches no disk, and its halves come out in order.
func TestTwoFillsStayInMemory(t *testing.T) {
	records := randomRecords(t, 1, 12000, 150)
	got, stats := sortThrough(t, Coordinate, Options{Memory: LeastMemory, Threads: 2, FS: failingFS{}}, records)
	bamtest.SameSequence(t, got, sortedBy(t, Coordinate, records))
	var size int64
	for _, r := range records {
		size += int64(len(r.Bytes())) + 4 + entrySize
	}
	b, err := divide(Options{Memory: LeastMemory, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if size < b.share || stats.Runs != 0 {
		t.Errorf("%d bytes of records in fills of %d: %d runs; the test needs more than one fill and no run", size, b.share, stats.Runs)
	}
}

// failingFS refuses everything.
type failingFS struct{}

func (failingFS) OpenTemp(string) (spill.File, error) { return nil, errInjected }
func (failingFS) Free(string) (int64, error)          { return 0, errInjected }

func TestLargeRecords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var records []bam.Record
	for i := range 40 {
		size := rng.IntN(300 << 10)
		if i == 20 {
			size = 2 * LeastMemory // larger than the whole budget
		}
		records = append(records, record(t, fmt.Sprint("r", i), 0, int32(rng.IntN(3)), int32(rng.IntN(50)), size))
	}
	for _, threads := range []int{1, 2} {
		got, stats := sortThrough(t, Coordinate, Options{Memory: LeastMemory, Threads: threads, TempDirs: []string{t.TempDir()}}, records)
		bamtest.SameSequence(t, got, sortedBy(t, Coordinate, records))
		if stats.Runs < 2 {
			t.Errorf("%d threads: got %d runs, want several", threads, stats.Runs)
		}
	}
}

// TestManyRunsMergeAtOnce: 300 runs need no merge pass before the last, because read buffers are a small part of the
// budget each.
func TestManyRunsMergeAtOnce(t *testing.T) {
	e, err := newEngine(t.Context(), Coordinate.ordering(header(t)), Options{Memory: 32 << 20, TempDirs: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	var want []bam.Record
	for seed := range uint64(300) {
		for _, r := range randomRecords(t, seed, 300, 100) {
			if err := e.add(r.Bytes()); err != nil {
				t.Fatal(err)
			}
			want = append(want, r)
		}
		if err := e.rotate(); err != nil {
			t.Fatal(err)
		}
	}
	c := &Collection[bam.Record]{eng: e, decode: bam.ParseRecord}
	it, err := c.Sort()
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	got, err := drain(it)
	if err != nil {
		t.Fatal(err)
	}
	bamtest.SameSequence(t, got, sortedBy(t, Coordinate, want))
	if s := c.Stats(); s.Runs != 300 || s.MergePasses != 0 {
		t.Errorf("got %d runs and %d merge passes, want 300 and 0", s.Runs, s.MergePasses)
	}
}

func TestSortAgain(t *testing.T) {
	records := randomRecords(t, 2, 30000, 150)
	c, err := NewRecords(t.Context(), header(t), QuerynameNatural, Options{Memory: LeastMemory, Threads: 2, TempDirs: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, r := range records {
		if err := c.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	want := sortedBy(t, QuerynameNatural, records)
	for range 3 {
		it, err := c.Sort()
		if err != nil {
			t.Fatal(err)
		}
		got, err := drain(it)
		if err != nil {
			t.Fatal(err)
		}
		bamtest.SameSequence(t, got, want)
		if _, err := it.Read(); err != io.EOF {
			t.Errorf("Read behind the end: got %v, want EOF", err)
		}
		for range 2 {
			if err := it.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if err := c.Add(records[0]); err == nil {
		t.Error("Add after Sort: got no error")
	}
}

func TestClosed(t *testing.T) {
	c, err := NewRecords(t.Context(), header(t), Coordinate, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := c.Add(record(t, "a", 0, 0, 0, 0)); !errors.Is(err, ErrClosed) {
		t.Errorf("Add: got %v, want ErrClosed", err)
	}
	if _, err := c.Sort(); !errors.Is(err, ErrClosed) {
		t.Errorf("Sort: got %v, want ErrClosed", err)
	}
}

func TestBudgetError(t *testing.T) {
	for _, o := range []Options{{Memory: 1}, {Memory: LeastMemory - 1, Threads: 64}, {Memory: -5}} {
		_, err := NewRecords(t.Context(), header(t), Coordinate, o)
		var budget *BudgetError
		if !errors.As(err, &budget) {
			t.Errorf("%+v: got %v, want a BudgetError", o, err)
			continue
		}
		o.Memory = budget.Least
		c, err := NewRecords(t.Context(), header(t), Coordinate, o)
		if err != nil {
			t.Errorf("with the least memory of %d: %v", o.Memory, err)
			continue
		}
		c.Close()
	}
}

// TestEveryOperationFails fails each file operation in turn, until the sort succeeds: the injected error must come
// through, whatever was going on, no file may stay open and no goroutine running, and nothing may hang.
func TestEveryOperationFails(t *testing.T) {
	records := randomRecords(t, 0, 1800, 100)
	want := sortedBy(t, Coordinate, records)
	for _, o := range []Options{{Memory: LeastMemory, MaxRuns: 2}, {Memory: LeastMemory, Threads: 3}} {
		for n := int64(0); ; n++ {
			fs := spilltest.New(memFS())
			fs.FailAt(n, int(n%7), errInjected)
			o.FS = fs
			var got []bam.Record
			var err error
			synctest.Test(t, func(t *testing.T) { got, err = sortOnce(context.Background(), header(t), o, records) })
			if fs.OpenFiles() != 0 {
				t.Fatalf("operation %d: %d files left open", n, fs.OpenFiles())
			}
			failed := fs.Failed()
			if err == nil {
				bamtest.SameSequence(t, got, want)
				if failed == spilltest.NoOp {
					break
				}
				if !failed.MayBeIgnored() {
					t.Fatalf("operation %d (%v) failed, and the sort did not", n, failed)
				}
			} else if !errors.Is(err, errInjected) {
				t.Fatalf("operation %d (%v): got %v, want the injected error", n, failed, err)
			}
		}
	}
}

var errInjected = errors.New("injected")

// sortOnce sorts with small fills, closes everything, and returns the first error.
func sortOnce(ctx context.Context, h *bam.Header, o Options, records []bam.Record) (all []bam.Record, err error) {
	c, err := NewRecords(ctx, h, Coordinate, o)
	if err != nil {
		return nil, err
	}
	c.eng.b.share, c.eng.b.slab, c.eng.cur.slabSize = 1<<16, 1<<13, 1<<13 // many runs of few records
	defer func() {
		if cerr := c.Close(); err == nil {
			err = cerr
		}
	}()
	for _, r := range records {
		if err := c.Add(r); err != nil {
			return nil, err
		}
	}
	it, err := c.Sort()
	if err != nil {
		return nil, err
	}
	defer it.Close()
	return drain(it)
}

// TestDamagedRuns flips a byte of what is read back, or cuts it: always an error, never a shorter or other output.
func TestDamagedRuns(t *testing.T) {
	records := randomRecords(t, 0, 3000, 100)
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		after, cut := rng.IntN(40), seed%3 == 0
		fs := spilltest.New(memFS())
		fs.OnRead(func(_ string, _ int64, p []byte) int {
			if after--; after != -1 || len(p) == 0 {
				return len(p)
			}
			if cut {
				return rng.IntN(len(p))
			}
			p[rng.IntN(len(p))] ^= 1 << rng.IntN(8)
			return len(p)
		})
		_, err := sortOnce(t.Context(), header(t), Options{Memory: LeastMemory, FS: fs}, records)
		if !errors.Is(err, spill.ErrCorrupt) {
			t.Errorf("seed %d: got %v, want ErrCorrupt", seed, err)
		}
	}
}

func TestCancel(t *testing.T) {
	records := randomRecords(t, 0, 3000, 100)
	cause := errors.New("enough")
	for _, threads := range []int{1, 2} {
		for after := int64(1); after < 300; after += 7 {
			ctx, cancel := context.WithCancelCause(context.Background())
			fs := spilltest.New(memFS())
			var count atomic.Int64
			o := Options{Memory: LeastMemory, Threads: threads, MaxRuns: 2, FS: &hookFS{fs, func() {
				if count.Add(1) == after {
					cancel(cause)
				}
			}}}
			_, err := sortOnce(ctx, header(t), o, records)
			if err != nil && !errors.Is(err, cause) {
				t.Errorf("%d threads, cancelled at operation %d: got %v", threads, after, err)
			}
			if fs.OpenFiles() != 0 {
				t.Errorf("%d threads, cancelled at operation %d: %d files left open", threads, after, fs.OpenFiles())
			}
			cancel(nil)
			if err == nil && after < 10 {
				t.Errorf("%d threads, cancelled at operation %d: the sort went on to its end", threads, after)
			}
		}
	}
}

// TestAddKeepsNothing: the same memory may be used for every record.
func TestAddKeepsNothing(t *testing.T) {
	records := randomRecords(t, 1, 1000, 10)
	want := sortedBy(t, QuerynameLexicographical, records)
	got, _ := sortThrough(t, QuerynameLexicographical, Options{}, slices.Clone(records)) // sortThrough clears the memory after each Add
	bamtest.SameSequence(t, got, want)
	if bytes.Equal(got[0].Bytes(), got[1].Bytes()) {
		t.Error("two records are the same")
	}
}

// TestNoAllocationPerRecord covers adding to a warm fill, sorting and spilling it, and merging.
func TestNoAllocationPerRecord(t *testing.T) {
	records := randomRecords(t, 0, 1000, 100)
	for _, ord := range allOrders() {
		c, err := NewRecords(t.Context(), header(t), ord, Options{Memory: LeastMemory, FS: memFS()})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		add := func() {
			for _, r := range records {
				if err := c.Add(r); err != nil {
					t.Fatal(err)
				}
			}
		}
		for range 30 {
			add()
		}
		perThousand := testing.AllocsPerRun(50, add)
		if perThousand > 20 { // a new run every few thousand records has its block index and extents
			t.Errorf("%v: %v allocations for 1000 Adds", ord, perThousand)
		}
		it, err := c.Sort()
		if err != nil {
			t.Fatal(err)
		}
		read := func() {
			for range 1000 {
				if _, err := it.Read(); err != nil {
					t.Fatal(err)
				}
			}
		}
		read()
		if perThousand := testing.AllocsPerRun(50, read); perThousand > 2 {
			t.Errorf("%v: %v allocations for 1000 Reads", ord, perThousand)
		}
		it.Close()
	}
}
