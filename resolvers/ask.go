package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// interview runs get-methods of several accounts as of one view.
type interview struct {
	*executor
	ctx  context.Context
	view *view
}

// ask runs a get-method and starts reading its answer; nil when the account has no code or the contract failed, which
// is no error.
func (i *interview) ask(a chain.Address, method string, args ...any) (*contract.Reader, error) {
	acc, err := i.account(i.ctx, i.view, a)
	if err != nil || !acc.state.Active() {
		return nil, err
	}
	sc, err := i.scene(i.ctx, i.view, a)
	if err != nil {
		return nil, err
	}
	if err := i.fetchLibraries(i.ctx, i.view, acc.state.Code); err != nil {
		return nil, err
	}
	result, err := sc.runner.Run(i.ctx, &acc.state, method, args...)
	if err != nil {
		if contract.IsFault(err) && i.ctx.Err() == nil {
			return nil, nil
		}
		return nil, err
	}
	return result.Read(), nil
}
