package conformance

import (
	"iter"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const docV2 = "compatibility.md#apiv2"

// v2Row makes a row of the table.
func v2Row(id string, class Class, expect string, run func(*probe)) Check {
	doc := docV2
	if class == Encoding {
		doc = docForms
	}
	return Check{ID: "v2." + id, Section: V2, Class: class, Expect: expect, Doc: doc, run: run}
}

// v2Records are the members of the results of /api/v2.
var v2Records = map[string]string{
	"v2Envelope":        "ok bool, result any",
	"v2Block":           "@type str, workchain int, shard dec, seqno int, root_hash bytes, file_hash bytes",
	"v2TxID":            "@type str, lt dec, hash hash", //nolint:dupword // a member and its kind
	"v2Masterchain":     "@type str, last v2Block, state_root_hash bytes, init v2Block",
	"v2Account":         "@type str, balance dec, extra_currencies arr, last_transaction_id v2TxID, block_id v2Block, code bytes, data bytes, frozen_hash bytes, sync_utime int, state str",
	"v2Extended":        "@type str, address v2Address, balance dec, extra_currencies arr, last_transaction_id v2TxID, block_id v2Block, sync_utime int, account_state obj, revision int",
	"v2Address":         "@type str, account_address friend0",
	"v2Wallet":          "@type str~, wallet bool, balance dec, account_state str, last_transaction_id v2TxID, wallet_type str~, seqno int~, wallet_id int~",
	"v2Header":          "@type str, id v2Block, global_id int, version int, after_merge bool, after_split bool, before_split bool, want_merge bool, want_split bool, validator_list_hash_short int, catchain_seqno int, min_ref_mc_seqno int, is_key_block bool, prev_key_block_seqno int, start_lt dec, end_lt dec, gen_utime int, prev_blocks [v2Block]",
	"v2Shards":          "@type str, shards [v2Block]",
	"v2Transactions":    "@type str, id v2Block, req_count int, incomplete bool, transactions [v2Short]",
	"v2Short":           "@type str, mode int, account lowaddr, lt dec, hash hash", //nolint:dupword // a member and its kind
	"v2TransactionsExt": "@type str, id v2Block, req_count int, incomplete bool, transactions [v2Raw]",
	"v2Transaction":     "@type str, address v2Address, utime int, data boc, transaction_id v2TxID, fee dec, storage_fee dec, other_fee dec, in_msg v2Message~, out_msgs [v2Message]",
	"v2Message":         "@type str, hash hash, source friend0, destination friend0, value dec, fwd_fee dec, ihr_fee dec, created_lt dec, body_hash hash, msg_data obj",
	"v2Raw":             "@type str, address v2Address, utime int, data boc, transaction_id v2TxID, fee dec, storage_fee dec, other_fee dec, in_msg v2RawMessage~, out_msgs [v2RawMessage]",
	"v2RawMessage":      "@type str, hash hash, source v2Address, destination v2Address, value dec, fwd_fee dec, ihr_fee dec, created_lt dec, body_hash hash, msg_data obj",
	"v2Consensus":       "consensus_block int, timestamp any",
	"v2Signatures":      "@type str, id v2Block, signatures [v2Signature]",
	"v2Signature":       "@type str, node_id_short hash, signature bytes",
	"v2Proof":           "@type str, from v2Block, mc_id v2Block, links arr, mc_proof arr",
	"v2Queues":          "@type str, shards [v2Queue], ext_msg_queue_size_limit int",
	"v2Queue":           "@type str, id v2Block, size int",
	"v2Config":          "@type str, config v2Cell",
	"v2Cell":            "@type str, bytes boc",
	"v2Detected":        "raw_form str, bounceable v2Variant, non_bounceable v2Variant, given_type str, test_only bool",
	"v2Variant":         "b64 friend, b64url friend",
	"v2Hash":            "b64 str, b64url str, hex str",
	"v2Run":             "@type str, gas_used int, stack arr, exit_code int",
}

const masterShard = "-9223372036854775808"

// v2 calls a method and returns its result.
func (p *probe) v2(method string, pairs ...string) value {
	return p.envelope(p.read(request{method: http.MethodGet, path: "api/v2/" + method, query: parameters(pairs)}))
}

func (p *probe) envelope(response value) value {
	p.requiref(!response.ok || response.truth("ok"), "ok is false in a response with status 200")
	return response.at("result")
}

// v2Refused calls a method that must refuse the request, in the envelope of errors.
func (p *probe) v2Refused(statuses []int, method string, pairs ...string) {
	v2Error(p.refused(request{method: http.MethodGet, path: "api/v2/" + method, query: parameters(pairs)}, statuses...))
}

func v2Error(body value) {
	body.p.requiref(!body.ok || !body.truth("ok"), "ok is not false")
	body.p.requiref(!body.ok || body.text("error") != "", "the member error is empty")
	status := 0
	if n := len(body.p.exchanges); n > 0 {
		status = body.p.exchanges[n-1].Status
	}
	body.p.requiref(!body.ok || body.text("code") == strconv.Itoa(status), "code is not the status %d", status)
}

// v2Head is the newest masterchain block of /api/v2, some blocks back.
func (p *probe) v2Head() value {
	return p.fact("masterchain block of /api/v2", func() value {
		head := p.v2("getMasterchainInfo").small("last", "seqno")
		return p.v2("lookupBlock", "workchain", "-1", "shard", masterShard, "seqno", itoa(max(1, head-settledBlocks)))
	})
}

// block returns the parameters that name a block.
func blockOf(b value) []string {
	return []string{"workchain", b.text("workchain"), "shard", b.text("shard"), "seqno", b.text("seqno")}
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

func v2Checks() []Check {
	const unprocessable, server, notFound, conflict, method = http.StatusUnprocessableEntity, http.StatusInternalServerError, http.StatusNotFound, http.StatusConflict, http.StatusMethodNotAllowed
	post := func(name string, body any) request {
		return request{method: http.MethodPost, path: "api/v2/" + name, body: body}
	}
	fields := func(name, record string, pairs func(*probe) []string) Check {
		return v2Row(name+".fields", Fields, "`"+name+"` returns its result in the envelope, with all members in their forms.", func(p *probe) {
			var parameters []string
			if pairs != nil {
				parameters = pairs(p)
			}
			p.v2(name, parameters...).conforms(record)
		})
	}
	ofAccount := func(p *probe) []string { return []string{"address", p.v2Account()} }
	ofBlock := func(p *probe) []string { return blockOf(p.v2Shard()) }
	history := func(p *probe, pairs ...string) []value {
		return p.v2("getTransactions", append([]string{"address", p.v2Account()}, pairs...)...).rows()
	}
	id := func(row value) string {
		return row.text("transaction_id", "lt") + " " + row.text("transaction_id", "hash")
	}
	ids := func(rows []value) []string {
		texts := make([]string, len(rows))
		for i, row := range rows {
			texts[i] = id(row)
		}
		return texts
	}
	short := func(rows []value) []string {
		texts := make([]string, len(rows))
		for i, row := range rows {
			texts[i] = row.text("lt") + " " + row.text("hash")
		}
		return texts
	}
	missing := func(name, what string) Check {
		return v2Row(name+".missing", Errors, "`"+name+"` without "+what+" is refused with 422.", func(p *probe) { p.v2Refused([]int{unprocessable}, name) })
	}
	return []Check{
		fields("getMasterchainInfo", "v2Masterchain", nil),
		fields("getConsensusBlock", "v2Consensus", nil),
		fields("getAddressInformation", "v2Account", ofAccount),
		fields("getExtendedAddressInformation", "v2Extended", ofAccount),
		fields("getWalletInformation", "v2Wallet", ofAccount),
		fields("getShards", "v2Shards", func(p *probe) []string { return []string{"seqno", p.v2Head().text("seqno")} }),
		fields("lookupBlock", "v2Block", ofBlock),
		fields("getBlockHeader", "v2Header", ofBlock),
		fields("getBlockTransactions", "v2Transactions", ofBlock),
		fields("getBlockTransactionsExt", "v2TransactionsExt", ofBlock),
		fields("getMasterchainBlockSignatures", "v2Signatures", func(p *probe) []string { return []string{"seqno", p.v2Head().text("seqno")} }),
		fields("getShardBlockProof", "v2Proof", ofBlock),
		fields("getOutMsgQueueSize", "v2Queues", nil),
		fields("getConfigParam", "v2Config", func(*probe) []string { return []string{"config_id", "0"} }),
		fields("getConfigAll", "v2Config", nil),
		fields("detectAddress", "v2Detected", ofAccount),
		fields("detectHash", "v2Hash", func(p *probe) []string { return []string{"hash", p.v2Head().text("root_hash")} }),
		v2Row("getTransactions.fields", Fields, "`getTransactions` returns a list of transactions with their messages.", func(p *probe) {
			rows := history(p, "limit", "10")
			for _, row := range rows {
				row.conforms("v2Transaction")
			}
			p.requiref(len(rows) > 0 || p.over(), "no transaction")
		}),
		v2Row("getTransactionsStd.fields", Fields, "`getTransactionsStd` returns an object with the list, whose messages have addresses as objects.", func(p *probe) {
			p.v2("getTransactionsStd", "address", p.v2Account(), "limit", "10").at("transactions").is("[v2Raw]")
		}),
		v2Row("getAddressBalance.agrees", Consistency, "`getAddressBalance` is the balance of `getAddressInformation`.", func(p *probe) {
			p.unchanged(func() ([]string, []string) {
				return []string{p.v2("getAddressBalance", ofAccount(p)...).text()}, []string{p.v2("getAddressInformation", ofAccount(p)...).text("balance")}
			})
		}),
		v2Row("getAddressState.agrees", Consistency, "`getAddressState` is the state of `getAddressInformation`.", func(p *probe) {
			p.equal(p.v2("getAddressState", ofAccount(p)...).text(), p.v2("getAddressInformation", ofAccount(p)...).text("state"), "state")
		}),
		v2Row("getAddressState.unknown", Routes, "An account that never was is `uninitialized`, with balance 0.", func(p *probe) {
			p.equal(p.v2("getAddressState", "address", nobody).text(), "uninitialized", "state")
			p.equal(p.v2("getAddressBalance", "address", nobody).text(), "0", "balance")
		}),
		v2Row("getExtendedAddressInformation.agrees", Consistency, "`getExtendedAddressInformation` has the balance and the last transaction of `getAddressInformation`.", func(p *probe) {
			p.unchanged(func() ([]string, []string) {
				a, b := p.v2("getExtendedAddressInformation", ofAccount(p)...), p.v2("getAddressInformation", ofAccount(p)...)
				return []string{a.text("balance"), a.text("last_transaction_id", "hash")}, []string{b.text("balance"), b.text("last_transaction_id", "hash")}
			})
		}),
		v2Row("getAddressInformation.past", Consistency, "With `seqno`, the state is that of the masterchain block, which `block_id` names.", func(p *probe) {
			n := p.v2Head().text("seqno")
			p.equal(p.v2("getAddressInformation", "address", p.v2Account(), "seqno", n).text("block_id", "seqno"), n, "block_id.seqno")
		}),
		v2Row("getAddressInformation.forms", Encoding, "An address is accepted raw in either case and user-friendly, with equal results.", func(p *probe) {
			raw := strings.ToUpper(p.v2Account())
			for _, form := range []string{strings.ToLower(raw), friendlyOf(raw)} {
				p.unchanged(func() ([]string, []string) {
					return []string{p.v2("getAddressInformation", "address", form).text("last_transaction_id", "hash")},
						[]string{p.v2("getAddressInformation", "address", raw).text("last_transaction_id", "hash")}
				})
			}
		}),
		missing("getAddressInformation", "an address"), missing("getExtendedAddressInformation", "an address"), missing("getWalletInformation", "an address"),
		missing("getAddressBalance", "an address"), missing("getTransactions", "an address"), missing("getShards", "a seqno"), missing("lookupBlock", "a block"),
		missing("getBlockHeader", "a block"), missing("getBlockTransactions", "a block"), missing("tryLocateTx", "addresses"), missing("packAddress", "an address"),
		v2Row("getAddressInformation.invalid", Errors, "An unreadable address is refused with 422.", func(p *probe) { p.v2Refused([]int{unprocessable}, "getAddressInformation", "address", "someone") }),
		v2Row("getTokenData.no-token", Errors, "`getTokenData` of an account that is no token is 409.", func(p *probe) { p.v2Refused([]int{conflict}, "getTokenData", "address", nobody) }),
		v2Row("getTransactions.limit", Limits, "`limit` bounds `getTransactions`.", func(p *probe) {
			p.requiref(len(history(p, "limit", "1")) == 1 || p.over(), "limit=1 does not return one transaction")
		}),
		v2Row("getTransactions.limit-invalid", Errors, "`limit` 0 and beyond the maximum are refused with 422.", func(p *probe) {
			for _, limit := range []string{"0", "1000001", "some"} {
				p.v2Refused([]int{unprocessable}, "getTransactions", "address", p.v2Account(), "limit", limit)
			}
		}),
		v2Row("getTransactions.order", Order, "`getTransactions` is descending by LT.", func(p *probe) {
			rows := history(p, "limit", "10")
			p.ordered(rows, -1, "transaction_id", "lt")
			p.someRows(rows, 2, "transactions")
		}),
		v2Row("getTransactions.paging", Paging, "From the LT and hash of a transaction, `getTransactions` continues with that transaction, without gaps and doubles.", func(p *probe) {
			all := history(p, "limit", "6")
			if !p.someRows(all, 2, "transactions") {
				return
			}
			pages := ids(all[:1])
			for range len(all) - 1 {
				lt, hash, _ := strings.Cut(pages[len(pages)-1], " ")
				next := ids(history(p, "limit", "2", "lt", lt, "hash", hash))
				if len(next) != 2 || p.over() {
					p.failf("after %s there are %d transactions, expected 2", lt, len(next))
					return
				}
				p.equal(next[0], pages[len(pages)-1], "the first transaction of the page")
				pages = append(pages, next[1])
			}
			p.same(pages, ids(all), "transactions")
		}),
		v2Row("getTransactions.to-lt", Filters, "`to_lt` ends the list before that LT.", func(p *probe) {
			all := history(p, "limit", "6")
			if !p.someRows(all, 3, "transactions") {
				return
			}
			to, first := all[2], all[0]
			rows := history(p, "limit", "6", "lt", first.text("transaction_id", "lt"), "hash", first.text("transaction_id", "hash"), "to_lt", to.text("transaction_id", "lt"))
			p.same(ids(rows), ids(all[:2]), "transactions")
		}),
		v2Row("getTransactions.account", Consistency, "Transactions of an account have its address, and fees that add up.", func(p *probe) {
			for _, row := range history(p, "limit", "10") {
				p.equal(rawOf(row.text("address", "account_address")), strings.ToUpper(p.v2Account()), row.path+".address")
				sum := new(big.Int).Add(row.integer("storage_fee"), row.integer("other_fee"))
				p.equal(row.text("fee"), sum.String(), row.path+".fee")
			}
		}),
		v2Row("getTransactions.data", Consistency, "The hash of the cells in `data` is the hash of the transaction.", func(p *probe) {
			for _, row := range history(p, "limit", "5") {
				p.cellHash(row.at("data"), row.text("transaction_id", "hash"))
			}
		}),
		v2Row("getTransactionsStd.agrees", Consistency, "`getTransactionsStd` and `getTransactions` have the same transactions.", func(p *probe) {
			p.unchanged(func() ([]string, []string) {
				return ids(p.v2("getTransactionsStd", "address", p.v2Account(), "limit", "5").at("transactions").rows()), ids(history(p, "limit", "5"))
			})
		}),
		v2Row("tryLocateTx.agrees", Consistency, "`tryLocateTx` and `tryLocateResultTx` find the transaction that received a message, and `tryLocateSourceTx` the one that sent it.", func(p *probe) {
			b := p.v2Received()
			m := b.at("in_msg")
			pairs := []string{"source", m.text("source", "account_address"), "destination", m.text("destination", "account_address"), "created_lt", m.text("created_lt")}
			p.equal(id(p.v2("tryLocateTx", pairs...)), id(b), "tryLocateTx")
			p.equal(id(p.v2("tryLocateResultTx", pairs...)), id(b), "tryLocateResultTx")
			source := p.v2("tryLocateSourceTx", pairs...)
			p.equal(source.text("address", "account_address"), m.text("source", "account_address"), "the account of tryLocateSourceTx")
			p.requiref(p.over() || slices.Contains(column(source.at("out_msgs").rows(), "hash"), m.text("hash")), "the source did not send the message")
		}),
		v2Row("tryLocateTx.absent", Errors, "`tryLocateTx` of a message that never was is 404.", func(p *probe) {
			p.v2Refused([]int{notFound}, "tryLocateTx", "source", nobody, "destination", nobody, "created_lt", "1")
		}),
		v2Row("getBlockTransactions.order", Order, "`getBlockTransactions` is ascending by account, and within an account by LT.", func(p *probe) {
			rows := p.v2("getBlockTransactions", append(ofBlock(p), "count", "100")...).at("transactions").rows()
			for i := 1; i < len(rows); i++ {
				a, b := rows[i-1], rows[i]
				p.requiref(a.text("account") < b.text("account") || a.text("account") == b.text("account") && a.integer("lt").Cmp(b.integer("lt")) < 0, "%s is out of order", b.path)
			}
			p.someRows(rows, 2, "transactions in a block")
		}),
		v2Row("getBlockTransactions.paging", Paging, "From `after_lt` and `after_hash`, `getBlockTransactions` continues without gaps and doubles.", func(p *probe) {
			all := p.v2("getBlockTransactions", append(ofBlock(p), "count", "6")...).at("transactions").rows()
			if !p.someRows(all, 2, "transactions in a block") {
				return
			}
			var pages []value
			for len(pages) < len(all) && !p.over() {
				pairs := append(ofBlock(p), "count", "1")
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
			p.same(short(pages), short(all), "transactions")
		}),
		v2Row("getBlockTransactions.incomplete", Limits, "`count` bounds `getBlockTransactions`, and `incomplete` says that more follow.", func(p *probe) {
			result := p.v2("getBlockTransactions", append(ofBlock(p), "count", "1")...)
			p.requiref(len(result.at("transactions").rows()) == 1 || p.over(), "count=1 does not return one transaction")
			p.requiref(result.truth("incomplete"), "incomplete is false, and the block has more transactions")
			p.equal(result.text("req_count"), "1", "req_count")
		}),
		v2Row("getBlockTransactionsExt.agrees", Consistency, "`getBlockTransactionsExt` has the transactions of `getBlockTransactions`, in its order.", func(p *probe) {
			p.same(ids(p.v2("getBlockTransactionsExt", append(ofBlock(p), "count", "20")...).at("transactions").rows()),
				short(p.v2("getBlockTransactions", append(ofBlock(p), "count", "20")...).at("transactions").rows()), "transactions")
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
			p.v2Refused([]int{unprocessable}, "lookupBlock", "workchain", "-1", "shard", masterShard, "seqno", "1", "lt", "1")
		}),
		v2Row("lookupBlock.future", Errors, "`lookupBlock` of a block that is not there yet is 500.", func(p *probe) {
			p.v2Refused([]int{server}, "lookupBlock", "workchain", "-1", "shard", masterShard, "seqno", "2000000000")
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
		v2Row("getShards.seqno-invalid", Errors, "`getShards` with an unreadable seqno is refused with 422.", func(p *probe) { p.v2Refused([]int{unprocessable}, "getShards", "seqno", "x") }),
		v2Row("getMasterchainBlockSignatures.block", Consistency, "`getMasterchainBlockSignatures` is about the block of the request, and no validator signs twice.", func(p *probe) {
			result := p.v2("getMasterchainBlockSignatures", "seqno", p.v2Head().text("seqno"))
			p.equal(result.text("id", "root_hash"), p.v2Head().text("root_hash"), "id.root_hash")
			rows := result.at("signatures").rows()
			p.distinct(column(rows, "node_id_short"), "signatures")
			p.requiref(len(rows) > 0 || p.over(), "no signature")
		}),
		v2Row("detectAddress.forms", Encoding, "`detectAddress` has all forms of the same account.", func(p *probe) {
			raw := strings.ToUpper(p.v2Account())
			result := p.v2("detectAddress", "address", friendlyOf(raw))
			p.equal(strings.ToUpper(result.text("raw_form")), raw, "raw_form")
			for _, kind := range []string{"bounceable", "non_bounceable"} {
				for _, form := range []string{"b64", "b64url"} {
					p.equal(rawOf(result.text(kind, form)), raw, kind+"."+form)
				}
			}
		}),
		v2Row("detectHash.forms", Encoding, "`detectHash` has base64, base64url and hex of the same hash.", func(p *probe) {
			forms := hashForms(p.v2Head().text("root_hash"))
			result := p.v2("detectHash", "hash", forms[1])
			p.equal(result.text("b64"), forms[0], "b64")
			p.equal(result.text("hex"), forms[1], "hex")
			p.equal(strings.TrimRight(result.text("b64url"), "="), strings.TrimRight(forms[2], "="), "b64url")
		}),
		v2Row("packAddress.inverse", Encoding, "`packAddress` and `unpackAddress` are inverse.", func(p *probe) {
			raw := strings.ToUpper(p.v2Account())
			packed := p.v2("packAddress", "address", raw).text()
			p.equal(rawOf(packed), raw, "packAddress")
			p.equal(strings.ToUpper(p.v2("unpackAddress", "address", packed).text()), raw, "unpackAddress")
		}),
		v2Row("getConfigParam.cell", Consistency, "`getConfigParam` 0 is the address of the configuration contract: 256 bits.", func(p *probe) {
			p.requiref(len(decodeBase64(p.v2("getConfigParam", "config_id", "0").text("config", "bytes"))) >= 32 || p.over(), "the cell is too short")
		}),
		v2Row("getConfigParam.missing", Errors, "`getConfigParam` without an index is refused with 422.", func(p *probe) { p.v2Refused([]int{unprocessable}, "getConfigParam") }),
		v2Row("getLibraries.unknown", Routes, "`getLibraries` of an unknown hash is an empty list.", func(p *probe) {
			p.same(column(p.v2("getLibraries", "libraries", noHash).at("result").rows(), "hash"), nil, "libraries")
		}),
		v2Row("runGetMethod.fields", Fields, "`runGetMethod` returns gas, stack and exit code.", func(p *probe) {
			p.envelope(p.read(post("runGetMethod", map[string]any{"address": p.v2Wallet(), "method": "seqno", "stack": []any{}}))).conforms("v2Run")
		}),
		v2Row("runGetMethodStd.agrees", Consistency, "`runGetMethod` and `runGetMethodStd` end with the same exit code.", func(p *probe) {
			body := map[string]any{"address": p.v2Wallet(), "method": "seqno", "stack": []any{}}
			p.equal(p.envelope(p.read(post("runGetMethodStd", body))).text("exit_code"), p.envelope(p.read(post("runGetMethod", body))).text("exit_code"), "exit_code")
		}),
		v2Row("runGetMethod.id", Consistency, "`runGetMethod` takes the id of a method, as a number or as text in decimal or hex, for its name.", func(p *probe) {
			run := func(method any) string {
				result := p.envelope(p.read(post("runGetMethod", map[string]any{"address": p.v2Wallet(), "method": method, "stack": []any{}})))
				return result.text("exit_code") + " with gas " + result.text("gas_used")
			}
			named := run("seqno")
			for _, id := range []any{85143, "85143", "0x14c97"} {
				p.equal(run(id), named, "exit code and gas of an id")
			}
		}),
		v2Row("runGetMethod.fraction", Errors, "`runGetMethod` with a method that is a number and no integer is refused with 422.", func(p *probe) {
			v2Error(p.refused(post("runGetMethod", map[string]any{"address": p.v2Account(), "method": 1.5, "stack": []any{}}), unprocessable))
		}),
		v2Row("runGetMethod.missing", Errors, "`runGetMethod` without a method is refused with 422.", func(p *probe) {
			v2Error(p.refused(post("runGetMethod", map[string]any{"address": p.v2Account(), "stack": []any{}}), unprocessable))
		}),
		v2Row("runGetMethod.malformed", Errors, "`runGetMethod` with a body that is no JSON is refused with 422.", func(p *probe) { v2Error(p.refused(post("runGetMethod", "{"), unprocessable)) }),
		v2Row("sendBoc.empty", Errors, "`sendBoc` of an empty message is refused with 422.", func(p *probe) { v2Error(p.refused(post("sendBoc", map[string]any{"boc": ""}), unprocessable)) }),
		v2Row("sendBoc.malformed", Errors, "`sendBoc` of text that is no base64 is refused.", func(p *probe) {
			v2Error(p.refused(post("sendBoc", map[string]any{"boc": "!!"}), unprocessable, server))
		}),
		v2Row("estimateFee.missing", Errors, "`estimateFee` without an address is refused with 422.", func(p *probe) { v2Error(p.refused(post("estimateFee", map[string]any{}), unprocessable)) }),
		v2Row("jsonRPC.agrees", Consistency, "A method returns the same by `jsonRPC` as by its route.", func(p *probe) {
			n := p.v2Head().text("seqno")
			result := p.envelope(p.read(post("jsonRPC", map[string]any{"jsonrpc": "2.0", "id": "1", "method": "getShards", "params": map[string]any{"seqno": p.v2Head().small("seqno")}})))
			p.same(column(result.at("shards").rows(), "root_hash"), column(p.v2("getShards", "seqno", n).at("shards").rows(), "root_hash"), "shards")
		}),
		v2Row("jsonRPC.names", Errors, "Names of members of a call by `jsonRPC` are exact.", func(p *probe) {
			v2Error(p.refused(post("jsonRPC", map[string]any{"jsonrpc": "2.0", "id": "1", "METHOD": "getMasterchainInfo"}), unprocessable))
		}),
		v2Row("jsonRPC.get", Errors, "`GET jsonRPC` is 405.", func(p *probe) { p.v2Refused([]int{method}, "jsonRPC") }),
		v2Row("jsonRPC.error", Errors, "Refused parameters of a method by `jsonRPC` have the status and the envelope of its route.", func(p *probe) {
			v2Error(p.refused(post("jsonRPC", map[string]any{"jsonrpc": "2.0", "id": "1", "method": "getShards", "params": map[string]any{"seqno": "x"}}), unprocessable))
		}),
		v2Row("routes.unknown", Errors, "An unknown method is 404 in the envelope.", func(p *probe) { p.v2Refused([]int{notFound}, "getNothing") }),
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
				a, b := p.v2("getAddressInformation", ofAccount(p)...), p.v3("addressInformation", "address", p.v2Account(), "use_v2", "false")
				return []string{a.text("balance"), a.text("last_transaction_id", "lt")}, []string{b.text("balance"), b.text("last_transaction_lt")}
			})
		}),
	}
}
