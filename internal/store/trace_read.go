package store

import (
	"context"

	"tonql/internal/chain"
)

// Traces lists the traces that match f.
func (r *Reader) Traces(_ context.Context, _ chain.TraceFilter, _ chain.Page) ([]chain.Trace, error) {
	return nil, nil
}

// FullTraces completes traces with their transactions, tree and actions.
func (r *Reader) FullTraces(_ context.Context, _ []chain.Trace, _ chain.TraceInclude) ([]chain.FullTrace, error) {
	return nil, nil
}

// BalanceChanges is what a trace, or one action, changed on accounts.
func (r *Reader) BalanceChanges(_ context.Context, _, _ *chain.Hash) (*chain.BalanceChanges, error) {
	return nil, chain.NotFoundf("action_id not found")
}
