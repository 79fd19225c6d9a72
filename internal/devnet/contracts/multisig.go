package contracts

import (
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Opcodes of multisig v2.
const (
	OpMultisigNewOrder        = 0xf718510f
	OpMultisigOrderInit       = 0x9c73fba2
	OpMultisigApprove         = 0xa762230f
	OpMultisigApproveAccepted = 0x82609bf6
	OpMultisigApproveRejected = 0xafaf283e
	OpMultisigExecute         = 0x75097f5d

	multisigSendMessage  = 0xf1381e5b
	multisigUpdateParams = 0x1d0cfbd3
)

// MultisigMembers are the signers of a multisig, who approve orders, and the proposers, who only create them.
type MultisigMembers struct {
	Threshold          int
	Signers, Proposers []*address.Address
}

// Multisig is a wallet that several signers command.
//
//	_ next_order_seqno:uint256 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt) signers_num:uint8
//	  proposers:(HashmapE 8 MsgAddressInt) allow_arbitrary_order_seqno:Bool order_code:^Cell = Storage;
func Multisig(m MultisigMembers) Contract {
	data := cell.BeginCell().MustStoreSlice(make([]byte, 32), 256).MustStoreUInt(uint64(m.Threshold), 8).
		MustStoreRef(numbered(m.Signers).AsCell()).MustStoreUInt(uint64(len(m.Signers)), 8).MustStoreDict(numbered(m.Proposers)).
		MustStoreBoolBit(false).MustStoreRef(Code(codeMultisigOrder)).EndCell()
	return newContract(Basechain, Code(codeMultisig), data)
}

func numbered(members []*address.Address) *cell.Dictionary {
	dict := cell.NewDict(8)
	for i, a := range members {
		setNumber(dict, i, addr(cell.BeginCell(), a).EndCell())
	}
	return dict
}

func setNumber(dict *cell.Dictionary, i int, value *cell.Cell) {
	if err := dict.Set(cell.BeginCell().MustStoreUInt(uint64(i), 8).EndCell(), value); err != nil {
		panic(err) //nolint:forbidigo // the key is always 8 bits
	}
}

// MultisigOrder is the order of a number before the wallet's message.
//
//	_ multisig:MsgAddress seqno:uint256 = Storage;
func MultisigOrder(multisig *address.Address, seqno uint64) Contract {
	data := addr(cell.BeginCell(), multisig).MustStoreSlice(make([]byte, 24), 192).MustStoreUInt(seqno, 64).EndCell()
	return newContract(Basechain, Code(codeMultisigOrder), data)
}

// MultisigAction is one thing an order does.
type MultisigAction struct{ cell *cell.Cell }

// MultisigSend sends a message.
//
//	send_message#f1381e5b mode:uint8 message:^(MessageRelaxed Any) = OrderAction;
func MultisigSend(mode uint8, msg *tlb.InternalMessage) MultisigAction {
	return MultisigAction{cell.BeginCell().MustStoreUInt(multisigSendMessage, 32).MustStoreUInt(uint64(mode), 8).
		MustStoreRef(mustCell(msg)).EndCell()}
}

// MultisigUpdate changes the members of the wallet.
//
//	update_multisig_param#1d0cfbd3 threshold:uint8 signers:^(Hashmap 8 MsgAddressInt)
//	  proposers:(HashmapE 8 MsgAddressInt) = OrderAction;
func MultisigUpdate(m MultisigMembers) MultisigAction {
	return MultisigAction{cell.BeginCell().MustStoreUInt(multisigUpdateParams, 32).MustStoreUInt(uint64(m.Threshold), 8).
		MustStoreRef(numbered(m.Signers).AsCell()).MustStoreDict(numbered(m.Proposers)).EndCell()}
}

// MultisigNewOrder proposes an order under a number, as the member of the given kind and index.
//
//	new_order#f718510f query_id:uint64 order_seqno:uint256 signer:Bool index:uint8 expiration_date:uint48
//	  order:^(Hashmap 8 ^OrderAction) = InternalMsgBody;
func MultisigNewOrder(queryID, seqno uint64, signer bool, index uint8, expires uint64, actions ...MultisigAction) *cell.Cell {
	order := cell.NewDict(8)
	for i, a := range actions {
		setNumber(order, i, cell.BeginCell().MustStoreRef(a.cell).EndCell())
	}
	return op(OpMultisigNewOrder, queryID).MustStoreSlice(make([]byte, 24), 192).MustStoreUInt(seqno, 64).
		MustStoreBoolBit(signer).MustStoreUInt(uint64(index), 8).MustStoreUInt(expires, 48).MustStoreRef(order.AsCell()).EndCell()
}

// MultisigApprove is a signer's approval; the comment approve does the same.
//
//	approve#a762230f query_id:uint64 signer_index:uint8 = InternalMsgBody;
func MultisigApprove(queryID uint64, index uint8) *cell.Cell {
	return op(OpMultisigApprove, queryID).MustStoreUInt(uint64(index), 8).EndCell()
}

// MultisigProgress is the state of an order.
type MultisigProgress struct {
	Sent      bool // for execution
	Approvals uint8
	Expires   uint64 // unix time
}

// _ multisig:MsgAddress seqno:uint256 threshold:uint8 sent_for_execution:Bool signers:^Cell approvals_mask:uint256
//
//	approvals_num:uint8 expiration_date:uint48 order:^Cell = Storage;
type orderData struct {
	Multisig  *address.Address `tlb:"addr"`
	Seqno     []byte           `tlb:"bits 256"`
	Threshold uint8            `tlb:"## 8"`
	Sent      bool             `tlb:"bool"`
	Signers   *cell.Cell       `tlb:"^"`
	Mask      []byte           `tlb:"bits 256"`
	Approvals uint8            `tlb:"## 8"`
	Expires   uint64           `tlb:"## 48"`
	Order     *cell.Cell       `tlb:"^"`
}

// ReadMultisigOrder reads an order that the wallet has deployed.
func ReadMultisigOrder(data *cell.Cell) (MultisigProgress, error) {
	var o orderData
	if err := tlb.Parse(&o, data); err != nil {
		return MultisigProgress{}, fmt.Errorf("order data: %w", err)
	}
	return MultisigProgress{Sent: o.Sent, Approvals: o.Approvals, Expires: o.Expires}, nil
}

// MultisigNextOrder reads from the wallet's data how many orders it has seen.
func MultisigNextOrder(data *cell.Cell) (uint64, error) {
	s, err := data.BeginParse()
	if err != nil {
		return 0, fmt.Errorf("multisig data: %w", err)
	}
	next, err := s.LoadBigUInt(256)
	if err != nil {
		return 0, fmt.Errorf("multisig data: next order: %w", err)
	}
	return next.Uint64(), nil
}
