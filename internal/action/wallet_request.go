package action

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/contract"
)

const (
	opSignedExternal = 0x7369676e // v5
	opSendMessage    = 0x0ec3c86d // action_send_msg
	maxRequested     = 255        // maximum number of actions of a transaction
)

// walletRequest returns the messages that the owner of a wallet ordered it to send, in the order of their cells; nil when the
// body is not a request to a wallet. The layouts have different lengths, so at most one matches.
//
//	v1: signature:bits512 seqno:uint32 …                                          each …: mode:uint8 message:^Message
//	v2: signature:bits512 seqno:uint32 valid_until:uint32 …
//	v3: signature:bits512 subwallet:uint32 valid_until:uint32 seqno:uint32 …
//	v4: signature:bits512 subwallet:uint32 valid_until:uint32 seqno:uint32 op:uint8 …
//	v5: op:uint32 wallet_id:uint32 valid_until:uint32 seqno:uint32 out_list:(Maybe ^OutList) has_other:Bool … signature:bits512
//	highload v1: signature:bits512 subwallet:uint32 valid_until:uint32 seqno:uint32 messages:(HashmapE 16 …), of the length of v2
//	highload v2: signature:bits512 subwallet:uint32 query_id:uint64 messages:(HashmapE 16 …)
//	highload v3: signature:bits512 ^[subwallet:uint32 message:^Message mode:uint8 …]
//	preprocessed v2: signature:bits512 ^[valid_until:uint64 seqno:uint16 out_list:^OutList]
//	Telegram: signature:bits512 opcode:uint32 subwallet:uint32 valid_until:uint32 seqno:uint32, then mode:uint8 message:^Message,
//	  or length:uint8 chunks:(Maybe ^Chunk)
func walletRequest(body *cell.Cell) []*cell.Cell {
	if body == nil || body.IsSpecial() {
		return nil
	}
	if l := contract.Load(body); l.Uint(32) == opSignedExternal {
		return signedExternal(l)
	}
	l := contract.Load(body)
	l.Bytes(64)
	bits, refs := l.BitsLeft(), l.RefsLeft()
	switch {
	case bits == 0 && refs == 1:
		inner := contract.Load(l.Ref())
		if inner.BitsLeft() == 64+16 {
			return outList(inner.Ref())
		}
		return highloadV3(inner)
	case bits == 32+96+8 && refs == 1 && l.Uint(32) == opSendOneExternal:
		return modesAndMessages(l, 96, 1)
	case bits == 32+96+8+1 && refs == 1 && l.Uint(32) == opSendBulkExternal:
		l.Bytes(13)
		return chunks(l.MaybeRef())
	case bits == 32+64+1 && refs == 1:
		l.Uint(32)
		l.Uint(64)
		return highloadV2(l.MaybeRef())
	case refs == 0:
		return nil
	}
	for _, head := range []uint{32, 64, 96, 104} { // up to the first mode: v1, v2, v3, v4
		if bits == int(head)+8*refs {
			return modesAndMessages(l, head, refs)
		}
	}
	return nil
}

func modesAndMessages(l *contract.Loader, head uint, n int) []*cell.Cell {
	l.Bytes(int(head) / 8)
	var messages []*cell.Cell
	for range n {
		l.Uint(8)
		messages = append(messages, l.Ref())
	}
	if l.Err() != nil {
		return nil
	}
	return messages
}

// signedExternal reads the messages of a request to v5.
func signedExternal(l *contract.Loader) []*cell.Cell {
	l.Uint(32)
	l.Uint(64)
	return outList(l.MaybeRef())
}

// outList reads a list of actions from its outermost one, which is the last one: published ids have the positions in this order.
//
//	out_list_empty$_ = OutList 0;
//	out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
//	action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
func outList(list *cell.Cell) []*cell.Cell {
	var messages []*cell.Cell
	for list != nil && len(messages) < maxRequested {
		a := contract.Load(list)
		if a.RefsLeft() == 0 {
			break
		}
		list = a.Ref()
		op := a.Uint(32)
		a.Uint(8)
		message := a.Ref()
		if op != opSendMessage || a.Err() != nil {
			break
		}
		messages = append(messages, message)
	}
	return messages
}

// chunks reads the messages of a bulk request to Telegram's wallet.
//
//	chunk$_ next:(Maybe ^Chunk) …, each …: mode:uint8 message:^Message
func chunks(chunk *cell.Cell) []*cell.Cell {
	var messages []*cell.Cell
	for chunk != nil {
		l := contract.Load(chunk)
		chunk = l.MaybeRef()
		if l.RefsLeft() == 0 {
			break
		}
		for l.RefsLeft() > 0 {
			l.Uint(8)
			message := l.Ref()
			if l.Err() != nil || len(messages) == maxRequested {
				return messages
			}
			messages = append(messages, message)
		}
	}
	return messages
}

func highloadV2(dict *cell.Cell) []*cell.Cell {
	if dict == nil {
		return nil
	}
	it, err := dict.AsDict(16).Iterator(false, false)
	if err != nil {
		return nil
	}
	var messages []*cell.Cell
	for n := 0; n < maxRequested && it.Next(); n++ {
		l := contract.LoadSlice(it.Item().Value)
		l.Uint(8)
		if message := l.Ref(); l.Err() == nil {
			messages = append(messages, message)
		}
	}
	return messages
}

func highloadV3(l *contract.Loader) []*cell.Cell {
	l.Uint(32)
	message := l.Ref()
	if l.Err() != nil {
		return nil
	}
	return []*cell.Cell{message}
}
