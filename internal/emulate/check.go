package emulate

import (
	"context"
	"errors"
	"fmt"

	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/actionphase"
	"tonql/internal/boundedvm"
	"tonql/internal/chain"
	"tonql/internal/contract"
)

// RefusalError is the error of a contract that does not accept an external message, in the words of a liteserver. It is
// wrapped in a [chain.Error] of kind Invalid.
type RefusalError struct{ Text string }

// Error returns the text.
func (r *RefusalError) Error() string { return r.Text }

// Check executes an external message up to the point where the contract accepts it, and returns a [RefusalError] when
// it does not. It needs a node. The result counts only while the index is at the head of the network; otherwise, and
// when the check itself fails, Check returns nil and the network decides. The network also decides on messages that the
// local TVM does not execute because their cells are shared too often: networks count distinct cells.
func (x *Emulator) Check(ctx context.Context, to chain.Address, message *cell.Cell) error {
	if executable(message) != nil {
		return nil
	}
	v, err := x.At(ctx, nil)
	if err != nil {
		return passable(ctx, err)
	}
	_, t, err := x.target(ctx, v, &execution{account: to, message: message})
	if err != nil {
		return passable(ctx, err)
	}
	prepared, err := tvm.PrepareMessage(message)
	if err != nil {
		return passable(ctx, err)
	}
	opts := tvm.TransactionOptions{LogicalTime: t.lt}
	accepted := false
	err = x.machine.Execute(ctx, "check of a message", func(run *boundedvm.Run) error {
		run.ShowExtra(actionphase.Credited(t.prepared, message))
		block, err := t.within(run)
		if err == nil {
			accepted, err = x.tvm.CheckExternalMessageAccepted(block, t.prepared, prepared, opts)
		}
		return err
	})
	if err == nil && accepted {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("check of a message: %w", ctx.Err())
	}
	head, headErr := x.node.Head(ctx)
	if headErr != nil || head.Seqno != v.Master.Seqno {
		return nil
	}
	if err != nil {
		return refusal(fmt.Sprintf("account %X before smart-contract execution: %v", to.ID[:], err))
	}
	res, err := x.emulate(ctx, t, prepared, &execution{})
	if err != nil {
		return passable(ctx, err)
	}
	return refusal(fmt.Sprintf("transaction %X:\nexitcode=%d, steps=%d, gas_used=%d", to.ID[:], res.ExitCode, res.Steps, res.GasUsed))
}

// passable returns nil, so that the network decides, unless the request was cancelled or the code exceeded its time.
func passable(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return fmt.Errorf("check of a message: %w", err)
	}
	var f *contract.Fault
	if errors.As(err, &f) && f.Reason == contract.TooLong {
		return err
	}
	return nil
}

func refusal(why string) error {
	text := "cannot apply external message to current state : External message was not accepted\n" +
		"Cannot run message on account: inbound external message rejected by " + why
	return &chain.Error{Kind: chain.Invalid, Message: text, Err: &RefusalError{text}}
}
