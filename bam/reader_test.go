package bam_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	biogo "github.com/biogo/hts/bam"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
	"github.com/gosort/gosort/bgzfout"
)

// sample is a header and records of every kind, some larger than a BGZF block.
func sample(t testing.TB, n int) (*bam.Header, []bam.Record) {
	t.Helper()
	records := bamtest.Generator{Seed: 3, Refs: 5}.Records(t, n)
	long := bamtest.Fields{Name: "long", Flag: bam.Unmapped, RefID: -1, Pos: -1, NextRefID: -1, NextPos: -1,
		Seq: strings.Repeat("ACGTN", 30000), Qual: strings.Repeat("I", 150000)}.Record(t)
	return bamtest.Header(t, 5), append(records[:len(records):len(records)], long, records[0])
}

// bgzf compresses in blocks of records, as a Writer does.
func bgzf(t testing.TB, h *bam.Header, records []bam.Record, f bam.Format) []byte {
	t.Helper()
	var buf bytes.Buffer
	z, err := bgzfout.NewWriter(&buf, bgzfout.Options{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	writeAll(t, z, h, records, f)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func writeAll(t testing.TB, dst io.Writer, h *bam.Header, records []bam.Record, f bam.Format) {
	t.Helper()
	w, err := bam.NewWriter(dst, h, f)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
}

func plain(t testing.TB, h *bam.Header, records []bam.Record, f bam.Format) []byte {
	t.Helper()
	var buf bytes.Buffer
	writeAll(t, &buf, h, records, f)
	return buf.Bytes()
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// readAll returns all records, copied, and the error that is not io.EOF.
func readAll(src io.Reader, o bam.ReaderOptions) (*bam.Header, []bam.Record, error) {
	r, err := bam.NewReader(src, o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	var all []bam.Record
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return r.Header(), all, nil
		} else if err != nil {
			return r.Header(), all, err
		}
		all = append(all, bam.Trusted(bytes.Clone(rec.Bytes())))
	}
}

func TestReaderFormats(t *testing.T) {
	h, records := sample(t, 500)
	for name, tc := range map[string]struct {
		file   []byte
		format bam.Format
	}{
		"bgzf":             {bgzf(t, h, records, bam.BAM), bam.BAM},
		"gzip":             {gzipped(t, plain(t, h, records, bam.BAM)), bam.BAM},
		"plain":            {plain(t, h, records, bam.BAM), bam.BAM},
		"sam":              {plain(t, h, records, bam.SAM), bam.SAM},
		"sam gzip":         {gzipped(t, plain(t, h, records, bam.SAM)), bam.SAM},
		"sam bgzf":         {bgzf(t, h, records, bam.SAM), bam.SAM},
		"no final newline": {bytes.TrimSuffix(plain(t, h, records, bam.SAM), []byte("\n")), bam.SAM},
		"blank last line":  {append(plain(t, h, records, bam.SAM), '\n'), bam.SAM},
		"crlf":             {bytes.ReplaceAll(plain(t, h, records, bam.SAM), []byte("\n"), []byte("\r\n")), bam.SAM},
	} {
		for _, o := range []bam.ReaderOptions{{}, {Threads: 3}, {Threads: 2, UnitBlocks: 1}} {
			for _, src := range []io.Reader{bytes.NewReader(tc.file), iotest.HalfReader(bytes.NewReader(tc.file))} {
				t.Run(fmt.Sprintf("%s/%+v", name, o), func(t *testing.T) {
					head, got, err := readAll(src, o)
					if err != nil {
						t.Fatal(err)
					}
					if tc.format == bam.SAM {
						// Integers take their smallest type in text, so records are compared as text.
						if a, b := bamtest.SAM(t, h, got), bamtest.SAM(t, h, records); a != b {
							t.Fatalf("got SAM text of %d bytes, want %d bytes; first lines %.200q, %.200q", len(a), len(b), a, b)
						}
					} else {
						bamtest.SameSequence(t, got, records)
					}
					if want := bytes.ReplaceAll(head.Text(), []byte("\r\n"), []byte("\n")); !bytes.Equal(want, h.Text()) {
						t.Errorf("got header %q, want %q", head.Text(), h.Text())
					}
				})
			}
		}
	}
}

// TestReaderAgreesWithBiogo has a second opinion on what the file says.
func TestReaderAgreesWithBiogo(t *testing.T) {
	h, records := sample(t, 300)
	r, err := biogo.NewReader(bytes.NewReader(bgzf(t, h, records, bam.BAM)), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, want := range records {
		got, err := r.Read()
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		if got.Name != string(want.ReadName()) || got.Pos != int(want.Pos()) || got.Ref.ID() != int(want.RefID()) || uint16(got.Flags) != uint16(want.Flag()) {
			t.Errorf("record %d: biogo reads %v, want name %q pos %d ref %d flags %d", i, got, want.ReadName(), want.Pos(), want.RefID(), want.Flag())
		}
	}
	if _, err := r.Read(); err != io.EOF {
		t.Errorf("behind the last record: got %v, want EOF", err)
	}
}

// TestRecordsKeepToBlocks: a block boundary falls on a record boundary, but for records larger than a block.
func TestRecordsKeepToBlocks(t *testing.T) {
	h, records := sample(t, 2000)
	var w blockLog
	writeAll(t, &w, h, records, bam.BAM)
	if w.blocks < 5 || w.straddled != 1 {
		t.Errorf("got %d blocks and %d straddling records, want at least 5 and 1", w.blocks, w.straddled)
	}
	if w.firstBlock != len(plain(t, h, nil, bam.BAM)) {
		t.Errorf("got a first block of %d bytes, want the header alone", w.firstBlock)
	}
}

// blockLog is a BlockWriter that keeps account of what would be in which block.
type blockLog struct {
	n, blocks, straddled, firstBlock int
}

func (b *blockLog) FlushTry(n int) error {
	if b.n > 0 && b.n+n > bgzfout.MaxPayload {
		if b.blocks == 0 {
			b.firstBlock = b.n
		}
		b.n = 0
		b.blocks++
	}
	return nil
}

func (b *blockLog) Write(p []byte) (int, error) {
	if b.n += len(p); b.n > bgzfout.MaxPayload {
		b.straddled++
		b.n = 0
	}
	return len(p), nil
}

// TestReaderEveryCut cuts files at every length, which must never pass for a whole file.
func TestReaderEveryCut(t *testing.T) {
	h := bamtest.Header(t, 2)
	records := bamtest.Generator{Seed: 1, Refs: 2}.Records(t, 6)
	for name, file := range map[string][]byte{"bgzf": bgzf(t, h, records, bam.BAM), "gzip": gzipped(t, plain(t, h, records, bam.BAM))} {
		for n := 1; n < len(file); n++ {
			_, got, err := readAll(bytes.NewReader(file[:n]), bam.ReaderOptions{})
			if !errors.Is(err, bam.ErrTruncated) {
				t.Errorf("%s cut to %d of %d bytes: got %v, want ErrTruncated", name, n, len(file), err)
			}
			bamtest.SameSequence(t, got, records[:len(got)])
			_, kept, err := readAll(bytes.NewReader(file[:n]), bam.ReaderOptions{AllowTruncated: true})
			if err != nil && !errors.Is(err, bam.ErrTruncated) || err == nil && len(kept) < len(got) {
				t.Errorf("%s cut to %d bytes, allowed: got %d records and %v", name, n, len(kept), err)
			}
		}
	}
	raw := plain(t, h, records, bam.BAM)
	whole := map[int]bool{}
	for i, n := 0, len(plain(t, h, nil, bam.BAM)); ; i++ {
		whole[n] = true // where an uncompressed file may end
		if i == len(records) {
			break
		}
		n += 4 + len(records[i].Bytes())
	}
	for n := 1; n < len(raw); n++ {
		if _, _, err := readAll(bytes.NewReader(raw[:n]), bam.ReaderOptions{}); whole[n] != (err == nil) || err != nil && !errors.Is(err, bam.ErrTruncated) {
			t.Errorf("plain cut to %d of %d bytes: got %v", n, len(raw), err)
		}
	}
}

func TestAllowTruncatedTells(t *testing.T) {
	h, records := sample(t, 400)
	file := bgzf(t, h, records, bam.BAM)
	r, err := bam.NewReader(bytes.NewReader(file[:len(file)-28]), bam.ReaderOptions{AllowTruncated: true, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n := 0
	for {
		if _, err := r.Read(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != len(records) || !errors.Is(r.Truncated(), bam.ErrTruncated) {
		t.Errorf("got %d records and %v, want %d and ErrTruncated", n, r.Truncated(), len(records))
	}
}

// TestErrorsNameThePlace: record number and virtual offset of the record, also across windows.
func TestErrorsNameThePlace(t *testing.T) {
	h, records := sample(t, 300)
	bad := bamtest.Fields{Name: "bad", RefID: 77, Pos: 3, NextRefID: -1, NextPos: -1}.Record(t)
	file := bgzf(t, h, append(records[:200:200], bad), bam.BAM)
	_, _, err := readAll(bytes.NewReader(file), bam.ReaderOptions{Threads: 2, UnitBlocks: 1})
	if err == nil || !strings.Contains(err.Error(), "(record 201, virtual offset ") || !strings.Contains(err.Error(), `"bad"`) {
		t.Errorf("got %v, want record 201 named with its virtual offset", err)
	}
}

// TestEOFMarkerInTheMiddle: two files end to end are read to the end when the second goes on with records.
func TestEOFMarkerInTheMiddle(t *testing.T) {
	h, records := sample(t, 50)
	first := bgzf(t, h, records, bam.BAM)
	var rest bytes.Buffer
	z, err := bgzfout.NewWriter(&rest, bgzfout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(raw(len(records[0].Bytes()), records[0].Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	_, got, err := readAll(bytes.NewReader(append(first, rest.Bytes()...)), bam.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	bamtest.SameSequence(t, got, append(records, records[0]))
}

func TestReaderErrorIsSticky(t *testing.T) {
	file := raw("BAM\x01", 0, 0, 31)
	r, err := bam.NewReader(bytes.NewReader(file), bam.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, first := r.Read()
	_, second := r.Read()
	if first == nil || first != second {
		t.Errorf("got %v, then %v", first, second)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	closed, err := bam.NewReader(bytes.NewReader(raw("BAM\x01", 0, 0)), bam.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	if _, err := closed.Read(); err == nil || err == io.EOF {
		t.Errorf("Read after Close: got %v, want an error", err)
	}
}

var errDisk = errors.New("disk")

func TestReaderPassesOnSourceErrors(t *testing.T) {
	h, records := sample(t, 200)
	for _, file := range [][]byte{bgzf(t, h, records, bam.BAM), plain(t, h, records, bam.BAM), plain(t, h, records, bam.SAM), gzipped(t, plain(t, h, records, bam.BAM))} {
		for n := 0; n < len(file); n += 1 + len(file)/50 {
			src := io.MultiReader(bytes.NewReader(file[:n]), iotest.ErrReader(errDisk))
			if _, _, err := readAll(src, bam.ReaderOptions{Threads: 2, AllowTruncated: true}); !errors.Is(err, errDisk) {
				t.Errorf("source failing after %d bytes: got %v", n, err)
			}
		}
	}
}

func TestWriterPassesOnErrors(t *testing.T) {
	h, records := sample(t, 20)
	for _, f := range []bam.Format{bam.BAM, bam.SAM} {
		for n := range 40 {
			w := &failingWriter{left: n}
			bw, err := bam.NewWriter(w, h, f)
			for _, r := range records {
				if err == nil {
					err = bw.Write(r)
				}
			}
			if w.left < 0 != errors.Is(err, errDisk) {
				t.Errorf("%v: write %d failed: got %v", f, n, err)
			}
		}
	}
}

type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

// TestReaderMemory: what a reader of any options allocates stays below what Memory says.
func TestReaderMemory(t *testing.T) {
	h, records := sample(t, 3000)
	bamFile, samFile := bgzf(t, h, records[:3000], bam.BAM), bgzf(t, h, records[:3000], bam.SAM)
	for i, o := range []bam.ReaderOptions{{}, {}, {Threads: 4}, {Threads: 4}, {Threads: 2, UnitBlocks: 2}, {Threads: 2, UnitBlocks: 1}} {
		file := [][]byte{bamFile, samFile}[i%2]
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := bam.NewReader(bytes.NewReader(file), o)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = r.Read()
		}
		runtime.ReadMemStats(&after)
		if got, most := int64(after.TotalAlloc-before.TotalAlloc), o.Memory()+64<<10; err != io.EOF || got > most {
			t.Errorf("%+v: got %d bytes, want at most %d (%v)", o, got, most, err)
		}
		r.Close()
	}
}

func TestNoAllocationPerRecordRead(t *testing.T) {
	h, records := sample(t, 4000)
	r, err := bam.NewReader(bytes.NewReader(bgzf(t, h, records[:4000], bam.BAM)), bam.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	allocs := testing.AllocsPerRun(1000, func() {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0 {
		t.Errorf("got %v allocations a record, want 0", allocs)
	}
}

// FuzzReader: whatever the bytes, nothing panics, threads change nothing, and what is read is well-formed.
func FuzzReader(f *testing.F) {
	h := bamtest.Header(f, 2)
	records := bamtest.Generator{Seed: 1, Refs: 2}.Records(f, 3)
	f.Add(bgzf(f, h, records, bam.BAM))
	f.Add(plain(f, h, records, bam.BAM))
	f.Add(plain(f, h, records, bam.SAM))
	f.Add(gzipped(f, plain(f, h, records, bam.SAM)))
	whole := bgzf(f, h, records, bam.BAM)
	const empty = "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\x06\x00BC\x02\x00\x1e\x00\x01\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00"
	f.Add(append(whole[:len(whole)-28:len(whole)-28], empty...)) // a block of nothing, but no EOF marker
	bad := bamtest.Fields{Name: "at the start of a block", RefID: 77, Seq: strings.Repeat("A", 50_000)}.Record(f)
	f.Add(bgzf(f, h, append(records, bad), bam.BAM))
	spoiled := bgzf(f, h, append(records, bad, bad, bad), bam.BAM) // with blocks enough to use that of the header again
	end := 0
	for range 2 {
		end += int(binary.LittleEndian.Uint16(spoiled[end+16:])) + 1
	}
	spoiled[end-8] ^= 1 // the CRC of the first block behind the header
	f.Add(spoiled)
	f.Fuzz(func(t *testing.T, data []byte) {
		_, a, errA := readAll(bytes.NewReader(data), bam.ReaderOptions{})
		_, b, errB := readAll(bytes.NewReader(data), bam.ReaderOptions{Threads: 2, UnitBlocks: 1})
		if fmt.Sprint(errA) != fmt.Sprint(errB) {
			t.Fatalf("serial: %v; parallel: %v", errA, errB)
		}
		bamtest.SameSequence(t, a, b)
		for _, r := range a {
			if _, err := bam.ParseRecord(r.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	files, err := filepath.Glob("../testdata/*.bam")
	if err != nil || len(files) == 0 {
		b.Skip("no BAM in testdata")
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("file=%s/threads=%d", filepath.Base(name), threads), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					n := 0
					r, err := bam.NewReader(bytes.NewReader(file), bam.ReaderOptions{Threads: threads})
					for err == nil {
						var rec bam.Record
						if rec, err = r.Read(); err == nil {
							n += len(rec.Bytes()) + 4
						}
					}
					if err != io.EOF {
						b.Fatal(err)
					}
					r.Close()
					b.SetBytes(int64(n))
				}
			})
		}
	}
}
