package bgzfout

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/gosort/gosort/bgzfout/internal/deflate"
)

// longRecord returns a record of random bases and qualities of three values,
// which spans bases/44000 blocks.
func longRecord(bases int) []byte {
	const fixed, name = 36, "read/1\x00"
	b := append(make([]byte, fixed), name...)
	b = append(b, randomBytes((bases+1)/2)...)
	for _, c := range randomBytes(bases) {
		b = append(b, 10+c%3)
	}
	b = append(b, "NMC\x05"...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	b[12] = byte(len(name))
	binary.LittleEndian.PutUint32(b[20:], uint32(bases))
	return b
}

// TestLayout: a payload is compressed for what it holds, also one that begins in
// the middle of a record, which may have begun in an earlier slot; and that again
// does not depend on slots, threads, or how Write was called.
func TestLayout(t *testing.T) {
	header := []byte("BAM\x01 and what else is no record")
	var data [][]byte
	for _, n := range []int{100, 120_000, 300, 300, 44_000, 400_000, 20} {
		data = append(data, longRecord(n))
	}
	// What the writer should make of it, from the rules alone.
	e := deflate.New(DefaultLevel)
	want := appendBlock(nil, e, header, layout{})
	var open deflate.Record
	var payload []byte
	end := func() {
		if len(payload) > 0 {
			want = appendBlock(want, e, payload, layout{records: true, open: open})
			open, payload = open.Next(payload), nil
		}
	}
	for _, r := range data {
		if len(payload)+len(r) > MaxPayload {
			end()
		}
		for payload = append(payload, r...); len(payload) > MaxPayload; {
			rest := payload[MaxPayload:]
			payload = payload[:MaxPayload]
			end()
			payload = rest
		}
	}
	end()
	marker := EOFMarker()
	want = append(want, marker[:]...)

	for _, o := range []Options{{}, {SlotBlocks: 1}, {SlotBlocks: 3}, {Threads: 3, SlotBlocks: 1}, {Threads: 2, SlotBlocks: 4}} {
		t.Run(fmt.Sprintf("threads=%d/blocks=%d", o.Threads, o.SlotBlocks), func(t *testing.T) {
			got := writeRecords(t, o, header, data)
			if !bytes.Equal(got, want) {
				t.Errorf("wrote %d bytes, want %d others", len(got), len(want))
			}
		})
	}
}

// writeRecords writes as bam.Writer does.
func writeRecords(t *testing.T, o Options, header []byte, data [][]byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf, o)
	if err != nil {
		t.Fatal(err)
	}
	write := func(p []byte) {
		if _, err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	flushTry := func(n int) {
		if err := w.FlushTry(n); err != nil {
			t.Fatal(err)
		}
	}
	write(header)
	flushTry(MaxPayload)
	for _, r := range data {
		flushTry(len(r))
		write(r[:4])
		write(r[4:])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestFlushTryHelps: without it the writer does not know of records, and long
// ones take more room.
func TestFlushTryHelps(t *testing.T) {
	for _, name := range []string{"ont", "hifi"} {
		data := records(t, name)
		aware := len(writeRecords(t, Options{}, nil, [][]byte{data[:4+binary.LittleEndian.Uint32(data)]}))
		unaware := len(compress(t, Options{}, data[:4+binary.LittleEndian.Uint32(data)]))
		if float64(aware) > 0.97*float64(unaware) {
			t.Errorf("%s: %d bytes with records, %d without", name, aware, unaware)
		}
	}
}

// TestAllocatesNothingPerBlock: nothing is allocated per block, stored or not.
func TestAllocatesNothingPerBlock(t *testing.T) {
	var out total
	w, err := NewWriter(&out, Options{SlotBlocks: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	data := append(randomBytes(4*MaxPayload), make([]byte, 2*MaxPayload)...)
	write := func() {
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	write()
	if n := testing.AllocsPerRun(5, write); n > 0 {
		t.Errorf("%v allocations for 6 blocks", n)
	}
}
