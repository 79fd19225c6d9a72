package recordedtest_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
)

// sources has for arguments and members of filters where their values are: pool:path.
var sources = map[string]string{
	"Query.counterparties(address)": "transactions:account",
	"Query.account(address)":        "transactions:account", "Query.accounts(addresses)": "transactions:account",
	"Query.action(hash)": "actions:action_id", "Query.transaction(hash)": "transactions:hash", "Query.message(hash)": "messages:hash|hash_norm",
	"Query.jettonMaster(address)": "masters:address", "Query.jettonWallet(address)": "wallets:address",
	"Query.nftCollection(address)": "collections:address", "Query.nftItem(address)": "items:address", "Query.nftSale(address)": "sales:address",
	"Query.nftOwner(address)": "items:address", "Query.decode(opcodes)": "messages:opcode", "Query.decode(bodies)": "messages:message_content.body",
	"Query.search(text)": "search:text", "Query.pendingTraces(account)": "transactions:account", "Query.pendingTraces(messages)": "messages:hash",
	"Query.disassembly(address)": "states:address", "Query.accountsByCode(codeHash)": "states:code_hash", "Query.codeSources(codeHash)": "states:code_hash",
	"SimulatedMessage.hash": "messages:hash", "Query.runGetMethod(address)": "states:address", "Query.runGetMethod(mcSeqno)": "transactions:mc_block_seqno",

	"AtBlock.seqno": "transactions:mc_block_seqno", "AtBlock.lt": "transactions:lt", "AtBlock.utime": "transactions:now",
	"BlockBy.rootHash": "blocks:root_hash", "BlockBy.fileHash": "blocks:file_hash", "BlockBy.mcSeqno": "transactions:mc_block_seqno",
	"BlockIdInput.workchain": "blocks:workchain", "BlockIdInput.shard": "blocks:shard", "BlockIdInput.seqno": "blocks:seqno",
	"TraceBy.hash": "traces:trace_id", "TraceBy.transaction": "transactions:hash", "TraceBy.message": "messages:hash|hash_norm",

	"ActionWhere.account": "actions:accounts", "ActionWhere.transactions": "actions:transactions",
	"ActionWhere.messages": "actions:transactions_full.in_msg.hash|transactions_full.out_msgs.hash", "ActionWhere.hashes": "actions:action_id",
	"ActionWhere.traces": "actions:trace_id", "ActionWhere.mcSeqno": "actions:trace_mc_seqno_end", "ActionWhere.startUtime": "actions:trace_end_utime",
	"ActionWhere.endUtime": "actions:trace_end_utime", "ActionWhere.startLt": "actions:trace_end_lt", "ActionWhere.endLt": "actions:trace_end_lt",
	"ActionWhere.types": "actions:type", "ActionWhere.excludeTypes": "actions:type", "ActionWhere.supported": "actions:type",
	"BlockWhere.workchain": "blocks:workchain", "BlockWhere.shard": "blocks:shard", "BlockWhere.mcSeqno": "transactions:mc_block_seqno",
	"TransactionWhere.startUtime": "transactions:now", "TransactionWhere.endUtime": "transactions:now",
	"MessageWhere.startUtime": "messages:created_at", "MessageWhere.endUtime": "messages:created_at",
	"BlockWhere.startUtime": "blocks:gen_utime", "BlockWhere.endUtime": "blocks:gen_utime",
	"DNSRecordWhere.wallet": "records:dns_wallet", "DNSRecordWhere.domain": "records:domain", "DNSAuctionWhere.bidder": "auctions:max_bid_address",
	"JettonMasterWhere.addresses": "masters:address", "JettonMasterWhere.admins": "masters:admin_address",
	"JettonWalletWhere.addresses": "wallets:address", "JettonWalletWhere.owners": "wallets:owner", "JettonWalletWhere.jettons": "wallets:jetton",
	"JettonTransferWhere.owners": "transfers:source|destination", "JettonTransferWhere.jettonWallets": "transfers:source_wallet",
	"JettonTransferWhere.jetton": "transfers:jetton_master", "JettonTransferWhere.startUtime": "transfers:transaction_now",
	"JettonTransferWhere.endUtime": "transfers:transaction_now", "JettonTransferWhere.startLt": "transfers:transaction_lt",
	"JettonTransferWhere.endLt": "transfers:transaction_lt",
	"JettonBurnWhere.owners":    "burns:owner", "JettonBurnWhere.jettonWallets": "burns:jetton_wallet", "JettonBurnWhere.jetton": "burns:jetton_master",
	"JettonBurnWhere.startUtime": "burns:transaction_now", "JettonBurnWhere.endUtime": "burns:transaction_now",
	"JettonBurnWhere.startLt": "burns:transaction_lt", "JettonBurnWhere.endLt": "burns:transaction_lt",
	"MessageWhere.hashes": "messages:hash|hash_norm", "MessageWhere.bodyHash": "messages:message_content.hash", "MessageWhere.source": "messages:source",
	"MessageWhere.destination": "messages:destination", "MessageWhere.opcode": "messages:opcode", "MessageWhere.startLt": "messages:created_lt",
	"MessageWhere.endLt":      "messages:created_lt",
	"MultisigWhere.addresses": "multisigs:address", "MultisigWhere.members": "multisigs:signers|proposers",
	"MultisigOrderWhere.addresses": "orders:address", "MultisigOrderWhere.multisigs": "orders:multisig_address",
	"NFTCollectionWhere.addresses": "collections:address", "NFTCollectionWhere.owners": "collections:owner_address",
	"NFTItemWhere.addresses": "items:address", "NFTItemWhere.owners": "items:owner_address|real_owner",
	"Query.nftTraits(collection)": "items:collection_address",
	"NFTItemWhere.collections":    "items:collection_address", "NFTItemWhere.indexes": "items:index",
	"NFTTransferWhere.owners": "moves:old_owner|new_owner", "NFTTransferWhere.items": "moves:nft_address",
	"NFTTransferWhere.collection": "moves:nft_collection", "NFTTransferWhere.startUtime": "moves:transaction_now",
	"NFTTransferWhere.endUtime": "moves:transaction_now", "NFTTransferWhere.startLt": "moves:transaction_lt", "NFTTransferWhere.endLt": "moves:transaction_lt",
	"NFTSaleWhere.addresses": "sales:address", "NFTSaleWhere.sellers": "sales:nft_owner_address|details.nft_owner_address|real_owner",
	"TraceWhere.account": "traces:transactions.*.account", "TraceWhere.hashes": "traces:trace_id", "TraceWhere.transactions": "traces:transactions_order",
	"TraceWhere.messages": "traces:transactions.*.in_msg.hash", "TraceWhere.mcSeqno": "traces:mc_seqno_end", "TraceWhere.startUtime": "traces:end_utime",
	"TraceWhere.endUtime": "traces:end_utime", "TraceWhere.startLt": "traces:end_lt", "TraceWhere.endLt": "traces:end_lt",
	"TransactionWhere.accounts": "transactions:account", "TransactionWhere.excludeAccounts": "transactions:account",
	"TransactionWhere.hashes": "transactions:hash", "TransactionWhere.mcSeqno": "transactions:mc_block_seqno", "TransactionWhere.startLt": "transactions:lt",
	"TransactionWhere.endLt": "transactions:lt", "TransactionWhere.opcode": "messages:opcode", "TransactionWhere.counterparties": "messages:source",
	"TransactionWhere.minValue": "messages:value", "TransactionWhere.maxValue": "messages:value",
	"MessageWhere.minValue": "messages:value", "MessageWhere.maxValue": "messages:value",
	"ActionWhere.opcode": "messages:opcode", "ActionWhere.counterparties": "actions:accounts", "ActionWhere.asset": "masters:address",
	"ActionWhere.minAmount": "transfers:amount", "ActionWhere.maxAmount": "transfers:amount",
	"JettonTransferWhere.counterparties": "transfers:source|destination", "JettonTransferWhere.minAmount": "transfers:amount",
	"JettonTransferWhere.maxAmount": "transfers:amount", "NFTTransferWhere.counterparties": "moves:old_owner|new_owner",
	"JettonBurnWhere.minAmount": "burns:amount", "JettonBurnWhere.maxAmount": "burns:amount",
	"PoolEventWhere.pool": "transactions:account", "PoolEventWhere.nominator": "transactions:account", "PoolEventWhere.startUtime": "transactions:now",
	"PoolEventWhere.endUtime": "transactions:now", "PoolValidatorEventWhere.pool": "transactions:account", "PoolValidatorEventWhere.validator": "transactions:account",
	"PoolValidatorEventWhere.startUtime": "transactions:now", "PoolValidatorEventWhere.endUtime": "transactions:now",
	"ValidatorCycleWhere.start": "blocks:gen_utime", "ValidatorCycleWhere.electionId": "blocks:gen_utime", "ValidatorCycleWhere.startUtime": "blocks:gen_utime", "ValidatorCycleWhere.endUtime": "blocks:gen_utime",
	"ValidatorCycleWhere.stakeHolder": "states:address", "ValidatorCycleWhere.adnl": "blocks:root_hash", "ValidatorCycleWhere.publicKey": "blocks:root_hash",
	"ValidatorElectionWhere.id": "blocks:gen_utime", "ValidatorElectionWhere.startUtime": "blocks:gen_utime", "ValidatorElectionWhere.endUtime": "blocks:gen_utime",
	"ValidatorElectionWhere.stakeHolder": "states:address", "ValidatorElectionWhere.adnl": "blocks:root_hash", "ValidatorElectionWhere.publicKey": "blocks:root_hash",
	"ValidatorComplaintWhere.cycleStart": "blocks:gen_utime", "ValidatorComplaintWhere.electionId": "blocks:gen_utime", "ValidatorComplaintWhere.startUtime": "blocks:gen_utime", "ValidatorComplaintWhere.endUtime": "blocks:gen_utime",
	"ValidatorComplaintWhere.stakeHolder": "states:address", "ValidatorComplaintWhere.adnl": "blocks:root_hash", "ValidatorComplaintWhere.publicKey": "blocks:root_hash",
	"StakeEventWhere.stakeHolder": "transactions:account", "StakeEventWhere.publicKey": "blocks:root_hash", "StakeEventWhere.startUtime": "transactions:now",
	"StakeEventWhere.endUtime": "transactions:now",
	"VestingWhere.contracts":   "vestings:address", "VestingWhere.wallets": "vestings:owner_address|whitelist",
}

// constants has the values of arguments that are not in rows.
var constants = map[string][]string{
	"NFTItemWhere.trait": {`{name: "Colour", value: "red"}`, `{value: "none"}`}, "NFTCollection.items(where)": {`{trait: {name: "Colour", value: "red"}}`},
	"TransactionWhere.workchain": {"0", "-1", "5"}, "MessageWhere.workchain": {"0", "-1", "5"},
	"TransactionWhere.exitCode": {"0", "1", "33", "-14"}, "Trace.steps(skip)": {"0", "1", "5000", "-1"},
	"Query.runGetMethod(method)": {`"seqno"`, `"get_jetton_data"`, `"get_nft_data"`, `"no_such_method"`}, "Query.runGetMethod(stack)": {`[{type: "num", value: "1"}]`, `[{type: "tuple", items: [{type: "num", value: "1"}]}]`},
	"Config.params(indexes)": {"[8, 15, 17]", "[1000]", "[]"}, "Trace.actions(supported)": {`["v1"]`, `["latest"]`, `["no_such_type"]`},
}

// typical has a value of the scalars, for pools without rows.
var typical = map[string][]string{"Address": {"0:" + strings.Repeat("1", 64)}, "Hash": {strings.Repeat("A", 43) + "="}}

// documents makes GraphQL requests out of the schema.
type documents struct {
	*generator
}

// graphQL sends the requests of GraphQL.
func (g *generator) graphQL() {
	g.t.Helper()
	g.searchable()
	d := documents{g}
	for _, f := range schema.Query.Fields {
		key := "Query." + f.Name
		if strings.HasPrefix(f.Name, "__") || notRecorded[key] != "" || f.Name == "node" || f.Name == "nodes" {
			continue
		}
		d.root(f)
	}
	if d.deep {
		d.details()
		d.nodes()
	}
	d.query(`{ pendingTraces(first: 2) { id } }`)
	for _, wrong := range []string{
		"{ nothing }", "{ transactions(first: 101) { nodes { hash } } }", "{ transactions(first: 1, last: 1) { nodes { hash } } }",
		`{ transactions(after: "zz") { nodes { hash } } }`, `{ account(address: "zz") { address } }`, `{ transaction(hash: "zz") { hash } }`,
	} {
		d.send(wrong)
	}
}

// searchable fills the pool of texts to search for.
func (g *generator) searchable() {
	for _, pool := range []string{
		"transactions:account", "transactions:hash", "messages:hash|hash_norm", "blocks:root_hash", "blocks:seqno", "masters:address",
		"masters:jetton_content.symbol|jetton_content.name", "items:address", "collections:address", "records:domain", "traces:external_hash",
	} {
		name, path, _ := strings.Cut(pool, ":")
		for _, v := range spread(g.values(name, path), 2*g.width) {
			g.pools["search"] = append(g.pools["search"], map[string]any{"text": v})
		}
	}
	for _, v := range spread(g.values("transactions", "hash"), g.width) {
		hash, err := base64.StdEncoding.DecodeString(v)
		require.NoError(g.t, err)
		g.pools["search"] = append(g.pools["search"], map[string]any{"text": hex.EncodeToString(hash[:5])})
	}
	const mistyped = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vG" // the Elector, but for the last character
	for _, v := range []string{
		"no such thing", "", "a", "wallet", strings.Repeat("x", 300), "elector", mistyped, "-1:8:3", "( -1, -9223372036854775808, 4 )",
	} {
		g.pools["search"] = append(g.pools["search"], map[string]any{"text": v})
	}
}

// send sends a document.
func (d documents) send(text string) exchange {
	d.t.Helper()
	body, err := json.Marshal(map[string]string{"query": text})
	require.NoError(d.t, err)
	return d.add(exchange{Method: http.MethodPost, Target: "/graphql", Body: string(body)})
}

// query sends a document that must be valid, and returns the data.
func (d documents) query(text string) map[string]any {
	d.t.Helper()
	e := d.send(text)
	var response struct {
		Data   map[string]any
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	require.NoError(d.t, json.Unmarshal([]byte(e.Response), &response), e.Response)
	for _, failure := range response.Errors {
		if failure.Extensions.Code == "TOO_LARGE" && strings.HasPrefix(failure.Message, "get-method") {
			continue // the result of a hostile contract
		}
		require.NotContains(d.t, []string{"GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED", "TOO_LARGE"}, failure.Extensions.Code, "%s\n%s", failure.Message, text)
	}
	return response.Data
}

func (d documents) typeOf(f *ast.FieldDefinition) *ast.Definition {
	return schema.Types[f.Type.Name()]
}

// node returns the type of the rows of a connection, or the type itself.
func (d documents) node(t *ast.Definition) (rows *ast.Definition, connection bool) {
	if f := t.Fields.ForName("nodes"); f != nil && t.Kind == ast.Object {
		return d.typeOf(f), true
	}
	return t, false
}

// fields returns the selection of a type: its leaves, the objects without an id inside, and, above depth 0, other objects.
func (d documents) fields(t *ast.Definition, depth int) string { return d.within(t, depth, 0) }

func (d documents) within(t *ast.Definition, depth, level int) string {
	const deepest = 3
	if t.Kind == ast.Union || t.Kind == ast.Interface {
		return "__typename"
	}
	var list []string
	for _, f := range t.Fields {
		if strings.HasPrefix(f.Name, "__") || notRecorded[t.Name+"."+f.Name] != "" {
			continue
		}
		own := d.typeOf(f)
		_, connection := d.node(own)
		switch {
		case own.IsLeafType():
			list = append(list, f.Name)
		case own.Kind == ast.Object && own.Fields.ForName("id") == nil && !connection && level < deepest && own != t:
			list = append(list, f.Name+" { "+d.within(own, depth, level+1)+" }")
		case depth > 0:
			list = append(list, d.nested(f, depth-1, ""))
		}
	}
	if len(list) == 0 {
		return "__typename"
	}
	return strings.Join(list, " ")
}

// nested returns the selection of an object or connection; args are its arguments besides first.
func (d documents) nested(f *ast.FieldDefinition, depth int, args string) string {
	rows, connection := d.node(d.typeOf(f))
	if !connection {
		if args != "" {
			args = "(" + args + ")"
		}
		return fmt.Sprintf("%s%s { %s }", f.Name, args, d.fields(rows, depth))
	}
	if !strings.Contains(args, "first:") && !strings.Contains(args, "last:") {
		args = strings.TrimPrefix(args+", first: 2", ", ")
	}
	return fmt.Sprintf("%s(%s) { %s nodes { %s } }", f.Name, args, page, d.fields(rows, depth))
}

const page = "edges { cursor node { __typename } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }"

// root sends the requests of a field of Query.
func (d documents) root(f *ast.FieldDefinition) {
	d.t.Helper()
	rows, connection := d.node(d.typeOf(f))
	variants := d.arguments("Query", f)
	if rows.IsLeafType() {
		return
	}
	for _, args := range variants {
		d.query("{ " + d.nested(f, 0, args) + " }")
	}
	if connection {
		d.paging(f, variants)
	}
	if !d.deep || f.Name == "pendingTraces" { // none is pending
		return
	}
	first := variants[:1]
	if !connection {
		first = variants[:min(len(variants), 2)]
	}
	if f.Type.Elem != nil && f.Arguments.ForName("first") != nil { // lists within lists of more rows cost more than a request may
		first = []string{"first: 1"}
	}
	for _, args := range first {
		d.each(rows, func(selection string) map[string]any {
			if connection {
				if f.Name == "transactions" && strings.HasPrefix(selection, "actions {") {
					selection = strings.ReplaceAll(selection, " code data", "") // in lists within lists they cost more than a request may
				}
				return d.query(fmt.Sprintf("{ %s(%s) { nodes { %s } } }", f.Name, strings.TrimPrefix(args+", first: 3", ", "), selection))
			}
			if args != "" {
				return d.query(fmt.Sprintf("{ %s(%s) { %s } }", f.Name, args, selection))
			}
			return d.query(fmt.Sprintf("{ %s { %s } }", f.Name, selection))
		})
	}
}

// each calls send with a selection of each object or connection of a type, and of each value of its arguments.
func (d documents) each(t *ast.Definition, send func(string) map[string]any) {
	for _, f := range t.Fields {
		if strings.HasPrefix(f.Name, "__") || notRecorded[t.Name+"."+f.Name] != "" {
			continue
		}
		own := d.typeOf(f)
		if own.IsLeafType() {
			for _, args := range d.arguments(t.Name, f) {
				if args != "" {
					send(fmt.Sprintf("%s(%s)", f.Name, args))
				}
			}
			continue
		}
		if full := d.nested(f, 1, ""); len(strings.Fields(full)) < maxFields {
			send(full)
		} else {
			d.parts(f, send)
		}
		for _, args := range d.arguments(t.Name, f) {
			if args != "" {
				send(d.nested(f, 0, args))
			}
		}
		if _, connection := d.node(own); connection {
			after := cursorOf(send(d.nested(f, 0, "first: 1")), f.Name, "endCursor")
			before := cursorOf(send(d.nested(f, 0, "last: 1")), f.Name, "startCursor")
			send(d.nested(f, 0, fmt.Sprintf("first: 2, after: %q", after)))
			send(d.nested(f, 0, fmt.Sprintf("last: 2, before: %q", before)))
			if f.Arguments.ForName("sort") != nil {
				send(d.nested(f, 0, "first: 2, sort: ASC"))
				send(d.nested(f, 0, "first: 2, sort: DESC"))
			}
		}
	}
}

// maxFields is less than the number of fields that a document may have.
const maxFields = 700

// parts calls send with the leaves of an object or of the rows of a connection, and with each object of it alone.
func (d documents) parts(f *ast.FieldDefinition, send func(string) map[string]any) {
	send(d.nested(f, 0, ""))
	rows, connection := d.node(d.typeOf(f))
	for _, inner := range rows.Fields {
		if strings.HasPrefix(inner.Name, "__") || d.typeOf(inner).IsLeafType() || notRecorded[rows.Name+"."+inner.Name] != "" {
			continue
		}
		if connection {
			send(fmt.Sprintf("%s(first: 2) { nodes { %s } }", f.Name, d.nested(inner, 0, "")))
			continue
		}
		send(fmt.Sprintf("%s { %s }", f.Name, d.nested(inner, 0, "")))
	}
}

// cursorOf returns a cursor of the connections with a name, or "" if there is none.
func cursorOf(tree any, name, which string) string {
	switch v := tree.(type) {
	case []any:
		for _, element := range v {
			if cursor := cursorOf(element, name, which); cursor != "" {
				return cursor
			}
		}
	case map[string]any:
		if found := at(v, name+".pageInfo."+which); len(found) > 0 {
			return found[0]
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if cursor := cursorOf(v[key], name, which); cursor != "" {
				return cursor
			}
		}
	}
	return ""
}

// paging reads pages forwards and backwards, in both orders, of the list and of its first filters.
func (d documents) paging(f *ast.FieldDefinition, variants []string) {
	d.t.Helper()
	orders := []string{""}
	if f.Arguments.ForName("sort") != nil {
		orders = []string{", sort: ASC", ", sort: DESC"}
	}
	for _, args := range variants[:min(len(variants), 2)] {
		for _, order := range orders {
			for _, way := range [][3]string{{"first", "after", "endCursor"}, {"last", "before", "startCursor"}} {
				position := ""
				for range 3 {
					all := strings.TrimPrefix(fmt.Sprintf("%s, %s: 2%s%s", args, way[0], order, position), ", ")
					data := d.query(fmt.Sprintf("{ %s(%s) { %s } }", f.Name, all, page))
					cursor := at(data, f.Name+".pageInfo."+way[2])
					if len(cursor) == 0 {
						break
					}
					position = fmt.Sprintf(", %s: %q", way[1], cursor[0])
				}
			}
		}
	}
}

// arguments returns the lists of arguments of a field to try, without those of paging. The first has only what is required, or the
// first value of the first argument.
func (d documents) arguments(owner string, f *ast.FieldDefinition) (lists []string) {
	var required []string
	optional := map[string][]string{}
	var names []string
	for _, a := range f.Arguments {
		if slices.Contains([]string{"first", "after", "last", "before", "sort"}, a.Name) {
			continue
		}
		values := d.literals(owner+"."+f.Name+"("+a.Name+")", a.Type)
		if a.Type.NonNull && a.DefaultValue == nil {
			longer := make([]string, max(len(required), len(values)))
			for i := range longer {
				before := ""
				if len(required) > 0 {
					before = required[i%len(required)]
				}
				longer[i] = strings.TrimPrefix(before+", "+a.Name+": "+values[i%len(values)], ", ")
			}
			required = longer
			continue
		}
		names = append(names, a.Name)
		optional[a.Name] = values
	}
	if len(required) == 0 {
		required = []string{""}
	}
	lists = slices.Clone(required)
	for i, name := range names {
		for j, v := range optional[name] {
			lists = append(lists, strings.TrimPrefix(required[(i+j)%min(len(required), d.width)]+", "+name+": "+v, ", "))
		}
	}
	return lists
}

// literals returns values of an argument or member of an input.
func (d documents) literals(key string, t *ast.Type) (list []string) {
	if values, ok := constants[key]; ok {
		return values
	}
	many := t.Elem != nil
	def := schema.Types[t.Name()]
	switch def.Kind {
	case ast.InputObject:
		return d.objects(def)
	case ast.Enum:
		for _, v := range def.EnumValues {
			list = append(list, v.Name)
		}
		return list
	case ast.Scalar:
	case ast.Object, ast.Interface, ast.Union:
	}
	if def.Name == "Boolean" {
		return []string{"true", "false"}
	}
	pool, path, ok := strings.Cut(sources[key], ":")
	if !ok {
		require.Fail(d.t, "no values", key)
	}
	width := d.width
	if pool == "search" {
		width = 1000
	}
	found := d.values(pool, path)
	if len(found) == 0 {
		found = typical[def.Name]
	}
	for _, v := range append(slices.Clone(spread(found, width)), absent(found)[0]) {
		list = append(list, literal(def.Name, v))
	}
	if !many {
		return list
	}
	single := list
	list = nil
	for _, v := range single {
		list = append(list, "["+v+"]")
	}
	return append(list, "["+strings.Join(single, ", ")+"]")
}

// literal writes a value of a scalar.
func literal(scalar, value string) string {
	switch scalar {
	case "Int", "UInt32", "DateTime":
		if _, err := strconv.ParseInt(value, 10, 64); err == nil {
			return value
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// objects returns inputs with one member, and with several.
func (d documents) objects(def *ast.Definition) (list []string) {
	if def.Name == "BlockIdInput" {
		for _, b := range spread(d.values("blocks", "seqno"), d.width) {
			for _, row := range d.pools["blocks"] {
				if at(row, "seqno")[0] == b {
					list = append(list, fmt.Sprintf("{workchain: %s, shard: %q, seqno: %s}", at(row, "workchain")[0], at(row, "shard")[0], b))
					break
				}
			}
		}
		return append(list, "{workchain: -1, seqno: 2}", "{workchain: -1, seqno: 4000000000}")
	}
	one := def.Directives.ForName("oneOf") != nil
	var members []string
	always := "" // the required members, which are first
	for _, f := range def.Fields {
		values := d.literals(def.Name+"."+f.Name, f.Type)
		for i, v := range values {
			list = append(list, fmt.Sprintf("{%s%s: %s}", always, f.Name, v))
			if i == 0 && !f.Type.NonNull {
				members = append(members, f.Name+": "+v)
			}
		}
		if f.Type.NonNull {
			always += f.Name + ": " + values[0] + ", "
		}
	}
	if one {
		return list
	}
	for range 4 + 2*d.width {
		if always != "" && len(members) < 2 {
			break
		}
		i, j := d.rng.IntN(len(members)), d.rng.IntN(len(members))
		if i != j {
			list = append(list, fmt.Sprintf("{%s%s, %s}", always, members[i], members[j]))
		}
	}
	return list
}

// details selects every kind of details, of actions of every type.
func (d documents) details() {
	d.t.Helper()
	fragment := func(t *ast.Definition) string { return fmt.Sprintf("... on %s { %s }", t.Name, d.fields(t, 2)) }
	for _, t := range schema.GetPossibleTypes(schema.Types["ActionDetails"]) {
		d.query(fmt.Sprintf("{ actions(first: 10) { nodes { details { __typename %s } } } }", fragment(t)))
	}
	for _, kind := range d.values("actions", "type") {
		data := d.query(fmt.Sprintf("{ actions(where: {types: [%q]}, first: 20) { nodes { hash type details { __typename } } } }", kind))
		for _, name := range slices.Compact(at(data, "actions.nodes.details.__typename")) {
			d.query(fmt.Sprintf("{ actions(where: {types: [%q]}, first: 20) { nodes { details { %s } } } }", kind, fragment(schema.Types[name])))
		}
	}
}

// nodes fetches objects by their global ids.
func (d documents) nodes() {
	d.t.Helper()
	var all []string
	for _, t := range schema.GetPossibleTypes(schema.Types["Node"]) {
		for _, f := range schema.Query.Fields {
			rows, connection := d.node(d.typeOf(f))
			if rows != t || !connection {
				continue
			}
			args := d.arguments("Query", f)[0]
			data := d.query(fmt.Sprintf("{ %s(%s) { nodes { id } } }", f.Name, strings.TrimPrefix(args+", first: 2", ", ")))
			for _, id := range at(data, f.Name+".nodes.id") {
				all = append(all, id)
				d.query(fmt.Sprintf("{ node(id: %q) { __typename id ... on %s { %s } } }", id, t.Name, d.fields(t, 0)))
			}
			break
		}
	}
	ids, err := json.Marshal(all[:min(len(all), 100)])
	require.NoError(d.t, err)
	d.query(fmt.Sprintf("{ nodes(ids: %s) { __typename id } }", ids))
	d.query(`{ nodes(ids: ["nothing"]) { __typename id } }`)
	d.query(`{ node(id: "nothing") { __typename id } }`)
}
