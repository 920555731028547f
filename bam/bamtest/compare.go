package bamtest

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
)

// FromSAM reads SAM text: header lines, then records. It does not need bam's
// reader, so that it can test it.
func FromSAM(tb testing.TB, text string) (*bam.Header, []bam.Record) {
	tb.Helper()
	head := 0
	for strings.HasPrefix(text[head:], "@") {
		n := strings.IndexByte(text[head:], '\n')
		if n < 0 {
			head = len(text)
			break
		}
		head += n + 1
	}
	h, err := bam.ParseHeader([]byte(text[:head]))
	if err != nil {
		tb.Fatal(err)
	}
	var records []bam.Record
	for line := range strings.Lines(text[head:]) {
		raw, err := h.ParseSAMLine(nil, []byte(line))
		if err != nil {
			tb.Fatalf("%v\nin %q", err, line)
		}
		r, err := bam.ParseRecord(raw)
		if err != nil {
			tb.Fatalf("%v\nin %q", err, line)
		}
		records = append(records, r)
	}
	return h, records
}

// SAM returns the records as SAM text, without a header.
func SAM(tb testing.TB, h *bam.Header, records []bam.Record) string {
	tb.Helper()
	var text []byte
	for i, r := range records {
		var err error
		if text, err = h.AppendSAM(text, r); err != nil {
			tb.Fatalf("record %d: %v", i, err)
		}
	}
	return string(text)
}

// BAM returns an uncompressed BAM stream: the header block, then each record
// behind its block_size.
func BAM(tb testing.TB, h *bam.Header, records []bam.Record) []byte {
	tb.Helper()
	b, err := h.AppendBinary(nil)
	if err != nil {
		tb.Fatal(err)
	}
	for _, r := range records {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(r.Bytes())))
		b = append(b, r.Bytes()...)
	}
	return b
}

// Digest returns the order-independent digest of the records.
func Digest(records []bam.Record) bam.Digest {
	var d bam.Digest
	for _, r := range records {
		d.Add(r)
	}
	return d
}

// SameRecords fails the test unless got and want are the same multiset of
// records, in whatever order. It compares bytes, not digests, and shows the
// first record that one has more often than the other.
func SameRecords(tb testing.TB, got, want []bam.Record) {
	tb.Helper()
	g, w := sorted(got), sorted(want)
	for i := range max(len(g), len(w)) {
		switch {
		case i == len(g) || i < len(w) && bytes.Compare(g[i].Bytes(), w[i].Bytes()) > 0:
			tb.Fatalf("got %d records, want %d; missing %q", len(g), len(w), w[i].Bytes())
		case i == len(w) || !bytes.Equal(g[i].Bytes(), w[i].Bytes()):
			tb.Fatalf("got %d records, want %d; not wanted %q", len(g), len(w), g[i].Bytes())
		}
	}
}

// SameSequence fails the test at the first record in which got and want differ.
func SameSequence(tb testing.TB, got, want []bam.Record) {
	tb.Helper()
	for i := range min(len(got), len(want)) {
		if !bytes.Equal(got[i].Bytes(), want[i].Bytes()) {
			tb.Fatalf("record %d: got %q, want %q", i, got[i].Bytes(), want[i].Bytes())
		}
	}
	if len(got) != len(want) {
		tb.Fatalf("got %d records, want %d", len(got), len(want))
	}
}

func sorted(records []bam.Record) []bam.Record {
	return slices.SortedFunc(slices.Values(records), func(a, b bam.Record) int {
		return bytes.Compare(a.Bytes(), b.Bytes())
	})
}
