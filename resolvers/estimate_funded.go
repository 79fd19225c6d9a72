package resolvers

import (
	"context"
	"fmt"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

const (
	// ample is a balance that no value and no fee exceeds, in nanocoins: a million coins.
	ample = 1_000_000_000_000_000
	// enough is a balance that covers the import of a message and all the gas of a transaction, in nanocoins.
	enough = 2_000_000_000
)

// tryFunded executes a message on an account as it is and, where that fails for lack of coins, once more as if the account
// held [ample] coins.
func (x *executor) tryFunded(ctx context.Context, v *view, t *trial) (*tried, error) {
	run, err := x.try(ctx, v, t)
	if ctx.Err() != nil || contract.IsFault(err) {
		return run, err
	}
	if err == nil {
		short, err := run.short()
		if err != nil || !short {
			return run, err
		}
	}
	richer := *t
	richer.funded = true
	funded, fundedErr := x.try(ctx, v, &richer)
	if fundedErr != nil && err == nil {
		return run, nil //nolint:nilerr // what the account can pay for is known
	}
	return funded, fundedErr
}

// short reports whether the account lacked coins: for the import of the message, for gas, or for what it sends.
func (r *tried) short() (bool, error) {
	if r.result.TransactionCell == nil {
		return !r.lane.rich, nil
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

// fund gives the cell of an account with at least [ample] coins. An account that does not exist becomes an uninitialised
// one, as a first transfer to it would leave it.
func fund(root *cell.Cell, a chain.Address) (*cell.Cell, error) {
	var st tlb.AccountState
	if err := tlb.Parse(&st, root); err != nil {
		return nil, fmt.Errorf("account %s: %w", a, err)
	}
	if !st.IsValid {
		empty := &actor{row: chain.AccountState{Account: a, Status: chain.Uninit, Balance: ample}}
		return rebuild(empty, 0)
	}
	if st.Balance.Nano().IsUint64() && st.Balance.Nano().Uint64() < ample {
		st.Balance = tlb.FromNanoTONU(ample)
	}
	return st.ToCell()
}
