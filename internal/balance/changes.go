package balance

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/contract/jetton"
)

// Changes are the balance changes of transactions. It is not safe for concurrent use.
type Changes struct {
	wallets map[chain.Address]*chain.JettonWallet
	nano    map[chain.Address]*big.Int
	fees    map[chain.Address]*big.Int
	extra   map[chain.Address]chain.ExtraCurrencies      // without zeros
	jettons map[chain.Address]map[chain.Address]*big.Int // owner, then master
	claims  []claim
}

func newChanges(wallets map[chain.Address]*chain.JettonWallet) *Changes {
	return &Changes{
		wallets: wallets, nano: map[chain.Address]*big.Int{}, fees: map[chain.Address]*big.Int{}, extra: map[chain.Address]chain.ExtraCurrencies{},
		jettons: map[chain.Address]map[chain.Address]*big.Int{},
	}
}

func add(sums map[chain.Address]*big.Int, a chain.Address, n *big.Int) {
	if sums[a] == nil {
		sums[a] = new(big.Int)
	}
	sums[a].Add(sums[a], n)
}

// Of sums up the balance changes of transactions. wallets are the Jetton wallets among their accounts; transfers of others
// do not count. Amounts of airdrop claims are added by [Changes.Credit].
func Of(txs []chain.FullTransaction, wallets map[chain.Address]*chain.JettonWallet) *Changes {
	c := newChanges(wallets)
	for i := range txs {
		c.coins(&txs[i])
		c.tokens(&txs[i])
	}
	return c
}

// coins adds the change of a transaction's account: the received value minus fees and sent values. One part of the
// forwarding fees is in the transaction's total fees, the other in each message.
func (c *Changes) coins(tx *chain.FullTransaction) {
	fees := new(big.Int).SetUint64(uint64(tx.TotalFees))
	change := new(big.Int)
	if m := tx.InMessage; m != nil {
		addCoins(change, m.Value)
		addCoins(change, m.IHRFee)
		c.currencies(tx.Account, m.ValueExtra, 1)
	}
	for i := range tx.OutMessages {
		m := &tx.OutMessages[i]
		addCoins(fees, m.FwdFee)
		sent := new(big.Int)
		addCoins(sent, m.Value)
		addCoins(sent, m.IHRFee)
		change.Sub(change, sent)
		c.currencies(tx.Account, m.ValueExtra, -1)
	}
	add(c.nano, tx.Account, change.Sub(change, fees))
	add(c.fees, tx.Account, fees)
}

// currencies adds the extra currencies of a message, received (sign 1) or sent (-1). No fee is paid in them.
func (c *Changes) currencies(a chain.Address, amounts chain.ExtraCurrencies, sign int64) {
	for id, n := range amounts {
		sums := c.extra[a]
		if sums == nil {
			sums = chain.ExtraCurrencies{}
			c.extra[a] = sums
		}
		sum := new(big.Int).Mul(n, big.NewInt(sign))
		if sums[id] != nil {
			sum.Add(sum, sums[id])
		}
		if sums[id] = sum; sum.Sign() == 0 {
			delete(sums, id)
		}
	}
}

func addCoins(sum *big.Int, n *chain.Coins) {
	if n != nil {
		sum.Add(sum, new(big.Int).SetUint64(uint64(*n)))
	}
}

// tokens adds the change of a Jetton wallet's balance: received minus sent amounts.
func (c *Changes) tokens(tx *chain.FullTransaction) {
	w := c.wallets[tx.Account]
	if w == nil || tx.Description.Aborted {
		return
	}
	sum := new(big.Int)
	if in := parseTransfer(tx.InMessage); in != nil && (in.bounced || in.opcode == jetton.OpInternalTransfer) {
		sum.Add(sum, in.amount)
	}
	for i := range tx.OutMessages {
		if out := parseTransfer(&tx.OutMessages[i]); out != nil && !out.bounced {
			sum.Sub(sum, out.amount)
		}
	}
	if amount := claimed(tx.InMessage, w); amount != nil {
		c.claims = append(c.claims, claim{tx: tx, wallet: w, amount: amount, moved: new(big.Int).Set(sum)})
	}
	c.change(w, sum)
}

// change adds an amount to the Jettons of a wallet's owner.
func (c *Changes) change(w *chain.JettonWallet, sum *big.Int) {
	if sum.Sign() == 0 {
		return
	}
	if c.jettons[w.Owner] == nil {
		c.jettons[w.Owner] = map[chain.Address]*big.Int{}
	}
	add(c.jettons[w.Owner], w.Jetton, sum)
}

// Result returns the changes by account; Jettons by owner, then master.
func (c *Changes) Result() *chain.BalanceChanges {
	out := &chain.BalanceChanges{
		Changes: amounts(c.nano), Fees: amounts(c.fees), Jettons: make(map[chain.Address]map[chain.Address]chain.Amount, len(c.jettons)),
	}
	for owner, sums := range c.jettons {
		out.Jettons[owner] = amounts(sums)
	}
	return out
}

func amounts(sums map[chain.Address]*big.Int) map[chain.Address]chain.Amount {
	out := make(map[chain.Address]chain.Amount, len(sums))
	for a, n := range sums {
		out[a] = json.Number(n.String())
	}
	return out
}

// Rows returns the changes by account, ascending. An account with Jetton changes only has a row, too.
func (c *Changes) Rows() []*chain.BalanceChange {
	found := make(map[chain.Address]*chain.BalanceChange, len(c.nano))
	row := func(a chain.Address) *chain.BalanceChange {
		if found[a] == nil {
			found[a] = &chain.BalanceChange{Account: a, Coins: new(big.Int), Fees: new(big.Int), Jettons: []chain.JettonChange{}}
		}
		return found[a]
	}
	for a, n := range c.nano {
		row(a).Coins = n
	}
	for a, n := range c.fees {
		row(a).Fees = n
	}
	for a, amounts := range c.extra {
		row(a).Extra = amounts
	}
	for owner, sums := range c.jettons {
		r := row(owner)
		for _, master := range slices.SortedFunc(maps.Keys(sums), chain.Address.Compare) {
			r.Jettons = append(r.Jettons, chain.JettonChange{Jetton: master, Amount: sums[master]})
		}
	}
	list := make([]*chain.BalanceChange, 0, len(found))
	for _, a := range slices.SortedFunc(maps.Keys(found), chain.Address.Compare) {
		list = append(list, found[a])
	}
	return list
}

// Fees returns the fees of all accounts, in nanotons.
func (c *Changes) Fees() *big.Int {
	total := new(big.Int)
	for _, n := range c.fees {
		total.Add(total, n)
	}
	return total
}
