package contracts

import (
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Masterchain and Basechain are the two workchains.
const (
	Masterchain = -1
	Basechain   = 0
)

// Contract is the initial state of an account and the address derived from it.
type Contract struct {
	Address *address.Address // bounceable
	Init    *tlb.StateInit
}

func newContract(workchain int, code, data *cell.Cell) Contract {
	init := &tlb.StateInit{Code: code, Data: data}
	return Contract{Address: init.CalcAddress(workchain), Init: init}
}

// Deploy returns the internal message that creates the account. A nil body is an empty one.
func (c Contract) Deploy(value uint64, body *cell.Cell) *tlb.InternalMessage {
	msg := Call(c.Address, value, body)
	msg.StateInit = c.Init
	return msg
}

// Call returns a bounceable internal message; the sender's address is filled in by the chain.
func Call(to *address.Address, value uint64, body *cell.Cell) *tlb.InternalMessage {
	if body == nil {
		body = cell.BeginCell().EndCell()
	}
	return &tlb.InternalMessage{
		IHRDisabled: true,
		Bounce:      true,
		DstAddr:     to,
		Amount:      tlb.FromNanoTONU(value),
		Body:        body,
	}
}

// Transfer returns a plain transfer that does not bounce, so that it also reaches an uninit account.
// An empty comment leaves the body empty.
func Transfer(to *address.Address, value uint64, comment string) *tlb.InternalMessage {
	var body *cell.Cell
	if comment != "" {
		body = Comment(comment)
	}
	msg := Call(to, value, body)
	msg.Bounce = false
	return msg
}

// Comment returns a text comment: the zero opcode and the text, continued in references when long.
//
//	text_comment#00000000 text:SnakeData = InternalMsgBody;
func Comment(text string) *cell.Cell {
	return cell.BeginCell().MustStoreUInt(0, 32).MustStoreStringSnake(text).EndCell()
}

// External returns an external-in message; a nil init leaves the state init out.
func External(to *address.Address, init *tlb.StateInit, body *cell.Cell) *cell.Cell {
	return mustCell(&tlb.ExternalMessage{DstAddr: to, StateInit: init, Body: body})
}

func mustCell(v any) *cell.Cell {
	c, err := tlb.ToCell(v)
	if err != nil {
		panic(fmt.Errorf("serialize %T: %w", v, err)) //nolint:forbidigo // the input is of our own making
	}
	return c
}

// addr writes an address; nil is addr_none.
func addr(b *cell.Builder, a *address.Address) *cell.Builder {
	if a == nil {
		a = address.NewAddressNone()
	}
	return b.MustStoreAddr(a)
}

// op starts a body with its opcode and query id.
func op(code uint32, queryID uint64) *cell.Builder {
	return cell.BeginCell().MustStoreUInt(uint64(code), 32).MustStoreUInt(queryID, 64)
}

// payload writes an Either: nil is an empty payload in place, anything else goes into a reference.
func payload(b *cell.Builder, p *cell.Cell) *cell.Builder {
	if p == nil {
		return b.MustStoreBoolBit(false)
	}
	return b.MustStoreBoolBit(true).MustStoreRef(p)
}
