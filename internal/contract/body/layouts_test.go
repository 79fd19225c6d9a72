package body

import (
	"encoding/base64"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// The text of the values in the bodies of these tests.
const (
	alicePrinted = `{"@type":"addr_std","anycast":{"@type":"nothing_from_maybe"},"workchain_id":"0","address":"` + aliceHex + `"}`
	bobPrinted   = `{"@type":"addr_std","anycast":{"@type":"nothing_from_maybe"},"workchain_id":"-1","address":"` + bobHex + `"}`
	none         = `{"@type":"addr_none"}`
	nothing      = `{"@type":"nothing_from_maybe"}`
	aliceHex     = "AB000000000000000000000000000000000000000000000000000000000000CD"
	bobHex       = "3333333333333333333333333333333333333333333333333333333333333333"
	thousand     = `{"@type":"var_uint","len":"2","value":"1000"}`
	thousandCoin = `{"@type":"nanocoins","amount":` + thousand + `}`
	thousandGram = `{"@type":"nanograms","amount":` + thousand + `}`
	zeroGrams    = `{"@type":"nanograms","amount":{"@type":"var_uint","len":"0","value":"0"}}`
	hi           = `{"@type":"text_comment","text":"hi"}`
	noExtra      = `{"@type":"extra_currencies","dict":{"@type":"hashmap_empty"}}`
)

var (
	alice  = address.NewAddress(0, 0, append(append([]byte{0xab}, make([]byte, 30)...), 0xcd))
	bob    = address.NewAddress(0, 255, bytesOf(0x33, 32))
	opaque = cell.BeginCell().MustStoreUInt(0xff, 8).EndCell() // has no layout
)

func bytesOf(b byte, n int) []byte { return []byte(strings.Repeat(string(rune(b)), n)) }

// base64Of returns the text of a cell without a layout.
func base64Of(c *cell.Cell) string {
	return `"` + base64.StdEncoding.EncodeToString(c.ToBOCWithOptions(cell.BOCSerializeOptions{})) + `"`
}

func comment(text string) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(opTextComment, 32).MustStoreStringSnake(text).EndCell()
}

type build = cell.Builder

func empty() *build { return cell.BeginCell() }

// message returns an internal message of alice to bob; [messagePrinted] is its text.
func message() *cell.Cell {
	return empty().MustStoreUInt(0b0_110, 4).MustStoreAddr(alice).MustStoreAddr(bob).MustStoreCoins(1000).MustStoreBoolBit(false).
		MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(7, 64).MustStoreUInt(8, 32).
		MustStoreBoolBit(false).MustStoreBoolBit(true).MustStoreRef(comment("hi")).EndCell()
}

const messagePrinted = `{"@type":"message","info":{"@type":"int_msg_info","ihr_disabled":true,"bounce":true,"bounced":false,` +
	`"src":` + alicePrinted + `,"dest":` + bobPrinted + `,"value":{"@type":"currencies","grams":` + thousandGram + `,"other":` + noExtra + `},` +
	`"ihr_fee":` + zeroGrams + `,"fwd_fee":` + zeroGrams + `,"created_lt":"7","created_at":"8"},` +
	`"init":` + nothing + `,"body":{"@type":"second_from_either","value":` + hi + `}}`

// sending returns a list of one action, which sends [message].
func sending() *cell.Cell {
	return empty().MustStoreRef(empty().EndCell()).MustStoreUInt(0x0ec3c86d, 32).MustStoreUInt(3, 8).MustStoreRef(message()).EndCell()
}

const sendingPrinted = `{"@type":"out_list","prev":{"@type":"out_list_empty"},"action":{"@type":"action_send_msg","mode":"3","out_msg":` + messagePrinted + `}}`

// signers returns a dictionary with 8-bit keys of alice and bob, its root inline.
func signers(t testing.TB) *cell.Cell {
	t.Helper()
	d := cell.NewDict(8)
	require.NoError(t, d.SetIntKey(big.NewInt(0), empty().MustStoreAddr(alice).EndCell()))
	require.NoError(t, d.SetIntKey(big.NewInt(0xa1), empty().MustStoreAddr(bob).EndCell()))
	return d.AsCell()
}

// The text of dictionaries: an edge with its label, the label without bits, and a node that is a leaf.
const (
	edge      = `{"@type":"hashmap_edge","label":`
	noLabel   = `{"@type":"hashmap_label_short","len":{"@type":"unary_zero"},"s":""}`
	leaf      = `,"node":{"@type":"hashmap_node_leaf","value":`
	fork      = `,"node":{"@type":"hashmap_node_fork","left":`
	zeroLabel = `{"@type":"hashmap_label_same","v":false,"n":`
)

const signersPrinted = edge + noLabel + fork + edge + zeroLabel + `"7"}` + leaf + alicePrinted + `}},"right":` +
	edge + `{"@type":"hashmap_label_long","n":"7","s":"43_"}` + leaf + bobPrinted + `}}}}`

// order returns a multisig order: send [message], then change the parameters.
func order(t testing.TB) *cell.Cell {
	t.Helper()
	d := cell.NewDict(8)
	send := empty().MustStoreUInt(0xf1381e5b, 32).MustStoreUInt(1, 8).MustStoreRef(message()).EndCell()
	change := empty().MustStoreUInt(0x1d0cfbd3, 32).MustStoreUInt(2, 8).MustStoreRef(signers(t)).MustStoreBoolBit(false).EndCell()
	require.NoError(t, d.SetIntKey(big.NewInt(0), empty().MustStoreRef(send).EndCell()))
	require.NoError(t, d.SetIntKey(big.NewInt(1), empty().MustStoreRef(change).EndCell()))
	return d.AsCell()
}

const orderPrinted = `{"":` + edge + zeroLabel + `"7"}` + fork + edge + noLabel + leaf + `{"@type":"send_message","mode":"1","message":` + messagePrinted + `}}},"right":` +
	edge + noLabel + leaf + `{"@type":"update_multisig_param","threshold":"2","signers":` + signersPrinted + `,"proposers":{"@type":"hashmap_empty"}}}}}}}`

// auction returns the configuration of an auction.
func auction() *cell.Cell {
	return empty().MustStoreAddr(alice).MustStoreCoins(1000).MustStoreCoins(0).MustStoreUInt(5, 8).MustStoreUInt(60, 32).MustStoreUInt(3600, 32).EndCell()
}

const auctionPrinted = `{"@type":"teleitem_auction_config","beneficiary_address":` + alicePrinted + `,"initial_min_bid":` + thousandGram +
	`,"max_bid":` + zeroGrams + `,"min_bid_step":"5","min_extend_time":"60","duration":"3600"}`

func text8(b *build, text string) *build {
	return b.MustStoreUInt(uint64(len(text)), 8).MustStoreSlice([]byte(text), uint(len(text))*8)
}

// layoutCase is a body without its opcode, and the text of its members.
type layoutCase struct {
	op    uint32
	name  string
	build func(t testing.TB, b *build) *build
	want  string // text after the @type
}

// queries returns the cases of bodies with only a query id.
func queries() []layoutCase {
	var list []layoutCase
	for op, name := range map[uint32]string{
		0xd53276db: "excess", 0xd372158c: "top_up", 0x2fcb26a2: "get_static_data", 0x693d3950: "get_royalty_params",
		0x1f04537a: "sbt_destroy", 0x6f89f5e3: "sbt_revoke", 0x4ed14b65: "dns_balance_release", 0xf374484c: "elector_new_stake_confirmation",
		0x47657424: "elector_recover_stake_request", 0xf96f7324: "elector_recover_stake_response", 0x82609bf6: "multisig_approve_accepted",
		0xf258a69b: "vesting_add_white_list_response", 0xf7733acd: "vesting_send_message_response",
		0x6e6f7465: "wallet_plugin_installation_notification", 0x64737472: "wallet_plugin_destruct", 0xe4737472: "wallet_plugin_destruct_response",
		0xf06c7567: "payment_confirmed", 0x557cea20: "outbid_notification", 0x370fec51: "auction_fill_up",
	} {
		list = append(list, layoutCase{op, name, queryID, `"query_id":"18446744073709551615"`})
	}
	for op, name := range map[uint32]string{0xa37a0983: "teleitem_ok", 0xa43227e1: "teleitem_return_bid", 0x371638ae: "teleitem_msg_cancel_auction"} {
		list = append(list, layoutCase{op, name, queryID, `"query_id":"-1"`})
	}
	return list
}

func queryID(_ testing.TB, b *build) *build { return b.MustStoreUInt(1<<64-1, 64) }

// q starts a body with query id 5.
func q(f func(t testing.TB, b *build) *build) func(testing.TB, *build) *build {
	return func(t testing.TB, b *build) *build {
		t.Helper()
		return f(t, b.MustStoreUInt(5, 64))
	}
}

const five = `"query_id":"5",`

func layoutCases() []layoutCase {
	type tb = testing.TB
	return append(queries(), []layoutCase{
		{0, "text_comment", func(_ tb, b *build) *build { return b.MustStoreStringSnake("héllo \"\n<") }, `"text":"héllo \"\n<"`},
		{0, "text_comment", func(_ tb, b *build) *build { return b.MustStoreStringSnake(strings.Repeat("ж", 200)) }, `"text":"` + strings.Repeat("ж", 200) + `"`},
		{opEncryptedComment, "encrypted_text_comment", func(_ tb, b *build) *build { return b.MustStoreUInt(0xff, 8) }, `"cipher_text":` + base64Of(opaque)},
		{0xffffffff, "bounce", func(_ tb, b *build) *build { return b.MustStoreUInt(0xff, 8) }, `"payload":` + base64Of(opaque)},
		{0xffffffff, "bounce", func(_ tb, b *build) *build { return b.MustStoreUInt(0xd53276db, 32).MustStoreUInt(9, 64) }, `"payload":{"@type":"excess","query_id":"9"}`},

		{0xfffffffe, "new_bounce_body", func(_ tb, b *build) *build {
			info := empty().MustStoreCoins(1000).MustStoreBoolBit(false).MustStoreUInt(7, 64).MustStoreUInt(8, 32)
			return b.MustStoreRef(empty().MustStoreUInt(0xd53276db, 32).MustStoreUInt(9, 64).EndCell()).MustStoreRef(info.EndCell()).
				MustStoreUInt(1, 8).MustStoreInt(-14, 32).MustStoreBoolBit(true).MustStoreUInt(1000, 32).MustStoreUInt(20, 32)
		}, `"original_body":{"@type":"excess","query_id":"9"},"original_info":{"value":{"@type":"currencies","grams":` +
			thousandGram + `,"other":` + noExtra + `},"created_lt":"7","created_at":"8"},"bounced_by_phase":"1","exit_code":"-14",` +
			`"compute_phase":{"@type":"something_from_maybe","value":{"gas_used":"1000","vm_steps":"20"}}`},
		{0xfffffffe, "new_bounce_body", func(_ tb, b *build) *build { // of a message without a body, to an account without code
			info := empty().MustStoreCoins(1000).MustStoreBoolBit(false).MustStoreUInt(7, 64).MustStoreUInt(8, 32)
			return b.MustStoreRef(empty().EndCell()).MustStoreRef(info.EndCell()).MustStoreUInt(0, 8).MustStoreInt(-1, 32).MustStoreBoolBit(false)
		}, `"original_body":{"@type":"empty_cell"},"original_info":{"value":{"@type":"currencies","grams":` +
			thousandGram + `,"other":` + noExtra + `},"created_lt":"7","created_at":"8"},"bounced_by_phase":"0","exit_code":"-1","compute_phase":` + nothing},

		{0x0f8a7ea5, "jetton_transfer", q(func(_ tb, b *build) *build {
			return b.MustStoreCoins(1000).MustStoreAddr(alice).MustStoreAddr(nil).MustStoreBoolBit(true).MustStoreRef(opaque).MustStoreCoins(1000).
				MustStoreBoolBit(true).MustStoreRef(comment("hi"))
		}), five + `"amount":` + thousand + `,"destination":` + alicePrinted + `,"response_destination":` + none +
			`,"custom_payload":{"@type":"something_from_maybe","value":` + base64Of(opaque) + `},"forward_ton_amount":` + thousand +
			`,"forward_payload":{"@type":"second_from_either","value":` + hi + `}`},
		{0x0f8a7ea5, "jetton_transfer", q(func(_ tb, b *build) *build {
			return b.MustStoreCoins(1000).MustStoreAddr(alice).MustStoreAddr(bob).MustStoreBoolBit(false).MustStoreCoins(1000).MustStoreBoolBit(false)
		}), five + `"amount":` + thousand + `,"destination":` + alicePrinted + `,"response_destination":` + bobPrinted +
			`,"custom_payload":` + nothing + `,"forward_ton_amount":` + thousand + `,"forward_payload":{"@type":"first_from_either","value":{"@type":"empty_cell"}}`},
		{0x178d4519, "jetton_internal_transfer", q(func(_ tb, b *build) *build {
			return b.MustStoreCoins(1000).MustStoreAddr(alice).MustStoreAddr(bob).MustStoreCoins(1000).MustStoreBoolBit(false).MustStoreUInt(0, 32).MustStoreStringSnake("hi")
		}), five + `"amount":` + thousand + `,"from":` + alicePrinted + `,"response_address":` + bobPrinted + `,"forward_ton_amount":` + thousand +
			`,"forward_payload":{"@type":"first_from_either","value":` + hi + `}`},
		{0x178d4519, "jetton_internal_transfer", q(func(_ tb, b *build) *build { // the bit is missing
			return b.MustStoreCoins(1000).MustStoreAddr(alice).MustStoreAddr(bob).MustStoreCoins(1000)
		}), five + `"amount":` + thousand + `,"from":` + alicePrinted + `,"response_address":` + bobPrinted + `,"forward_ton_amount":` + thousand +
			`,"forward_payload":{"@type":"empty_cell"}`},
		{0x7362d09c, "jetton_notify", q(func(_ tb, b *build) *build {
			return b.MustStoreCoins(1000).MustStoreAddr(alice).MustStoreBoolBit(true).MustStoreRef(opaque)
		}), five + `"amount":` + thousand + `,"sender":` + alicePrinted + `,"forward_payload":{"@type":"second_from_either","value":` + base64Of(opaque) + `}`},
		{0x595f07bc, "jetton_burn", q(func(_ tb, b *build) *build {
			return b.MustStoreCoins(1000).MustStoreAddr(alice).MustStoreBoolBit(false)
		}), five + `"amount":` + thousand + `,"response_destination":` + alicePrinted + `,"custom_payload":` + nothing},
		{0x7bdd97de, "jetton_burn_notification", q(func(_ tb, b *build) *build {
			return b.MustStoreCoins(1000).MustStoreAddr(alice).MustStoreAddr(bob)
		}), five + `"amount":` + thousand + `,"sender":` + alicePrinted + `,"response_destination":` + bobPrinted},
		{0x642b7d07, "jetton_mint", q(func(_ tb, b *build) *build { return b.MustStoreAddr(alice).MustStoreCoins(1000) }),
			five + `"to_address":` + alicePrinted + `,"ton_amount":` + thousandCoin},
		{0x15, "minter_jetton_mint", q(func(_ tb, b *build) *build {
			return b.MustStoreAddr(alice).MustStoreCoins(1000).MustStoreRef(comment("hi"))
		}),
			five + `"to_address":` + alicePrinted + `,"ton_amount":` + thousandCoin + `,"master_msg":` + hi},
		{0x6501f354, "jetton_change_admin", q(func(_ tb, b *build) *build { return b.MustStoreAddr(bob) }), five + `"new_admin_address":` + bobPrinted},
		{0xeed236d3, "jetton_set_status", q(func(_ tb, b *build) *build { return b.MustStoreUInt(3, 4) }), five + `"status":"3"`},

		{0x5fcc3d14, "nft_transfer", q(func(_ tb, b *build) *build {
			return b.MustStoreAddr(alice).MustStoreAddr(bob).MustStoreBoolBit(false).MustStoreCoins(1000).MustStoreBoolBit(true).MustStoreRef(comment("hi"))
		}), five + `"new_owner":` + alicePrinted + `,"response_destination":` + bobPrinted + `,"custom_payload":` + nothing +
			`,"forward_amount":` + thousand + `,"forward_payload":{"@type":"second_from_either","value":` + hi + `}`},
		{0x05138d91, "nft_ownership_assigned", q(func(_ tb, b *build) *build { return b.MustStoreAddr(alice).MustStoreBoolBit(true).MustStoreRef(opaque) }),
			five + `"prev_owner":` + alicePrinted + `,"forward_payload":{"@type":"second_from_either","value":` + base64Of(opaque) + `}`},
		{0x8b771735, "report_static_data", q(func(_ tb, b *build) *build { return b.MustStoreSlice(bytesOf(0x01, 32), 256).MustStoreAddr(alice) }),
			five + `"index":"454086624460063511464984254936031011189294057512315937409637584344757371137","collection":` + alicePrinted},
		{0xa8cb00ad, "report_royalty_params", q(func(_ tb, b *build) *build { return b.MustStoreUInt(5, 16).MustStoreUInt(100, 16).MustStoreAddr(alice) }),
			five + `"numerator":"5","denominator":"100","destination":` + alicePrinted},
		{0x04ded148, "prove_ownership", q(func(_ tb, b *build) *build { return b.MustStoreAddr(alice).MustStoreRef(opaque).MustStoreBoolBit(true) }),
			five + `"dest":` + alicePrinted + `,"forward_payload":` + base64Of(opaque) + `,"with_content":true`},
		{0x0524c7ae, "ownership_proof", q(func(_ tb, b *build) *build {
			return b.MustStoreUInt(0, 192).MustStoreUInt(77, 64).MustStoreAddr(alice).MustStoreRef(opaque).MustStoreUInt(9, 64).MustStoreBoolBit(true).MustStoreRef(opaque)
		}), five + `"item_id":"77","owner":` + alicePrinted + `,"data":` + base64Of(opaque) + `,"revoked_at":"9","content":{"@type":"something_from_maybe","value":` + base64Of(opaque) + `}`},
		{0xd0c3bfea, "sbt_request_owner", q(func(_ tb, b *build) *build {
			return b.MustStoreAddr(alice).MustStoreRef(opaque).MustStoreBoolBit(false)
		}),
			five + `"dest":` + alicePrinted + `,"forward_payload":` + base64Of(opaque) + `,"with_content":false`},
		{0x0dd607e3, "sbt_owner_info", q(func(_ tb, b *build) *build {
			return b.MustStoreUInt(0, 192).MustStoreUInt(77, 64).MustStoreAddr(alice).MustStoreAddr(bob).MustStoreRef(opaque).MustStoreUInt(0, 64).MustStoreBoolBit(false)
		}), five + `"item_id":"77","initiator":` + alicePrinted + `,"owner":` + bobPrinted + `,"data":` + base64Of(opaque) + `,"revoked_at":"0","content":` + nothing},

		{0x4eb1f0f9, "change_dns_record", dnsRecord(func(b *build) *build { return b.MustStoreUInt(0x9fd3, 16).MustStoreAddr(alice).MustStoreUInt(0, 8) }),
			dnsKey + `,"value":{"@type":"dns_smc_address","smc_addr":` + alicePrinted + `,"flags":"0"}`},
		{0x4eb1f0f9, "change_dns_record", dnsRecord(func(b *build) *build {
			name := b.MustStoreUInt(0x9fd3, 16).MustStoreAddr(alice).MustStoreUInt(1, 8).MustStoreUInt(1, 1).MustStoreUInt(0x2177, 16).MustStoreUInt(1, 1).MustStoreUInt(0xff, 8)
			return text8(name.MustStoreUInt(1, 8), "w").MustStoreUInt(0, 1)
		}), dnsKey + `,"value":{"@type":"dns_smc_address","smc_addr":` + alicePrinted + `,"flags":"1","cap_list":{"@type":"cap_list_next",` +
			`"item":{"@type":"cap_is_wallet"},"next":{"@type":"cap_list_next","item":{"@type":"cap_name","name":{"@type":"text","chunks":"1","rest":` +
			`{"@type":"text_chunk","len":"1","data":"77","next":{"@type":"chunk_ref_empty"}}}},"next":{"@type":"cap_list_nil"}}}}`},
		{0x4eb1f0f9, "change_dns_record", dnsRecord(func(b *build) *build { return b.MustStoreUInt(0xba93, 16).MustStoreAddr(bob) }),
			dnsKey + `,"value":{"@type":"dns_next_resolver","resolver":` + bobPrinted + `}`},
		{0x4eb1f0f9, "change_dns_record", dnsRecord(func(b *build) *build {
			return b.MustStoreUInt(0xad01, 16).MustStoreSlice(bytesOf(0x33, 32), 256).MustStoreUInt(1, 8).MustStoreUInt(1, 1).MustStoreUInt(0x4854, 16).MustStoreUInt(0, 1)
		}), dnsKey + `,"value":{"@type":"dns_adnl_address","adnl_addr":"` + bobHex + `","flags":"1","proto_list":{"@type":"proto_list_next","item":{"@type":"proto_http"},"next":{"@type":"proto_list_nil"}}}`},
		{0x4eb1f0f9, "change_dns_record", dnsRecord(func(b *build) *build { return b.MustStoreUInt(0x7473, 16).MustStoreSlice(bytesOf(0x33, 32), 256) }),
			dnsKey + `,"value":{"@type":"dns_storage_address","bag_id":"` + bobHex + `"}`},
		{0x4eb1f0f9, "change_dns_record", dnsRecord(func(b *build) *build {
			return text8(b.MustStoreUInt(0x1eda, 16).MustStoreUInt(2, 8), "hello ").MustStoreRef(text8(empty(), "there").EndCell())
		}), dnsKey + `,"value":{"@type":"dns_text","":{"@type":"text","chunks":"2","rest":{"@type":"text_chunk","len":"6","data":"68656C6C6F20",` +
			`"next":{"@type":"chunk_ref","ref":{"@type":"text_chunk","len":"5","data":"7468657265","next":{"@type":"chunk_ref_empty"}}}}}}`},
		{0x4eb1f0f9, "delete_dns_record", q(func(_ tb, b *build) *build { return b.MustStoreSlice(bytesOf(0x33, 32), 256) }), dnsKey},

		{0x4e73744b, "elector_new_stake", q(func(_ tb, b *build) *build {
			return b.MustStoreSlice(bytesOf(0x33, 32), 256).MustStoreUInt(1, 32).MustStoreUInt(2, 32).MustStoreSlice(bytesOf(0x33, 32), 256).
				MustStoreRef(empty().MustStoreSlice(bytesOf(0x33, 64), 512).EndCell())
		}), five + `"validator_pubkey":"` + bobHex + `","stake_at":"1","max_factor":"2","adnl_addr":"` + bobHex + `","signature":"` + bobHex + bobHex + `"`},

		{0xf718510f, "mulisig_new_order", q(func(t tb, b *build) *build {
			t.Helper()
			return b.MustStoreUInt(0, 192).MustStoreUInt(3, 64).MustStoreBoolBit(true).MustStoreUInt(1, 8).MustStoreUInt(99, 48).MustStoreRef(order(t))
		}), five + `"order_seqno":"3","signer":true,"index":"1","expiration_date":"99","order":` + orderPrinted},
		{0x9c73fba2, "multisig_order_init", q(func(t tb, b *build) *build {
			t.Helper()
			return b.MustStoreUInt(2, 8).MustStoreRef(signers(t)).MustStoreUInt(99, 48).MustStoreRef(order(t)).MustStoreBoolBit(true).MustStoreUInt(1, 8)
		}), five + `"threshold":"2","signers":` + signersPrinted + `,"expiration_date":"99","order":` + orderPrinted + `,"signer_index":{"@type":"something_from_maybe","value":"1"}`},
		{0xa762230f, "multisig_approve", q(func(_ tb, b *build) *build { return b.MustStoreUInt(4, 8) }), five + `"signer_index":"4"`},
		{0xafaf283e, "multisig_approve_rejected", q(func(_ tb, b *build) *build { return b.MustStoreUInt(111, 32) }), five + `"exit_code":"111"`},
		{0x75097f5d, "multisig_execute", q(func(t tb, b *build) *build {
			t.Helper()
			return b.MustStoreUInt(0, 192).MustStoreUInt(3, 64).MustStoreUInt(99, 48).MustStoreUInt(2, 8).MustStoreSlice(bytesOf(0x33, 32), 256).MustStoreRef(order(t))
		}), five + `"order_seqno":"3","expiration_date":"99","approvals_num":"2","signers_hash":"` + bobHex + `","order":` + orderPrinted},
		{0xa32c59bf, "multisig_execute_internal", q(func(t tb, b *build) *build {
			t.Helper()
			return b.MustStoreRef(order(t))
		}), five + `"order":` + orderPrinted},

		{0x7258a69b, "vesting_add_white_list", q(func(_ tb, b *build) *build { return b.MustStoreUInt(0xff, 8) }), five + `"addresses_ref_snake":` + base64Of(opaque)},
		{0xa7733acd, "vesting_send_message", q(func(_ tb, b *build) *build { return b.MustStoreUInt(3, 8).MustStoreRef(message()) }),
			five + `"send_mode":"3","message":` + messagePrinted},
		{0x706c7567, "payment_request", q(func(t tb, b *build) *build {
			t.Helper()
			extra := cell.NewDict(32)
			require.NoError(t, extra.SetIntKey(big.NewInt(0x64), empty().MustStoreBigVarUInt(big.NewInt(1000), 32).EndCell()))
			return b.MustStoreCoins(1000).MustStoreDict(extra)
		}), five + `"amount":{"@type":"currencies","grams":` + thousandGram + `,"other":{"@type":"extra_currencies","dict":{"@type":"hashmap_root","root":` + edge + `{"@type":"hashmap_label_long","n":"32","s":"00000064"}` + leaf + thousand + `}}}}}`},
		{0x7aa23eb5, "invoice_payload", func(_ tb, b *build) *build { return b.MustStoreSlice(bytesOf(0x33, 16), 128).MustStoreUInt(0, 8) },
			`"id":"` + bobHex[:32] + `","url":{"@type":"none"}`},
		{0x7aa23eb5, "invoice_payload", func(_ tb, b *build) *build {
			return b.MustStoreSlice(bytesOf(0x33, 16), 128).MustStoreUInt(1, 8).MustStoreSlice(bytesOf(0x33, 32), 256)
		}, `"id":"` + bobHex[:32] + `","url":{"@type":"tonsite","address":"` + bobHex + `"}`},
		{0x01f3835d, "pton_ton_transfer", q(func(_ tb, b *build) *build {
			return b.MustStoreCoins(1000).MustStoreAddr(alice).MustStoreBoolBit(true).MustStoreRef(comment("hi"))
		}), five + `"ton_amount":` + thousandCoin + `,"refund_address":` + alicePrinted + `,"forward_payload":{"@type":"second_from_either","value":` + hi + `}`},

		{0x6c6c2080, "sale_update_message", q(func(_ tb, b *build) *build { return b.MustStoreCoins(1000).MustStoreCoins(1000).MustStoreCoins(1000) }),
			five + `"new_full_price":` + thousandCoin + `,"new_mp_fee":` + thousandCoin + `,"new_royalty_amount":` + thousandCoin},
		{0x487a8e81, "teleitem_msg_start_auction", q(func(_ tb, b *build) *build { return b.MustStoreRef(auction()) }), five + `"auction_config":` + auctionPrinted},
		{0x38127de1, "teleitem_bid_info", func(_ tb, b *build) *build { return b.MustStoreCoins(1000).MustStoreUInt(6, 32) }, `"bid":` + thousandGram + `,"bid_ts":"6"`},
		{0x299a3e15, "teleitem_msg_deploy", func(_ tb, b *build) *build {
			return b.MustStoreAddr(alice).MustStoreCoins(1000).MustStoreRef(text8(text8(empty(), "ab"), "c").EndCell()).MustStoreRef(opaque).
				MustStoreRef(auction()).MustStoreRef(empty().MustStoreUInt(1, 16).MustStoreUInt(2, 16).MustStoreAddr(bob).EndCell())
		}, `"sender_address":` + alicePrinted + `,"bid":` + thousandGram +
			`,"token_info":{"@type":"telemint_token_info","name":{"@type":"telemint_text","len":"2","text":"6162"},"domain":{"@type":"telemint_text","len":"1","text":"63"}}` +
			`,"nft_content":` + base64Of(opaque) + `,"auction_config":` + auctionPrinted +
			`,"royalty_params":{"@type":"nft_royalty_params","numerator":"1","denominator":"2","destination":` + bobPrinted + `}`},
		{0x299a3e15, "teleitem_msg_deploy_head", func(_ tb, b *build) *build { return b.MustStoreAddr(alice).MustStoreCoins(1000) },
			`"sender_address":` + alicePrinted + `,"bid":` + thousandGram},

		{0x7369676e, "w5_external_signed_request", w5Request, w5Printed},
		{0x73696e74, "w5_internal_signed_request", w5Request, w5Printed},
		{0x6578746e, "w5_extension_action_request", q(func(_ tb, b *build) *build {
			return b.MustStoreBoolBit(false).MustStoreBoolBit(true).MustStoreUInt(4, 8).MustStoreBoolBit(false)
		}), five + `"request":{"@type":"w5_actions_request","out_actions":` + nothing + `,"extended_actions":{"@type":"something_from_maybe",` +
			`"value":{"@type":"extended_list_last","action":{"@type":"set_signature_auth_allowed","allowed":false}}}}`},
		{0xae42e5a4, "highload_v3_internal_request", q(func(_ tb, b *build) *build { return b.MustStoreRef(sending()) }), five + `"actions":` + sendingPrinted},
	}...)
}

// dnsRecord makes a body that changes the record under a key.
func dnsRecord(value func(*build) *build) func(testing.TB, *build) *build {
	return q(func(_ testing.TB, b *build) *build {
		return b.MustStoreSlice(bytesOf(0x33, 32), 256).MustStoreRef(value(empty()).EndCell())
	})
}

const dnsKey = five + `"key":"` + bobHex + `"`

// w5Request sends a message, adds one extension and removes another.
func w5Request(_ testing.TB, b *build) *build {
	second := empty().MustStoreUInt(3, 8).MustStoreAddr(bob).EndCell()
	return b.MustStoreUInt(1, 32).MustStoreUInt(2, 32).MustStoreUInt(3, 32).MustStoreBoolBit(true).MustStoreRef(sending()).
		MustStoreBoolBit(true).MustStoreUInt(2, 8).MustStoreAddr(alice).MustStoreRef(second).MustStoreSlice(bytesOf(0x33, 64), 512)
}

const w5Printed = `"request":{"@type":"w5_signed_request","wallet_id":"1","valid_until":"2","msg_seqno":"3","inner":{"@type":"w5_actions_request",` +
	`"out_actions":{"@type":"something_from_maybe","value":` + sendingPrinted + `},"extended_actions":{"@type":"something_from_maybe",` +
	`"value":{"@type":"extended_list_action","action":{"@type":"add_extension","addr":` + alicePrinted + `},` +
	`"prev":{"@type":"extended_list_last","action":{"@type":"delete_extension","addr":` + bobPrinted + `}}}}},"signature":"` + bobHex + bobHex + `"}`

// Members are printed in the declared order.
func TestLayouts_PrintMembersInOrder(t *testing.T) {
	t.Parallel()
	for _, c := range layoutCases() {
		body := c.build(t, empty().MustStoreUInt(uint64(c.op), 32)).EndCell()
		printed, name, ok := Decode(body, Inside)
		require.True(t, ok, c.name)
		want := `{"@type":"` + c.name + `",` + c.want + `}`
		require.Equal(t, escaped(want), string(printed), c.name)
		require.Equal(t, Name(c.op), name)
	}
}

// escaped returns the text with < escaped, as in JSON for pages.
func escaped(text string) string { return strings.ReplaceAll(text, "<", `\u003c`) }
