package v3_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/rest/handler"
	v3 "tonql/rest/v3"
)

// question is a route of the devnet with a query that finds rows, and for each of its parameters a value that finds
// others; MEMBER stands for a member of the last row found.
type question struct {
	path, query string
	change      map[string]string
}

// spans and paging are the parameters of many lists.
var (
	paging = map[string]string{"limit": "1", "offset": "1", "sort": "asc"}
	spans  = map[string]string{"start_lt": "MIDDLE", "end_lt": "MIDDLE", "start_utime": "TIME", "end_utime": "TIME"}
)

// The devnet has one admin of Jettons and one collection that moves; those filters change something in the market of
// these tests, as do multisig wallets, vesting, sales, domains and burns.
func questions() []question {
	q := func(path, query string, change ...map[string]string) question {
		whole := map[string]string{}
		for _, c := range change {
			maps.Copy(whole, c)
		}
		return question{path, query, whole}
	}
	own := func(pairs ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	return []question{
		q("/blocks", "limit=20", paging, spans, own("workchain", "-1", "shard", "4000000000000000", "seqno", "seqno",
			"root_hash", "root_hash", "file_hash", "file_hash", "mc_seqno", "9")),
		q("/masterchainBlockShards", "seqno=9", paging, own("seqno", "8", "limit", "1")),
		q("/masterchainBlockShardState", "seqno=9", own("seqno", "8")),
		q("/transactions", "limit=100", paging, spans, own("workchain", "-1", "shard", "4000000000000000", "seqno", "9", "mc_seqno", "9",
			"account", "account", "exclude_account", "account", "hash", "hash", "lt", "lt")),
		q("/transactionsByMasterchainBlock", "seqno=9", paging, own("seqno", "8")),
		q("/messages", "limit=20", paging, spans, own("msg_hash", "hash", "hash", "hash", "source", "source", "destination", "destination",
			"opcode", "0x0f8a7ea5", "direction", "out", "exclude_externals", "true", "only_externals", "true", "body_hash", "BODY")),
		q("/transactionsByMessage", "opcode=0x0f8a7ea5", paging, own("opcode", "0x178d4519")),
		q("/topAccountsByBalance", "limit=20", own("limit", "1", "offset", "1")),
		q("/jetton/masters", "", own("limit", "1", "offset", "1", "address", "address")),
		q("/jetton/wallets", "", paging, own("address", "address", "owner_address", "owner", "jetton_address", "jetton",
			"sort", "desc")),
		q("/jetton/transfers", "limit=20", paging, spans, own("owner_address", "source", "address", "source", "jetton_wallet", "source_wallet",
			"jetton_master", "jetton_master")),
		q("/nft/collections", "", own("limit", "1", "collection_address", "address", "owner_address", "owner_address")),
		q("/nft/items", "", own("limit", "1", "offset", "1", "address", "address", "owner_address", "owner_address",
			"collection_address", "collection_address", "sort_by_last_transaction_lt", "true")),
		q("/nft/transfers", "limit=20", paging, spans, own("owner_address", "new_owner", "address", "new_owner", "item_address", "nft_address")),
		q("/traces", "limit=20", paging, spans, own("trace_id", "trace_id", "mc_seqno", "12")),
		q("/actions", "limit=20", paging, spans, own("trace_id", "trace_id", "action_id", "action_id", "action_type", "type",
			"exclude_action_type", "type", "tx_hash", "TX", "mc_seqno", "12")),
	}
}

// bad values by the form of the parameter; forms without one take everything.
var bad = map[handler.Form]string{
	handler.AddressForm: "0:12", handler.NullableAddressForm: "nil", handler.HashForm: "abc", handler.ShardForm: "z", handler.OpcodeForm: "0xg",
	handler.Int32Form: "1.5", handler.Uint64Form: "-1", handler.UtimeForm: "-1", handler.BoolForm: "maybe", handler.LimitForm: "ten",
	handler.OffsetForm: "ten",
}

// Parameters that are read without complaint, as the published service reads them.
var lenient = map[string]bool{
	"/masterchainBlockShards seqno": true, "/masterchainBlockShardState seqno": true, "/transactionsByMasterchainBlock seqno": true,
}

// nothing are values that find no row, by the form of the parameter.
var nothing = map[handler.Form]string{
	handler.AddressForm: "0:" + strings.Repeat("e", 64), handler.NullableAddressForm: "0:" + strings.Repeat("e", 64),
	handler.HashForm: strings.Repeat("e", 64),
}

// On a devnet each parameter of each route changes what is found, finds nothing where there is nothing, and is refused
// when it cannot be read. Every answer fits both descriptions of the interface, as all answers of these tests.
func TestParametersOnADevnet(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 60)
	byPath := map[string]v3.Route{}
	for _, r := range v3.Routes() {
		byPath[r.Path] = r
	}
	changed, idle := 0, []string{}
	for _, q := range questions() {
		whole := n.ask(q.path + "?" + q.query)
		require.Equal(t, http.StatusOK, whole.Code, "%s: %s", q.path, whole.Body)
		rows := listOf(t, whole.Body.Bytes())
		require.Greater(t, len(rows), 1, q.path)
		for name, value := range q.change {
			if value = n.value(rows, value); value == "" {
				continue // the row has no such member
			}
			w := n.ask(q.path + "?" + with(q.query, name, value))
			require.Equal(t, http.StatusOK, w.Code, "%s %s=%s: %s", q.path, name, value, w.Body)
			if reflect.DeepEqual(rows, listOf(t, w.Body.Bytes())) {
				idle = append(idle, q.path+" "+name+"="+value)
			}
			changed++
		}
		for _, p := range v3.ParamsOf(byPath[q.path]) {
			key := q.path + " " + p.Name
			if value, ok := bad[p.Form]; ok && !lenient[key] {
				n.refuse(q.path+"?"+with(q.query, p.Name, value), http.StatusUnprocessableEntity)
			}
			value, ok := nothing[p.Form]
			if !ok || strings.HasPrefix(p.Name, "exclude_") {
				continue
			}
			if w := n.ask(q.path + "?" + with(q.query, p.Name, value)); w.Code != http.StatusNotFound {
				require.Equal(t, http.StatusOK, w.Code, "%s: %s", key, w.Body)
				require.Empty(t, listOf(t, w.Body.Bytes()), key)
			}
		}
		if _, ok := q.change["start_lt"]; ok {
			for _, none := range []string{"start_lt=9223372036854775807", "end_lt=1", "start_utime=4294967295", "end_utime=1"} {
				require.Empty(t, listOf(t, n.ask(q.path+"?"+none).Body.Bytes()), "%s?%s", q.path, none)
			}
		}
	}
	require.Empty(t, idle, "parameters that change nothing")
	require.Greater(t, changed, 80)
}

// with is a query with another value of a parameter.
func with(query, name, value string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		panic(err)
	}
	values.Set(name, value)
	return values.Encode()
}

// value puts what rows have in the place of a member's name.
func (n *network) value(rows []json.RawMessage, want string) string {
	n.t.Helper()
	var middle, last map[string]any
	require.NoError(n.t, json.Unmarshal(rows[len(rows)/2], &middle))
	require.NoError(n.t, json.Unmarshal(rows[len(rows)-1], &last))
	first := func(names ...string) string {
		for _, name := range names {
			switch v := middle[name].(type) {
			case string:
				return v
			case float64:
				return strconv.FormatFloat(v, 'f', 0, 64)
			}
		}
		return ""
	}
	switch want {
	case "MIDDLE":
		return first("lt", "created_lt", "transaction_lt", "trace_end_lt", "end_lt", "start_lt")
	case "TIME":
		return first("now", "created_at", "transaction_now", "trace_end_utime", "end_utime", "gen_utime")
	case "BODY":
		return last["message_content"].(map[string]any)["hash"].(string)
	case "TX":
		return last["transactions"].([]any)[0].(string)
	}
	member, ok := last[want]
	if !ok {
		return want
	}
	text, ok := member.(string)
	if number, isNumber := member.(float64); isNumber {
		return strconv.FormatFloat(number, 'f', 0, 64)
	}
	if !ok || strings.HasPrefix(text, "addr_") {
		return ""
	}
	return text
}
