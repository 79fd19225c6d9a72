package resolvers

import (
	"context"

	"tonql/internal/balance"
	"tonql/internal/chain"
)

// BalanceChanges is what a trace, or one action of any trace, changed on accounts; exactly one of the hashes is given.
// NotFound when the index does not have it.
func (s *Service) BalanceChanges(ctx context.Context, traceID, actionID *chain.Hash) (*chain.BalanceChanges, error) {
	var txs []chain.FullTransaction
	var err error
	switch {
	case actionID != nil:
		txs, err = s.actionsTransactions(ctx, *actionID)
	case traceID != nil:
		txs, err = s.tracesTransactions(ctx, *traceID)
	default:
		return nil, chain.Invalidf("trace_id or action_id is required")
	}
	if err != nil {
		return nil, err
	}
	wallets, err := s.orderedWallets(ctx, txs)
	if err != nil {
		return nil, err
	}
	c := balance.Of(txs, wallets)
	err = c.Credit(ctx, func(ctx context.Context, wallet chain.Address, p chain.Page) ([]chain.JettonBalancePoint, error) {
		points, err := s.index.JettonBalancesOf(ctx, []chain.Address{wallet}, p)
		return points[wallet], err
	})
	if err != nil {
		return nil, err
	}
	return c.Result(), nil
}

func (s *Service) actionsTransactions(ctx context.Context, id chain.Hash) ([]chain.FullTransaction, error) {
	actions, err := s.index.Actions(ctx, chain.ActionFilter{IDs: []chain.Hash{id}}.EveryType(), chain.Page{Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(actions) == 0 {
		return nil, chain.NotFoundf("action_id not found")
	}
	txs, err := s.index.TransactionsByHash(ctx, actions[0].TxHashes)
	return s.full(ctx, txs, err)
}

func (s *Service) tracesTransactions(ctx context.Context, id chain.Hash) ([]chain.FullTransaction, error) {
	parts, err := s.FullTraces(ctx, chain.TraceFilter{IDs: []chain.Hash{id}}, chain.Page{Limit: 1}, chain.TraceInclude{})
	if err != nil {
		return nil, err
	}
	if parts.Rows == 0 {
		return nil, chain.NotFoundf("trace_id not found")
	}
	traces, err := parts.Read(ctx, 0)
	if err != nil {
		return nil, err
	}
	if traces[0].TooLarge {
		return nil, chain.Invalidf("trace is too large: it has %d transactions", traces[0].Trace.Transactions)
	}
	return traces[0].Transactions, nil
}

// orderedWallets finds the Jetton wallets among the accounts that sent or received what moves Jettons.
func (s *Service) orderedWallets(ctx context.Context, txs []chain.FullTransaction) (map[chain.Address]*chain.JettonWallet, error) {
	accounts := balance.JettonAccounts(txs)
	wallets := make(map[chain.Address]*chain.JettonWallet, len(accounts))
	for len(accounts) > 0 {
		n := min(len(accounts), s.opts.Limits.Addresses)
		rows, err := s.index.JettonWallets(ctx, chain.JettonWalletFilter{Addresses: accounts[:n]}, chain.Page{Limit: n})
		if err != nil {
			return nil, err
		}
		for i := range rows {
			wallets[rows[i].Address] = &rows[i]
		}
		accounts = accounts[n:]
	}
	return wallets, nil
}
