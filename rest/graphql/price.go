package graphql

import "github.com/vektah/gqlparser/v2/ast"

// prices are what fields of the root cost by themselves, beyond what their rows do: those that make this service run
// contracts for a while rather than read.
var prices = map[string]int{
	"simulate": 5000,
}

// runs are the fields of the roots that run contracts or send to the network: each takes a token of the plan, as the
// REST request that does the same.
var runs = map[string]bool{
	"runGetMethod": true,
	"estimateFee":  true,
	"simulate":     true,
	"sendMessage":  true,
}

// price is what a field costs, without its rows.
func price(f *ast.Field) int {
	if isQuery(f) {
		return 1 + prices[f.Name]
	}
	return 1
}

// isQuery reports a field at the root of a query.
func isQuery(f *ast.Field) bool {
	return f.ObjectDefinition != nil && f.ObjectDefinition.Name == "Query"
}

// isRun reports a field that takes a token of its own.
func isRun(f *ast.Field) bool {
	return runs[f.Name] && (isQuery(f) || f.ObjectDefinition != nil && f.ObjectDefinition.Name == "Mutation")
}
