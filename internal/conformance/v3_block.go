package conformance

import (
	"encoding/hex"
	"slices"
	"strconv"
)

func v3BlockChecks() []Check {
	return []Check{
		v3("masterchain-info.fields", Fields, "`/api/v3/masterchainInfo` has the first and the last block of the index, each a complete block.", func(p *probe) {
			info := p.v3("masterchainInfo")
			info.at("last").conforms("Block")
			info.at("first").conforms("Block")
		}),
		v3("masterchain-info.masterchain", Consistency, "Both blocks of `/api/v3/masterchainInfo` are masterchain blocks that refer to themselves, and the first is not after the last.", func(p *probe) {
			info := p.v3("masterchainInfo")
			for _, end := range []value{info.at("first"), info.at("last")} {
				p.equal(end.text("workchain"), "-1", "workchain")
				p.equal(end.text("masterchain_block_ref", "seqno"), end.text("seqno"), "masterchain_block_ref.seqno")
			}
			p.requiref(info.small("first", "seqno") <= info.small("last", "seqno"), "the first block is after the last")
		}),
		v3("masterchain-info.newest", Consistency, "No block that `/api/v3/masterchainInfo` named before is missing later: the last block never goes back.", func(p *probe) {
			before := p.v3("masterchainInfo").small("last", "seqno")
			newest := p.first(p.v3("blocks", "workchain", "-1", "seqno", strconv.FormatInt(before, 10)).at("blocks"), "blocks of the last seqno")
			p.equal(newest.text("seqno"), strconv.FormatInt(before, 10), "seqno")
			p.requiref(p.v3("masterchainInfo").small("last", "seqno") >= before, "the last block went back")
		}),
		v3("blocks.by-seqno", Filters, "`workchain` with `seqno` finds exactly that masterchain block.", func(p *probe) {
			n := p.settled().text("seqno")
			rows := p.v3("blocks", "workchain", "-1", "seqno", n).at("blocks").rows()
			p.same(column(rows, "seqno"), []string{n}, "blocks")
			p.same(column(rows, "workchain"), []string{"-1"}, "blocks")
		}),
		v3("blocks.by-hash", Filters, "`root_hash` and `file_hash` find exactly that block.", func(p *probe) {
			b := p.settled()
			for _, name := range []string{"root_hash", "file_hash"} {
				p.same(column(p.v3("blocks", name, b.text(name)).at("blocks").rows(), name), []string{b.text(name)}, "blocks by "+name)
			}
		}),
		v3("blocks.hash-forms", Encoding, "A hash is accepted as base64, base64url and hex, with equal results.", func(p *probe) {
			hash := p.settled().text("root_hash")
			for _, form := range hashForms(hash) {
				p.same(column(p.v3("blocks", "root_hash", form).at("blocks").rows(), "root_hash"), []string{hash}, "blocks by "+form)
			}
		}),
		v3("blocks.by-workchain", Filters, "`workchain` selects blocks of that workchain only.", func(p *probe) {
			for _, workchain := range []string{"-1", "0"} {
				rows := p.v3("blocks", "workchain", workchain, "limit", "20").at("blocks").rows()
				for _, row := range rows {
					p.equal(row.text("workchain"), workchain, row.path+".workchain")
				}
				p.someRows(rows, 1, "blocks of workchain "+workchain)
			}
		}),
		v3("blocks.by-shard", Filters, "`shard` with `workchain` selects blocks of that shard only.", func(p *probe) {
			shard := p.shardBlock().text("shard")
			rows := p.v3("blocks", "workchain", "0", "shard", shard, "limit", "20", "end_lt", p.endLT()).at("blocks").rows()
			for _, row := range rows {
				p.equal(row.text("shard"), shard, row.path+".shard")
			}
			p.requiref(len(rows) > 0 || p.over(), "no block of shard %s", shard)
		}),
		v3("blocks.by-mc-seqno", Filters, "`mc_seqno` selects the blocks that a masterchain block committed, and that block itself.", func(p *probe) {
			n := p.settled().text("seqno")
			rows := p.v3("blocks", "mc_seqno", n, "limit", "500").at("blocks").rows()
			for _, row := range rows {
				p.equal(row.text("masterchain_block_ref", "seqno"), n, row.path+".masterchain_block_ref.seqno")
			}
			p.requiref(slices.Contains(column(rows, "root_hash"), p.settled().text("root_hash")) || p.over(), "the masterchain block itself is missing")
		}),
		v3("blocks.unknown-hash", Filters, "An unknown `root_hash` finds nothing, and that is no error.", func(p *probe) {
			p.same(column(p.v3("blocks", "root_hash", noHash).at("blocks").rows(), "root_hash"), nil, "blocks")
		}),
		v3("blocks.seqno-invalid", Errors, "An unreadable `seqno` is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "blocks", "seqno", "x") }),
		v3("blocks.hash-invalid", Errors, "An unreadable `root_hash` is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "blocks", "root_hash", "zz") }),
		v3("blocks.shard-invalid", Errors, "An unreadable `shard` is refused with 422.", func(p *probe) { p.v3Refused(refusedParameter, "blocks", "workchain", "0", "shard", "east") }),
		v3("blocks.previous", Consistency, "The previous block of a masterchain block is the one with the seqno before.", func(p *probe) {
			b := p.settled()
			previous := b.at("prev_blocks").rows()
			p.requiref(len(previous) == 1 || p.over(), "a masterchain block has %d previous blocks", len(previous))
			if len(previous) == 1 {
				p.requiref(previous[0].small("seqno") == b.small("seqno")-1, "the seqno of the previous block of %d is %d", b.small("seqno"), previous[0].small("seqno"))
			}
		}),
		v3("blocks.ascend", Consistency, "Along masterchain seqnos, LTs and times ascend: a block starts after the end of the one before.", func(p *probe) {
			n := p.settled().small("seqno")
			var end int64
			for i := max(1, n-2); i <= n; i++ {
				b := p.first(p.v3("blocks", "workchain", "-1", "seqno", strconv.FormatInt(i, 10)).at("blocks"), "blocks")
				p.requiref(b.small("start_lt") > end, "block %d starts at LT %d, and the one before ends at %d", i, b.small("start_lt"), end)
				end = b.small("end_lt")
				p.requiref(b.small("start_lt") <= end || p.over(), "block %d ends before it starts", i)
			}
		}),
		v3("shard-state.rows", Consistency, "`/api/v3/masterchainBlockShardState` has the masterchain block and the newest block of each shard, whose prefixes cover the workchain without overlap.", func(p *probe) {
			rows := p.v3("masterchainBlockShardState", "seqno", p.settled().text("seqno")).at("blocks").rows()
			p.requiref(slices.Contains(column(rows, "root_hash"), p.settled().text("root_hash")) || p.over(), "the masterchain block is missing")
			p.requiref(covers(p, rows) || p.over(), "the shards of the basechain do not cover it exactly once")
		}),
		v3("shard-state.fields", Fields, "Rows of `/api/v3/masterchainBlockShardState` are blocks.", func(p *probe) {
			p.v3("masterchainBlockShardState", "seqno", p.settled().text("seqno")).at("blocks").is("[Block]")
		}),
		v3("shard-state.absent", Errors, "`/api/v3/masterchainBlockShardState` of a block that is not indexed is 404.", func(p *probe) {
			p.v3Refused(refusedNotFound, "masterchainBlockShardState", "seqno", "2000000000")
		}),
		v3("shards.rows", Consistency, "`/api/v3/masterchainBlockShards` has the same blocks as `/api/v3/blocks` with `mc_seqno`.", func(p *probe) {
			n := p.settled().text("seqno")
			rows := p.v3("masterchainBlockShards", "seqno", n, "limit", "500").at("blocks").rows()
			p.requiref(len(rows) > 0 || p.over(), "there are no blocks")
			p.sameSet(column(rows, "root_hash"), column(p.v3("blocks", "mc_seqno", n, "limit", "500").at("blocks").rows(), "root_hash"), "blocks")
		}),
		v3("shards.absent", Errors, "`/api/v3/masterchainBlockShards` of a block that is not indexed is 404.", func(p *probe) {
			p.v3Refused(refusedNotFound, "masterchainBlockShards", "seqno", "2000000000")
		}),
		v3("blocks.transaction-count", Consistency, "`tx_count` of a block is the number of its transactions, and their LTs and times lie in the block.", func(p *probe) {
			b := p.shardBlock()
			rows := p.v3("transactions", "workchain", b.text("workchain"), "shard", b.text("shard"), "seqno", b.text("seqno"), "limit", "1000").at("transactions").rows()
			p.requiref(int64(len(rows)) == min(1000, b.small("tx_count")), "%d transactions of a block with tx_count %d", len(rows), b.small("tx_count"))
			for _, row := range rows {
				p.requiref(row.small("lt") >= b.small("start_lt") && row.small("lt") <= b.small("end_lt"), "%s.lt %d is outside of the block", row.path, row.small("lt"))
				p.equal(row.text("now"), b.text("gen_utime"), row.path+".now")
				p.equal(row.text("mc_block_seqno"), b.text("masterchain_block_ref", "seqno"), row.path+".mc_block_seqno")
			}
		}),
	}
}

// noHash is a hash that nothing has.
const noHash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE="

// hashForms are the other texts of a hash.
func hashForms(base64Text string) []string {
	raw := []byte{}
	if bytesOf(base64Text) == 32 {
		raw = decodeBase64(base64Text)
	}
	return []string{base64Text, hex.EncodeToString(raw), urlBase64(raw)}
}

// shardBlock is a settled block of the basechain with transactions.
func (p *probe) shardBlock() value {
	return p.fact("block of a shard", func() value {
		for _, b := range p.v3("blocks", "workchain", "0", "end_lt", p.endLT(), "limit", "100").at("blocks").rows() {
			if b.small("tx_count") > 0 {
				return b
			}
		}
		p.skipf("no block of the basechain has transactions")
		return value{p: p, path: "block of a shard"}
	})
}

// covers reports whether the shards of the basechain divide it.
func covers(p *probe, rows []value) bool {
	// A prefix of n bits covers 1/2^n of the workchain. Its length is the position of the lowest bit.
	var sum, all uint64 = 0, 1 << 63
	for _, row := range rows {
		if row.text("workchain") != "0" {
			continue
		}
		prefix, err := strconv.ParseUint(row.text("shard"), 16, 64)
		if err != nil {
			p.failf("%s.shard is no shard", row.path)
			return false
		}
		sum += prefix & -prefix
	}
	return sum == all
}
