package house

import (
	"cmp"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The documents name files, functions, make targets and flags that exist.
func TestDocuments_NamesExist(t *testing.T) {
	t.Parallel()
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	for i := range documents {
		documents[i] = "docs/" + filepath.Base(documents[i])
	}
	codeBlock, codeSpan := regexp.MustCompile("(?s)\n *```.*?\n *```"), regexp.MustCompile("`[^`\n]+`")
	r := newReferences(t)
	var wrong problems
	for _, document := range append(documents, "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md") {
		text := codeBlock.ReplaceAllString(read(t, document), "")
		for _, span := range codeSpan.FindAllString(text, -1) {
			// The documents of docs name identifiers of other software, too.
			if span = strings.Trim(span, "`"); !r.exists(span) || !strings.HasPrefix(document, "docs/") && !r.written(span) {
				wrong.addf("%s names %s, which does not exist", document, span)
			}
		}
	}
	wrong.require(t)
}

func TestReferences_ExistOrNot(t *testing.T) {
	t.Parallel()
	r := newReferences(t)
	for span, want := range map[string]bool{
		"internal/house/reference_test.go": true, "internal/house/missing.go": false, "house/reference_test.go": true,
		"reference_test.go": true, "missing.go": false, "internal/house": true, "internal/missing": false, "image/png": true,
		"graph/*.graphqls": true, "graph/*.missing": false, "chain.Action": true, "chain.Missing": false, "strings.Builder": true,
		"TestReferences_ExistOrNot": true, "TestMissing": false, "make generate": true, "make missing": false, "bin/missing.deb": true,
		"--database-url": true, "--missing": false, "anything else": true,
	} {
		require.Equal(t, want, r.exists(span), span)
	}
	require.True(t, r.written("actionFamily"))
	require.False(t, r.written("missingReference"))
	require.True(t, r.written("word"))
}

// references are the names that documents may refer to.
type references struct {
	files    map[string]bool // base names
	packages map[string]bool
	declared map[string]bool // as package.Name, methods without their type
	makefile string
	commands string // the sources of the program, which have the flags
	sources  string // of Go and of the GraphQL schema
}

func newReferences(t *testing.T) references {
	t.Helper()
	r := references{files: map[string]bool{}, packages: map[string]bool{}, declared: map[string]bool{}, makefile: read(t, "Makefile")}
	var all strings.Builder
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() == "node_modules" {
			return cmp.Or(err, fs.SkipDir)
		}
		r.files[entry.Name()] = true
		if ext := filepath.Ext(path); ext != ".go" && ext != ".graphqls" || entry.Name() == "reference_test.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	r.sources = all.String()
	sources, err := filepath.Glob(filepath.Join(root, "cmd", "tonql", "*.go"))
	require.NoError(t, err)
	for _, name := range sources {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		r.commands += string(text)
	}
	for _, f := range folders(t) {
		for _, file := range f.files {
			name := file.syntax.Name.Name
			r.packages[name] = true
			ast.Inspect(file.syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					r.declared[name+"."+n.Name.Name] = true
					return false
				case *ast.TypeSpec:
					r.declared[name+"."+n.Name.Name] = true
				case *ast.ValueSpec:
					for _, value := range n.Names {
						r.declared[name+"."+value.Name] = true
					}
				}
				return true
			})
			if file.isTest() {
				r.declareTests(file)
			}
		}
	}
	return r
}

func (r references) declareTests(f file) {
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") {
			r.declared[fn.Name.Name] = true
		}
	}
}

var (
	pathSpan    = regexp.MustCompile(`^\w[\w.@*-]*(/[\w.@*-]+)*$`)
	sourceFile  = regexp.MustCompile(`\.(go|sql|md|graphqls?|tsx?|tsv|txt)$`)
	qualified   = regexp.MustCompile(`^([a-z]\w*)\.([A-Z]\w*)(\(.*\))?$`)
	testSpan    = regexp.MustCompile(`^Test[A-Z]\w*$`)
	identifier  = regexp.MustCompile(`^([A-Z]?[a-z0-9]+[A-Z]|[A-Z][a-z])\w*$`)
	makeCommand = regexp.MustCompile(`^make ([a-z-]+)$`)
	flagSpan    = regexp.MustCompile(`^--([a-z-]+)$`)
)

// exists reports whether a text between backquotes is not a reference, or one to something that exists.
func (r references) exists(span string) bool {
	if m := makeCommand.FindStringSubmatch(span); m != nil {
		return strings.Contains(r.makefile, "\n"+m[1]+":")
	}
	if m := flagSpan.FindStringSubmatch(span); m != nil {
		return strings.Contains(r.commands, fmt.Sprintf("%q", m[1]))
	}
	if m := qualified.FindStringSubmatch(span); m != nil {
		return !r.packages[m[1]] || r.declared[m[1]+"."+m[2]]
	}
	if testSpan.MatchString(span) {
		return r.declared[span]
	}
	if !pathSpan.MatchString(span) {
		return true
	}
	first, _, deeper := strings.Cut(span, "/")
	if first == "bin" { // what builds leave, or not
		return true
	}
	switch source := sourceFile.MatchString(span); {
	case !deeper && source && !strings.Contains(span, "*"):
		return r.files[span]
	case deeper && (source || onDisk(first)):
		return onDisk(span)
	default:
		return true
	}
}

// written reports whether a text is no identifier in mixed case, or one of the sources.
func (r references) written(span string) bool {
	return !identifier.MatchString(span) || strings.Contains(r.sources, span)
}

// onDisk reports whether a path exists below the root. The map in ARCHITECTURE.md names packages from internal on.
func onDisk(path string) bool {
	return slices.ContainsFunc([]string{"", "internal"}, func(folder string) bool {
		found, err := filepath.Glob(filepath.Join(root, folder, path))
		return err == nil && len(found) > 0
	})
}
