package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the import path of the repository's root.
const module = "tonql"

// folder is one folder with Go files. A folder is a package here: only tests may be
// in a second one, with _test at the end of its name.
type folder struct {
	path  string // relative to the root, with slashes
	files []file
}

// calls reports whether a file of the product names a function of a package.
func (f folder) calls(from, name string) bool {
	found := false
	for _, file := range f.files {
		if file.isTest() {
			continue
		}
		ast.Inspect(file.syntax, func(n ast.Node) bool {
			if fun, ok := n.(*ast.SelectorExpr); ok && fun.Sel.Name == name {
				x, ok := fun.X.(*ast.Ident)
				found = found || ok && x.Name == from
			}
			return !found
		})
	}
	return found
}

// imports reports whether a file of the product imports a package.
func (f folder) imports(target string) bool {
	return slices.ContainsFunc(f.files, func(file file) bool { return !file.isTest() && slices.Contains(file.imports(), target) })
}

type file struct {
	name   string
	syntax *ast.File
	fset   *token.FileSet
}

func (f file) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// generated reports whether a tool wrote the file.
func (f file) generated() bool { return ast.IsGenerated(f.syntax) }

// imports are the paths the file imports.
func (f file) imports() []string {
	var paths []string
	for _, spec := range f.syntax.Imports {
		paths = append(paths, strings.Trim(spec.Path.Value, `"`))
	}
	return paths
}

// ours cuts the module from an import path; ok is false for others' packages.
func ours(path string) (relative string, ok bool) {
	return strings.CutPrefix(path, module+"/")
}

// root is the repository's root as seen from this package's folder.
const root = "../.."

// tree parses the repository once for all tests.
var tree = sync.OnceValues(func() ([]folder, error) {
	var folders []folder
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		name := entry.Name()
		if path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != root {
			return fs.SkipDir // another module
		}
		parsed, err := parseFolder(path)
		if err == nil && len(parsed.files) > 0 {
			folders = append(folders, parsed)
		}
		return err
	})
	return folders, err
})

func parseFolder(path string) (folder, error) {
	relative, err := filepath.Rel(root, path)
	if err != nil {
		return folder{}, err
	}
	f := folder{path: filepath.ToSlash(relative)}
	names, err := filepath.Glob(filepath.Join(path, "*.go"))
	if err != nil {
		return f, err
	}
	slices.Sort(names)
	for _, name := range names {
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return f, err
		}
		f.files = append(f.files, file{name: filepath.Base(name), syntax: syntax, fset: fset})
	}
	return f, nil
}

// problems collects what is wrong, so that one run names everything.
type problems []string

func (f *problems) addf(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

func (f *problems) require(t *testing.T) {
	t.Helper()
	require.Empty(t, *f, strings.Join(*f, "\n"))
}

// folderAt returns the folder of a path.
func folderAt(t *testing.T, path string) folder {
	t.Helper()
	all := folders(t)
	i := slices.IndexFunc(all, func(f folder) bool { return f.path == path })
	require.GreaterOrEqual(t, i, 0, path)
	return all[i]
}

// folders returns the parsed repository.
func folders(t *testing.T) []folder {
	t.Helper()
	all, err := tree()
	require.NoError(t, err)
	require.NotEmpty(t, all)
	return all
}
