package bam_test

import (
	"strings"
	"testing"

	"github.com/gosort/gosort/bam"
)

func TestSetSortOrder(t *testing.T) {
	const sq = "@SQ\tSN:chr2\tLN:1000\r\n"
	for _, c := range []struct{ text, so, group, sub, want string }{
		{"", "coordinate", "", "", "@HD\tVN:1.6\tSO:coordinate\n"},
		{sq, "unsorted", "query", "unsorted:template-coordinate", "@HD\tVN:1.6\tSO:unsorted\tGO:query\tSS:unsorted:template-coordinate\n" + sq},
		{"@HD\tVN:1.6\tSO:unsorted\n" + sq, "queryname", "", "queryname:natural", "@HD\tVN:1.6\tSO:queryname\tSS:queryname:natural\n" + sq},
		{"@HD\tVN:1.5\tXX:1\r\n" + sq, "coordinate", "", "", "@HD\tVN:1.5\tSO:coordinate\tXX:1\r\n" + sq},
		{"@HD\tVN:1.6\tGO:query\tXX:1\tSO:x\tSS:x:y\n", "coordinate", "", "", "@HD\tVN:1.6\tXX:1\tSO:coordinate\n"},
		{"@HD\tVN:1.6\tSO:x\tXX:1\tGO:none", "unsorted", "query", "a:b", "@HD\tVN:1.6\tSO:unsorted\tGO:query\tSS:a:b\tXX:1"},
		{"@HD\tSO:x\tVN:1.6\n", "unsorted", "", "", "@HD\tSO:unsorted\tVN:1.6\n"},
		{"@HD\tXX:1\n", "unsorted", "", "", "@HD\tSO:unsorted\tXX:1\n"},
		{"@HD\n", "unsorted", "", "", "@HD\tSO:unsorted\n"},
		{sq + "@HD\tVN:1.6\n@HD\tVN:1.4\n", "unsorted", "", "", sq + "@HD\tVN:1.6\tSO:unsorted\n@HD\tVN:1.4\n"},
		{"@HDX\tVN:1\n", "unsorted", "", "", "@HD\tVN:1.6\tSO:unsorted\n@HDX\tVN:1\n"},
		{"@HD\tVN:1.6\tSO:x\tSO:y\n", "unsorted", "", "", "@HD\tVN:1.6\tSO:unsorted\n"},
		{"@HD\tVN:1.6\tSO:x\tGO:y\tSS:z\n", "", "", "", "@HD\tVN:1.6\n"},
	} {
		h := parseHeader(t, c.text)
		h.SetSortOrder(c.so, c.group, c.sub)
		if got := string(h.Text()); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
		if h.SortOrder() != c.so || h.GroupOrder() != c.group || h.SubSort() != c.sub {
			t.Errorf("%q: reads back as %q, %q, %q", c.text, h.SortOrder(), h.GroupOrder(), h.SubSort())
		}
	}
}

// programCases are @PG lines and what is to follow; "+" stands for a new line
// with the PP behind it. samtools 1.16.1 adds the same lines in the same places.
var programCases = map[string][2]string{
	"none":             {"", "+\n"},
	"one":              {"@PG\tID:a\n", "@PG\tID:a\n+a\n"},
	"no chain":         {"@PG\tID:a\n@PG\tID:b\n", "@PG\tID:a\n@PG\tID:b\n+b\n"},
	"chain and alone":  {"@PG\tID:a\n@PG\tID:b\tPP:a\n@PG\tID:c\n", "@PG\tID:a\n@PG\tID:b\tPP:a\n@PG\tID:c\n+b\n"},
	"two ends":         {"@PG\tID:a\n@PG\tID:b\tPP:a\n@PG\tID:c\tPP:a\n@PG\tID:d\n", "@PG\tID:a\n@PG\tID:b\tPP:a\n@PG\tID:c\tPP:a\n@PG\tID:d\n+b\n+c\n"},
	"end before start": {"@PG\tID:b\tPP:a\n@PG\tID:a\n@PG\tID:c\n", "@PG\tID:b\tPP:a\n@PG\tID:a\n@PG\tID:c\n+b\n"},
	"PP to nowhere":    {"@PG\tID:a\n@PG\tID:b\tPP:x\n", "@PG\tID:a\n@PG\tID:b\tPP:x\n+b\n"},
	"circle":           {"@PG\tID:a\tPP:b\n@PG\tID:b\tPP:a\n", "@PG\tID:a\tPP:b\n@PG\tID:b\tPP:a\n+\n"},
	"comments behind":  {"@PG\tID:a\n@CO\tx\n@PG\tID:b\tPP:a\n@RG\tID:1\n@CO\ty\n", "@PG\tID:a\n@CO\tx\n@PG\tID:b\tPP:a\n+b\n@RG\tID:1\n@CO\ty\n"},
	"only a comment":   {"@CO\tx\n", "@CO\tx\n+\n"},
	"ID taken":         {"@PG\tID:prog\n@PG\tID:prog.1\tPP:prog\n@PG\tID:prog.3\tPP:prog\n", "@PG\tID:prog\n@PG\tID:prog.1\tPP:prog\n@PG\tID:prog.3\tPP:prog\n+prog.1\n+prog.3\n"},
}

// expand replaces each "+PP" line by a whole one.
func expand(want, id string, ids []string) string {
	var b strings.Builder
	for line := range strings.Lines(want) {
		if pp, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "+"); ok {
			line = "@PG\tID:" + ids[0] + "\tPN:" + id
			ids = ids[1:]
			if pp != "" {
				line += "\tPP:" + pp
			}
			line += "\tVN:1\tCL:x\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestAddProgram(t *testing.T) {
	for name, c := range programCases {
		t.Run(name, func(t *testing.T) {
			const sq = "@SQ\tSN:chr2\tLN:1000\n"
			h := parseHeader(t, sq+c[0])
			h.AddProgram(bam.Program{ID: "prog", PN: "prog", VN: "1", CL: "x"})
			ids := []string{"prog", "prog.1"}
			if name == "ID taken" {
				ids = []string{"prog.2", "prog.4"}
			}
			want := sq + expand(c[1], "prog", ids)
			if got := string(h.Text()); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestAddProgramText(t *testing.T) {
	for _, c := range []struct {
		text, want string
		p          bam.Program
	}{
		{"@CO\tno end", "@CO\tno end\n@PG\tID:p\n", bam.Program{ID: "p"}},
		{"@PG\tID:a\r\n@CO\tx\r\n", "@PG\tID:a\r\n@PG\tID:p\tPP:a\n@CO\tx\r\n", bam.Program{ID: "p"}},
		{"@PG\tID:a", "@PG\tID:a\n@PG\tID:p\tPP:a\n", bam.Program{ID: "p"}},
		{"", "@PG\tID:p\tPN:n\tVN:v\tCL:a b c d\n", bam.Program{ID: "p", PN: "n", VN: "v", CL: "a\tb\nc\rd"}},
	} {
		h := parseHeader(t, c.text)
		h.AddProgram(c.p)
		if got := string(h.Text()); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestAddProgramEqualsSamtools(t *testing.T) {
	for name, c := range programCases {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll("@SQ\tSN:chr2\tLN:1000\n"+c[0], "prog", "samtools")
			want := string(samtools(t, []byte(text), "view", "-H"))
			_, cl, ok := strings.Cut(want, "\tCL:")
			cl, _, _ = strings.Cut(cl, "\n")
			_, vn, _ := strings.Cut(want, "\tVN:")
			vn, _, _ = strings.Cut(vn, "\t")
			if !ok {
				t.Fatalf("no CL in %q", want)
			}
			h := parseHeader(t, text)
			h.AddProgram(bam.Program{ID: "samtools", PN: "samtools", VN: vn, CL: cl})
			if got := string(h.Text()); got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}
