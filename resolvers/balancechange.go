package resolvers

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"tonql/internal/chain"
	"tonql/loaders"
)

// rows lists what was moved by account, ascending. An account of which only Jettons moved has a row, too.
func (c *changes) rows() []*chain.BalanceChange {
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

// balanceChangesOf sums up what transactions of a trace changed. only are those that count; nil: all.
func balanceChangesOf(ctx context.Context, trace chain.Hash, only []chain.Hash) ([]*chain.BalanceChange, error) {
	full, err := loaders.From(ctx).TraceContent.Load(ctx, trace)()
	if err != nil || full == nil || len(full.Transactions) == 0 {
		return nil, err
	}
	txs := full.Transactions
	if only != nil {
		txs = slices.DeleteFunc(slices.Clone(txs), func(t chain.FullTransaction) bool { return !slices.Contains(only, t.Hash) })
	}
	wallets, err := loadWallets(ctx, movers(txs))
	if err != nil {
		return nil, err
	}
	for i := range full.Wallets {
		wallets[full.Wallets[i].Address] = &full.Wallets[i]
	}
	c := changesOf(txs, wallets)
	err = c.credit(ctx, func(ctx context.Context, wallet chain.Address, p chain.Page) ([]chain.JettonBalancePoint, error) {
		return loaders.From(ctx).JettonBalancesOf.Load(ctx, loaders.PageOf[chain.Address]{Parent: wallet, Page: loaders.KeyOf(p)})()
	})
	if err != nil {
		return nil, err
	}
	return c.rows(), nil
}

// loadWallets finds the Jetton wallets among accounts.
func loadWallets(ctx context.Context, accounts []chain.Address) (map[chain.Address]*chain.JettonWallet, error) {
	wallets := make(map[chain.Address]*chain.JettonWallet, len(accounts))
	found, err := loaders.Many(ctx, loaders.From(ctx).JettonWallet, accounts)
	if err != nil {
		return nil, err
	}
	for i, w := range found {
		if w != nil {
			wallets[accounts[i]] = w
		}
	}
	return wallets, nil
}
