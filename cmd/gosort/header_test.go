package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gosort/gosort/bam"
)

// TestCommandLineIsOneLine: whatever a file is called, the header has one @PG line that anyone can read.
func TestCommandLineIsOneLine(t *testing.T) {
	for name, want := range map[string]string{
		"a b":              "'DIR/a b'",
		"it's":             `'DIR/it'\''s'`,
		"tab\tnew\nline\r": "'DIR/tab new line '",
		"x\r\n@CO\tevil":   "'DIR/x  @CO evil'",
		"latin\xe9\xff":    "'DIR/latin?'",
		"Zürich":           "'DIR/Zürich'",
		"esc\x1b[1m\u0085": "'DIR/esc [1m '",
	} {
		dir := t.TempDir()
		in := filepath.Join(dir, name)
		if err := os.WriteFile(in, []byte("@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:1000\n"), 0o600); err != nil {
			t.Log("no such name here:", err)
			continue
		}
		text := mustSort(t, "-i", in, "-format", "sam")
		wantPG := "@PG\tID:gosort\tPN:gosort\tVN:" + version + "\tCL:gosort -i " + strings.ReplaceAll(want, "DIR", dir) +
			" -order coordinate -format sam\n"
		_, pg, _ := strings.Cut(text, "LN:1000\n")
		if pg != wantPG || !utf8.ValidString(text) {
			t.Errorf("%q: got\n%qwant\n%q", name, pg, wantPG)
		}
		if h, err := bam.ParseHeader([]byte(text)); err != nil || h.NumRefs() != 1 {
			t.Errorf("%q: the header is refused: %v", name, err)
		}
	}
}
