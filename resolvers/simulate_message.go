package resolvers

import (
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// simulated reads the message of a simulation: as a cell, and to whom it goes. v is what an internal message by its parts
// was sent after.
func simulated(m chain.SimulatedMessage, v *view) (flight, error) {
	if err := m.Validate(); err != nil {
		return flight{}, err
	}
	if m.Internal != nil {
		return assembled(m.Internal, v)
	}
	root, message, err := parseMessage(m.BOC)
	if err != nil {
		return flight{}, err
	}
	f := flight{message: root}
	var ok bool
	if message.Message().MsgType == tlb.MsgTypeInternal {
		internal := message.Message().AsInternal()
		if _, known := standardAddress(internal.SrcAddr); !known {
			return flight{}, chain.Invalidf("an internal message needs a source; give it by its parts (internal)")
		}
		f.lt = internal.CreatedLT
		f.to, ok = standardAddress(internal.DstAddr)
	} else {
		f.to, ok = standardAddress(message.Message().AsExternalIn().DstAddr)
	}
	if !ok {
		return flight{}, chain.Invalidf("the destination of the message is not a standard address")
	}
	return f, nil
}

// assembled writes an internal message as if its source had sent it at the end of the view's newest block of its shard.
func assembled(m *chain.InternalMessageInput, v *view) (flight, error) {
	parts := map[string]*cell.Cell{}
	for name, boc := range map[string]chain.BOC{"body": m.Body, "initCode": m.InitCode, "initData": m.InitData} {
		if len(boc) == 0 {
			continue
		}
		if len(boc) > maxMessage {
			return flight{}, chain.Invalidf("%s has %d bytes; a message has at most %d", name, len(boc), maxMessage)
		}
		c, err := cell.FromBOC(boc)
		if err != nil {
			return flight{}, &chain.Error{Kind: chain.Invalid, Message: name + " is not a bag of cells: " + err.Error(), Err: err}
		}
		parts[name] = c
	}
	code, data := parts["initCode"], parts["initData"]
	if (code == nil) != (data == nil) {
		return flight{}, chain.Invalidf("initCode and initData are needed both or not at all")
	}
	at := v.blockOf(m.Destination)
	body := parts["body"]
	if body == nil {
		body = cell.BeginCell().EndCell()
	}
	message := &tlb.InternalMessage{
		IHRDisabled: true, Bounce: m.Bounce, SrcAddr: stdAddress(m.Source), DstAddr: stdAddress(m.Destination),
		Amount: tlb.FromNanoTONU(uint64(m.Value)), CreatedLT: at.EndLT, CreatedAt: at.GenUtime, Body: body,
	}
	if code != nil {
		message.StateInit = &tlb.StateInit{Code: code, Data: data}
	}
	root, err := tlb.ToCell(message)
	if err != nil {
		return flight{}, &chain.Error{Kind: chain.Invalid, Message: "the parts do not make a message", Err: err}
	}
	return flight{lt: at.EndLT, to: m.Destination, message: root}, nil
}
