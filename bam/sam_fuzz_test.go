package bam_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// FuzzSAMLine holds both directions to each other: a line that is accepted makes
// a record, whose text makes the same record again.
func FuzzSAMLine(f *testing.F) {
	h := bamtest.Header(f, 2)
	for _, r := range (bamtest.Generator{Seed: 6, Refs: 2, Length: 8, Odd: true}).Records(f, 40) {
		f.Add([]byte(bamtest.SAM(f, h, []bam.Record{r})))
	}
	f.Add([]byte("r\t0\tchr1\t1\t60\t1M\t=\t5\t-3\tA\t*\tXX:i:-0\tXB:B:f,nan,-nan,1e-50\tXd:d:1e-310\r\n"))
	f.Add([]byte("r\t0\tchr1\t1\t60\t1S1N\t=\t5\t-3\tA\t*\tCG:B:I,16,16"))
	f.Fuzz(func(t *testing.T, line []byte) {
		raw, err := h.ParseSAMLine(nil, line)
		if err != nil {
			return
		}
		first, err := h.AppendSAM(nil, bam.Trusted(raw))
		if err != nil && bytes.Contains(line, []byte("CG:B")) { // its operations may be none
			return
		} else if err != nil {
			t.Fatalf("%v\nof %q", err, raw)
		}
		raw2, err := h.ParseSAMLine(nil, first)
		if err != nil && bytes.Contains(line, []byte("CG:B")) { // or of another length
			return
		} else if err != nil {
			t.Fatalf("%v\nin %q, the text of %q", err, first, line)
		}
		if second := mustText(t, h, raw2); !bytes.Equal(first, second) {
			t.Fatalf("text changes\nfrom %q\nto   %q", first, second)
		}
		if exact(t, raw) && !bytes.Equal(raw, raw2) {
			t.Fatalf("record changes\nfrom %q\nto   %q\nby the text %q", raw, raw2, first)
		}
	})
}

// FuzzAppendSAM: whatever the record, its text is refused or reads back. Columns come back as they were, but for what
// htslib's rules about unmapped reads change: FLAG, RNAME and RNEXT.
func FuzzAppendSAM(f *testing.F) {
	h := bamtest.Header(f, 2)
	for _, r := range (bamtest.Generator{Seed: 8, Refs: 2, Length: 8, Odd: true}).Records(f, 40) {
		f.Add(r.Bytes())
	}
	f.Add(bamtest.Fields{Name: "@CO", Seq: "A", Qual: "*", Cigar: "1S1N", Aux: bamtest.AppendAux(nil, "CG", []uint32{16, 16})}.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := bam.ParseRecord(raw)
		if err != nil {
			return
		}
		first, err := h.AppendSAM(nil, r)
		if err != nil || bytes.Count(raw, []byte("CG")) > 1 { // one CG tag behind another comes to light
			return
		}
		if c := r.Cigar(); c.Len() > 0 && r.LSeq() > 0 && c.QueryLen() != int64(r.LSeq()) {
			return // BAM may say so, text not
		}
		again, err := h.ParseSAMLine(nil, first)
		if err != nil {
			t.Fatalf("%v\nin %q, the text of %q", err, first, raw)
		}
		got, want := bytes.Split(mustText(t, h, again), []byte{'\t'}), bytes.Split(first, []byte{'\t'})
		for _, columns := range [][][]byte{got, want} {
			columns[1], columns[2], columns[6] = nil, nil, nil
		}
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("text changes\nfrom %q\nto   %q", want, got)
		}
	})
}

// mustText returns the text of a record that was made of a line. Only a column
// that itself holds a line end has none, which a reader of lines never sees.
func mustText(t *testing.T, h *bam.Header, raw []byte) []byte {
	t.Helper()
	r, err := bam.ParseRecord(raw)
	if err != nil {
		t.Fatalf("%v\nof %q", err, raw)
	}
	line, err := h.AppendSAM(nil, r)
	if err != nil && bytes.ContainsAny(raw, "\r\n") {
		t.Skip("a line end inside a column")
	}
	if err != nil {
		t.Fatalf("%v\nof %q", err, raw)
	}
	return line
}

// exact reports whether text can hold all of the record: floats lose digits, -0
// its sign and so its type, and a CIGAR that comes out of a CG tag stays out.
func exact(t *testing.T, raw []byte) bool {
	r, err := bam.ParseRecord(raw)
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Cigar(); len(c) > 0 && c.Len() != int(raw[12])|int(raw[13])<<8 {
		return false
	}
	for a, err := range r.AuxFields() {
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := a.Int(); a.Type == 'f' || a.Type == 'd' || a.ArrayType() == 'f' || ok && n == 0 {
			return false
		}
		if a.Tag == [2]byte{'C', 'G'} {
			return false
		}
	}
	return true
}

func BenchmarkAppendSAM(b *testing.B) {
	h := bamtest.Header(b, 2)
	records := bamtest.Generator{Seed: 1, Refs: 2}.Records(b, 500)
	var text []byte
	b.SetBytes(int64(len(bamtest.SAM(b, h, records))))
	b.ReportAllocs()
	for b.Loop() {
		text = text[:0]
		for _, r := range records {
			var err error
			if text, err = h.AppendSAM(text, r); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkParseSAMLine(b *testing.B) {
	h := bamtest.Header(b, 2)
	text := []byte(bamtest.SAM(b, h, bamtest.Generator{Seed: 1, Refs: 2}.Records(b, 500)))
	lines := bytes.SplitAfter(text, []byte{'\n'})[:500]
	var raw []byte
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			var err error
			if raw, err = h.ParseSAMLine(raw[:0], line); err != nil {
				b.Fatal(err)
			}
		}
	}
}
