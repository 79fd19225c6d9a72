package pending

import (
	"context"

	"tonql/internal/chain"
)

// Index is the part of the index that the Tracker reads.
type Index interface {
	Traces(ctx context.Context, f chain.TraceFilter, p chain.Page) ([]chain.Trace, error)
	// UnfinishedTraces returns the traces of accounts that have messages in flight.
	UnfinishedTraces(ctx context.Context, accounts []chain.Address, limit int) ([]chain.Trace, error)
	FullTraces(ctx context.Context, traces []chain.Trace, with chain.TraceInclude) ([]chain.FullTrace, error)
	// TransactionBOCs returns the cells of transactions, without those that the index lacks.
	TransactionBOCs(ctx context.Context, keys []chain.TransactionKey) (map[chain.TransactionKey]chain.BOC, error)
	Actions(ctx context.Context, f chain.ActionFilter, p chain.Page) ([]chain.Action, error)
}
