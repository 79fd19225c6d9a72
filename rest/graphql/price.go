package graphql

import (
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/chain"
)

// prices are additional costs of root fields: those that execute contracts for a long time or read many rows, and those that return a long
// list without pages, one for each value.
var prices = map[string]int{
	"codeSources":    500,
	"counterparties": 400,
	"disassembly":    500,
	"indexDigest":    10 * chain.MaxDigests,
	"jettonDays":     chain.MaxDays,
	"networkDays":    chain.MaxDays,
	"simulate":       5000,
}

// runs are the root fields that execute contracts or send messages. Each takes a token of the plan, as the equivalent REST
// request does.
var runs = map[string]bool{
	"codeSources":  true,
	"disassembly":  true,
	"runGetMethod": true,
	"estimateFee":  true,
	"simulate":     true,
	"sendMessage":  true,
}

// price returns the cost of a field without its rows.
func price(f *ast.Field) int {
	if isQuery(f) {
		return 1 + prices[f.Name]
	}
	return 1
}

// isQuery reports whether f is a field of the type Query.
func isQuery(f *ast.Field) bool {
	return f.ObjectDefinition != nil && f.ObjectDefinition.Name == "Query"
}

// isRun reports whether f takes a token of the plan.
func isRun(f *ast.Field) bool {
	return runs[f.Name] && (isQuery(f) || f.ObjectDefinition != nil && f.ObjectDefinition.Name == "Mutation")
}
