package house

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A skipped test gives its reason in words.
func TestSkips_GiveAReason(t *testing.T) {
	t.Parallel()
	var wrong problems
	skips := 0
	for _, f := range folders(t) {
		for _, file := range f.files {
			ast.Inspect(file.syntax, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				method, reason := skip(call)
				if method != "" {
					skips++
				}
				if method != "" && len(strings.Fields(reason)) < 3 {
					wrong.addf("%s: %s without a reason in words", file.fset.Position(call.Pos()), method)
				}
				return true
			})
		}
	}
	require.NotZero(t, skips, "calls that skip a test")
	wrong.require(t)
}

// skip recognizes a call that skips a test, and returns the reason in its first argument. An argument that is not a
// literal counts as a reason.
func skip(call *ast.CallExpr) (method, reason string) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	receiver, ok := selector.X.(*ast.Ident)
	if !ok || (receiver.Name != "t" && receiver.Name != "b" && receiver.Name != "f" && receiver.Name != "tb") {
		return "", ""
	}
	switch selector.Sel.Name {
	case "SkipNow":
		return "SkipNow", ""
	case "Skip", "Skipf":
	default:
		return "", ""
	}
	if len(call.Args) == 0 {
		return selector.Sel.Name, ""
	}
	literal, ok := call.Args[0].(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return selector.Sel.Name, "made at run time"
	}
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		return selector.Sel.Name, ""
	}
	return selector.Sel.Name, text
}
