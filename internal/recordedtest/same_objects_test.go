package recordedtest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/recordedtest"
	"tonql/internal/store/storetest"
)

// alike is an object of /api/v3 and the type of GraphQL that has the same data.
type alike struct {
	name    string // of the type
	members []member
	v3      map[string]string // members that GraphQL lacks, and why
	graphQL map[string]string // fields that /api/v3 lacks, and why; lists of other objects are not compared
}

// member is a member of an object of /api/v3 and the field that has the same value.
type member struct {
	v3   string
	path string // of the field, below the type; objects and elements of lists are passed through
	form func(any) any
	of   string // the name of the object inside, or of those inside a list
}

func same(v3, path string) member                    { return member{v3: v3, path: path} }
func inForm(v3, path string, f func(any) any) member { return member{v3: v3, path: path, form: f} }
func inside(v3, path, name string) member            { return member{v3: v3, path: path, of: name} }
func account(v3, path string) member                 { return same(v3, path+".address") }
func none(v3, path string) member                    { return inForm(v3, path+".address", orNone) }
func state(lt string, members ...member) []member {
	return append(members, same("last_transaction_lt", lt), same("code_hash", "codeHash"), same("data_hash", "dataHash"))
}

func order(members ...member) []member {
	return append(members, same("query_id", "queryId"), same("transaction_hash", "transactionHash"), same("transaction_lt", "lt"),
		inForm("transaction_now", "now", unix), same("transaction_aborted", "aborted"), none("response_destination", "responseDestination"),
		same("custom_payload", "customPayload"), same("decoded_custom_payload", "decodedCustomPayload"), same("trace_id", "traceHash"))
}

func orNone(v any) any {
	if v == nil {
		return "addr_none"
	}
	return v
}

func unix(v any) any {
	text, _ := v.(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return v
	}
	return json.Number(fmt.Sprint(at.Unix()))
}

func unixText(v any) any {
	if n, ok := unix(v).(json.Number); ok {
		return n.String()
	}
	return v
}

func upperHex(v any) any {
	text, _ := v.(string)
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || v == nil {
		return v
	}
	return strings.ToUpper(hex.EncodeToString(raw))
}

func lower(v any) any {
	text, _ := v.(string)
	return strings.ToLower(text)
}

func emptyIsNull(v any) any {
	if v == "" {
		return nil
	}
	return v
}

func isSet(v any) any { return v != nil }

// saleOf returns the address of a sale of one kind, and null for another.
func saleOf(kind string) func(any) any {
	return func(v any) any {
		if s, _ := v.(map[string]any); s["kind"] == kind {
			return firstOf(valuesAt(s, "account.address"))
		}
		return nil
	}
}

const (
	global    = "an id of GraphQL alone"
	details   = "more than the published object has"
	related   = "another object, by its account"
	extension = "from other rows of the index"
)

// alikes are the objects that are compared.
func alikes() []alike {
	sale := `sale { kind account { address } seller { address } }`
	stateless := map[string]string{"id": global}
	with := func(more map[string]string) map[string]string {
		all := maps.Clone(stateless)
		maps.Copy(all, more)
		return all
	}
	return []alike{
		{"JettonMaster", state("lastTxLt", account("address", "account"), same("total_supply", "totalSupply"), same("mintable", "mintable"),
			account("admin_address", "admin"), same("jetton_content", "content"), same("jetton_wallet_code_hash", "walletCodeHash")),
			nil, with(map[string]string{"canMint": details, "counts": extension, "walletCount": extension, "reputation": extension})},
		{"JettonWallet", state("lastTxLt", account("address", "account"), same("balance", "balance"), account("owner", "owner"),
			account("jetton", "jettonAccount"), inside("mintless_info", "mintless", "MintlessInfo")), nil, with(map[string]string{"jetton": related})},
		{"MintlessInfo", []member{
			same("amount", "amount"), same("start_from", "startFrom"), same("expire_at", "expireAt"), same("custom_payload_api_uri", "customPayloadApis"),
		}, nil, nil},
		{"JettonTransfer", order(account("source", "source"), none("destination", "destination"), same("amount", "amount"),
			account("source_wallet", "sourceWallet"), account("jetton_master", "jettonAccount"), same("forward_ton_amount", "forwardAmount"),
			same("forward_payload", "forwardPayload"), same("decoded_forward_payload", "decodedForwardPayload")),
			nil, map[string]string{"jetton": related, "transaction": related, "trace": related}},
		{"JettonBurn", order(account("owner", "owner"), account("jetton_wallet", "jettonWallet"), account("jetton_master", "jettonAccount"),
			same("amount", "amount")), nil, map[string]string{"jetton": related, "transaction": related, "trace": related}},
		{"NFTCollection", state("lastTxLt", account("address", "account"), account("owner_address", "owner"), same("next_item_index", "nextItemIndex"),
			same("collection_content", "content")), nil, with(map[string]string{"counts": extension, "itemCount": extension, "reputation": extension})},
		{"NFTItem", state("lastTxLt", account("address", "account"), same("init", "init"), same("index", "index"),
			account("collection_address", "collectionAccount"), account("owner_address", "owner"), same("content", "content"),
			inside("collection", "collection", "NFTCollection"), inForm("on_sale", sale, isSet),
			inForm("sale_contract_address", sale, saleOf("FIXED_PRICE")), inForm("auction_contract_address", sale, saleOf("AUCTION")),
			account("real_owner", "seller")),
			nil, with(map[string]string{"domain": "is in the content, too", "sbt": details, "dns": related, "reputation": extension})},
		{"NFTTransfer", order(account("nft_address", "itemAccount"), none("nft_collection", "collectionAccount"), account("old_owner", "oldOwner"),
			none("new_owner", "newOwner"), same("forward_amount", "forwardAmount"), same("forward_payload", "forwardPayload"),
			same("decoded_forward_payload", "decodedForwardPayload")),
			nil, map[string]string{"item": related, "transaction": related, "trace": related}},
		{"NFTSale", state("lastTxLt", account("address", "account"), inForm("type", "kind", func(v any) any {
			return map[any]any{"FIXED_PRICE": "getgems_sale", "AUCTION": "getgems_auction", "TELEMINT": "telemint"}[v]
		}), account("nft_address", "itemAccount"), account("nft_owner_address", "seller"), account("marketplace_address", "marketplace"),
			same("created_at", "createdAt"), inside("nft_item", "item", "NFTItem"), inside("details", "fixedPrice", "NFTFixedPrice"),
			inside("details", "auction", "NFTAuction"), inside("details", "telemint", "TelemintAuction")),
			nil, map[string]string{"state": details, "known": details}},
		{"NFTFixedPrice", []member{
			same("is_complete", "isComplete"), same("full_price", "fullPrice"), same("marketplace_fee_address", "marketplaceFeeAddress"),
			same("marketplace_fee", "marketplaceFee"), same("royalty_address", "royaltyAddress"), same("royalty_amount", "royaltyAmount"),
		}, nil, nil},
		{"NFTAuction", []member{
			same("end_flag", "end"), same("end_time", "endTime"), same("last_bid", "lastBid"), same("last_member", "lastMember"),
			same("min_step", "minStep"), same("mp_fee_address", "mpFeeAddress"), same("mp_fee_factor", "mpFeeFactor"), same("mp_fee_base", "mpFeeBase"),
			same("royalty_fee_address", "royaltyFeeAddress"), same("royalty_fee_factor", "royaltyFeeFactor"), same("royalty_fee_base", "royaltyFeeBase"),
			same("max_bid", "maxBid"), same("min_bid", "minBid"), same("last_bid_at", "lastBidAt"), same("is_canceled", "isCanceled"),
		}, nil, nil},
		{"TelemintAuction", []member{
			same("token_name", "tokenName"), same("bidder_address", "bidder"), same("bid", "bid"), same("bid_ts", "bidTs"), same("min_bid", "minBid"),
			same("end_time", "endTime"), same("beneficiary_address", "beneficiary"), same("initial_min_bid", "initialMinBid"), same("max_bid", "maxBid"),
			same("min_bid_step", "minBidStep"), same("min_extend_time", "minExtendTime"), same("duration", "duration"),
			same("royalty_numerator", "royaltyNumerator"), same("royalty_denominator", "royaltyDenominator"), same("royalty_destination", "royaltyDestination"),
		}, nil, nil},
		{"DNSRecord", []member{
			account("nft_item_address", "account"), account("nft_item_owner", "owner"), same("domain", "domain"), account("dns_next_resolver", "nextResolver"),
			account("dns_wallet", "wallet"), inForm("dns_site_adnl", "siteAdnl", upperHex), inForm("dns_storage_bag_id", "storageBag", upperHex),
		}, nil, with(map[string]string{
			"item": related, "auction": "is compared as a list of its own", "text": details, "renewedAt": details, "expiresAt": details, "expired": details, "lastTxLt": details,
		})},
		{"DNSAuction", []member{
			same("domain", "domain"), account("max_bid_address", "bidder"), same("max_bid_amount", "bid"), inForm("auction_end_time", "endsAt", unixText),
			inForm("last_fill_up_time", "renewedAt", unixText), same("finished", "ended"),
		}, map[string]string{"nft_item_address": "of the item, which GraphQL has where it is one"}, map[string]string{"item": related}},
		{"Multisig", state("lastTxLt", account("address", "account"), same("next_order_seqno", "nextOrderSeqno"), same("threshold", "threshold"),
			same("signers", "signers.address"), same("proposers", "proposers.address")),
			map[string]string{"orders": "are compared as a list of their own"}, with(nil)},
		{"MultisigOrder", state("lastTxLt", account("address", "account"), account("multisig_address", "multisigAccount"), same("order_seqno", "seqno"),
			same("threshold", "threshold"), same("sent_for_execution", "sentForExecution"), same("approvals_mask", "approvalsMask"),
			same("approvals_num", "approvalsNum"), same("expiration_date", "expiration"), same("order_boc", "order"), same("signers", "signers.address"),
			inside("actions", "actions", "OrderAction")), nil, with(map[string]string{"multisig": related, "state": extension})},
		{"OrderAction", []member{
			account("destination", "destination"), same("value", "value"), same("send_mode", "sendMode"), same("body_raw", "body"), same("parsed", "parsed"),
			inForm("error", "error", emptyIsNull), same("parsed_body_type", "bodyType"), same("parsed_body", "decodedBody"),
		}, nil, nil},
		{"Vesting", []member{
			account("address", "account"), same("start_time", "startTime"), same("total_duration", "totalDuration"), same("unlock_period", "unlockPeriod"),
			same("cliff_duration", "cliffDuration"), same("total_amount", "totalAmount"), account("sender_address", "sender"),
			account("owner_address", "owner"), same("whitelist", "whitelist.address"),
		}, nil, with(map[string]string{"progress": extension, "codeHash": details, "dataHash": details, "lastTxLt": details})},
		{"Account", []member{
			same("address", "address"), same("account_state_hash", "state.hash"), same("balance", "state.balance"),
			inForm("status", "state.status", lower), same("last_transaction_lt", "state.lt"), same("frozen_hash", "state.frozenHash"),
			same("data_hash", "state.dataHash"), same("code_hash", "state.codeHash"), same("data_boc", "state.data"), same("code_boc", "state.code"),
			same("contract_methods", "getMethods.id"), same("interfaces", "interfaces"), same("last_transaction_hash", "state.txHash"),
			inForm("extra_currencies", "state { extraCurrencies { id amount } }", func(v any) any {
				amounts := map[string]any{}
				s, _ := v.(map[string]any)
				list, _ := s["extraCurrencies"].([]any)
				for _, one := range list {
					amounts[fmt.Sprint(valuesAt(one, "id")...)] = firstOf(valuesAt(one, "amount"))
				}
				return amounts
			}),
		}, nil, nil},
		{"WalletState", []member{
			same("address", "address"), same("seqno", "wallet.seqno"), same("wallet_id", "wallet.walletId"),
			same("is_signature_allowed", "wallet.isSignatureAllowed"), same("balance", "state.balance"), inForm("status", "state.status", lower),
			same("code_hash", "state.codeHash"), same("last_transaction_hash", "state.txHash"), same("last_transaction_lt", "state.lt"),
		}, map[string]string{
			"is_wallet": "is true of fewer codes", "wallet_type": "GraphQL has the name of the interface", "extra_currencies": "as in accountStates",
		}, nil},
		{"AddressBookRow", []member{same("user_friendly", "friendly"), same("domain", "domain"), same("interfaces", "interfaces")}, nil, nil},
	}
}

// firstOf returns the first of the values, or null.
func firstOf(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// valuesAt returns the values at a path of members, with those of each element of lists; null is no value.
func valuesAt(tree any, path string) (found []any) {
	switch v := tree.(type) {
	case []any:
		for _, element := range v {
			found = append(found, valuesAt(element, path)...)
		}
	case map[string]any:
		if path == "" {
			return []any{v}
		}
		name, rest, _ := strings.Cut(path, ".")
		return valuesAt(v[name], rest)
	case nil:
	default:
		return []any{v}
	}
	return found
}

// comparison compares the objects of both APIs.
type comparison struct {
	*generator

	accounts []string // with transactions
	types    map[string]*alike
	rows     map[string]int // compared, by type
	set      map[string]bool
}

// Every object of contracts has the same members in /api/v3 and in GraphQL, whose lists have the same order.
//
//nolint:tparallel // after the group that waits for its subtests, the test checks what they have compared
func TestContracts_AreTheSameInV3AndGraphQL(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	mu := make(chan map[string]bool, 1)
	mu <- map[string]bool{}
	t.Run("sets", func(t *testing.T) {
		hostile := func(testing.TB) []*chain.MasterBlock { return storetest.NewContracts().Blocks }
		for _, s := range append(sets(), set{name: "hostile", network: "testnet", blocks: hostile}, set{name: "odd", network: "testnet", blocks: oddContracts}) {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				blocks := s.blocks(t)
				h := newService(t, recordedtest.Index(t, blocks), s.network)
				c := &comparison{generator: newGenerator(t, h, s), types: map[string]*alike{}, rows: map[string]int{}, set: map[string]bool{}}
				list := alikes()
				for i := range list {
					c.types[list[i].name] = &list[i]
					c.requireComplete(&list[i])
				}
				for _, mb := range blocks {
					for i := range mb.Transactions {
						c.accounts = append(c.accounts, mb.Transactions[i].Account.String())
					}
				}
				slices.Sort(c.accounts)
				c.accounts = slices.Compact(c.accounts)
				c.lists()
				t.Log(c.rows)
				all := <-mu
				maps.Copy(all, c.set)
				mu <- all
			})
		}
	})
	all := <-mu
	var never []string
	for _, a := range alikes() {
		for _, m := range a.members {
			if name := a.name + "." + m.v3; !all[name] {
				never = append(never, name)
			}
		}
	}
	slices.Sort(never)
	require.Empty(t, slices.Compact(never), "no row has a value")
}

// requireComplete checks that each field of a type is compared, or has a reason. Account has its fields in other objects.
func (c *comparison) requireComplete(a *alike) {
	c.t.Helper()
	if schema.Types[a.name] == nil || a.name == "Account" {
		return
	}
	compared := map[string]bool{}
	for _, m := range a.members {
		compared[strings.FieldsFunc(m.path, func(r rune) bool { return r == '.' || r == ' ' })[0]] = true
	}
	var left []string
	for _, f := range schema.Types[a.name].Fields {
		_, connection := documents{c.generator}.node(schema.Types[f.Type.Name()])
		if !connection && !compared[f.Name] && a.graphQL[f.Name] == "" && !strings.HasPrefix(f.Name, "__") {
			left = append(left, f.Name)
		}
	}
	require.Empty(c.t, left, "fields of %s that are not compared", a.name)
}

// selection returns the fields of a type that are compared.
func (c *comparison) selection(name string) string {
	var list []string
	for _, m := range c.types[name].members {
		switch {
		case m.of != "":
			list = append(list, m.path+" { "+c.selection(m.of)+" }")
		default:
			parts := strings.Split(m.path, ".")
			list = append(list, strings.Join(parts, " { ")+strings.Repeat(" }", len(parts)-1))
		}
	}
	return strings.Join(list, " ")
}

// lists compares all lists of contracts.
func (c *comparison) lists() {
	c.t.Helper()
	all := func(path, key, field, name string) {
		c.list(path, key, url.Values{"limit": {"1000"}}, field, "", name)
	}
	all("/jetton/masters", "jetton_masters", "jettonMasters", "JettonMaster")
	all("/jetton/wallets", "jetton_wallets", "jettonWallets", "JettonWallet")
	all("/jetton/transfers", "jetton_transfers", "jettonTransfers", "JettonTransfer")
	all("/jetton/burns", "jetton_burns", "jettonBurns", "JettonBurn")
	all("/nft/collections", "nft_collections", "nftCollections", "NFTCollection")
	all("/nft/items", "nft_items", "nftItems", "NFTItem")
	all("/nft/transfers", "nft_transfers", "nftTransfers", "NFTTransfer")
	for _, pool := range [][3]string{
		{"wallets", "/jetton/wallets", "jetton_wallets"}, {"items", "/nft/items", "nft_items"}, {"transfers", "/jetton/transfers", "jetton_transfers"},
		{"moves", "/nft/transfers", "nft_transfers"},
	} {
		c.pools[pool[0]] = c.read(pool[1], pool[2], url.Values{"limit": {"1000"}})
	}
	c.filtered()
	wallets := slices.Concat(c.accounts, c.values("wallets", "owner"), c.values("items", "owner_address"))
	slices.Sort(wallets)
	for _, a := range slices.Compact(wallets) {
		c.list("/dns/records", "records", url.Values{"wallet": {a}}, "dnsRecords", `where: {wallet: "`+a+`"}`, "DNSRecord")
		c.list("/dns/activeAuctions", "auctions", url.Values{"bidder": {a}, "limit": {"2"}}, "dnsAuctions", `where: {bidder: "`+a+`"}`, "DNSAuction")
		c.list("/dns/activeAuctions", "auctions", url.Values{"bidder": {a}, "state": {"won"}}, "dnsAuctions", `where: {bidder: "`+a+`", ended: true}`, "DNSAuction")
	}
	const atOnce = 50
	for part := range slices.Chunk(c.accounts, atOnce) {
		listed := `["` + strings.Join(part, `", "`) + `"]`
		c.list("/nft/sales", "nft_sales", url.Values{"address": part}, "nftSales", "where: {addresses: "+listed+"}", "NFTSale")
		c.list("/multisig/wallets", "multisigs", url.Values{"address": part, "sort": {"asc"}}, "multisigs", "where: {addresses: "+listed+"}", "Multisig")
		c.list("/multisig/orders", "orders", url.Values{"address": part, "parse_actions": {"true"}, "limit": {"1000"}},
			"multisigOrders", "where: {addresses: "+listed+"}", "MultisigOrder")
		c.list("/vesting", "vesting_contracts", url.Values{"contract_address": part}, "vestings", "where: {contracts: "+listed+"}", "Vesting")
		c.states(part, listed)
	}
}

// filtered compares lists with filters.
func (c *comparison) filtered() {
	c.t.Helper()
	const values = 6
	each := func(pool, path string, compare func(quoted, value string)) {
		for _, v := range spread(c.values(pool, path), values) {
			compare(fmt.Sprintf("%q", v), v)
		}
	}
	wallets := func(where string, q url.Values) {
		c.list("/jetton/wallets", "jetton_wallets", q, "jettonWallets", where, "JettonWallet")
	}
	each("wallets", "owner", func(quoted, owner string) {
		wallets("where: {owners: ["+quoted+"]}", url.Values{"owner_address": {owner}})
		wallets("where: {owners: ["+quoted+"], excludeZero: true}", url.Values{"owner_address": {owner}, "exclude_zero_balance": {"true"}})
		wallets("where: {owners: ["+quoted+"], byBalance: true}, sort: DESC", url.Values{"owner_address": {owner}, "sort": {"desc"}})
		c.list("/jetton/transfers", "jetton_transfers", url.Values{"owner_address": {owner}}, "jettonTransfers", "where: {owners: ["+quoted+"]}", "JettonTransfer")
		c.list("/jetton/transfers", "jetton_transfers", url.Values{"owner_address": {owner}, "direction": {"in"}, "sort": {"asc"}},
			"jettonTransfers", "where: {owners: ["+quoted+"], direction: IN}, sort: ASC", "JettonTransfer")
		c.list("/jetton/burns", "jetton_burns", url.Values{"address": {owner}}, "jettonBurns", "where: {owners: ["+quoted+"]}", "JettonBurn")
		c.list("/multisig/wallets", "multisigs", url.Values{"wallet_address": {owner}, "sort": {"asc"}}, "multisigs", "where: {members: ["+quoted+"]}", "Multisig")
		for _, whitelist := range []string{"true", "false"} {
			c.list("/vesting", "vesting_contracts", url.Values{"wallet_address": {owner}, "check_whitelist": {whitelist}},
				"vestings", "where: {wallets: ["+quoted+"], checkWhitelist: "+whitelist+"}", "Vesting")
		}
	})
	each("wallets", "jetton", func(quoted, jetton string) {
		wallets("where: {jettons: ["+quoted+"]}", url.Values{"jetton_address": {jetton}})
		wallets("where: {jettons: ["+quoted+"], byBalance: true}, sort: ASC", url.Values{"jetton_address": {jetton}, "sort": {"asc"}})
		c.list("/jetton/transfers", "jetton_transfers", url.Values{"jetton_master": {jetton}}, "jettonTransfers", "where: {jetton: "+quoted+"}", "JettonTransfer")
	})
	items := func(where string, q url.Values) { c.list("/nft/items", "nft_items", q, "nftItems", where, "NFTItem") }
	each("items", "owner_address|real_owner", func(quoted, owner string) {
		items("where: {owners: ["+quoted+"]}", url.Values{"owner_address": {owner}})
		items("where: {owners: ["+quoted+"], onSale: true}", url.Values{"owner_address": {owner}, "include_on_sale": {"true"}})
		items("where: {owners: ["+quoted+"], byLastTxLt: true}", url.Values{"owner_address": {owner}, "sort_by_last_transaction_lt": {"true"}})
		c.list("/nft/transfers", "nft_transfers", url.Values{"owner_address": {owner}, "direction": {"out"}},
			"nftTransfers", "where: {owners: ["+quoted+"], direction: OUT}", "NFTTransfer")
		c.list("/nft/collections", "nft_collections", url.Values{"owner_address": {owner}}, "nftCollections", "where: {owners: ["+quoted+"]}", "NFTCollection")
	})
	each("items", "collection_address", func(quoted, collection string) {
		items("where: {collections: ["+quoted+"]}", url.Values{"collection_address": {collection}})
		for _, index := range spread(c.values("items", "index"), values) {
			items("where: {collections: ["+quoted+"], indexes: [\""+index+"\"]}", url.Values{"collection_address": {collection}, "index": {index}})
		}
		c.list("/nft/transfers", "nft_transfers", url.Values{"collection_address": {collection}}, "nftTransfers", "where: {collection: "+quoted+"}", "NFTTransfer")
	})
}

// states compares states of accounts.
func (c *comparison) states(part []string, listed string) {
	c.t.Helper()
	rows := c.decode(&exchange{Method: http.MethodGet, Target: target(prefix3+"/accountStates", url.Values{"address": part})}, "accounts")
	data := c.graph(`{ accounts(addresses: ` + listed + `) { ` + c.selection("Account") + ` } }`)
	nodes, _ := data["accounts"].([]any)
	nodes = slices.DeleteFunc(nodes, func(n any) bool { return len(valuesAt(n, "state.hash")) == 0 })
	byAddress := func(path string) func(a, b any) int {
		return func(a, b any) int {
			return strings.Compare(fmt.Sprint(valuesAt(a, path)...), fmt.Sprint(valuesAt(b, path)...))
		}
	}
	slices.SortFunc(nodes, byAddress("address"))
	slices.SortFunc(rows, byAddress("address"))
	c.rowsOf("Account", rows, nodes)
	c.names(part, listed)
	wallets := c.decode(&exchange{Method: http.MethodGet, Target: target(prefix3+"/walletStates", url.Values{"address": part})}, "wallets")
	for _, row := range wallets {
		wallet, _ := row.(map[string]any)
		data := c.graph(fmt.Sprintf(`{ account(address: %q) { %s } }`, wallet["address"], c.selection("WalletState")))
		node, _ := data["account"].(map[string]any)
		if wallet["is_wallet"] == true {
			c.requireSame("WalletState", wallet, node)
		}
	}
}

// names compares the address book.
func (c *comparison) names(part []string, listed string) {
	c.t.Helper()
	data := c.graph(`{ accounts(addresses: ` + listed + `) { address ` + c.selection("AddressBookRow") + ` } }`)
	named := c.body(&exchange{Method: http.MethodGet, Target: target(prefix3+"/addressBook", url.Values{"address": part})})
	for _, one := range valuesAt(data, "accounts") {
		node, _ := one.(map[string]any)
		row, _ := named[fmt.Sprint(node["address"])].(map[string]any)
		c.requireSame("AddressBookRow", row, node)
	}
}

// list compares a list of both APIs, row by row.
func (c *comparison) list(path, key string, query url.Values, field, args, name string) {
	c.t.Helper()
	var rows, nodes []any
	for more := true; more; {
		e := exchange{Method: http.MethodGet, Target: target(prefix3+path, query)}
		rows = append(rows, c.decode(&e, key)...)
		more = e.Next != ""
		query.Set("cursor", e.Next)
	}
	for after := ""; ; {
		data := c.graph(fmt.Sprintf("{ %s(%s) { nodes { %s } pageInfo { hasNextPage endCursor } } }", field,
			strings.TrimPrefix(args+", first: 20"+after, ", "), c.selection(name)))
		nodes = append(nodes, valuesAt(data, field+".nodes")...)
		if firstOf(valuesAt(data, field+".pageInfo.hasNextPage")) != true {
			break
		}
		after = fmt.Sprintf(", after: %q", firstOf(valuesAt(data, field+".pageInfo.endCursor")))
	}
	c.rowsOf(name, rows, nodes)
}

// body sends a request and returns the response.
func (c *comparison) body(e *exchange) (body map[string]any) {
	c.t.Helper()
	e.send(c.t.Context(), c.handler)
	require.Equal(c.t, http.StatusOK, e.Status, "%s: %s", e.Target, e.Response)
	d := json.NewDecoder(strings.NewReader(e.Response))
	d.UseNumber()
	require.NoError(c.t, d.Decode(&body))
	return body
}

// decode sends a request and returns the rows of the response.
func (c *comparison) decode(e *exchange, key string) []any {
	c.t.Helper()
	list, _ := c.body(e)[key].([]any)
	return list
}

// graph sends a document and returns the data.
func (c *comparison) graph(text string) map[string]any {
	c.t.Helper()
	body, err := json.Marshal(map[string]string{"query": text})
	require.NoError(c.t, err)
	response := c.body(&exchange{Method: http.MethodPost, Target: "/graphql", Body: string(body)})
	require.NotContains(c.t, response, "errors", text)
	data, _ := response["data"].(map[string]any)
	return data
}

// rowsOf compares rows with nodes.
func (c *comparison) rowsOf(name string, rows, nodes []any) {
	c.t.Helper()
	require.Len(c.t, nodes, len(rows), name)
	for i := range rows {
		row, _ := rows[i].(map[string]any)
		node, _ := nodes[i].(map[string]any)
		c.requireSame(name, row, node)
	}
}

// requireSame compares an object of /api/v3 with one of GraphQL.
func (c *comparison) requireSame(name string, row, node map[string]any) {
	c.t.Helper()
	a := c.types[name]
	c.rows[name]++
	allowed := map[string]bool{}
	for key := range a.v3 {
		allowed[key] = true
	}
	for _, m := range a.members {
		allowed[m.v3] = true
		if row[m.v3] != nil {
			c.set[name+"."+m.v3] = true
		}
		if m.of != "" {
			c.requireInside(a, m, row, node)
			continue
		}
		want, got := printed(row[m.v3]), printed(m.value(node, row[m.v3]))
		require.Equal(c.t, want, got, "%s: %s of %v is %s of %v", name, m.v3, row, m.path, node)
	}
	for key := range row {
		require.True(c.t, allowed[key], "%s: %s is not compared", name, key)
	}
}

// value returns the value of the field in the form of the member.
func (m member) value(node map[string]any, like any) any {
	var got any
	if before, _, ok := strings.Cut(m.path, " "); ok {
		got = node[before]
	} else {
		parts := strings.Split(m.path, ".")
		var at any = node
		if len(parts) > 1 {
			at = node[parts[0]]
		}
		found := valuesAt(node, m.path)
		_, isList := like.([]any)
		_, isObject := like.(map[string]any)
		switch {
		case isObject:
			got = node[m.path]
		case isList:
			got = append([]any{}, found...)
		default:
			if list, ok := at.([]any); ok && len(list) == 0 && len(parts) > 1 {
				break
			}
			got = firstOf(found)
		}
	}
	if m.form != nil {
		return m.form(got)
	}
	return got
}

// requireInside compares the object, or the objects, inside another. An object of several kinds is one of the fields.
func (c *comparison) requireInside(a *alike, m member, row, node map[string]any) {
	c.t.Helper()
	inner := node[m.path]
	if list, ok := row[m.v3].([]any); ok {
		nodes, _ := inner.([]any)
		c.rowsOf(m.of, list, nodes)
		return
	}
	if inner == nil {
		others := 0
		for _, other := range a.members {
			if other.v3 == m.v3 && node[other.path] != nil {
				others++
			}
		}
		require.True(c.t, row[m.v3] == nil || others == 1, "%s: %s of %v is null in %v", a.name, m.v3, row, node)
		return
	}
	one, _ := row[m.v3].(map[string]any)
	other, _ := inner.(map[string]any)
	require.NotNil(c.t, one, "%s: %s of %v", a.name, m.v3, node)
	c.requireSame(m.of, one, other)
}

// printed returns a value as text: numbers and texts of the same digits are equal, and so are absent members, null and empty lists.
func printed(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case json.Number:
		return v.String()
	case string:
		return withoutCRC(v)
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
}

// withoutCRC returns a bag of cells in base64 in the form without a checksum, which the APIs add to some; any other text stays.
func withoutCRC(text string) string {
	const flagAt, crcFlag, crcSize = 4, 0x40, 4
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !bytes.HasPrefix(b, []byte{0xb5, 0xee, 0x9c, 0x72}) || len(b) < 2*flagAt+crcSize || b[flagAt]&crcFlag == 0 {
		return text
	}
	b[flagAt] ^= crcFlag
	return base64.StdEncoding.EncodeToString(b[:len(b)-crcSize])
}
