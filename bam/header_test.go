package bam_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

func parseHeader(t testing.TB, text string) *bam.Header {
	t.Helper()
	h, err := bam.ParseHeader([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// dictionary makes References from name, length pairs.
func dictionary(t testing.TB, pairs ...any) *bam.References {
	t.Helper()
	refs := new(bam.References)
	for i := 0; i < len(pairs); i += 2 {
		if err := refs.Add([]byte(pairs[i].(string)), int64(pairs[i+1].(int))); err != nil {
			t.Fatal(err)
		}
	}
	return refs
}

const oddText = "@CO\tfirst\r\n@SQ\tLN:5\tXX:y\tSN:b\r\n@HD\tVN:1.6\n@CO\tfirst\n@XX\n@SQ\tSN:a\tLN:2147483647\tDS:caf\xe9\n@RG\tID:x"

func TestParseHeader(t *testing.T) {
	h := parseHeader(t, oddText)
	if string(h.Text()) != oddText {
		t.Errorf("text %q, want %q", h.Text(), oddText)
	}
	if h.NumRefs() != 2 || h.RefName(0) != "b" || h.RefLen(0) != 5 || h.RefName(1) != "a" || h.RefLen(1) != 1<<31-1 {
		t.Errorf("%d references, first %q of %d", h.NumRefs(), h.RefName(0), h.RefLen(0))
	}
	for name, want := range map[string]int32{"b": 0, "a": 1, "c": -1, "": -1} {
		if id, ok := h.RefID([]byte(name)); id != want || ok != (want >= 0) {
			t.Errorf("RefID(%q) = %d, %v, want %d", name, id, ok, want)
		}
	}
	if h := parseHeader(t, ""); h.NumRefs() != 0 || len(h.Text()) != 0 {
		t.Errorf("no text: %d references, text %q", h.NumRefs(), h.Text())
	}
}

func TestParseHeaderErrors(t *testing.T) {
	for text, want := range map[string]string{
		"@HD\tVN:1.6\nr\t0\n":                        "line 2 does not start",
		"@SQ\tLN:5\n":                                "line 1: @SQ has no SN",
		"@SQ\tSN:\tLN:5\n":                           "line 1: @SQ has no SN",
		"@CO\tx\n@SQ\tSN:a\n":                        "line 2: @SQ SN:a has no LN",
		"@SQ\tSN:a\tLN:x\n":                          `"x", which is no length`,
		"@SQ\tSN:a\tLN:-1\n":                         `"-1", which is no length`,
		"@SQ\tSN:a\tLN:2147483648\n":                 "LN 2147483648, and BAM holds at most 2^31-1",
		"@SQ\tSN:*\tLN:1\n":                          "SN:*",
		"@SQ\tSN:=\tLN:1\n":                          "SN:=",
		"@SQ\tSN:a\tLN:1\tDS:x\tLN:2\n":              "line 1: @SQ SN:a has SN or LN twice",
		"@SQ\tSN:a\tSN:b\tLN:1\n":                    "SN or LN twice",
		"@SQ\tSN:a\tLN:1\n@CO\n@SQ\tSN:a\tLN:1\r\n":  "line 3: @SQ SN:a was there before, in line 1",
		"@SQ\tSN:a\tLN:99999999999999999999999999\n": "no length",
	} {
		_, err := bam.ParseHeader([]byte(text))
		if !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want ErrCorrupt with %q", text, err, want)
		}
	}
}

func TestNewHeader(t *testing.T) {
	ok := []string{"", "@CO\tno @SQ\n", "@SQ\tSN:a\tLN:5\n@SQ\tSN:b\tLN:6", "@SQ\tSN:a\n@SQ\tLN:6\tSN:b\r\n\x00\x00\x00", "free text\n\n"}
	for _, text := range ok {
		h, err := bam.NewHeader([]byte(text), dictionary(t, "a", 5, "b", 6))
		if err != nil || h.NumRefs() != 2 || string(h.Text()) != strings.TrimRight(text, "\x00") {
			t.Errorf("%q: error %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"@SQ\tSN:a\tLN:5\n":                                   `1 @SQ lines, the binary dictionary 2 references: "b" has no line`,
		"@SQ\tSN:a\tLN:5\n@SQ\tSN:c\tLN:6\n":                  `line 2: @SQ number 2 has SN "c" where the binary dictionary has "b"`,
		"@HD\tVN:1.6\n@SQ\tSN:a\tLN:7\n":                      `line 2: @SQ SN:a has LN "7" where the binary dictionary has 5`,
		"@SQ\tSN:a\tLN:5\n@SQ\tSN:b\tLN:6\n@SQ\tSN:c\tLN:6\n": "line 3: @SQ number 3, but the binary dictionary has only 2",
		"@SQ\tSN:a\tLN:x\n":                                   `LN "x"`,
	} {
		_, err := bam.NewHeader([]byte(text), dictionary(t, "a", 5, "b", 6))
		if !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want ErrCorrupt with %q", text, err, want)
		}
	}
}

func TestReferences(t *testing.T) {
	refs := new(bam.References)
	const n = 1000
	for i := range n {
		if err := refs.Add(fmt.Appendf(nil, "contig%d", i), int64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := refs.Add([]byte("contig7"), 1); err != nil { // twice: BAM allows it, the first is found
		t.Fatal(err)
	}
	for i := range n {
		if id, ok := refs.Find([]byte(refs.Name(i))); !ok || int(id) != i || refs.Length(i) != int64(i) {
			t.Fatalf("Find(%q) = %d, %v, length %d; want %d", refs.Name(i), id, ok, refs.Length(i), i)
		}
	}
	for _, c := range []struct {
		name   string
		length int64
	}{{"", 1}, {"x", -1}, {"x", 1 << 31}} {
		if err := refs.Add([]byte(c.name), c.length); !errors.Is(err, bam.ErrCorrupt) {
			t.Errorf("Add(%q, %d): error %v, want ErrCorrupt", c.name, c.length, err)
		}
	}
	if refs.Len() != n+1 {
		t.Errorf("%d references after refused ones, want %d", refs.Len(), n+1)
	}
}

func TestAppendBinary(t *testing.T) {
	h := parseHeader(t, oddText)
	got, err := h.AppendBinary([]byte("kept"))
	if err != nil {
		t.Fatal(err)
	}
	want := []byte("keptBAM\x01")
	want = binary.LittleEndian.AppendUint32(want, uint32(len(oddText)))
	want = append(want, oddText...)
	want = append(want, "\x02\x00\x00\x00\x02\x00\x00\x00b\x00\x05\x00\x00\x00\x02\x00\x00\x00a\x00\xff\xff\xff\x7f"...)
	if !bytes.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestAppendSAMHeader(t *testing.T) {
	const sq = "@SQ\tSN:a\tLN:5\n"
	for text, want := range map[string]string{
		"":                          sq,
		"@CO\tx":                    sq + "@CO\tx\n",
		"@HD\tVN:1.6":               "@HD\tVN:1.6\n" + sq,
		"@HD\tVN:1.6\r\n@CO\tx\n":   "@HD\tVN:1.6\r\n" + sq + "@CO\tx\n",
		sq + "@CO\tx":               sq + "@CO\tx\n",
		"@SQ\tSN:a\tLN:5\tM5:x\r\n": "@SQ\tSN:a\tLN:5\tM5:x\r\n",
	} {
		h, err := bam.NewHeader([]byte(text), dictionary(t, "a", 5))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(h.AppendSAMHeader([]byte("kept"))); got != "kept"+want {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want)
		}
	}
}

func TestCloneIsIndependent(t *testing.T) {
	h := bamtest.Header(t, 1)
	before := string(h.Text())
	c := h.Clone()
	c.SetSortOrder("coordinate", "", "")
	c.AddProgram(bam.Program{ID: "p"})
	if string(h.Text()) != before || c.RefName(0) != "chr1" {
		t.Errorf("text of the original is %q, was %q", h.Text(), before)
	}
}

// FuzzHeader holds the edits to what they promise: other lines stay byte for
// byte, and saying the same order again changes nothing.
func FuzzHeader(f *testing.F) {
	for _, text := range []string{
		oddText, "", "@HD\n", "@HD\tSO:x\tVN:1.6\tGO:query\tSO:y\tSS:a:b\r\n@PG\tID:p\r\n@PG\tID:q\tPP:p\r\n@CO\tx", "@PG\tID:a\tPP:a\n@HD\tVN:1.6\n",
	} {
		f.Add(text, "coordinate", "query", "p")
	}
	f.Fuzz(func(t *testing.T, text, so, group, id string) {
		h, err := bam.ParseHeader([]byte(text))
		if err != nil {
			return
		}
		h.SetSortOrder(so, group, "")
		once := string(h.Text())
		h.SetSortOrder(so, group, "")
		if got := string(h.Text()); got != once {
			t.Fatalf("second SetSortOrder:\n got %q\nwant %q", got, once)
		}
		if got, want := untouched(once), untouched(text); got != want {
			t.Fatalf("SetSortOrder:\n got %q\nwant %q", got, want)
		}
		h.AddProgram(bam.Program{ID: "gosort" + id, CL: so})
		if got, want := untouched(string(h.Text())), untouched(text); got != want {
			t.Fatalf("AddProgram:\n got %q\nwant %q", got, want)
		}
		again, err := bam.ParseHeader(h.Text())
		if err != nil || again.NumRefs() != h.NumRefs() {
			t.Fatalf("after edits %q: %d references, want %d, error %v", h.Text(), again.NumRefs(), h.NumRefs(), err)
		}
	})
}

// untouched returns the lines of text that no edit may change; the last one
// gets its end.
func untouched(text string) string {
	var b strings.Builder
	hd := false
	for line := range strings.Lines(text) {
		switch kind, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t"); {
		case kind == "@HD" && !hd:
			hd = true
		case strings.HasPrefix(line, "@PG\tID:gosort"):
		default:
			b.WriteString(strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}
