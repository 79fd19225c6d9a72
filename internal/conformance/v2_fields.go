package conformance

func v2FieldChecks() []Check {
	return []Check{
		v2Fields("getMasterchainInfo", "v2Masterchain", nil),
		v2Fields("getConsensusBlock", "v2Consensus", nil),
		v2Fields("getAddressInformation", "v2Account", v2OfAccount),
		v2Fields("getExtendedAddressInformation", "v2Extended", v2OfAccount),
		v2Fields("getWalletInformation", "v2Wallet", v2OfAccount),
		v2Fields("getShards", "v2Shards", func(p *probe) []string { return []string{"seqno", p.v2Head().text("seqno")} }),
		v2Fields("lookupBlock", "v2Block", v2OfBlock),
		v2Fields("getBlockHeader", "v2Header", v2OfBlock),
		v2Fields("getBlockTransactions", "v2Transactions", v2OfBlock),
		v2Fields("getBlockTransactionsExt", "v2TransactionsExt", v2OfBlock),
		v2Fields("getMasterchainBlockSignatures", "v2Signatures", func(p *probe) []string { return []string{"seqno", p.v2Head().text("seqno")} }),
		v2Fields("getShardBlockProof", "v2Proof", v2OfBlock),
		v2Fields("getOutMsgQueueSize", "v2Queues", nil),
		v2Fields("getConfigParam", "v2Config", func(*probe) []string { return []string{"config_id", "0"} }),
		v2Fields("getConfigAll", "v2Config", nil),
		v2Fields("detectAddress", "v2Detected", v2OfAccount),
		v2Fields("detectHash", "v2Hash", func(p *probe) []string { return []string{"hash", p.v2Head().text("root_hash")} }),
		v2Row("getTransactions.fields", Fields, "`getTransactions` returns a list of transactions with their messages.", func(p *probe) {
			rows := v2History(p, "limit", "10")
			for _, row := range rows {
				row.conforms("v2Transaction")
			}
			p.requiref(len(rows) > 0 || p.over(), "no transaction")
		}),
		v2Row("getTransactionsStd.fields", Fields, "`getTransactionsStd` returns an object with the list, whose messages have addresses as objects.", func(p *probe) {
			p.v2("getTransactionsStd", "address", p.v2Account(), "limit", "10").at("transactions").is("[v2Raw]")
		}),
	}
}

// v2Fields checks the members of a method's result.
func v2Fields(name, record string, pairs func(*probe) []string) Check {
	return v2Row(name+".fields", Fields, "`"+name+"` returns its result in the envelope, with all members in their forms.", func(p *probe) {
		var parameters []string
		if pairs != nil {
			parameters = pairs(p)
		}
		p.v2(name, parameters...).conforms(record)
	})
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
