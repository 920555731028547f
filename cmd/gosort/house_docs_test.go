package main

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"
)

// TestExportsDocumented wants a comment on every exported identifier of the libraries: types, functions, methods,
// constants, variables, the methods of interfaces, and the fields of options, which all have units and a meaning of 0.
// What the fields of other structs are, the struct's comment says. One comment may cover a group of constants.
func TestExportsDocumented(t *testing.T) {
	for _, f := range house(t) {
		if !f.isLibrary() {
			continue
		}
		for _, decl := range f.ast.Decls {
			for _, name := range undocumented(decl) {
				t.Errorf("%s: %s has no comment", f.at(name.Pos()), name.Name)
			}
		}
	}
}

// undocumented returns the exported names in decl that no comment explains.
func undocumented(decl ast.Decl) []*ast.Ident {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Name.IsExported() && exportedReceiver(decl) && decl.Doc == nil && !wellKnown(decl) {
			return []*ast.Ident{decl.Name}
		}
	case *ast.GenDecl:
		var bare []*ast.Ident
		for _, spec := range decl.Specs {
			bare = append(bare, undocumentedSpec(decl, spec)...)
		}
		return bare
	}
	return nil
}

func undocumentedSpec(decl *ast.GenDecl, spec ast.Spec) []*ast.Ident {
	var bare []*ast.Ident
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		if spec.Doc == nil && spec.Comment == nil && decl.Doc == nil {
			bare = exported(spec.Names)
		}
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return nil
		}
		if spec.Doc == nil && (decl.Doc == nil || decl.Lparen != token.NoPos) {
			bare = append(bare, spec.Name)
		}
		for _, field := range explained(spec) {
			if field.Doc == nil && field.Comment == nil {
				bare = append(bare, exported(field.Names)...)
			}
		}
	}
	return bare
}

// explained returns the fields or methods of a type that need a comment each.
func explained(spec *ast.TypeSpec) []*ast.Field {
	switch t := spec.Type.(type) {
	case *ast.StructType:
		if strings.HasSuffix(spec.Name.Name, "Options") {
			return t.Fields.List
		}
	case *ast.InterfaceType:
		return t.Methods.List
	}
	return nil
}

func exported(names []*ast.Ident) []*ast.Ident {
	var out []*ast.Ident
	for _, name := range names {
		if name.IsExported() {
			out = append(out, name)
		}
	}
	return out
}

// exportedReceiver reports whether f is a function, or a method that users of the package can reach.
func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	expr := f.Recv.List[0].Type
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return true
		}
	}
}

// wellKnown reports whether f is one of the methods of errors, of which there is nothing to say.
func wellKnown(f *ast.FuncDecl) bool {
	return f.Recv != nil && (f.Name.Name == "Error" || f.Name.Name == "Unwrap" || f.Name.Name == "Is")
}

// TestPackageComments wants one for each package, in doc.go, saying who owns what, which errors there are, which
// goroutines, and what it costs. Packages for tests need fewer words.
func TestPackageComments(t *testing.T) {
	comments := map[string]string{}
	for _, f := range house(t) {
		if f.ast.Doc == nil || f.isTest() {
			continue
		}
		if path.Base(f.path) != "doc.go" && !strings.HasSuffix(f.dir(), "test") {
			t.Errorf("%s: a package comment outside doc.go", f.path)
		}
		comments[f.dir()] += f.ast.Doc.Text()
	}
	for dir := range ourImports {
		text := strings.ToLower(comments[dir])
		if text == "" {
			t.Errorf("package %s has no comment", dir)
		}
		if strings.HasPrefix(dir, "cmd/") || strings.HasSuffix(dir, "test") {
			continue
		}
		for _, topic := range []string{"goroutine", "error", "cost"} {
			if !strings.Contains(text, topic) {
				t.Errorf("the comment of package %s says nothing of %q", dir, topic)
			}
		}
	}
}
