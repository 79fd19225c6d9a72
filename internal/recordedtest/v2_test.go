package recordedtest_test

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/stretchr/testify/require"
)

const prefix2 = "/api/v2"

// routes2 are the methods of /api/v2 whose results follow from the index.
func routes2() []route {
	const block = "workchain=block_ref.workchain shard=block_ref.shard seqno=block_ref.seqno root_hash=blocks:root_hash file_hash=blocks:file_hash"
	const at = " seqno=mc_block_seqno"
	return []route{
		{"/getAddressInformation", "transactions", "address=account" + at, "address"},
		{"/getExtendedAddressInformation", "transactions", "address=account" + at, "address"},
		{"/getWalletInformation", "transactions", "address=account" + at, "address"},
		{"/getAddressBalance", "transactions", "address=account" + at, "address"},
		{"/getAddressState", "transactions", "address=account" + at, "address"},
		{"/getTokenData", "wallets", "address=address seqno=transactions:mc_block_seqno", "address"},
		{"/getTokenData", "masters", "address=address", "address"},
		{"/getTokenData", "items", "address=address", "address"},
		{"/getTokenData", "collections", "address=address", "address"},
		{"/getBlockTransactions", "transactions", block + " after_lt=lt after_hash=account", "workchain shard seqno"},
		{"/getBlockTransactionsExt", "transactions", block + " after_lt=lt after_hash=account", "workchain shard seqno"},
		{"/getTransactions", "transactions", "address=account lt=lt hash=hash to_lt=prev_trans_lt", "address"},
		{"/getTransactionsStd", "transactions", "address=account lt=lt hash=hash to_lt=prev_trans_lt", "address"},
		{"/tryLocateTx", "messages", "source=source destination=destination created_lt=created_lt", "source destination"},
		{"/tryLocateResultTx", "messages", "source=source destination=destination created_lt=created_lt", "source destination"},
		{"/tryLocateSourceTx", "messages", "source=source destination=destination created_lt=created_lt", "source destination"},
		{"/getMasterchainInfo", "blocks", "", ""},
		{"/lookupBlock", "blocks", "workchain=workchain shard=shard seqno=seqno lt=end_lt unixtime=gen_utime", "workchain shard"},
		{"/getShards", "transactions", "seqno=mc_block_seqno", "seqno"},
		{"/shards", "transactions", "seqno=mc_block_seqno", "seqno"},
		{"/getBlockHeader", "blocks", "workchain=workchain shard=shard seqno=seqno root_hash=root_hash file_hash=file_hash", "workchain shard seqno"},
		{"/detectAddress", "transactions", "address=account", "address"},
		{"/detectHash", "transactions", "hash=hash", "hash"},
		{"/packAddress", "transactions", "address=account", "address"},
		{"/unpackAddress", "transactions", "address=account", "address"},
		{"/getConfigParam", "transactions", "seqno=mc_block_seqno", ""},
		{"/getConfigAll", "transactions", "seqno=mc_block_seqno", ""},
		{"/getLibraries", "transactions", "libraries=hash", "libraries"},
		{"/dnsResolve", "records", "domain=domain resolver_address=nft_item_address seqno=transactions:mc_block_seqno", "domain"},
		{"/dnsResolve", "records", "name=domain address=nft_item_address seqno=transactions:mc_block_seqno", "name"},
		{"/getShardAccountCell", "transactions", "address=account" + at, "address"},
	}
}

func init() {
	fixed["count"] = []string{"1", "3", "0", "-1", "1000", "ten"}
	fixed["archival"] = []string{"true", "false", "maybe"}
	fixed["config_id"] = []string{"0", "8", "15", "17", "34", "-1", "1000", "x"}
	fixed["param"] = fixed["config_id"]
	fixed["category"] = []string{"wallet", "", "0"}
	fixed["ttl"] = []string{"1", "0", "4", "x"}
}

// form returns the value of a parameter in the form of the API.
func (g *generator) form(name, value string) string {
	if g.prefix == prefix2 && name == "shard" {
		return decimalShards([]string{value})[0]
	}
	return value
}

// decimalShards returns shards as signed decimals.
func decimalShards(list []string) (decimal []string) {
	for _, v := range list {
		n, err := strconv.ParseUint(v, 16, 64)
		if err == nil {
			v = strconv.FormatInt(int64(n), 10)
		}
		decimal = append(decimal, v)
	}
	return decimal
}

// v2 sends the requests of /api/v2.
func (g *generator) v2() {
	g.t.Helper()
	g.prefix, g.described = prefix2, openAPI(g.t, g.handler, prefix2)
	for _, r := range routes2() {
		g.route(r, g.params(r))
	}
	g.calls()
}

// calls sends the methods that have a body, and calls by JSON-RPC.
func (g *generator) calls() {
	g.t.Helper()
	type members map[string]any
	post := func(path string, body any) {
		text, err := json.Marshal(body)
		require.NoError(g.t, err)
		g.add(exchange{Method: http.MethodPost, Target: prefix2 + path, Body: string(text)})
	}
	methods := []any{"seqno", "get_jetton_data", "get_collection_data", "get_nft_data", "get_wallet_data", 85143, "no_such_method"}
	for i, account := range spread(g.values("states", "address"), 6*g.width) {
		for _, path := range []string{"/runGetMethod", "/runGetMethodStd"} {
			call := members{"address": account, "method": methods[i%len(methods)], "stack": []any{}}
			post(path, call)
			call["seqno"] = 20
			post(path, call)
		}
		post("/getAddressBalance", members{"address": account})
		rpc := members{"jsonrpc": "2.0", "id": i, "method": "getAddressInformation", "params": members{"address": account}}
		post("/jsonRPC", rpc)
		post("/jsonRPC", []members{rpc, {"jsonrpc": "2.0", "id": "x", "method": "getTransactions", "params": members{"address": account, "limit": 2}}})
	}
	post("/jsonRPC", members{"method": "no_such_method", "params": members{}})
}
