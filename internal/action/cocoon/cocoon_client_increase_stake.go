package cocoon

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/contract"
)

func init() {
	action.Register(action.Spec{
		Kind: "cocoon_client_increase_stake", Phase: 91,
		Match: action.Call(0x6a1f6a60).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonClientIncreaseStake),
	})
}

// ClientIncreaseStakeData is the new stake of a client, in nanotons.
type ClientIncreaseStakeData struct {
	Query

	NewStake *big.Int `json:"new_stake"`
}

// Column implements [action.Payload].
func (*ClientIncreaseStakeData) Column() string { return "cocoon_client_increase_stake_data" }

func readCocoonClientIncreaseStake(_ *action.Match, q Query, l *contract.Loader, c *action.Columns) action.Payload {
	stake := l.Coins()
	c.Source, c.Amount = action.AddressText(l.Address()), stake
	return &ClientIncreaseStakeData{q, stake}
}
