package staking

import "tonql/internal/action"

const elector = "-1:3333333333333333333333333333333333333333333333333333333333333333"

// toElector matches a call of the elector contract.
func toElector(op uint32) *action.Pattern {
	return action.Where(func(b *action.Block) bool { return b.Calls(op) && action.AddressText(b.Account()) == elector }).Calling(op)
}
