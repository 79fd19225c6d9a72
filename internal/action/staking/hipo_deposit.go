package staking

import (
	"math/big"
	"strings"

	"tonql/internal/action"
	"tonql/internal/chain"
)

// hipoDepositComment is the comment of a transfer that the treasury takes for a deposit of all its coins, in either case.
const hipoDepositComment = "d"

func init() {
	action.Register(action.Spec{
		Kind: "stake_deposit", Type: typeHipoDeposit, Phase: 7,
		Match: action.Where(func(b *action.Block) bool { return b.Calls(opHipoDeposit) && isHipoTreasury(b) }).
			Calling(opHipoDeposit).Then(hipoAccepts()...),
		Build: buildHipoDeposit,
	})
	action.Register(action.Spec{
		Kind: "stake_deposit", Type: typeHipoDeposit, Phase: 8,
		Match: hipoSettles(opHipoMintTokens).Then(hipoMinted()),
		Build: buildHipoDepositSettled,
	})
	action.Register(action.Spec{
		Kind: "stake_deposit", Type: typeHipoDeposit, Phase: 9,
		Match: action.Where(isHipoComment).Of(action.TypeTonTransfer).Then(hipoAccepts()...),
		Build: buildHipoCommentDeposit,
	})
}

func isHipoComment(b *action.Block) bool {
	if b.Type != action.TypeTonTransfer || !isHipoTreasury(b) {
		return false
	}
	comment, encrypted := action.Comment(b.Msg.Body.Cell())
	return comment != nil && !encrypted && strings.EqualFold(*comment, hipoDepositComment)
}

// hipoAccepts matches what the treasury does with a deposit: it mints tokens at once, or saves the coins until the round
// ends and has a bill minted.
func hipoAccepts() []*action.Pattern {
	return []*action.Pattern{
		action.Either(hipoMinted(), action.Call(opHipoProxySave).As("proxy").Then(action.Call(opHipoSave).As("wallet").Maybe())).Maybe(),
		action.Call(opHipoMintBill).As("request").Maybe(),
	}
}

// buildHipoDeposit reads the request.
//
//	deposit_coins#3d3761a6 query_id:uint64 owner:MsgAddress coins:Coins ownership_assigned_amount:Coins referrer:MsgAddress
//
// The owner is the sender if there is none. Zero coins are all coins after fees.
func buildHipoDeposit(_ *action.Context, m *action.Match) *action.Result {
	l := m.Start.Body()
	l.Uint(64)
	owner, coins := l.Address(), l.Coins()
	if l.Err() != nil {
		return nil
	}
	if coins.Sign() == 0 {
		coins = m.Start.Msg.Value
	}
	return hipoDeposited(m, firstAddress(owner, m.Start.From()), coins)
}

func buildHipoCommentDeposit(_ *action.Context, m *action.Match) *action.Result {
	return hipoDeposited(m, m.Start.From(), m.Start.Msg.Value)
}

// hipoDeposited returns the deposit of an owner. The treasury's message to the parent has the amount without fees.
func hipoDeposited(m *action.Match, owner *chain.Address, coins *big.Int) *action.Result {
	proxy := m.Get("proxy")
	r := hipoRow{
		owner: owner, wallet: m.Get("wallet").Account(), parent: firstAddress(proxy.Account(), &hipoParent), amount: coins,
		data: Data{Bill: hipoBill(m.Get("request"))}, failed: m.Start.Aborted() || proxy == nil,
	}
	if proxy != nil {
		a, ok := parseHipoProxy(proxy)
		if !ok {
			return nil
		}
		r.amount, r.data.TokensMinted = a.coins, a.tokens
	}
	return r.result()
}

// buildHipoDepositSettled has no amount: the coins were deposited by the action of the request.
func buildHipoDepositSettled(_ *action.Context, m *action.Match) *action.Result {
	proxy := m.Get("proxy")
	a, ok := parseHipoProxy(proxy)
	if !ok {
		return nil
	}
	return (&hipoRow{
		owner: a.owner, wallet: m.Get("wallet").Account(), parent: proxy.Account(),
		data: Data{TokensMinted: a.tokens, Bill: m.Get("bill").From()}, failed: m.Start.Aborted(),
	}).result()
}
