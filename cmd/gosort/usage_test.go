package main

import (
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestUsageIsPackageComment(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	if got := file.Doc.Text(); got != usageText {
		t.Errorf("doc.go says\n%s\nusageText says\n%s", got, usageText)
	}
}

// TestUsageListsFlags holds the text to the flags there are: none missing,
// none made up, each with its line.
func TestUsageListsFlags(t *testing.T) {
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\t-(\S+) `).FindAllStringSubmatch(usageText, -1) {
		listed = append(listed, m[1])
	}
	var specs []string
	for _, s := range flagSpecs {
		if s.name != "help" { // the other spelling of -h
			specs = append(specs, s.name)
		}
	}
	slices.Sort(listed)
	slices.Sort(specs)
	if !slices.Equal(listed, specs) {
		t.Errorf("the usage text lists %v, the flags are %v", listed, specs)
	}
}

func TestUsageFitsTerminal(t *testing.T) {
	for line := range strings.Lines(usageText) {
		if width := len(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "        ")); width > 84 {
			t.Errorf("%d columns: %q", width, line)
		}
	}
}

func TestVersionText(t *testing.T) {
	got := versionText()
	if want := regexp.MustCompile(`^gosort ` + regexp.QuoteMeta(version) + `( \([0-9a-f]{12}\))? go1\S+ .*\w+/\w+$`); !want.MatchString(got) {
		t.Errorf("versionText() = %q, want a match of %v", got, want)
	}
}
