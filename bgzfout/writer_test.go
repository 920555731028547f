package bgzfout

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/biogo/hts/bgzf"
)

// threadCounts has the serial path, the smallest pipeline and larger ones.
var threadCounts = []int{1, 2, 3, 8}

func TestRoundTrip(t *testing.T) {
	large := []int{65279, 65280, 65281, 130559, 130560, 130561, 400_000}
	for name, data := range kinds(t) {
		for _, o := range []Options{{SlotBlocks: 1}, {Threads: 3, SlotBlocks: 2}, {Level: 1, SlotBlocks: 4}, {Level: Stored, SlotBlocks: 1}} {
			t.Run(fmt.Sprintf("%s/level=%d/threads=%d", name, o.Level, o.Threads), func(t *testing.T) {
				step := 1
				if o.Level != 0 || o.Threads > 1 {
					step = 23 // the sizes in between differ in nothing else
				}
				for n := 0; n <= 300; n += step {
					checkRoundTrip(t, o, data[:n])
				}
				for _, n := range large {
					checkRoundTrip(t, o, data[:n])
				}
			})
		}
	}
}

// checkRoundTrip has three readers agree on what was written, and the blocks as
// large as they may be.
func checkRoundTrip(t *testing.T, o Options, data []byte) {
	t.Helper()
	out := compress(t, o, data)
	blocks, content := mustWalk(t, out)
	if !bytes.Equal(content, data) {
		t.Fatalf("%d bytes: blocks hold %d others", len(data), len(content))
	}
	var want []int
	for left := len(data); left > 0; left -= MaxPayload {
		want = append(want, min(left, MaxPayload))
	}
	if got := payloadSizes(blocks); !slices.Equal(got, want) {
		t.Fatalf("%d bytes: payloads %v, want %v", len(data), got, want)
	}
	z, err := gzip.NewReader(bytes.NewReader(out))
	if err != nil {
		t.Fatalf("%d bytes: compress/gzip: %v", len(data), err)
	}
	if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes: compress/gzip read %d bytes, error %v", len(data), len(got), err)
	}
	b, err := bgzf.NewReader(bytes.NewReader(out), 1)
	if err != nil {
		t.Fatalf("%d bytes: biogo: %v", len(data), err)
	}
	if got, err := io.ReadAll(b); err != nil || !bytes.Equal(got, data) {
		t.Fatalf("%d bytes: biogo read %d bytes, error %v", len(data), len(got), err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestEmptyOutputIsTheMarker(t *testing.T) {
	want := EOFMarker()
	for _, threads := range threadCounts {
		if got := compress(t, Options{Threads: threads}, nil); !bytes.Equal(got, want[:]) {
			t.Errorf("threads %d: % x, want % x", threads, got, want)
		}
	}
	if ok, err := bgzf.HasEOF(bytes.NewReader(want[:])); !ok || err != nil {
		t.Errorf("biogo HasEOF = %v, %v", ok, err)
	}
}

// script drives a Writer by a fixed list of calls and models where blocks end.
func script(t testing.TB, w *Writer, data []byte) (sizes []int) {
	t.Helper()
	open, at := 0, 0
	end := func() {
		if open > 0 {
			sizes, open = append(sizes, open), 0
		}
	}
	check := func(call string, err error) {
		if err != nil {
			t.Fatalf("%s at %d: %v", call, at, err)
		}
	}
	for i := 0; at < len(data); i++ {
		n := min((i*i*37)%700+1, len(data)-at)
		if i%97 == 0 { // larger than a block
			n = min(70_000, len(data)-at)
		}
		check("FlushTry", w.FlushTry(n))
		if open+n > MaxPayload {
			end()
		}
		if i%311 == 310 {
			check("Flush", w.Flush())
			end()
		}
		got, err := w.Write(data[at : at+n])
		check("Write", err)
		if got != n {
			t.Fatalf("Write = %d, want %d", got, n)
		}
		for at, open = at+n, open+n; open >= MaxPayload; {
			sizes, open = append(sizes, MaxPayload), open-MaxPayload
		}
	}
	check("Close", w.Close())
	end()
	return sizes
}

// TestSameBytes: the output is a function of the calls and the level.
func TestSameBytes(t *testing.T) {
	data := slices.Concat(records(t, "hiseqx128"), randomBytes(200_000), records(t, "novaseq151"))
	for _, level := range []int{Stored, 1, 6} {
		var want []byte
		for _, threads := range threadCounts {
			for _, blocks := range []int{1, 2, 16} {
				var buf bytes.Buffer
				w, err := NewWriter(&buf, Options{Level: level, Threads: threads, SlotBlocks: blocks})
				if err != nil {
					t.Fatal(err)
				}
				sizes := script(t, w, data)
				if want == nil {
					want = buf.Bytes()
					infos, content := mustWalk(t, want)
					if !bytes.Equal(content, data) {
						t.Fatalf("level %d: wrong content", level)
					}
					if got := payloadSizes(infos); !slices.Equal(got, sizes) {
						t.Fatalf("level %d: payloads\n%v, model\n%v", level, got, sizes)
					}
				}
				if !bytes.Equal(buf.Bytes(), want) {
					t.Errorf("level %d, threads %d, slot blocks %d: other bytes than serial", level, threads, blocks)
				}
			}
		}
	}
}

func TestFlushTry(t *testing.T) {
	const big = 1 << 62
	tests := []struct {
		name   string
		before int // bytes written first
		try    int
		want   []int // payloads after ten more bytes and Close
	}{
		{"empty block", 0, big, []int{10}},
		{"full block just ended", MaxPayload, big, []int{MaxPayload, 10}},
		{"fits exactly", 100, MaxPayload - 100, []int{110}},
		{"one too many", 100, MaxPayload - 99, []int{100, 10}},
		{"one byte left", MaxPayload - 1, 1, []int{MaxPayload, 9}},
		{"two for one byte left", MaxPayload - 1, 2, []int{MaxPayload - 1, 10}},
		{"larger than any block", 100, big, []int{100, 10}},
		{"nothing", 100, 0, []int{110}},
		{"negative", 100, -big, []int{110}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var buf bytes.Buffer
			w, err := NewWriter(&buf, Options{Level: 1})
			if err != nil {
				t.Fatal(err)
			}
			_, err1 := w.Write(make([]byte, tt.before))
			err2 := w.FlushTry(tt.try)
			_, err3 := w.Write(make([]byte, 10))
			if err4 := w.Close(); err1 != nil || err2 != nil || err3 != nil || err4 != nil {
				t.Fatal(err1, err2, err3, err4)
			}
			blocks, _ := mustWalk(t, buf.Bytes())
			if got := payloadSizes(blocks); !slices.Equal(got, tt.want) {
				t.Errorf("payloads %v, want %v", got, tt.want)
			}
		})
	}
}

// TestFlush: what was written is in the underlying writer when Flush returns,
// and a second Flush adds no empty block, which would read as the end.
func TestFlush(t *testing.T) {
	data := records(t, "novaseq151")
	for _, threads := range threadCounts {
		var buf bytes.Buffer
		w, err := NewWriter(&buf, Options{Threads: threads, SlotBlocks: 2})
		if err != nil {
			t.Fatal(err)
		}
		marker := EOFMarker()
		for at, n := 0, 1; at < len(data); n *= 3 {
			end := min(at+n, len(data))
			if _, err := w.Write(data[at:end]); err != nil {
				t.Fatal(err)
			}
			at = end
			for range 2 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				_, content := mustWalk(t, slices.Concat(buf.Bytes(), marker[:]))
				if !bytes.Equal(content, data[:at]) {
					t.Fatalf("threads %d: %d bytes visible after Flush of %d", threads, len(content), at)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if _, content := mustWalk(t, buf.Bytes()); !bytes.Equal(content, data) {
			t.Errorf("threads %d: wrong content", threads)
		}
	}
}

// countingWriter records the size of each call.
type countingWriter struct{ sizes []int }

func (c *countingWriter) Write(p []byte) (int, error) {
	c.sizes = append(c.sizes, len(p))
	return len(p), nil
}

func TestOneWritePerSlot(t *testing.T) {
	const block = 18 + 5 + MaxPayload + 8
	for _, threads := range threadCounts {
		var c countingWriter
		w, err := NewWriter(&c, Options{Level: Stored, Threads: threads, SlotBlocks: 3})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, 7*MaxPayload)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if want := []int{3 * block, 3 * block, block, 28}; !slices.Equal(c.sizes, want) {
			t.Errorf("threads %d: calls of %v bytes, want %v", threads, c.sizes, want)
		}
	}
}

// TestBackPressure: with the underlying writer stuck, Write takes what the
// slots hold and no more, then goes on to the right end.
func TestBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pr, pw := io.Pipe()
		o := Options{Level: 1, Threads: 2, SlotBlocks: 2}
		w, err := NewWriter(pw, o)
		if err != nil {
			t.Fatal(err)
		}
		data := bytes.Repeat(records(t, "novaseq151"), 3)
		taken := 0
		go func() {
			defer pw.Close()
			for p := range slices.Chunk(data, 1000) {
				if _, err := w.Write(p); err != nil {
					t.Error(err)
				}
				taken += len(p)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}()
		synctest.Wait() // nobody reads: everything is stuck now
		if room := (o.Threads + 2) * o.SlotBlocks * MaxPayload; taken > room || taken <= room-1000 {
			t.Errorf("took %d bytes with the writer stuck, slots hold %d", taken, room)
		}
		out, err := io.ReadAll(pr)
		if err != nil {
			t.Fatal(err)
		}
		if _, content := mustWalk(t, out); !bytes.Equal(content, data) {
			t.Errorf("wrong content after the jam")
		}
	})
}

// TestWritersSideBySide has the race detector look at several at once.
func TestWritersSideBySide(t *testing.T) {
	data := records(t, "hiseqx128")
	want := compress(t, Options{}, data)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			var buf bytes.Buffer
			w, err := NewWriter(&buf, Options{Threads: i + 1, SlotBlocks: 1})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := w.Write(data); err != nil {
				t.Error(err)
			}
			if err := w.Close(); err != nil || !bytes.Equal(buf.Bytes(), want) {
				t.Errorf("writer %d: Close = %v, %d bytes, want %d", i, err, buf.Len(), len(want))
			}
		})
	}
	wg.Wait()
}

// TestCallerKeepsItsBuffer: Write copies.
func TestCallerKeepsItsBuffer(t *testing.T) {
	data := records(t, "novaseq151")
	var buf bytes.Buffer
	w, err := NewWriter(&buf, Options{Threads: 2, SlotBlocks: 1})
	if err != nil {
		t.Fatal(err)
	}
	var p [5000]byte
	for part := range slices.Chunk(data, len(p)) {
		n := copy(p[:], part)
		if _, err := w.Write(p[:n]); err != nil {
			t.Fatal(err)
		}
		clear(p[:])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, content := mustWalk(t, buf.Bytes()); !bytes.Equal(content, data) {
		t.Error("clearing the buffer after Write changed the output")
	}
}

func TestNoAllocationInSteadyState(t *testing.T) {
	data := records(t, "novaseq151")[:5*MaxPayload/2]
	for _, level := range []int{Stored, 1, 6, 7} {
		for _, threads := range []int{1, 2} {
			w, err := NewWriter(io.Discard, Options{Level: level, Threads: threads, SlotBlocks: 2})
			if err != nil {
				t.Fatal(err)
			}
			run := func() {
				if _, err := w.Write(data); err != nil {
					t.Fatal(err)
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			for range 20 { // every slot and encoder comes into use
				run()
			}
			// One run of many blocks, for AllocsPerRun rounds its average
			// down: an allocation for one block in sixty shows.
			allocs := testing.AllocsPerRun(1, func() {
				for range 20 {
					run()
				}
			})
			if allocs > 0 {
				t.Errorf("level %d, threads %d: %v allocations", level, threads, allocs)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestMemory: Memory bounds what is allocated, and a short output stays far
// below it.
func TestMemory(t *testing.T) {
	records := records(t, "novaseq151")
	allocated := func(o Options, data []byte) int64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w, err := NewWriter(io.Discard, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return int64(after.TotalAlloc - before.TotalAlloc)
	}
	for _, o := range []Options{{}, {Level: Stored}, {Level: 9}, {Threads: 2}, {Threads: 8, Level: 1, SlotBlocks: 4}} {
		limit := o.Memory()
		full := o.withDefaults()
		long := bytes.Repeat(records, 1+2*full.slots()*full.SlotBlocks*MaxPayload/len(records)) // all slots twice
		if got := allocated(o, long); got > limit || got < limit/4 {
			t.Errorf("%+v: allocated %d bytes, Memory() = %d", o, got, limit)
		}
		one := Options{Level: o.Level, SlotBlocks: o.SlotBlocks}.Memory()
		if got := allocated(o, records[:100]); got > one {
			t.Errorf("%+v: allocated %d bytes for 100, one slot and encoder are %d", o, got, one)
		}
	}
}

func TestOptionsRefused(t *testing.T) {
	tests := []struct {
		o    Options
		want string
	}{
		{Options{Level: -2}, "bgzfout: level -2 is neither 1 to 9 nor -1 (stored)"},
		{Options{Level: 10}, "bgzfout: level 10 is neither 1 to 9 nor -1 (stored)"},
		{Options{SlotBlocks: -1}, "bgzfout: -1 blocks per slot: need at least 1"},
	}
	for _, tt := range tests {
		w, err := NewWriter(io.Discard, tt.o)
		if w != nil || err == nil || err.Error() != tt.want {
			t.Errorf("%+v: error %q, want %q", tt.o, err, tt.want)
		}
	}
}
