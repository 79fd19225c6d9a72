package v3_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDNSRecords_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	d.requireRows(t, "/dns/records", "records", "nft_item_address", map[string]string{
		"wallet=A1": "D2 D1", "wallet=A1&limit=1": "D2", "wallet=A1&limit=1&offset=1": "D1", "wallet=A3": "",
		"domain=alice.ton": "D1", "domain=nobody.ton": "", "domain=carol.t.me": "D3",
	})
	const none, both = "either wallet address or domain is required", "provide either wallet address or domain, not both"
	d.requireRefusals(t, "/dns/records", map[string]string{
		"": none, "domain=a.ton&wallet=A1": both, "wallet=x": unreadable + `"wallet"`, "wallet=": unreadable + `"wallet"`,
		"wallet=A1&limit=x": unreadable + `"limit"`, "wallet=A1&offset=x": unreadable + `"offset"`,
	})
	body := d.get("/dns/records?domain=carol.t.me")
	require.ElementsMatch(t, []string{"D3", "A2"}, keys(body["address_book"]))
	require.NotContains(t, body, "metadata")
	row := body["records"].([]any)[0].(map[string]any)
	require.Equal(t, at("A3").String(), row["dns_next_resolver"])
	require.Regexp(t, "^CD0+$", row["dns_storage_bag_id"])
	require.Nil(t, row["dns_site_adnl"])
}

// The address book has the shortest domain that the account owns and that resolves to it.
func TestAddressBook_HasTheShortestDomain(t *testing.T) {
	t.Parallel()
	d := market(t)
	addressBook := d.get("/addressBook?" + expand("address=A1&address=A2"))
	require.Equal(t, "alice.ton", addressBook[at("A1").String()].(map[string]any)["domain"])
	require.Nil(t, addressBook[at("A2").String()].(map[string]any)["domain"], "the account has no state")
}

func TestMultisigWallets_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	d.requireRows(t, "/multisig/wallets", "multisigs", "address", map[string]string{
		"address=G1,G2": "G2 G1", "address=G1,G2&sort=asc": "G1 G2", "wallet_address=A1": "G1", "wallet_address=A3": "G2 G1",
		"wallet_address=A3&address=G1": "G1", "wallet_address=A3&limit=1": "G2", "wallet_address=A3&limit=1&offset=1": "G1",
		"address=X9": "", "wallet_address=A3&limit=1024": "G2 G1",
	})
	const none = "At least one of address or wallet_address should be specified"
	d.requireRefusals(t, "/multisig/wallets", map[string]string{
		"": none, "address=x": unreadable + `index 0 of "address"`, "wallet_address=x": unreadable + `index 0 of "wallet_address"`,
		"address=G1&include_orders=yes": unreadable + `"include_orders"`, "address=G1&sort=x": "wrong value for sort parameter",
		"address=G1&limit=1025": "limit is not allowed: 1025 > 1024", "address=G1&offset=x": unreadable + `"offset"`,
	})
	body := d.get("/multisig/wallets?" + expand("address=G1"))
	m := body["multisigs"].([]any)[0].(map[string]any)
	require.Equal(t, "O1 O2", labels(m["orders"], "address"))
	require.Nil(t, m["orders"].([]any)[0].(map[string]any)["actions"])
	require.ElementsMatch(t, []string{"G1", "A1", "A2", "A3", "O1", "O2"}, keys(body["address_book"]))
	require.NotContains(t, body, "metadata")
	response := d.get("/multisig/wallets?" + expand("address=G1&include_orders=false"))
	require.Equal(t, []any{}, response["multisigs"].([]any)[0].(map[string]any)["orders"])
	require.ElementsMatch(t, []string{"G1", "A1", "A2", "A3"}, keys(response["address_book"]))
}

func TestMultisigOrders_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	d.requireRows(t, "/multisig/orders", "orders", "address", map[string]string{
		"multisig_address=G1": "O2 O1", "multisig_address=G1&sort=asc": "O1 O2", "address=O3": "O3", "address=O1,O3&multisig_address=G1": "O1",
		"multisig_address=G1&limit=1": "O2", "multisig_address=G1&limit=1&offset=1": "O1", "multisig_address=X9": "",
	})
	const none = "At least one of address or multisig_address should be specified"
	d.requireRefusals(t, "/multisig/orders", map[string]string{
		"": none, "address=x": unreadable + `index 0 of "address"`, "multisig_address=x": unreadable + `index 0 of "multisig_address"`,
		"address=O1&parse_actions=yes": unreadable + `"parse_actions"`, "address=O1&sort=x": "wrong value for sort parameter",
		"address=O1&limit=1025": "limit is not allowed: 1025 > 1024", "address=O1&offset=x": unreadable + `"offset"`,
	})
}

// parse_actions parses actions: of a payment, of an invalid order, and of an order that is not initialized.
func TestMultisigOrders_ActionsAreParsedOnRequest(t *testing.T) {
	t.Parallel()
	d := market(t)
	order := func(name, more string) map[string]any {
		return d.get("/multisig/orders?" + expand("address="+name+more))["orders"].([]any)[0].(map[string]any)
	}
	require.Nil(t, order("O1", "")["actions"])
	actions := order("O1", "&parse_actions=true")["actions"].([]any)
	require.Len(t, actions, 1)
	pay := actions[0].(map[string]any)
	require.Equal(t, at("A3").String(), pay["destination"])
	require.Equal(t, "1", pay["value"])
	require.EqualValues(t, 3, pay["send_mode"])
	require.Equal(t, true, pay["parsed"])
	require.Nil(t, pay["error"])
	require.Equal(t, "ton_transfer", pay["parsed_body_type"])
	require.Equal(t, map[string]any{"comment": "thanks", "encrypted": false}, pay["parsed_body"])
	require.Regexp(t, "^te6cck", pay["body_raw"])

	broken := order("O2", "&parse_actions=1")["actions"].([]any)[0].(map[string]any)
	require.Equal(t, false, broken["parsed"])
	require.Equal(t, "unknown", broken["parsed_body_type"])
	require.NotEmpty(t, broken["error"])
	require.Equal(t, []any{}, order("O3", "&parse_actions=1")["actions"])

	addressBook := func(query string) []string { return keys(d.get("/multisig/orders?" + expand(query))["address_book"]) }
	require.ElementsMatch(t, []string{"O1", "G1", "A1", "A2"}, addressBook("address=O1"))
	require.ElementsMatch(t, []string{"O1", "G1", "A1", "A2", "A3"}, addressBook("address=O1&parse_actions=1"))
}

func TestVesting_ParametersSelectRows(t *testing.T) {
	t.Parallel()
	d := market(t)
	d.requireRows(t, "/vesting", "vesting_contracts", "address", map[string]string{
		"contract_address=V2": "V2", "contract_address=V2,V1": "V1 V2", "wallet_address=A1": "V1", "wallet_address=A2": "V1 V2",
		"wallet_address=A3": "", "wallet_address=A3&check_whitelist=true": "V1", "wallet_address=A2&limit=1": "V1",
		"wallet_address=A2&limit=1&offset=1": "V2", "contract_address=X9": "",
	})
	const none = "at least one of contract_address or wallet_address is required"
	const both = "only one of contract_address or wallet_address should be specified"
	d.requireRefusals(t, "/vesting", map[string]string{
		"": none, "contract_address=V1&wallet_address=A1": both, "contract_address=x": unreadable + `index 0 of "contract_address"`,
		"wallet_address=x": unreadable + `index 0 of "wallet_address"`, "wallet_address=A1&check_whitelist=yes": unreadable + `"check_whitelist"`,
		"contract_address=V1&limit=x": unreadable + `"limit"`, "contract_address=V1&offset=x": unreadable + `"offset"`,
	})
	body := d.get("/vesting?" + expand("contract_address=V1"))
	require.ElementsMatch(t, []string{"V1", "A1", "A2", "A3"}, keys(body["address_book"]))
	require.NotContains(t, body, "metadata")
	v := body["vesting_contracts"].([]any)[0].(map[string]any)
	require.Equal(t, "73786976294838206464", v["total_amount"])
	require.Equal(t, []any{at("A3").String()}, v["whitelist"])
	require.EqualValues(t, 200, v["cliff_duration"])
}

// Metadata that was fetched, that failed to be fetched, that is still to be fetched, and that derives from another
// record.
func TestMetadata_FollowsTheStateOfFetching(t *testing.T) {
	t.Parallel()
	d := market(t)
	token := func(body map[string]any, name string) map[string]any { return body[at(name).String()].(map[string]any) }
	body := d.get("/metadata?" + expand("address=M1&address=C1&address=I11&address=A1&address=X9&address=nonsense"))
	require.ElementsMatch(t, []string{"M1", "C1", "I11"}, keys(body))
	require.Equal(t, map[string]any{"is_indexed": true, "token_info": []any{map[string]any{
		"valid": true, "type": "jetton_masters", "name": "Jetton A", "symbol": "A", "extra": map[string]any{"decimals": "9"},
	}}}, token(body, "M1"))
	require.Equal(t, map[string]any{"is_indexed": true, "token_info": []any{
		map[string]any{"valid": false, "type": "nft_collections"},
	}}, token(body, "C1"))
	require.Equal(t, map[string]any{"is_indexed": false, "token_info": []any{
		map[string]any{"type": "nft_items", "nft_index": "1"},
	}}, token(body, "I11"))

	// The metadata of a Jetton wallet includes its master.
	body = d.get("/metadata?" + expand("address="+at("W21").Friendly(true, true)))
	require.ElementsMatch(t, []string{"W21", "M1"}, keys(body))
	require.Equal(t, map[string]any{"is_indexed": true, "token_info": []any{map[string]any{
		"valid": true, "type": "jetton_wallets",
		"extra": map[string]any{"owner": at("A2").String(), "jetton": at("M1").String(), "balance": "50"},
	}}}, token(body, "W21"))

	require.Equal(t, map[string]any{}, d.get("/metadata?address=nonsense"))
	require.ElementsMatch(t, []string{"M1", "C1"}, keys(d.get("/metadata?"+expand("address=M1,C1"))), "addresses are split")
	require.Equal(t, map[string]any{}, d.get("/metadata?"+expand("address=M1,nonsense")), "others are not")
	require.Equal(t, "at least 1 address required", d.refuse("/metadata", http.StatusUnprocessableEntity))
	require.Contains(t, d.refuse("/metadata?"+manyStrings(1025), http.StatusUnprocessableEntity), "at most 1024")
}

// Accounts and messages include the metadata of their tokens. X-No-Metadata and x_no_metadata turn it off, also for
// requests that are otherwise equal.
func TestMetadata_CanBeDisabled(t *testing.T) {
	t.Parallel()
	d := market(t)
	path := "/accountStates?" + expand("address=W11&address=A1")
	for range 2 {
		require.ElementsMatch(t, []string{"W11", "M1"}, keys(d.get(path)["metadata"]))
		require.Empty(t, d.get(path, "X-No-Metadata", "1")["metadata"])
		require.Empty(t, d.get(path, "X-No-Metadata", "1", "X-No-Address-Book", "1")["metadata"])
		require.ElementsMatch(t, []string{"W11", "M1"}, keys(d.get(path, "X-No-Address-Book", "1")["metadata"]))
	}
	require.Empty(t, d.get(path + "&x_no_metadata=true")["metadata"])
	require.ElementsMatch(t, []string{"W11", "M1"}, keys(d.get("/walletStates?" + expand("address=W11"))["metadata"]))
	require.ElementsMatch(t, []string{"M1"}, keys(d.get("/jetton/masters?"+expand("address=M1"), "X-No-Address-Book", "1")["metadata"]))
}

// Account states include the get-methods of the code, and address books the interfaces.
func TestAccountStates_IncludeMethodsAndInterfaces(t *testing.T) {
	t.Parallel()
	d := market(t)
	body := d.get("/accountStates?" + expand("address=W11&address=M1&address=A1"))
	offers := map[string][]any{}
	for _, row := range body["accounts"].([]any) {
		r := row.(map[string]any)
		methods, _ := r["contract_methods"].([]any)
		offers[named(r["address"].(string))] = []any{r["interfaces"], methods}
	}
	require.Equal(t, map[string][]any{
		"W11": {[]any{"jetton_wallet"}, []any{97026.0}},
		"M1":  {[]any{"jetton_master"}, []any{}},
		"A1":  {[]any{}, []any(nil)},
	}, offers)
	addressBook := body["address_book"].(map[string]any)
	require.Equal(t, []any{"jetton_wallet"}, addressBook[at("W11").String()].(map[string]any)["interfaces"])
	require.Equal(t, at("W11").Friendly(true, true), addressBook[at("W11").String()].(map[string]any)["user_friendly"])
}
