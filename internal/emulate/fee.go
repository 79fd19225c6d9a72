package emulate

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
)

// FeeRequest describes an external message whose fees are estimated. InitCode and InitData are set both or not at all.
type FeeRequest struct {
	Account         chain.Address
	Body            *cell.Cell
	InitCode        *cell.Cell // nil: no state init
	InitData        *cell.Cell
	IgnoreSignature bool    // signature checks succeed
	SourceOnly      bool    // without the fees of the messages that the account sends
	Seqno           *uint32 // the masterchain block at which it executes; nil: the newest indexed one
}

// Fees are the fees of one transaction by kind, in nanotons.
type Fees = chain.Fees

// FeeEstimate holds the fees of the account, and those of the accounts that it sends messages to, in the order of messages.
type FeeEstimate = chain.FeeEstimate

// EstimateFee executes an external message in the local TVM, and one level of the messages that it sends. If the account's
// balance does not suffice or the account does not exist yet, the fees are those of a funded account: wallets estimate fees
// before they are funded.
func (x *Emulator) EstimateFee(ctx context.Context, q FeeRequest) (*FeeEstimate, error) {
	if (q.InitCode == nil) != (q.InitData == nil) {
		return nil, chain.Invalidf("init_code and init_data must be given together")
	}
	message, err := externalMessage(&q)
	if err != nil {
		return nil, err
	}
	v, err := x.At(ctx, q.Seqno)
	if err != nil {
		return nil, err
	}
	run, err := x.executeFunded(ctx, v, &execution{account: q.Account, message: message, anySignature: q.IgnoreSignature})
	if err != nil {
		return nil, err
	}
	estimate := &FeeEstimate{
		Accepted: run.result.Accepted, ExitCode: int32(run.result.ExitCode), GasUsed: run.result.GasUsed, McSeqno: v.Master.Seqno,
	}
	if run.result.TransactionCell == nil {
		estimate.Source, err = x.feesUnaccepted(ctx, run, message)
		return estimate, err
	}
	if estimate.Source, err = feesOf(run.result, true); err != nil {
		return nil, err
	}
	if q.SourceOnly {
		return estimate, nil
	}
	estimate.Destinations, err = x.childFees(ctx, v, run.result)
	return estimate, err
}

// externalMessage builds the message as client libraries do: with the body in a reference.
func externalMessage(q *FeeRequest) (*cell.Cell, error) {
	m := &tlb.ExternalMessage{DstAddr: stdAddress(q.Account), Body: q.Body}
	if q.InitCode != nil {
		m.StateInit = &tlb.StateInit{Code: q.InitCode, Data: q.InitData}
	}
	c, err := tlb.ToCell(m)
	if err != nil {
		return nil, &chain.Error{Kind: chain.Invalid, Message: "body and state init do not make a message", Err: err}
	}
	return c, nil
}

// childFees executes the internal messages of a transaction on the current account states.
func (x *Emulator) childFees(ctx context.Context, v *View, parent *tvm.TransactionExecutionResult) ([]Fees, error) {
	var list []Fees
	for _, out := range parent.OutMessages {
		if out.Msg == nil || out.Msg.MsgType != tlb.MsgTypeInternal {
			continue
		}
		to, ok := standardAddress(out.Msg.AsInternal().DstAddr)
		if !ok {
			continue
		}
		message, err := detached(out.Cell)
		if err != nil {
			return nil, fmt.Errorf("message to %s: %w", to, err)
		}
		run, err := x.execute(ctx, v, &execution{account: to, message: message, lt: parent.EndLT})
		if err != nil {
			return nil, fmt.Errorf("message to %s: %w", to, err)
		}
		fees := Fees{}
		if run.result.TransactionCell != nil {
			if fees, err = feesOf(run.result, false); err != nil {
				return nil, err
			}
		}
		list = append(list, fees)
	}
	return list, nil
}

// feesOf reads the fees of an executed transaction. The import fee of an external message is the remainder of the total.
func feesOf(res *tvm.TransactionExecutionResult, external bool) (Fees, error) {
	tx, err := res.ParseTransaction()
	if err != nil {
		return Fees{}, fmt.Errorf("emulated transaction: %w", err)
	}
	d, ok := tx.Description.(tlb.TransactionDescriptionOrdinary)
	if !ok {
		return Fees{}, fmt.Errorf("emulated transaction: a description of type %T", tx.Description)
	}
	var f Fees
	total, action := tx.TotalFees.Coins.Nano().Uint64(), uint64(0)
	if d.StoragePhase != nil {
		f.Storage = d.StoragePhase.StorageFeesCollected.Nano().Uint64()
	}
	if compute, ok := d.ComputePhase.Phase.(tlb.ComputePhaseVM); ok {
		f.Gas = compute.GasFees.Nano().Uint64()
	}
	if d.ActionPhase != nil {
		f.Fwd, action = coins(d.ActionPhase.TotalFwdFees), coins(d.ActionPhase.TotalActionFees)
	}
	if rest := f.Storage + f.Gas + action; external && total > rest {
		f.InFwd = total - rest
	}
	return f, nil
}

// detached copies a cell created by an execution: loading the original would charge gas to its machine.
func detached(c *cell.Cell) (*cell.Cell, error) {
	return cell.FromBOC(c.ToBOCWithOptions(cell.BOCSerializeOptions{}))
}

// detachedAll copies cells as [detached] does. Cells that they share are copied once.
func detachedAll(roots []*cell.Cell) ([]*cell.Cell, error) {
	copies, err := cell.FromBOCMultiRoot(cell.ToBOCWithOptions(roots, cell.BOCSerializeOptions{}))
	if err == nil && len(copies) != len(roots) {
		err = fmt.Errorf("%d roots of %d", len(copies), len(roots))
	}
	return copies, err
}

func coins(c *tlb.Coins) uint64 {
	if c == nil {
		return 0
	}
	return c.Nano().Uint64()
}
