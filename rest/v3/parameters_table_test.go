package v3_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// table has a row for every parameter: method, path and name; * for parameters of all routes.
func table() map[string]row {
	return merge(
		commonRows(), blockRows(), transactionRows(), messageRows(), traceRows("/traces", changesMembers("true", "actions")),
		traceRows("/events", ignored("false", "actions always belong to events")), actionRows(), pendingRows(), accountRows(),
		jettonRows(), nftRows(), nameRows(), boardRows(), stakingRows(), validatorRows(), legacyRows(), decodeRows(), postRows(),
	)
}

const (
	unprocessable = http.StatusUnprocessableEntity
	absent        = http.StatusNotFound
	unauthorized  = http.StatusUnauthorized
)

// of prefixes the names of parameters with their route.
func of(route string, parts ...map[string]row) map[string]row {
	all := map[string]row{}
	for _, part := range parts {
		for name, r := range part {
			all[route+" "+name] = r
		}
	}
	return all
}

// paged returns the rows of the paging parameters. none is a query that finds nothing.
func paged(base, none string) map[string]row {
	return map[string]row{
		"limit":  {base, limits("1000"), outcome{query: none + "&limit=5"}, outcome{}},
		"offset": {base, skips, outcome{query: base + "&offset=50000"}, outcome{}},
		"sort":   {base, sorts, outcome{query: none + "&sort=asc"}, outcome{value: "up", status: unprocessable, text: "wrong value for sort parameter"}},
		"cursor": {base, pagesByCursor, outcome{value: "{end of the list}"}, outcome{value: "x", status: unprocessable, text: "cursor"}},
	}
}

// unsorted returns the rows of the paging parameters of a list with one order only.
func unsorted(base, none string) map[string]row {
	rows := paged(base, none)
	delete(rows, "sort")
	return rows
}

// ranged returns the rows of the bounds on two members.
func ranged(base, utime, lt string) map[string]row {
	return map[string]row{
		"start_utime": {base, from(utime), outcome{value: "4294967295"}, outcome{}},
		"end_utime":   {base, until(utime), outcome{value: "1"}, outcome{}},
		"start_lt":    {base, from(lt), outcome{value: "9223372036854775807"}, outcome{}},
		"end_lt":      {base, until(lt), outcome{value: "1"}, outcome{}},
	}
}

// finds returns a row with default outcomes.
func finds(base string, does effect) row { return row{base: base, does: does} }

// commonRows returns the rows of the parameters of every route, tested on /actions.
func commonRows() map[string]row {
	const (
		base    = "action_type=jetton_transfer&limit=3"
		nobodys = "account={nobody}"
	)
	ignoredText := outcome{value: "nonsense", like: "none"} // as published, invalid headers are ignored
	return map[string]row{
		"* strict": {base, func(t *testing.T, p parameterCase) {
			t.Helper()
			sent := p.ok(t, base+"&acount=x")
			require.Equal(t, `"acount"`, sent.header.Get("X-Unknown-Parameters"))
			p.requireOutcome(t, outcome{query: base + "&acount=x&strict=true", status: unprocessable, text: "did you mean account?"})
		}, outcome{query: nobodys + "&strict=true"}, outcome{value: "maybe", status: unprocessable, text: `error converting value for "strict"`}},
		"* X-No-Address-Book": {base, empties("address_book"), outcome{query: nobodys, value: "1"}, ignoredText},
		"* X-No-Metadata":     {base, empties("metadata"), outcome{query: nobodys, value: "1"}, ignoredText},
		"* X-Min-Seqno": {base, func(t *testing.T, p parameterCase) {
			t.Helper()
			head := p.head()
			require.Equal(t, p.with(t).text, p.ok(t, base, p.name, strconv.Itoa(int(head))).text)
			late := p.put(t, base, p.name, strconv.Itoa(int(head)+1))
			require.Equal(t, http.StatusServiceUnavailable, late.status)
			require.Equal(t, "1", late.header.Get("Retry-After"))
		}, outcome{query: nobodys, value: "1"}, outcome{value: "soon", status: unprocessable, text: "X-Min-Seqno is the seqno of a masterchain block"}},
		"* X-Timeout": {base, func(t *testing.T, p parameterCase) {
			t.Helper()
			late := p.put(t, "limit=1000&include_transactions=true&x_no_address_book=true", p.name, "1")
			require.Equal(t, http.StatusServiceUnavailable, late.status)
			require.Equal(t, p.with(t).text, p.ok(t, base, p.name, "20000").text)
		}, outcome{query: nobodys, value: "5000"}, ignoredText},
		"* X-Actions-Version": {"limit=100&account={multisig 0}", func(t *testing.T, p parameterCase) {
			t.Helper()
			require.Contains(t, p.with(t).text, `"type":"multisig_execute"`)
			require.NotContains(t, p.ok(t, p.base, p.name, "v1").text, `"type":"multisig_execute"`)
			require.Equal(t, p.with(t).text, p.ok(t, p.base+"&supported_action_types=v1", p.name, "v2").text)
		}, outcome{query: nobodys, value: "v1"}, outcome{value: "no_such_type", like: "v1"}}, // an unrecognized name counts as a type
	}
}

// empties checks that a member of the response is empty, by header and by parameter.
func empties(member string) effect {
	return func(t *testing.T, p parameterCase) {
		t.Helper()
		require.NotContains(t, p.with(t).text, `"`+member+`":{}`)
		for _, on := range []string{"1", "T", "true"} {
			require.Contains(t, p.ok(t, p.base, p.name, on).text, `"`+member+`":{}`)
		}
		param := strings.ToLower(strings.ReplaceAll(p.name, "-", "_"))
		require.Contains(t, p.ok(t, p.base+"&"+param+"=true").text, `"`+member+`":{}`)
	}
}

func blockRows() map[string]row {
	const base = "limit=1000&start_lt={lt 40}&end_lt={lt 55}"
	unknown := outcome{value: "2000000", status: absent, text: "blocks not found"}
	lenient := outcome{value: "1.5", status: absent, text: "blocks not found"} // an unreadable value counts as 0
	return merge(
		of("GET /blocks", paged(base, "end_lt=1"), ranged("limit=1000", "gen_utime", "start_lt"), map[string]row{
			"workchain": {base, only("workchain"), outcome{value: "7"}, outcome{}},
			"shard":     finds(base, only("shard")),
			"seqno":     finds(base, only("seqno")),
			"root_hash": finds(base, only("root_hash")),
			"file_hash": finds(base, only("file_hash")),
			"mc_seqno":  finds(base, only("masterchain_block_ref.seqno")),
		}),
		of("GET /masterchainBlockShardState", map[string]row{"seqno": {"", func(t *testing.T, p parameterCase) {
			t.Helper()
			differs("40", "41")(t, p)
			for _, seqno := range []string{"40", "41"} {
				master := filter(p.with(t, seqno).rows, func(row any) bool { return has(row, "-1", "workchain") })
				require.Equal(t, []string{seqno}, members(master, "seqno"))
			}
		}, unknown, lenient}}),
		of("GET /masterchainBlockShards", paged("limit=1000&seqno=40", "limit=1"), map[string]row{
			"seqno":  {"", selects(to("masterchain_block_ref.seqno"), "40", "41"), unknown, lenient},
			"limit":  {"limit=1000&seqno=40", limits("1000"), outcome{query: "limit=1&seqno=2000000", status: absent, text: "blocks not found"}, outcome{}},
			"offset": {"limit=1000&seqno=40", skips, outcome{query: "offset=50&seqno=40", status: absent, text: "blocks not found"}, outcome{}},
			"sort": {"limit=1000&seqno=40", sorts, outcome{query: "sort=asc&seqno=2000000", status: absent, text: "blocks not found"},
				outcome{value: "up", status: unprocessable, text: "wrong value for sort parameter"}},
			"cursor": {"limit=1000&seqno=40", pagesByCursor, outcome{value: "{end of the list}"}, outcome{value: "x", status: unprocessable, text: "cursor"}},
		}),
	)
}

func merge(parts ...map[string]row) map[string]row {
	all := map[string]row{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

func transactionRows() map[string]row {
	const (
		base     = "limit=1000&start_lt={lt 40}&end_lt={lt 50}"
		faucets  = "account={faucet}&limit=1000"
		byOpcode = "opcode=0x0f8a7ea5&limit=1000"
		received = base + "&direction=in"
	)
	noBlock := outcome{value: "2000000", status: absent, text: "masterchain block 2000000 not found"}
	noneAdjacent := outcome{value: "{nothing}", status: absent, text: "adjacent transactions not found"}
	return merge(
		of("GET /transactions", paged(faucets, "account={nobody}"), ranged(faucets, "now", "lt"), map[string]row{
			"workchain":       {base, only("block_ref.workchain"), outcome{value: "7"}, outcome{}},
			"shard":           finds(base, only("block_ref.shard")),
			"seqno":           finds(base, only("block_ref.seqno")),
			"mc_seqno":        {base, only("mc_block_seqno"), noBlock, outcome{}},
			"account":         finds(base, only("account")),
			"exclude_account": {base, without("account"), outcome{query: "account={faucet}&exclude_account={faucet}"}, outcome{}},
			"hash":            finds(base, only("hash")),
			"lt":              {base, only("lt"), outcome{value: "1"}, outcome{}},
			"msg_hash":        finds(received, only("in_msg.hash")),
			"body_hash":       finds(received, only("in_msg.message_content.hash")),
			"opcode":          finds(base, only("in_msg.opcode")),
			"source":          finds(received, only("in_msg.source")),
			"destination":     finds(received, only("in_msg.destination")),
			"direction": {"msg_hash={message}&limit=1000", func(t *testing.T, p parameterCase) {
				t.Helper()
				require.Len(t, p.with(t).rows, 2)
				require.Equal(t, []string{p.names["message"]}, members(p.with(t, "in").rows, "in_msg.hash"))
				require.Contains(t, members(p.with(t, "out").rows, "out_msgs.hash"), p.names["message"])
				require.Len(t, p.with(t, "out").rows, 1)
			}, outcome{query: "direction=out&msg_hash={from outside}"}, outcome{
				value: "sideways", status: unprocessable, text: "direction should be one of: in, out",
			}},
		}),
		of("GET /transactionsByMasterchainBlock", paged("limit=1000&seqno=40", ""), map[string]row{
			"seqno": {"", selects(to("mc_block_seqno"), "40", "41"), noBlock,
				outcome{value: "1.5", status: absent, text: "masterchain block 0 not found"}}, // counts as 0
			"limit":  {"limit=1000&seqno=40", limits("1000"), outcome{query: "limit=1&seqno=2000000", status: absent, text: noBlock.text}, outcome{}},
			"sort":   {"limit=1000&seqno=40", sorts, outcome{query: "sort=asc&seqno=2000000", status: absent, text: noBlock.text}, outcome{value: "up", status: unprocessable, text: "wrong value for sort parameter"}},
			"cursor": {"limit=1000&seqno=40", pagesByCursor, outcome{value: "{end of the list}"}, outcome{value: "x", status: unprocessable, text: "cursor"}},
		}),
		of("GET /transactionsByMessage", paged(byOpcode, "opcode=0x0badbad0"), map[string]row{
			"msg_hash":    finds(byOpcode, only("in_msg.hash")),
			"body_hash":   finds(byOpcode, only("in_msg.message_content.hash")),
			"opcode":      finds("", selects(to("in_msg.opcode"), "0x0f8a7ea5", "0x178d4519")),
			"source":      finds(byOpcode, only("in_msg.source")),
			"destination": finds(byOpcode, only("in_msg.destination")),
			"direction": {"msg_hash={message}&limit=1000", func(t *testing.T, p parameterCase) {
				t.Helper()
				require.Len(t, p.with(t).rows, 2)
				require.Equal(t, []string{p.names["message"]}, members(p.with(t, "in").rows, "in_msg.hash"))
				require.Contains(t, members(p.with(t, "out").rows, "out_msgs.hash"), p.names["message"])
				require.Len(t, p.with(t, "out").rows, 1)
			}, outcome{query: "direction=out&msg_hash={from outside}"}, outcome{
				value: "sideways", status: unprocessable, text: "direction should be one of: in, out",
			}},
		}),
		of("GET /adjacentTransactions", map[string]row{
			"hash": {"", differs("{middle}", "{other middle}"), noneAdjacent, outcome{}},
			"direction": {"hash={middle}", func(t *testing.T, p parameterCase) {
				t.Helper()
				parents, children := p.with(t, "in").rows, p.with(t, "out").rows
				require.Len(t, parents, 1)
				require.NotEmpty(t, children)
				require.Equal(t, texts(p.with(t).rows), texts(slices.Concat(parents, children)))
				require.Contains(t, members(parents, "out_msgs.hash"), p.names["message"])
			}, outcome{query: "direction=in&hash={root}", status: absent, text: noneAdjacent.text},
				outcome{value: "sideways", like: "none"}}, // every other value means both
		}),
	)
}

func messageRows() map[string]row {
	const (
		base  = "limit=1000&start_lt={lt 40}&end_lt={lt 50}"
		mixed = "limit=1000&destination={faucet}" // internal and external-in messages
	)
	withSide := func(direction, side string) effect {
		return keeps(direction, "hash", func(row any) bool { return len(values(row, side)) > 0 })
	}
	outside := func(row any) bool { return len(values(row, "source")) == 0 }
	inside := func(row any) bool { return !outside(row) }
	return of("GET /messages", paged(base, "source={nobody}"), ranged("limit=1000&source={faucet}", "created_at", "created_lt"), map[string]row{
		"msg_hash":  finds(base, only("hash")),
		"hash":      finds(base, only("hash")),
		"body_hash": finds(base, only("message_content.hash")),
		"opcode":    finds(base, only("opcode")),
		"source":    finds(mixed, each(only("source"), keeps("null", "hash", outside))),
		"destination": finds(fullList, each(only("destination"), keeps("null", "hash", func(row any) bool {
			return len(values(row, "destination")) == 0
		}))),
		"direction": {fullList, each(withSide("in", "in_msg_tx_hash"), withSide("out", "out_msg_tx_hash")),
			outcome{query: "direction=out&msg_hash={from outside}"}, outcome{value: "sideways", status: unprocessable, text: "direction should be one of: in, out"}},
		"exclude_externals": {mixed, keeps("true", "hash", inside), outcome{query: "exclude_externals=true&only_externals=true"}, outcome{}},
		"only_externals":    {mixed, keeps("true", "hash", outside), outcome{query: "exclude_externals=true&only_externals=true"}, outcome{}},
	})
}
