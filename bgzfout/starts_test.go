package bgzfout

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/gosort/gosort/bgzfout/internal/deflate"
)

// told is a place that a Writer gave, and the number of bytes written before.
type told struct {
	block   int64
	offset  int
	written int
}

// writeTelling writes data in pieces of many sizes, some of them larger than a
// block, and returns where each began.
func writeTelling(t *testing.T, w *Writer, data []byte) (places []told) {
	t.Helper()
	tell := func(written int) {
		block, offset := w.Position()
		places = append(places, told{block, offset, written})
	}
	for i, at := 0, 0; at < len(data); i++ {
		n := (i*i*37)%900 + 1
		switch {
		case i%97 == 50:
			n = 70_000
		case i%97 == 51: // ends with the block
			if _, offset := w.Position(); offset > 0 {
				n = MaxPayload - offset
			}
		}
		n = min(n, len(data)-at)
		if err := w.FlushTry(n); err != nil {
			t.Fatal(err)
		}
		tell(at)
		if _, err := w.Write(data[at : at+n]); err != nil {
			t.Fatal(err)
		}
		at += n
	}
	tell(len(data))
	return places
}

// checkStarts compares what the Writer says of its blocks with what they are.
func checkStarts(t *testing.T, w *Writer, blocks []blockInfo) {
	t.Helper()
	var at int64
	for i, b := range blocks {
		if got := w.BlockStart(int64(i)); got != at {
			t.Fatalf("BlockStart(%d of %d) = %d, want %d", i, len(blocks), got, at)
		}
		at += int64(b.size)
	}
	if got := w.BlockStart(int64(len(blocks))); got != at {
		t.Errorf("BlockStart(%d), after the last block, = %d, want %d", len(blocks), got, at)
	}
}

func TestPositionsAndStarts(t *testing.T) {
	data := slices.Concat(records(t, "hiseqx128"), randomBytes(1_000_000), bytes.Repeat(records(t, "novaseq151"), 5))
	options := []Options{{Level: 1, Threads: 2, SlotBlocks: 16}} // blocks of many sizes
	for _, threads := range threadCounts {
		options = append(options, Options{Level: Stored, Threads: threads, SlotBlocks: 1}, Options{Level: Stored, Threads: threads, SlotBlocks: 3})
	}
	for _, o := range options {
		o.BlockStarts = true
		t.Run(fmt.Sprintf("level=%d/threads=%d/slotblocks=%d", o.Level, o.Threads, o.SlotBlocks), func(t *testing.T) {
			var buf bytes.Buffer
			w, err := NewWriter(&buf, o)
			if err != nil {
				t.Fatal(err)
			}
			places := writeTelling(t, w, data)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			blocks, _ := mustWalk(t, buf.Bytes())
			if len(blocks) < 2*markEvery+2 {
				t.Fatalf("%d blocks: too few for marks to matter", len(blocks))
			}
			checkPlaces(t, places, blocks)
			checkStarts(t, w, blocks)
			if block, offset := w.Position(); block != int64(len(blocks)) || offset != 0 {
				t.Errorf("Position after Close = %d, %d, want %d, 0", block, offset, len(blocks))
			}
		})
	}
}

// checkPlaces holds each place against the payloads before it. The last place is
// the only one that may lie where its block ends: the block ended later.
func checkPlaces(t *testing.T, places []told, blocks []blockInfo) {
	t.Helper()
	before := []int{0} // bytes before each block
	for i, b := range blocks {
		before = append(before, before[i]+b.payload)
	}
	for i, p := range places {
		if p.block > int64(len(blocks)) || before[p.block]+p.offset != p.written {
			t.Fatalf("place %d: block %d, offset %d after %d bytes", i, p.block, p.offset, p.written)
		}
		if i < len(places)-1 && p.offset >= blocks[p.block].payload {
			t.Errorf("place %d: offset %d in block %d, which holds %d", i, p.offset, p.block, blocks[p.block].payload)
		}
	}
}

// TestStartsAfterFlush: what is flushed is known while more is written.
func TestStartsAfterFlush(t *testing.T) {
	marker := EOFMarker()
	for _, threads := range threadCounts {
		var buf bytes.Buffer
		w, err := NewWriter(&buf, Options{Level: 1, Threads: threads, SlotBlocks: 2, BlockStarts: true})
		if err != nil {
			t.Fatal(err)
		}
		checkStarts(t, w, nil)
		for part := range slices.Chunk(records(t, "novaseq151"), 150_000) {
			if _, err := w.Write(part); err != nil {
				t.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			blocks, _ := mustWalk(t, slices.Concat(buf.Bytes(), marker[:]))
			checkStarts(t, w, blocks)
			if block, offset := w.Position(); block != int64(len(blocks)) || offset != 0 {
				t.Fatalf("threads %d: Position after Flush = %d, %d, want %d, 0", threads, block, offset, len(blocks))
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPositionOfNothing(t *testing.T) {
	for _, threads := range threadCounts {
		w, err := NewWriter(io.Discard, Options{Threads: threads, BlockStarts: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, when := range []string{"new", "closed"} {
			if block, offset := w.Position(); block != 0 || offset != 0 {
				t.Errorf("threads %d, %s: Position = %d, %d", threads, when, block, offset)
			}
			if got := w.BlockStart(0); got != 0 {
				t.Errorf("threads %d, %s: BlockStart(0) = %d", threads, when, got)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestPositionAfterFailure: the methods stay safe to call.
func TestPositionAfterFailure(t *testing.T) {
	for _, threads := range threadCounts {
		f := &faultyWriter{take: func(int) int { return 0 }, err: errDisk}
		w, err := NewWriter(f, Options{Level: 1, Threads: threads, SlotBlocks: 1, BlockStarts: true})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(randomBytes(400_000)) // fails now or later; Close tells
		if err := w.Close(); !errors.Is(err, errDisk) {
			t.Errorf("threads %d: Close = %v, want %v", threads, err, errDisk)
		}
		if block, offset := w.Position(); block < 0 || offset < 0 || offset >= MaxPayload {
			t.Errorf("threads %d: Position = %d, %d", threads, block, offset)
		}
	}
}

// TestStartsCost: nothing is kept unless asked for, and little then.
func TestStartsCost(t *testing.T) {
	const blocks = 100_000
	one := appendBlock(nil, deflate.New(0), []byte{1}, layout{})
	many := bytes.Repeat(one, 100)
	var b blockStarts
	for range blocks / 100 {
		b.add(many)
	}
	if got := 2*cap(b.sizes) + 8*cap(b.marks); got > 3*blocks {
		t.Errorf("%d blocks keep %d bytes, want at most 3 each", blocks, got)
	}
	if want := int64(len(one) * blocks); b.start(blocks) != want || b.start(blocks-1) != want-int64(len(one)) {
		t.Errorf("the last two of %d blocks start at %d and %d", blocks, b.start(blocks-1), b.start(blocks))
	}
	w, err := NewWriter(io.Discard, Options{Level: Stored})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 10*MaxPayload)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if cap(w.starts.sizes) != 0 || cap(w.starts.marks) != 0 {
		t.Error("a Writer without BlockStarts keeps block sizes")
	}
}

func TestBlockStartPanicsOnUnknownBlocks(t *testing.T) {
	w, err := NewWriter(io.Discard, Options{BlockStarts: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 40*MaxPayload)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, block := range []int64{-1, 41, 64, 1 << 40} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("BlockStart(%d) of 40 blocks did not panic", block)
				}
			}()
			w.BlockStart(block)
		}()
	}
}
