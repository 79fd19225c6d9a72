package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/loaders"
)

// account names an optional address as an account.
func account(a *chain.Address) *chain.Account {
	if a == nil {
		return nil
	}
	return &chain.Account{Address: *a}
}

// transactionOf loads the transaction a message refers to on one of its accounts; nil when either is unknown.
func transactionOf(ctx context.Context, a *chain.Address, ref *chain.TransactionRef) (*chain.Transaction, error) {
	if a == nil || ref == nil {
		return nil, nil
	}
	return loaders.From(ctx).TransactionByKey.Load(ctx, chain.TransactionKey{Account: *a, LT: ref.LT})()
}

// stateAt loads the state an account had after the transaction with lt, if the index holds that very state.
func stateAt(ctx context.Context, a chain.Address, lt uint64, hash chain.Hash) (*chain.AccountState, error) {
	state, err := loaders.From(ctx).AccountStateAt.Load(ctx, chain.TransactionKey{Account: a, LT: lt})()
	if err != nil || state == nil || state.Hash != hash {
		return nil, err
	}
	return state, nil
}

// loadCell loads the code or data cell of a state; nil when the account has none.
func loadCell(ctx context.Context, state *chain.AccountState, hash *chain.Hash) (chain.BOC, error) {
	if hash == nil {
		return nil, nil
	}
	return loaders.Cell(ctx, state, *hash)
}

func (r *Resolver) accountMessages(ctx context.Context, side loaders.MessageSide, p chain.Page) (*chain.MessageConnection, error) {
	return connectLoaded(ctx, r.Service, p, func(k loaders.PageKey) ([]chain.Message, error) {
		return loaders.From(ctx).MessagesOfAccounts.Load(ctx, loaders.MessagePageOf{Parent: side, Page: k})()
	})
}
