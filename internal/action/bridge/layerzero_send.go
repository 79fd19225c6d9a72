package bridge

import (
	"math/big"

	"tonql/internal/action"
)

// Fields of the send request.
const (
	lzSendID      = 0
	lzSendManager = 1
	lzSendMsglib  = 2
	lzSendPacket  = 4
	lzSendNative  = 5
	lzSendZro     = 6
)

// maxLzFees is the maximum number of fee payments that belong to the sending of a packet.
const maxLzFees = 5

// An application calls its endpoint, which finds the channel of the path. The channel requests a quote from the connection
// of the library and the ULN, receives a callback, pays the fees, and notifies the application.
func init() {
	done := []*action.Pattern{action.Call(opLzEvent)}
	for range maxLzFees {
		done = append(done, action.Is(action.TypeTonTransfer).Maybe())
	}
	done = append(done, action.Call(0xa2b5fbae).As("sent").Then(action.Call(opLzEvent).Maybe(), action.Is(action.TypeTonTransfer).Maybe()))
	action.Register(action.Spec{
		Kind: "layerzero_send", Phase: 76,
		Match: action.Call(0xdd4ea3b4).Then(action.Call(0x536feb09).As("channel").Then(action.Call(0x4002b790).Then(
			action.Call(0x5de68393).As("uln").Then(action.Call(0x421c1a25).Then(done...))))),
		Build: buildLayerZeroSend,
	})
}

// LayerZeroSendData is the route of a packet and its fees. The manager and the library are accounts of this chain in
// hexadecimal without leading zeros; fees are in nanotons and in the smallest unit of ZRO.
type LayerZeroSendData struct {
	SendRequestID uint64   `json:"send_request_id"`
	MsglibManager string   `json:"msglib_manager"`
	Msglib        string   `json:"msglib"`
	ULN           string   `json:"uln"`
	NativeFee     *big.Int `json:"native_fee"`
	ZroFee        *big.Int `json:"zro_fee"`
	Endpoint      string   `json:"endpoint"`
	Channel       string   `json:"channel"`
}

// Column implements [action.Payload].
func (*LayerZeroSendData) Column() string { return "layerzero_send_data" }

func buildLayerZeroSend(_ *action.Context, m *action.Match) *action.Result {
	send := lzPayload(m.Get("sent"), "MdObj").object(lzMdObjFirst, "MsgReceipt").object(lzMsgReceiptSend, "lzSend")
	d := &LayerZeroSendData{
		SendRequestID: send.uint64(lzSendID, lzUint64), MsglibManager: send.hex(lzSendManager), Msglib: send.hex(lzSendMsglib),
		ULN: action.AddressText(m.Get("uln").Account()), NativeFee: send.number(lzSendNative, lzUint128),
		ZroFee: send.number(lzSendZro, lzUint128), Endpoint: action.AddressText(m.Start.Account()), Channel: action.AddressText(m.Get("channel").Account()),
	}
	packet := newLayerZeroPacketData(send.object(lzSendPacket, "Packet"))
	if send.failed() {
		return nil
	}
	return &action.Result{Columns: action.Columns{Source: action.AddressText(m.Start.From()), Payloads: []action.Payload{d, packet}}}
}
