package emulate

import (
	"context"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// methodCaller calls get-methods of several accounts at one masterchain block.
type methodCaller struct {
	*Emulator
	ctx  context.Context
	view *View
	gas  int64 // of the calls that returned a result
	full bool  // methods have the gas of those that clients call, see [methodRunners]
}

// call runs a get-method and returns a reader of its result; nil, without an error, when the account has no code or the
// contract failed.
func (c *methodCaller) call(a chain.Address, method string, args ...any) (*contract.Reader, error) {
	acc, err := c.Account(c.ctx, c.view, a)
	if err != nil || !acc.Contract.Active() {
		return nil, err
	}
	ec, err := c.executionContext(c.ctx, c.view, a)
	if err != nil {
		return nil, err
	}
	if err := c.fetchLibraries(c.ctx, c.view, append([]*cell.Cell{acc.Contract.Code, acc.Contract.Data}, contract.ArgumentCells(args)...)...); err != nil {
		return nil, err
	}
	run := ec.reads.Run
	if c.full {
		run = ec.calls.run
	}
	result, err := run(c.ctx, &acc.Contract, method, args...)
	if err != nil {
		if contract.IsFault(err) && c.ctx.Err() == nil {
			return nil, nil
		}
		return nil, err
	}
	c.gas += result.Gas
	return result.Read(), nil
}
