package staking

import "tonql/internal/action"

func init() {
	action.Register(action.Spec{
		Kind: "stake_withdrawal", Type: typeHipoWithdrawal, Phase: 7, Match: hipoUnstake(hipoPaid()), Build: buildHipoUnstaked,
	})
	action.Register(action.Spec{
		Kind: "stake_withdrawal_request", Type: typeHipoRequest, Phase: 7,
		Match: hipoUnstake(action.Call(opHipoMintBill).As("request")),
		Build: buildHipoRequest,
	})
	action.Register(action.Spec{
		Kind: "stake_withdrawal", Type: typeHipoWithdrawal, Phase: 8,
		Match: hipoSettles(opHipoBurnTokens).Then(hipoPaid()), Build: buildHipoSettled,
	})
	action.Register(action.Spec{
		Kind: "stake_withdrawal_request", Type: typeHipoRequest, Phase: 8,
		Match: hipoSettles(opHipoBurnTokens).Then(action.Call(opHipoMintBill).As("request")), Build: buildHipoPostponed,
	})
	action.Register(action.Spec{
		Kind: "stake_withdrawal", Type: typeHipoWithdrawal, Phase: 9,
		Match: hipoSettles(opHipoBurnTokens).Then(
			action.Call(opHipoProxyRollback).As("proxy").Then(action.Call(opHipoRollback).As("wallet").Maybe())),
		Build: buildHipoSettled,
	})
}

// buildHipoUnstaked builds a withdrawal that the treasury pays at once.
func buildHipoUnstaked(_ *action.Context, m *action.Match) *action.Result {
	a, ok := parseHipoProxy(m.Get("proxy"))
	if !ok {
		return nil
	}
	return (&hipoRow{
		owner:  firstAddress(parseHipoReserve(m.Get("treasury")), m.Start.From()),
		wallet: m.Start.Account(), parent: m.Get("parent").Account(), amount: a.coins,
		data: Data{TokensBurnt: a.tokens}, failed: m.Start.Aborted(),
	}).result()
}

// buildHipoRequest builds a request that waits for the end of the round. Its bill is not taken: the mint is a separate action.
func buildHipoRequest(_ *action.Context, m *action.Match) *action.Result {
	bill, ok := parseHipoBill(m.Get("request"))
	if !ok {
		return nil
	}
	return (&hipoRow{
		owner:  firstAddress(parseHipoReserve(m.Get("treasury")), m.Start.From()),
		wallet: m.Start.Account(), parent: m.Get("parent").Account(), amount: bill.amount,
		data: Data{Bill: hipoBill(m.Get("request")), TokensBurnt: bill.amount}, failed: m.Start.Aborted(),
	}).result()
}

// buildHipoSettled builds a withdrawal at the end of the round. When the treasury can neither pay nor postpone it, it
// returns the tokens, and nothing is paid.
func buildHipoSettled(_ *action.Context, m *action.Match) *action.Result {
	proxy := m.Get("proxy")
	a, ok := parseHipoProxy(proxy)
	if !ok {
		return nil
	}
	return (&hipoRow{
		owner: a.owner, wallet: m.Get("wallet").Account(), parent: proxy.Account(), amount: a.coins,
		data: Data{Bill: m.Get("bill").From(), TokensBurnt: a.tokens}, failed: m.Start.Aborted() || a.coins == nil,
	}).result()
}

// buildHipoPostponed builds the request that replaces a burned bill by a bill of a later round, when the treasury has not
// enough coins.
func buildHipoPostponed(_ *action.Context, m *action.Match) *action.Result {
	bill, ok := parseHipoBill(m.Get("request"))
	if !ok {
		return nil
	}
	return (&hipoRow{
		owner: bill.owner, parent: firstAddress(bill.parent, &hipoParent), amount: bill.amount,
		data: Data{Bill: hipoBill(m.Get("request")), TokensBurnt: bill.amount}, failed: m.Start.Aborted(),
	}).result()
}
