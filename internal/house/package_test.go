package house

import (
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// vague are names that do not describe the contents.
var vague = []string{"util", "utils", "common", "helper", "helpers", "base", "manager", "model", "models", "types"}

var (
	packageName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	fileName    = regexp.MustCompile(`^[a-z][a-z0-9]*([._][a-z0-9]+)*\.go$`)
)

func TestNames_OfPackagesAndFilesAreAllowed(t *testing.T) {
	t.Parallel()
	var wrong problems
	for _, f := range folders(t) {
		for element := range strings.SplitSeq(f.path, "/") {
			if !packageName.MatchString(element) || slices.Contains(vague, element) {
				wrong.addf("%s: a package is named by a lower-case noun", f.path)
			}
		}
		for _, file := range f.files {
			stem := strings.TrimSuffix(strings.TrimSuffix(file.name, ".go"), "_test")
			if !fileName.MatchString(file.name) || slices.Contains(vague, stem) {
				wrong.addf("%s/%s: name the idea, in small letters", f.path, file.name)
			}
			name := strings.TrimSuffix(file.syntax.Name.Name, "_test")
			if name != "main" && name != path.Base(f.path) {
				wrong.addf("%s/%s: package %s and its folder have two names", f.path, file.name, name)
			}
		}
	}
	wrong.require(t)
}

// testName is the name of a test: its subject, and what must hold.
var testName = regexp.MustCompile(`^(Test|Fuzz)[A-Z][A-Za-z0-9]*_[A-Z0-9][A-Za-z0-9]*$`)

// Tests and fuzzers are named TestSubject_Expectation.
func TestNames_OfTestsStateTheExpectation(t *testing.T) {
	t.Parallel()
	var wrong problems
	found := 0
	for _, f := range folders(t) {
		for _, file := range f.files {
			for _, d := range file.syntax.Decls {
				function, ok := d.(*ast.FuncDecl)
				if !ok || !file.isTest() || function.Recv != nil {
					continue
				}
				name := function.Name.Name
				if name == "TestMain" || !strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "Fuzz") {
					continue
				}
				found++
				if !testName.MatchString(name) {
					wrong.addf("%s/%s: %s: write TestSubject_Expectation", f.path, file.name, name)
				}
			}
		}
	}
	require.NotZero(t, found, "tests")
	wrong.require(t)
}

// Every package has one package comment.
func TestPackages_HaveOneCommentEach(t *testing.T) {
	t.Parallel()
	var wrong problems
	for _, f := range folders(t) {
		var found []string
		for _, file := range f.files {
			// A generated file's doc is the generator's, not ours.
			doc := file.syntax.Doc
			if doc == nil || file.isTest() || file.generated() {
				continue
			}
			found = append(found, file.name)
			want := "Package " + file.syntax.Name.Name + " "
			if file.syntax.Name.Name == "main" {
				want = "Command " + path.Base(f.path) + " "
			}
			if text := strings.ReplaceAll(doc.Text(), "\n", " "); !strings.HasPrefix(text, want) {
				wrong.addf("%s/%s: the package comment does not begin with %q", f.path, file.name, want)
			}
		}
		if len(found) != 1 {
			wrong.addf("%s: exactly one file has a package comment, not %d: %s", f.path, len(found), strings.Join(found, ", "))
		}
	}
	wrong.require(t)
}

// A package that starts goroutines checks in its tests that they end.
func TestGoroutines_AreCheckedByGoleak(t *testing.T) {
	t.Parallel()
	var wrong problems
	for _, f := range folders(t) {
		starts, watched := "", false
		for _, file := range f.files {
			imports := file.imports()
			watched = watched || slices.Contains(imports, "go.uber.org/goleak") || callsTestdbMain(file.syntax)
			if !file.isTest() && !file.generated() && startsGoroutine(file.syntax) {
				starts = file.name
			}
		}
		if starts != "" && !watched && !testOnly(f.path) {
			wrong.addf("%s/%s starts goroutines: a TestMain with goleak checks that they end", f.path, starts)
		}
	}
	wrong.require(t)
}

// callsTestdbMain reports whether a file's TestMain calls testdb.Main, which fails when goroutines are left.
func callsTestdbMain(syntax *ast.File) bool {
	found := false
	ast.Inspect(syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.SelectorExpr)
		if !ok {
			return !found
		}
		from, ok := call.X.(*ast.Ident)
		found = found || ok && from.Name == "testdb" && call.Sel.Name == "Main"
		return !found
	})
	return found
}

func startsGoroutine(syntax *ast.File) bool {
	found := false
	ast.Inspect(syntax, func(n ast.Node) bool {
		_, is := n.(*ast.GoStmt)
		found = found || is
		return !found
	})
	return found
}
