package emulate

import (
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// maxMessage is the largest external message that networks accept, in bytes of its bag of cells.
const maxMessage = 65535

// ExternalMessage is a parsed external-in message.
type ExternalMessage struct {
	Root        *cell.Cell
	Body        *cell.Cell
	Destination chain.Address
	Hash        chain.Hash // of Root
	HashNorm    chain.Hash // normalized by TEP-467
}

// ParseExternal parses a bag of cells with one external-in message to a standard address.
func ParseExternal(boc chain.BOC) (*ExternalMessage, error) {
	root, parsed, err := parseMessage(boc)
	if err != nil {
		return nil, err
	}
	if parsed.Message().MsgType != tlb.MsgTypeExternalIn {
		return nil, chain.Invalidf("only external-in messages can be sent from outside")
	}
	m := parsed.Message().AsExternalIn()
	to, ok := standardAddress(m.DstAddr)
	if !ok {
		return nil, chain.Invalidf("the destination of the message is not a standard address")
	}
	norm, err := normalizedHash(m)
	if err != nil {
		return nil, err
	}
	return &ExternalMessage{Root: root, Body: m.Body, Destination: to, Hash: chain.Hash(root.HashKey()), HashNorm: norm}, nil
}

// parseMessage parses a bag of cells with one message that can start a transaction.
func parseMessage(boc chain.BOC) (*cell.Cell, *tvm.PreparedMessage, error) {
	if len(boc) > maxMessage {
		return nil, nil, chain.Invalidf("the message has %d bytes; at most %d can be sent", len(boc), maxMessage)
	}
	roots, err := cellgraph.FromBOCMultiRoot(boc)
	if err != nil {
		return nil, nil, &chain.Error{Kind: chain.Invalid, Message: "boc is not a bag of cells: " + err.Error(), Err: err}
	}
	if len(roots) != 1 {
		return nil, nil, chain.Invalidf("the bag of cells has %d roots; a message has one", len(roots))
	}
	if err := cellgraph.CheckMessage(roots[0]); err != nil {
		return nil, nil, &chain.Error{Kind: chain.Invalid, Message: "boc is not a message that can be read: " + err.Error(), Err: err}
	}
	m, err := tvm.PrepareMessage(roots[0])
	if err != nil {
		return nil, nil, &chain.Error{Kind: chain.Invalid, Message: "boc is not a message that a transaction can begin with", Err: err}
	}
	return roots[0], m, nil
}

// normalizedHash returns the hash of the message as TEP-467 normalizes it: no source, no import fee, no state init, and the
// body in a reference.
func normalizedHash(m *tlb.ExternalMessage) (chain.Hash, error) {
	b := cell.BeginCell().MustStoreUInt(0b10_00, 4)
	if err := b.StoreAddr(m.DstAddr); err != nil {
		return chain.Hash{}, fmt.Errorf("destination: %w", err)
	}
	body := m.Body
	if body == nil {
		body = cell.BeginCell().EndCell()
	}
	b.MustStoreUInt(0b0000_0_1, 6)
	if err := b.StoreRef(body); err != nil {
		return chain.Hash{}, fmt.Errorf("body: %w", err)
	}
	return chain.Hash(b.EndCell().HashKey()), nil
}

// executable bounds the walks of the TVM over a message: the TVM parses dictionaries of the header entry by entry, and
// walks the complete message as a tree to price it. The error is of kind TooLarge.
func executable(message *cell.Cell) error {
	err := cellgraph.CheckExecution(message, cellgraph.MaxVisits)
	if err == nil {
		return nil
	}
	return &chain.Error{Kind: chain.TooLarge, Message: "the message cannot be emulated: " + err.Error(), Err: err}
}
