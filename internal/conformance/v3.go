package conformance

import (
	"net/http"
	"slices"
)

// v3Checks is the table of the indexed API, /api/v3.
func v3Checks() []Check {
	checks := v3BlockChecks()
	for _, l := range v3Lists {
		checks = append(checks, l.checks()...)
	}
	return slices.Concat(checks, v3TransactionChecks(), v3AccountChecks(), v3TraceChecks(), v3TokenChecks(), v3ServiceChecks())
}

// v3 reads a route.
func (p *probe) v3(path string, pairs ...string) value {
	return p.read(request{method: http.MethodGet, path: "api/v3/" + path, query: parameters(pairs)})
}

// v3Refused calls a route that must refuse the request: with one of the statuses, and an error text.
func (p *probe) v3Refused(statuses []int, path string, pairs ...string) {
	v3Error(p.refused(request{method: http.MethodGet, path: "api/v3/" + path, query: parameters(pairs)}, statuses...))
}

// v3Error checks the body of an error.
func v3Error(body value) {
	body.at("error").is("str")
	body.p.requiref(!body.ok || body.text("error") != "", "the member error is empty")
}

// Statuses of refused requests. Older servers of the field report some mistakes of clients as 500.
var (
	refusedParameter = []int{http.StatusUnprocessableEntity}
	refusedRule      = []int{http.StatusUnprocessableEntity, http.StatusInternalServerError}
	refusedMissing   = []int{http.StatusUnprocessableEntity, http.StatusUnauthorized}
	refusedNotFound  = []int{http.StatusNotFound}
)

const (
	docV3     = "conformance.md#api-v3"
	docForms  = "addresses.md"
	docCompat = "compatibility.md#deviations-with-reasons"
)

// v3 makes a row of the table.
func v3(id string, class Class, expect string, run func(*probe)) Check {
	doc := docV3
	switch class {
	case Encoding:
		doc = docForms
	case Errors, Limits:
		doc = docCompat
	case Routes, Fields, Filters, Order, Paging, Consistency, Events:
	}
	return Check{ID: "v3." + id, Section: V3, Class: class, Expect: expect, Doc: doc, run: run}
}

// v3Records are the members of the records of /api/v3.
//
//nolint:gosec // no credentials: names of members
var v3Records = map[string]string{
	"BlockRef": "workchain int, shard shard, seqno int",
	"Block": `workchain int, shard shard, seqno int, root_hash hash, file_hash hash, global_id int, version int, after_merge bool,
		before_split bool, after_split bool, want_merge bool, want_split bool, key_block bool, vert_seqno_incr bool, flags int,
		gen_utime dec, start_lt dec, end_lt dec, validator_list_hash_short int, gen_catchain_seqno int, min_ref_mc_seqno int,
		prev_key_block_seqno int, vert_seqno int, master_ref_seqno int?, rand_seed hash, created_by hash, tx_count int,
		masterchain_block_ref BlockRef, prev_blocks [BlockRef]?`,
	"Transaction": `account addr, hash hash, lt dec, now int, mc_block_seqno int, trace_id hash~, prev_trans_hash hash, prev_trans_lt dec,
		orig_status state, end_status state, total_fees dec, total_fees_extra_currencies obj, description Description, block_ref BlockRef,
		in_msg Message?, out_msgs [Message], account_state_before State?, account_state_after State?, emulated bool`,
	"Description": "type str, aborted bool~, destroyed bool~, credit_first bool~, is_tock bool~, storage_ph Storage~, credit_ph obj~, compute_ph Compute~, action ActionPhase~",
	"Storage":     "storage_fees_collected dec~, storage_fees_due dec~, status_change str~",
	"Compute": `skipped bool~, reason str~, success bool~, msg_state_used bool~, account_activated bool~, gas_fees dec~, gas_used dec~,
		gas_limit dec~, gas_credit dec~, mode int~, exit_code int~, exit_arg int~, vm_steps int~`,
	"ActionPhase": `success bool~, valid bool~, no_funds bool~, status_change str~, total_fwd_fees dec~, total_action_fees dec~,
		result_code int~, result_arg int~, tot_actions int~, spec_actions int~, skipped_actions int~, msgs_created int~, action_list_hash hash~`,
	"State": "hash hash, balance dec?~, extra_currencies obj?~, account_status state?~, frozen_hash hash?~, data_hash hash?~, code_hash hash?~",
	"Message": `hash hash, source addr?, destination addr?, value dec?, value_extra_currencies obj?, fwd_fee dec?, ihr_fee dec?,
		created_lt dec?, created_at dec?, opcode opcode?, decoded_opcode str?~, ihr_disabled bool?, bounce bool?, bounced bool?,
		import_fee dec?, message_content Content?, init_state Content?, in_msg_tx_hash hash~, out_msg_tx_hash hash~, hash_norm hash~`,
	"Content": "hash hash, body boc, decoded obj?~",
	"Trace": `trace_id hash?, external_hash hash?, mc_seqno_start dec, mc_seqno_end dec, start_lt dec, start_utime int, end_lt dec?,
		end_utime int?, trace_info TraceInfo, is_incomplete bool, warning str~, trace Node~, transactions_order hashes~, transactions {Transaction}~`,
	"TraceInfo": "trace_state str, messages int, transactions int, pending_messages int, classification_state str",
	"Node":      "tx_hash hash, in_msg_hash hash?~, children [Node]?",
	"Action": `trace_id hash?, action_id hash, start_lt dec, end_lt dec, start_utime int, end_utime int, trace_end_lt dec?,
		trace_end_utime int?, trace_mc_seqno_end int?, transactions hashes, success bool?, type str, details obj, finality final~,
		trace_external_hash hash~, trace_external_hash_norm hash~`,
	"JettonMaster": `address addr, total_supply dec, mintable bool, admin_address addr?, jetton_content obj?, jetton_wallet_code_hash hash,
		last_transaction_lt dec, code_hash hash?, data_hash hash?`,
	"JettonWallet": "address addr, balance dec, owner addr, jetton addr, last_transaction_lt dec, code_hash hash?, data_hash hash?, mintless_info obj~",
	"JettonTransfer": `query_id dec, source addr, destination addr?, amount dec, source_wallet addr, jetton_master addr, transaction_hash hash,
		transaction_lt dec, transaction_now int, transaction_aborted bool, response_destination str?, custom_payload boc?,
		forward_ton_amount dec?, forward_payload boc?, trace_id hash?`,
	"JettonBurn": `query_id dec, owner addr, jetton_wallet addr, jetton_master addr, transaction_hash hash, transaction_lt dec,
		transaction_now int, transaction_aborted bool, amount dec, response_destination str?, custom_payload boc?, trace_id hash?`,
	"NFTCollection": `address addr, owner_address addr?, next_item_index dec, collection_content obj?, last_transaction_lt dec, code_hash hash?,
		data_hash hash?`,
	"NFTItem": `address addr, init bool, index dec, collection_address addr?, owner_address addr?, content obj?, last_transaction_lt dec,
		code_hash hash?, data_hash hash?, collection NFTCollection?~`,
	"NFTTransfer": `query_id dec, nft_address addr, nft_collection str?, transaction_hash hash, transaction_lt dec, transaction_now int,
		transaction_aborted bool, old_owner addr, new_owner addr, response_destination str?, custom_payload boc?, forward_amount dec?,
		forward_payload boc?, trace_id hash?`,
	"AccountState": `address addr, status state, balance dec, extra_currencies obj?~, code_hash hash?~, data_hash hash?~, frozen_hash hash?~,
		account_state_hash hash?~, last_transaction_hash hash?~, last_transaction_lt dec?~, data_boc boc?~, code_boc boc?~, contract_methods arr?~, interfaces arr?~`,
	"WalletState": `address addr, is_wallet bool, status state, balance dec, wallet_type str~, seqno int~, wallet_id int~,
		is_signature_allowed bool~, last_transaction_hash hash~, last_transaction_lt dec~, code_hash hash~`,
	"BookEntry":     "user_friendly str?, domain str?~, interfaces arr?~",
	"MetadataEntry": "is_indexed bool, token_info [TokenInfo]~",
	"TokenInfo":     "type str, valid bool~, name str?~, symbol str?~, description str?~, image str?~, nft_index dec?~, extra obj?~",
	"TopAccount":    "account addr, balance dec",
	"Information":   "balance dec, code bytes?, data bytes?, last_transaction_lt dec, last_transaction_hash hash, status str",
	"GetMethod":     "gas_used int, exit_code int, stack [StackEntry]",
	"StackEntry":    "type str, value any",
}
