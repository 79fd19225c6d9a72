package v3_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Parameters of traces, actions and contracts.

func traceRows(path string, include effect) map[string]row {
	const (
		base    = "limit=1000&start_lt={lt 40}&end_lt={lt 50}"
		faucets = "account={faucet}&limit=1000"
	)
	key := map[string]string{"/traces": "traces", "/events": "events"}[path]
	return of("GET "+path, paged(faucets, "account={nobody}"), ranged(faucets, "end_utime", "end_lt"), map[string]row{
		"account":         finds(base, only("transactions.*.account")),
		"trace_id":        finds(base, only("trace_id")),
		"tx_hash":         finds(base, only("transactions_order")),
		"msg_hash":        finds(base, only("transactions.*.in_msg.hash", "transactions.*.out_msgs.hash")),
		"mc_seqno":        {base, only("mc_seqno_end"), outcome{value: "2000000", status: absent, text: "masterchain block 2000000 not found"}, outcome{}},
		"include_actions": {"limit=5", include, outcome{query: "account={nobody}&include_actions=true"}, outcome{}},
		"supported_action_types": {"limit=100&include_actions=true&account={multisig 0}", changesMembers("v1", "actions"),
			outcome{query: "account={nobody}&include_actions=true&supported_action_types=v1", text: `"` + key + `":[]`},
			outcome{value: "no_such_type", like: "v1"}}, // an unrecognized name counts as a type
	})
}

func actionRows() map[string]row {
	const (
		base    = "limit=1000&include_accounts=true&start_lt={lt 40}&end_lt={lt 50}"
		faucets = "account={faucet}&limit=1000"
		full    = "limit=1000&include_transactions=true&start_lt={lt 40}&end_lt={lt 45}"
	)
	return of("GET /actions", paged(faucets, "account={nobody}"), ranged(faucets, "trace_end_utime", "trace_end_lt"), map[string]row{
		"account":   finds(base, only("accounts")),
		"tx_hash":   finds(base, only("transactions")),
		"msg_hash":  finds(full, only("transactions_full.in_msg.hash", "transactions_full.out_msgs.hash")),
		"action_id": finds(base, only("action_id")),
		"trace_id":  finds(base, only("trace_id")),
		"mc_seqno":  {base, only("trace_mc_seqno_end"), outcome{value: "2000000", status: absent, text: "masterchain block 2000000 not found"}, outcome{}},
		"action_type": {base, only("type"), outcome{value: "no_such_type"},
			outcome{value: "a-b", status: unprocessable, text: "action_type contains invalid characters"}},
		"exclude_action_type": {base, without("type"), outcome{query: "action_type=ton_transfer&exclude_action_type=ton_transfer"},
			outcome{value: "a-b", status: unprocessable, text: "exclude_action_type contains invalid characters"}},
		"supported_action_types": {"limit=1000&account={multisig 0}", func(t *testing.T, p parameterCase) {
			t.Helper()
			differs("v1", "v2")(t, p)
			require.Contains(t, members(p.with(t).rows, "type"), "multisig_execute")
			require.NotContains(t, members(p.with(t, "v1").rows, "type"), "multisig_execute")
			require.Equal(t, p.with(t, "v2").text, p.with(t, "v1", "multisig").text)
		}, outcome{query: "account={nobody}&supported_action_types=v1"}, outcome{value: "no_such_type", like: "v1"}},
		"include_accounts":     {"limit=20", changesMembers("true", "accounts"), outcome{query: "account={nobody}&include_accounts=true"}, outcome{}},
		"include_transactions": {"limit=20", changesMembers("true", "transactions_full"), outcome{query: "account={nobody}&include_transactions=true"}, outcome{}},
	})
}

func pendingRows() map[string]row {
	none := outcome{value: "{nobody}", status: absent, text: "emulated traces not found"}
	unknown := outcome{value: "no_such_type", like: "v1"}
	return merge(
		of("GET /pendingTransactions", map[string]row{
			"account": {"", selects(to("account"), "{faucet}", "{guest}"), none, outcome{}},
			"trace_id": {"account={faucet}", ignored("{nothing}", "where account is given it decides, and it has to be given"),
				outcome{query: "account={nobody}&trace_id={trace}", status: absent, text: none.text},
				outcome{query: "trace_id={trace}", status: unprocessable, text: "at least 1 account address required"}},
		}),
		of("GET /pendingTraces", map[string]row{
			"account":      finds("", selects(to("transactions.*.account"), "{guest}", "{item}")),
			"ext_msg_hash": finds("", selects(to("external_hash"), "{queried}", "{paid}")),
			"supported_action_types": {"ext_msg_hash={queried}", changesMembers("v1", "actions"),
				outcome{query: "account={nobody}&supported_action_types=v1"}, unknown},
		}),
		of("GET /pendingActions", map[string]row{
			"account":      finds("", selects(to("accounts"), "{faucet}", "{guest}")),
			"ext_msg_hash": finds("", selects(to("trace_external_hash"), "{queried}", "{paid}")),
			"supported_action_types": {"ext_msg_hash={queried}", differs("v1", "v2"),
				outcome{query: "account={nobody}&supported_action_types=v1"}, unknown},
			"include_transactions": {"ext_msg_hash={paid}", changesMembers("true", "transactions_full"),
				outcome{query: "account={nobody}&include_transactions=true"}, outcome{}},
		}),
		of("GET /balanceChanges", map[string]row{
			"trace_id": {"", differs("{trace}", "{other trace}"), outcome{value: "{nothing}", status: absent, text: "not found"},
				outcome{query: "trace_id=abc", status: unprocessable, text: `error converting value for "trace_id"`}},
			"action_id": {"", differs("{action 0}", "{action 1}"), outcome{value: "{nothing}", status: absent, text: "action_id not found"}, outcome{}},
		}),
	)
}

func accountRows() map[string]row {
	const three = "address={faucet}&address={jetton}&address={multisig 0}"
	keyed := func(t *testing.T, p parameterCase) {
		t.Helper()
		differs("{faucet}", "{jetton}", "{own jetton}")(t, p)
		both, ok := p.with(t, "{own jetton}", "{jetton}").rows[0].tree.(map[string]any)
		require.True(t, ok)
		require.Contains(t, both, p.names["own jetton"])
		require.Contains(t, both, p.names["jetton"])
	}
	top := unsorted("limit=1000", "offset=50000")
	return merge(
		of("GET /accountStates", map[string]row{
			"address":     finds("", selects(to("address"), "{faucet}", "{jetton}")),
			"code_hash":   finds(three, only("code_hash")),
			"include_boc": {three, changesMembers("false", "data_boc", "code_boc"), outcome{query: "address={nobody}&include_boc=false"}, outcome{}},
		}),
		of("GET /walletStates", map[string]row{"address": finds("", selects(to("address"), "{faucet}", "{jetton}"))}),
		of("GET /topAccountsByBalance", top),
		of("GET /addressBook", map[string]row{"address": {"", func(t *testing.T, p parameterCase) {
			t.Helper()
			differs("{faucet}", "{jetton}")(t, p)
			both, ok := p.with(t, "{faucet}", "{jetton}").rows[0].tree.(map[string]any)
			require.True(t, ok)
			require.Len(t, both, 2)
		}, outcome{value: "{nobody}", text: `"domain":null,"interfaces":[]`},
			outcome{value: "0:12", text: `{"0:12":{"user_friendly":null,"domain":null,"interfaces":[]}}`}}}), // not an error
		of("GET /metadata", map[string]row{"address": {"", keyed, outcome{value: "{nobody}", text: "{}"}, outcome{value: "0:12", text: "{}"}}}),
	)
}

func jettonRows() map[string]row {
	rich := func(row any) bool { return !has(row, "0", "balance") || len(values(row, "mintless_info.amount")) > 0 }
	return merge(
		of("GET /jetton/masters", unsorted(fullList, "address={nobody}"), map[string]row{
			"address": finds(fullList, only("address")), "admin_address": finds(fullList, only("admin_address")),
		}),
		of("GET /jetton/wallets", paged(fullList, "address={nobody}"), map[string]row{
			"address": finds(fullList, only("address")), "owner_address": finds(fullList, only("owner")),
			"jetton_address":       finds("limit=1000&owner_address={actor 0}", only("jetton")),
			"exclude_zero_balance": {fullList, keeps("true", "address", rich), outcome{query: "address={nobody}&exclude_zero_balance=true"}, outcome{}},
		}),
		of("GET /jetton/transfers", paged(fullList, "owner_address={nobody}"), ranged(fullList, "transaction_now", "transaction_lt"), map[string]row{
			"owner_address": finds(fullList, only("source", "destination")), "address": finds(fullList, only("source", "destination")),
			"jetton_wallet": finds(fullList, only("source_wallet")), "jetton_master": finds(fullList, only("jetton_master")),
			"direction": directed("{trader}", "source", "destination"),
		}),
		of("GET /jetton/burns", paged(fullList, "owner_address={nobody}"), ranged(fullList, "transaction_now", "transaction_lt"), map[string]row{
			"owner_address": finds(fullList, only("owner")), "address": finds(fullList, only("owner")),
			"jetton_wallet": finds(fullList, only("jetton_wallet")), "jetton_master": finds(fullList, only("jetton_master")),
		}),
	)
}

// directed returns the row of direction: the transfers that the owner received, or sent.
func directed(owner, gave, got string) row {
	return row{"limit=1000&owner_address=" + owner, func(t *testing.T, p parameterCase) {
		t.Helper()
		who := p.fill(owner, plainly)
		keeps("in", "transaction_hash", func(row any) bool { return has(row, who, got) })(t, p)
		keeps("out", "transaction_hash", func(row any) bool { return has(row, who, gave) })(t, p)
		require.Equal(t, p.with(t).text, p.with(t, "both").text)
	}, outcome{query: "owner_address={nobody}&direction=in"}, outcome{value: "sideways", like: "out"}} // every other value means out
}

func nftRows() map[string]row {
	items := "limit=1000&collection_address={nfts}"
	return merge(
		of("GET /nft/collections", unsorted(fullList, "collection_address={nobody}"), map[string]row{
			"collection_address": finds(fullList, only("address")), "owner_address": finds(fullList, only("owner_address")),
		}),
		of("GET /nft/items", unsorted(fullList, "address={nobody}"), map[string]row{
			"address": finds(fullList, only("address")), "owner_address": finds(fullList, only("owner_address")),
			"collection_address": finds("limit=1000&owner_address={collector}", only("collection_address")),
			"index":              {items, only("index"), outcome{value: "99999999"}, outcome{value: "first", status: unprocessable, text: "index should contain digits only"}},
			"include_on_sale": {"limit=1000&owner_address={seller}", adds("true", func(row any) bool {
				return has(row, "true", "on_sale") && len(values(row, "real_owner")) > 0
			}), outcome{query: "owner_address={nobody}&include_on_sale=true"}, outcome{}},
			"sort_by_last_transaction_lt": {fullList, func(t *testing.T, p parameterCase) {
				t.Helper()
				before, after := p.with(t).rows, p.with(t, "true").rows
				require.Equal(t, texts(before), texts(after))
				require.NotEqual(t, before, after)
				require.True(t, slices.IsSortedFunc(after, func(a, b record) int {
					return amount(b.tree, "last_transaction_lt").Cmp(amount(a.tree, "last_transaction_lt"))
				}))
			}, outcome{query: "address={nobody}&sort_by_last_transaction_lt=true"}, outcome{}},
		}),
		of("GET /nft/transfers", paged(fullList, "owner_address={nobody}"), ranged(fullList, "transaction_now", "transaction_lt"), map[string]row{
			"owner_address": finds(fullList, only("old_owner", "new_owner")), "address": finds(fullList, only("old_owner", "new_owner")),
			"item_address": finds(fullList, only("nft_address")), "collection_address": finds(fullList, only("nft_collection")),
			"direction": directed("{dealer}", "old_owner", "new_owner"),
		}),
		of("GET /nft/sales", map[string]row{"address": finds("", selects(to("address"), "{username 0}", "{username 1}"))}),
	)
}

func nameRows() map[string]row {
	const (
		faucets  = "wallet={faucet}&limit=1000"
		auctions = "bidder={faucet}&limit=1000"
	)
	finished := func(row any) bool { return has(row, "true", "finished") }
	return merge(of("GET /dns/activeAuctions", unsorted(auctions, "bidder={nobody}"), map[string]row{
		"bidder": finds("", selects(to("max_bid_address"), "{faucet}")),
		"state": {auctions, func(t *testing.T, p parameterCase) {
			t.Helper()
			all := p.with(t).rows
			won := filter(all, finished)
			require.NotEmpty(t, won)
			require.Equal(t, texts(won), texts(p.with(t, "won").rows))
			require.Len(t, p.with(t, "bidding").rows, len(all)-len(won))
		},
			outcome{query: "bidder={nobody}&state=won"}, outcome{value: "lost", status: unprocessable, text: "state must be one of: all, won, bidding"}},
		"include_nft_items": {auctions, changesMembers("true", "nft_item"), outcome{query: "bidder={nobody}&include_nft_items=true"}, outcome{}},
		"after": {auctions, func(t *testing.T, p parameterCase) {
			t.Helper()
			all := p.with(t).rows
			next := p.ok(t, "bidder={faucet}&limit=1").header.Get("X-Next-Cursor")
			require.Equal(t, all[1:], p.ok(t, "bidder={faucet}&limit=50&after="+next).rows)
			p.names["last auction"] = p.ok(t, "bidder={faucet}&limit="+strconv.Itoa(len(all))).header.Get("X-Next-Cursor")
		}, outcome{value: "{last auction}"}, outcome{value: "x", status: unprocessable, text: "invalid after cursor"}},
	}), of("GET /dns/records", unsorted(faucets, "wallet={nobody}"), map[string]row{
		"wallet": finds("", selects(to("dns_wallet"), "{faucet}", "{named}")),
		"domain": {"", selects(to("domain"), "tulip.ton", "apple.ton"), outcome{value: "nobody.ton"},
			outcome{query: "domain=tulip.ton&wallet={faucet}", status: unprocessable, text: "provide either wallet address or domain, not both"}},
	}))
}

func boardRows() map[string]row {
	const (
		boards = "address={multisig 0}&address={multisig 1}&limit=1000"
		orders = "multisig_address={multisig 0}&multisig_address={multisig 1}&limit=1000"
		both   = "wallet_address={faucet}&wallet_address={vester}&limit=1000"
	)
	// 1024 rows are allowed here.
	wide := func(rows map[string]row) map[string]row {
		r := rows["limit"]
		r.does = limits("1024")
		rows["limit"] = r
		return rows
	}
	return merge(
		of("GET /multisig/wallets", wide(paged(boards, "address={nobody}")), map[string]row{
			"address":        finds("", selects(to("address"), "{multisig 0}", "{multisig 1}")),
			"wallet_address": finds("", selects(to("signers", "proposers"), "{actor 0}", "{actor 7}")),
			"include_orders": {boards, changesMembers("false", "orders"), outcome{query: "address={nobody}&include_orders=false"}, outcome{}},
		}),
		of("GET /multisig/orders", wide(paged(orders, "address={nobody}")), map[string]row{
			"address":          finds(orders, only("address")),
			"multisig_address": finds("limit=1000", selects(to("multisig_address"), "{multisig 0}", "{multisig 1}")),
			"parse_actions":    {orders, changesMembers("true", "actions"), outcome{query: "address={nobody}&parse_actions=true"}, outcome{}},
		}),
		of("GET /vesting", unsorted(both, "wallet_address={nobody}"), map[string]row{
			"contract_address": finds("", selects(to("address"), "{vesting}", "{own vesting}")),
			"wallet_address":   finds("", selects(to("owner_address", "sender_address"), "{faucet}", "{vester}")),
			"check_whitelist": {"wallet_address={friend}", adds("true", func(row any) bool { return len(values(row, "whitelist")) == 2 }),
				outcome{query: "wallet_address={nobody}&check_whitelist=true"}, outcome{}},
		}),
	)
}

func legacyRows() map[string]row {
	zero := outcome{value: "{nobody}", text: `"balance":"0"`} // an unknown account is returned with zero values
	past := outcome{query: "address={nobody}&seqno=20", text: `"balance":"0"`}
	positive := outcome{value: "-1", status: unprocessable, text: "seqno: not a positive number"}
	all := map[string]row{}
	for _, path := range []string{"/addressInformation", "/account"} {
		all = merge(all, of("GET "+path, map[string]row{
			"address": {"", differs("{faucet}", "{jetton}"), zero, outcome{}},
			"use_v2":  {"address={nobody}", changesMembers("true", "status"), outcome{query: "address={nobody}&use_v2=true", text: `"status":"uninitialized"`}, outcome{}},
			"seqno":   {"address={faucet}", changesMembers("20", "balance", "data", "last_transaction_lt", "last_transaction_hash"), past, positive},
		}))
	}
	for _, path := range []string{"/walletInformation", "/wallet"} {
		all = merge(all, of("GET "+path, map[string]row{
			"address": {"", each(differs("{faucet}", "{actor 0}"), func(t *testing.T, p parameterCase) {
				t.Helper()
				p.requireOutcome(t, outcome{value: "{jetton}", status: http.StatusConflict, text: "not a wallet"})
			}), zero, outcome{}},
			"use_v2": {"address={nobody}", changesMembers("true", "status"), outcome{query: "address={nobody}&use_v2=true", text: `"status":"uninitialized"`}, outcome{}},
			"seqno":  {"address={faucet}", changesMembers("20", "balance", "seqno", "last_transaction_lt", "last_transaction_hash"), past, positive},
		}))
	}
	return all
}

func decodeRows() map[string]row {
	opcodes := row{"bodies=te6ccgEBAQEAAgAAAA==", differs("0x0f8a7ea5", "0x178d4519"), outcome{value: "0x0badbad0", text: `"opcodes":["unknown"]`},
		outcome{value: "nonsense", status: unprocessable, text: "invalid opcode format at index 0: nonsense"}}
	bodies := row{"opcodes=0x0f8a7ea5", differs("{guest body}", "te6ccgEBAQEAAgAAAA=="), outcome{value: "te6ccgEBAQEABgAACAututA=", text: `"bodies":[{"error":"unknown`},
		outcome{value: "nonsense", text: `"error":"unknown: failed to decode hex`}} // reported instead of the body
	all := of("GET /decode", map[string]row{"opcodes": opcodes, "bodies": bodies})
	opcodes = row{`{"bodies":[]}`, differs(`["0x0f8a7ea5"]`, `["0x178d4519"]`), outcome{value: `["0x0badbad0"]`, text: `"opcodes":["unknown"]`},
		outcome{value: `["nonsense"]`, status: unprocessable, text: "invalid opcode format at index 0: nonsense"}}
	bodies = row{`{"opcodes":[]}`, differs(`["{guest body}"]`, `["te6ccgEBAQEAAgAAAA=="]`), outcome{value: `["te6ccgEBAQEABgAACAututA="]`, text: `"bodies":[{"error":"unknown`},
		outcome{value: `["nonsense"]`, text: `"error":"unknown: failed to decode hex`}}
	return merge(all, of("POST /decode", map[string]row{"opcodes": opcodes, "bodies": bodies}))
}

func postRows() map[string]row {
	const (
		jettonData = `{"address":"{jetton}","method":"get_jetton_data"}`
		walletOf   = `{"address":"{jetton}","method":"get_wallet_address","stack":[]}`
		guests     = `{"address":"{guest}","body":"{guest body}","init_code":"{guest code}","init_data":"{guest data}"}`
		faucets    = `{"address":"{faucet}","body":"{faucet body}"}`
	)
	number := outcome{value: `7`, status: unprocessable, text: "expected a string, not a number"}
	return merge(
		of("POST /message", map[string]row{"boc": {`{}`, differs(`"{guest next}"`),
			outcome{query: `{"boc":""}`, status: unauthorized, text: "boc is required"},
			outcome{value: `"!"`, status: unprocessable, text: "boc: not base64"}}}),
		of("POST /runGetMethod", map[string]row{
			"address": {jettonData, differs(`"{jetton}"`, `"{own jetton}"`), outcome{value: `"{nobody}"`, text: `"exit_code":-13`},
				outcome{value: `"0:12"`, status: unprocessable, text: "address"}},
			"method": {jettonData, differs(`"get_jetton_data"`, `"get_next_admin_address"`), outcome{value: `"no_such_method"`, text: `"exit_code":11`}, number},
			"stack": {walletOf, differs(`[{"type":"slice","value":"{faucet slice}"}]`, `[{"type":"slice","value":"{friend slice}"}]`),
				outcome{value: `[]`, text: `"exit_code":2`},
				outcome{value: `[{"type":"word","value":"1"}]`, status: unprocessable, text: "unsupported stack parameter type: word"}},
			"seqno": {`{"address":"{faucet}","method":"seqno"}`, differs("20", "70"), outcome{value: "2000000", status: absent, text: "masterchain block 2000000"},
				outcome{value: "-1", status: unprocessable, text: "seqno: not a positive number"}},
		}),
		of("POST /estimateFee", map[string]row{
			"address": {guests, differs(`"{guest}"`, `"{faucet}"`), outcome{query: `{"address":"","body":""}`, status: unauthorized, text: "address is required"},
				outcome{value: `"0:12"`, status: unprocessable, text: "address"}},
			"body":      {guests, differs(`"{guest body}"`, `"{guest longer body}"`), outcome{value: `""`, text: `"destination_fees":[]`}, outcome{value: `"!"`, status: unprocessable, text: "body: not base64"}},
			"init_code": {guests, differs(`"{guest code}"`, `"{guest data}"`), outcome{value: `""`, status: unprocessable, text: "init_code and init_data must be given together"}, outcome{value: `"AAAA"`, status: unprocessable, text: "init_code: not a bag of cells"}},
			"init_data": {guests, differs(`"{guest data}"`, `"{guest code}"`), outcome{value: `""`, status: unprocessable, text: "init_code and init_data must be given together"}, outcome{value: `"AAAA"`, status: unprocessable, text: "init_data: not a bag of cells"}},
			"ignore_chksig": {`{"address":"{faucet}","body":"{unsigned body}"}`, differs("true", "false"),
				outcome{query: `{"address":"{faucet}","body":"","ignore_chksig":true}`, text: `"destination_fees":[]`}, outcome{value: `"yes"`, status: unprocessable, text: "ignore_chksig"}},
			"seqno": {faucets, differs("20", "{head}"), outcome{value: "2000000", status: absent, text: "masterchain block 2000000"},
				outcome{value: "-1", status: unprocessable, text: "seqno: not a positive number"}},
		}),
	)
}
