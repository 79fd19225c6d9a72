package emulate

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

const (
	// ample is a balance above any value and fee, in nanotons: a million coins.
	ample = 1_000_000_000_000_000
	// enough is a balance that covers the import of a message and all gas of a transaction, in nanotons.
	enough = 2_000_000_000
)

// executeFunded executes a message on an account and, if the balance does not suffice, once more with the balance [ample].
func (x *Emulator) executeFunded(ctx context.Context, v *View, e *execution) (*executed, error) {
	run, err := x.execute(ctx, v, e)
	if ctx.Err() != nil || contract.IsFault(err) {
		return run, err
	}
	if err == nil {
		short, err := run.short()
		if err != nil || !short {
			return run, err
		}
	}
	richer := *e
	richer.funded = true
	funded, fundedErr := x.execute(ctx, v, &richer)
	if fundedErr != nil && err == nil {
		return run, nil //nolint:nilerr // the first result is valid
	}
	return funded, fundedErr
}

// short reports whether the balance did not cover the import of the message, the gas, or the sent messages.
func (r *executed) short() (bool, error) {
	if r.result.TransactionCell == nil {
		return !r.target.rich, nil
	}
	tx, err := r.result.ParseTransaction()
	if err != nil {
		return false, fmt.Errorf("emulated transaction: %w", err)
	}
	d, ok := tx.Description.(tlb.TransactionDescriptionOrdinary)
	if !ok {
		return false, nil
	}
	if skipped, ok := d.ComputePhase.Phase.(tlb.ComputePhaseSkipped); ok {
		return skipped.Reason.Type == tlb.ComputeSkipReasonNoGas, nil
	}
	return d.ActionPhase != nil && d.ActionPhase.NoFunds, nil
}

// fund returns the cell of an account with a balance of at least [ample]. A nonexistent account becomes an uninitialized one,
// as after a first transfer to it.
func fund(root *cell.Cell, a chain.Address) (*cell.Cell, error) {
	var st tlb.AccountState
	if err := tlb.Parse(&st, root); err != nil {
		return nil, fmt.Errorf("account %s: %w", a, err)
	}
	if !st.IsValid {
		empty := &Account{State: chain.AccountState{Account: a, Status: chain.Uninit, Balance: ample}}
		return rebuild(empty, 0)
	}
	if st.Balance.Nano().IsUint64() && st.Balance.Nano().Uint64() < ample {
		st.Balance = tlb.FromNanoTONU(ample)
	}
	return st.ToCell()
}
