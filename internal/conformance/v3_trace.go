package conformance

import (
	"math/big"
	"slices"
	"strconv"
)

func v3TraceChecks() []Check {
	traceIDs := func(p *probe, pairs ...string) []string {
		return column(p.v3("traces", pairs...).at("traces").rows(), "trace_id")
	}
	return []Check{
		v3("traces.by-id", Filters, "`trace_id` finds exactly that trace.", func(p *probe) {
			id := p.received().text("trace_id")
			p.same(traceIDs(p, "trace_id", id), []string{id}, "traces")
		}),
		v3("traces.by-transaction", Filters, "`tx_hash` finds the trace that has the transaction.", func(p *probe) {
			p.same(traceIDs(p, "tx_hash", p.received().text("hash")), []string{p.received().text("trace_id")}, "traces")
		}),
		v3("traces.by-message", Filters, "`msg_hash` finds the trace that has the message.", func(p *probe) {
			p.same(traceIDs(p, "msg_hash", p.received().text("in_msg", "hash")), []string{p.received().text("trace_id")}, "traces")
		}),
		v3("traces.by-account", Filters, "`account` selects traces in which the account has a transaction.", func(p *probe) {
			account := p.busiest()
			rows := p.v3("traces", "account", account, "limit", "5").at("traces").rows()
			for _, row := range rows {
				in := false
				for _, tx := range row.at("transactions").members() {
					in = in || tx.text("account") == account
				}
				p.requiref(in, "%s has no transaction of the account", row.path)
			}
			p.requiref(len(rows) > 0 || p.over(), "no trace of an account that has transactions")
		}),
		v3("traces.by-mc-seqno", Filters, "`mc_seqno` selects traces whose last transaction that masterchain block committed.", func(p *probe) {
			n := p.sentTrace().text("mc_seqno_end")
			rows := p.v3("traces", "mc_seqno", n, "limit", "100").at("traces").rows()
			for _, row := range rows {
				p.equal(row.text("mc_seqno_end"), n, row.path+".mc_seqno_end")
			}
			p.requiref(len(rows) == 100 || p.over() || slices.Contains(column(rows, "trace_id"), p.sentTrace().text("trace_id")), "the trace is missing")
		}),
		v3("traces.unknown", Filters, "An unknown `trace_id` finds nothing, and that is no error.", func(p *probe) { p.same(traceIDs(p, "trace_id", noHash), nil, "traces") }),
		v3("traces.two-filters", Errors, "More than one of `account`, `trace_id`, `tx_hash` and `msg_hash` is refused with 422.", func(p *probe) {
			p.v3Refused(refusedParameter, "traces", "trace_id", noHash, "tx_hash", noHash)
		}),
		v3("traces.mc-seqno-absent", Errors, "`mc_seqno` of a block that is not indexed is 404.", func(p *probe) { p.v3Refused(refusedNotFound, "traces", "mc_seqno", "2000000000") }),
		v3("traces.tree", Consistency, "The tree of a trace has every transaction once, its root is the trace's id, and each child received a message that its parent sent.", func(p *probe) {
			trace := p.sentTrace()
			transactions := trace.at("transactions")
			p.equal(trace.text("trace", "tx_hash"), trace.text("trace_id"), "the root of the tree")
			var visited []string
			p.walk(trace.at("trace"), "", transactions, &visited)
			p.sameSet(visited, transactions.names(), "transactions in the tree")
		}),
		v3("traces.order-of-transactions", Order, "`transactions_order` of a trace has its transactions by LT, ascending.", func(p *probe) {
			trace := p.sentTrace()
			last := new(big.Int)
			var hashes []string
			for _, hash := range trace.at("transactions_order").rows() {
				hashes = append(hashes, hash.text())
				lt := trace.at("transactions", hash.text()).integer("lt")
				p.requiref(last.Cmp(lt) <= 0, "%s has LT %s after %s", hash.path, lt, last)
				last = lt
			}
			p.sameSet(hashes, trace.at("transactions").names(), "transactions_order")
		}),
		v3("traces.sums", Consistency, "`trace_info`, the range of LTs and that of seqnos of a trace follow from its transactions.", func(p *probe) { p.traceSums(p.sentTrace()) }),
		v3("traces.keys", Consistency, "The keys of `transactions` are the hashes of the transactions, which have the trace's id.", func(p *probe) {
			trace := p.sentTrace()
			for _, hash := range trace.at("transactions").names() {
				p.equal(trace.text("transactions", hash, "hash"), hash, "hash")
				p.equal(trace.text("transactions", hash, "trace_id"), trace.text("trace_id"), "trace_id of a transaction")
			}
		}),
		v3("traces.transaction-agrees", Consistency, "A transaction in a trace is the same as in `/api/v3/transactions`.", func(p *probe) {
			tx := p.sent()
			in := p.sentTrace().at("transactions", tx.text("hash"))
			for _, member := range []string{"account", "lt", "now", "mc_block_seqno", "prev_trans_hash", "total_fees", "end_status"} {
				p.equal(in.text(member), tx.text(member), member)
			}
		}),
		v3("traces.include-actions", Fields, "`include_actions=true` adds the actions, which belong to the trace; without it there are none.", func(p *probe) {
			id := p.sent().text("trace_id")
			with := p.first(p.v3("traces", "trace_id", id, "include_actions", "true").at("traces"), "traces")
			with.at("actions").is("[Action]")
			for _, a := range with.at("actions").rows() {
				p.equal(a.text("trace_id"), id, a.path+".trace_id")
			}
			p.requiref(!p.sentTrace().has("actions"), "actions are there without include_actions")
		}),
		v3("actions.by-id", Filters, "`action_id` finds exactly that action.", func(p *probe) {
			id := p.action().text("action_id")
			p.same(column(p.v3("actions", "action_id", id).at("actions").rows(), "action_id"), []string{id}, "actions")
		}),
		v3("actions.by-trace", Filters, "`trace_id` selects actions of that trace only.", func(p *probe) {
			id := p.action().text("trace_id")
			rows := p.v3("actions", "trace_id", id).at("actions").rows()
			for _, row := range rows {
				p.equal(row.text("trace_id"), id, row.path+".trace_id")
			}
			p.requiref(p.over() || slices.Contains(column(rows, "action_id"), p.action().text("action_id")), "the action is missing")
		}),
		v3("actions.by-transaction", Filters, "`tx_hash` selects actions that cover the transaction.", func(p *probe) {
			hash := p.first(p.action().at("transactions"), "transactions of an action").text()
			rows := p.v3("actions", "tx_hash", hash).at("actions").rows()
			for _, row := range rows {
				p.requiref(contains(row.at("transactions"), hash), "%s does not cover the transaction", row.path)
			}
			p.requiref(p.over() || slices.Contains(column(rows, "action_id"), p.action().text("action_id")), "the action is missing")
		}),
		v3("actions.by-type", Filters, "`action_type` selects actions of that type only.", func(p *probe) {
			kind := p.action().text("type")
			rows := p.v3("actions", "action_type", kind, "limit", "20").at("actions").rows()
			for _, row := range rows {
				if row.text("type") != renamedType || kind != "call_contract" && kind != "ton_transfer" {
					p.equal(row.text("type"), kind, row.path+".type")
				}
			}
			p.requiref(len(rows) > 0 || p.over(), "no action of a type that has some")
		}),
		v3("actions.exclude-type", Filters, "`exclude_action_type` leaves out actions of that type.", func(p *probe) {
			kind := p.action().text("type")
			for _, row := range p.v3("actions", "exclude_action_type", kind, "limit", "20", "end_lt", p.endLT()).at("actions").rows() {
				p.requiref(row.text("type") != kind, "%s is a %s", row.path, kind)
			}
		}),
		v3("actions.by-account", Filters, "`account` selects actions in which the account takes part; `include_accounts=true` names all who do.", func(p *probe) {
			account := p.busiest()
			rows := p.v3("actions", "account", account, "include_accounts", "true", "limit", "10").at("actions").rows()
			for _, row := range rows {
				row.at("accounts").is("addrs")
				p.requiref(contains(row.at("accounts"), account), "%s.accounts lacks the account", row.path)
			}
			p.someRows(rows, 1, "actions of the account")
		}),
		v3("actions.include-transactions", Consistency, "`include_transactions=true` adds exactly the transactions that an action covers.", func(p *probe) {
			row := p.first(p.v3("actions", "action_id", p.action().text("action_id"), "include_transactions", "true").at("actions"), "actions")
			row.at("transactions_full").is("[Transaction]")
			p.sameSet(column(row.at("transactions_full").rows(), "hash"), column(row.at("transactions").rows()), "transactions_full")
		}),
		v3("actions.range", Consistency, "The LTs and times of an action are those of its transactions and lie within its trace.", func(p *probe) {
			a := p.action()
			p.requiref(a.integer("start_lt").Cmp(a.integer("end_lt")) <= 0, "start_lt is after end_lt")
			p.requiref(a.integer("end_lt").Cmp(a.integer("trace_end_lt")) <= 0, "end_lt is after the end of the trace")
			p.requiref(a.small("start_utime") <= a.small("end_utime") && a.small("end_utime") <= a.small("trace_end_utime"), "times do not ascend")
			trace := p.first(p.v3("traces", "trace_id", a.text("trace_id")).at("traces"), "traces")
			p.equal(a.text("trace_end_lt"), trace.text("end_lt"), "trace_end_lt")
			for _, hash := range a.at("transactions").rows() {
				p.requiref(p.over() || slices.Contains(trace.at("transactions").names(), hash.text()), "%s is not in the trace", hash.path)
			}
		}),
		v3("actions.type-invalid", Errors, "An `action_type` with other characters than names have is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "actions", "action_type", "a b;") }),
		v3("actions.type-unknown", Filters, "An unknown `action_type` finds nothing, and that is no error.", func(p *probe) {
			p.same(column(p.v3("actions", "action_type", "no_such_type").at("actions").rows(), "action_id"), nil, "actions")
		}),
		v3("actions.supported", Filters, "`supported_action_types=v1` returns only types of the basic set.", func(p *probe) {
			for _, row := range p.v3("actions", "supported_action_types", "v1", "limit", "50", "end_lt", p.endLT()).at("actions").rows() {
				p.requiref(slices.Contains(basicTypes, row.text("type")), "%s is a %s", row.path, show(row.text("type")))
			}
		}),
		v3("pending-transactions.missing", Errors, "`/api/v3/pendingTransactions` without an account is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "pendingTransactions") }),
		v3("pending-traces.missing", Errors, "`/api/v3/pendingTraces` without an account and a message is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "pendingTraces") }),
		v3("pending-actions.missing", Errors, "`/api/v3/pendingActions` without an account and a message is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "pendingActions") }),
		v3("pending-actions.empty", Routes, "`/api/v3/pendingActions` of a message that was never sent is an empty list.", func(p *probe) {
			p.same(column(p.v3("pendingActions", "ext_msg_hash", noHash).at("actions").rows(), "action_id"), nil, "actions")
		}),
	}
}

// renamedType is what actions with extra currencies are printed as; filters have the types before.
const renamedType = "extra_currency_transfer"

// basicTypes are the action types of the set v1, and the type that others are renamed to.
var basicTypes = []string{
	"call_contract", "contract_deploy", "ton_transfer", "stake_deposit", "stake_withdrawal", "stake_withdrawal_request", "dex_deposit_liquidity",
	"jetton_transfer", "nft_transfer", "nft_mint", "jetton_burn", "jetton_mint", "jetton_swap", "change_dns", "delete_dns", "renew_dns", "subscribe",
	"dex_withdraw_liquidity", "unsubscribe", "election_deposit", "election_recover", "auction_bid", "tick_tock", renamedType,
}

// sentTrace is the trace of a transaction that sent a message.
func (p *probe) sentTrace() value {
	return p.fact("trace", func() value {
		return p.first(p.v3("traces", "trace_id", p.sent().text("trace_id")).at("traces"), "traces of a transaction")
	})
}

// action is a settled action.
func (p *probe) action() value {
	return p.fact("action", func() value {
		for _, row := range p.v3("actions", "end_lt", p.endLT(), "limit", "20").at("actions").rows() {
			if row.text("type") != renamedType {
				return row
			}
		}
		p.skipf("no action of the newest has a type that is also a filter")
		return value{p: p, path: "action"}
	})
}

func contains(list value, text string) bool { return slices.Contains(column(list.rows()), text) }

// maxNodes bounds the tree of a trace that is walked.
const maxNodes = 5000

// walk visits the tree of a trace. The hash of the parent is empty at the root.
func (p *probe) walk(node value, parent string, transactions value, visited *[]string) {
	hash := node.text("tx_hash")
	*visited = append(*visited, hash)
	if len(*visited) > maxNodes || p.over() {
		p.failf("the tree has more than %d nodes", maxNodes)
		return
	}
	if parent != "" {
		in := transactions.text(hash, "in_msg", "hash")
		p.requiref(p.over() || slices.Contains(column(transactions.at(parent, "out_msgs").rows(), "hash"), in), "%s received a message that its parent did not send", node.path)
	}
	if node.has("children") {
		for _, child := range node.at("children").rows() {
			p.walk(child, hash, transactions, visited)
		}
	}
}

// traceSums compares what a trace says about itself with its transactions.
func (p *probe) traceSums(trace value) {
	transactions := trace.at("transactions").members()
	p.equal(trace.text("trace_info", "transactions"), strconv.Itoa(len(transactions)), "trace_info.transactions")
	if !p.someRows(transactions, 1, "transactions in a trace") {
		return
	}
	first, last := transactions[0], transactions[0]
	low, high := first.integer("mc_block_seqno"), first.integer("mc_block_seqno")
	for _, tx := range transactions {
		if tx.integer("lt").Cmp(first.integer("lt")) < 0 {
			first = tx
		}
		if tx.integer("lt").Cmp(last.integer("lt")) > 0 {
			last = tx
		}
		low, high = minimum(low, tx.integer("mc_block_seqno")), maximum(high, tx.integer("mc_block_seqno"))
	}
	p.equal(trace.text("start_lt"), first.text("lt"), "start_lt")
	p.equal(trace.text("end_lt"), last.text("lt"), "end_lt")
	p.equal(trace.text("start_utime"), first.text("now"), "start_utime")
	p.equal(trace.text("mc_seqno_start"), low.String(), "mc_seqno_start")
	p.equal(trace.text("mc_seqno_end"), high.String(), "mc_seqno_end")
	messages := trace.small("trace_info", "messages")
	p.requiref(messages >= int64(len(transactions))-1, "trace_info.messages is %d for %d transactions", messages, len(transactions))
}
