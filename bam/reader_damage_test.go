package bam_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// raw builds binary BAM by hand: strings as they are, integers as little-endian 32 bits.
func raw(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch v := p.(type) {
		case string:
			b = append(b, v...)
		case []byte:
			b = append(b, v...)
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	}
	return b
}

func TestReaderDamage(t *testing.T) {
	head := raw("BAM\x01", 0, 1, 2, "a\x00", 100)
	rec := bamtest.Fields{Name: "r1", RefID: 0, Pos: 3, NextRefID: -1, NextPos: -1}.Bytes()
	other := bamtest.Fields{Name: "r2", RefID: 1, Pos: 3, NextRefID: -1, NextPos: -1}.Bytes()
	negative := bamtest.Fields{Name: "r2", RefID: -2, Pos: 3, NextRefID: -1, NextPos: -1}.Bytes()
	mate := bamtest.Fields{Name: "r3", RefID: 0, Pos: 3, NextRefID: 7, NextPos: -1}.Bytes()
	marked := func(parts ...any) []byte {
		var z bytes.Buffer
		compress(t, &z, raw(parts...))
		return z.Bytes()
	}
	spoiled := gzipped(t, head)
	spoiled[10] = 0xff // a DEFLATE block of no type
	for _, tc := range []struct {
		name string
		file []byte
		want error
		text string
	}{
		{"empty", nil, bam.ErrEmpty, "empty"},
		{"CRAM", raw("CRAM\x03\x00aaaaaaaaaaaaaaaaaaaaaaaa"), bam.ErrCRAM, "CRAM"},
		{"binary garbage", raw("\x00\x01\x02\x03\x04\x05"), bam.ErrCorrupt, "neither BAM nor SAM"},
		{"l_text negative", raw("BAM\x01", -1), bam.ErrCorrupt, "l_text is negative"},
		{"l_text beyond the file", raw("BAM\x01", 1<<31-1, "abc"), bam.ErrTruncated, "ends after 3 of 2147483647"},
		{"n_ref negative", raw("BAM\x01", 0, -1), bam.ErrCorrupt, "n_ref is negative"},
		{"n_ref beyond the file", raw("BAM\x01", 0, 1<<31-1), bam.ErrTruncated, "reference 1 of 2147483647"},
		{"l_name beyond the file", raw("BAM\x01", 0, 1, 1<<31-1, "a\x00"), bam.ErrTruncated, "reference 1 of 1"},
		{"l_name 0", raw("BAM\x01", 0, 1, 0, 10), bam.ErrCorrupt, "NUL"},
		{"name without NUL", raw("BAM\x01", 0, 1, 2, "ab", 10), bam.ErrCorrupt, "NUL"},
		{"l_ref negative", raw("BAM\x01", 0, 1, 2, "a\x00", -1), bam.ErrCorrupt, "length"},
		{"text and dictionary disagree", raw("BAM\x01", 17, "@SQ\tSN:b\tLN:100\n\n", 1, 2, "a\x00", 100), bam.ErrCorrupt, "\"b\""},
		{"block_size 0", raw(head, len(rec), rec, 0), bam.ErrCorrupt, "record 2"},
		{"block_size 31", raw(head, 31, make([]byte, 31)), bam.ErrCorrupt, "record 1"},
		{"block_size negative", raw(head, -7, rec), bam.ErrCorrupt, "block_size is -7"},
		{"block_size beyond the file", raw(head, 1<<31-1, rec), bam.ErrTruncated, "record 1"},
		{"cut in the length", raw(head, len(rec), rec, "\x10\x00"), bam.ErrTruncated, "record 2"},
		{"cut in the record", raw(head, len(rec), rec[:20]), bam.ErrTruncated, "record 1"},
		{"block_size beyond the EOF marker", marked(head, len(rec)+1, rec), bam.ErrCorrupt, "after 35 of 36 bytes, and the EOF marker says that it is whole (record 1"},
		{"length beyond the EOF marker", marked(head, len(rec), rec, "\x10\x00"), bam.ErrCorrupt, "record 2"},
		{"nothing behind block_size but the EOF marker", marked(head, len(rec)), bam.ErrCorrupt, "the data ends here"},
		{"l_text beyond the EOF marker", marked("BAM\x01", 1<<31-1, "abc"), bam.ErrCorrupt, "ends after 3 of 2147483647"},
		{"n_ref beyond the EOF marker", marked("BAM\x01", 0, 1), bam.ErrCorrupt, "the data ends here"},
		{"garbage behind gzip", append(gzipped(t, raw(head, len(rec), rec)), "garbage behind it"...), bam.ErrCorrupt, "garbage after the gzip data"},
		{"a byte behind gzip", append(gzipped(t, raw(head, len(rec), rec)), 0), bam.ErrCorrupt, "garbage after the gzip data"},
		{"gzip magic behind gzip", append(gzipped(t, raw(head, len(rec), rec)), 0x1f, 0x8b), bam.ErrTruncated, "the gzip stream is cut"},
		{"gzip that does not inflate", spoiled, bam.ErrCorrupt, "flate"},
		{"RefID too large", raw(head, len(other), other), bam.ErrCorrupt, "RefID 1"},
		{"RefID below -1", raw(head, len(negative), negative), bam.ErrCorrupt, "RefID -2"},
		{"next RefID too large", raw(head, len(mate), mate), bam.ErrCorrupt, "next RefID 7"},
		{"SAM without fields", []byte("@HD\tVN:1.6\nr1\t0\n"), bam.ErrCorrupt, "line 2"},
		{"SAM of an unknown reference", []byte("@SQ\tSN:a\tLN:10\nr1\t0\tb\t1\t0\t*\t*\t0\t0\t*\t*\n"), bam.ErrCorrupt, "line 2"},
		{"blank line between", []byte("@SQ\tSN:a\tLN:10\n\nr1\t0\ta\t1\t0\t*\t*\t0\t0\t*\t*\n"), bam.ErrCorrupt, "blank line"},
		{"header line late", []byte("r1\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n@CO\tx\n"), bam.ErrCorrupt, "line 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _, err := readAll(bytes.NewReader(tc.file), bam.ReaderOptions{})
			runtime.ReadMemStats(&after)
			if !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("got error %q, want %v with %q", err, tc.want, tc.text)
			}
			if _, _, err := readAll(bytes.NewReader(tc.file), bam.ReaderOptions{AllowTruncated: true}); tc.want == bam.ErrCorrupt && !errors.Is(err, tc.want) {
				t.Errorf("got error %q where a cut is allowed, want %v", err, tc.want)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
				t.Errorf("%d bytes were allocated for a file of %d", n, len(tc.file))
			}
		})
	}
}
