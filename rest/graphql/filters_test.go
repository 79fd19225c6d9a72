package graphql_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/store/synthetic"
	gql "tonql/rest/graphql"
)

// A filter that matches nothing compares a bounded number of rows: the page is empty, says that there is more, and continues at its cursor
// until the list ends, in both directions.
func TestFilters_CompareABoundedNumberOfRows(t *testing.T) {
	t.Parallel()
	const transactions, atOnce, nestedAtOnce = 7000, 5000, 1000
	w, db := emptyTestIndex(t)
	o := synthetic.Options{Transactions: transactions, Accounts: 300, PerBlock: 70, Shards: 2, Seed: 5}
	require.NoError(t, synthetic.Load(t.Context(), db.Writer(), o, nil))
	type list struct {
		Nodes    []struct{ Hash string }
		PageInfo struct {
			HasNextPage, HasPreviousPage bool
			StartCursor, EndCursor       *string
		}
	}
	const selected = `{ nodes { hash } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`
	for _, c := range []struct {
		name, list string
		pages      int
	}{
		{"transactions by value", `transactions(%s, where: {minValue: "9000000000000000000"})`, transactions/atOnce + 1},
		{"transactions by exit code", `transactions(%s, where: {exitCode: 12345})`, transactions/atOnce + 1},
		{"messages by value", `messages(%s, where: {minValue: "9000000000000000000"})`, 2},
	} {
		for _, backwards := range []bool{false, true} {
			position := "first: 10"
			if backwards {
				position = "last: 10"
			}
			pages := 0
			for more := true; more; pages++ {
				require.Less(t, pages, 20, c.name)
				before := w.count.n.Load()
				var data struct{ List list }
				w.query(t, "{ list: "+fmt.Sprintf(c.list, position)+" "+selected+" }", nil, &data)
				require.Empty(t, data.List.Nodes, c.name)
				require.LessOrEqual(t, w.count.n.Load()-before, int64(60), "statements of a page")
				if more = data.List.PageInfo.HasNextPage; backwards {
					more = data.List.PageInfo.HasPreviousPage
				}
				switch {
				case more && backwards:
					position = fmt.Sprintf("last: 10, before: %q", *data.List.PageInfo.StartCursor)
				case more:
					position = fmt.Sprintf("first: 10, after: %q", *data.List.PageInfo.EndCursor)
				}
			}
			require.GreaterOrEqual(t, pages, c.pages, "%s, backwards %v", c.name, backwards)
		}
	}
	// Within another object fewer rows are compared.
	var busy struct {
		Account struct {
			TransactionCount struct{ Count int }
			Transactions     list
		}
	}
	address := synthetic.Address(0)
	w.query(t, fmt.Sprintf(`{ account(address: %q) { transactionCount { count } transactions(first: 10, where: {exitCode: 12345}) %s } }`, address, selected), nil, &busy)
	require.Empty(t, busy.Account.Transactions.Nodes)
	require.Equal(t, busy.Account.TransactionCount.Count > nestedAtOnce, busy.Account.Transactions.PageInfo.HasNextPage)
	require.Greater(t, busy.Account.TransactionCount.Count, nestedAtOnce/2, "the busiest account")
}

// Filtered lists within the rows of a list are read one by one, so each costs as much as a list.
func TestFilters_WithinManyRowsCostTooMuch(t *testing.T) {
	t.Parallel()
	h := newHandler(t)
	_, a := post(t, h, `{ topAccounts(first: 100) { nodes { transactions(first: 1, where: {success: true}) { nodes { hash } } } } }`, nil)
	require.NotEmpty(t, a.Errors)
	require.Contains(t, a.Errors[0].Message, "the query costs too much")

	w, _ := emptyTestIndex(t)
	cost := func(where string) int {
		rec, a := post(t, w.h, "{ transactions(first: 1, where: "+where+") { nodes { hash } } }", nil)
		require.Empty(t, a.Errors)
		var beside struct {
			Extensions struct{ Cost struct{ Requested int } }
		}
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &beside))
		return beside.Extensions.Cost.Requested
	}
	plain := cost(`{startLt: "5"}`)
	require.Equal(t, plain, cost(`{startLt: "5", direction: ANY, success: null}`), "what does not restrict costs nothing")
	require.Equal(t, plain+500, cost(`{startLt: "5", success: true}`))
	require.Equal(t, plain+500, cost(`{startLt: "5", kind: ORD, direction: IN}`))
}

// Code and data may have megabytes. What pages of accounts and wallets request is far below the largest cost.
func TestPrice_OfCodeAndDataIsThatOfReadingThem(t *testing.T) {
	t.Parallel()
	w, _ := emptyTestIndex(t)
	cost := func(query string) int {
		rec, a := post(t, w.h, query, nil)
		require.Empty(t, a.Errors)
		var beside struct {
			Extensions struct{ Cost struct{ Requested int } }
		}
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &beside))
		return beside.Extensions.Cost.Requested
	}
	const account = `{ account(address: "0:0000000000000000000000000000000000000000000000000000000000000000") `
	plain := cost(account + `{ state { codeHash dataHash } } }`)
	require.Equal(t, plain+100, cost(account+`{ state { code data } } }`))
	require.Less(t, cost(account+`{ transactions(first: 100) { nodes { stateBefore { code data } stateAfter { code data } } } } }`), gql.DefaultLimits.MaxCost/2)
	_, a := post(t, w.h, account+`{ transactions(first: 100) { nodes { account { transactions(first: 10) { nodes { stateAfter { data } } } } } } } }`, nil)
	require.NotEmpty(t, a.Errors)
	require.Contains(t, a.Errors[0].Message, "the query costs too much")
}

// Lists in arguments have at most 100 values.
func TestArguments_ListsAreLimitedTo100Values(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 1)
	var id struct{ Account struct{ ID string } }
	w.query(t, `{ account(address: "`+w.wallets[0].String()+`") { id } }`, nil, &id)
	account, bag := w.wallets[0].String(), cell.BeginCell().EndCell().ToBOC()
	for query, c := range map[string]struct{ value, want string }{
		`query($v: [Address!]!) { accounts(addresses: $v) { address } }`:                        {account, "addresses takes at most 100 values"},
		`query($v: [ID!]!) { nodes(ids: $v) { id } }`:                                           {id.Account.ID, "ids takes at most 100 values"},
		`query($v: [String!]) { decode(opcodes: $v) { opcodes } }`:                              {"0x0f8a7ea5", "each list takes at most 100 values"},
		`query($v: [String!]) { decode(bodies: $v) { bodies } }`:                                {base64.StdEncoding.EncodeToString(bag), "each list takes at most 100 values"},
		`query($v: [String!]) { actions(where: {supported: $v}) { nodes { type } } }`:           {"jetton_transfer", "each list takes at most 100 values"},
		`query($v: [Address!]) { transactions(where: {excludeAccounts: $v}) { nodes { lt } } }`: {account, "each list takes at most 100 values"},
	} {
		_, a := post(t, w.h, query, map[string]any{"v": slices.Repeat([]any{c.value}, chain.MaxInputs)})
		require.Empty(t, a.Errors, query)
		_, a = post(t, w.h, query, map[string]any{"v": slices.Repeat([]any{c.value}, chain.MaxInputs+1)})
		require.NotEmpty(t, a.Errors, query)
		require.Equal(t, c.want, a.Errors[0].Message, query)
	}
}
