package wallet

import (
	"tonql/internal/action"
	"tonql/internal/chain"
)

// signers are the accounts an order concerns; nil without its record.
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
