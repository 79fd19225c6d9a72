package v3_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireRows sends each query to a route and expects the rows with these names in one member.
func (d *testClient) requireRows(t *testing.T, path, key, member string, queries map[string]string) {
	t.Helper()
	for query, want := range queries {
		body := d.get(path + "?" + expand(query))
		require.Equal(t, want, labels(body[key], member), "%s?%s", path, query)
		require.IsType(t, map[string]any{}, body["address_book"])
	}
}

// requireRefusals sends each query to a route and expects status 422 and a text.
func (d *testClient) requireRefusals(t *testing.T, path string, queries map[string]string) {
	t.Helper()
	for query, want := range queries {
		require.Equal(t, want, d.refuse(path+"?"+expand(query), http.StatusUnprocessableEntity), "%s?%s", path, query)
	}
}

const unreadable = `failed to decode: schema: error converting value for `

func TestJettonMasters_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	d.requireRows(t, "/jetton/masters", "jetton_masters", "address", map[string]string{
		"":                            "M1 M2 M3",
		"address=M2":                  "M2",
		"address=M3,M1&address=X9":    "M1 M3",
		"admin_address=A1":            "M1",
		"admin_address=A1,A2":         "M1 M2",
		"address=M1&admin_address=A2": "",
		"address=X9":                  "",
		"limit=1":                     "M1",
		"limit=1&offset=1":            "M2",
		"offset=3":                    "",
		"sort=desc&limit=2":           "M1 M2", // no parameter of this route
	})
	d.requireRefusals(t, "/jetton/masters", map[string]string{
		"address=x": unreadable + `index 0 of "address"`, "admin_address=x": unreadable + `index 0 of "admin_address"`,
		"limit=x": unreadable + `"limit"`, "offset=x": unreadable + `"offset"`, "limit=1001": "limit is not allowed: 1001 > 1000",
	})
	body := d.get("/jetton/masters?" + expand("address=M1"))
	require.ElementsMatch(t, []string{"M1", "A1"}, keys(body["address_book"]))
	require.ElementsMatch(t, []string{"M1"}, keys(body["metadata"]))
	m := body["jetton_masters"].([]any)[0].(map[string]any)
	require.Equal(t, "150", m["total_supply"])
	require.Equal(t, true, m["mintable"])
	require.Equal(t, map[string]any{"uri": "https://a.example", "symbol": "A"}, m["jetton_content"])
	row := d.get("/jetton/masters?" + expand("address=M3"))["jetton_masters"].([]any)[0].(map[string]any)
	require.Nil(t, row["admin_address"])
	require.Equal(t, map[string]any{}, row["jetton_content"])
}

func TestJettonWallets_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	d.requireRows(t, "/jetton/wallets", "jetton_wallets", "address", map[string]string{
		"":                                         "W11 W12 W21 W22 W33",
		"limit=2":                                  "W11 W12",
		"limit=2&offset=1":                         "W12 W21",
		"address=W22,W11":                          "W11 W22",
		"address=W22&owner_address=A1":             "",
		"owner_address=A1":                         "W11 W12",
		"owner_address=A2,A1":                      "W11 W12 W21 W22",
		"owner_address=X9":                         "",
		"jetton_address=M1":                        "W11 W21",
		"jetton_address=M1&owner_address=A2":       "W21",
		"jetton_address=M1,M2&owner_address=A2":    "W21 W22",
		"jetton_address=M3&owner_address=A2":       "",
		"exclude_zero_balance=true":                "W11 W21 W22 W33", // W33 has an unclaimed amount
		"exclude_zero_balance=0":                   "W11 W12 W21 W22 W33",
		"owner_address=A1&exclude_zero_balance=1":  "W11",
		"jetton_address=M2&exclude_zero_balance=t": "W22",
		"sort=desc":                                "W22 W11 W21 W33 W12",
		"sort=desc&limit=1&offset=1":               "W11",
		"jetton_address=M1&sort=asc":               "W21 W11",
		"jetton_address=M1&sort=d":                 "W11 W21",
		"owner_address=A2&sort=asc":                "W21 W22",
		"owner_address=A2&sort=desc":               "W22 W21",
	})
	d.requireRefusals(t, "/jetton/wallets", map[string]string{
		"jetton_address=M1,M2":                     "exact one owner_address required for multiple jetton_address",
		"jetton_address=M1,M2&owner_address=A1,A2": "exact one owner_address required for multiple jetton_address",
		"address=x":                          unreadable + `index 0 of "address"`,
		"owner_address=x":                    unreadable + `index 0 of "owner_address"`,
		"jetton_address=M1&jetton_address=x": unreadable + `index 1 of "jetton_address"`,
		"exclude_zero_balance=yes":           unreadable + `"exclude_zero_balance"`,
		"sort=up":                            "wrong value for sort parameter",
		"limit=x":                            unreadable + `"limit"`,
		"offset=x":                           unreadable + `"offset"`,
	})
	body := d.get("/jetton/wallets?" + expand("address=W11"))
	require.ElementsMatch(t, []string{"W11", "A1", "M1"}, keys(body["address_book"]))
	require.ElementsMatch(t, []string{"W11", "M1"}, keys(body["metadata"]))
	require.NotContains(t, body["jetton_wallets"].([]any)[0], "mintless_info")
	mintless := d.get("/jetton/wallets?" + expand("address=W33"))["jetton_wallets"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{
		"amount": "7", "start_from": 5.0, "expire_at": nil, "custom_payload_api_uri": []any{"https://api.example"},
	}, mintless["mintless_info"])
}

// ranges are the bounds that lists of transfers share, with the rows X1 to X3 of blocks 31 to 33.
func ranges(x string) map[string]string {
	return map[string]string{
		"start_utime=1700000032":                      x + "3 " + x + "2",
		"end_utime=1700000032.9":                      x + "2 " + x + "1",
		"start_utime=1700000032&end_utime=1700000032": x + "2",
		"start_utime=1700000032&sort=asc":             x + "2 " + x + "3",
		"start_utime=1700000033&end_utime=1700000032": "",
		"start_lt=32000000":                           x + "3 " + x + "2",
		"end_lt=31999999":                             x + "1",
		"start_lt=32000000&end_lt=32999999":           x + "2",
		"start_lt=18446744073709551615":               "",
		"end_lt=18446744073709551615&limit=1":         x + "3",
		"":                                            x + "3 " + x + "2 " + x + "1",
		"sort=asc":                                    x + "1 " + x + "2 " + x + "3",
		"sort=asc&limit=1":                            x + "1",
		"limit=1&offset=1":                            x + "2",
		"offset=3":                                    "",
	}
}

// badRanges are values that every list of transfers rejects.
var badRanges = map[string]string{
	"start_utime=x": unreadable + `"start_utime"`, "end_utime=-1": unreadable + `"end_utime"`,
	"start_lt=-1": unreadable + `"start_lt"`, "end_lt=1.5": unreadable + `"end_lt"`,
	"limit=x": unreadable + `"limit"`, "offset=x": unreadable + `"offset"`, "sort=x": "wrong value for sort parameter",
	"limit=1001": "limit is not allowed: 1001 > 1000", "owner_address=x": unreadable + `index 0 of "owner_address"`,
}

func TestJettonTransfers_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	const path, key, member = "/jetton/transfers", "jetton_transfers", "transaction_hash"
	d.requireRows(t, path, key, member, ranges("T"))
	d.requireRows(t, path, key, member, map[string]string{
		"owner_address=A3":                          "T3",
		"owner_address=A1":                          "T3 T2 T1",
		"owner_address=A2,A3":                       "T3 T2 T1",
		"address=A3":                                "T3",
		"address=A3&owner_address=A2":               "T2 T1",
		"owner_address=A1&direction=in":             "T2",
		"owner_address=A1&direction=out":            "T3 T1",
		"owner_address=A1&direction=sideways":       "T3 T1",
		"owner_address=A1&direction=both":           "T3 T2 T1",
		"direction=in":                              "T3 T2 T1",
		"jetton_wallet=W11":                         "T1",
		"jetton_wallet=W11,W12":                     "T3 T1",
		"jetton_master=M1":                          "T2 T1",
		"jetton_master=M1&owner_address=A2&limit=1": "T2",
		"jetton_master=M3":                          "",
		"owner_address=A1&start_utime=1700000033":   "T3",
		"owner_address=A1&end_lt=32999999&sort=asc": "T1 T2",
		"owner_address=X9":                          "",
	})
	d.requireRefusals(t, path, badRanges)
	d.requireRefusals(t, path, map[string]string{
		"address=x": unreadable + `"address"`, "jetton_wallet=x": unreadable + `index 0 of "jetton_wallet"`,
		"jetton_master=": unreadable + `"jetton_master"`,
	})
	body := d.get(path + "?" + expand("jetton_wallet=W11"))
	require.ElementsMatch(t, []string{"A1", "A2", "W11", "M1"}, keys(body["address_book"]))
	require.ElementsMatch(t, []string{"W11", "M1"}, keys(body["metadata"]))
	row := body[key].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"@type": "text_comment", "comment": "thanks", "type": "text_comment"}, row["decoded_forward_payload"])
	require.Nil(t, row["custom_payload"])
	require.Nil(t, row["trace_id"])
	row = d.get(path + "?" + expand("jetton_wallet=W21"))[key].([]any)[0].(map[string]any)
	require.Equal(t, "addr_none", row["response_destination"])
	require.Nil(t, row["decoded_forward_payload"])
}

func TestJettonBurns_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	const path, key, member = "/jetton/burns", "jetton_burns", "transaction_hash"
	d.requireRows(t, path, key, member, ranges("B"))
	d.requireRows(t, path, key, member, map[string]string{
		"owner_address=A1":                      "B3 B1",
		"address=A2":                            "B2",
		"address=A2&address=A1":                 "B3 B2 B1",
		"jetton_wallet=W22":                     "B2",
		"jetton_master=M2":                      "B3 B2",
		"jetton_master=M2&owner_address=A1":     "B3",
		"jetton_master=M3":                      "",
		"owner_address=A1&end_utime=1700000032": "B1",
	})
	d.requireRefusals(t, path, badRanges)
	d.requireRefusals(t, path, map[string]string{
		"address=x": unreadable + `index 0 of "address"`, "jetton_wallet=x": unreadable + `index 0 of "jetton_wallet"`,
		"jetton_master=x": unreadable + `"jetton_master"`,
	})
	body := d.get(path + "?" + expand("jetton_wallet=W22"))
	require.ElementsMatch(t, []string{"A2", "W22", "M2", "A3"}, keys(body["address_book"]))
	require.Equal(t, true, body[key].([]any)[0].(map[string]any)["transaction_aborted"])
}
