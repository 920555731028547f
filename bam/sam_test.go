package bam_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// splitBAM returns the records of an uncompressed BAM stream.
func splitBAM(t *testing.T, stream []byte) []bam.Record {
	t.Helper()
	b := stream[4:] // the magic
	b = b[4+binary.LittleEndian.Uint32(b):]
	refs := binary.LittleEndian.Uint32(b)
	b = b[4:]
	for range refs {
		b = b[4+binary.LittleEndian.Uint32(b)+4:]
	}
	var records []bam.Record
	for len(b) > 0 {
		n := binary.LittleEndian.Uint32(b)
		r, err := bam.ParseRecord(b[4 : 4+n])
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
		b = b[4+n:]
	}
	return records
}

func recordLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line[0] != '@' || strings.HasPrefix(line, "@at\t") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// parseLines is bamtest.FromSAM for files where a read is called @at.
func parseLines(t *testing.T, text string) (*bam.Header, []bam.Record) {
	t.Helper()
	lines := recordLines(text)
	h, _ := bamtest.FromSAM(t, strings.TrimSuffix(text, lines))
	var records []bam.Record
	for line := range strings.Lines(lines) {
		raw, err := h.ParseSAMLine(nil, []byte(line))
		if err != nil {
			t.Fatalf("%v\nin %q", err, line)
		}
		r, err := bam.ParseRecord(raw)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return h, records
}

func TestSAMGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/sam/*.sam")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text := readFile(t, file)
			h, got := parseLines(t, text)
			base := strings.TrimSuffix(file, ".sam")
			if _, err := os.Stat(base + ".raw"); err == nil {
				want := splitBAM(t, []byte(readFile(t, base+".raw")))
				if len(got) != len(want) {
					t.Fatalf("got %d records, want %d", len(got), len(want))
				}
				for i := range got {
					if !bytes.Equal(got[i].Bytes(), want[i].Bytes()) {
						t.Errorf("record %d\n got %q\nwant %q", i, got[i].Bytes(), want[i].Bytes())
					}
				}
			}
			want := recordLines(text)
			if _, err := os.Stat(base + ".view"); err == nil {
				want = readFile(t, base+".view")
			}
			if got := bamtest.SAM(t, h, got); got != want {
				t.Errorf("text\n got %q\nwant %q", got, want)
			}
		})
	}
}

func TestSAMTextEqualsSamtools(t *testing.T) {
	h := bamtest.Header(t, 3)
	for _, length := range []int{10, 150, 5000} {
		records := bamtest.Generator{Seed: 7, Refs: 3, Length: length, Odd: true}.Records(t, 200)
		got := bamtest.SAM(t, h, records)
		want := string(samtools(t, bamtest.BAM(t, h, records), "view"))
		if got != want {
			g, w := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
			for i := range min(len(g), len(w)) {
				if g[i] != w[i] {
					t.Fatalf("length %d, record %d\n got %q\nwant %q", length, i, g[i], w[i])
				}
			}
			t.Fatalf("length %d: got %d lines, want %d", length, len(g), len(w))
		}
	}
}

// manyOps is a line of 70,000 CIGAR operations.
func manyOps() string {
	const pairs = 35_000
	return "long\t0\tchr1\t1\t60\t" + strings.Repeat("1M1D", pairs) + "\t*\t0\t0\t" + strings.Repeat("A", pairs) + "\t*\tNM:i:7\n"
}

func TestLongCigar(t *testing.T) {
	h := bamtest.Header(t, 1)
	line := manyOps()
	raw, err := h.ParseSAMLine(nil, []byte(line))
	if err != nil {
		t.Fatal(err)
	}
	r, err := bam.ParseRecord(raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := binary.LittleEndian.Uint16(raw[12:]); got != 2 {
		t.Errorf("n_cigar_op is %d, want the placeholder's 2", got)
	}
	if c := r.Cigar(); c.Len() != 70_000 || c.RefLen() != 70_000 {
		t.Errorf("CIGAR of %d operations over %d bases, want 70000 over 70000", c.Len(), c.RefLen())
	}
	cg, ok := r.Aux([2]byte{'C', 'G'})
	if !ok || cg.ArrayType() != 'I' || cg.ArrayLen() != 70_000 {
		t.Errorf("CG tag %c of %d, %v", cg.ArrayType(), cg.ArrayLen(), ok)
	}
	if got := bamtest.SAM(t, h, []bam.Record{r}); got != line {
		t.Errorf("text differs: %d bytes, want %d", len(got), len(line))
	}
	if _, err := h.ParseSAMLine(nil, []byte(strings.Replace(line, "NM:i:7", "CG:Z:x", 1))); !errors.Is(err, bam.ErrCorrupt) {
		t.Errorf("a CG tag in the way: error %v, want ErrCorrupt", err)
	}
	if got := string(samtools(t, bamtest.BAM(t, h, []bam.Record{r}), "view")); got != line {
		t.Errorf("samtools reads %d bytes of text, want %d", len(got), len(line))
	}
}

func TestLineEnds(t *testing.T) {
	h := bamtest.Header(t, 1)
	const line = "r\t0\tchr1\t1\t60\t1M\t=\t5\t-3\tA\tI\tXX:Z:v"
	want, err := h.ParseSAMLine(nil, []byte(line))
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"\n", "\r\n"} {
		got, err := h.ParseSAMLine([]byte("kept"), []byte(line+end))
		if err != nil || string(got) != "kept"+string(want) {
			t.Errorf("end %q: got %q, %v, want %q", end, got, err, want)
		}
	}
}

func TestParseSAMLineErrors(t *testing.T) {
	valid := []string{"r", "0", "chr1", "1", "60", "1M", "=", "5", "-3", "A", "I", "XX:Z:v"}
	for _, c := range []struct {
		column int
		text   string
		want   string
	}{
		{0, "", "QNAME"}, {0, strings.Repeat("n", 255), "254"}, {0, "a\x00b", "NUL"},
		{1, "65536", "FLAG"}, {1, "-1", "FLAG"}, {1, "", "FLAG"}, {1, "0x10", "FLAG"}, {1, "020", "octal"},
		{2, "chr9", "no @SQ line of that name"}, {2, "", "RNAME"}, {2, "=", "RNAME"},
		{3, "-1", "POS"}, {3, "2147483648", "POS"}, {3, "99999999999999999999999", "POS"}, {3, "1 ", "POS"},
		{4, "256", "MAPQ"},
		{5, "", "CIGAR"}, {5, "M", "no length"}, {5, "5", "no operation"}, {5, "5Y", "MIDNSHP=X"}, {5, "268435456M", "longer"},
		{6, "chr9", "RNEXT"}, {7, "-1", "PNEXT"}, {8, "2147483648", "TLEN"}, {8, "1.5", "TLEN"}, {8, "-", "TLEN"},
		{9, "", "SEQ"}, {9, "A1", "no base"}, {9, "**", "no base"}, {9, "1", "no base"}, {9, "*", "QUAL"}, {9, "AC", "2 bases, the CIGAR has 1"},
		{10, "", "QUAL"}, {10, "II", "QUAL"}, {10, " ", "below"},
		{11, "", "TAG:TYPE:VALUE"}, {11, "X:Z:v", "TAG:TYPE:VALUE"}, {11, "XX:Z", "TAG:TYPE:VALUE"}, {11, "XX:q:1", "AifZHB"},
		{11, "XX:Z:a\nb", "end of the line"}, {11, "XX:Z:a\r\r", "carriage return"}, {11, "XX:A:", "0 characters"}, {11, "XX:A:ab", "2 characters"}, {11, "XX:Z:a\x00", "NUL"}, {11, "XX:A:\x00", "NUL"}, {11, "X\x00:i:1", "NUL"},
		{11, "XX:i:4294967296", "no integer"}, {11, "XX:i:-2147483649", "no integer"}, {11, "XX:i:", "no integer"}, {11, "XX:i:1.0", "no integer"},
		{11, "XX:f:", "no number"}, {11, "XX:f:1_0", "no number"}, {11, "XX:f:e", "no number"}, {11, "XX:f:1e39", "range"}, {11, "XX:f:1e999", "range"},
		{11, "XX:B:", "array's type"}, {11, "XX:B:A,1", "array's type"}, {11, "XX:B:d,1", "array's type"}, {11, "XX:B:c1", "comma"},
		{11, "XX:B:c,128", "element 1"}, {11, "XX:B:C,1,-1", "element 2"}, {11, "XX:B:C,1,", "element 2"}, {11, "XX:B:f,x", "element 1"},
	} {
		t.Run(c.want+"/"+c.text[:min(len(c.text), 20)], func(t *testing.T) {
			columns := append([]string(nil), valid...)
			columns[c.column] = c.text
			got, err := bamtest.Header(t, 1).ParseSAMLine([]byte("kept"), []byte(strings.Join(columns, "\t")))
			if !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want ErrCorrupt with %q", err, c.want)
			}
			if string(got) != "kept" {
				t.Errorf("dst is %q, want it as it was", got)
			}
		})
	}
	_, err := bamtest.Header(t, 1).ParseSAMLine(nil, []byte(strings.Join(valid[:10], "\t")))
	if err == nil || !strings.Contains(err.Error(), "10 columns") {
		t.Errorf("short line: error %v, want the number of columns", err)
	}
	_, err = bamtest.Header(t, 0).ParseSAMLine(nil, []byte(strings.Join(valid, "\t")))
	if err == nil || !strings.Contains(err.Error(), "no @SQ lines") {
		t.Errorf("no references: error %v, want the remedy", err)
	}
}

func TestAppendSAMErrors(t *testing.T) {
	for name, f := range map[string]bamtest.Fields{
		"RefID is 1":                      {Name: "r", RefID: 1},
		"next RefID is -2":                {Name: "r", NextRefID: -2},
		"position is -2147483648":         {Name: "r", Pos: math.MinInt32},
		"position is -2, SAM":             {Name: "r", Pos: -2},
		"position is 2147483647":          {Name: "r", Pos: math.MaxInt32},
		"next position is -2":             {Name: "r", NextPos: -2},
		"next position is 2147483647":     {Name: "r", NextPos: math.MaxInt32},
		"name is empty":                   {},
		"name has a tab":                  {Name: "a\tb"},
		"name has a tab, line end":        {Name: "a\nb"},
		"name has a tab, line end or NUL": {Name: "a\x00b"},
		"comment":                         {Name: "@CO"},
		"quality of 223":                  {Name: "r", Seq: "AC", Qual: "I\x00"},
		"tag \"XX\" has a tab":            {Name: "r", Aux: bamtest.AppendAux(nil, "XX", "a\nb")},
		"tag \"XY\" has a tab":            {Name: "r", Aux: bamtest.AppendAux(nil, "XY", bamtest.Char(0))},
		"tag \"\\x00Y\" has a tab":        {Name: "r", Aux: bamtest.AppendAux(nil, "\x00Y", uint8(1))},
		"stray":                           {Name: "r", Aux: []byte("XX")},
		"no NUL":                          {Name: "r", Aux: []byte("XXZtext")},
		"unknown type 'q'":                {Name: "r", Aux: []byte("XXq1")},
		"overruns":                        {Name: "r", Aux: []byte("XXi123")},
		"array of":                        {Name: "r", Aux: []byte("XXBA\x01\x00\x00\x00a")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := bamtest.Header(t, 1).AppendSAM([]byte("kept"), f.Record(t))
			want := fmt.Sprintf("read %q: ", f.Name)
			if !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want ErrCorrupt with %q and %q", err, name, want)
			}
			if string(got) != "kept" {
				t.Errorf("dst is %q, want it as it was", got)
			}
		})
	}
}

func TestAppendSAMUnknownOperation(t *testing.T) {
	raw := bamtest.Fields{Name: "r", Cigar: "1M"}.Bytes()
	raw[32+len("r\x00")] |= 9
	got, err := bamtest.Header(t, 1).AppendSAM(nil, bam.Trusted(raw))
	if want := `read "r": the CIGAR has an operation of unknown type`; !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %q and %v, want ErrCorrupt with %q", got, err, want)
	}
}

// TestWriterRefusesText: what SAM has no form for ends the writing; the error tells which record it was.
func TestWriterRefusesText(t *testing.T) {
	h, records := sample(t, 5)
	w, err := bam.NewWriter(io.Discard, h, bam.SAM)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[:5] {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	err = w.Write(bamtest.Fields{Name: "a\x00b"}.Record(t))
	if want := `read "a\x00b": the read name has a tab, line end or NUL (record 6 of the output)`; !errors.Is(err, bam.ErrCorrupt) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want ErrCorrupt and %q", err, want)
	}
	if again := w.Write(records[0]); again != err {
		t.Errorf("the next Write: got %v, want the same error", again)
	}
}

func TestWriterRefusesHeaderText(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"free text\n", "a", `header line 1 is none that SAM can hold: "free text"`},
		{"@CO\tx\n\n@CO\ty\n", "a", "header line 2"},
		{"@CO\tx\x00y\n", "a", "header line 1"},
		{"@CO\n@r\t4\t*\t0\t0\t*\t*\t0\t0\t*\t*\n", "a", "header line 2"},
		{"@SQ\tSN:a\n@SQ\tSN:b\n", "a", "header line 1: @SQ SN:a has no LN"},
		{"", "a\tb", `reference 1 has a name that SAM cannot hold: "a\tb"`},
		{"", "*", "reference 1"},
		{"", "b", `reference 2 has the name of one before it, "b"`},
		{"@CO\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\n@xy\tAB:1\r\n", "a", ""},
		{"@SQ\tSN:a\tLN:5\n@SQ\tSN:b\tLN:6\n", "a", ""},
	} {
		h, err := bam.NewHeader([]byte(c.text), dictionary(t, c.name, 5, "b", 6))
		if err != nil {
			t.Fatal(err)
		}
		_, err = bam.NewWriter(io.Discard, h, bam.SAM)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q, %q: error %v, want %q", c.text, c.name, err, c.want)
		}
		if _, err := bam.NewWriter(io.Discard, h, bam.BAM); err != nil {
			t.Errorf("%q, %q as BAM: %v", c.text, c.name, err)
		}
	}
}

func TestFloatText(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", 100000: "100000", 999999: "999999", 1e6: "1e+06", 0.0001: "0.0001", 0.00001: "1e-05",
		1.0 / 3: "0.333333", 1234567: "1.23457e+06", -2.5: "-2.5", 1e300: "1e+300", math.Inf(1): "inf", math.Inf(-1): "-inf",
		math.Copysign(0, -1): "-0", 99999.95: "99999.9",
	} {
		r := bamtest.Fields{Name: "r", RefID: -1, NextRefID: -1, Aux: bamtest.AppendAux(nil, "XX", v)}.Record(t)
		line := bamtest.SAM(t, bamtest.Header(t, 0), []bam.Record{r})
		if _, got, _ := strings.Cut(strings.TrimSpace(line), "XX:d:"); got != want {
			t.Errorf("%g prints as %q, want %q", v, got, want)
		}
	}
}

func TestTextAllocatesNothing(t *testing.T) {
	h := bamtest.Header(t, 2)
	records := bamtest.Generator{Seed: 1, Refs: 2}.Records(t, 20)
	lines := bytes.SplitAfter([]byte(bamtest.SAM(t, h, records)), []byte{'\n'})[:20]
	text, raw := make([]byte, 0, 1<<12), make([]byte, 0, 1<<12)
	if n := testing.AllocsPerRun(10, func() {
		for i, r := range records {
			if _, err := h.AppendSAM(text, r); err != nil {
				t.Error(err)
			}
			if _, err := h.ParseSAMLine(raw, lines[i]); err != nil {
				t.Error(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations for 20 records both ways, want 0", n)
	}
}
