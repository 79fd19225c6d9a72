package action_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
)

// The parties of LayerZero.
const (
	lzSender, lzApp, lzEndpoint, lzChannel, lzULN, lzConnection, lzDVN, lzProxy, lzSink = 1, 2, 3, 4, 5, 6, 7, 8, 9
)

// field is a value of an object: a number with its size in bits, or a cell.
type field struct {
	bits int
	n    *big.Int
	ref  *cell.Cell
}

func num(bits int, n int64) field { return field{bits: bits, n: big.NewInt(n)} }
func part(c *cell.Cell) field     { return field{ref: c} }
func app(n byte) field            { a := account(n); return field{bits: 256, n: new(big.Int).SetBytes(a.ID[:])} }

// object makes an object in the layout of LayerZero's contracts: fields that do not fit into its cell are in the cell
// of the third reference.
func object(name string, fields ...field) *cell.Cell {
	types := map[int]uint64{32: 5, 64: 6, 128: 7, 256: 8}
	head := cell.BeginCell().MustStoreBigUInt(new(big.Int).SetBytes([]byte(name)), 80)
	data := [2]*cell.Builder{cell.BeginCell(), cell.BeginCell()}
	var refs [2][]*cell.Cell
	for i := range 15 {
		if i >= len(fields) {
			head.MustStoreUInt(1<<18-1, 18)
			continue
		}
		f, place := fields[i], uint64(0)
		if f.ref != nil {
			if len(refs[0]) == 2 {
				place = 2
			}
			head.MustStoreUInt(9, 4).MustStoreUInt(place, 2).MustStoreUInt(1023, 10).MustStoreUInt(uint64(len(refs[place/2])), 2)
			refs[place/2] = append(refs[place/2], f.ref)
			continue
		}
		offset := 350 + data[0].BitsUsed()
		if offset+uint(f.bits) > 1023 {
			place, offset = 2, data[1].BitsUsed()
		}
		head.MustStoreUInt(types[f.bits], 4).MustStoreUInt(place, 2).MustStoreUInt(uint64(offset), 10).MustStoreUInt(3, 2)
		data[place/2].MustStoreBigUInt(f.n, uint(f.bits))
	}
	for _, c := range refs[1] {
		data[1].MustStoreRef(c)
	}
	b := head.MustStoreBuilder(data[0])
	for len(refs[0]) < 2 {
		refs[0] = append(refs[0], cell.BeginCell().EndCell())
	}
	return b.MustStoreRef(refs[0][0]).MustStoreRef(refs[0][1]).MustStoreRef(data[1].EndCell()).EndCell()
}

func packet(from, to byte, message *cell.Cell) *cell.Cell {
	path := object("path", num(32, 30343), app(from), num(32, 30101), app(to))
	return object("Packet", part(path), part(message), num(64, 7), num(256, 0xabc))
}

func lzCall(code uint64, payload *cell.Cell) *cell.Cell {
	return op(code).MustStoreUInt(1, 64).MustStoreCoins(0).MustStoreRef(payload).EndCell()
}

var nothing = cell.BeginCell().EndCell()

// sendEvent adds an event of a contract.
func sendEvent(b *builder, from *action.Transaction) {
	b.send(from, lzSink, 0, lzCall(0xe33b9873, nothing)).Aborted = true
}

// sendPath adds a chain of messages with empty payloads.
func sendPath(b *builder, from *action.Transaction, steps ...[2]uint64) *action.Transaction {
	for _, s := range steps {
		from = b.send(from, byte(s[1]), 900, lzCall(s[0], nothing))
	}
	return from
}

func sendPacket(b *builder, from *action.Transaction, fees int) {
	send := object("lzSend", num(64, 31), app(lzULN), app(lzULN), app(lzConnection),
		part(packet(lzApp, 0x81, cell.BeginCell().MustStoreUInt(0x0102, 16).EndCell())), num(128, 170), num(128, 3),
		part(nothing), part(nothing), part(nothing))
	receipt := object("MsgReceipt", part(send), num(128, 170), num(128, 3))
	tx := sendPath(b, from, [2]uint64{0xdd4ea3b4, lzEndpoint}, [2]uint64{0x536feb09, lzChannel}, [2]uint64{0x4002b790, lzConnection},
		[2]uint64{0x5de68393, lzULN}, [2]uint64{0x421c1a25, lzChannel})
	for range fees {
		b.send(tx, lzProxy, 10, cell.BeginCell().EndCell())
	}
	sendEvent(b, tx)
	tx = b.send(tx, lzApp, 500, lzCall(0xa2b5fbae, object("MdObj", part(receipt), part(nothing))))
	sendEvent(b, tx)
	b.send(tx, lzSender, 400, cell.BeginCell().EndCell())
}

func TestLayerZeroSend_HasItsPacketAndFees(t *testing.T) {
	t.Parallel()
	row := want{
		"source": raw(lzApp), "success": true,
		"layerzero_send_data": want{
			"send_request_id": 31, "msglib_manager": "0x5" + zeros(62), "msglib": "0x5" + zeros(62), "uln": raw(lzULN),
			"native_fee": 170, "zro_fee": 3, "endpoint": raw(lzEndpoint), "channel": raw(lzChannel),
		},
		"layerzero_packet_data": want{
			"src_oapp": "0x2" + zeros(62), "dst_oapp": "0x81" + zeros(62), "src_eid": 30343, "dst_eid": 30101, "nonce": 7,
			"guid": "0xabc", "message": "0x0102",
		},
	}
	b, root := external(lzSender)
	sendPacket(b, b.send(root, lzApp, 1000, op(1).EndCell()), 0)
	requireRows(t, b, records{}, []string{"layerzero_send", "call_contract"}, row)

	// At most five payments to the carriers of a packet belong to it.
	b, root = external(lzSender)
	sendPacket(b, b.send(root, lzApp, 1000, op(1).EndCell()), 6)
	requireRows(t, b, records{}, []string{"layerzero_send", "call_contract", "ton_transfer"}, row)

	// With Jettons the row has their source and amount.
	b, root = external(lzSender)
	tx := b.send(root, lenderWallet, 1000, transferJettons(600, lzApp, lzSender, nothing))
	tx = b.send(tx, 0x40, 900, receiveJettons(0x178d4519, 600, lzSender))
	tx = b.send(tx, lzApp, 800, op(0x7362d09c).EndCell())
	sendEvent(b, tx)
	sendPacket(b, tx, 4)
	row["source"], row["source_secondary"] = raw(lzSender), raw(lenderWallet)
	row["destination"], row["destination_secondary"], row["amount"] = raw(lzApp), raw(0x40), 600
	requireRows(t, b, wallets([3]byte{0x40, lzApp, 0x41}), []string{"layerzero_send_tokens"}, row)
}

func zeros(n int) string { return strings.Repeat("0", n) }

func TestLayerZeroReceive_IsForItsOwnApplication(t *testing.T) {
	t.Parallel()
	for to, kinds := range map[byte][]string{
		lzApp: {"layerzero_receive"},
		// A packet for another application is only a chain of calls.
		0x81: {"call_contract", "call_contract", "call_contract", "call_contract", "call_contract"},
	} {
		b, root := external(lzSender)
		tx := b.send(root, lzChannel, 1000, lzCall(0x22f3ac09, nothing))
		tx = b.send(tx, lzApp, 900, lzCall(0x97df404c, packet(0x81, to, nothing)))
		sendPath(b, tx, [2]uint64{0xb7680bc6, lzChannel}, [2]uint64{0x0c7b8418, lzApp}, [2]uint64{0xcaae25a1, lzChannel})
		row := want{}
		if to == lzApp {
			row = want{
				"source": raw(lzSender), "destination": raw(lzApp), "destination_secondary": raw(lzChannel),
				"layerzero_packet_data": want{"message": "0x", "nonce": 7},
			}
		}
		requireRows(t, b, records{}, kinds, row)
	}
}

func TestLayerZeroVerify_NamesTheStatus(t *testing.T) {
	t.Parallel()
	for code, status := range map[int64]string{
		0x3bbc306b: "succeeded", 0x7fcbb4ac: "nonce_out_of_range", 0x29c53fab: "dvn_not_configured", 77: "unknown_77",
	} {
		b, root := external(lzSender)
		tx := sendPath(b, root, [2]uint64{0xa0d51a8d, lzDVN}, [2]uint64{0x09f047d9, lzProxy}, [2]uint64{0x994aaf4e, lzULN},
			[2]uint64{0x4ec8f80a, lzConnection})
		b.send(tx, lzProxy, 100, lzCall(0x3cb38090, object("MdObj", part(object("veristatus", num(64, 125), num(32, code))), part(nothing))))
		requireRows(t, b, records{}, []string{"layerzero_dvn_verify"}, want{
			"source": raw(lzSender),
			"layerzero_dvn_verify_data": want{
				"nonce": 125, "status": status, "dvn": raw(lzDVN), "proxy": raw(lzProxy), "uln": raw(lzULN), "uln_connection": raw(lzConnection),
			},
		})
	}
}

func TestLayerZeroCommit_NeedsItsPacket(t *testing.T) {
	t.Parallel()
	b, root := external(lzSender)
	md := object("MdAddr", part(packet(0x81, lzApp, nothing)), app(lzConnection))
	tx := b.send(root, lzULN, 1000, lzCall(0x28b97077, md))
	sendPath(b, tx, [2]uint64{0xf9d37b80, lzConnection}, [2]uint64{0x5dab749a, lzEndpoint}, [2]uint64{0x5388cd88, lzChannel},
		[2]uint64{0x5e178f33, lzConnection})
	requireRows(t, b, records{}, []string{"layerzero_commit_packet"}, want{
		"source": raw(lzSender), "source_secondary": raw(lzEndpoint), "destination": raw(lzConnection),
		"destination_secondary": raw(lzConnection), "asset": raw(lzChannel), "asset_secondary": raw(lzConnection),
		"layerzero_packet_data": want{"dst_oapp": "0x2" + zeros(62)},
	})

	// With an unreadable object the calls stay separate.
	b, root = external(lzSender)
	tx = b.send(root, lzULN, 1000, lzCall(0x28b97077, nothing))
	sendPath(b, tx, [2]uint64{0xf9d37b80, lzConnection}, [2]uint64{0x5dab749a, lzEndpoint}, [2]uint64{0x5388cd88, lzChannel},
		[2]uint64{0x5e178f33, lzConnection})
	requireRows(t, b, records{}, []string{"call_contract", "call_contract", "call_contract", "call_contract", "call_contract"}, want{})
}
