package dex

import (
	"math/big"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// Opcodes of the creation of a swap.coffee pool. It takes two payments: a creator contract waits for both.
const (
	opCoffeeCreatePool    = 0xc0ffee02
	opCoffeeCreator       = 0xc0ffee23
	opCoffeePoolRequest   = 0xc0ffee25
	opCoffeePoolSeen      = 0xb216d31f
	logCoffeeDepositFails = 0xc0ffee34

	typeCoffeePoolCreator = "coffee_create_pool_creator"
)

func init() {
	action.Register(action.Spec{
		Kind: typeCoffeePoolCreator, Phase: 69,
		Match: action.Call(opCoffeeCreator).After(action.Either(action.Is("jetton_transfer").As("jettons"), action.Call(opCoffeeCreatePool).As("coins"))).Then(
			action.Call(opCoffeeDeploy).As("creator")),
		Build: buildCoffeePoolCreator,
	})
	action.Register(action.Spec{
		Kind: "coffee_create_pool", Phase: 70,
		Match: action.Is(typeCoffeePoolCreator).Then(action.Call(opCoffeePoolRequest).As("request").Then(action.Call(opCoffeeDeploy).As("pool").Then(
			action.Call(jetton.OpInternalTransfer),
			action.Log(logCoffeeDeposit).As("log"),
			action.Call(opCoffeeNotification).Then(action.Either(action.Log(opCoffeePoolSeen), action.Call(opCoffeePoolSeen)).Maybe()).Maybe(),
		))),
		Build: buildCoffeePool,
	})
}

// CoffeeCreatePoolData is the initial liquidity of a pool. The payment that completed the pool is listed first.
type CoffeeCreatePoolData struct {
	Amount1       *big.Int       `json:"amount_1"`
	Amount2       *big.Int       `json:"amount_2"`
	Initiator1    *chain.Address `json:"initiator_1"`
	Initiator2    *chain.Address `json:"initiator_2"`
	ProvidedAsset *chain.Address `json:"provided_asset"` // nil is TON
	LPMinted      *big.Int       `json:"lp_tokens_minted"`
}

// Column implements [action.Payload].
func (*CoffeeCreatePoolData) Column() string { return "coffee_create_pool_data" }

// buildCoffeePoolCreator reads the request for a creator contract: query id, amount, the pool (two assets, its kind in 3
// bits, optional settings), sender, and in a reference the receiver of the shares. A creator contract returns an asset that it already has.
func buildCoffeePoolCreator(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	l.Uint(64)
	row := action.Columns{Amount: l.Coins()}
	row.Asset2, row.Asset2Secondary = action.AddressText(coffeeAsset(l)), action.AddressText(coffeeAsset(l))
	l.Uint(3)
	l.MaybeRef()
	l.Address()
	receiver := contract.Load(l.Ref()).Address()
	if l.Err() != nil {
		return nil
	}
	row.Destination, row.DestinationSecondary = action.AddressText(receiver), action.AddressText(m.Get("creator").Account())
	if jettons := m.Get("jettons"); jettons != nil {
		c := jettons.Columns
		row.Source, row.SourceSecondary, row.Asset = c.Source, c.SourceSecondary, c.Asset
	} else {
		row.Source = action.AddressText(m.Get("coins").From())
	}
	return &action.Result{Columns: row, Failed: coffeePoolRefused(m.Get("creator"))}
}

// coffeePoolRefused reports whether a payment did not make a pool and does not wait for the other one: the creator contract failed or
// returned the asset, or the factory or the pool that it called failed, or the pool returned both assets.
func coffeePoolRefused(creator *action.Block) bool {
	request := creator.NextCall(opCoffeePoolRequest)
	if request == nil {
		return creator.Aborted() || creator.NextCall(opCoffeePayFrom) != nil
	}
	pool := request.NextCall(opCoffeeDeploy)
	return request.Aborted() || pool.Aborted() || pool != nil && pool.NextLog(logCoffeeDepositFails) != nil
}

// buildCoffeePool reads the creator's request for the pool: query id, both amounts in the order of the pool's assets, and
// the account that paid first.
func buildCoffeePool(_ *action.Context, m *action.Match) *action.Result {
	paid := m.Start.Columns
	l := m.Get("request").Body()
	l.Uint(64)
	own, other := l.Coins(), l.Coins()
	d := &CoffeeCreatePoolData{
		Initiator1: parsed(paid.Source), Initiator2: l.Address(), ProvidedAsset: parsed(paid.Asset),
	}
	if l.Err() != nil {
		return nil
	}
	first, second := paid.Asset, paid.Asset2Secondary
	switch first {
	case paid.Asset2:
	case second:
		second, own, other = paid.Asset2, other, own
		d.Initiator1, d.Initiator2 = d.Initiator2, d.Initiator1 // as in the published rows
	default:
		first = paid.Asset2 // an asset that is not the pool's
	}
	d.Amount1, d.Amount2 = own, other
	d.LPMinted = coffeeMinted(m.Get("log"))
	return &action.Result{Columns: action.Columns{
		Source: paid.Source, SourceSecondary: paid.SourceSecondary, Amount: paid.Amount, Asset: first, Asset2: second,
		Destination: action.AddressText(m.Get("pool").Account()), DestinationSecondary: paid.DestinationSecondary, Payloads: []action.Payload{d},
	}}
}
