package action

import "math/big"

const (
	opCoffeeStake = 0xf9471134
	opCoffeeClaim = 0xb30c7310
)

func init() {
	Register(Spec{
		Kind: "coffee_staking_deposit", Phase: 73,
		Match: Is("jetton_transfer").Then(
			Call(opCoffeeStake).As("pool").Then(Is("nft_mint").As("item"), Log(opCoffeeStake).Maybe())),
		Build: buildCoffeeStake,
	})
	Register(Spec{
		Kind: "coffee_staking_claim_rewards", Phase: 75,
		Match: Call(opCoffeeClaim).Then(Is("jetton_transfer").As("reward"), Log(opCoffeeClaim).Maybe()),
		Build: buildCoffeeClaim,
	})
}

// CoffeeStakingDepositData is the item that stands for a stake.
type CoffeeStakingDepositData struct {
	Item  string   `json:"minted_item_address"`
	Index *big.Int `json:"minted_item_index"`
}

// Column names the composite column.
func (*CoffeeStakingDepositData) Column() string { return "coffee_staking_deposit_data" }

func buildCoffeeStake(_ *Context, m *Match) *Result {
	paid, item := m.Start.Columns, m.Get("item").Columns
	d := &CoffeeStakingDepositData{Item: item.AssetSecondary}
	if minted, ok := item.Payloads[0].(*NFTMintData); ok {
		d.Index = minted.Index
	}
	return &Result{Columns: Columns{
		Source: paid.Source, SourceSecondary: paid.SourceSecondary, Destination: AddressText(m.Get("pool").Account()),
		DestinationSecondary: paid.DestinationSecondary, Asset: paid.Asset, Amount: paid.Amount, Payloads: []Payload{d},
	}}
}

func buildCoffeeClaim(_ *Context, m *Match) *Result {
	c := m.Get("reward").Columns
	c.Payloads = nil
	return &Result{Columns: c, Failed: m.Start.Aborted()}
}
