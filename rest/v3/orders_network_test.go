package v3_test

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// sequence is the published order of a list: its keys by priority.
type sequence struct {
	path, query string
	keys        []key
	oneWay      bool // sort does not reverse it
	alone       bool // each row has another first key, so there are no ties
}

// key is one key of an order.
type key struct {
	paths []string // the first that has a value counts
	less  func(a, b string) int
	side  int // 1: always ascending, -1: always descending, 0: in the direction of the page
}

func numeric(paths ...string) key { return key{paths, byNumber, 0} }
func hashed(path string) key      { return key{[]string{path}, byHash, 0} }
func addressed(path string) key   { return key{[]string{path}, byPlace, 0} }
func length(path string) key      { return key{[]string{path}, byLength, 0} }
func worded(path string) key      { return key{[]string{path}, strings.Compare, 0} }

func (k key) up() key {
	k.side = 1
	return k
}

func (k key) down() key {
	k.side = -1
	return k
}

func byNumber(a, b string) int {
	x, _ := new(big.Int).SetString(a, 10)
	y, _ := new(big.Int).SetString(b, 10)
	return x.Cmp(y)
}

func byHash(a, b string) int {
	x, _ := base64.StdEncoding.DecodeString(a)
	y, _ := base64.StdEncoding.DecodeString(b)
	return bytes.Compare(x, y)
}

// byPlace orders addresses. Rows without an address are first.
func byPlace(a, b string) int {
	x, errX := chain.ParseAddress(a)
	y, errY := chain.ParseAddress(b)
	if errX != nil || errY != nil {
		return cmp.Compare(a, b)
	}
	return x.Compare(y)
}

func byLength(a, b string) int { return cmp.Compare(len(a), len(b)) }

// byShard orders shards as the signed numbers that they are on the chain.
func byShard(a, b string) int {
	x, _ := strconv.ParseUint(a, 16, 64)
	y, _ := strconv.ParseUint(b, 16, 64)
	return cmp.Compare(int64(x), int64(y))
}

// sequences returns the order of each list. docs/compatibility.md lists the ties that only this API orders.
func sequences() []sequence {
	shard := key{[]string{"shard"}, byShard, 0}
	masterchain := key{[]string{"workchain"}, func(a, b string) int { return byNumber(b, a) }, 0} // the newest of one time
	block := []key{numeric("gen_utime"), masterchain, shard, numeric("seqno")}
	lts := []key{numeric("lt"), addressed("account").up()}
	times := append([]key{numeric("now")}, lts...)
	messages := []key{numeric("created_lt", "received_lt"), hashed("hash")}
	transfers := func(at string) []key { return []key{numeric("transaction_lt"), addressed(at).up()} }
	timed := func(at string) []key { return append([]key{numeric("transaction_now")}, transfers(at)...) }
	items := []key{addressed("collection_address").up(), numeric("index").up(), addressed("address").up()}
	traces := []key{numeric("end_lt"), hashed("trace_id")}
	actions := []key{numeric("trace_end_lt"), hashed("trace_id"), numeric("end_lt"), hashed("action_id")}
	const window, hours = "start_lt={lt 40}&end_lt={lt 46}", "start_utime=1750000020&end_utime=1750000026"
	return []sequence{
		{"/blocks", window, block, false, false},
		{"/masterchainBlockShards", "seqno=40", block, false, false},
		{"/transactions", window, lts, false, false},
		{"/transactions", hours, times, false, false},
		{"/transactions", "account={faucet}", []key{numeric("lt")}, false, true},
		{"/transactions", "account={faucet}&" + "start_utime=1", []key{numeric("now"), numeric("lt")}, false, false},
		{"/transactionsByMasterchainBlock", "seqno=40", lts, false, false},
		{"/transactionsByMessage", "opcode=0xd53276db", lts, false, false},
		{"/messages", window, messages, false, false},
		{"/messages", "destination={faucet}", messages, false, true},
		{"/messages", hours, []key{numeric("created_at"), hashed("hash")}, false, false},
		{"/traces", window, traces, false, false},
		{"/traces", hours, []key{numeric("end_utime"), hashed("trace_id")}, false, false},
		{"/events", window, traces, false, false},
		{"/actions", window, actions, false, false},
		{"/actions", hours, []key{numeric("trace_end_utime"), hashed("trace_id"), numeric("end_utime"), hashed("action_id")}, false, false},
		{"/actions", "account={faucet}", actions, false, false},
		{"/topAccountsByBalance", "", []key{numeric("balance").down(), addressed("account").up()}, true, false},
		{"/jetton/masters", "", []key{addressed("address").up()}, true, true},
		{"/jetton/wallets", "", []key{addressed("address").up()}, true, true},
		{"/jetton/wallets", "", []key{numeric("balance"), addressed("address")}, false, false},
		{"/jetton/wallets", "owner_address={actor 0}&owner_address={actor 1}", []key{addressed("owner").up(), addressed("jetton").up()}, true, false},
		{"/jetton/transfers", "", transfers("source_wallet"), false, false},
		{"/jetton/transfers", "start_utime=1", timed("source_wallet"), false, false},
		{"/jetton/burns", "", transfers("jetton_wallet"), false, true},
		{"/jetton/burns", "start_utime=1", timed("jetton_wallet"), false, true},
		{"/nft/collections", "", []key{addressed("address").up()}, true, true},
		{"/nft/items", "", []key{addressed("address").up()}, true, true},
		{"/nft/items", "collection_address={nfts}", items[1:], true, true},
		{"/nft/items", "owner_address={collector}&owner_address={dealer}&owner_address={seller}", append([]key{addressed("owner_address").up()}, items...), true, false},
		{"/nft/items", "sort_by_last_transaction_lt=true", []key{numeric("last_transaction_lt").down(), addressed("address").down()}, true, false},
		{"/nft/transfers", "", transfers("nft_address"), false, false},
		{"/nft/transfers", "start_utime=1", timed("nft_address"), false, false},
		{"/dns/activeAuctions", "bidder={faucet}", []key{numeric("auction_end_time").up(), addressed("nft_item_address").up()}, true, false},
		{"/dns/records", "wallet={faucet}", []key{length("domain").up(), worded("domain").up()}, true, false},
		{"/multisig/wallets", "address={multisig 0}&address={multisig 1}", []key{addressed("address")}, false, true},
		{"/multisig/orders", "multisig_address={multisig 0}&multisig_address={multisig 1}", []key{numeric("order_seqno"), addressed("address")}, false, false},
		{"/vesting", "wallet_address={faucet}&wallet_address={vester}", []key{addressed("address").up()}, true, true},
	}
}

// requireOrder checks the order of every list, in one page and page by page, by offset and by cursor.
func (s *fixture) requireOrder(t *testing.T) {
	t.Helper()
	for _, q := range sequences() {
		p := parameterCase{fixture: s, parameter: parameter{method: http.MethodGet, path: q.path}}
		ways := []string{"asc", "desc"}
		if q.oneWay {
			ways = []string{""}
		}
		for _, way := range ways {
			query := q.query
			if way != "" {
				query = strings.TrimSuffix(query, "sort=") + "&sort=" + way
			}
			t.Run(strings.ReplaceAll(q.path+" "+query, "/", "."), func(t *testing.T) {
				all := p.ok(t, query+"&limit=1000").rows
				require.Greater(t, len(all), 1)
				if q.path == "/messages" {
					s.receivedAt(t, all)
				}
				ties := q.check(t, all, way == "desc")
				require.True(t, ties > 0 || q.alone, "no two of %d rows are equal by the first key", len(all))
				p.pages(t, query, all)
			})
		}
	}
}

// receivedAt sets the LT of external messages to that of the transaction that accepted them, by which they are ordered.
func (s *fixture) receivedAt(t *testing.T, all []record) {
	t.Helper()
	for _, r := range all {
		m, _ := r.tree.(map[string]any)
		if hash, _ := m["in_msg_tx_hash"].(string); m["source"] == nil {
			txs := rows(s.get("/transactions?hash="+strings.NewReplacer("+", "%2B").Replace(hash)), "transactions")
			m["received_lt"] = txs[0]["lt"]
		}
	}
}

// check compares neighboring rows and counts those with equal first keys.
func (q sequence) check(t *testing.T, all []record, down bool) (ties int) {
	t.Helper()
	for i := range all[1:] {
		decided := 0
		for at, k := range q.keys {
			side := k.side
			if side == 0 {
				side = map[bool]int{false: 1, true: -1}[down]
			}
			decided = k.less(k.of(all[i]), k.of(all[i+1])) * side
			if at == 0 && decided == 0 {
				ties++
			}
			if decided != 0 {
				break
			}
		}
		require.Negative(t, decided, "rows %d and %d: %s\n%s", i, i+1, all[i].text, all[i+1].text)
	}
	return ties
}

func (k key) of(r record) string {
	for _, path := range k.paths {
		if v := values(r.tree, path); len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

// pages reads a list in pages of a few rows, by offset and by cursor, and expects the rows of one large page.
func (p parameterCase) pages(t *testing.T, query string, all []record) {
	t.Helper()
	size := max(1, min(17, len(all)/3))
	var byOffset, byCursor []record
	for offset := 0; offset <= len(all); offset += size {
		a := p.put(t, fmt.Sprintf("%s&limit=%d&offset=%d", query, size, offset))
		if a.status == http.StatusNotFound && offset == len(all) { // as published for blocks of nothing
			break
		}
		require.Equal(t, http.StatusOK, a.status, a.text)
		byOffset = append(byOffset, a.rows...)
	}
	require.Equal(t, text(all), text(byOffset))
	a := p.ok(t, fmt.Sprintf("%s&limit=%d", query, size))
	byCursor = a.rows
	for next := a.header.Get("X-Next-Cursor"); next != ""; next = a.header.Get("X-Next-Cursor") {
		a = p.put(t, fmt.Sprintf("%s&limit=%d&cursor=%s", query, size, next))
		byCursor = append(byCursor, a.rows...)
	}
	require.Equal(t, text(all), text(byCursor))
}

// text returns the rows as they were printed, in their order.
func text(list []record) []string {
	all := make([]string, len(list))
	for i := range list {
		all[i] = list[i].text
	}
	return all
}

// requireOrderInside checks the order of lists within rows.
func (s *fixture) requireOrderInside(t *testing.T) {
	t.Helper()
	sent, ordered, acted := 0, 0, 0
	for _, tx := range rows(s.get("/transactions?limit=300"), "transactions") {
		lts := column(rows(tx, "out_msgs"), "created_lt")
		sent += ascends(t, lts, byNumber)
	}
	for _, trace := range rows(s.get("/traces?limit=60&include_actions=true"), "traces") {
		var lts []any
		for _, hash := range trace["transactions_order"].([]any) {
			lts = append(lts, dig(trace["transactions"], hash.(string), "lt"))
		}
		ordered += ascends(t, lts, byNumber)
		acted += ascends(t, column(rows(trace, "actions"), "start_lt"), byNumber)
	}
	require.Positive(t, sent)
	require.Positive(t, ordered)
	require.Positive(t, acted)
	for _, board := range rows(s.get(s.fill("/multisig/wallets?address={multisig 0}&address={multisig 1}", strings.ToUpper)), "multisigs") {
		require.Positive(t, ascends(t, column(rows(board, "orders"), "order_seqno"), byNumber))
	}
	blocks := parameterCase{fixture: s, parameter: parameter{method: http.MethodGet, path: "/masterchainBlockShardState"}}.ok(t, "seqno=40").rows
	keys := []key{numeric("workchain"), {[]string{"shard"}, byShard, 0}, numeric("seqno")}
	require.Positive(t, sequence{keys: keys}.check(t, blocks, false), "shards of one workchain")
	pending := rows(s.get(s.fill("/pendingActions?account={faucet}", strings.ToUpper)), "actions")
	require.Positive(t, ascends(t, column(pending, "trace_end_lt"), func(a, b string) int { return byNumber(b, a) }))
	transactions := rows(s.get(s.fill("/adjacentTransactions?hash={middle}", escapePlus)), "transactions")
	require.Positive(t, ascends(t, column(transactions, "lt"), byNumber))
}

func escapePlus(text string) string { return strings.ReplaceAll(text, "+", "%2B") }

// ascends counts the neighbouring elements of a list that must be ascending.
func ascends(t *testing.T, list []any, less func(a, b string) int) (pairs int) {
	t.Helper()
	for i := 1; i < len(list); i++ {
		require.LessOrEqual(t, less(fmt.Sprint(list[i-1]), fmt.Sprint(list[i])), 0, "%v", list)
		pairs++
	}
	return pairs
}
