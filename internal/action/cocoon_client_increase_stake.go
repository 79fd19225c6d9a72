package action

import (
	"math/big"

	"tonql/internal/contract"
)

func init() {
	Register(Spec{
		Kind: "cocoon_client_increase_stake", Phase: 91,
		Match: Call(0x6a1f6a60).Then(cocoonRest(), cocoonForward()),
		Build: cocoonRequest("", readCocoonClientIncreaseStake),
	})
}

// CocoonClientIncreaseStakeData is what a client's stake is to be, in nanotons.
type CocoonClientIncreaseStakeData struct {
	CocoonQuery

	NewStake *big.Int `json:"new_stake"`
}

// Column names the composite column.
func (*CocoonClientIncreaseStakeData) Column() string { return "cocoon_client_increase_stake_data" }

func readCocoonClientIncreaseStake(_ *Match, q CocoonQuery, l *contract.Loader, c *Columns) Payload {
	stake := l.Coins()
	c.Source, c.Amount = AddressText(l.Address()), stake
	return &CocoonClientIncreaseStakeData{q, stake}
}
