package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
)

// The law of the house, over the source tree as it is on disk: what may import what, how long things may get, which
// words are not used. CONTRIBUTING gives the reasons.

const (
	root   = "../.."
	module = "github.com/gosort/gosort/"

	maxFileLines     = 500
	maxFunctionLines = 80
)

// sourceFile is a Go file of the tree.
type sourceFile struct {
	path string // from the root, with slashes
	text string
	ast  *ast.File
	fset *token.FileSet
}

func (f sourceFile) dir() string     { return path.Dir(f.path) }
func (f sourceFile) isTest() bool    { return strings.HasSuffix(f.path, "_test.go") }
func (f sourceFile) isLibrary() bool { return !strings.HasPrefix(f.path, "cmd/") && !f.isTest() }

// at names a place for messages, as file:line.
func (f sourceFile) at(pos token.Pos) string {
	p := f.fset.Position(pos)
	p.Column = 0
	return p.String()
}

// tree parses every Go file once.
var tree = sync.OnceValues(func() ([]sourceFile, error) {
	var files []sourceFile
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		parsed, err := parser.ParseFile(fset, rel, text, parser.ParseComments|parser.SkipObjectResolution)
		files = append(files, sourceFile{rel, string(text), parsed, fset})
		return err
	})
	return files, err
})

// house returns the files, of which there must be some in every package.
func house(t *testing.T) []sourceFile {
	t.Helper()
	files, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	for dir := range ourImports {
		if !slices.ContainsFunc(files, func(f sourceFile) bool { return f.dir() == dir }) {
			t.Fatalf("no Go files in %s", dir)
		}
	}
	return files
}

// ourImports lists what each package of ours may import of ours: three leaves, one joint, one door. Tests are free, but
// for the command.
var ourImports = map[string][]string{
	"bam":                      {"bam/internal/bgzfin"},
	"bam/bamtest":              {"bam"},
	"bam/internal/bgzfin":      {"bam/internal/inflate"},
	"bam/internal/inflate":     {},
	"bgzfout":                  {"bgzfout/internal/deflate"},
	"bgzfout/internal/deflate": {},
	"cmd/gosort":               {"bam", "bgzfout", "sortcoll", "spill"},
	"sortcoll":                 {"bam", "spill"},
	"spill":                    {},
	"spill/spilltest":          {"spill"},
}

// otherImports lists, by the beginning of a foreign package's path, the files or directories that may import it.
var otherImports = []struct {
	prefix string
	places []string
	tests  bool // tests may, wherever they are
}{
	{"github.com/biogo/hts", []string{"bam/hts.go"}, true},
	{"github.com/klauspost/compress/s2", []string{"spill"}, false},
	{"github.com/klauspost/compress/zstd", []string{"spill"}, false},
	{"github.com/klauspost/compress/flate", nil, true},
	{"github.com/klauspost/compress/gzip", []string{"bam/source.go"}, false},
	{"compress/", []string{"bam/source.go"}, true}, // the type of an error
	{"github.com/dgraph-io/ristretto", []string{"spill/cache.go"}, false},
	{"golang.org/x/sync/errgroup", []string{"bam/internal/bgzfin", "bgzfout", "sortcoll"}, true},
	{"container/heap", nil, false},
	{"flag", []string{"cmd/gosort/flags.go"}, true},
	{"log", nil, false},
	{"testing", []string{"bam/bamtest", "spill/spilltest"}, true},
}

func TestImports(t *testing.T) {
	for _, f := range house(t) {
		allowed, known := ourImports[f.dir()]
		if !known {
			t.Errorf("%s: the house has no room %s", f.path, f.dir())
		}
		for _, spec := range f.ast.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			ours, isOurs := strings.CutPrefix(name, module)
			if isOurs && !f.isTest() && !slices.Contains(allowed, ours) || strings.HasPrefix(ours, "cmd/") {
				t.Errorf("%s: imports %s, may import %v of ours", f.at(spec.Pos()), ours, allowed)
			}
			for _, rule := range otherImports {
				if strings.HasPrefix(name+"/", strings.TrimSuffix(rule.prefix, "/")+"/") && !(f.isTest() && rule.tests) &&
					!slices.Contains(rule.places, f.path) && !slices.Contains(rule.places, f.dir()) {
					t.Errorf("%s: imports %s, which only %q may", f.at(spec.Pos()), name, rule.places)
				}
			}
		}
	}
}

func TestLengths(t *testing.T) {
	for _, f := range house(t) {
		if n := strings.Count(f.text, "\n"); n > maxFileLines {
			t.Errorf("%s: %d lines, want at most %d", f.path, n, maxFileLines)
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				if lines := f.fset.Position(n.End()).Line - f.fset.Position(n.Pos()).Line + 1; lines > maxFunctionLines {
					t.Errorf("%s: a function of %d lines, want at most %d", f.at(n.Pos()), lines, maxFunctionLines)
				}
			}
			return true
		})
	}
}

// TestForbiddenUses holds libraries to silence (they return errors: they do not print or exit), and all code to waiting
// for events instead of for time.
func TestForbiddenUses(t *testing.T) {
	everywhere := []string{"time.Sleep"}
	mayExit := []string{"cmd/gosort/main.go", "cmd/gosort/signals.go"} // the end, and the end that a signal forces
	inLibraries := []string{"os.Exit", "os.Stdin", "os.Stdout", "os.Stderr", "os.Args", "fmt.Print", "fmt.Printf", "fmt.Println"}
	for _, f := range house(t) {
		forbidden := everywhere
		switch {
		case f.isLibrary():
			forbidden = append(inLibraries, everywhere...)
		case !f.isTest() && !slices.Contains(mayExit, f.path):
			forbidden = append([]string{"os.Exit"}, everywhere...)
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := s.X.(*ast.Ident); ok && slices.Contains(forbidden, pkg.Name+"."+s.Sel.Name) {
				t.Errorf("%s: uses %s.%s", f.at(s.Pos()), pkg.Name, s.Sel.Name)
			}
			return true
		})
	}
}

// vagueWords say nothing about a thing, or are another tool's word for one of ours: run, fill, frame, block, source, pass.
var vagueWords = []string{
	"batch", "batches", "chunk", "chunks", "helper", "helpers", "item", "items", "manager", "managers",
	"segment", "segments", "shard", "shards", "util", "utils",
}

// TestNames holds the names that are declared here, not those that are used, to the words of the house.
func TestNames(t *testing.T) {
	for _, f := range house(t) {
		check := func(pos token.Pos, name string) {
			for _, word := range words(name) {
				if slices.Contains(vagueWords, word) && name != "Helper" { // testing.TB has it
					t.Errorf("%s: %q is not a word of this house (in %s)", f.at(pos), word, name)
				}
			}
		}
		check(f.ast.Package, path.Base(f.path))
		check(f.ast.Package, f.ast.Name.Name)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			for _, name := range declared(n) {
				check(name.Pos(), name.Name)
			}
			return true
		})
	}
}

// declared returns the names that n itself declares.
func declared(n ast.Node) []*ast.Ident {
	var names []*ast.Ident
	addExpr := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if name, ok := e.(*ast.Ident); ok {
				names = append(names, name)
			}
		}
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		names = append(names, n.Name)
	case *ast.TypeSpec:
		names = append(names, n.Name)
	case *ast.ValueSpec:
		names = append(names, n.Names...)
	case *ast.Field:
		names = append(names, n.Names...)
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			addExpr(n.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			addExpr(n.Key, n.Value)
		}
	}
	return names
}

// words splits a name in camel case or with underscores, points or dashes into words in lower case.
func words(name string) []string {
	var spaced strings.Builder
	var before rune
	for _, c := range name {
		switch {
		case !unicode.IsLetter(c):
			c = ' '
		case unicode.IsUpper(c) && unicode.IsLower(before):
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(unicode.ToLower(c))
		before = c
	}
	return strings.Fields(spaced.String())
}

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"runFiles_test.go": "run files test go", "newBGZFChunk": "new bgzfchunk", "subItems2": "sub items", "": "",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("words(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestTopLevel holds the root to its few rooms, each of which a newcomer must understand.
func TestTopLevel(t *testing.T) {
	want := []string{"CHANGELOG.md", "LICENSE", "README.md", "bam", "bgzfout", "cmd", "go.mod", "go.sum", "sortcoll", "spill", "testdata"}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		name := e.Name()
		// What the README's commands and go test's profiles leave behind is no part of the tree.
		left := e.Type().IsRegular() && (name == "gosort" || slices.Contains([]string{".bam", ".test", ".out", ".prof"}, path.Ext(name)))
		if !strings.HasPrefix(name, ".") && !left {
			got = append(got, name)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the root holds\n%v, want\n%v", got, want)
	}
}
