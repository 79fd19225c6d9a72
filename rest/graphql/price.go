package graphql

import "github.com/vektah/gqlparser/v2/ast"

// prices are what fields of the root cost by themselves, beyond what their rows do: those that make this service run
// contracts for a while rather than read.
var prices = map[string]int{
	"simulate": 5000,
}

// price is what a field costs, without its rows.
func price(f *ast.Field) int {
	if isQuery(f) {
		return 1 + prices[f.Name]
	}
	return 1
}

// isQuery reports a field at the root of a query.
func isQuery(f *ast.Field) bool { return f.ObjectDefinition != nil && f.ObjectDefinition.Name == "Query" }
