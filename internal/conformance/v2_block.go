package conformance

import "net/http"

func v2BlockChecks() []Check {
	return []Check{
		v2Row("getBlockTransactions.order", Order, "`getBlockTransactions` is ascending by account, and within an account by LT.", func(p *probe) {
			rows := p.v2("getBlockTransactions", append(v2OfBlock(p), "count", "100")...).at("transactions").rows()
			for i := 1; i < len(rows); i++ {
				a, b := rows[i-1], rows[i]
				p.requiref(a.text("account") < b.text("account") || a.text("account") == b.text("account") && a.integer("lt").Cmp(b.integer("lt")) < 0, "%s is out of order", b.path)
			}
			p.someRows(rows, 2, "transactions in a block")
		}),
		v2Row("getBlockTransactions.paging", Paging, "From `after_lt` and `after_hash`, `getBlockTransactions` continues without gaps and doubles.", func(p *probe) {
			all := p.v2("getBlockTransactions", append(v2OfBlock(p), "count", "6")...).at("transactions").rows()
			if !p.someRows(all, 2, "transactions in a block") {
				return
			}
			var pages []value
			for len(pages) < len(all) && !p.over() {
				pairs := append(v2OfBlock(p), "count", "1")
				if len(pages) > 0 {
					last := pages[len(pages)-1]
					pairs = append(pairs, "after_lt", last.text("lt"), "after_hash", last.text("account"))
				}
				next := p.v2("getBlockTransactions", pairs...).at("transactions").rows()
				if len(next) != 1 {
					p.failf("a page of one has %d transactions", len(next))
					return
				}
				pages = append(pages, next...)
			}
			p.same(v2Short(pages), v2Short(all), "transactions")
		}),
		v2Row("getBlockTransactions.incomplete", Limits, "`count` bounds `getBlockTransactions`, and `incomplete` says that more follow.", func(p *probe) {
			result := p.v2("getBlockTransactions", append(v2OfBlock(p), "count", "1")...)
			p.requiref(len(result.at("transactions").rows()) == 1 || p.over(), "count=1 does not return one transaction")
			p.requiref(result.truth("incomplete"), "incomplete is false, and the block has more transactions")
			p.equal(result.text("req_count"), "1", "req_count")
		}),
		v2Row("getBlockTransactionsExt.agrees", Consistency, "`getBlockTransactionsExt` has the transactions of `getBlockTransactions`, in its order.", func(p *probe) {
			p.same(v2IDs(p.v2("getBlockTransactionsExt", append(v2OfBlock(p), "count", "20")...).at("transactions").rows()),
				v2Short(p.v2("getBlockTransactions", append(v2OfBlock(p), "count", "20")...).at("transactions").rows()), "transactions")
		}),
		v2Row("lookupBlock.agrees", Consistency, "`lookupBlock` by seqno, LT and time finds the same block.", func(p *probe) {
			b := p.v2Head()
			header := p.v2("getBlockHeader", blockOf(b)...)
			p.equal(header.text("id", "root_hash"), b.text("root_hash"), "the root hash of the header")
			for _, by := range []string{"end_lt", "gen_utime"} {
				name := map[string]string{"end_lt": "lt", "gen_utime": "unixtime"}[by]
				found := p.v2("lookupBlock", "workchain", "-1", "shard", masterShard, name, header.text(by))
				if by == "end_lt" {
					p.equal(found.text("root_hash"), b.text("root_hash"), "the block by LT")
				} else {
					p.requiref(found.small("seqno") <= b.small("seqno"), "the block by its time comes after it")
				}
			}
		}),
		v2Row("lookupBlock.two", Errors, "`lookupBlock` with two of seqno, LT and time is refused with 422.", func(p *probe) {
			p.v2Refused(refusedParameter, "lookupBlock", "workchain", "-1", "shard", masterShard, "seqno", "1", "lt", "1")
		}),
		v2Row("lookupBlock.future", Errors, "`lookupBlock` of a block that is not there yet is 500.", func(p *probe) {
			p.v2Refused([]int{http.StatusInternalServerError}, "lookupBlock", "workchain", "-1", "shard", masterShard, "seqno", "2000000000")
		}),
		v2Row("getBlockHeader.previous", Consistency, "The previous block in a header is the one with the seqno before, with the hashes that `lookupBlock` has.", func(p *probe) {
			b := p.v2Head()
			previous := p.first(p.v2("getBlockHeader", blockOf(b)...).at("prev_blocks"), "previous blocks")
			p.requiref(previous.small("seqno") == b.small("seqno")-1, "the seqno of the previous block is %d", previous.small("seqno"))
			p.equal(p.v2("lookupBlock", blockOf(previous)...).text("root_hash"), previous.text("root_hash"), "root_hash")
		}),
		v2Row("getShards.basechain", Consistency, "`getShards` has blocks of other workchains than the masterchain, and `lookupBlock` finds each with the same hashes.", func(p *probe) {
			rows := p.v2("getShards", "seqno", p.v2Head().text("seqno")).at("shards").rows()
			for _, b := range rows {
				p.requiref(b.text("workchain") != "-1", "%s is a masterchain block", b.path)
				p.equal(p.v2("lookupBlock", blockOf(b)...).text("file_hash"), b.text("file_hash"), b.path+".file_hash")
			}
			p.requiref(len(rows) > 0 || p.over(), "no shard")
		}),
		v2Row("getShards.seqno-invalid", Errors, "`getShards` with an unreadable seqno is refused with 422.", func(p *probe) { p.v2Refused(refusedParameter, "getShards", "seqno", "x") }),
		v2Row("getMasterchainBlockSignatures.block", Consistency, "`getMasterchainBlockSignatures` is about the block of the request, and no validator signs twice.", func(p *probe) {
			result := p.v2("getMasterchainBlockSignatures", "seqno", p.v2Head().text("seqno"))
			p.equal(result.text("id", "root_hash"), p.v2Head().text("root_hash"), "id.root_hash")
			rows := result.at("signatures").rows()
			p.distinct(column(rows, "node_id_short"), "signatures")
			p.requiref(len(rows) > 0 || p.over(), "no signature")
		}),
	}
}

// v2Short returns the LTs and hashes of short transactions.
func v2Short(rows []value) []string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = row.text("lt") + " " + row.text("hash")
	}
	return texts
}
