package graphql

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"
)

// Subscriptions share results if no variable that a result depends on differs, wherever it is used.
func TestFingerprint_HasTheVariablesOfTheResult(t *testing.T) {
	t.Parallel()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query { a: Int }
		type Subscription { event(of: Int): Event! }
		type Event { a(n: Int, in: In): Int, next: Event! }
		input In { n: Int, list: [Int!] }`})
	of := func(t *testing.T, text string, variables map[string]any) string {
		t.Helper()
		document, errs := gqlparser.LoadQueryWithRules(schema, text, nil)
		require.Empty(t, errs, text)
		op := document.Operations[0]
		values, err := validator.VariableValues(schema, op, variables)
		require.NoError(t, err)
		return fingerprint(&graphql.OperationContext{RawQuery: text, Operation: op, Variables: values})
	}
	for text, differs := range map[string]bool{
		`subscription($v: Int = 1) { event(of: $v) { a } }`:                                                                        false,
		`subscription($v: Int = 1) { event { a(n: $v) } }`:                                                                         true,
		`subscription($v: Int = 1) { event { next { next { a(in: {n: $v}) } } } }`:                                                 true,
		`subscription($v: Int! = 1) { event { a(in: {list: [2, $v]}) } }`:                                                          true,
		`subscription($v: Int = 1) { event { ... { a(n: $v) } } }`:                                                                 true,
		`subscription($v: Int = 1) { event { ... on Event { next { a(n: $v) } } } }`:                                               true,
		`subscription($v: Int = 1) { event { ...F next { ...F } } } fragment F on Event { ...G } fragment G on Event { a(n: $v) }`: true,
		`subscription($v: Int = 1) { ...R } fragment R on Subscription { event { a(n: $v) } }`:                                     true,
		`subscription($v: Int = 1) { ... { event(of: $v) { a } } }`:                                                                true, // all variables count
	} {
		require.Equal(t, differs, of(t, text, map[string]any{"v": 1}) != of(t, text, map[string]any{"v": 2}), text)
		require.Equal(t, of(t, text, map[string]any{"v": 1}), of(t, text, nil), "a default is the value")
	}
	for _, text := range []string{
		`subscription($v: Boolean!) { event { a @include(if: $v) } }`,
		`subscription($v: Boolean!) { event { ... @skip(if: $v) { a } } }`,
		`subscription($v: Boolean!) { event { ...F @skip(if: $v) } } fragment F on Event { a }`,
		`subscription($v: Boolean!) { event @include(if: $v) { a } }`,
	} {
		require.NotEqual(t, of(t, text, map[string]any{"v": true}), of(t, text, map[string]any{"v": false}), text)
	}
}
