package resolvers

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
	"tonql/internal/cellgraph"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// maxMessage is the largest external message that networks take, in bytes of its bag of cells.
const maxMessage = 65535

// RefusalError is the error with which a contract does not accept an external message, in the words of a liteserver. It is
// wrapped in a [chain.Error] of kind Invalid.
type RefusalError struct{ Text string }

// Error is the text.
func (r *RefusalError) Error() string { return r.Text }

// SendMessage gives an external-in message to the network, after checking here what can be checked.
func (s *Service) SendMessage(ctx context.Context, boc chain.BOC) (*chain.SentMessage, error) {
	root, m, err := parseExternal(boc)
	if err != nil {
		return nil, err
	}
	to, ok := standardAddress(m.DstAddr)
	if !ok {
		return nil, chain.Invalidf("the destination of the message is not a standard address")
	}
	norm, err := normalisedHash(m)
	if err != nil {
		return nil, err
	}
	if s.node == nil {
		return nil, chain.Unavailablef(nil, "this service has no connection to the network, so it cannot send messages")
	}
	if err := s.exec.refused(ctx, to, root); err != nil {
		return nil, err
	}
	note := s.oracle.note(ctx, &chain.PendingMessage{Hash: chain.Hash(root.HashKey()), HashNorm: norm, Account: to, BOC: boc}, root, m.Body)
	if err := s.node.SendMessage(ctx, boc); err != nil {
		if chain.KindOf(err) == chain.Invalid {
			text := chain.PublicMessage(err)
			return nil, &chain.Error{Kind: chain.Invalid, Message: text, Err: &RefusalError{text}}
		}
		return nil, fmt.Errorf("message %s: %w", norm, err)
	}
	note.keep(ctx)
	return &chain.SentMessage{Hash: chain.Hash(root.HashKey()), HashNorm: norm}, nil
}

func parseExternal(boc chain.BOC) (*cell.Cell, *tlb.ExternalMessage, error) {
	root, m, err := parseMessage(boc)
	if err != nil {
		return nil, nil, err
	}
	if m.Message().MsgType != tlb.MsgTypeExternalIn {
		return nil, nil, chain.Invalidf("only external-in messages can be sent from outside")
	}
	return root, m.Message().AsExternalIn(), nil
}

// parseMessage reads a bag of cells as one message that a transaction can begin with.
func parseMessage(boc chain.BOC) (*cell.Cell, *tvm.PreparedMessage, error) {
	if len(boc) > maxMessage {
		return nil, nil, chain.Invalidf("the message has %d bytes; at most %d can be sent", len(boc), maxMessage)
	}
	roots, err := cell.FromBOCMultiRoot(boc)
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
		return nil, nil, &chain.Error{Kind: chain.Invalid, Message: "boc is not a message: " + err.Error(), Err: err}
	}
	return roots[0], m, nil
}

// normalisedHash is the hash of the message as TEP-467 rewrites it: no source, no import fee, no state init, the body
// in a reference.
func normalisedHash(m *tlb.ExternalMessage) (chain.Hash, error) {
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

// refused runs the message up to where the contract accepts it. What the local TVM says counts only while the index is
// as new as the network; else, and when the check itself fails, the network decides. It also decides on messages that the
// local TVM does not execute because their cells are shared too often: networks count distinct cells.
func (x *executor) refused(ctx context.Context, to chain.Address, message *cell.Cell) error {
	if executable(message) != nil {
		return nil
	}
	v, err := x.view(ctx, nil)
	if err != nil {
		return passable(ctx, err)
	}
	_, l, err := x.lane(ctx, v, to, message)
	if err != nil {
		return passable(ctx, err)
	}
	prepared, err := tvm.PrepareMessage(message)
	if err != nil {
		return passable(ctx, err)
	}
	opts := tvm.TransactionOptions{LogicalTime: l.lt}
	accepted := false
	err = x.machine.Guard(ctx, "check of a message", func(run *boundedvm.Run) error {
		block, err := l.within(run)
		if err == nil {
			accepted, err = x.tvm.CheckExternalMessageAccepted(block, l.prepared, prepared, opts)
		}
		return err
	})
	if err == nil && accepted {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("check of a message: %w", ctx.Err())
	}
	head, headErr := x.svc.node.Head(ctx)
	if headErr != nil || head.Seqno != v.master.Seqno {
		return nil
	}
	if err != nil {
		return refusal(fmt.Sprintf("account %X before smart-contract execution: %v", to.ID[:], err))
	}
	res, err := x.emulate(ctx, l, prepared, &trial{})
	if err != nil {
		return passable(ctx, err)
	}
	return refusal(fmt.Sprintf("transaction %X:\nexitcode=%d, steps=%d, gas_used=%d", to.ID[:], res.ExitCode, res.Steps, res.GasUsed))
}

// executable bounds the walks of the TVM over a message: it parses dictionaries of the header entry by entry, and walks
// all of the message as a tree to price it. The error is of kind TooLarge.
func executable(message *cell.Cell) error {
	err := cellgraph.CheckExecution(message, cellgraph.MaxVisits)
	if err == nil {
		return nil
	}
	return &chain.Error{Kind: chain.TooLarge, Message: "the message cannot be emulated: " + err.Error(), Err: err}
}

// passable lets the network decide unless the request is over.
func passable(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return fmt.Errorf("check of a message: %w", err)
	}
	var f *contract.Fault
	if errors.As(err, &f) && f.Why == contract.TooLong {
		return err
	}
	return nil
}

func refusal(why string) error {
	text := "cannot apply external message to current state : External message was not accepted\n" +
		"Cannot run message on account: inbound external message rejected by " + why
	return &chain.Error{Kind: chain.Invalid, Message: text, Err: &RefusalError{text}}
}
