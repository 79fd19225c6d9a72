package v3_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chaintest"
)

// Every parameter of /traces selects rows as documented, and /events agrees.
func TestTraces_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	const all = "T14 T13 W13 T12 W12 T11 W11 T10 W10" // W14 is not complete
	for query, want := range map[string]string{
		"":                                    all,
		"limit=2":                             "T14 T13",
		"limit=0":                             "T14",
		"limit=2&offset=2":                    "W13 T12",
		"offset=9":                            "",
		"sort=asc&limit=3":                    "W10 T10 W11",
		"account=" + escape(chaintest.Wallet): "W13 W12 W11 W10",
		"account=" + escape(chaintest.JettonWallet):                                                               "W13 W12 W11 W10",
		"account=" + escape(poolAddress):                                                                          "",
		"account=" + escape(chaintest.Ticker):                                                                     "T14 T13 T12 T11 T10",
		"trace_id=" + escape(chaintest.Tx.Hash('W', 12)):                                                          "W12",
		"trace_id=" + chaintest.Tx.Hash('T', 12).Hex():                                                            "T12",
		"trace_id=" + escape(chaintest.Tx.Hash('J', 12)):                                                          "", // not the first transaction
		"trace_id=" + escape(chaintest.Tx.Hash('W', 14)):                                                          "W14",
		"tx_hash=" + escape(chaintest.Tx.Hash('J', 12)):                                                           "W12",
		"tx_hash=" + escape(chaintest.Tx.Hash('W', 14)):                                                           "W14",
		"tx_hash=" + escape(chaintest.Tx.Hash('Z', 14)):                                                           "",
		"msg_hash=" + escape(chaintest.Message.Hash('E', 12)):                                                     "W12",
		"msg_hash=" + escape(chaintest.Norm.Hash('E', 12)):                                                        "W12", // normalized
		"msg_hash=" + escape(chaintest.Message.Hash('I', 12)):                                                     "W12",
		"msg_hash=" + escape(chaintest.Message.Hash('O', 12)):                                                     "W12",
		"msg_hash=" + escape(chaintest.Message.Hash('Z', 12)):                                                     "",
		"trace_id=" + escape(chaintest.Tx.Hash('W', 12)) + "&trace_id=" + escape(chaintest.Tx.Hash('W', 13)):      "W13 W12",
		"tx_hash=" + escape(chaintest.Tx.Hash('W', 12)) + "&tx_hash=" + escape(chaintest.Tx.Hash('J', 12)):        "W12",
		"trace_id=" + escape(chaintest.Tx.Hash('W', 12)) + "," + escape(chaintest.Tx.Hash('W', 13)) + "&sort=asc": "W12 W13",
		"mc_seqno=12":          "T12 W12",
		"mc_seqno=12&sort=asc": "W12 T12",
		"mc_seqno=12&account=" + escape(chaintest.Ticker): "T12",
		"mc_seqno=14":                 "T14",
		"start_lt=13003":              "T14 T13 W13",
		"start_lt=13004":              "T14 T13",
		"end_lt=10003":                "W10",
		"end_lt=10002":                "",
		"start_lt=11003&end_lt=12003": "W12 T11 W11",
		"start_utime=1700000013":      "T14 W13 T13", // of one time by id
		"end_utime=1700000010":        "W10 T10",
		"start_utime=1700000015":      "",
		"end_utime=1700000011&account=" + escape(chaintest.Wallet): "W11 W10",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			d := &testClient{t: t, handler: d.handler}
			require.Equal(t, want, by("trace_id", d.get("/traces?" + query)["traces"]))
			require.Equal(t, want, by("trace_id", d.get("/events?" + query)["events"]))
		})
	}
}

func TestTraces_InvalidParametersAreRejected(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	const decode = `failed to decode: schema: error converting value for `
	hash := escape(chaintest.Tx.Hash('W', 12))
	for query, want := range map[string]string{
		"account=x": decode + `"account"`, "trace_id=x": decode + `index 0 of "trace_id"`, "tx_hash=x": decode + `index 0 of "tx_hash"`,
		"msg_hash=x": decode + `index 0 of "msg_hash"`, "mc_seqno=x": decode + `"mc_seqno"`, "start_utime=x": decode + `"start_utime"`,
		"end_utime=x": decode + `"end_utime"`, "start_lt=x": decode + `"start_lt"`, "end_lt=-1": decode + `"end_lt"`,
		"include_actions=maybe": decode + `"include_actions"`, "limit=x": decode + `"limit"`, "offset=x": decode + `"offset"`,
		"sort=up": "wrong value for sort parameter", "limit=1001": "limit is not allowed: 1001 > 1000",
		"trace_id=" + hash + "&tx_hash=" + hash:                     "only one of account, trace_id, tx_hash, msg_hash should be specified",
		"account=" + escape(chaintest.Wallet) + "&msg_hash=" + hash: "only one of account, trace_id, tx_hash, msg_hash should be specified",
	} {
		require.Equal(t, want, d.refuse("/traces?"+query, http.StatusUnprocessableEntity), query)
		require.Equal(t, want, d.refuse("/events?"+query, http.StatusUnprocessableEntity), query)
	}
	require.Equal(t, "masterchain block 99 not found", d.refuse("/traces?mc_seqno=99", http.StatusNotFound))
	require.Equal(t, "masterchain block -1 not found", d.refuse("/traces?mc_seqno=-1", http.StatusNotFound))
}

// The nested objects of a trace: its tree, its transactions, and actions if include_actions is set.
func TestTraces_IncludeTreeTransactionsAndActions(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	body := d.get("/traces?trace_id=" + escape(chaintest.Tx.Hash('W', 12)))
	trace := body["traces"].([]any)[0].(map[string]any)
	w, j := chaintest.Tx.Hash('W', 12).String(), chaintest.Tx.Hash('J', 12).String()
	require.Equal(t, map[string]any{
		"trace_state": "complete", "messages": 3.0, "transactions": 2.0, "pending_messages": 0.0, "classification_state": "ok",
	}, trace["trace_info"])
	require.Equal(t, map[string]any{
		"tx_hash": w, "in_msg_hash": chaintest.Message.Hash('E', 12).String(), "children": []any{
			map[string]any{"tx_hash": j, "in_msg_hash": chaintest.Message.Hash('I', 12).String(), "children": nil}, // it wrote a log
		},
	}, trace["trace"])
	require.Equal(t, []any{w, j}, trace["transactions_order"])
	require.Len(t, trace["transactions"], 2)
	require.Equal(t, w, trace["transactions"].(map[string]any)[j].(map[string]any)["trace_id"])
	require.Equal(t, chaintest.Message.Hash('E', 12).String(), trace["external_hash"])
	require.Equal(t, "12", trace["mc_seqno_start"])
	require.Equal(t, "12001", trace["start_lt"])
	require.Equal(t, "12003", trace["end_lt"])
	require.Equal(t, false, trace["is_incomplete"])
	require.NotContains(t, trace, "warning")
	require.NotContains(t, trace, "actions")
	require.Len(t, body["address_book"], 2)
	require.Contains(t, body, "metadata")

	tick := d.get("/traces?trace_id=" + escape(chaintest.Tx.Hash('T', 12)))["traces"].([]any)[0].(map[string]any)
	require.Nil(t, tick["external_hash"])
	require.Equal(t, map[string]any{"tx_hash": chaintest.Tx.Hash('T', 12).String(), "children": []any{}}, tick["trace"])

	flight := d.get("/traces?trace_id=" + escape(chaintest.Tx.Hash('W', 14)))["traces"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{
		"trace_state": "pending", "messages": 1.0, "transactions": 1.0, "pending_messages": 1.0, "classification_state": "unclassified",
	}, flight["trace_info"])
	require.Nil(t, flight["trace"].(map[string]any)["children"])
}

func TestTraces_ActionsAreIncludedOnRequest(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	of := func(path string, headers ...string) string {
		trace := d.get(path, headers...)["traces"].([]any)[0].(map[string]any)
		return by("action_id", trace["actions"])
	}
	path := "/traces?include_actions=true&trace_id=" + escape(chaintest.Tx.Hash('W', 12))
	require.Equal(t, "C12 S12", of(path))
	require.Equal(t, "C12 P12", of(path+"&supported_action_types=v1"))
	require.Equal(t, "C12 S12", of(path+"&supported_action_types=v1&supported_action_types=jvault"))
	require.Equal(t, "C12 P12", of(path+"&supported_action_types=nonsense"))
	require.Equal(t, "C12 P12", of(path, "X-Actions-Version", "v1"))
	require.Equal(t, "C12 S12", of(path+"&supported_action_types=v1", "X-Actions-Version", "latest"))
	event := d.get("/events?trace_id=" + escape(chaintest.Tx.Hash('W', 12)))["events"].([]any)[0].(map[string]any)
	require.Equal(t, "C12 S12", by("action_id", event["actions"]))

	// The pool occurs in the details only; addresses in user-written texts are ignored.
	body := d.get(path)
	require.Len(t, body["address_book"], 3)
	require.Contains(t, body["address_book"], poolAddress.String())
	require.NotContains(t, d.get(path + "&supported_action_types=v1")["address_book"], chaintest.Ticker.String())
	require.Empty(t, d.get(path, "X-No-Address-Book", "1")["address_book"])
	none := d.get("/traces?include_actions=true&trace_id=" + escape(chaintest.Tx.Hash('W', 14)))["traces"].([]any)[0].(map[string]any)
	require.Equal(t, []any{}, none["actions"])
}

// A service without emulation returns an error instead of an empty list.
func TestPendingRoutes_WithoutEmulationAreErrors(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	for _, path := range []string{"/pendingTraces", "/pendingActions"} {
		require.Equal(t, "account or ext_msg_hash should be specified", d.refuse(path, http.StatusUnprocessableEntity))
		d.refuse(path+"?account=x", http.StatusUnprocessableEntity)
		d.refuse(path+"?ext_msg_hash=x", http.StatusUnprocessableEntity)
		for _, query := range []string{"?ext_msg_hash=" + escape(chaintest.Message.Hash('E', 14)), "?account=" + escape(chaintest.Wallet)} {
			require.Equal(t, "emulatedTracesRepository is not initialized", d.refuse(path+query, http.StatusInternalServerError))
		}
	}
	require.Equal(t, "at least 1 account address required", d.refuse("/pendingTransactions?trace_id="+escape(chaintest.Tx.Hash('W', 14)), http.StatusUnprocessableEntity))
	d.refuse("/pendingTransactions?account=x", http.StatusUnprocessableEntity)
	require.Equal(t, "emulatedTracesRepository is not initialized",
		d.refuse("/pendingTransactions?account="+escape(chaintest.Wallet), http.StatusInternalServerError))
}
