package v3_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNFTCollections_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	d.requireRows(t, "/nft/collections", "nft_collections", "address", map[string]string{
		"": "C1 C2", "collection_address=C2": "C2", "collection_address=C2,C1": "C1 C2", "owner_address=A1": "C1",
		"owner_address=A2&collection_address=C1": "", "owner_address=A1,A2": "C1 C2", "limit=1": "C1", "limit=1&offset=1": "C2", "offset=2": "",
	})
	d.requireRefusals(t, "/nft/collections", map[string]string{
		"collection_address=x": unreadable + `index 0 of "collection_address"`, "owner_address=x": unreadable + `index 0 of "owner_address"`,
		"limit=x": unreadable + `"limit"`, "offset=x": unreadable + `"offset"`,
	})
	body := d.get("/nft/collections?" + expand("collection_address=C1"))
	require.ElementsMatch(t, []string{"C1", "A1"}, keys(body["address_book"]))
	require.ElementsMatch(t, []string{"C1"}, keys(body["metadata"]))
}

func TestNFTItems_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	big255 := new(big.Int).Lsh(big.NewInt(1), 255).String()
	d.requireRows(t, "/nft/items", "nft_items", "address", map[string]string{
		"":                                   "D1 D2 D3 I11 I12 I13 I14 I21 I30",
		"limit=2&offset=2":                   "D3 I11",
		"address=I21,I11":                    "I11 I21",
		"address=I21&owner_address=A2":       "",
		"owner_address=A1":                   "D1 I11 I21",
		"owner_address=A1&include_on_sale=1": "D1 I11 I12 I21", // the sale of I14 is not recognized
		"owner_address=A2&include_on_sale=1&collection_address=C1":       "I13",
		"address=I12&owner_address=A1":                                   "",
		"address=I12&owner_address=A1&include_on_sale=true":              "I12",
		"collection_address=C1":                                          "I11 I12 I13 I14",
		"collection_address=C1&index=3":                                  "I13",
		"collection_address=C1&index=4&index=1":                          "I11 I14",
		"collection_address=C2&index=" + big255:                          "I21",
		"collection_address=C2&index=" + strings.Repeat("9", 200):        "",
		"collection_address=C1&index=77":                                 "",
		"collection_address=C1,C2&owner_address=A1":                      "I11 I21",
		"sort_by_last_transaction_lt=true&limit=3&collection_address=C1": "I11 I12 I13",
		"sort_by_last_transaction_lt=1&owner_address=A1&limit=2":         "I11 I21",
		"owner_address=X9":                                               "",
		"collection_address=X9":                                          "",
	})
	d.requireRefusals(t, "/nft/items", map[string]string{
		"collection_address=C1,C2":        "exact one owner_address required for multiple collection_address",
		"index=1":                         "index parameter is not allowed without the collection_address",
		"collection_address=C1&index=-1":  "index should contain digits only",
		"collection_address=C1&index=1,2": "index should contain digits only",
		"collection_address=C1&index=0x1": "index should contain digits only",
		"address=x":                       unreadable + `index 0 of "address"`,
		"owner_address=x":                 unreadable + `index 0 of "owner_address"`,
		"collection_address=x":            unreadable + `index 0 of "collection_address"`,
		"include_on_sale=yes":             unreadable + `"include_on_sale"`,
		"sort_by_last_transaction_lt=yes": unreadable + `"sort_by_last_transaction_lt"`,
		"limit=x":                         unreadable + `"limit"`,
		"offset=x":                        unreadable + `"offset"`,
	})
}

// An item includes its collection and, if a recognized sale contract owns it, the sale.
func TestNFTItems_CollectionAndSaleAreIncluded(t *testing.T) {
	t.Parallel()
	d := market(t)
	item := func(name string) map[string]any {
		return d.get("/nft/items?" + expand("address="+name))["nft_items"].([]any)[0].(map[string]any)
	}
	fixed, auction, plain := item("I12"), item("I13"), item("I14")
	require.Equal(t, true, fixed["on_sale"])
	require.Equal(t, at("S1").String(), fixed["sale_contract_address"])
	require.Equal(t, at("S1").String(), fixed["owner_address"])
	require.Equal(t, at("A1").String(), fixed["real_owner"])
	require.NotContains(t, fixed, "auction_contract_address")
	require.Equal(t, at("S2").String(), auction["auction_contract_address"])
	require.Equal(t, at("A2").String(), auction["real_owner"])
	require.NotContains(t, auction, "sale_contract_address")
	require.Equal(t, false, plain["on_sale"])
	require.NotContains(t, plain, "real_owner")
	require.Equal(t, at("C1").String(), fixed["collection"].(map[string]any)["address"])

	alone := item("D1")
	require.Nil(t, alone["collection"])
	require.Nil(t, alone["collection_address"])
	require.Equal(t, map[string]any{"domain": "alice.ton"}, alone["content"])

	body := d.get("/nft/items?" + expand("address=I12"))
	require.ElementsMatch(t, []string{"I12", "C1", "S1"}, keys(body["address_book"]))
	require.ElementsMatch(t, []string{"I12", "C1"}, keys(body["metadata"]))
}

func TestNFTTransfers_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	const path, key, member = "/nft/transfers", "nft_transfers", "transaction_hash"
	d.requireRows(t, path, key, member, ranges("N"))
	d.requireRows(t, path, key, member, map[string]string{
		"owner_address=A2":                       "N1",
		"owner_address=A1":                       "N3 N2 N1",
		"address=A3":                             "N3",
		"owner_address=A1&direction=in":          "N1",
		"owner_address=A1&direction=out":         "N3 N2",
		"item_address=I11":                       "N1",
		"item_address=I11,I12":                   "N2 N1",
		"collection_address=C1":                  "N2 N1",
		"collection_address=C1&owner_address=A2": "N1",
		"collection_address=C2":                  "",
		"owner_address=A1&start_lt=33000000":     "N3",
	})
	d.requireRefusals(t, path, badRanges)
	d.requireRefusals(t, path, map[string]string{
		"address=x": unreadable + `"address"`, "item_address=x": unreadable + `index 0 of "item_address"`,
		"collection_address=x": unreadable + `"collection_address"`,
	})
	body := d.get(path + "?" + expand("item_address=I30"))
	row := body[key].([]any)[0].(map[string]any)
	require.Equal(t, "addr_none", row["nft_collection"])
	require.Equal(t, true, row["transaction_aborted"])
	require.ElementsMatch(t, []string{"I30", "A1", "A3"}, keys(body["address_book"]))
}

func TestNFTSales_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	d.requireRows(t, "/nft/sales", "nft_sales", "address", map[string]string{
		"address=S2": "S2", "address=S3,S1,X9": "S1 S3", "address=I11": "",
	})
	d.requireRefusals(t, "/nft/sales", map[string]string{
		"": "at least 1 address required", "address=x": unreadable + `index 0 of "address"`,
		strings.Repeat("address=S1&", 1001): "maximum 1000 addresses allowed",
	})
	body := d.get("/nft/sales?" + expand("address=S1"))
	sale := body["nft_sales"].([]any)[0].(map[string]any)
	require.Equal(t, "getgems_sale", sale["type"])
	require.Equal(t, map[string]any{"is_complete": false, "full_price": "9"}, sale["details"])
	require.Equal(t, at("I12").String(), sale["nft_item"].(map[string]any)["address"])
	require.Equal(t, true, sale["nft_item"].(map[string]any)["on_sale"])
	require.ElementsMatch(t, []string{"S1", "I12", "A1", "A3", "C1"}, keys(body["address_book"]))
	require.ElementsMatch(t, []string{"I12", "C1"}, keys(body["metadata"]))
}
