package wallet

import (
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// Transfer is a message that a wallet is requested to send.
type Transfer struct {
	To        *address.Address
	Bounce    bool
	Amount    *big.Int // nanotons
	StateInit *cell.Cell
	Body      *cell.Cell
}

// Request builds the body of the external message that requests a wallet to send messages, with mode 3 and a signature of zeros: it is for
// emulations that do not check signatures. The wallet's code must be v3, v4 or v5r1; other wallets are an error of kind Invalid.
func Request(codeHash chain.Hash, data *cell.Cell, validUntil uint32, transfers []Transfer) (*cell.Cell, error) {
	info, err := Parse(codeHash, data)
	if err != nil {
		return nil, chain.Invalidf("Account is not a known wallet")
	}
	name, _ := contract.CodeName(codeHash)
	limit := 4 // references of a cell
	switch name {
	case "wallet_v3r1", "wallet_v3r2", "wallet_v4r1", "wallet_v4r2":
	case "wallet_v5r1":
		limit = 255 // actions of a transaction
	default:
		return nil, chain.Invalidf("Unsupported wallet type: %s", name)
	}
	if len(transfers) == 0 || len(transfers) > limit {
		return nil, chain.Invalidf("messages: expected 1 to %d for this wallet, not %d", limit, len(transfers))
	}
	messages := make([]*cell.Cell, len(transfers))
	for i := range transfers {
		if messages[i], err = transfers[i].message(); err != nil {
			return nil, &chain.Error{Kind: chain.Invalid, Message: fmt.Sprintf("messages[%d] cannot be a message", i), Err: err}
		}
	}
	head := cell.BeginCell().MustStoreUInt(uint64(*info.WalletID), 32).MustStoreUInt(uint64(validUntil), 32).MustStoreUInt(uint64(*info.Seqno), 32)
	switch name {
	case "wallet_v5r1":
		return requestV5(head, messages), nil
	case "wallet_v4r1", "wallet_v4r2":
		head.MustStoreUInt(opSimpleSend, 8)
	}
	for _, m := range messages {
		head.MustStoreUInt(sendMode, 8).MustStoreRef(m)
	}
	return cell.BeginCell().MustStoreSlice(make([]byte, signatureBits/8), signatureBits).MustStoreBuilder(head).EndCell(), nil
}

const (
	opSimpleSend     = 0 // of v4: send messages, no plugin
	opExternalSigned = 0x7369676e
	opActionSend     = 0x0ec3c86d
	sendMode         = 3 // separate fees, errors ignored
	signatureBits    = 512
)

// requestV5 builds the body of v5r1. The last message is the outermost of the list.
//
//	_ op:#7369676e wallet_id:uint32 valid_until:uint32 seqno:uint32 actions:(Maybe ^OutList) extended:Bool signature:bits512 = Body;
//	out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
//	action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
func requestV5(head *cell.Builder, messages []*cell.Cell) *cell.Cell {
	list := cell.BeginCell().EndCell()
	for _, m := range messages {
		list = cell.BeginCell().MustStoreRef(list).MustStoreUInt(opActionSend, 32).MustStoreUInt(sendMode, 8).MustStoreRef(m).EndCell()
	}
	return cell.BeginCell().MustStoreUInt(opExternalSigned, 32).MustStoreBuilder(head).MustStoreMaybeRef(list).MustStoreBoolBit(false).
		MustStoreSlice(make([]byte, signatureBits/8), signatureBits).EndCell()
}

// message builds the message as wallets take it: the source and the fees are filled in when it is sent. State-init and body are in the cell of the
// message where they fit, as wallet applications build it, because the forwarding fee is that of the other cells.
//
//	int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddress dest:MsgAddressInt value:CurrencyCollection
//	  ihr_fee:Grams fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
func (t *Transfer) message() (*cell.Cell, error) {
	b := cell.BeginCell().MustStoreUInt(0b01, 2).MustStoreBoolBit(t.Bounce).MustStoreBoolBit(false).MustStoreUInt(0b00, 2)
	if err := b.StoreAddr(t.To); err != nil {
		return nil, fmt.Errorf("address: %w", err)
	}
	if err := b.StoreBigCoins(t.Amount); err != nil {
		return nil, fmt.Errorf("amount: %w", err)
	}
	b.MustStoreBoolBit(false).MustStoreCoins(0).MustStoreCoins(0).MustStoreUInt(0, 64).MustStoreUInt(0, 32)
	b.MustStoreBoolBit(t.StateInit != nil)
	if t.StateInit != nil {
		if err := storeEither(b, t.StateInit, isStateInit(t.StateInit), 1); err != nil {
			return nil, fmt.Errorf("state-init: %w", err)
		}
	}
	body := t.Body
	if body == nil {
		body = cell.BeginCell().EndCell()
	}
	if err := storeEither(b, body, true, 0); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	return b.EndCell(), nil
}

// storeEither stores the content of a cell where it fits and leaves room for spare bits and references, otherwise the cell as a reference. With inline
// false, and for an exotic cell, it is always a reference.
func storeEither(b *cell.Builder, c *cell.Cell, inline bool, spare uint) error {
	if inline && !c.IsSpecial() && b.BitsLeft() >= 1+c.BitsSize()+spare && b.RefsLeft() >= c.RefsNum()+spare {
		return b.MustStoreBoolBit(false).StoreBuilder(c.ToBuilder())
	}
	return b.MustStoreBoolBit(true).StoreRef(c)
}

// isStateInit reports whether a cell is a state-init and nothing else. The content of any other cell would be taken for a part of the message.
func isStateInit(c *cell.Cell) bool {
	s, err := c.BeginParse()
	if err != nil {
		return false
	}
	var init tlb.StateInit
	return tlb.LoadFromCell(&init, s) == nil && s.BitsLeft() == 0 && s.RefsNum() == 0
}
