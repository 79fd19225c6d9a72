package graphql

import (
	"slices"

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
	"nftTraits":      500,
	"simulate":       5000,

	// They may look at 50,000 transactions of pools.
	"poolEvents":          1000,
	"poolValidatorEvents": 1000,

	// They may read 64 MiB of configurations and of states of the elector, or 50,000 messages.
	"stakeEvents":         1000,
	"validatorComplaints": 1000,
	"validatorCycles":     1000,
	"validatorElections":  1000,
}

// fieldPrices are additional costs of other fields: those that send requests to other servers, and those that may have megabytes, joined from
// thousands of parts.
var fieldPrices = map[string]int{
	"AccountState.code":  50,
	"AccountState.data":  50,
	"CodeSource.sources": 500,
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

// filterPrice is the additional cost of a list whose filter has conditions that no index serves: up to thousands of rows are
// compared with them. Each filtered list within another object costs it as well, because one statement reads it alone.
const filterPrice = 500

// compared are the names of such conditions, and comparedOf further ones of some filters.
var (
	compared = map[string]bool{
		"aborted": true, "asset": true, "bounced": true, "counterparties": true, "exitCode": true, "maxAmount": true, "maxValue": true, "minAmount": true,
		"minValue": true, "outcomes": true, "success": true,
	}
	comparedOf = map[string]map[string]bool{
		"ActionWhere":      {"direction": true, "opcode": true},
		"MessageWhere":     {"workchain": true},
		"TransactionWhere": {"direction": true, "kind": true, "opcode": true, "workchain": true},
	}
)

// nodePrice is the additional cost of a query of the node, which proves what it returns.
const nodePrice = 500

// price returns the cost of a field without its rows.
func price(f *ast.Field, variables map[string]any) int {
	cost := 1 + filtering(f, variables) + queriesNode(f, variables)
	if isQuery(f) {
		cost += prices[f.Name]
	} else if f.ObjectDefinition != nil {
		cost += fieldPrices[f.ObjectDefinition.Name+"."+f.Name]
	}
	return cost
}

// filtering returns the cost of the filter of a list.
func filtering(f *ast.Field, variables map[string]any) int {
	if f.Definition == nil {
		return 0
	}
	parameter, argument := f.Definition.Arguments.ForName("where"), f.Arguments.ForName("where")
	if parameter == nil || argument == nil {
		return 0
	}
	value, err := argument.Value.Value(variables)
	where, _ := value.(map[string]any)
	if err != nil || where == nil {
		return 0
	}
	if !isQuery(f) {
		return filterPrice
	}
	for name, v := range where {
		if parameter.Type.NamedType == "ActionWhere" && name == "types" && isRare(v) {
			return filterPrice
		}
		if v != nil && v != "ANY" && (compared[name] || comparedOf[parameter.Type.NamedType][name]) { // ANY is the default of directions
			return filterPrice
		}
	}
	return 0
}

// isRare reports whether a list of action types has the one that is compared with the rows of other types.
func isRare(types any) bool {
	list, _ := types.([]any)
	return types == any(chain.ExtraCurrencyTransfer) || slices.Contains(list, any(chain.ExtraCurrencyTransfer))
}

// queriesNode returns the cost of the argument fromNode.
func queriesNode(f *ast.Field, variables map[string]any) int {
	argument := f.Arguments.ForName("fromNode")
	if argument == nil {
		return 0
	}
	if value, err := argument.Value.Value(variables); err == nil && (value == nil || value == false) {
		return 0
	}
	return nodePrice
}

// isQuery reports whether f is a field of the type Query.
func isQuery(f *ast.Field) bool {
	return f.ObjectDefinition != nil && f.ObjectDefinition.Name == "Query"
}

// isRun reports whether f takes a token of the plan.
func isRun(f *ast.Field) bool {
	return runs[f.Name] && (isQuery(f) || f.ObjectDefinition != nil && f.ObjectDefinition.Name == "Mutation")
}
