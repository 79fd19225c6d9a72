package v3_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/chaintest"
	"tonql/resolvers"
	"tonql/rest/graphql"
)

// byGraphQL sends a GraphQL query to the same index. A response with errors fails the test.
func (d *tracesClient) byGraphQL(query string) map[string]any {
	d.t.Helper()
	resolver := &resolvers.Resolver{Service: d.svc, Limits: graphql.DefaultLimits}
	h := graphql.New(graphql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: resolver}), Limits: graphql.DefaultLimits,
		Logger: slog.New(slog.DiscardHandler), RequestID: func(context.Context) string { return "" }, Prepare: resolver.Prepare,
	})
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(d.t, err)
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var response struct {
		Data   map[string]any
		Errors []any
	}
	require.NoError(d.t, json.Unmarshal(w.Body.Bytes(), &response))
	require.Empty(d.t, response.Errors, query)
	return response.Data
}

func dig(v any, path ...string) any {
	for _, name := range path {
		v = v.(map[string]any)[name]
	}
	return v
}

// GraphQL and v3 return the same traces, in the same order.
func TestGraphQLTraces_AgreeWithV3(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	const page = ` { nodes { hash } } `
	w := chaintest.Wallet.String()
	for query, path := range map[string]string{
		`traces` + page:                                                                            "/traces?",
		`traces(first: 3, sort: ASC)` + page:                                                       "/traces?limit=3&sort=asc",
		`traces(where: {account: "` + w + `"})` + page:                                             "/traces?account=" + w,
		`traces(where: {mcSeqno: 12})` + page:                                                      "/traces?mc_seqno=12",
		`traces(where: {startLt: "11003", endLt: "12003"})` + page:                                 "/traces?start_lt=11003&end_lt=12003",
		`traces(where: {startUtime: "2023-11-14T22:13:33Z"})` + page:                               "/traces?start_utime=1700000013",
		`traces(where: {hashes: ["` + chaintest.Tx.Hash('W', 14).String() + `"]})` + page:          "/traces?trace_id=" + escape(chaintest.Tx.Hash('W', 14)),
		`traces(where: {transactions: ["` + chaintest.Tx.Hash('J', 12).String() + `"]})` + page:    "/traces?tx_hash=" + escape(chaintest.Tx.Hash('J', 12)),
		`traces(where: {messages: ["` + chaintest.Norm.Hash('E', 12).String() + `"]})` + page:      "/traces?msg_hash=" + escape(chaintest.Norm.Hash('E', 12)),
		`traces: account(address: "` + w + `") { traces(first: 2) { nodes { hash } } }`:            "/traces?limit=2&account=" + w,
		`traces: account(address: "` + w + `") { traces(first: 2, sort: ASC) { nodes { hash } } }`: "/traces?limit=2&sort=asc&account=" + w,
	} {
		got := dig(d.byGraphQL("{ "+query+" }"), "traces")
		if nested := dig(got, "traces"); nested != nil {
			got = nested
		}
		require.Equal(t, by("trace_id", d.get(path)["traces"]), by("hash", dig(got, "nodes")), query)
	}
}

func TestGraphQLTrace_HasTreeTransactionsAndActions(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	for _, by := range []string{
		`hash: "` + chaintest.Tx.Hash('W', 12).String() + `"`, `transaction: "` + chaintest.Tx.Hash('J', 12).Hex() + `"`, `message: "` + chaintest.Message.Hash('O', 12).String() + `"`,
	} {
		require.Equal(t, chaintest.Tx.Hash('W', 12).String(), dig(d.byGraphQL(`{ trace(by: {`+by+`}) { hash } }`), "trace", "hash"))
	}
	require.Nil(t, d.byGraphQL(`{ trace(by: {hash: "` + chaintest.Tx.Hash('Z', 12).String() + `"}) { hash } }`)["trace"])

	got := d.byGraphQL(`{ trace(by: {hash: "` + chaintest.Tx.Hash('W', 12).String() + `"}) {
		id externalHash externalHashNorm state classification finality startLt endLt startUtime endUtime mcSeqnoStart mcSeqnoEnd
		transactionCount messageCount pendingMessageCount warning root { hash trace { hash } }
		tree { transaction { hash } children { transaction { hash inMessage { hash } } children { transaction { hash } } } }
		transactions(first: 1) { nodes { hash } pageInfo { hasNextPage endCursor } }
		newest: transactions(sort: DESC) { nodes { hash } }
		actions { nodes { hash } } v1: actions(supported: ["v1"], last: 1) { nodes { hash } pageInfo { hasPreviousPage } } } }`)["trace"]
	w, j := chaintest.Tx.Hash('W', 12).String(), chaintest.Tx.Hash('J', 12).String()
	v3 := d.get("/traces?trace_id=" + url.QueryEscape(w))["traces"].([]any)[0]
	for name, member := range map[string]string{
		"externalHash": "external_hash", "startLt": "start_lt", "endLt": "end_lt",
	} {
		require.Equal(t, dig(v3, member), dig(got, name), name)
	}
	for name, member := range map[string]string{
		"transactionCount": "transactions", "messageCount": "messages", "pendingMessageCount": "pending_messages",
	} {
		require.Equal(t, dig(v3, "trace_info", member), dig(got, name), name)
	}
	require.Equal(t, "COMPLETE OK FINALIZED", strings.Join([]string{dig(got, "state").(string), dig(got, "classification").(string), dig(got, "finality").(string)}, " "))
	require.Nil(t, dig(got, "warning"))
	require.Equal(t, w, dig(got, "root", "hash"))
	require.Equal(t, w, dig(got, "root", "trace", "hash"))
	require.Equal(t, w, dig(got, "tree", "transaction", "hash"))
	child := dig(got, "tree", "children").([]any)[0]
	require.Equal(t, j, dig(child, "transaction", "hash"))
	require.Empty(t, dig(child, "children"))
	require.Equal(t, "W12", by("hash", dig(got, "transactions", "nodes")))
	require.Equal(t, true, dig(got, "transactions", "pageInfo", "hasNextPage"))
	require.Equal(t, "J12 W12", by("hash", dig(got, "newest", "nodes")))
	for where, want := range map[string]string{
		`types: ["ton_transfer"]`: "C13 C11", `types: ["extra_currency_transfer"]`: "C12 C10",
		`types: ["ton_transfer", "extra_currency_transfer"], excludeTypes: ["extra_currency_transfer"]`: "C13 C11",
		`types: ["ton_transfer", "extra_currency_transfer"], excludeTypes: ["ton_transfer"]`:            "",
	} {
		nodes := dig(d.byGraphQL(`{ actions(where: {`+where+`}) { nodes { hash } } }`), "actions", "nodes")
		require.Equal(t, want, by("hash", nodes), "the type that is shown: %s", where)
	}
	require.Equal(t, "C12 S12", by("hash", dig(got, "actions", "nodes")))
	require.Equal(t, "P12", by("hash", dig(got, "v1", "nodes")))
	require.Equal(t, true, dig(got, "v1", "pageInfo", "hasPreviousPage"))

	after := dig(got, "transactions", "pageInfo", "endCursor").(string)
	got = d.byGraphQL(`{ trace(by: {hash: "` + w + `"}) { transactions(first: 5, after: "` + after + `") { nodes { hash } pageInfo { hasNextPage } } } }`)["trace"]
	require.Equal(t, "J12", by("hash", dig(got, "transactions", "nodes")))
	global := dig(d.byGraphQL(`{ trace(by: {hash: "`+w+`"}) { id } }`), "trace", "id").(string)
	require.Equal(t, w, dig(d.byGraphQL(`{ node(id: "`+global+`") { ... on Trace { hash } } }`), "node", "hash"))
}

// GraphQL and v3 return the same actions, in the same order.
func TestGraphQLActions_AgreeWithV3(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	const page = ` { nodes { hash type } } `
	w, j := chaintest.Wallet.String(), chaintest.JettonWallet.String()
	for query, path := range map[string]string{
		`actions(first: 10)` + page:                                                                       "/actions?",
		`actions(first: 3, sort: ASC)` + page:                                                             "/actions?limit=3&sort=asc",
		`actions(where: {account: "` + w + `"})` + page:                                                   "/actions?account=" + w,
		`actions(where: {account: "` + j + `", supported: ["v1"]})` + page:                                "/actions?supported_action_types=v1&account=" + j,
		`actions(where: {transactions: ["` + chaintest.Tx.Hash('J', 12).String() + `"]})` + page:          "/actions?tx_hash=" + escape(chaintest.Tx.Hash('J', 12)),
		`actions(where: {messages: ["` + chaintest.Message.Hash('E', 12).String() + `"]})` + page:         "/actions?msg_hash=" + escape(chaintest.Message.Hash('E', 12)),
		`actions(where: {traces: ["` + chaintest.Tx.Hash('W', 12).String() + `"]})` + page:                "/actions?trace_id=" + escape(chaintest.Tx.Hash('W', 12)),
		`actions(where: {hashes: ["` + chaintest.Action.Hash('C', 12).String() + `"]})` + page:            "/actions?action_id=" + escape(chaintest.Action.Hash('C', 12)),
		`actions(where: {mcSeqno: 12})` + page:                                                            "/actions?mc_seqno=12",
		`actions(where: {endUtime: "2023-11-14T22:13:30Z"})` + page:                                       "/actions?end_utime=1700000010",
		`actions(where: {startLt: "13005"})` + page:                                                       "/actions?start_lt=13005",
		`actions(where: {types: ["jvault_stake"]})` + page:                                                "/actions?action_type=jvault_stake",
		`actions(where: {types: ["ton_transfer", "extra_currency_transfer"]})` + page:                     "/actions?action_type=ton_transfer",
		`actions(where: {excludeTypes: ["unknown", "jvault_stake"]})` + page:                              "/actions?exclude_action_type=unknown&exclude_action_type=jvault_stake",
		`actions: account(address: "` + w + `") { actions(first: 3) { nodes { hash type } } }`:            "/actions?limit=3&account=" + w,
		`actions: account(address: "` + w + `") { actions(first: 3, sort: ASC) { nodes { hash type } } }`: "/actions?limit=3&sort=asc&account=" + w,
	} {
		got := dig(d.byGraphQL("{ "+query+" }"), "actions")
		if nested := dig(got, "actions"); nested != nil {
			got = nested
		}
		want := d.get(path)["actions"]
		require.Equal(t, by("action_id", want), by("hash", dig(got, "nodes")), query)
		for i, row := range dig(got, "nodes").([]any) {
			require.Equal(t, dig(want.([]any)[i], "type"), dig(row, "type"))
		}
	}
	require.Equal(t, "C12 S12", by("hash", dig(d.byGraphQL(`{ transaction(hash: "`+chaintest.Tx.Hash('W', 12).String()+`") { actions { hash } } }`),
		"transaction", "actions")))
}

func TestGraphQLAction_HasTheDetailsOfItsKind(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	got := d.byGraphQL(`{ action(hash: "` + chaintest.Action.Hash('P', 12).String() + `") {
		id type success startLt endLt startUtime endUtime mcSeqnoEnd transactionHashes transactions { hash } accounts { address }
		parent { hash type details { ... on JVaultStakeDetails { pool amount stakeWallet } } } ancestors opcode traceHash trace { hash }
		traceEndLt traceEndUtime traceMcSeqnoEnd traceExternalHash traceExternalHashNorm finality
		details { __typename ... on JettonTransferDetails { sender receiver amount comment queryId } } } }`)["action"]
	require.Equal(t, map[string]any{
		"__typename": "JettonTransferDetails", "sender": chaintest.Wallet.String(), "receiver": poolAddress.String(), "amount": "5",
		"comment": chaintest.Ticker.String(), "queryId": nil,
	}, dig(got, "details"))
	require.Equal(t, map[string]any{"pool": poolAddress.String(), "amount": "5", "stakeWallet": chaintest.JettonWallet.String()}, dig(got, "parent", "details"))
	require.Equal(t, chaintest.Tx.Hash('W', 12).String(), dig(got, "trace", "hash"))
	require.Equal(t, "J12", by("hash", dig(got, "transactions")))
	require.Equal(t, []any{map[string]any{"address": chaintest.JettonWallet.String()}}, dig(got, "accounts"))
	require.Equal(t, "0x0f8a7ea5", dig(got, "opcode"))
	require.Equal(t, []any{"jvault_stake"}, dig(got, "ancestors"))
	require.Equal(t, dig(got, "type"), dig(d.byGraphQL(`{ node(id: "`+dig(got, "id").(string)+`") { ... on Action { type } } }`), "node", "type"))
	require.Nil(t, d.byGraphQL(`{ action(hash: "` + chaintest.Action.Hash('Z', 12).String() + `") { hash } }`)["action"])

	coins := d.byGraphQL(`{ action(hash: "` + chaintest.Action.Hash('C', 12).String() + `") { type details { ... on TonTransferDetails { value valueExtraCurrencies } } } }`)["action"]
	require.Equal(t, "extra_currency_transfer", dig(coins, "type"))
	require.Equal(t, map[string]any{"value": nil, "valueExtraCurrencies": map[string]any{"100": "7"}}, dig(coins, "details"))
}
