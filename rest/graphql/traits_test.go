package graphql_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// traitedItems returns an index of 25 items of a collection, a third of which are red, and of one item of another collection.
func traitedItems(t *testing.T) (w *testIndex, collection, other chain.Address, red []string) {
	t.Helper()
	w, db := emptyTestIndex(t)
	collection, other = testdb.Address(), testdb.Address()
	mb := testdb.Master(1)
	var results []chain.MetadataResult
	for i := range 26 {
		of, colour := &collection, []string{"red", "green", "blue"}[i%3]
		if i == 25 {
			of, colour = &other, "red"
		}
		a := testdb.AddContract(mb, testdb.Address(), func(c *chain.Contract) {
			c.NFTItem = &chain.NFTItem{Address: c.Account, Index: big.NewInt(int64(i)), Collection: of, LastTxLT: c.LT, Content: chain.Content{"uri": "a"}}
		})
		if i%3 == 0 && i < 25 {
			red = append(red, a.String())
		}
		results = append(results, chain.MetadataResult{
			Job: chain.MetadataJob{Address: a, Kind: chain.TokenNFTItem, Content: chain.Content{"uri": "a"}},
			Metadata: &chain.Metadata{Indexed: true, Valid: true, Name: "n", Extra: map[string]any{"attributes": []any{
				map[string]any{"trait_type": "Colour", "value": colour}, map[string]any{"value": i},
			}}},
		})
	}
	for _, a := range []chain.Address{collection, other} {
		testdb.AddContract(mb, a, func(c *chain.Contract) {
			c.NFTCollection = &chain.NFTCollection{Address: a, NextItemIndex: big.NewInt(25), Content: chain.Content{"name": "C"}, LastTxLT: c.LT}
		})
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	for _, r := range results {
		require.NoError(t, db.MetadataQueue().Store(t.Context(), r))
	}
	n, err := db.MetadataQueue().ReadTraits(t.Context(), 100)
	require.NoError(t, err)
	require.Equal(t, 26, n)
	slices.Sort(red)
	return w, collection, other, red
}

// Items are found by a trait, at the root and within their collection, and the traits of a collection are counted.
func TestTraits_SelectItemsOfACollection(t *testing.T) {
	t.Parallel()
	w, collection, other, red := traitedItems(t)
	type page struct {
		Nodes    []struct{ Account struct{ Address string } }
		PageInfo struct {
			HasNextPage bool
			EndCursor   string
		}
	}
	const fields = `{ nodes { account { address } } pageInfo { hasNextPage endCursor } }`
	for _, query := range []string{
		fmt.Sprintf(`{ list: nftItems(where: {collections: [%q], trait: {name: "Colour", value: "red"}}, first: 4, after: %%s) `+fields+` }`, collection),
		fmt.Sprintf(`{ nftCollection(address: %q) { list: items(where: {trait: {name: "Colour", value: "red"}}, first: 4, after: %%s) `+fields+` } }`, collection),
	} {
		found, after := []string{}, "null"
		for {
			var data struct {
				List          page
				NFTCollection struct{ List page }
			}
			w.query(t, fmt.Sprintf(query, after), nil, &data)
			p := data.List
			if p.Nodes == nil {
				p = data.NFTCollection.List
			}
			for _, n := range p.Nodes {
				found = append(found, n.Account.Address)
			}
			if !p.PageInfo.HasNextPage {
				break
			}
			after = fmt.Sprintf("%q", p.PageInfo.EndCursor)
		}
		require.Equal(t, red, found, query)
	}
	var data struct {
		NFTTraits []struct {
			Name   string
			Values []struct {
				Value string
				Items chain.CappedCount
			}
			MoreValues bool
		}
		Other []struct{ Name string }
		None  []struct{ Name string }
	}
	w.query(t, fmt.Sprintf(`{ nftTraits(collection: %q) { name values { value items { count more } } moreValues } other: nftTraits(collection: %q) { name } none: nftTraits(collection: %q) { name } }`,
		collection, other, testdb.Address()), nil, &data)
	require.Len(t, data.NFTTraits, 2)
	require.Len(t, data.Other, 2)
	require.Empty(t, data.None)
	require.Len(t, data.NFTTraits[0].Values, 25, "traits without a name")
	colours := data.NFTTraits[1]
	require.Equal(t, "Colour", colours.Name)
	require.False(t, colours.MoreValues)
	require.Equal(t, "blue green red", strings.Join([]string{colours.Values[0].Value, colours.Values[1].Value, colours.Values[2].Value}, " "))
	require.Equal(t, len(red), colours.Values[2].Items.Count)
}

// A trait is a filter of the items of one collection; the error says what must be given.
func TestTraits_RefusedFiltersSayWhatTheyNeed(t *testing.T) {
	t.Parallel()
	w, collection, other, _ := traitedItems(t)
	const red = `trait: {name: "Colour", value: "red"}`
	for where, says := range map[string]string{
		`{` + red + `}`: "trait needs exactly one of collections",
		fmt.Sprintf(`{%s, collections: [%q, %q]}`, red, collection, other):                                             "trait needs exactly one of collections",
		fmt.Sprintf(`{%s, collections: [%q], owners: [%q]}`, red, collection, other):                                   "trait can be given with collections only",
		fmt.Sprintf(`{%s, collections: [%q], indexes: ["1"]}`, red, collection):                                        "trait can be given with collections only",
		fmt.Sprintf(`{%s, collections: [%q], byLastTxLt: true}`, red, collection):                                      "trait can be given with collections only",
		fmt.Sprintf(`{trait: {value: ""}, collections: [%q]}`, collection):                                             "the value is not empty",
		fmt.Sprintf(`{trait: {value: %q}, collections: [%q]}`, strings.Repeat("x", chain.MaxTraitBytes+1), collection): "at most 200 bytes",
		fmt.Sprintf(`{trait: {name: "a"}, collections: [%q]}`, collection):                                             "value",
	} {
		_, a := post(t, w.h, `{ nftItems(where: `+where+`) { nodes { index } } }`, nil)
		require.NotEmpty(t, a.Errors, where)
		require.Contains(t, a.Errors[0].Message, says, where)
	}
	_, a := post(t, w.h, fmt.Sprintf(`{ nftCollection(address: %q) { items(where: {owners: [%q]}) { nodes { index } } } }`, collection, other), nil)
	require.Contains(t, a.Errors[0].Message, "can be filtered by trait only")
	_, a = post(t, w.h, fmt.Sprintf(`{ nftItems(where: {collections: [%q], trait: {value: "\u0000\uD800"}}) { nodes { index } } }`, collection), nil)
	for _, err := range a.Errors {
		require.NotContains(t, err.Message, "internal")
	}
}
