package v3_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chaintest"
	v3 "tonql/rest/v3"
)

// Every parameter of /transactions selects rows as documented, alone and in combination with others.
func TestTransactions_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := serve(t)
	const all = "T14 J14 W14 T13 J13 W13 T12 J12 W12 T11 J11 W11 T10 J10 W10"
	w, j, tick := escape(chaintest.Wallet), escape(chaintest.JettonWallet), escape(chaintest.Ticker)
	for query, want := range map[string]string{
		"limit=100":                 all,
		"":                          "T14 J14 W14 T13 J13 W13 T12 J12 W12 T11", // the documented default, 10
		"limit=2":                   "T14 J14",
		"limit=0":                   "T14",
		"limit=2&offset=1":          "J14 W14",
		"limit=2&offset=-1":         "T14 J14",
		"limit=2&offset=14":         "W10",
		"limit=2&offset=15":         "",
		"limit=2&sort=asc":          "W10 J10",
		"limit=2&sort=ASC&offset=1": "J10 T10",
		"limit=2&sort=d":            "T14 J14",
		"workchain=-1":              "T14 T13 T12 T11 T10",
		"workchain=0&limit=2":       "J14 W14",
		"workchain=5":               "",
		"workchain=0&shard=8000000000000000&seqno=22":                    "J12 W12",
		"workchain=0&shard=-9223372036854775808&seqno=22&sort=asc":       "W12 J12",
		"shard=4000000000000000":                                         "",
		"seqno=22":                                                       "J12 W12",
		"seqno=-1":                                                       "",
		"workchain=-1&shard=8000000000000000&seqno=12":                   "T12",
		"mc_seqno=12":                                                    "T12 J12 W12",
		"mc_seqno=12&sort=asc":                                           "W12 J12 T12",
		"mc_seqno=12&workchain=0":                                        "J12 W12",
		"account=" + w:                                                   "W14 W13 W12 W11 W10",
		"account=" + w + "&sort=asc&limit=2":                             "W10 W11",
		"account=" + chaintest.Wallet.Friendly(true, false):              "W14 W13 W12 W11 W10",
		"account=" + w + "&account=" + j + "&limit=4":                    "J14 W14 J13 W13",
		"account=" + w + "," + tick + "&limit=3":                         "T14 W14 T13",
		"exclude_account=" + tick + "&limit=3":                           "J14 W14 J13",
		"exclude_account=" + tick + "&exclude_account=" + j + "&limit=2": "W14 W13",
		"account=" + w + "&exclude_account=" + w:                         "",
		"account=" + w + "&mc_seqno=12":                                  "W12",
		"hash=" + escape(chaintest.Tx.Hash('J', 12)):                     "J12",
		"hash=" + chaintest.Tx.Hash('J', 12).Hex():                       "J12",
		"hash=" + escape(chaintest.Tx.Hash('Z', 12)):                     "",
		"hash=" + escape(chaintest.Tx.Hash('J', 12)) + "&account=" + w:   "",
		"lt=12003":                            "J12",
		"lt=12004":                            "",
		"lt=18446744073709551615":             "",
		"start_lt=14001":                      "T14 J14 W14",
		"start_lt=14002":                      "T14 J14",
		"end_lt=10003":                        "J10 W10",
		"start_lt=11003&end_lt=12001":         "W12 T11 J11",
		"start_lt=12001&end_lt=11003":         "",
		"start_lt=9223372036854775808":        "",
		"end_lt=18446744073709551615&limit=1": "T14",
		"start_utime=1700000014":              "T14 J14 W14",
		"end_utime=1700000010":                "T10 J10 W10",
		"end_utime=1700000010.7":              "T10 J10 W10",
		"start_utime=1700000011&end_utime=1700000012&sort=asc": "W11 J11 T11 W12 J12 T12",
		"start_utime=1700000011&end_utime=1700000012&offset=4": "J11 W11",
		"start_utime=1700000015":                               "",
		"end_utime=99999999999&limit=1":                        "T14",
		"account=" + w + "&start_utime=1700000012":             "W14 W13 W12",
		"account=" + w + "&end_lt=12001&limit=2":               "W12 W11",
		"mc_seqno=12&start_lt=12003":                           "T12 J12",
		"LIMIT=1&Account=" + w:                                 "W14",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			body := (&testClient{t: t, handler: d.handler}).get("/transactions?" + query)
			require.Equal(t, want, names(body["transactions"]))
			require.IsType(t, map[string]any{}, body["address_book"])
			require.NotContains(t, body, "metadata")
		})
	}
}

func TestTransactions_ConditionsOnMessagesSelectRows(t *testing.T) {
	t.Parallel()
	d := serve(t)
	_, callHash := chaintest.Body(chaintest.TransferOp, 12)
	w, j := escape(chaintest.Wallet), escape(chaintest.JettonWallet)
	in, call := "msg_hash="+escape(chaintest.Message.Hash('I', 12)), "body_hash="+escape(callHash)
	const opcode = "opcode=0x0f8a7ea5"
	for query, want := range map[string]string{
		in:                             "J12 W12",
		in + "&direction=in":           "J12",
		in + "&direction=out":          "W12",
		in + "&account=" + w:           "W12",
		in + "&exclude_account=" + w:   "J12",
		in + "&mc_seqno=12&sort=asc":   "W12 J12",
		in + "&mc_seqno=13":            "",
		in + "&start_utime=1700000013": "",
		"msg_hash=" + escape(chaintest.Norm.Hash('E', 12)) + "," + escape(chaintest.Message.Hash('E', 13)): "W13 W12",
		call:                                 "J12 W12",
		call + "&direction=out&account=" + j: "",
		call + "&hash=" + escape(chaintest.Tx.Hash('J', 12)): "J12",
		opcode:                                                      "J14 J13 J12 J11 J10",
		opcode + "&direction=out":                                   "",
		opcode + "&account=" + j + "&limit=2":                       "J14 J13",
		opcode + "&account=" + w:                                    "",
		opcode + "&end_lt=12999&limit=2":                            "J12 J11",
		opcode + "&end_utime=1700000012&sort=asc":                   "J10 J11 J12",
		opcode + "&mc_seqno=12":                                     "J12",
		"source=" + w + "&direction=in&limit=2":                     "J14 J13",
		"source=" + w + "&direction=out&limit=2":                    "W14 W13",
		"destination=" + j + "&source=" + w + "&limit=3":            "J14 W14 J13",
		"account=" + w + "&destination=" + j + "&limit=2":           "W14 W13",
		"account=" + j + "&direction=in&limit=2":                    "J14 J13",
		"lt=12003&direction=in":                                     "J12",
		"workchain=0&shard=8000000000000000&" + opcode + "&limit=2": "J14 J13",
	} {
		require.Equal(t, want, names(d.get("/transactions?" + query)["transactions"]), query)
	}
	for _, bad := range []string{"msg_hash=x", "body_hash=x", "opcode=x", "opcode=", "source=null", "destination=x", "direction=up"} {
		d.refuse("/transactions?"+bad, http.StatusUnprocessableEntity)
	}
}

func TestTransactions_InvalidParametersAreRejected(t *testing.T) {
	t.Parallel()
	d := serve(t)
	const decode = `failed to decode: schema: error converting value for `
	for query, want := range map[string]string{
		"limit=1001":        "limit is not allowed: 1001 > 1000",
		"limit=x":           decode + `"limit"`,
		"offset=x":          decode + `"offset"`,
		"sort=up":           "wrong value for sort parameter",
		"workchain=x":       decode + `"workchain"`,
		"shard=x":           decode + `"shard"`,
		"seqno=1.5":         decode + `"seqno"`,
		"mc_seqno=x":        decode + `"mc_seqno"`,
		"account=x":         decode + `index 0 of "account"`,
		"exclude_account=x": decode + `index 0 of "exclude_account"`,
		"hash=x":            decode + `index 0 of "hash"`,
		"lt=-1":             decode + `"lt"`,
		"start_lt=-1":       decode + `"start_lt"`,
		"end_lt=x":          decode + `"end_lt"`,
		"start_utime=x":     decode + `"start_utime"`,
		"end_utime=-5":      decode + `"end_utime"`,
		"limit[=1":          "unmatched brackets",
		"lt=x&limit=x":      decode + `"lt" (and 1 other error)`,
	} {
		require.Equal(t, want, d.refuse("/transactions?"+query, http.StatusUnprocessableEntity), query)
	}
	require.Contains(t, d.refuse("/transactions?offset=100001", http.StatusUnprocessableEntity), "offset is not allowed: 100001 > 100000")
	require.Equal(t, "masterchain block 99 not found", d.refuse("/transactions?mc_seqno=99", http.StatusNotFound))
	require.Equal(t, "masterchain block -1 not found", d.refuse("/transactions?mc_seqno=-1", http.StatusNotFound))
	// Indexed, but nothing matches: an empty list, not a 404.
	require.Empty(t, d.get("/transactions?mc_seqno=12&workchain=7")["transactions"])
}

// The nested objects of a transaction: messages of both sides, states before and after, its block.
func TestTransactions_IncludeMessagesStatesAndBlock(t *testing.T) {
	t.Parallel()
	d := serve(t)
	body := d.get("/transactions?hash=" + escape(chaintest.Tx.Hash('J', 12)))
	tx := body["transactions"].([]any)[0].(map[string]any)
	in := tx["in_msg"].(map[string]any)
	require.Equal(t, "I12", nameOf(in))
	require.Equal(t, chaintest.Tx.Hash('W', 12).String(), in["out_msg_tx_hash"])
	require.Equal(t, chaintest.Tx.Hash('J', 12).String(), in["in_msg_tx_hash"])
	require.Equal(t, "O12", names(tx["out_msgs"]))
	require.Equal(t, map[string]any{"workchain": 0.0, "shard": "8000000000000000", "seqno": 22.0}, tx["block_ref"])
	require.EqualValues(t, 12, tx["mc_block_seqno"])
	before, after := tx["account_state_before"].(map[string]any), tx["account_state_after"].(map[string]any)
	require.Equal(t, "11000000", before["balance"])
	require.Equal(t, chaintest.State.Hash('J', 11).String(), before["hash"])
	require.Equal(t, "12000000", after["balance"])
	require.Equal(t, chaintest.JettonWalletCode.String(), after["code_hash"])
	require.Equal(t, chaintest.Tx.Hash('W', 12).String(), tx["trace_id"])
	require.Equal(t, chaintest.Message.Hash('E', 12).String(), tx["trace_external_hash"])

	// The address book has the account, the in-message's source; the log has no destination.
	addressBook := body["address_book"].(map[string]any)
	require.Len(t, addressBook, 2)
	require.Equal(t, chaintest.Wallet.Friendly(false, true), addressBook[chaintest.Wallet.String()].(map[string]any)["user_friendly"])
	require.Equal(t, chaintest.JettonWallet.Friendly(true, true), addressBook[chaintest.JettonWallet.String()].(map[string]any)["user_friendly"])

	first := d.get("/transactions?hash=" + escape(chaintest.Tx.Hash('W', 10)))["transactions"].([]any)[0].(map[string]any)
	require.Equal(t, "nonexist", first["account_state_before"].(map[string]any)["account_status"])
	tick := d.get("/transactions?hash=" + escape(chaintest.Tx.Hash('T', 12)))["transactions"].([]any)[0].(map[string]any)
	require.Nil(t, tick["in_msg"])
	require.Empty(t, tick["out_msgs"])
	require.NotNil(t, tick["out_msgs"])
}

func TestTransactionsByMasterchainBlock_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := serve(t)
	for query, want := range map[string]string{
		"seqno=12":                  "T12 J12 W12",
		"seqno=12&sort=asc":         "W12 J12 T12",
		"seqno=12&limit=1":          "T12",
		"seqno=12&limit=1&offset=1": "J12",
		"seqno=12&offset=3":         "",
	} {
		require.Equal(t, want, names(d.get("/transactionsByMasterchainBlock?" + query)["transactions"]), query)
	}
	require.Equal(t, "masterchain block 0 not found", d.refuse("/transactionsByMasterchainBlock", http.StatusNotFound))
	require.Equal(t, "masterchain block 0 not found", d.refuse("/transactionsByMasterchainBlock?seqno=x", http.StatusNotFound))
	require.Equal(t, "masterchain block 15 not found", d.refuse("/transactionsByMasterchainBlock?seqno=15", http.StatusNotFound))
	require.Equal(t, "masterchain block -1 not found", d.refuse("/transactionsByMasterchainBlock?seqno=-1", http.StatusNotFound))
	d.refuse("/transactionsByMasterchainBlock?seqno=12&limit=x", http.StatusUnprocessableEntity)
}

func TestTransactionsByMessage_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := serve(t)
	_, callHash := chaintest.Body(chaintest.TransferOp, 12)
	in := "msg_hash=" + escape(chaintest.Message.Hash('I', 12))
	for query, want := range map[string]string{
		in:                    "J12 W12",
		in + "&direction=in":  "J12",
		in + "&direction=out": "W12",
		in + "&sort=asc":      "W12 J12",
		in + "&limit=1":       "J12",
		in + "&offset=1":      "W12",
		"msg_hash=" + escape(chaintest.Message.Hash('E', 12)):       "W12",
		"msg_hash=" + escape(chaintest.Norm.Hash('E', 12)):          "W12", // normalized
		"msg_hash=" + escape(chaintest.Message.Hash('O', 12)):       "J12",
		"msg_hash=" + escape(chaintest.Message.Hash('Z', 12)):       "",
		in + "&msg_hash=" + escape(chaintest.Message.Hash('E', 13)): "W13 J12 W12",
		"body_hash=" + escape(callHash):                             "J12 W12",
		"body_hash=" + escape(callHash) + "&direction=out":          "W12",
		"opcode=0x0f8a7ea5":        "J14 J13 J12 J11 J10",
		"opcode=260734629&limit=1": "J14",
		"opcode=0xdeadbeef":        "",
		"opcode=0x0f8a7ea5&source=" + escape(chaintest.Wallet) + "&limit=2": "J14 J13",
		"opcode=0x0f8a7ea5&destination=" + escape(chaintest.Wallet):         "",
		"opcode=0x0f8a7ea5&body_hash=" + escape(callHash):                   "J12",
	} {
		require.Equal(t, want, names(d.get("/transactionsByMessage?" + query)["transactions"]), query)
	}
	require.Equal(t, "at least one of msg_hash, body_hash, opcode should be specified",
		d.refuse("/transactionsByMessage", http.StatusUnprocessableEntity))
	require.Equal(t, "direction should be one of: in, out", d.refuse("/transactionsByMessage?"+in+"&direction=up", http.StatusUnprocessableEntity))
	for _, bad := range []string{"msg_hash=x", "body_hash=x", "opcode=x", "opcode=", in + "&source=null", in + "&destination=x"} {
		d.refuse("/transactionsByMessage?"+bad, http.StatusUnprocessableEntity)
	}
}

func TestAdjacentTransactions_AreSelectedByDirection(t *testing.T) {
	t.Parallel()
	d := serve(t)
	w, j := "hash="+escape(chaintest.Tx.Hash('W', 12)), "hash="+escape(chaintest.Tx.Hash('J', 12))
	for query, want := range map[string]string{
		w: "J12", w + "&direction=out": "J12", j: "W12", j + "&direction=in": "W12", j + "&direction=sideways": "W12",
	} {
		require.Equal(t, want, names(d.get("/adjacentTransactions?" + query)["transactions"]), query)
	}
	for _, none := range []string{"", w + "&direction=in", j + "&direction=out", "hash=" + escape(chaintest.Tx.Hash('Z', 1))} {
		require.Equal(t, "adjacent transactions not found", d.refuse("/adjacentTransactions?"+none, http.StatusNotFound), none)
	}
	d.refuse("/adjacentTransactions?hash=x", http.StatusUnprocessableEntity)
}

// The table of routes names exactly the parameters that each handler reads.
func TestRoutes_ParametersAreThoseRead(t *testing.T) {
	t.Parallel()
	for _, r := range v3.Routes() {
		require.ElementsMatch(t, r.Params, v3.ParametersRead(r), r.Path)
	}
}
