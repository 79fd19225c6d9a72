package graphql_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/graph"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

var quotedName = regexp.MustCompile("`([a-zA-Z]+)`")

// nestedFilter is a list within an object, with the fields of its filter that the object sets, as its description says.
type nestedFilter struct {
	object, list string
	input        *ast.Definition
	refused      []string
	trait        bool // no field but this can be given
}

// nestedFilters are the lists of the schema that belong to an object and have a filter.
func nestedFilters(t *testing.T, s *ast.Schema) (list []nestedFilter) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(s.Types)) {
		if object := s.Types[name]; object.Kind == ast.Object && object != s.Query && object != s.Subscription {
			for _, field := range object.Fields {
				where := field.Arguments.ForName("where")
				if where == nil {
					continue
				}
				f := nestedFilter{object: name, list: field.Name, input: s.Types[where.Type.Name()], trait: strings.Contains(where.Description, "only `trait`")}
				for _, found := range quotedName.FindAllStringSubmatch(where.Description, -1) {
					f.refused = append(f.refused, found[1])
				}
				if f.trait {
					f.refused = nil
					for _, other := range f.input.Fields {
						if other.Name != "trait" {
							f.refused = append(f.refused, other.Name)
						}
					}
				}
				require.NotEmpty(t, f.refused, "%s.%s", name, field.Name)
				list = append(list, f)
			}
		}
	}
	return list
}

// Fields of a filter that the object sets to which a list belongs are refused, those that the description of the filter names. What the object
// sets selects the same rows as at the root.
func TestNestedFilters_RefuseWhatTheObjectSets(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := newTestIndex(t, 2)
	h := newPortfolio(t, 3)
	me := h.people[0]
	type parent struct {
		h    *testIndex
		open string
	}
	sender := parent{w, fmt.Sprintf("account(address: %q)", w.wallets[1])}
	parents := map[string]parent{
		"Account": {h.testIndex, fmt.Sprintf("account(address: %q)", me)}, "Block": {w, "block(by: {id: {workchain: 0, seqno: 1}})"},
		"Account.transactions": sender, "Account.sentMessages": sender, "Account.receivedMessages": sender,
		"Trace":         {w, fmt.Sprintf("trace(by: {hash: %q})", w.txs[0].Hash.Hex())},
		"JettonMaster":  {h.testIndex, fmt.Sprintf("jettonMaster(address: %q)", h.masters[0])},
		"JettonWallet":  {h.testIndex, fmt.Sprintf("jettonWallet(address: %q)", h.wallets[me][0])},
		"NFTItem":       {h.testIndex, fmt.Sprintf("nftItem(address: %q)", h.item[me])},
		"NFTCollection": {h.testIndex, fmt.Sprintf("nftCollection(address: %q)", h.collection)},
	}
	values := map[string]any{
		"Address": me.String(), "Hash": testdb.Hash().Hex(), "UInt32": 1, "BlockIdInput": map[string]any{"workchain": 0, "shard": "8000000000000000", "seqno": 1},
		"TransferDirection": "IN", "BigInt": "1", "Boolean": true,
	}
	query := func(f nestedFilter, where map[string]any) (json.RawMessage, []string) {
		p, found := parents[f.object+"."+f.list]
		if !found {
			p, found = parents[f.object]
		}
		require.True(t, found, f.object)
		_, a := post(t, p.h.h, fmt.Sprintf("query($w: %s) { of: %s { list: %s(where: $w, first: 100) { edges { cursor } } } }", f.input.Name, p.open, f.list), map[string]any{"w": where})
		errs := make([]string, len(a.Errors))
		for i := range a.Errors {
			errs[i] = a.Errors[i].Message
		}
		return a.Data, errs
	}
	filters := nestedFilters(t, graph.NewExecutableSchema(graph.Config{}).Schema())
	require.Greater(t, len(filters), 10)
	for _, f := range filters {
		name := f.object + "." + f.list
		want := "where: the object that the list belongs to sets "
		if f.trait {
			want = "where: items of a collection can be filtered by trait only"
		}
		for _, field := range f.refused {
			kind := f.input.Fields.ForName(field).Type
			value, found := values[kind.Name()]
			require.True(t, found, "%s: %s", name, kind.Name())
			if kind.Elem != nil {
				value = []any{value}
			}
			_, errs := query(f, map[string]any{field: value})
			require.Len(t, errs, 1, "%s: %s", name, field)
			require.True(t, strings.HasPrefix(errs[0], want), "%s: %s: %s", name, field, errs[0])
			if !f.trait {
				require.Regexp(t, `\b`+field+`\b`, strings.TrimPrefix(errs[0], want), name)
			}
		}
		if f.trait {
			continue
		}
		all, errs := query(f, nil)
		require.Empty(t, errs, name)
		if f.object != "Account" || f.list != "actions" && f.list != "traces" { // its trace is not complete
			require.NotContains(t, string(all), `"edges":[]`, name)
		}
		filtered, errs := query(f, map[string]any{"startLt": "0"})
		require.Empty(t, errs, name)
		require.JSONEq(t, string(all), string(filtered), "%s: every row has an LT", name)
	}
}
