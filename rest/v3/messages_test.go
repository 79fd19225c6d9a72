package v3_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chaintest"
)

// Messages of the fixture: E12 external-in to the wallet (filed under LT 12001), I12 internal from wallet to Jetton
// wallet (LT 12002), O12 its log (LT 12004).
func TestMessages_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := serve(t)
	w, j := escape(chaintest.Wallet), escape(chaintest.JettonWallet)
	_, callHash := chaintest.Body(chaintest.TransferOp, 12)
	for query, want := range map[string]string{
		"limit=100":        "O14 I14 E14 O13 I13 E13 O12 I12 E12 O11 I11 E11 O10 I10 E10",
		"":                 "O14 I14 E14 O13 I13 E13 O12 I12 E12 O11",
		"limit=2":          "O14 I14",
		"limit=2&offset=2": "E14 O13",
		"limit=2&sort=asc": "E10 I10",
		"msg_hash=" + escape(chaintest.Message.Hash('I', 12)):                                                  "I12",
		"hash=" + escape(chaintest.Message.Hash('I', 12)):                                                      "I12",
		"hash=" + escape(chaintest.Message.Hash('I', 12)) + "&hash=" + escape(chaintest.Message.Hash('I', 11)): "I12 I11",
		"msg_hash=" + escape(chaintest.Norm.Hash('E', 12)):                                                     "E12",
		"msg_hash=" + escape(chaintest.Message.Hash('I', 12)) + "," + escape(chaintest.Message.Hash('I', 11)):  "I12 I11",
		"msg_hash=" + escape(chaintest.Message.Hash('Z', 12)):                                                  "",
		"body_hash=" + escape(callHash):                                                                        "I12",
		"source=" + w + "&limit=2":                                                                             "I14 I13",
		"source=" + j + "&limit=2":                                                                             "O14 O13",
		"source=null&limit=2":                                                                                  "E14 E13",
		"destination=" + j + "&limit=2":                                                                        "I14 I13",
		"destination=" + w + "&limit=2":                                                                        "E14 E13",
		"destination=null&limit=2":                                                                             "O14 O13",
		"source=" + w + "&destination=" + j + "&limit=1":                                                       "I14",
		"source=" + j + "&destination=" + w:                                                                    "",
		"source=" + j + "&destination=null&limit=1":                                                            "O14",
		"source=null&destination=null":                                                                         "",
		"opcode=0x0f8a7ea5&limit=2":                                                                            "I14 I13",
		"opcode=f8a7ea5&limit=1":                                                                               "I14",
		"opcode=1&limit=1":                                                                                     "O14",
		"direction=in&limit=4":                                                                                 "I14 E14 I13 E13",
		"direction=out&limit=4":                                                                                "O14 I14 O13 I13",
		"exclude_externals=true&limit=3":                                                                       "O14 I14 O13",
		"exclude_externals=0&limit=3":                                                                          "O14 I14 E14",
		"only_externals=true&limit=2":                                                                          "E14 E13",
		"only_externals=t&exclude_externals=t":                                                                 "",
		"start_utime=1700000014":                                                                               "O14 I14",
		"end_utime=1700000010":                                                                                 "O10 I10",
		"start_utime=1700000011&end_utime=1700000012&sort=asc":                                                 "I11 O11 I12 O12",
		"start_lt=14002":                                                                                       "O14 I14",
		"end_lt=10002":                                                                                         "I10",
		"start_lt=11004&end_lt=12002":                                                                          "I12 O11",
		"source=" + w + "&start_utime=1700000013":                                                              "I14 I13",
		"destination=" + j + "&end_lt=11002":                                                                   "I11 I10",
	} {
		body := d.get("/messages?" + query)
		require.Equal(t, want, names(body["messages"]), query)
		require.Equal(t, map[string]any{}, body["metadata"])
	}
	for _, bad := range []string{
		"msg_hash=x", "hash=x", "body_hash=x", "source=x", "source=", "destination=nil", "opcode=xyz", "direction=up",
		"exclude_externals=yes", "only_externals=off", "start_utime=x", "end_utime=-1", "start_lt=x", "end_lt=1.5",
		"limit=1001", "offset=x", "sort=x",
	} {
		d.refuse("/messages?"+bad, http.StatusUnprocessableEntity)
	}
}

// One row per message; with a direction it has only the transaction of that side.
func TestMessages_OneRowWithTheTransactionsOfItsSide(t *testing.T) {
	t.Parallel()
	d := serve(t)
	hash := "/messages?msg_hash=" + escape(chaintest.Message.Hash('I', 12))
	row := func(query string) map[string]any {
		return d.get(hash + query)["messages"].([]any)[0].(map[string]any)
	}
	both := row("")
	require.Equal(t, chaintest.Tx.Hash('J', 12).String(), both["in_msg_tx_hash"])
	require.Equal(t, chaintest.Tx.Hash('W', 12).String(), both["out_msg_tx_hash"])
	require.NotContains(t, row("&direction=in"), "out_msg_tx_hash")
	require.NotContains(t, row("&direction=out"), "in_msg_tx_hash")
	require.Equal(t, "0x0f8a7ea5", both["opcode"])

	external := d.get("/messages?msg_hash=" + escape(chaintest.Message.Hash('E', 12)))
	m := external["messages"].([]any)[0].(map[string]any)
	require.Equal(t, chaintest.Norm.Hash('E', 12).String(), m["hash_norm"])
	for _, null := range []string{"source", "value", "fwd_fee", "ihr_fee", "created_lt", "created_at", "bounce", "bounced", "ihr_disabled"} {
		require.Contains(t, m, null)
		require.Nil(t, m[null], null)
	}
	require.Equal(t, "0", m["import_fee"])
	require.Contains(t, external["address_book"], chaintest.Wallet.String())
	content := m["message_content"].(map[string]any)
	require.Regexp(t, "^te6cck", content["body"])
	require.Equal(t, chaintest.Tx.Hash('W', 12).String(), m["in_msg_tx_hash"])
}
