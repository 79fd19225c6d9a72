package recordedtest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// generator makes requests out of the values in responses. It sends each request once.
type generator struct {
	t         *testing.T
	handler   http.Handler
	width     int
	deep      bool
	rng       *rand.Rand
	sent      map[string]bool
	exchanges []exchange
	pools     map[string][]any
	prefix    string // of the API whose routes are sent
	described []described
}

func newGenerator(t *testing.T, h http.Handler, s set) *generator {
	t.Helper()
	return &generator{t: t, handler: h, width: s.width, deep: s.deep, rng: rand.New(rand.NewPCG(5, 6)), sent: map[string]bool{}, pools: map[string][]any{}, prefix: prefix3}
}

// add sends a request and records it.
func (g *generator) add(e exchange) exchange {
	e.send(g.t.Context(), g.handler)
	if !g.sent[e.request()] {
		g.sent[e.request()] = true
		g.exchanges = append(g.exchanges, e)
	}
	return e
}

const prefix3 = "/api/v3"

func (g *generator) get(path string, query url.Values) exchange {
	return g.add(exchange{Method: http.MethodGet, Target: target(g.prefix+path, query)})
}

func target(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// read returns the rows of a list without recording the request.
func (g *generator) read(path, member string, query url.Values) (rows []any) {
	g.t.Helper()
	e := exchange{Method: http.MethodGet, Target: target(prefix3+path, query)}
	e.send(g.t.Context(), g.handler)
	var body map[string]any
	require.NoError(g.t, json.Unmarshal([]byte(e.Response), &body), "%s", e.Response)
	require.Equal(g.t, http.StatusOK, e.Status, "%s: %s", e.Target, e.Response)
	rows, _ = body[member].([]any)
	return rows
}

// fill reads the rows that values are taken from.
func (g *generator) fill() {
	g.t.Helper()
	list := func(name, path, member, query string) {
		q, err := url.ParseQuery(query)
		require.NoError(g.t, err)
		g.pools[name] = g.read(path, member, q)
	}
	list("blocks", "/blocks", "blocks", "limit=400")
	list("transactions", "/transactions", "transactions", "limit=1000")
	list("messages", "/messages", "messages", "limit=1000")
	list("traces", "/traces", "traces", "limit=300")
	list("actions", "/actions", "actions", "limit=1000&include_accounts=true&include_transactions=true")
	list("masters", "/jetton/masters", "jetton_masters", "limit=300")
	list("wallets", "/jetton/wallets", "jetton_wallets", "limit=1000")
	list("transfers", "/jetton/transfers", "jetton_transfers", "limit=1000")
	list("burns", "/jetton/burns", "jetton_burns", "limit=1000")
	list("collections", "/nft/collections", "nft_collections", "limit=300")
	list("items", "/nft/items", "nft_items", "limit=1000")
	list("moves", "/nft/transfers", "nft_transfers", "limit=1000")
	accounts := g.values("transactions", "account")
	const atOnce = 100
	for part := range slices.Chunk(accounts, atOnce) {
		g.pools["states"] = append(g.pools["states"], g.read("/accountStates", "accounts", url.Values{"address": part})...)
		g.pools["sales"] = append(g.pools["sales"], g.read("/nft/sales", "nft_sales", url.Values{"address": part})...)
		g.pools["multisigs"] = append(g.pools["multisigs"], g.read("/multisig/wallets", "multisigs", url.Values{"address": part})...)
		g.pools["vestings"] = append(g.pools["vestings"], g.read("/vesting", "vesting_contracts", url.Values{"contract_address": part})...)
		for _, a := range part {
			g.pools["records"] = append(g.pools["records"], g.read("/dns/records", "records", url.Values{"wallet": {a}})...)
			g.pools["auctions"] = append(g.pools["auctions"], g.read("/dns/activeAuctions", "auctions", url.Values{"bidder": {a}})...)
		}
	}
	for _, m := range g.values("multisigs", "address") {
		g.pools["orders"] = append(g.pools["orders"], g.read("/multisig/orders", "orders", url.Values{"multisig_address": {m}})...)
	}
}

// values returns the different values at a path of the rows of a pool, in their order.
func (g *generator) values(pool, path string) (list []string) {
	seen := map[string]bool{}
	for _, row := range g.pools[pool] {
		for _, v := range at(row, path) {
			if !seen[v] {
				seen[v] = true
				list = append(list, v)
			}
		}
	}
	return list
}

// at returns the values at a path as texts: members by name, * for all members of an object, | for one of several paths; lists are
// flattened.
func at(tree any, path string) (found []string) {
	if strings.Contains(path, "|") {
		for one := range strings.SplitSeq(path, "|") {
			found = append(found, at(tree, one)...)
		}
		return found
	}
	switch v := tree.(type) {
	case []any:
		for _, element := range v {
			found = append(found, at(element, path)...)
		}
	case map[string]any:
		name, rest, _ := strings.Cut(path, ".")
		if name == "*" {
			keys := make([]string, 0, len(v))
			for key := range v {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				found = append(found, at(v[key], rest)...)
			}
		} else if path != "" {
			found = at(v[name], rest)
		}
	case string:
		found = []string{v}
	case float64:
		found = []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case bool:
		found = []string{strconv.FormatBool(v)}
	}
	return found
}

// spread returns up to n values, from the first to the last.
func spread(list []string, n int) (some []string) {
	if len(list) <= n {
		return list
	}
	if n == 1 {
		return list[len(list)/2 : len(list)/2+1]
	}
	for i := range n {
		some = append(some, list[i*(len(list)-1)/(n-1)])
	}
	return some
}

// route is a list and where the values of its parameters are.
type route struct {
	path, pool string
	params     string // name=path of the pool's rows, or name=pool:path
	always     string // the parameters that each request has
}

const ranges = " start_lt=%[2]s end_lt=%[2]s start_utime=%[1]s end_utime=%[1]s"

func ranged(utime, lt string) string { return fmt.Sprintf(ranges, utime, lt) }

func routes3() []route {
	traces := "account=transactions.*.account trace_id=trace_id tx_hash=transactions_order msg_hash=transactions.*.in_msg.hash|transactions.*.out_msgs.hash " +
		"mc_seqno=mc_seqno_end supported_action_types=actions:type" + ranged("end_utime", "end_lt")
	return []route{
		{"/masterchainInfo", "blocks", "", ""},
		{"/blocks", "blocks", "workchain=workchain shard=shard seqno=seqno root_hash=root_hash file_hash=file_hash mc_seqno=masterchain_block_ref.seqno" +
			ranged("gen_utime", "start_lt"), ""},
		{"/masterchainBlockShardState", "blocks", "seqno=masterchain_block_ref.seqno", "seqno"},
		{"/masterchainBlockShards", "blocks", "seqno=masterchain_block_ref.seqno", "seqno"},
		{"/transactions", "transactions", "workchain=block_ref.workchain shard=block_ref.shard seqno=block_ref.seqno mc_seqno=mc_block_seqno account=account " +
			"exclude_account=account hash=hash lt=lt msg_hash=in_msg.hash|out_msgs.hash body_hash=in_msg.message_content.hash opcode=in_msg.opcode " +
			"source=in_msg.source destination=in_msg.destination" + ranged("now", "lt"), ""},
		{"/transactionsByMasterchainBlock", "transactions", "seqno=mc_block_seqno", "seqno"},
		{"/transactionsByMessage", "messages", "msg_hash=hash body_hash=message_content.hash opcode=opcode source=source destination=destination", "msg_hash"},
		{"/adjacentTransactions", "transactions", "hash=hash", "hash"},
		{"/messages", "messages", "msg_hash=hash|hash_norm hash=hash body_hash=message_content.hash source=source|none destination=destination opcode=opcode" +
			ranged("created_at", "created_lt"), ""},
		{"/traces", "traces", traces, ""},
		{"/events", "traces", traces, ""},
		{"/actions", "actions", "account=accounts tx_hash=transactions msg_hash=transactions_full.in_msg.hash|transactions_full.out_msgs.hash action_id=action_id " +
			"trace_id=trace_id mc_seqno=trace_mc_seqno_end action_type=type exclude_action_type=type supported_action_types=type" +
			ranged("trace_end_utime", "trace_end_lt"), ""},
		{"/balanceChanges", "actions", "trace_id=trace_id action_id=action_id", "trace_id"},
		{"/accountStates", "states", "address=address code_hash=code_hash", "address"},
		{"/walletStates", "states", "address=address", "address"},
		{"/topAccountsByBalance", "states", "", ""},
		{"/addressBook", "states", "address=address", "address"},
		{"/metadata", "states", "address=address|masters:address", "address"},
		{"/jetton/masters", "masters", "address=address admin_address=admin_address", ""},
		{"/jetton/wallets", "wallets", "address=address owner_address=owner jetton_address=jetton", ""},
		{"/jetton/transfers", "transfers", "owner_address=source|destination address=destination jetton_wallet=source_wallet jetton_master=jetton_master" +
			ranged("transaction_now", "transaction_lt"), ""},
		{"/jetton/burns", "burns", "owner_address=owner address=owner jetton_wallet=jetton_wallet jetton_master=jetton_master" +
			ranged("transaction_now", "transaction_lt"), ""},
		{"/nft/collections", "collections", "collection_address=address owner_address=owner_address", ""},
		{"/nft/items", "items", "address=address owner_address=owner_address|real_owner collection_address=collection_address index=index", ""},
		{"/nft/transfers", "moves", "owner_address=old_owner|new_owner address=new_owner item_address=nft_address collection_address=nft_collection" +
			ranged("transaction_now", "transaction_lt"), ""},
		{"/nft/sales", "sales", "address=address", "address"},
		{"/dns/records", "records", "wallet=dns_wallet domain=domain", "wallet"},
		{"/dns/activeAuctions", "auctions", "bidder=max_bid_address|states:address", "bidder"},
		{"/multisig/wallets", "multisigs", "address=address wallet_address=signers|proposers", "address"},
		{"/multisig/orders", "orders", "address=address multisig_address=multisig_address", "multisig_address"},
		{"/staking/nominatorPools/pool", "states", "pool=address", "pool"},
		{"/staking/nominatorPools/nominator", "states", "nominator=address", "nominator"},
		{"/staking/nominatorPools/nominatorEvents", "transactions", "pool=account nominator=account start_utime=now end_utime=now", "pool"},
		{"/staking/nominatorPools/nominatorRewards", "transactions", "nominator=account pool=account start_utime=now end_utime=now", "nominator pool"},
		{"/staking/nominatorPools/validatorEvents", "transactions", "validator=account pool=account start_utime=now end_utime=now", "pool"},
		{"/staking/nominatorPools/validatorRewards", "transactions", "validator=account pool=account start_utime=now end_utime=now", "validator pool"},
		{"/validators/cycles", "blocks", "stake_holder_address=states:address start_utime=gen_utime end_utime=gen_utime", ""},
		{"/validators/elections", "blocks", "stake_holder_address=states:address start_utime=gen_utime end_utime=gen_utime", ""},
		{"/validators/events", "transactions", "stake_holder_address=account start_utime=now end_utime=now", ""},
		{"/validators/complaints", "blocks", "stake_holder_address=states:address start_utime=gen_utime end_utime=gen_utime", ""},
		{"/vesting", "vestings", "contract_address=address wallet_address=owner_address|whitelist", "contract_address"},
		{"/pendingTransactions", "transactions", "account=account trace_id=trace_id", "account"},
		{"/pendingTraces", "messages", "account=destination ext_msg_hash=hash supported_action_types=actions:type", "account"},
		{"/pendingActions", "messages", "account=destination ext_msg_hash=hash supported_action_types=actions:type", "account"},
		{"/decode", "messages", "opcodes=opcode bodies=message_content.body", ""},
		{"/addressInformation", "states", "address=address", "address"},
		{"/account", "states", "address=address", "address"},
		{"/walletInformation", "states", "address=address", "address"},
		{"/wallet", "states", "address=address", "address"},
	}
}

// fixed are the values of parameters that no row has.
var fixed = map[string][]string{
	"sort": {"asc", "desc", "A", "up"}, "limit": {"1", "3", "0", "-1", "1000", "1001", "ten"}, "offset": {"0", "1", "7", "-1", "100000", "100001", "ten"},
	"cursor": {"x", ""}, "direction": {"in", "out", "both", "sideways"}, "include_actions": {"true", "false", "x"}, "include_accounts": {"true", "x"},
	"include_transactions": {"true", "x"}, "include_boc": {"true", "false"}, "include_orders": {"true", "false"}, "parse_actions": {"true", "false"},
	"exclude_externals": {"true", "false"}, "only_externals": {"true", "false"}, "exclude_zero_balance": {"true", "false"},
	"include_on_sale": {"true", "false"}, "sort_by_last_transaction_lt": {"true", "false"}, "check_whitelist": {"true", "false"},
	"type": {"reward", "deposit", "stake_accepted", "recover_requested", "lost"}, "return_validators": {"true", "x"}, "return_participants": {"true", "x"},
	"finished": {"true", "false", "x"}, "cycle_start": {"1573818000", "1", "x"}, "election_id": {"1573818000", "1", "x"},
	"adnl_address": {strings.Repeat("A", 43) + "=", "x"}, "validator_pubkey": {strings.Repeat("0", 64), "x"},
	"state": {"all", "won", "bidding", "lost"}, "include_nft_items": {"true", "false"}, "after": {"x"}, "use_v2": {"true", "false"}, "supported_action_types": {"v1", "latest", "no_such_type"}, "seqno": {"20", "-1", "2000000"},
}

// param is a parameter of a route with values from the rows.
type param struct {
	name  string
	pool  string // "" for that of the route
	path  string
	value []string
}

// v3 sends the requests of /api/v3.
func (g *generator) v3() {
	g.t.Helper()
	g.prefix, g.described = prefix3, openAPI(g.t, g.handler, prefix3)
	for _, r := range routes3() {
		g.route(r, g.params(r))
	}
	g.common()
	if g.deep {
		g.posts()
	}
}

// params returns the parameters of a route by its OpenAPI description.
func (g *generator) params(r route) (list []param) {
	paths := map[string]string{}
	for field := range strings.FieldsSeq(r.params) {
		name, path, _ := strings.Cut(field, "=")
		paths[name] = path
	}
	for _, p := range g.described {
		if p.method != http.MethodGet || p.path != g.prefix+r.path || p.in != "query" {
			continue
		}
		one := param{name: p.name, pool: r.pool, path: paths[p.name], value: fixed[p.name]}
		if p.name == "limit" && !g.deep {
			one.value = slices.DeleteFunc(slices.Clone(one.value), func(v string) bool { return v == "1000" })
		}
		if pool, path, ok := strings.Cut(one.path, ":"); ok && !strings.Contains(pool, "|") {
			one.pool, one.path = pool, path
		}
		if one.path != "" {
			found := g.values(one.pool, one.path)
			if g.prefix == prefix2 && p.name == "shard" {
				found = decimalShards(found)
			}
			one.value = append(slices.Clone(spread(found, g.width)), one.value...)
			one.value = append(one.value, absent(found)...)
		}
		list = append(list, one)
	}
	return list
}

// absent returns values in the form of list that no row has, and an unreadable one.
func absent(list []string) []string {
	first := ""
	if len(list) > 0 {
		first = list[0]
	}
	switch _, err := strconv.ParseUint(first, 10, 64); {
	case strings.Contains(first, ":"):
		return []string{"0:" + strings.Repeat("0", 62) + "EE", "0:12", ""}
	case err == nil:
		n := []uint64{}
		for _, v := range list {
			x, _ := strconv.ParseUint(v, 10, 64)
			n = append(n, x)
		}
		return []string{strconv.FormatUint(slices.Max(n)+1, 10), strconv.FormatUint(max(slices.Min(n), 1)-1, 10), "-1", "1.5", "9223372036854775807"}
	case len(first) == 44:
		return []string{strings.Repeat("A", 41) + "7s=", strings.Repeat("A", 41) + "7s==", "abc"}
	default:
		return []string{"1", "z!", ""}
	}
}

// route sends the requests of a list: each value of each parameter, alone and with others of the same row.
func (g *generator) route(r route, params []param) {
	g.t.Helper()
	always := strings.Fields(r.always)
	rows := g.pools[r.pool]
	row := func(i int) any {
		if len(rows) == 0 {
			return nil
		}
		return rows[i%len(rows)]
	}
	base := func(i int) url.Values {
		q := url.Values{}
		for _, p := range params {
			if slices.Contains(always, p.name) {
				if v := at(row(i), p.path); len(v) > 0 {
					q.Set(p.name, g.form(p.name, v[0]))
				}
			}
		}
		return q
	}
	g.get(r.path, nil)
	g.get(r.path, base(0))
	g.pages(r.path, base(0), params)
	for _, p := range params {
		for i, v := range p.value {
			q := base(0)
			if slices.Contains(always, p.name) || p.path != "" && len(always) > 0 {
				q = url.Values{}
			}
			q.Set(p.name, v)
			g.get(r.path, q)
			if i < 1 && p.path != "" && has(params, "cursor") {
				q.Set("limit", "2")
				g.pages(r.path, q, params)
			}
		}
		if p.path != "" && len(p.value) > 1 {
			q := url.Values{p.name: slices.Clone(p.value[:2])}
			g.get(r.path, q)
			q.Add(p.name, p.value[len(p.value)-1])
			g.get(r.path, q)
		}
	}
	g.combine(r, params, row)
}

func has(params []param, name string) bool {
	return slices.ContainsFunc(params, func(p param) bool { return p.name == name })
}

// pages reads three pages by cursor and one by offset, in both directions.
func (g *generator) pages(path string, query url.Values, params []param) {
	g.t.Helper()
	if !has(params, "cursor") {
		return
	}
	orders := []string{""}
	if has(params, "sort") {
		orders = []string{"asc", "desc"}
	}
	for _, order := range orders {
		q := url.Values{}
		maps.Copy(q, query)
		q.Set("limit", "2")
		if order != "" {
			q.Set("sort", order)
		}
		e := g.get(path, q)
		for range 2 {
			if e.Next == "" {
				break
			}
			q.Set("cursor", e.Next)
			e = g.get(path, q)
		}
		q.Del("cursor")
		q.Set("offset", "1")
		g.get(path, q)
	}
}

// combine sends requests with two to four parameters that one row has.
func (g *generator) combine(r route, params []param, row func(int) any) {
	g.t.Helper()
	filters := slices.DeleteFunc(slices.Clone(params), func(p param) bool { return p.path == "" || p.pool != r.pool })
	if len(filters) < 2 {
		return
	}
	for range 6 * g.width {
		from := row(g.rng.IntN(1 << 20))
		q := url.Values{}
		for range 2 + g.rng.IntN(3) {
			p := filters[g.rng.IntN(len(filters))]
			if v := at(from, p.path); len(v) > 0 {
				q.Set(p.name, g.form(p.name, v[g.rng.IntN(len(v))]))
			}
		}
		for _, p := range params {
			if p.path == "" && p.name != "cursor" && len(p.value) > 0 && g.rng.IntN(4) == 0 {
				q.Set(p.name, p.value[g.rng.IntN(min(3, len(p.value)))])
			}
		}
		g.get(r.path, q)
	}
}

// common sends the headers and parameters of every route.
func (g *generator) common() {
	g.t.Helper()
	for _, path := range []string{"/transactions?limit=2", "/actions?limit=3", "/jetton/wallets?limit=2", "/traces?limit=1"} {
		for _, p := range []string{"strict=true", "strict=maybe", "acount=x", "acount=x&strict=true"} {
			g.add(exchange{Method: http.MethodGet, Target: prefix3 + path + "&" + p})
		}
		for _, header := range []string{
			"X-No-Address-Book: 1", "X-No-Metadata: true", "X-No-Metadata: nonsense", "X-Min-Seqno: 1", "X-Min-Seqno: soon", "X-Timeout: 60000",
			"X-Actions-Version: v1", "X-Actions-Version: no_such_type",
		} {
			g.add(exchange{Method: http.MethodGet, Target: prefix3 + path, Header: header})
		}
	}
}

// posts sends the requests with a body.
func (g *generator) posts() {
	g.t.Helper()
	post := func(path string, body any) {
		text, err := json.Marshal(body)
		require.NoError(g.t, err)
		g.add(exchange{Method: http.MethodPost, Target: prefix3 + path, Body: string(text)})
	}
	type members map[string]any
	opcodes, bodies := g.values("messages", "opcode"), g.values("messages", "message_content.body")
	for i, opcode := range spread(opcodes, 10*g.width) {
		post("/decode", members{"opcodes": []string{opcode}, "bodies": spread(bodies, 10*g.width)[i%min(len(bodies), 10*g.width)]})
		post("/decode", members{"opcodes": []string{opcode}, "bodies": []string{bodies[i%len(bodies)]}})
	}
	post("/decode", members{"opcodes": opcodes[:min(len(opcodes), 50)], "bodies": bodies[:min(len(bodies), 50)]})
	post("/decode", members{"opcodes": []string{"nonsense"}})
	post("/decode", members{"bodies": []string{"nonsense"}})
	methods := []string{
		"seqno", "get_public_key", "get_subwallet_id", "get_wallet_data", "get_jetton_data", "get_collection_data", "get_nft_data", "get_sale_data",
		"get_multisig_data", "get_order_data", "get_vesting_data", "get_domain", "get_auction_info", "no_such_method", "85143", "0x14c97",
	}
	for i, account := range spread(g.values("states", "address"), 8*g.width) {
		for j := range 4 {
			post("/runGetMethod", members{"address": account, "method": methods[(4*i+j)%len(methods)], "stack": []any{}})
		}
		post("/runGetMethod", members{"address": account, "method": methods[i%len(methods)], "stack": []members{{"type": "num", "value": "0x1"}}, "seqno": 20})
	}
	for _, pool := range []string{"masters", "wallets", "collections", "items", "sales", "multisigs", "orders", "vestings"} {
		for i, account := range spread(g.values(pool, "address"), g.width) {
			for _, method := range methods {
				if i == 0 || strings.HasSuffix(method, "_data") {
					post("/runGetMethod", members{"address": account, "method": method, "stack": []any{}})
				}
			}
		}
	}
}
