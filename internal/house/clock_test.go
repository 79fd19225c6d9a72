package house

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A time that a process stores as Unix nanoseconds and compares with its own clock later goes wrong when the clock of the machine is set: ctxtime.Moment
// does not.
func TestClock_NoTimeIsMadeOfNanoseconds(t *testing.T) {
	t.Parallel()
	var wrong problems
	calls := 0
	for _, f := range folders(t) {
		for _, file := range f.files {
			if strings.HasSuffix(file.fset.Position(file.syntax.Pos()).Filename, "_test.go") {
				continue
			}
			ast.Inspect(file.syntax, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 2 {
					return true
				}
				function, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || function.Sel.Name != "Unix" {
					return true
				}
				calls++
				if seconds, ok := call.Args[0].(*ast.BasicLit); ok && seconds.Value == "0" {
					wrong.addf("%s: time.Unix(0, …): ctxtime.Moment is a time that goroutines share", file.fset.Position(call.Pos()))
				}
				return true
			})
		}
	}
	require.NotZero(t, calls, "calls of time.Unix")
	wrong.require(t)
}
