package conformance

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const (
	graphqlPath = "graphql"
	docGraphQL  = "conformance.md#graphql"
)

// gql makes a row of the table.
func gql(id string, class Class, expect string, run func(*probe)) Check {
	return Check{ID: "graphql." + id, Section: GraphQL, Class: class, Expect: expect, Doc: docGraphQL, run: run}
}

// graphqlRecords are the members of the objects of GraphQL, as graphqlFields selects them.
var graphqlRecords = map[string]string{
	"gqlBlock":       "id str, workchain int, shard shard, seqno int, rootHash hash, fileHash hash, mcSeqno int, globalId int, keyBlock bool, genUtime time, startLt dec, endLt dec, txCount int",
	"gqlTransaction": "id str, hash hash, lt dec, now time, prevHash hash, prevLt dec, origStatus str, endStatus str, totalFees dec, mcSeqno int, account gqlAddress, description gqlDescription, inMessage gqlHash?, outMessages [gqlHash]",
	"gqlAddress":     "address addr",
	"gqlHash":        "hash hash", //nolint:dupword // a member and its kind
	"gqlDescription": "kind str, aborted bool, outcome str",
	"gqlMessage":     "id str, hash hash, kind str, source gqlAddress?, destination gqlAddress?, value dec?, createdLt dec?, opcode opcode?, bodyHash hash, body boc",
	"gqlTrace":       "id str, hash hash, state str, finality str, startLt dec, endLt dec, startUtime time, endUtime time, mcSeqnoStart int, mcSeqnoEnd int, transactionCount int",
	"gqlAction":      "id str, hash hash, type str, success bool?",
	"gqlAccount":     "id str, address addr, mcSeqno int?, state gqlState?",
	"gqlState":       "lt dec, txHash hash, hash hash, status str, balance dec, codeHash hash?, dataHash hash?",
	"gqlMaster":      "id str, totalSupply dec, mintable bool, account gqlAddress, lastTxLt dec",
	"gqlWallet":      "id str, balance dec, account gqlAddress, owner gqlAddress, jettonAccount gqlAddress, lastTxLt dec",
}

// graphqlFields are the selections of those objects.
var graphqlFields = map[string]string{
	"gqlBlock":       "id workchain shard seqno rootHash fileHash mcSeqno globalId keyBlock genUtime startLt endLt txCount",
	"gqlTransaction": "id hash lt now prevHash prevLt origStatus endStatus totalFees mcSeqno account { address } description { kind aborted outcome } inMessage { hash } outMessages { hash }",
	"gqlMessage":     "id hash kind source { address } destination { address } value createdLt opcode bodyHash body",
	"gqlTrace":       "id hash state finality startLt endLt startUtime endUtime mcSeqnoStart mcSeqnoEnd transactionCount",
	"gqlAction":      "id hash type success",
	"gqlAccount":     "id address mcSeqno state { lt txHash hash status balance codeHash dataHash }",
	"gqlMaster":      "id totalSupply mintable account { address } lastTxLt",
	"gqlWallet":      "id balance account { address } owner { address } jettonAccount { address } lastTxLt",
}

// graphql executes a query that must succeed and returns data.
func (p *probe) graphql(query string, variables ...any) value {
	response := p.read(graphqlRequest(query, variables))
	if response.ok && response.has("errors") {
		p.failf("the query has errors: %s", cut(p.first(response.at("errors"), "errors").text("message"), 200))
	}
	return response.at("data")
}

// graphqlRequest has variables as name, value, ….
func graphqlRequest(query string, variables []any) request {
	named := map[string]any{}
	for i := 0; i+1 < len(variables); i += 2 {
		named[variables[i].(string)] = variables[i+1] //nolint:errcheck,forcetypeassert // the tables of this package call it
	}
	return request{method: http.MethodPost, path: graphqlPath, body: map[string]any{"query": query, "variables": named}}
}

// graphqlRefused executes a query that must have an error: with a message, and a code that programs can compare.
func (p *probe) graphqlRefused(query string, variables ...any) {
	response := p.read(graphqlRequest(query, variables))
	first := p.first(response.at("errors"), "errors")
	p.requiref(!first.ok || first.text("message") != "", "the error has no message")
	p.requiref(!first.ok || first.text("extensions", "code") != "", "the error has no extensions.code")
}

// graphqlList is a connection whose checks are the same as those of others.
type graphqlList struct {
	field    string
	record   string
	id       string
	where    string // filter that keeps the list from growing, with $mc as a settled masterchain seqno
	ordered  string // member that orders the list; empty if another one does
	sortable bool
}

var graphqlLists = []graphqlList{
	{field: "blocks", record: "gqlBlock", id: "rootHash", where: "workchain: -1", ordered: "seqno", sortable: true},
	{field: "transactions", record: "gqlTransaction", id: "hash", where: "endLt: $lt", ordered: "lt", sortable: true},
	{field: "messages", record: "gqlMessage", id: "hash", where: "kind: INTERNAL, endLt: $lt", ordered: "createdLt", sortable: true},
	{field: "traces", record: "gqlTrace", id: "hash", where: "endLt: $lt", ordered: "endLt", sortable: true},
	{field: "actions", record: "gqlAction", id: "hash", where: "endLt: $lt", sortable: true},
	{field: "jettonMasters", record: "gqlMaster", id: "id"},
	{field: "jettonWallets", record: "gqlWallet", id: "id"},
}

// read reads a page: arguments behind the filter, and the connection.
func (l graphqlList) read(p *probe, arguments string) value {
	filter, declared := "", ""
	var variables []any
	if l.where != "" {
		filter = "where: {" + l.where + "}, "
		if strings.Contains(l.where, "$lt") {
			declared, variables = "query($lt: BigInt) ", []any{"lt", p.graphqlSettled().text("startLt")}
		}
	}
	query := declared + "{ " + l.field + "(" + filter + arguments + ") { edges { cursor node { " + graphqlFields[l.record] + " } } nodes { " + l.id +
		" } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }"
	return p.graphql(query, variables...).at(l.field)
}

func (l graphqlList) ids(connection value) []string {
	return column(connection.at("edges").rows(), "node", l.id)
}

// graphqlSettled is a masterchain block some blocks before the head.
func (p *probe) graphqlSettled() value {
	return p.fact("masterchain block of GraphQL", func() value {
		ends := p.graphql("{ masterchain { first { seqno } last { seqno } } }").at("masterchain")
		n := max(ends.small("first", "seqno"), ends.small("last", "seqno")-settledBlocks)
		return p.graphql("query($n: UInt32!) { masterchain(at: {seqno: $n}) { block { "+graphqlFields["gqlBlock"]+" } } }", "n", n).at("masterchain", "block")
	})
}

// graphqlSample is a page of settled transactions of several accounts.
func (p *probe) graphqlSample() value {
	return p.fact("transactions of GraphQL", func() value {
		return p.graphql("query($lt: BigInt) { transactions(where: {endLt: $lt}, first: 50) { nodes { "+graphqlFields["gqlTransaction"]+
			" outMessages { destinationTransaction { hash inMessage { hash } trace { hash } } } trace { hash } } } }", "lt", p.graphqlSettled().text("startLt")).at("transactions", "nodes")
	})
}

// graphqlTransaction is a transaction of an ordinary account.
func (p *probe) graphqlTransaction() value {
	for _, tx := range p.graphqlSample().rows() {
		if tx.text("description", "kind") == "ORD" && tx.has("inMessage") && strings.HasPrefix(tx.text("account", "address"), "0:") {
			return tx
		}
	}
	p.skipf("no transaction of the sample is an ordinary one of the basechain")
	return value{p: p, path: "transaction"}
}

func (l graphqlList) checks() []Check {
	list := "`" + l.field + "`"
	checks := []Check{
		gql(l.field+".fields", Fields, "Objects of "+list+" have their fields in the forms of the schema.", func(p *probe) {
			rows := l.read(p, "first: 20").at("edges").rows()
			for _, row := range rows {
				row.at("node").conforms(l.record)
			}
			p.someRows(rows, 1, l.field)
		}),
		gql(l.field+".nodes", Consistency, "`nodes` of "+list+" are the nodes of its edges, and the cursors of `pageInfo` are those of the ends.", func(p *probe) {
			connection := l.read(p, "first: 5")
			edges := connection.at("edges").rows()
			p.same(column(connection.at("nodes").rows(), l.id), l.ids(connection), "nodes")
			if p.someRows(edges, 1, l.field) {
				p.equal(connection.text("pageInfo", "startCursor"), edges[0].text("cursor"), "startCursor")
				p.equal(connection.text("pageInfo", "endCursor"), edges[len(edges)-1].text("cursor"), "endCursor")
			}
		}),
		gql(l.field+".paging", Paging, "Pages of "+list+" from cursor to cursor are one list without gaps and doubles.", func(p *probe) {
			l.paged(p, "first", "after", "endCursor")
		}),
		gql(l.field+".paging-back", Paging, "Pages of "+list+" before a cursor are the same list.", func(p *probe) { l.back(p) }),
		gql(l.field+".limit", Limits, "`first` bounds the page of "+list+", and `hasNextPage` says that more follow.", func(p *probe) {
			connection := l.read(p, "first: 1")
			if p.someRows(l.read(p, "first: 2").at("edges").rows(), 2, l.field) {
				p.requiref(len(connection.at("edges").rows()) == 1, "first: 1 returns %d", len(connection.at("edges").rows()))
				p.requiref(connection.truth("pageInfo", "hasNextPage"), "hasNextPage is false, and there are more")
			}
		}),
		gql(l.field+".limit-max", Errors, "A page beyond the maximum of "+list+" is an error.", func(p *probe) { p.graphqlRefused("{ " + l.field + "(first: 1000000) { nodes { " + l.id + " } } }") }),
		gql(l.field+".cursor-invalid", Errors, "A cursor that "+list+" did not return is an error.", func(p *probe) {
			p.graphqlRefused("{ " + l.field + "(first: 1, after: \"elsewhere\") { nodes { " + l.id + " } } }")
		}),
	}
	if l.sortable && l.ordered != "" {
		checks = append(checks, gql(l.field+".order", Order, "`sort` orders "+list+" by `"+l.ordered+"`.", func(p *probe) {
			for sort, direction := range map[string]int{"ASC": 1, "DESC": -1} {
				rows := l.read(p, "first: 20, sort: "+sort).at("edges").rows()
				p.ordered(rows, direction, "node", l.ordered)
				p.someRows(rows, 2, l.field)
			}
		}))
	}
	return checks
}

// paged compares pages of two with a page of six.
func (l graphqlList) paged(p *probe, size, from, cursor string) {
	for attempt := 1; ; attempt++ {
		all, pages, arguments := l.ids(l.read(p, size+": 6")), []string(nil), size+": 2"
		p.distinct(all, l.field)
		for range 3 {
			connection := l.read(p, arguments)
			pages = append(pages, l.ids(connection)...)
			if !connection.at("pageInfo").has(cursor) {
				break
			}
			arguments = size + ": 2, " + from + ": " + strconv.Quote(connection.text("pageInfo", cursor))
		}
		if slices.Equal(pages, all) || attempt == 3 || p.over() {
			p.same(pages, all, l.field)
			p.someRows(make([]value, len(all)), 1, l.field)
			return
		}
	}
}

// back compares the page before a cursor with the beginning of the list.
func (l graphqlList) back(p *probe) {
	for attempt := 1; ; attempt++ {
		all := l.read(p, "first: 4")
		ids, edges := l.ids(all), all.at("edges").rows()
		if !p.someRows(edges, 3, l.field) {
			return
		}
		end := len(edges) - 1
		before := l.ids(l.read(p, "last: 2, before: "+strconv.Quote(edges[end].text("cursor"))))
		if slices.Equal(before, ids[end-2:end]) || attempt == 3 || p.over() {
			p.same(before, ids[end-2:end], l.field)
			return
		}
	}
}

func graphqlChecks() []Check {
	var checks []Check
	for _, l := range graphqlLists {
		checks = append(checks, l.checks()...)
	}
	return append(checks,
		gql("typename", Routes, "`__typename` of the root is `Query`.", func(p *probe) { p.equal(p.graphql("{ __typename }").text("__typename"), "Query", "__typename") }),
		gql("get", Routes, "A query is also accepted by GET.", func(p *probe) {
			p.equal(p.read(request{method: http.MethodGet, path: graphqlPath, query: parameters([]string{"query", "{ __typename }"})}).text("data", "__typename"), "Query", "__typename")
		}),
		gql("introspection", Routes, "Introspection describes the types of the roots.", func(p *probe) {
			p.equal(p.graphql("{ __schema { queryType { name } } }").text("__schema", "queryType", "name"), "Query", "the root type")
		}),
		gql("variables", Encoding, "A variable has the effect of a literal, and an alias renames a field.", func(p *probe) {
			n := p.graphqlSettled().small("seqno")
			literal := p.graphql("{ a: masterchain(at: {seqno: "+itoa(n)+"}) { block { rootHash } } }").text("a", "block", "rootHash")
			variable := p.graphql("query($n: UInt32!) { b: masterchain(at: {seqno: $n}) { block { rootHash } } }", "n", n).text("b", "block", "rootHash")
			p.equal(variable, literal, "rootHash")
		}),
		gql("typename-of-objects", Consistency, "`node` fetches an object by its id, with the same type.", func(p *probe) {
			id := p.graphqlTransaction().text("id")
			node := p.graphql("query($id: ID!) { node(id: $id) { __typename id } }", "id", id).at("node")
			p.equal(node.text("__typename"), "Transaction", "__typename")
			p.equal(node.text("id"), id, "id")
		}),
		gql("masterchain.agrees", Consistency, "`masterchain` at a block has that block, within the first and the last.", func(p *probe) {
			b := p.graphqlSettled()
			b.conforms("gqlBlock")
			state := p.graphql("query($n: UInt32!) { masterchain(at: {seqno: $n}) { block { rootHash } first { seqno } last { seqno } shards { workchain shard seqno } } }", "n", b.small("seqno")).at("masterchain")
			p.equal(state.text("block", "rootHash"), b.text("rootHash"), "rootHash")
			p.requiref(state.small("first", "seqno") <= b.small("seqno"), "the first block is after it")
			p.requiref(covers(p, state.at("shards").rows()) || p.over(), "the shards of the basechain do not cover it exactly once")
		}),
		gql("transaction.by-hash", Filters, "`transaction` finds exactly that transaction, by base64 and by hex.", func(p *probe) {
			hash := p.graphqlTransaction().text("hash")
			for _, form := range hashForms(hash) {
				p.equal(p.graphql("query($h: Hash!) { transaction(hash: $h) { hash } }", "h", form).text("transaction", "hash"), hash, "hash by "+form)
			}
		}),
		gql("transaction.unknown", Filters, "An unknown transaction is null, and that is no error.", func(p *probe) {
			p.requiref(p.graphql("query($h: Hash!) { transaction(hash: $h) { hash } }", "h", noHash).at("transaction").null(), "transaction is not null")
		}),
		gql("transactions.by-account", Filters, "`accounts` selects transactions of those accounts only.", func(p *probe) {
			account := p.graphqlTransaction().text("account", "address")
			rows := p.graphql("query($a: [Address!]) { transactions(where: {accounts: $a}, first: 20) { nodes { account { address } } } }", "a", []string{account}).at("transactions", "nodes").rows()
			for _, row := range rows {
				p.equal(row.text("account", "address"), account, row.path+".account.address")
			}
			p.requiref(len(rows) > 0 || p.over(), "no transaction of an account that has some")
		}),
		gql("transactions.by-block", Filters, "`mcSeqno` selects transactions that the masterchain block committed.", func(p *probe) {
			n := p.graphqlTransaction().small("mcSeqno")
			rows := p.graphql("query($n: UInt32) { transactions(where: {mcSeqno: $n}, first: 100) { nodes { mcSeqno hash } } }", "n", n).at("transactions", "nodes").rows()
			for _, row := range rows {
				p.equal(row.text("mcSeqno"), itoa(n), row.path+".mcSeqno")
			}
			p.requiref(len(rows) == 100 || p.over() || slices.Contains(column(rows, "hash"), p.graphqlTransaction().text("hash")), "the transaction is missing")
		}),
		gql("account.agrees", Consistency, "The state of an account and that in `accounts` are the same; forms of the address make no difference.", func(p *probe) {
			address := p.graphqlTransaction().text("account", "address")
			p.unchanged(func() ([]string, []string) {
				both := p.graphql("query($a: Address!, $b: [Address!]!) { account(address: $a) { "+graphqlFields["gqlAccount"]+" } accounts(addresses: $b) { address state { hash } } }",
					"a", friendlyOf(address), "b", []string{address})
				both.at("account").conforms("gqlAccount")
				row := p.first(both.at("accounts"), "accounts")
				return []string{both.text("account", "address"), both.text("account", "state", "hash")}, []string{row.text("address"), row.text("state", "hash")}
			})
		}),
		gql("messages.sides", Consistency, "The transaction that received a message has it as its in-message, in the same trace.", func(p *probe) {
			compared := 0
			for _, tx := range p.graphqlSample().rows() {
				for _, m := range tx.at("outMessages").rows() {
					if m.has("destinationTransaction") {
						p.equal(m.text("destinationTransaction", "inMessage", "hash"), m.text("hash"), m.path+".destinationTransaction.inMessage.hash")
						if tx.has("trace") && m.at("destinationTransaction").has("trace") {
							p.equal(m.text("destinationTransaction", "trace", "hash"), tx.text("trace", "hash"), m.path+" trace")
						}
						compared++
					}
				}
			}
			if compared == 0 {
				p.skipf("no message of the sample is received")
			}
		}),
		gql("trace.agrees", Consistency, "`transactionCount` of a trace is the number of its transactions.", func(p *probe) {
			trace := p.graphql("query($h: Hash!) { trace(by: {transaction: $h}) { hash transactionCount transactions(first: 100) { nodes { hash } } } }", "h", p.graphqlTransaction().text("hash")).at("trace")
			rows := trace.at("transactions", "nodes").rows()
			p.requiref(int64(len(rows)) == min(100, trace.small("transactionCount")), "%d transactions, and transactionCount is %d", len(rows), trace.small("transactionCount"))
			p.requiref(len(rows) == 100 || p.over() || slices.Contains(column(rows, "hash"), p.graphqlTransaction().text("hash")), "the transaction is missing")
		}),
		gql("errors.syntax", Errors, "A document that cannot be parsed is an error.", func(p *probe) { p.graphqlRefused("{") }),
		gql("errors.field", Errors, "A field that the schema lacks is an error.", func(p *probe) { p.graphqlRefused("{ noSuchField }") }),
		gql("errors.variable", Errors, "A variable in an unreadable form is an error.", func(p *probe) {
			p.graphqlRefused("query($h: Hash!) { transaction(hash: $h) { hash } }", "h", "zz")
		}),
		gql("errors.both-ends", Errors, "`first` together with `last` is an error.", func(p *probe) { p.graphqlRefused("{ transactions(first: 1, last: 1) { nodes { hash } } }") }),
		gql("errors.malformed", Errors, "A body that is no JSON is refused with 400.", func(p *probe) {
			body := p.refused(request{method: http.MethodPost, path: graphqlPath, body: "{"}, http.StatusBadRequest)
			p.requiref(!body.ok || p.first(body.at("errors"), "errors").text("message") != "", "the error has no message")
		}),
		gql("v3.transaction", Consistency, "GraphQL and /api/v3 agree about a transaction.", func(p *probe) {
			if !p.facts.has(V3) {
				p.skipf("the server has no /api/v3, or it is not selected")
			}
			tx := p.received()
			other := p.graphql("query($h: Hash!) { transaction(hash: $h) { "+graphqlFields["gqlTransaction"]+" } }", "h", tx.text("hash")).at("transaction")
			p.equal(other.text("lt"), tx.text("lt"), "lt")
			p.equal(other.text("account", "address"), tx.text("account"), "account")
			p.equal(other.text("totalFees"), tx.text("total_fees"), "totalFees")
			p.equal(other.text("mcSeqno"), tx.text("mc_block_seqno"), "mcSeqno")
			p.equal(other.text("inMessage", "hash"), tx.text("in_msg", "hash"), "the hash of the message")
			p.same(column(other.at("outMessages").rows(), "hash"), column(tx.at("out_msgs").rows(), "hash"), "messages sent")
		}),
		gql("v3.block", Consistency, "GraphQL and /api/v3 agree about a masterchain block.", func(p *probe) {
			if !p.facts.has(V3) {
				p.skipf("the server has no /api/v3, or it is not selected")
			}
			b := p.settled()
			other := p.graphql("query($n: UInt32!) { masterchain(at: {seqno: $n}) { block { rootHash startLt txCount } } }", "n", b.small("seqno")).at("masterchain", "block")
			p.equal(other.text("rootHash"), b.text("root_hash"), "rootHash")
			p.equal(other.text("startLt"), b.text("start_lt"), "startLt")
			p.equal(other.text("txCount"), b.text("tx_count"), "txCount")
		}),
		gql("subscription.sse", Events, "A subscription to masterchain blocks by Server-Sent Events sends each block once, in order.", func(p *probe) { p.blockEvents(p.overSSE) }),
		gql("subscription.websocket", Events, "The same subscription over a WebSocket (graphql-transport-ws) sends the same.", func(p *probe) { p.blockEvents(p.overWebSocket) }),
	)
}
