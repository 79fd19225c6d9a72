package resolvers

import (
	"context"
	"slices"

	"tonql/internal/balance"
	"tonql/internal/chain"
	"tonql/loaders"
)

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
	wallets, err := loadWallets(ctx, balance.JettonAccounts(txs))
	if err != nil {
		return nil, err
	}
	for i := range full.Wallets {
		wallets[full.Wallets[i].Address] = &full.Wallets[i]
	}
	c := balance.Of(txs, wallets)
	err = c.Credit(ctx, func(ctx context.Context, wallet chain.Address, p chain.Page) ([]chain.JettonBalancePoint, error) {
		return loaders.From(ctx).JettonBalancesOf.Load(ctx, loaders.PageOf[chain.Address]{Parent: wallet, Page: loaders.KeyOf(p)})()
	})
	if err != nil {
		return nil, err
	}
	return c.Rows(), nil
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
