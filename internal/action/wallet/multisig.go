package wallet

import (
	"tonql/internal/action"
	"tonql/internal/chain"
)

// signers returns the signers of an order; false without a record of it.
func signers(c *action.Context, order *chain.Address) ([]chain.Address, bool) {
	if order == nil {
		return nil, false
	}
	o := c.Records.MultisigOrder(*order)
	if o == nil {
		return nil, false
	}
	return o.Signers, true
}
