package conformance

func v2AgreementChecks() []Check {
	return []Check{
		v2Row("v3.transaction", Consistency, "`getTransactions` of /api/v2 and `/api/v3/transactions` agree about a transaction.", func(p *probe) {
			if !p.facts.has(V3) {
				p.skipf("the server has no /api/v3, or it is not selected")
			}
			tx := p.received()
			rows := p.v2("getTransactions", "address", tx.text("account"), "lt", tx.text("lt"), "hash", tx.text("hash"), "limit", "1").rows()
			if p.over() {
				return
			}
			p.requiref(len(rows) == 1, "/api/v2 has %d transactions", len(rows))
			if len(rows) == 1 {
				row := rows[0]
				p.equal(row.text("transaction_id", "hash"), tx.text("hash"), "hash")
				p.equal(row.text("utime"), tx.text("now"), "time")
				p.equal(row.text("in_msg", "hash"), tx.text("in_msg", "hash"), "hash of the message")
				p.equal(row.text("in_msg", "value"), tx.text("in_msg", "value"), "value of the message")
				p.equal(rawOf(row.text("in_msg", "source")), tx.text("in_msg", "source"), "source of the message")
				p.same(column(row.at("out_msgs").rows(), "hash"), column(tx.at("out_msgs").rows(), "hash"), "messages sent")
			}
		}),
		v2Row("v3.block", Consistency, "`lookupBlock` of /api/v2 and `/api/v3/blocks` agree about a masterchain block.", func(p *probe) {
			if !p.facts.has(V3) {
				p.skipf("the server has no /api/v3, or it is not selected")
			}
			b := p.settled()
			found := p.v2("lookupBlock", "workchain", "-1", "shard", masterShard, "seqno", b.text("seqno"))
			p.equal(found.text("root_hash"), b.text("root_hash"), "root_hash")
			p.equal(found.text("file_hash"), b.text("file_hash"), "file_hash")
		}),
		v2Row("v3.balance", Consistency, "`getAddressInformation` of /api/v2 and `/api/v3/addressInformation` agree about an account.", func(p *probe) {
			if !p.facts.has(V3) {
				p.skipf("the server has no /api/v3, or it is not selected")
			}
			p.unchanged(func() ([]string, []string) {
				a, b := p.v2("getAddressInformation", v2OfAccount(p)...), p.v3("addressInformation", "address", p.v2Account(), "use_v2", "false")
				return []string{a.text("balance"), a.text("last_transaction_id", "lt")}, []string{b.text("balance"), b.text("last_transaction_lt")}
			})
		}),
	}
}
