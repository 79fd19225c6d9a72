package house

import (
	"go/ast"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// cellPackage is the library's package of cells.
const cellPackage = "github.com/xssnick/tonutils-go/tvm/cell"

// endless are methods that print or update cells as a tree: with shared cells they never end.
var endless = map[string]string{
	"Dump": "prints a tree", "DumpBits": "prints a tree",
	"CreateMerkleUpdate": "walks new cells as a tree; internal/devnet/ledger has its own",
}

// listing are methods that read a dictionary entry by entry, which may never end if its branches share cells.
var listing = []string{"LoadAll", "Iterator", "IteratorAt", "IteratorExtra"}

func TestCells_AreNeverPrintedAsATree(t *testing.T) {
	t.Parallel()
	var wrong problems
	eachCellCall(t, func(folder, name string, call *ast.SelectorExpr) {
		if from, ok := call.X.(*ast.Ident); ok && from.Name == "cell" {
			return // a function of the package
		}
		if why, ok := endless[call.Sel.Name]; ok {
			wrong.addf("%s/%s calls %s: it %s", folder, name, call.Sel.Name, why)
		}
	})
	wrong.require(t)
}

// untrusted are the files in which bags of cells come from liteservers and clients: folders, or files.
var untrusted = []string{
	"internal/node/", "internal/conformance/", "internal/devnet/lite/", "internal/emulate/message.go", "internal/emulate/simulate_message.go",
	"resolvers/stack.go", "rest/v2/params.go",
}

// A hash proves the content of such cells only if their levels are right, which the library does not check: docs/cells.md.
func TestUntrustedBags_AreParsedWithTheirLevels(t *testing.T) {
	t.Parallel()
	var wrong problems
	right := 0
	eachCellCall(t, func(folder, name string, call *ast.SelectorExpr) {
		from, ok := call.X.(*ast.Ident)
		at := slices.IndexFunc(untrusted, func(prefix string) bool { return strings.HasPrefix(folder+"/"+name, prefix) })
		if !ok || at < 0 || !strings.HasPrefix(call.Sel.Name, "FromBOC") {
			return
		}
		if from.Name == "cell" {
			wrong.addf("%s/%s calls cell.%s: use the function of internal/cellgraph", folder, name, call.Sel.Name)
			return
		}
		right++
	})
	wrong.require(t)
	require.Greater(t, right, 5, "calls of internal/cellgraph")
}

// A package that lists dictionaries of cells names the bound in docs/cells.md.
func TestDictionaryWalks_AreListedInCellsDocument(t *testing.T) {
	t.Parallel()
	table := read(t, "docs/cells.md")
	var wrong problems
	eachCellCall(t, func(folder, name string, call *ast.SelectorExpr) {
		if slices.Contains(listing, call.Sel.Name) && !strings.Contains(table, "`"+folder) {
			wrong.addf("%s/%s calls %s: give the walk a bound, a test with hostile cells, and a row in docs/cells.md", folder, name, call.Sel.Name)
		}
	})
	wrong.require(t)
}

// eachCellCall visits the method calls of the product's files that import the package of cells.
func eachCellCall(t *testing.T, visit func(folder, name string, call *ast.SelectorExpr)) {
	t.Helper()
	calls := 0
	for _, f := range folders(t) {
		for _, file := range f.files {
			if file.isTest() || file.generated() || testOnly(f.path) || !slices.Contains(file.imports(), cellPackage) {
				continue
			}
			ast.Inspect(file.syntax, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if method, ok := call.Fun.(*ast.SelectorExpr); ok {
						calls++
						visit(f.path, file.name, method)
					}
				}
				return true
			})
		}
	}
	require.NotZero(t, calls, "files that import %s", cellPackage)
}
