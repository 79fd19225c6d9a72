package dex

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/jetton"
)

// Opcodes of swap.coffee's liquidity. A depository waits for both assets of a deposit.
const (
	opCoffeeDeposit    = 0xc0ffee04
	opCoffeeDepository = 0xc0ffee27
	opCoffeeDeploy     = 0xc0ffee22
	opCoffeeDepositAll = 0xc0ffee29
	logCoffeeDeposit   = 0xc0ffee33
	logCoffeeWithdraw  = 0xc0ffee35
)

func init() {
	action.Register(action.Spec{
		Kind: kindDeposit, Type: "coffee_deposit_liquidity", Phase: 65,
		Match: action.Call(opCoffeeDepository).After(action.Either(action.Call(opCoffeeDeposit).As("coins"), action.Is("jetton_transfer").As("jettons"))).Then(
			action.Call(opCoffeeDeploy).As("depository").Then(
				action.Either(
					action.Call(opCoffeeDepositAll).As("pool").Then(
						action.Call(jetton.OpInternalTransfer), action.Log(logCoffeeDeposit).As("log")),
					action.Call(opCoffeeDepositAll).As("refused"),
					action.Call(opCoffeePayFrom).As("returned").Untaken(),
				).Maybe())),
		Build: buildCoffeeDeposit,
	})
	action.Register(action.Spec{
		Kind: kindWithdraw, Phase: 67,
		Match: action.Is("jetton_burn").Then(action.Log(logCoffeeWithdraw).As("log")), Build: buildCoffeeWithdraw,
	})
}

// coffeePaid returns the payment. The request for the depository has its amount and the account that deposits.
func coffeePaid(m *action.Match) (in Transfer, ok bool) {
	if jettons := m.Get("jettons"); jettons != nil {
		in = received(jettons)
	} else {
		in.Destination = m.Get("coins").Account()
	}
	l := m.Start.Body()
	l.Uint(64)
	in.Amount, in.Source = l.Coins(), l.Address()
	return in, l.Err() == nil
}

// coffeePool reads the two assets of a pool, which the kind of the pool follows; false if one is an extra currency.
func coffeePool(c *cell.Cell) (assets [2]*chain.Address, ok bool) {
	l := contract.Load(c)
	first, ok := coffeeCurrency(l)
	second, also := coffeeCurrency(l)
	return [2]*chain.Address{first, second}, ok && also
}

// buildCoffeeDeposit reads the request for a depository: query id, amount, sender, and in references the deposit, the pool
// and a proof of the sender.
func buildCoffeeDeposit(_ *action.Context, m *action.Match) *action.Result {
	in, ok := coffeePaid(m)
	body := m.Start.Msg.Body.Cell()
	if !ok || body == nil || body.RefsNum() < 2 {
		return nil
	}
	ref, err := body.PeekRef(1)
	if err != nil {
		return nil
	}
	assets, ok := coffeePool(ref)
	if !ok {
		return nil
	}
	d := &DepositLiquidityData{Dex: dexCoffee, VaultExcesses: []AssetAmount{}}
	// Published rows list the paid asset first among the targets, whichever half was paid.
	switch {
	case equal(in.Asset, assets[0]):
		d.first(in)
		d.TargetAsset1, d.TargetAsset2 = assets[0], assets[1]
	case equal(in.Asset, assets[1]):
		d.second(in)
		d.TargetAsset1, d.TargetAsset2 = assets[1], assets[0]
	default:
		return nil // an asset that is not the pool's
	}
	row := action.Columns{Source: action.AddressText(in.Source), DestinationSecondary: action.AddressText(m.Get("depository").Account()), Payloads: []action.Payload{d}}
	if pool := m.Get("pool"); pool != nil {
		row.Destination = action.AddressText(pool.Account())
		d.LPMinted = coffeeMinted(m.Get("log"))
		for _, out := range coffeePayouts(m, pool, 2) {
			d.VaultExcesses = append(d.VaultExcesses, out.excess())
		}
	}
	// A pool that rejects a deposit returns both assets; a depository returns an asset that it already has.
	refused := firstOf(m.Get("refused"), m.Get("depository"))
	if m.Get("refused") != nil {
		row.Destination = action.AddressText(refused.Account())
	}
	failed := m.Get("refused") != nil || m.Get("returned") != nil || m.Get("depository").Aborted()
	if failed {
		for _, out := range coffeePayouts(m, refused, 2) {
			d.VaultExcesses = append(d.VaultExcesses, AssetAmount{Asset: out.Asset, Amount: out.Amount})
		}
	}
	return &action.Result{Columns: row, Failed: failed}
}

// coffeeMinted reads the shares in the log of a deposit: query id, both amounts, shares; nil when it cannot be read.
func coffeeMinted(log *action.Block) *big.Int {
	l := log.Body()
	l.Uint(64)
	l.Coins()
	l.Coins()
	shares := l.Coins()
	if l.Err() != nil {
		return nil
	}
	return shares
}

// coffeePaidOut is a payout that a pool requested. The coins are its message; nil for Jettons.
type coffeePaidOut struct {
	Transfer

	coins *action.Block
}

// excess returns what is left of a deposit. In published rows that is the value of the message, not the requested amount.
func (p *coffeePaidOut) excess() AssetAmount {
	if p.coins != nil {
		return AssetAmount{Amount: p.coins.Msg.Value}
	}
	return AssetAmount{Asset: p.Asset, Amount: p.Amount}
}

// withdrawn returns a side of a withdrawal. In published rows the receiver of coins is in the place of a wallet.
func (p *coffeePaidOut) withdrawn() Transfer {
	t := p.Transfer
	if p.coins != nil && p.coins.Calls(opCoffeePayout) {
		t.DestinationWallet = t.Destination
	}
	return t
}

// coffeePayouts takes at most n payouts that a pool requested.
func coffeePayouts(m *action.Match, pool *action.Block, n int) (paid []coffeePaidOut) {
	for _, b := range pool.Next {
		if len(paid) == n || !b.Calls(opCoffeePayFrom) {
			continue
		}
		if out, parts := coffeePayout(b); parts != nil {
			m.Take(parts...)
			out.Source = b.From()
			p := coffeePaidOut{Transfer: out}
			if last := parts[len(parts)-1]; last.IsBasic() {
				p.coins = last
			}
			paid = append(paid, p)
		}
	}
	return paid
}

// buildCoffeeWithdraw takes the two payouts of a pool after the burn of its shares. The pool is the source of both. Its log has the amounts
// behind the query id.
func buildCoffeeWithdraw(_ *action.Context, m *action.Match) *action.Result {
	burn := m.Start.Columns
	paid := coffeePayouts(m, m.Start, 2)
	l := m.Get("log").Body()
	l.Uint(64)
	first, second := l.Coins(), l.Coins()
	if len(paid) != 2 || l.Err() != nil {
		return nil
	}
	d := &WithdrawLiquidityData{Dex: dexCoffee, LPBurnt: burn.Amount, IsRefund: new(bool)}
	d.first(paid[0].withdrawn())
	d.second(paid[1].withdrawn())
	d.Amount1, d.Amount2 = first, second
	return &action.Result{Columns: action.Columns{
		Source: burn.Source, SourceSecondary: burn.SourceSecondary, Destination: action.AddressText(paid[0].Source), Asset: burn.Asset,
		Payloads: []action.Payload{d},
	}}
}
