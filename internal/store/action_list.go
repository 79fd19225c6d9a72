package store

import (
	"context"

	"tonql/internal/chain"
)

// Actions lists the actions that match f.
func (r *Reader) Actions(_ context.Context, _ chain.ActionFilter, _ chain.Page) ([]chain.Action, error) {
	return nil, nil
}
