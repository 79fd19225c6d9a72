package house

import (
	"go/ast"
	"strings"
	"testing"
)

// Limits by client address hold only if every API determines the address in the same way: by rest/handler.Client.
func TestClientAddress_IsReadInOnePlace(t *testing.T) {
	t.Parallel()
	var wrong problems
	for _, f := range folders(t) {
		for _, file := range f.files {
			if file.isTest() || !strings.HasPrefix(f.path, "rest") || f.path == "rest/handler" && file.name == "client.go" {
				continue
			}
			ast.Inspect(file.syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if n.Sel.Name == "RemoteAddr" || n.Sel.Name == "ClientOf" {
						wrong.addf("%s/%s reads %s: use handler.Client", f.path, file.name, n.Sel.Name)
					}
				case *ast.BasicLit:
					if strings.EqualFold(strings.Trim(n.Value, `"`), "X-Forwarded-For") {
						wrong.addf("%s/%s reads X-Forwarded-For: use handler.Client", f.path, file.name)
					}
				}
				return true
			})
		}
	}
	wrong.require(t)
}
