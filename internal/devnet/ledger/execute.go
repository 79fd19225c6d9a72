package ledger

import (
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/vm"

	"tonql/internal/actionphase"
	"tonql/internal/cellgraph"
	"tonql/internal/devnet/layout"
)

// created is an internal message that a transaction of the block sent.
type created struct {
	cell     *cell.Cell
	prepared *tvm.PreparedMessage
	source   [32]byte
	dest     *address.Address
	lt       uint64 // created_lt, or emitted_lt of a deferred message
	fwdFee   *big.Int
	metadata *tlb.MsgMetadata
	tx       *cell.Cell // the sending transaction
	index    int        // place among the messages of the transaction
	// dispatched is the envelope of a message from the dispatch queue, with its emitted_lt.
	dispatched *cell.Cell
}

// envelope wraps the message. done is how many of the 96 routing bits already
// are the destination's: 96 on the spot, 0 when the message starts its way.
func (m *created) envelope(done uint8) (*cell.Cell, error) {
	return tlb.MsgEnvelope{
		CurAddr:         tlb.IntermediateAddress{UseDestBits: done},
		NextAddr:        tlb.IntermediateAddress{UseDestBits: 96},
		FwdFeeRemaining: tlb.FromNanoTON(m.fwdFee),
		Msg:             m.cell,
		Metadata:        m.metadata,
		V2:              true,
	}.ToCell()
}

func parseEnvelope(c *cell.Cell) (*tlb.MsgEnvelope, error) {
	s, err := c.BeginParse()
	if err != nil {
		return nil, err
	}
	env := &tlb.MsgEnvelope{}
	if err := env.LoadFromCell(s); err != nil {
		return nil, fmt.Errorf("envelope: %w", err)
	}
	return env, nil
}

// execute runs an ordinary transaction for an internal message. metadata is the
// in-message's, nil when it has none. The transaction gets an LT greater than after.
func (c *collator) execute(msg *tvm.PreparedMessage, metadata *tlb.MsgMetadata, after uint64) (*tvm.TransactionExecutionResult, error) {
	dest := msg.Message().Msg.DestAddr()
	l, err := c.lane([32]byte(dest.Data()))
	if err != nil {
		return nil, err
	}
	res, err := emulate(c.machine, c.context, c.ref.actions, l.account, msg, c.options(l, after))
	if err != nil {
		// A message that was sent must be processed, or the chain would stop at it for ever.
		if res, err = c.emulateWithoutGas(l, msg, after, err); err != nil {
			return nil, fmt.Errorf("message %x to %s: %w", msg.Cell().Hash(), dest, err)
		}
	}
	if res.TransactionCell == nil {
		return nil, fmt.Errorf("message %x to %s made no transaction", msg.Cell().Hash(), dest)
	}
	if metadata != nil {
		next := *metadata
		next.Depth++
		metadata = &next
	}
	return res, c.adopt(l, res, metadata)
}

// emulateWithoutGas makes the transaction of a message that the virtual machine cannot
// execute for the reason why: its code exceeded the limits of the machine or made it
// panic. The compute phase ends out of gas, exit code -14, at the first instruction, and
// the message bounces. Real validators would execute it; a replay of the transaction
// differs or is left out.
func (c *collator) emulateWithoutGas(l *lane, msg *tvm.PreparedMessage, after uint64, why error) (*tvm.TransactionExecutionResult, error) {
	opts := c.options(l, after)
	opts.Gas = vm.GasWithLimit(1)
	res, err := emulate(c.machine, c.context, c.ref.actions, l.account, msg, opts)
	if err != nil {
		return nil, errors.Join(why, err)
	}
	return res, nil
}

// executeExternal runs an external message; nil means it was not accepted.
func (c *collator) executeExternal(e *external) (*tvm.TransactionExecutionResult, error) {
	l, err := c.lane([32]byte(e.dest.Data()))
	if err != nil {
		return nil, err
	}
	res, err := emulate(c.machine, c.context, c.ref.actions, l.account, e.prepared, c.options(l, c.startLT))
	if err != nil || res.TransactionCell == nil {
		// All errors here are defects of the external message.
		return nil, nil //nolint:nilerr // see above
	}
	return res, c.adopt(l, res, c.initiator(l, res))
}

// emulate runs a transaction. Messages are untrusted, so a panic of the machine is an
// error of the message and does not end the process.
func emulate(m *tvm.TVM, block *blockContext, actions *actionphase.Config, acc *tvm.PreparedAccount, msg *tvm.PreparedMessage, opts tvm.TransactionOptions) (res *tvm.TransactionExecutionResult, err error) {
	if err := executable(msg.Cell(), 2*cellgraph.MaxVisits); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, fmt.Errorf("the virtual machine panicked: %v", p)
		}
	}()
	ctx, err := block.of(acc, msg.Cell())
	if err != nil {
		return nil, err
	}
	if res, err = m.EmulateTransaction(ctx, acc, msg, opts); err != nil {
		return nil, err
	}
	if res, err = actionphase.Correct(actions, acc, acc.Address(), msg.Cell(), res); err != nil {
		return nil, err
	}
	return res, deliverable(res)
}

// deliverable checks that the messages of a transaction can be executed at their
// destination. They may be twice as large there, because a bounce wraps the body.
func deliverable(res *tvm.TransactionExecutionResult) error {
	for _, out := range res.OutMessages {
		if out.Msg.MsgType == tlb.MsgTypeInternal && out.Msg.AsInternal().Bounced {
			continue
		}
		if err := executable(out.Cell, cellgraph.MaxVisits); err != nil {
			return fmt.Errorf("sent message %x: %w", out.Cell.Hash(), err)
		}
	}
	return nil
}

// initiator is the metadata of messages that start a new chain.
func (c *collator) initiator(l *lane, res *tvm.TransactionExecutionResult) *tlb.MsgMetadata {
	return &tlb.MsgMetadata{Initiator: l.account.Address(), InitiatorLT: res.NextAccount.ShardAccount().LastTransLT}
}

func (c *collator) options(l *lane, after uint64) tvm.TransactionOptions {
	return tvm.TransactionOptions{LogicalTime: int64(max(c.startLT, after) + 1), AccountStorageStat: l.stat}
}

// adopt records a transaction and routes its messages.
func (c *collator) adopt(l *lane, res *tvm.TransactionExecutionResult, metadata *tlb.MsgMetadata) error {
	if err := l.add(res); err != nil {
		return err
	}
	c.txs++
	c.size.bytes += txOverhead
	c.size.add(res.TransactionCell)
	c.gas += res.GasUsed
	c.maxLT = max(c.maxLT, res.EndLT)
	for i, out := range res.OutMessages {
		if out.Msg.MsgType != tlb.MsgTypeInternal {
			if err := c.addOutMsg(out.Cell.Hash(), layout.ExportExternal(out.Cell, res.TransactionCell)); err != nil {
				return err
			}
			continue
		}
		m, err := newCreated(out, res.TransactionCell, metadata)
		if err != nil {
			return err
		}
		m.index = i
		heap.Push(&c.fresh, m)
	}
	return nil
}

func newCreated(out tvm.OutMessage, tx *cell.Cell, metadata *tlb.MsgMetadata) (*created, error) {
	prepared, err := tvm.PrepareMessage(out.Cell)
	if err != nil {
		return nil, fmt.Errorf("sent message %x: %w", out.Cell.Hash(), err)
	}
	in := prepared.Message().AsInternal()
	if in.DstAddr.Type() != address.StdAddress || len(in.DstAddr.Data()) != 32 {
		return nil, fmt.Errorf("sent message %x goes to %s, which is not a standard address", out.Cell.Hash(), in.DstAddr)
	}
	return &created{
		source: [32]byte(in.SrcAddr.Data()),
		cell:   out.Cell, prepared: prepared, dest: in.DstAddr, lt: in.CreatedLT,
		fwdFee: in.FwdFee.Nano(), metadata: metadata, tx: tx,
	}, nil
}

// messageHeap orders messages by (LT, hash), as the network does.
type messageHeap []*created

func (h messageHeap) Len() int { return len(h) }
func (h messageHeap) Less(i, j int) bool {
	if h[i].lt != h[j].lt {
		return h[i].lt < h[j].lt
	}
	a, b := h[i].cell.HashKey(), h[j].cell.HashKey()
	return bytes.Compare(a[:], b[:]) < 0
}
func (h messageHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push and Pop serve container/heap.
func (h *messageHeap) Push(x any) { *h = append(*h, x.(*created)) } //nolint:errcheck // the only type that is ever put there

// Pop removes the last element of the slice; use pop for the oldest message.
func (h *messageHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return last
}

func (h *messageHeap) pop() *created { return heap.Pop(h).(*created) } //nolint:errcheck // the only type that is ever put there
