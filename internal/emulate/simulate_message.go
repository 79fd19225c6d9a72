package emulate

import (
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// simulated parses the message of a simulation. An internal message given by its parts is sent at the end of v.
func simulated(m chain.SimulatedMessage, v *View) (InFlight, error) {
	if err := m.Validate(); err != nil {
		return InFlight{}, err
	}
	if m.Internal != nil {
		return assembled(m.Internal, v)
	}
	root, message, err := parseMessage(m.BOC)
	if err != nil {
		return InFlight{}, err
	}
	f := InFlight{Message: root}
	var ok bool
	if message.Message().MsgType == tlb.MsgTypeInternal {
		internal := message.Message().AsInternal()
		if _, ok := standardAddress(internal.SrcAddr); !ok {
			return InFlight{}, chain.Invalidf("an internal message needs a source; give it by its parts (internal)")
		}
		f.LT = internal.CreatedLT
		f.To, ok = standardAddress(internal.DstAddr)
	} else {
		f.To, ok = standardAddress(message.Message().AsExternalIn().DstAddr)
	}
	if !ok {
		return InFlight{}, chain.Invalidf("the destination of the message is not a standard address")
	}
	return f, nil
}

// assembled builds an internal message as if its source had sent it at the end of the newest block of the destination's
// shard.
func assembled(m *chain.InternalMessageInput, v *View) (InFlight, error) {
	parts := map[string]*cell.Cell{}
	for name, boc := range map[string]chain.BOC{"body": m.Body, "initCode": m.InitCode, "initData": m.InitData} {
		if len(boc) == 0 {
			continue
		}
		if len(boc) > maxMessage {
			return InFlight{}, chain.Invalidf("%s has %d bytes; a message has at most %d", name, len(boc), maxMessage)
		}
		c, err := cellgraph.FromBOC(boc)
		if err != nil {
			return InFlight{}, &chain.Error{Kind: chain.Invalid, Message: name + " is not a bag of cells: " + err.Error(), Err: err}
		}
		parts[name] = c
	}
	code, data := parts["initCode"], parts["initData"]
	if (code == nil) != (data == nil) {
		return InFlight{}, chain.Invalidf("initCode and initData must be given together")
	}
	at := v.BlockOf(m.Destination)
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
		return InFlight{}, &chain.Error{Kind: chain.Invalid, Message: "the parts do not make a message", Err: err}
	}
	return InFlight{LT: at.EndLT, To: m.Destination, Message: root}, nil
}
