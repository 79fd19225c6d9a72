package v3_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chaintest"
)

// The pages of /actions are read by the member next_cursor, which the last page lacks.
func TestActions_NextCursorLeadsThroughAllPages(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	for _, query := range []string{"", "&sort=asc", "&start_utime=1700000011", "&account=" + escape(chaintest.Wallet), "&include_transactions=true"} {
		all := d.get("/actions?limit=1000" + query)
		require.NotContains(t, all, "next_cursor")
		var rows []any
		for cursor, more := "", true; more; {
			w := d.do("/actions?limit=3" + query + cursor)
			page := d.get("/actions?limit=3" + query + cursor)
			rows = append(rows, page["actions"].([]any)...)
			var next string
			if next, more = page["next_cursor"].(string); more {
				require.Len(t, page["actions"], 3)
			}
			require.Equal(t, w.Header().Get("X-Next-Cursor"), next)
			cursor = "&cursor=" + next
		}
		require.Equal(t, all["actions"], rows, query)
	}
}

// Every parameter of /actions selects rows as documented.
func TestActions_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	w, j := escape(chaintest.Wallet), escape(chaintest.JettonWallet)
	trace, tx := "trace_id="+escape(chaintest.Tx.Hash('W', 12)), "tx_hash="+escape(chaintest.Tx.Hash('J', 12))
	for query, want := range map[string]string{
		"":                 "U14 U13 S13 C13 U12 S12 C12 U11 S11 C11",
		"limit=3":          "U14 U13 S13",
		"limit=3&offset=3": "C13 U12 S12",
		"offset=13":        "",
		"sort=asc&limit=4": "C10 S10 U10 C11",
		"account=" + w:     "S13 C13 S12 C12 S11 C11 S10 C10",
		"account=" + j:     "S13 S12 S11 S10",
		"account=" + j + "&supported_action_types=v1":                                                  "P13 P12 P11 P10",
		"account=" + escape(poolAddress):                                                               "",
		"account=" + w + "&limit=2&sort=asc":                                                           "C10 S10",
		tx:                                                                                             "S12",
		tx + "&supported_action_types=v1":                                                              "P12",
		"tx_hash=" + escape(chaintest.Tx.Hash('W', 12)):                                                "S12 C12",
		"tx_hash=" + escape(chaintest.Tx.Hash('W', 14)):                                                "", // not complete
		"msg_hash=" + escape(chaintest.Message.Hash('E', 12)):                                          "S12 C12",
		"msg_hash=" + escape(chaintest.Norm.Hash('E', 12)):                                             "S12 C12",
		"msg_hash=" + escape(chaintest.Message.Hash('O', 12)):                                          "S12",
		"msg_hash=" + escape(chaintest.Message.Hash('I', 12)):                                          "S12 C12", // sent by W12, received by J12
		"msg_hash=" + escape(chaintest.Message.Hash('Z', 12)):                                          "",
		"action_id=" + escape(chaintest.Action.Hash('S', 12)):                                          "S12",
		"action_id=" + escape(chaintest.Action.Hash('P', 12)):                                          "", // part of S12, which is supported
		"action_id=" + escape(chaintest.Action.Hash('Z', 12)):                                          "",
		"action_id=" + escape(chaintest.Action.Hash('S', 12)) + "&account=" + escape(chaintest.Ticker): "S12",
		trace:                   "S12 C12",
		trace + "&sort=asc":     "C12 S12",
		trace + "&account=" + j: "S12",
		trace + "&tx_hash=" + escape(chaintest.Tx.Hash('T', 11)): "S12 C12",
		"mc_seqno=12":                         "U12 S12 C12",
		"mc_seqno=12&account=" + j:            "S12",
		"mc_seqno=12&action_type=unknown":     "U12",
		"start_lt=13005":                      "U14 U13",
		"start_lt=13003":                      "U14 U13 S13 C13",
		"end_lt=10003":                        "S10 C10",
		"end_lt=10002":                        "",
		"start_utime=1700000013":              "U14 S13 C13 U13",
		"end_utime=1700000010":                "S10 C10 U10",
		"start_utime=1700000015":              "",
		"action_type=ton_transfer":            "C13 C12 C11 C10",
		"action_type=extra_currency_transfer": "", // not a name of filters
		"action_type=teleport":                "",
		"action_type=jetton_transfer":         "", // parts of a supported action
		"action_type=jetton_transfer&supported_action_types=v1&limit=2": "P13 P12",
		"action_type=jvault_stake&action_type=unknown&limit=3":          "U14 U13 S13",
		"action_type=jvault_stake,unknown&limit=3":                      "U14 U13 S13",
		"exclude_action_type=unknown,jvault_stake,":                     "C13 C12 C11 C10",
		"supported_action_types=v1,unknown&limit=2":                     "U14 U13",
		"exclude_action_type=unknown&limit=3":                           "S13 C13 S12",
		"exclude_action_type=unknown&exclude_action_type=jvault_stake":  "C13 C12 C11 C10",
		"action_type=unknown&exclude_action_type=unknown":               "",
		"supported_action_types=v1&limit=3":                             "P13 C13 P12",
		"supported_action_types=latest&limit=2":                         "U14 U13",
		"supported_action_types=jvault&limit=2":                         "S13 C13",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, by("action_id", (&testClient{t: t, handler: d.handler}).get("/actions?" + query)["actions"]))
		})
	}
}

func TestActions_InvalidParametersAreRejected(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	const decode = `failed to decode: schema: error converting value for `
	for query, want := range map[string]string{
		"account=x": decode + `"account"`, "tx_hash=x": decode + `index 0 of "tx_hash"`, "msg_hash=x": decode + `index 0 of "msg_hash"`,
		"action_id=x": decode + `index 0 of "action_id"`, "trace_id=x": decode + `index 0 of "trace_id"`, "mc_seqno=x": decode + `"mc_seqno"`,
		"start_utime=x": decode + `"start_utime"`, "end_utime=x": decode + `"end_utime"`, "start_lt=x": decode + `"start_lt"`,
		"end_lt=x": decode + `"end_lt"`, "include_accounts=x": decode + `"include_accounts"`,
		"include_transactions=x": decode + `"include_transactions"`, "limit=x": decode + `"limit"`, "offset=x": decode + `"offset"`,
		"sort=up": "wrong value for sort parameter", "limit=1001": "limit is not allowed: 1001 > 1000",
		"action_type=a-b":         "action_type contains invalid characters",
		"exclude_action_type=a b": "exclude_action_type contains invalid characters",
	} {
		require.Equal(t, want, d.refuse("/actions?"+strings.ReplaceAll(query, " ", "+"), http.StatusUnprocessableEntity), query)
	}
	require.Equal(t, "masterchain block 99 not found", d.refuse("/actions?mc_seqno=99", http.StatusNotFound))
	require.Equal(t, "masterchain block -1 not found", d.refuse("/actions?mc_seqno=-1", http.StatusNotFound))
}

// The members of an action, and the optional ones.
func TestActions_OptionalMembersAreOnRequest(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	one := func(query string, headers ...string) map[string]any {
		return d.get("/actions?"+query, headers...)["actions"].([]any)[0].(map[string]any)
	}
	stake := one("action_id=" + escape(chaintest.Action.Hash('S', 12)))
	require.Equal(t, map[string]any{
		"trace_id": chaintest.Tx.Hash('W', 12).String(), "action_id": chaintest.Action.Hash('S', 12).String(), "start_lt": "12001", "end_lt": "12003",
		"start_utime": 1700000012.0, "end_utime": 1700000012.0, "trace_end_lt": "12003", "trace_end_utime": 1700000012.0,
		"trace_mc_seqno_end": 12.0, "success": true, "type": "jvault_stake", "finality": "finalized",
		"transactions":             []any{chaintest.Tx.Hash('W', 12).String(), chaintest.Tx.Hash('J', 12).String()},
		"trace_external_hash":      chaintest.Message.Hash('E', 12).String(),
		"trace_external_hash_norm": chaintest.Norm.Hash('E', 12).String(),
		"details": map[string]any{
			"period": nil, "minted_stake_jettons": nil, "stake_wallet": chaintest.JettonWallet.String(), "source": chaintest.Wallet.String(),
			"source_jetton_wallet": nil, "asset": nil, "pool": poolAddress.String(), "amount": "5",
		},
	}, stake)

	with := one("action_id=" + escape(chaintest.Action.Hash('S', 12)) + "&include_accounts=1&include_transactions=1")
	require.Equal(t, []any{chaintest.Wallet.String(), chaintest.JettonWallet.String()}, with["accounts"])
	require.Equal(t, "W12 J12", names(with["transactions_full"]))

	require.Equal(t, "extra_currency_transfer", one("action_id=" + escape(chaintest.Action.Hash('C', 12)))["type"])
	require.Equal(t, "ton_transfer", one("action_id=" + escape(chaintest.Action.Hash('C', 11)))["type"])

	unknown := one("action_id=" + escape(chaintest.Action.Hash('U', 12)))
	require.Equal(t, map[string]any{"error": "unsupported action type: 'unknown'"}, unknown["details"])
	require.Equal(t, "unknown", unknown["raw_action"].(map[string]any)["Type"])
	require.NotContains(t, unknown, "trace_external_hash")
	require.NotContains(t, stake, "raw_action")

	body := d.get("/actions?action_id=" + escape(chaintest.Action.Hash('S', 12)))
	require.Len(t, body["address_book"], 3)
	require.Contains(t, body, "metadata")
	require.Equal(t, "P12", by("action_id", d.get("/actions?tx_hash="+escape(chaintest.Tx.Hash('J', 12)), "X-Actions-Version", "v1")["actions"]))
}

func TestBalanceChanges_InvalidParametersAreRejected(t *testing.T) {
	t.Parallel()
	d := serveTraces(t)
	require.Equal(t, "trace_id or action_id is required", d.refuse("/balanceChanges", http.StatusBadRequest))
	d.refuse("/balanceChanges?trace_id=x", http.StatusUnprocessableEntity)
	d.refuse("/balanceChanges?action_id=x", http.StatusUnprocessableEntity)
	require.Equal(t, "action_id not found", d.refuse("/balanceChanges?action_id="+escape(chaintest.Action.Hash('Z', 1)), http.StatusNotFound))
}
