package bam_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
	"github.com/gosort/gosort/bam/bamtest"
)

// lines turns a compact header into text: fields and lines are separated by blanks and newlines, kinds lack their '@'.
func lines(compact string) string {
	var b strings.Builder
	for line := range strings.Lines(compact) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("@" + strings.ReplaceAll(line, " ", "\t") + "\n")
		}
	}
	return b.String()
}

func merge(t testing.TB, texts ...string) (*bam.Header, []*bam.Translation) {
	t.Helper()
	var hs []*bam.Header
	for _, text := range texts {
		hs = append(hs, parseHeader(t, text))
	}
	h, translations, err := bam.MergeHeaders(hs)
	if err != nil {
		t.Fatalf("%v\nof %q", err, texts)
	}
	if len(translations) != len(hs) {
		t.Fatalf("%d translations of %d headers", len(translations), len(hs))
	}
	return h, translations
}

func TestMergeHeaders(t *testing.T) {
	for name, c := range map[string]struct {
		in   []string
		want string
	}{
		"one":          {[]string{"HD VN:1.6\nSQ SN:a LN:1\nCO x\nCO x"}, "HD VN:1.6\nSQ SN:a LN:1\nCO x\nCO x"},
		"equal":        {[]string{"SQ SN:a LN:1\nRG ID:r\nPG ID:p\nCO x\nCO x", "SQ SN:a LN:1\nRG ID:r\nPG ID:p\nCO x\nCO x"}, "SQ SN:a LN:1\nRG ID:r\nPG ID:p\nCO x\nCO x"},
		"first HD":     {[]string{"HD VN:1.6 SO:x\nCO a", "HD VN:1.4\nCO b"}, "HD VN:1.6 SO:x\nCO a\nCO b"},
		"HD of second": {[]string{"CO a", "CO b\nHD VN:1.4"}, "HD VN:1.4\nCO a\nCO b"},
		"SQ appended":  {[]string{"HD VN:1.6\nSQ SN:a LN:1 M5:x\nRG ID:r", "SQ SN:a LN:1\nSQ SN:b LN:2 AS:y"}, "HD VN:1.6\nSQ SN:a LN:1 M5:x\nSQ SN:b LN:2 AS:y\nRG ID:r"},
		"SQ between":   {[]string{"SQ SN:a LN:1\nCO x\nSQ SN:c LN:3", "SQ SN:b LN:2\nSQ SN:c LN:3\nSQ SN:d LN:4"}, "SQ SN:a LN:1\nCO x\nSQ SN:b LN:2\nSQ SN:c LN:3\nSQ SN:d LN:4"},
		"SQ in front":  {[]string{"SQ SN:b LN:2\nSQ SN:c LN:2", "SQ SN:a LN:1\nSQ SN:b LN:2"}, "SQ SN:a LN:1\nSQ SN:b LN:2\nSQ SN:c LN:2"},
		"SQ of three":  {[]string{"SQ SN:a LN:1\nSQ SN:d LN:1", "SQ SN:b LN:1\nSQ SN:d LN:1", "SQ SN:c LN:1\nSQ SN:d LN:1"}, "SQ SN:a LN:1\nSQ SN:b LN:1\nSQ SN:c LN:1\nSQ SN:d LN:1"},
		"SQ, HD last":  {[]string{"CO x\nHD VN:1.6", "SQ SN:a LN:1"}, "CO x\nHD VN:1.6\nSQ SN:a LN:1"},
		"SQ, no HD":    {[]string{"CO x", "SQ SN:a LN:1"}, "SQ SN:a LN:1\nCO x"},
		"RG":           {[]string{"RG ID:r SM:s\nCO x", "RG ID:q SM:t\nRG ID:r SM:s"}, "RG ID:r SM:s\nRG ID:q SM:t\nCO x"},
		"RG clash":     {[]string{"RG ID:r SM:s", "RG SM:t ID:r", "RG SM:t ID:r", "RG ID:r SM:u"}, "RG ID:r SM:s\nRG SM:t ID:r.1\nRG ID:r.2 SM:u"},
		"suffix taken": {[]string{"RG ID:r SM:s\nRG ID:r.2", "RG ID:r SM:t\nRG ID:r.1 SM:v"}, "RG ID:r SM:s\nRG ID:r.2\nRG ID:r.3 SM:t\nRG ID:r.1 SM:v"},
		"PG chain":     {[]string{"PG ID:a VN:1\nPG ID:b PP:a", "PG ID:b PP:a\nPG ID:a VN:2\nPG ID:c PP:b"}, "PG ID:a VN:1\nPG ID:b PP:a\nPG ID:b.1 PP:a.1\nPG ID:a.1 VN:2\nPG ID:c PP:b.1"},
		"PG circle":    {[]string{"PG ID:a PP:b\nPG ID:b PP:a", "PG ID:a PP:b\nPG ID:b PP:a"}, "PG ID:a PP:b\nPG ID:b PP:a"},
		"RG of PG":     {[]string{"PG ID:a VN:1\nRG ID:r PG:a", "PG ID:a VN:2\nRG ID:r PG:a"}, "PG ID:a VN:1\nPG ID:a.1 VN:2\nRG ID:r PG:a\nRG ID:r.1 PG:a.1"},
		"ID twice":     {[]string{"RG ID:r SM:s", "RG ID:r SM:t\nRG ID:r SM:u\nRG ID:r SM:t"}, "RG ID:r SM:s\nRG ID:r.1 SM:t\nRG ID:r.1 SM:u"},
		"no ID":        {[]string{"RG SM:s\nPG PN:p", "RG SM:s\nPG PN:q"}, "RG SM:s\nPG PN:p\nPG PN:q"},
		"unknown":      {[]string{"XX a\nCO x\nXY a", "XX a\nXX b\nXZ c\nCO x\nCO y\nCO y"}, "XX a\nXX b\nCO x\nCO y\nCO y\nXY a\nXZ c"},
		"none":         {[]string{"", ""}, ""},
		"kinds absent": {[]string{"", "CO x\nPG ID:p\nRG ID:r\nHD VN:1.6\nSQ SN:a LN:1"}, "HD VN:1.6\nSQ SN:a LN:1\nRG ID:r\nPG ID:p\nCO x"},
	} {
		t.Run(name, func(t *testing.T) {
			var in []string
			for _, text := range c.in {
				in = append(in, lines(text))
			}
			h, _ := merge(t, in...)
			if got, want := string(h.Text()), lines(c.want); got != want {
				t.Errorf("\n got %q\nwant %q", got, want)
			}
		})
	}
}

// TestMergeKeepsBytes: the first header's odd ends stay, and lines that follow them begin on lines of their own.
func TestMergeKeepsBytes(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{oddText, oddText, oddText},
		{"@CO\tx", "@CO\tx\n", "@CO\tx"},
		{"@CO\tx", "@CO\ty\r\n", "@CO\tx\n@CO\ty\n"},
		{"@SQ\tSN:a\tLN:1\r\n@CO\tcaf\xe9", "@SQ\tSN:b\tLN:1\r\n@RG\tID:r\t\tDS:\r\n", "@SQ\tSN:a\tLN:1\r\n@SQ\tSN:b\tLN:1\n@CO\tcaf\xe9\n@RG\tID:r\t\tDS:\n"},
	} {
		h, _ := merge(t, c.a, c.b)
		if got := string(h.Text()); got != c.want {
			t.Errorf("%q and %q:\n got %q\nwant %q", c.a, c.b, got, c.want)
		}
	}
}

// TestMergeDictionaries: headers whose text has no @SQ lines get them as soon as one of the others has.
func TestMergeDictionaries(t *testing.T) {
	bare, err := bam.NewHeader([]byte("@HD\tVN:1.6\n@CO\tx\n"), dictionary(t, "b", 2, "c", 3))
	if err != nil {
		t.Fatal(err)
	}
	other, err := bam.NewHeader([]byte("free text\n"), dictionary(t, "a", 1, "b", 2))
	if err != nil {
		t.Fatal(err)
	}
	rich := parseHeader(t, lines("SQ SN:c LN:3 M5:x\nSQ SN:d LN:4 M5:y"))
	for _, c := range []struct {
		hs    []*bam.Header
		text  string
		names string
	}{
		{[]*bam.Header{bare, bare}, "@HD\tVN:1.6\n@CO\tx\n", "bc"},
		{[]*bam.Header{bare, other}, "@HD\tVN:1.6\n@CO\tx\nfree text\n", "abc"},
		{[]*bam.Header{bare, rich}, lines("HD VN:1.6\nSQ SN:b LN:2\nSQ SN:c LN:3\nSQ SN:d LN:4 M5:y\nCO x"), "bcd"},
		{[]*bam.Header{rich, bare}, lines("HD VN:1.6\nSQ SN:b LN:2\nSQ SN:c LN:3 M5:x\nSQ SN:d LN:4 M5:y\nCO x"), "bcd"},
	} {
		h, _, err := bam.MergeHeaders(c.hs)
		if err != nil {
			t.Fatal(err)
		}
		names := ""
		for i := range h.NumRefs() {
			names += h.RefName(i)
		}
		if string(h.Text()) != c.text || names != c.names {
			t.Errorf("got text %q of %s\nwant %q of %s", h.Text(), names, c.text, c.names)
		}
	}
}

func TestMergeConflicts(t *testing.T) {
	for want, texts := range map[string][]string{
		`reference "b" has length 2 in the header of input 1 and 3 in that of input 3`:       {"SQ SN:a LN:1\nSQ SN:b LN:2", "", "SQ SN:b LN:3"},
		`reference "c" has length 2 in the header of input 2 and 3 in that of input 3`:       {"SQ SN:a LN:1", "SQ SN:c LN:2", "SQ SN:c LN:3"},
		`"a" is before "c" in the header of input 1 and behind it in that of input 2`:        {"SQ SN:a LN:1\nSQ SN:b LN:2\nSQ SN:c LN:3", "SQ SN:c LN:3\nSQ SN:x LN:9\nSQ SN:a LN:1"},
		`"x" is before "y" in the header of input 2 and behind it in that of input 3`:        {"SQ SN:a LN:1", "SQ SN:x LN:3\nSQ SN:y LN:9", "SQ SN:y LN:9\nSQ SN:x LN:3"},
		`no common order: "a" is before "b" in one header and behind it by way of others`:    {"SQ SN:a LN:1\nSQ SN:b LN:1", "SQ SN:b LN:1\nSQ SN:c LN:1", "SQ SN:c LN:1\nSQ SN:a LN:1"},
		`"chr10" is before "chr3" in the header of input 1 and behind it in that of input 2`: {"SQ SN:chr1 LN:1\nSQ SN:chr10 LN:1\nSQ SN:chr2 LN:1\nSQ SN:chr3 LN:1", "SQ SN:chr1 LN:1\nSQ SN:chr2 LN:1\nSQ SN:chr3 LN:1\nSQ SN:chr10 LN:1"},
	} {
		var hs []*bam.Header
		for _, text := range texts {
			hs = append(hs, parseHeader(t, lines(text)))
		}
		if _, _, err := bam.MergeHeaders(hs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", texts, err, want)
		}
	}
	twice, err := bam.NewHeader(nil, dictionary(t, "a", 1, "a", 1))
	if err != nil {
		t.Fatal(err)
	}
	one := parseHeader(t, lines("SQ SN:a LN:1"))
	for i, hs := range [][]*bam.Header{{twice, one}, {one, twice}} {
		want := fmt.Sprintf(`"a" is twice in the header of input %d`, i+1)
		if _, _, err := bam.MergeHeaders(hs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a name that is twice: error %v, want %q", err, want)
		}
	}
	if h, tr, err := bam.MergeHeaders([]*bam.Header{twice, twice}); err != nil || h.NumRefs() != 2 || !tr[1].Identity() {
		t.Errorf("equal dictionaries with a name that is twice: error %v, want none and the same", err)
	}
	if _, _, err := bam.MergeHeaders(nil); err == nil {
		t.Error("no headers: no error")
	}
}

func TestTranslation(t *testing.T) {
	h, tr := merge(t,
		lines("SQ SN:b LN:100\nRG ID:r SM:s\nPG ID:p VN:1"),
		lines("SQ SN:a LN:100\nSQ SN:b LN:100\nRG ID:r SM:t\nPG ID:p VN:2\nRG ID:q SM:t"))
	old := []*bam.Header{parseHeader(t, lines("SQ SN:b LN:100")), parseHeader(t, lines("SQ SN:a LN:100\nSQ SN:b LN:100"))}
	for _, c := range []struct {
		input    int
		in, want string
	}{
		{0, "n 0 b 1 0 1M = 5 0 A I RG:Z:r PG:Z:p", "n 0 b 1 0 1M = 5 0 A I RG:Z:r PG:Z:p"},
		{0, "n 4 * 0 0 * * 0 0 A I", "n 4 * 0 0 * * 0 0 A I"},
		{1, "n 0 b 1 0 1M a 5 0 A I RG:Z:r PG:Z:p", "n 0 b 1 0 1M a 5 0 A I RG:Z:r.1 PG:Z:p.1"},
		{1, "n 0 a 1 0 1M * 0 0 A I XX:i:1 RG:Z:r NM:i:3 RG:Z:q PG:Z:x MD:Z:1", "n 0 a 1 0 1M * 0 0 A I XX:i:1 RG:Z:r.1 NM:i:3 RG:Z:q PG:Z:x MD:Z:1"},
		{1, "n 4 * 0 0 * * 0 0 A I RG:Z:rr RG:Z: RG:A:r RG:H:r XG:Z:r RX:Z:r", "n 4 * 0 0 * * 0 0 A I RG:Z:rr RG:Z: RG:A:r RG:H:r XG:Z:r RX:Z:r"},
	} {
		raw, err := old[c.input].ParseSAMLine(nil, []byte(strings.ReplaceAll(c.in, " ", "\t")))
		if err != nil {
			t.Fatal(err)
		}
		got, err := tr[c.input].Apply([]byte("kept"), bam.Trusted(raw))
		if err != nil || string(got[:4]) != "kept" {
			t.Fatalf("%q: %q, %v", c.in, got, err)
		}
		r, err := bam.ParseRecord(got[4:])
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.ReplaceAll(strings.TrimSuffix(bamtest.SAM(t, h, []bam.Record{r}), "\n"), "\t", " "); text != c.want {
			t.Errorf("input %d\n got %q\nwant %q", c.input, text, c.want)
		}
	}
	if tr[0].Identity() || tr[1].Identity() {
		t.Error("translations of moved references are identities")
	}
	if got := tr[1].ReadGroup("r") + tr[1].ReadGroup("q") + tr[1].Program("p") + tr[1].Program("x"); got != "r.1qp.1x" {
		t.Errorf("IDs became %q", got)
	}
}

func TestTranslationErrors(t *testing.T) {
	_, tr := merge(t, lines("SQ SN:b LN:100"), lines("SQ SN:a LN:100\nSQ SN:b LN:100"))
	for _, f := range []bamtest.Fields{{Name: "n", RefID: 1}, {Name: "n", RefID: -2}, {Name: "n", NextRefID: 1}} {
		got, err := tr[0].Apply([]byte("kept"), f.Record(t))
		if !errors.Is(err, bam.ErrCorrupt) || !strings.Contains(err.Error(), `"n"`) || string(got) != "kept" {
			t.Errorf("%+v: got %q and %v, want ErrCorrupt", f, got, err)
		}
	}
	// What follows a malformed field is left alone.
	_, tr = merge(t, lines("RG ID:r SM:a"), lines("RG ID:r SM:b"))
	aux := append(bamtest.AppendAux(nil, "RG", "r"), "XXq1RGZr\x00"...)
	want := append(bamtest.AppendAux(nil, "RG", "r.1"), "XXq1RGZr\x00"...)
	got, err := tr[1].Apply(nil, bamtest.Fields{RefID: -1, NextRefID: -1, Aux: aux}.Record(t))
	if err != nil || !bytes.HasSuffix(got, want) {
		t.Errorf("got %q, %v, want it to end in %q", got, err, want)
	}
}

func TestIdentity(t *testing.T) {
	a := lines("SQ SN:a LN:1\nRG ID:r SM:s\nPG ID:p")
	for _, c := range []struct {
		texts []string
		want  []bool
	}{
		{[]string{a}, []bool{true}},
		{[]string{a, a, a}, []bool{true, true, true}},
		{[]string{a, lines("SQ SN:a LN:1\nSQ SN:b LN:1\nRG ID:q")}, []bool{true, true}},
		{[]string{a, lines("SQ SN:b LN:1")}, []bool{true, false}},
		{[]string{a, lines("SQ SN:b LN:1\nSQ SN:a LN:1")}, []bool{false, true}},
		{[]string{a, lines("RG ID:r SM:t")}, []bool{true, false}},
		{[]string{a, lines("PG ID:p VN:2")}, []bool{true, false}},
	} {
		_, tr := merge(t, c.texts...)
		var got []bool
		for _, x := range tr {
			got = append(got, x.Identity())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: identities %v, want %v", c.texts, got, c.want)
		}
	}
	if !new(bam.Translation).Identity() {
		t.Error("the zero Translation is no identity")
	}
}

func TestApplyAllocatesNothing(t *testing.T) {
	_, tr := merge(t, lines("SQ SN:x LN:1\nRG ID:a SM:s"), lines("SQ SN:chr1 LN:1\nSQ SN:chr2 LN:1\nRG ID:a SM:t\nRG ID:b SM:t"))
	records := bamtest.Generator{Seed: 1, Refs: 2}.Records(t, 20)
	dst := make([]byte, 0, 1<<12)
	if n := testing.AllocsPerRun(10, func() {
		for _, r := range records {
			if _, err := tr[1].Apply(dst, r); err != nil {
				t.Error(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations for 20 records, want 0", n)
	}
}
