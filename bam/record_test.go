package bam_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	biobam "github.com/biogo/hts/bam"
	biobgzf "github.com/biogo/hts/bgzf"
	"github.com/biogo/hts/sam"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

var example = bamtest.Fields{
	Name: "read", Flag: bam.Paired | bam.Reverse, RefID: 3, Pos: 99, MapQ: 60, Bin: 4681, Cigar: "2S3M",
	NextRefID: -1, NextPos: -1, TLen: -7, Seq: "ACGTN", Qual: "!#%')", Aux: bamtest.AppendAux(nil, "NM", uint8(2)),
}

func TestRecordFields(t *testing.T) {
	r := example.Record(t)
	if r.RefID() != 3 || r.Pos() != 99 || r.MapQ() != 60 || r.Bin() != 4681 || r.Flag() != 0x11 || r.LSeq() != 5 ||
		r.NextRefID() != -1 || r.NextPos() != -1 || r.TLen() != -7 {
		t.Errorf("fixed fields are wrong: %d %d %d %d %d %d %d %d %d", r.RefID(), r.Pos(), r.MapQ(), r.Bin(), r.Flag(),
			r.LSeq(), r.NextRefID(), r.NextPos(), r.TLen())
	}
	for _, c := range []struct{ what, got, want string }{
		{"ReadName", string(r.ReadName()), "read"},
		{"Cigar", r.Cigar().String(), "2S3M"},
		{"Seq", string(r.Seq()), "\x12\x48\xf0"},
		{"Qual", string(r.Qual()), "\x00\x02\x04\x06\x08"},
		{"AuxBytes", string(r.AuxBytes()), "NMC\x02"},
		{"Bytes", string(r.Bytes()), string(example.Bytes())},
	} {
		if c.got != c.want {
			t.Errorf("%s is %q, want %q", c.what, c.got, c.want)
		}
	}
}

func TestParseRecordErrors(t *testing.T) {
	change := func(f func(b []byte) []byte) []byte { return f(example.Bytes()) }
	for want, raw := range map[string][]byte{
		"record of 0 bytes":       nil,
		"record of 31 bytes":      change(func(b []byte) []byte { return b[:31] }),
		"l_read_name 0":           change(func(b []byte) []byte { b[8] = 0; return b }),
		"does not end in NUL":     change(func(b []byte) []byte { b[36] = 'x'; return b }),
		"does not hold":           change(func(b []byte) []byte { return b[:len(b)-5] }),
		"n_cigar_op 65535":        change(func(b []byte) []byte { b[12], b[13] = 0xff, 0xff; return b }),
		"l_seq 4294967295, above": change(func(b []byte) []byte { binary.LittleEndian.PutUint32(b[16:], 1<<32-1); return b }),
		"l_seq 2147483647":        change(func(b []byte) []byte { binary.LittleEndian.PutUint32(b[16:], 1<<31-1); return b }),
		"l_read_name 255":         change(func(b []byte) []byte { b[8] = 255; return b }),
	} {
		_, err := bam.ParseRecord(raw)
		if !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want ErrCorrupt with %q", err, want)
		}
	}
}

func TestParseRecordEveryCut(t *testing.T) {
	whole := example.Bytes()
	aux := len(whole) - len(example.Aux)
	for n := range whole {
		if _, err := bam.ParseRecord(whole[:n]); (err == nil) != (n >= aux) {
			t.Errorf("cut to %d of %d bytes: error %v", n, aux, err)
		}
	}
}

// decodeWithBiogo decodes the records with another implementation.
func decodeWithBiogo(t *testing.T, stream []byte) []*sam.Record {
	t.Helper()
	var file bytes.Buffer
	w := biobgzf.NewWriter(&file, 1)
	if _, err := w.Write(stream); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := biobam.NewReader(&file, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var records []*sam.Record
	for {
		rec, err := r.Read()
		if err == io.EOF {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, rec)
	}
}

func TestFieldsEqualBiogo(t *testing.T) {
	h := bamtest.Header(t, 3)
	records := bamtest.Generator{Seed: 3, Refs: 3}.Records(t, 300)
	others := decodeWithBiogo(t, bamtest.BAM(t, h, records))
	if len(others) != len(records) {
		t.Fatalf("biogo reads %d records, want %d", len(others), len(records))
	}
	for i, o := range others {
		r := records[i]
		if int(r.RefID()) != o.Ref.ID() || int(r.Pos()) != o.Pos || r.MapQ() != o.MapQ || uint16(r.Flag()) != uint16(o.Flags) ||
			int(r.NextRefID()) != o.MateRef.ID() || int(r.NextPos()) != o.MatePos || int(r.TLen()) != o.TempLen || r.LSeq() != o.Seq.Length {
			t.Errorf("record %d: fixed fields differ from %v", i, o)
		}
		if string(r.ReadName()) != o.Name || r.Cigar().String() != o.Cigar.String() || !bytes.Equal(r.Qual(), o.Qual) {
			t.Errorf("record %d: %s %s, biogo %s %s", i, r.ReadName(), r.Cigar(), o.Name, o.Cigar)
		}
		refLen, _ := o.Cigar.Lengths()
		if r.Cigar().RefLen() != int64(refLen) {
			t.Errorf("record %d: RefLen of %s is %d, biogo has %d", i, r.Cigar(), r.Cigar().RefLen(), refLen)
		}
		for _, a := range o.AuxFields {
			got, ok := r.Aux([2]byte(a[:2]))
			want := a[3:]
			if !ok || got.Type != a[2] || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("record %d: %s is %c %q, %v; biogo has %q", i, a[:2], got.Type, got.Bytes(), ok, a)
			}
		}
	}
}

func TestCigarPlaceholder(t *testing.T) {
	ops := func(text string) []uint32 {
		c, err := bam.AppendCigar(nil, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var packed []uint32
		for i := range c.Len() {
			packed = append(packed, uint32(c.At(i)))
		}
		return packed
	}
	long := bamtest.AppendAux(nil, "CG", ops("1M2D2M"))
	for _, c := range []struct {
		name, cigar string
		aux         []byte
		want        string
	}{
		{"long form", "3S5N", long, "1M2D2M"},
		{"tag behind another", "3S5N", append(bamtest.AppendAux(nil, "NM", uint8(1)), long...), "1M2D2M"},
		{"no tag", "3S5N", nil, "3S5N"},
		{"other clip", "2S5N", long, "2S5N"},
		{"no skip", "3S5M", long, "3S5M"},
		{"three operations", "3S5N1M", long, "3S5N1M"},
		{"one operation", "3S", long, "3S"},
		{"tag of other type", "3S5N", bamtest.AppendAux(nil, "CG", "1M"), "3S5N"},
		{"array of other type", "3S5N", bamtest.AppendAux(nil, "CG", []int32{16, 16, 16}), "3S5N"},
		{"fewer operations", "3S5N", bamtest.AppendAux(nil, "CG", ops("3M")), "3S5N"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := bamtest.Fields{Name: "r", RefID: 0, Cigar: c.cigar, Seq: "ACG", NextRefID: -1, NextPos: -1, Aux: c.aux}.Record(t)
			if got := r.Cigar().String(); got != c.want {
				t.Errorf("Cigar is %s, want %s", got, c.want)
			}
			line := bamtest.SAM(t, bamtest.Header(t, 1), []bam.Record{r})
			if got := strings.Split(line, "\t")[5]; got != c.want {
				t.Errorf("CIGAR column is %s, want %s", got, c.want)
			}
			if hidden := !strings.Contains(line, "\tCG:"); hidden != (c.want == "1M2D2M" || c.aux == nil) {
				t.Errorf("the CG column is left out: %v; line %q", hidden, line)
			}
		})
	}
}

// FuzzParseRecord calls everything on whatever ParseRecord accepts.
func FuzzParseRecord(f *testing.F) {
	for _, r := range (bamtest.Generator{Seed: 5, Refs: 2, Length: 12, Odd: true}).Records(f, 40) {
		f.Add(r.Bytes())
	}
	h := bamtest.Header(f, 2)
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := bam.ParseRecord(raw)
		if err != nil {
			return
		}
		c := r.Cigar()
		c.UnclippedStart(int64(r.Pos()))
		c.UnclippedEnd(int64(r.Pos()))
		if n := len(r.ReadName()) + 1 + len(r.Seq()) + len(r.Qual()) + len(r.AuxBytes()); n > len(raw)-32 {
			t.Fatalf("the parts have %d bytes, the record %d", n, len(raw))
		}
		walked, malformed := 0, false
		for a, err := range r.AuxFields() {
			if malformed = err != nil; malformed {
				break
			}
			walked++
			if _, ok := r.Aux(a.Tag); !ok {
				t.Fatalf("tag %q is walked over but not found", a.Tag)
			}
			useAux(a)
		}
		line, err := h.AppendSAM(nil, r)
		if err == nil && (malformed || bytes.Count(line, []byte{'\t'}) > 10+walked) {
			t.Fatalf("%d fields, malformed %v, but the line is %q", walked, malformed, line)
		}
	})
}

// useAux reads all that a has.
func useAux(a bam.Aux) {
	a.Int()
	a.Float()
	for i := range a.ArrayLen() {
		if a.ArrayType() == 'f' {
			a.ArrayFloat(i)
		} else {
			a.ArrayInt(i)
		}
	}
}

func BenchmarkParseRecord(b *testing.B) {
	raw := bamtest.Generator{Seed: 1, Refs: 1}.Records(b, 1)[0].Bytes()
	b.ReportAllocs()
	b.SetBytes(int64(len(raw)))
	sum := int32(0)
	for b.Loop() {
		r, err := bam.ParseRecord(raw)
		if err != nil {
			b.Fatal(err)
		}
		sum += r.Pos()
	}
}
