package bam_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/gosort/gosort/bam"
)

// largeText is a header of n references, of a kind that assemblies in many pieces have.
func largeText(n int) []byte {
	text := []byte("@HD\tVN:1.6\tSO:unsorted\n")
	for i := range n {
		text = fmt.Appendf(text, "@SQ\tSN:contig_%d\tLN:%d\n", i, 1000+i)
	}
	return append(text, "@PG\tID:aligner\n"...)
}

// largeBAM is the same as BAM.
func largeBAM(tb testing.TB, text []byte) []byte {
	tb.Helper()
	b, err := parseHeader(tb, string(text)).AppendBinary(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// through reads a header, edits it and writes it, as a sorter does.
func through(tb testing.TB, file []byte, w io.Writer, f bam.Format) *bam.Header {
	tb.Helper()
	r, err := bam.NewReader(bytes.NewReader(file), bam.ReaderOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	h := r.Header().Clone()
	h.SetSortOrder("coordinate", "", "")
	h.AddProgram(bam.Program{ID: "gosort"})
	if _, err := bam.NewWriter(w, h, f); err != nil {
		tb.Fatal(err)
	}
	return r.Header()
}

func TestLargeHeader(t *testing.T) {
	const n = 30_000
	text := largeText(n)
	want := bytes.Replace(text, []byte("SO:unsorted"), []byte("SO:coordinate"), 1)
	want = append(want, "@PG\tID:gosort\tPP:aligner\n"...)
	for name, file := range map[string][]byte{"SAM": text, "BAM": largeBAM(t, text)} {
		var sam, binary bytes.Buffer
		through(t, file, &sam, bam.SAM)
		if !bytes.Equal(sam.Bytes(), want) {
			t.Errorf("%s: SAM header of %d bytes, want %d", name, sam.Len(), len(want))
		}
		through(t, file, &binary, bam.BAM)
		if !bytes.Equal(binary.Bytes(), largeBAM(t, want)) {
			t.Errorf("%s: BAM header of %d bytes, want %d", name, binary.Len(), len(largeBAM(t, want)))
		}
	}
}

// TestHeaderMemory holds what is alive to what Memory says, and all that is
// allocated on the way through to a small multiple.
func TestHeaderMemory(t *testing.T) {
	const n = 60_000
	text := largeText(n)
	for name, file := range map[string][]byte{"SAM": text, "BAM": largeBAM(t, text)} {
		t.Run(name, func(t *testing.T) {
			before, allocated := heap()
			h := through(t, file, io.Discard, bam.BAM)
			h.RefID([]byte("contig_7")) // builds the index
			after, allocatedAfter := heap()
			got, most := after-before, h.Memory()
			if got > most+64<<10 || got < most*9/10-64<<10 {
				t.Errorf("%d bytes are alive, Memory says %d", got, most)
			}
			clone := h.Clone().Memory() - h.Memory()
			if clone > 8<<10 {
				t.Errorf("a clone takes %d bytes more than the original", clone)
			}
			if got, most := allocatedAfter-allocated, 6*most; got > most {
				t.Errorf("%d bytes were allocated in all, want at most %d", got, most)
			}
			runtime.KeepAlive(h)
		})
	}
}

// heap returns the bytes alive and the bytes ever allocated.
func heap() (alive, allocated int64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), int64(m.TotalAlloc)
}

// TestEditsInPlace: a clone has room for the edits, so that a long text is not
// copied for each of them.
func TestEditsInPlace(t *testing.T) {
	h := parseHeader(t, string(largeText(10_000))).Clone()
	before := &h.Text()[0]
	h.SetSortOrder("coordinate", "", "")
	h.AddProgram(bam.Program{ID: "gosort", CL: "gosort -i in.bam"})
	if after := &h.Text()[0]; after != before {
		t.Error("the text was copied")
	}
}

func BenchmarkLargeHeader(b *testing.B) {
	text := largeText(2_000_000)
	for _, in := range []struct {
		name string
		file []byte
	}{{"sam", text}, {"bam", largeBAM(b, text)}} {
		for _, out := range []bam.Format{bam.SAM, bam.BAM} {
			b.Run(fmt.Sprintf("in=%s/out=%v", in.name, out), func(b *testing.B) {
				b.SetBytes(int64(len(in.file)))
				b.ReportAllocs()
				for b.Loop() {
					through(b, in.file, io.Discard, out)
				}
			})
		}
	}
}
