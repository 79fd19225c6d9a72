package conformance

import "iter"

// v2Head is the newest masterchain block of /api/v2, some blocks back.
func (p *probe) v2Head() value {
	return p.fact("masterchain block of /api/v2", func() value {
		head := p.v2("getMasterchainInfo").small("last", "seqno")
		return p.v2("lookupBlock", "workchain", "-1", "shard", masterShard, "seqno", itoa(max(1, head-settledBlocks)))
	})
}

// v2Shard is a block of the basechain that has transactions, near the head.
func (p *probe) v2Shard() value {
	return p.fact("block of a shard of /api/v2", func() value {
		for b := range p.v2Shards() {
			if len(p.v2("getBlockTransactions", append(blockOf(b), "count", "3")...).at("transactions").rows()) >= 2 {
				return b
			}
		}
		p.skipf("no shard block of the last ten masterchain blocks has two transactions")
		return value{p: p, path: "shard block"}
	})
}

// v2Shards are the shard blocks of the last ten masterchain blocks, the newest first.
func (p *probe) v2Shards() iter.Seq[value] {
	return func(yield func(value) bool) {
		top := p.v2Head().small("seqno")
		for back := range min(10, top) {
			for _, b := range p.v2("getShards", "seqno", itoa(top-back)).at("shards").rows() {
				if p.over() || !yield(b) {
					return
				}
			}
		}
	}
}

// v2Received is a transaction of these blocks that received a message of an account.
func (p *probe) v2Received() value {
	for b := range p.v2Shards() {
		for _, row := range p.v2("getBlockTransactionsExt", append(blockOf(b), "count", "100")...).at("transactions").rows() {
			if row.has("in_msg") && row.text("in_msg", "source", "account_address") != "" {
				return row
			}
		}
	}
	p.skipf("no transaction of the last ten masterchain blocks received a message of an account")
	return value{p: p, path: "transaction"}
}

// v2Account is an account of that block: the one with the most history of the first few.
func (p *probe) v2Account() string {
	return p.fact("account of /api/v2", func() value {
		best, account := 0, value{}
		for i, tx := range p.v2("getBlockTransactions", append(blockOf(p.v2Shard()), "count", "40")...).at("transactions").rows() {
			if i >= 8 && best > 0 {
				break
			}
			if n := len(p.v2("getTransactions", "address", tx.text("account"), "limit", "6").rows()); n > best {
				best, account = n, tx.at("account")
			}
		}
		p.requiref(best > 0 || p.over(), "no account of a block with transactions has transactions")
		return account
	}).text()
}

// v2Wallet is a wallet of that block.
func (p *probe) v2Wallet() string {
	return p.fact("wallet of /api/v2", func() value {
		for _, tx := range p.v2("getBlockTransactions", append(blockOf(p.v2Shard()), "count", "40")...).at("transactions").rows() {
			if p.v2("getWalletInformation", "address", tx.text("account")).truth("wallet") {
				return tx.at("account")
			}
		}
		p.skipf("no account of the block is a wallet")
		return value{p: p, path: "wallet"}
	}).text()
}

// v2OfAccount and v2OfBlock are parameters that name the account and the block of the checks.
func v2OfAccount(p *probe) []string { return []string{"address", p.v2Account()} }

func v2OfBlock(p *probe) []string { return blockOf(p.v2Shard()) }

// blockOf returns the parameters that name a block.
func blockOf(b value) []string {
	return []string{"workchain", b.text("workchain"), "shard", b.text("shard"), "seqno", b.text("seqno")}
}
