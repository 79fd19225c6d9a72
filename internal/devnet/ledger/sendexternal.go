package ledger

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/boundedvm"
	"tonql/internal/cellgraph"
	"tonql/internal/chain"
)

// ExternalError reports why a contract did not accept an external message, with the error
// text of a liteserver.
type ExternalError struct {
	// ExitCode and GasUsed are the compute phase's; without one (no code, no
	// balance) Executed is false and both are 0.
	Executed bool
	ExitCode int32
	GasUsed  int64
	Text     string
}

func (e *ExternalError) Error() string { return e.Text }

const refused = "External message was not accepted\nCannot run message on account: inbound external message rejected by "

// SendExternal checks that the destination accepts the message in its newest
// state and queues it for the next block. For a message that
// already waits it does nothing. A refusal is an *ExternalError; a message that is no
// external-in or goes nowhere is chain.Invalid, as is one whose cells are shared
// so often that the virtual machine's walk would not end; a full queue is
// chain.Unavailable.
func (c *Chain) SendExternal(ctx context.Context, msg *cell.Cell) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := executable(msg, cellgraph.MaxVisits); err != nil {
		return &chain.Error{Kind: chain.Invalid, Message: "this chain does not execute the message: " + err.Error(), Err: err}
	}
	prepared, err := tvm.PrepareMessage(msg)
	if err != nil {
		return &chain.Error{Kind: chain.Invalid, Message: "this is not a message", Err: err}
	}
	if prepared.Message().MsgType != tlb.MsgTypeExternalIn {
		return &chain.Error{Kind: chain.Invalid, Message: "only external-in messages can be sent from outside"}
	}
	if c.pool.has(msg.HashKey()) {
		return nil
	}
	e := &external{cell: msg, prepared: prepared, dest: prepared.Message().AsExternalIn().DstAddr}
	if err := c.checkAccepted(e); err != nil {
		return err
	}
	return c.pool.add(e)
}

// executable bounds the walks of the virtual machine over a message, which it
// treats as a tree. Networks count distinct cells and take such messages.
func executable(msg *cell.Cell, limit int) error {
	return cellgraph.CheckExecution(msg, limit)
}

func (c *Chain) checkAccepted(e *external) error {
	if e.dest == nil || e.dest.Type() != address.StdAddress || len(e.dest.Data()) != 32 {
		return &chain.Error{Kind: chain.Invalid, Message: "the destination is not a standard address"}
	}
	c.mu.RLock()
	ref, at := c.ref, c.tipOf(e.dest)
	c.mu.RUnlock()
	if at == nil {
		return &chain.Error{Kind: chain.Invalid, Message: fmt.Sprintf("there is no workchain %d", e.dest.Workchain())}
	}
	l, err := openLane(at.accounts, at.id.Workchain, [32]byte(e.dest.Data()))
	if err != nil {
		return err
	}
	startLT := (max(ref.block.EndLt, at.endLT)/ltAlign + 1) * ltAlign
	block, err := newBlockContext(ref.config, tvm.BlockOptions{
		Now: c.Now(), BlockLT: int64(startLT), RandSeed: make([]byte, 32),
		PrevBlocks: ref.prevBlocks, Libraries: ref.libraries(),
	})
	if err != nil {
		return err
	}
	opts := tvm.TransactionOptions{LogicalTime: int64(startLT + 1)}
	ok, err := accepts(block, l.account, e.prepared, opts)
	if err == nil && ok {
		return nil
	}
	if err == nil {
		var res *tvm.TransactionExecutionResult
		if res, err = emulate(boundedvm.New(), block, ref.actions, l.account, e.prepared, opts); err == nil {
			return refusal(e.dest, res)
		}
	}
	return &ExternalError{Text: refused + fmt.Sprintf("account %X before smart-contract execution: %s", e.dest.Data(), err)}
}

// accepts runs a message up to the point where the contract accepts it.
func accepts(block *blockContext, acc *tvm.PreparedAccount, msg *tvm.PreparedMessage, opts tvm.TransactionOptions) (ok bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			ok, err = false, fmt.Errorf("the virtual machine panicked: %v", p)
		}
	}()
	ctx, err := block.of(acc, msg.Cell())
	if err != nil {
		return false, err
	}
	return boundedvm.New().CheckExternalMessageAccepted(ctx, acc, msg, opts)
}

func refusal(dest *address.Address, res *tvm.TransactionExecutionResult) *ExternalError {
	return &ExternalError{
		Executed: res.Steps > 0,
		ExitCode: int32(res.ExitCode),
		GasUsed:  res.GasUsed,
		Text: refused + fmt.Sprintf("transaction %X:\nexitcode=%d, steps=%d, gas_used=%d",
			dest.Data(), res.ExitCode, res.Steps, res.GasUsed),
	}
}
