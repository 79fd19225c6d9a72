package conformance

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

func v3TransactionChecks() []Check {
	hashes := func(p *probe, pairs ...string) []string {
		return column(p.v3("transactions", pairs...).at("transactions").rows(), "hash")
	}
	return []Check{
		v3("transactions.by-hash", Filters, "`hash` finds exactly that transaction.", func(p *probe) {
			tx := p.received()
			p.same(hashes(p, "hash", tx.text("hash")), []string{tx.text("hash")}, "transactions")
		}),
		v3("transactions.hash-forms", Encoding, "`hash` is accepted as base64, base64url and hex, with equal results.", func(p *probe) {
			hash := p.received().text("hash")
			for _, form := range hashForms(hash) {
				p.same(hashes(p, "hash", form), []string{hash}, "transactions by "+form)
			}
		}),
		v3("transactions.unknown-hash", Filters, "An unknown `hash` finds nothing, and that is no error.", func(p *probe) { p.same(hashes(p, "hash", noHash), nil, "transactions") }),
		v3("transactions.by-account", Filters, "`account` selects transactions of that account only.", func(p *probe) {
			account := p.busiest()
			rows := p.v3("transactions", "account", account, "limit", "20").at("transactions").rows()
			for _, row := range rows {
				p.equal(row.text("account"), account, row.path+".account")
			}
			p.requiref(len(rows) > 0 || p.over(), "no transaction of an account that has some")
		}),
		v3("transactions.by-accounts", Filters, "Several `account` select transactions of any of them.", func(p *probe) {
			a, b := p.busiest(), p.received().text("in_msg", "source")
			accounts := column(p.v3("transactions", "account", a, "account", b, "limit", "100", "end_lt", p.endLT()).at("transactions").rows(), "account")
			p.requiref(p.over() || slices.Contains(accounts, a), "no transaction of %s", a)
			for _, account := range accounts {
				p.requiref(account == a || account == b, "a transaction of %s", show(account))
			}
		}),
		v3("transactions.address-forms", Encoding, "An address is accepted raw in lower case and user-friendly, with equal results.", func(p *probe) {
			account := p.busiest()
			want := hashes(p, "account", account, "limit", "5", "end_lt", p.endLT())
			p.requiref(len(want) > 0 || p.over(), "no transaction of an account that has some")
			for _, form := range []string{strings.ToLower(account), friendlyOf(account)} {
				p.same(hashes(p, "account", form, "limit", "5", "end_lt", p.endLT()), want, "transactions of "+form)
			}
		}),
		v3("transactions.by-lt", Filters, "`lt` selects transactions of exactly that LT.", func(p *probe) {
			tx := p.received()
			rows := p.v3("transactions", "lt", tx.text("lt"), "limit", "1000").at("transactions").rows()
			for _, row := range rows {
				p.equal(row.text("lt"), tx.text("lt"), row.path+".lt")
			}
			p.requiref(slices.Contains(column(rows, "hash"), tx.text("hash")) || p.over(), "the transaction with this LT is missing")
		}),
		v3("transactions.by-workchain", Filters, "`workchain` selects transactions of that workchain only.", func(p *probe) {
			for _, row := range p.v3("transactions", "workchain", "-1", "limit", "20").at("transactions").rows() {
				p.requiref(strings.HasPrefix(row.text("account"), "-1:"), "%s.account is %s", row.path, show(row.text("account")))
			}
		}),
		v3("transactions.by-mc-seqno", Filters, "`mc_seqno` selects transactions that the masterchain block committed.", func(p *probe) {
			n := p.received().text("mc_block_seqno")
			rows := p.v3("transactions", "mc_seqno", n, "limit", "1000").at("transactions").rows()
			for _, row := range rows {
				p.equal(row.text("mc_block_seqno"), n, row.path+".mc_block_seqno")
			}
			p.requiref(len(rows) == 1000 || p.over() || slices.Contains(column(rows, "hash"), p.received().text("hash")), "a transaction of the block is missing")
		}),
		v3("transactions.message", Filters, "`msg_hash` and `direction` of `/api/v3/transactions` find the transaction on that side of a message.", func(p *probe) {
			tx := p.received()
			for _, side := range []struct{ direction, want string }{{"in", tx.text("hash")}, {"out", tx.text("in_msg", "out_msg_tx_hash")}} {
				rows := p.v3("transactions", "msg_hash", tx.text("in_msg", "hash"), "direction", side.direction).at("transactions").rows()
				p.same(column(rows, "hash"), []string{side.want}, "transactions "+side.direction)
			}
		}),
		v3("transactions.opcode", Filters, "`opcode` and `destination` of `/api/v3/transactions` restrict the messages that its transactions received.", func(p *probe) {
			tx := p.received()
			opcode, account := tx.text("in_msg", "opcode"), tx.text("account")
			rows := p.v3("transactions", "account", account, "opcode", opcode, "destination", account, "limit", "10").at("transactions").rows()
			for _, row := range rows {
				p.equal(row.text("in_msg", "opcode"), opcode, row.path+".in_msg.opcode")
				p.equal(row.text("account"), account, row.path+".account")
			}
			p.requiref(len(rows) > 0, "no transaction, although one received such a message")
		}),
		v3("transactions.mc-seqno-absent", Errors, "`mc_seqno` of a block that is not indexed is 404.", func(p *probe) { p.v3Refused(refusedNotFound, "transactions", "mc_seqno", "2000000000") }),
		v3("transactions.hash-invalid", Errors, "An unreadable `hash` is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "transactions", "hash", "zz") }),
		v3("transactions.account-invalid", Errors, "An unreadable `account` is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "transactions", "account", "0:12") }),
		v3("transactions.checksum-invalid", Errors, "A user-friendly address with a wrong checksum is refused with 422.", func(p *probe) {
			friendly := []byte(friendlyOf(p.busiest()))
			if len(friendly) == 48 {
				friendly[10] = map[bool]byte{true: 'B', false: 'A'}[friendly[10] == 'A']
			}
			p.v3Refused(refusedParameter, "transactions", "account", string(friendly))
		}),
		v3("transactions.no-address-book", Fields, "With `X-No-Address-Book`, here as `x_no_address_book`, the address book is empty.", func(p *probe) {
			p.same(p.v3("transactions", "limit", "2", "x_no_address_book", "true").at("address_book").names(), nil, "address book")
		}),
		v3("transactions-by-block.rows", Consistency, "`/api/v3/transactionsByMasterchainBlock` has the transactions of the blocks that the masterchain block committed, as many as their `tx_count` says.", func(p *probe) {
			n := p.received().text("mc_block_seqno")
			var count int64
			for _, b := range p.v3("blocks", "mc_seqno", n, "limit", "500").at("blocks").rows() {
				count += b.small("tx_count")
			}
			rows := p.v3("transactionsByMasterchainBlock", "seqno", n, "limit", "1000").at("transactions").rows()
			p.requiref(int64(len(rows)) == min(1000, count), "%d transactions, and the blocks have %d", len(rows), count)
			p.requiref(len(rows) == 1000 || p.over() || slices.Contains(column(rows, "hash"), p.received().text("hash")), "a transaction of the block is missing")
		}),
		v3("transactions-by-block.order", Order, "`sort` orders `/api/v3/transactionsByMasterchainBlock` by LT.", func(p *probe) {
			n := p.received().text("mc_block_seqno")
			for sort, direction := range map[string]int{"asc": 1, "desc": -1} {
				rows := p.v3("transactionsByMasterchainBlock", "seqno", n, "limit", "100", "sort", sort).at("transactions").rows()
				p.ordered(rows, direction, "lt")
				p.someRows(rows, 2, "transactions in the block")
			}
		}),
		v3("transactions-by-block.absent", Errors, "`/api/v3/transactionsByMasterchainBlock` of a block that is not indexed is 404.", func(p *probe) {
			p.v3Refused(refusedNotFound, "transactionsByMasterchainBlock", "seqno", "2000000000")
		}),
		v3("transactions-by-message.in", Consistency, "`/api/v3/transactionsByMessage` with direction `in` finds the transaction that received the message.", func(p *probe) {
			tx := p.received()
			rows := p.v3("transactionsByMessage", "msg_hash", tx.text("in_msg", "hash"), "direction", "in").at("transactions").rows()
			p.same(column(rows, "hash"), []string{tx.text("hash")}, "transactions")
		}),
		v3("transactions-by-message.out", Consistency, "`/api/v3/transactionsByMessage` with direction `out` finds the transaction that sent the message.", func(p *probe) {
			tx := p.received()
			rows := p.v3("transactionsByMessage", "msg_hash", tx.text("in_msg", "hash"), "direction", "out").at("transactions").rows()
			p.same(column(rows, "hash"), []string{tx.text("in_msg", "out_msg_tx_hash")}, "transactions")
			p.same(column(rows, "account"), []string{tx.text("in_msg", "source")}, "accounts")
		}),
		v3("transactions-by-message.opcode", Filters, "`opcode` finds transactions that received a message with it.", func(p *probe) {
			opcode := p.received().text("in_msg", "opcode")
			rows := p.v3("transactionsByMessage", "opcode", opcode, "limit", "10").at("transactions").rows()
			for _, row := range rows {
				p.equal(row.text("in_msg", "opcode"), opcode, row.path+".in_msg.opcode")
			}
			p.requiref(len(rows) > 0 || p.over(), "no transaction, although one received such a message")
		}),
		v3("transactions-by-message.missing", Errors, "`/api/v3/transactionsByMessage` without message, body and opcode is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "transactionsByMessage") }),
		v3("transactions-by-message.direction-invalid", Errors, "Another `direction` than `in` and `out` is refused with 422.", func(p *probe) {
			p.v3Refused(refusedParameter, "transactionsByMessage", "msg_hash", noHash, "direction", "up")
		}),
		v3("adjacent.in", Consistency, "`/api/v3/adjacentTransactions` with direction `in` is the transaction that sent the message.", func(p *probe) {
			tx := p.received()
			rows := p.v3("adjacentTransactions", "hash", tx.text("hash"), "direction", "in").at("transactions").rows()
			p.same(column(rows, "hash"), []string{tx.text("in_msg", "out_msg_tx_hash")}, "transactions")
		}),
		v3("adjacent.out", Consistency, "`/api/v3/adjacentTransactions` with direction `out` are the transactions that received the messages.", func(p *probe) {
			tx := p.sent()
			var want []string
			for _, m := range tx.at("out_msgs").rows() {
				if m.has("in_msg_tx_hash") {
					want = append(want, m.text("in_msg_tx_hash"))
				}
			}
			rows := p.v3("adjacentTransactions", "hash", tx.text("hash"), "direction", "out").at("transactions").rows()
			p.sameSet(column(rows, "hash"), want, "transactions")
		}),
		v3("adjacent.order", Order, "`/api/v3/adjacentTransactions` is ordered by LT, ascending.", func(p *probe) {
			tx := p.find("one with a sender and a receiver", func(tx value) bool {
				out := tx.at("out_msgs").rows()
				return tx.at("in_msg").has("out_msg_tx_hash") && len(out) > 0 && out[0].has("in_msg_tx_hash")
			})
			rows := p.v3("adjacentTransactions", "hash", tx.text("hash")).at("transactions").rows()
			p.ordered(rows, 1, "lt")
			p.requiref(len(rows) >= 2 || p.over(), "%d transactions beside one that has a sender and a receiver", len(rows))
		}),
		v3("adjacent.absent", Errors, "`/api/v3/adjacentTransactions` of an unknown transaction is 404.", func(p *probe) { p.v3Refused(refusedNotFound, "adjacentTransactions", "hash", noHash) }),
		v3("transactions.chain", Consistency, "Transactions of an account are a chain: each names the hash and LT of the one before, whose state after is its state before.", func(p *probe) {
			rows := p.v3("transactions", "account", p.busiest(), "limit", "10", "sort", "desc", "end_lt", p.endLT()).at("transactions").rows()
			for i := 1; i < len(rows); i++ {
				newer, older := rows[i-1], rows[i]
				p.equal(newer.text("prev_trans_hash"), older.text("hash"), newer.path+".prev_trans_hash")
				p.equal(newer.text("prev_trans_lt"), older.text("lt"), newer.path+".prev_trans_lt")
				p.equal(newer.text("orig_status"), older.text("end_status"), newer.path+".orig_status")
				p.equal(newer.text("account_state_before", "hash"), older.text("account_state_after", "hash"), newer.path+".account_state_before.hash")
			}
			p.someRows(rows, 2, "transactions of an account")
		}),
		v3("transactions.messages-sides", Consistency, "A message stands under its destination's account as received, and under its source's account as sent.", func(p *probe) {
			for _, tx := range p.sample().rows() {
				if in := tx.at("in_msg"); !in.null() {
					p.equal(in.text("destination"), tx.text("account"), tx.path+".in_msg.destination")
				}
				for _, out := range tx.at("out_msgs").rows() {
					p.equal(out.text("source"), tx.text("account"), out.path+".source")
					p.requiref(out.integer("created_lt").Cmp(tx.integer("lt")) > 0, "%s was created at or before the LT of its transaction", out.path)
				}
			}
			p.someRows(p.sample().rows(), 1, "transactions")
		}),
		v3("transactions.balances", Consistency, "The coins of an ordinary transaction add up: the balance before and the value received are the balance after, the values sent and the fees.", func(p *probe) { p.balanced() }),
		v3("messages.by-hash", Filters, "`msg_hash` of `/api/v3/messages` finds that message, with the transactions of both sides.", func(p *probe) {
			tx := p.received()
			rows := p.v3("messages", "msg_hash", tx.text("in_msg", "hash")).at("messages").rows()
			p.same(column(rows, "hash"), []string{tx.text("in_msg", "hash")}, "messages")
			p.same(column(rows, "in_msg_tx_hash"), []string{tx.text("hash")}, "receiving transactions")
			p.same(column(rows, "out_msg_tx_hash"), []string{tx.text("in_msg", "out_msg_tx_hash")}, "sending transactions")
		}),
		v3("messages.by-source", Filters, "`source` selects messages of that account only.", func(p *probe) { p.messagesBy("source") }),
		v3("messages.by-destination", Filters, "`destination` selects messages to that account only.", func(p *probe) { p.messagesBy("destination") }),
		v3("messages.by-opcode", Filters, "`opcode` selects messages with it only.", func(p *probe) { p.messagesBy("opcode") }),
		v3("messages.source-null", Filters, "`source=null` selects external-in messages only.", func(p *probe) {
			rows := p.v3("messages", "source", "null", "limit", "10").at("messages").rows()
			for _, row := range rows {
				p.requiref(row.at("source").null() && row.at("value").null(), "%s has a source or a value", row.path)
			}
			p.external()
			p.requiref(len(rows) > 0 || p.over(), "no external-in message, although a transaction has one")
		}),
		v3("messages.exclude-externals", Filters, "`exclude_externals=true` leaves out external-in messages.", func(p *probe) {
			rows := p.v3("messages", "exclude_externals", "true", "limit", "50", "end_lt", p.endLT()).at("messages").rows()
			for _, row := range rows {
				p.requiref(row.has("source"), "%s is external-in", row.path)
			}
			p.someRows(rows, 1, "messages")
		}),
		v3("messages.body-hash", Filters, "`body_hash` selects messages with that body only.", func(p *probe) {
			hash := p.received().text("in_msg", "message_content", "hash")
			rows := p.v3("messages", "body_hash", hash, "limit", "10").at("messages").rows()
			for _, row := range rows {
				p.equal(row.text("message_content", "hash"), hash, row.path+".message_content.hash")
			}
			p.requiref(len(rows) > 0 || p.over(), "no message, although one has the body")
		}),
		v3("messages.body-hash-agrees", Consistency, "`message_content.hash` is the representation hash of the cells in `message_content.body`.", func(p *probe) {
			for _, tx := range p.sample().rows() {
				if in := tx.at("in_msg"); !in.null() {
					p.cellHash(in.at("message_content", "body"), in.text("message_content", "hash"))
				}
			}
			p.someRows(p.sample().rows(), 1, "transactions")
		}),
		v3("messages.direction-invalid", Errors, "Another `direction` of `/api/v3/messages` is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "messages", "direction", "up") }),
		v3("messages.opcode-invalid", Errors, "An unreadable `opcode` is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "messages", "opcode", "transfer!") }),
		v3("messages.boolean-invalid", Errors, "A boolean that is neither true nor false is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "messages", "exclude_externals", "perhaps") }),
		v3("routes.unknown", Errors, "An unknown route is refused with an error body.", func(p *probe) {
			p.v3Refused([]int{http.StatusNotFound, http.StatusInternalServerError}, "noSuchRoute")
		}),
		v3("routes.method", Errors, "A method that a route lacks is refused with an error body.", func(p *probe) {
			v3Error(p.refused(request{method: http.MethodDelete, path: "api/v3/transactions"}, http.StatusMethodNotAllowed, http.StatusInternalServerError, http.StatusNotFound))
		}),
	}
}

// messagesBy filters messages by a member of a message that is there.
func (p *probe) messagesBy(member string) {
	want := p.received().text("in_msg", member)
	rows := p.v3("messages", member, want, "limit", "20").at("messages").rows()
	for _, row := range rows {
		p.equal(row.text(member), want, row.path+"."+member)
	}
	p.requiref(len(rows) > 0 || p.over(), "no message with %s %s, although there is one", member, show(want))
}

// balanced compares balances of ordinary transactions, whose states are both there.
func (p *probe) balanced() {
	compared := 0
	for _, tx := range p.sample().rows() {
		before, after := tx.at("account_state_before"), tx.at("account_state_after")
		if tx.text("description", "type") != "ord" || !before.has("balance") || !after.has("balance") || tx.text("end_status") == "nonexist" {
			continue
		}
		left, right := before.integer("balance"), after.integer("balance")
		if in := tx.at("in_msg"); in.has("value") {
			left.Add(left, in.integer("value"))
		}
		right.Add(right, tx.integer("total_fees"))
		for _, out := range tx.at("out_msgs").rows() {
			for _, part := range []string{"value", "fwd_fee", "ihr_fee"} {
				if out.has(part) {
					right.Add(right, out.integer(part))
				}
			}
		}
		p.requiref(left.Cmp(right) == 0, "%s (%s): %s coins came in and %s went out", tx.path, show(tx.text("hash")), left, right)
		compared++
	}
	if compared == 0 {
		p.skipf("no ordinary transaction of the sample has both balances")
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
