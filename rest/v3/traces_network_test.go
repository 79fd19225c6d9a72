package v3_test

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/action/details"
	"tonql/resolvers"
)

// The traces and actions of the scenario are the same through every route and GraphQL.
//
//nolint:tparallel // the subtests share one devnet
func TestScenario_ActionsAgreeAcrossAPIs(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 75)
	d := &tracesClient{n.testClient, resolvers.New(n.db.Reader(), n.node, resolvers.Options{Network: "devnet", TestOnly: true})}
	t.Cleanup(d.svc.Close)
	all := rows(d.get("/actions?limit=1000&sort=asc&include_accounts=1"), "actions")
	kinds := map[string]int{}
	for _, a := range all {
		kind, _ := a["type"].(string)
		kinds[kind]++
	}
	t.Logf("%d actions: %v", len(all), kinds)
	for _, kind := range []string{
		"ton_transfer", "call_contract", "contract_deploy", "unknown", "jetton_transfer", "jetton_mint", "jetton_burn",
		"nft_mint", "nft_transfer", "nft_purchase", "nft_put_on_sale", "nft_cancel_sale", "nft_put_on_auction", "auction_bid",
		"auction_outbid", "nft_finish_auction", "change_dns", "renew_dns", "dns_purchase", "multisig_create_order", "multisig_approve",
		"multisig_execute", "vesting_send_message", "vesting_add_whitelist", "subscribe", "unsubscribe",
	} {
		require.Positive(t, kinds[kind], "%s of %v", kind, kinds)
	}
	t.Run("filters", func(t *testing.T) { d.filtersAgree(t, all) })
	t.Run("traces", func(t *testing.T) { d.tracesAgree(t) })
	t.Run("balances", func(t *testing.T) { d.balancesAgree(t) })
	t.Run("GraphQL", func(t *testing.T) { d.graphQLAgrees(t, all) })
	t.Run("long pages", func(t *testing.T) { d.longPagesAreShortOnes(t) })
	t.Run("long pages again", func(t *testing.T) { d.longPagesAreTheSameAgain(t) })
}

// longPagesAreTheSameAgain repeats a request for a page in parts, so soon that responses are cached.
func (d *tracesClient) longPagesAreTheSameAgain(t *testing.T) {
	t.Helper()
	const path = "/transactions?sort=asc&limit=300" // two parts
	page := d.get(path)
	require.Len(t, rows(page, "transactions"), 300)
	for range 20 {
		require.Equal(t, page, d.get(path))
	}
}

// longPagesAreShortOnes compares pages that are read in parts with short ones, which are read at once.
func (d *tracesClient) longPagesAreShortOnes(t *testing.T) {
	t.Helper()
	for list, path := range map[string]string{
		"transactions": "/transactions?sort=asc", "traces": "/traces?sort=asc&include_actions=1",
		"actions": "/actions?sort=asc&include_transactions=1&include_accounts=1",
	} {
		const long, short = 1000, 25
		page := d.get(fmt.Sprintf("%s&limit=%d", path, long))
		all, names := rows(page, list), map[string]any{}
		require.Greater(t, len(all), 100, list)
		for offset := 0; offset < len(all); offset += short {
			part := d.get(fmt.Sprintf("%s&limit=%d&offset=%d", path, short, offset))
			require.Equal(t, all[offset:min(offset+short, len(all))], rows(part, list), list)
			maps.Copy(names, part["address_book"].(map[string]any))
		}
		require.Equal(t, names, page["address_book"], list)
	}
}

// filtersAgree compares the filters of the API with filtering all rows in the test.
func (d *tracesClient) filtersAgree(t *testing.T, all []map[string]any) {
	t.Helper()
	accounts, txs, types := map[string]int{}, map[string]int{}, map[string]int{}
	for _, a := range all {
		for _, account := range a["accounts"].([]any) {
			accounts[account.(string)]++
		}
		for _, tx := range a["transactions"].([]any) {
			txs[tx.(string)]++
		}
		types[a["type"].(string)]++
	}
	ids := func(keep func(map[string]any) bool) (want []string) {
		for _, a := range all {
			if keep(a) {
				want = append(want, a["action_id"].(string))
			}
		}
		return want
	}
	got := func(query string) (found []string) {
		for _, a := range rows(d.get("/actions?limit=1000&sort=asc&"+query), "actions") {
			found = append(found, a["action_id"].(string))
		}
		return found
	}
	for _, account := range slices.Sorted(maps.Keys(accounts))[:10] {
		want := ids(func(a map[string]any) bool { return slices.Contains(a["accounts"].([]any), any(account)) })
		require.Equal(t, want, got("account="+url.QueryEscape(account)))
	}
	for _, tx := range slices.Sorted(maps.Keys(txs))[:10] {
		want := ids(func(a map[string]any) bool { return slices.Contains(a["transactions"].([]any), any(tx)) })
		require.Equal(t, want, got("tx_hash="+url.QueryEscape(tx)))
	}
	// Filters know transfers and calls with extra currencies as ton_transfer and call_contract.
	const currencies = "extra_currency_transfer"
	carrying := ids(func(a map[string]any) bool { return a["type"] == currencies })
	found := 0
	for kind := range types {
		if kind == currencies {
			continue
		}
		want := ids(func(a map[string]any) bool { return a["type"] == kind })
		all := got("action_type=" + kind)
		rest := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return slices.Contains(carrying, id) })
		require.Equal(t, want, rest, kind)
		if found += len(all) - len(rest); len(all) > len(rest) {
			require.Contains(t, []string{"ton_transfer", "call_contract"}, kind)
		}
	}
	require.Len(t, carrying, found)
}

// tracesAgree checks that the tree, the transactions and the actions of every trace match.
func (d *tracesClient) tracesAgree(t *testing.T) {
	t.Helper()
	const pages = 40
	for _, trace := range rows(d.get(fmt.Sprintf("/traces?limit=%d&include_actions=1", pages)), "traces") {
		order, _ := trace["transactions_order"].([]any)
		txs, _ := trace["transactions"].(map[string]any)
		require.EqualValues(t, len(order), dig(trace, "trace_info", "transactions"))
		require.Equal(t, "complete", dig(trace, "trace_info", "trace_state"))
		require.Len(t, txs, len(order))
		require.Equal(t, trace["trace_id"], order[0])
		require.Equal(t, len(order), size(trace["trace"]))
		for hash, tx := range txs {
			require.Equal(t, trace["trace_id"], dig(tx, "trace_id"))
			require.Equal(t, hash, dig(tx, "hash"))
		}
		for _, a := range rows(trace, "actions") {
			for _, tx := range a["transactions"].([]any) {
				require.Contains(t, txs, tx)
			}
		}
	}
}

// balancesAgree checks the balance changes of traces and their actions: accounts whose coins change have a transaction
// in the trace, and an action changes only accounts that its trace changes.
func (d *tracesClient) balancesAgree(t *testing.T) {
	t.Helper()
	jettons := 0
	for _, trace := range rows(d.get("/traces?limit=60&include_actions=1"), "traces") {
		of := d.get("/balanceChanges?trace_id=" + url.QueryEscape(trace["trace_id"].(string)))
		accounts := map[string]bool{}
		for _, tx := range trace["transactions"].(map[string]any) {
			accounts[dig(tx, "account").(string)] = true
		}
		changes, _ := of["changes"].(map[string]any)
		for account := range changes {
			require.True(t, accounts[account], "%s in %v", account, trace["trace_id"])
		}
		for account := range of["fees"].(map[string]any) {
			require.Contains(t, changes, account)
		}
		jettons += len(of["jettons"].(map[string]any))
		for _, a := range rows(trace, "actions") {
			part := d.get("/balanceChanges?action_id=" + url.QueryEscape(a["action_id"].(string)))
			for account := range part["changes"].(map[string]any) {
				require.True(t, accounts[account], "%s in %v", account, a["action_id"])
			}
		}
	}
	require.Positive(t, jettons)
}

// size counts the nodes of a tree.
func size(node any) int {
	n := 1
	children, _ := dig(node, "children").([]any)
	for _, child := range children {
		n += size(child)
	}
	return n
}

// graphQLAgrees reads all actions through GraphQL, page by page, with all members of their details.
func (d *tracesClient) graphQLAgrees(t *testing.T, all []map[string]any) {
	t.Helper()
	present := map[string]bool{}
	for _, a := range all {
		present[a["type"].(string)] = true
	}
	fragments := fragmentsOf(slices.Sorted(maps.Keys(present)))
	var found []any
	after := ""
	for {
		page := dig(d.byGraphQL(`{ actions(first: 20, sort: ASC`+after+`) { pageInfo { hasNextPage endCursor } nodes {
			hash traceHash type success startLt endLt traceEndLt traceExternalHash transactionHashes details { `+fragments+` } } } }`), "actions")
		found = append(found, dig(page, "nodes").([]any)...)
		if dig(page, "pageInfo", "hasNextPage") != true {
			break
		}
		after = `, after: "` + dig(page, "pageInfo", "endCursor").(string) + `"`
	}
	require.Len(t, found, len(all))
	for i, row := range found {
		want := map[string]any{
			"hash": all[i]["action_id"], "traceHash": all[i]["trace_id"], "transactionHashes": all[i]["transactions"],
		}
		for _, name := range []string{"type", "success", "start_lt", "end_lt", "trace_end_lt", "trace_external_hash", "details"} {
			want[name] = all[i][name]
		}
		require.Equal(t, plain(want), plain(row))
	}
}

// fragmentsOf returns GraphQL fragments with every member of the details of some kinds.
func fragmentsOf(kinds []string) string {
	var text strings.Builder
	for _, kind := range kinds {
		if d, err := details.New(kind); err == nil { // not extra_currency_transfer, which is a name only
			t := reflect.TypeOf(d).Elem()
			fmt.Fprintf(&text, "... on %sDetails { %s} ", t.Name(), membersOf(t))
		}
	}
	return text.String()
}

func membersOf(t reflect.Type) string {
	var text strings.Builder
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		text.WriteString(camel(name, f.Type.Kind() == reflect.Struct) + " ")
		of := f.Type
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct && strings.HasSuffix(of.PkgPath(), "details") {
			text.WriteString("{ " + membersOf(of) + "} ")
		}
	}
	return text.String()
}

// camel returns the name of a member in GraphQL.
func camel(name string, object bool) string {
	if name == "value" && object {
		return "record" // because other kinds have an amount of this name
	}
	parts := strings.Split(name, "_")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Join(parts, "")
}

// plain removes the differences between the APIs: names of members, numbers as strings, and nulls.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if member != nil {
				_, object := member.(map[string]any)
				out[camel(name, object)] = plain(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i])
		}
		return out
	case float64:
		return fmt.Sprintf("%.0f", v)
	default:
		return v
	}
}
