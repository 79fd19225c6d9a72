package resolvers

import (
	"context"
	"errors"

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

// nodes loads objects by their global ids, all of one kind in one statement.
func nodes(ctx context.Context, ids []string) ([]chain.Identified, error) {
	thunks := make([]func() (chain.Identified, error), len(ids))
	for i, id := range ids {
		thunk, err := nodeThunk(ctx, id)
		if err != nil {
			return nil, err
		}
		thunks[i] = thunk
	}
	out := make([]chain.Identified, len(ids))
	var errs []error
	for i, thunk := range thunks {
		n, err := thunk()
		out[i], errs = n, append(errs, err)
	}
	return out, errors.Join(errs...)
}

func node(ctx context.Context, id string) (chain.Identified, error) {
	thunk, err := nodeThunk(ctx, id)
	if err != nil {
		return nil, err
	}
	return thunk()
}

// nodeThunk requests an object from the loader of its kind and returns a function that waits for it, so that many ids share a
// batch.
func nodeThunk(ctx context.Context, id string) (func() (chain.Identified, error), error) {
	g, err := chain.ParseGlobalID(id)
	if err != nil {
		return nil, err
	}
	set := loaders.From(ctx)
	switch {
	case g.Block != nil:
		return identified(set.BlockByID.Load(ctx, *g.Block)), nil
	case g.Transaction != nil:
		return identified(set.TransactionByKey.Load(ctx, *g.Transaction)), nil
	case g.Message != nil:
		return identified(set.MessageByKey.Load(ctx, *g.Message)), nil
	case g.Trace != nil:
		return identified(set.TraceByID.Load(ctx, *g.Trace)), nil
	case g.Action != nil:
		return identified(set.ActionByID.Load(ctx, g.Action.ID)), nil
	case g.Contract != nil:
		return contractThunk(ctx, set, g.Contract), nil
	default:
		return func() (chain.Identified, error) { return &chain.Account{Address: *g.Account}, nil }, nil
	}
}

// contractThunk is nodeThunk for contract records.
func contractThunk(ctx context.Context, set *loaders.Set, key *chain.ContractKey) func() (chain.Identified, error) {
	switch a := key.Address; key.Kind {
	case "JettonMaster":
		return identified(set.JettonMaster.Load(ctx, a))
	case "JettonWallet":
		return identified(set.JettonWallet.Load(ctx, a))
	case "NFTCollection":
		return identified(set.NFTCollection.Load(ctx, a))
	case "NFTItem":
		return identified(set.NFTItem.Load(ctx, a))
	case "DNSRecord":
		return identified(set.DNSRecord.Load(ctx, a))
	case "Multisig":
		return identified(set.Multisig.Load(ctx, a))
	case "MultisigOrder":
		return identified(set.MultisigOrder.Load(ctx, a))
	case "Vesting":
		return identified(set.Vesting.Load(ctx, a))
	default:
		return func() (chain.Identified, error) { return nil, nil }
	}
}

// identified keeps a missing row a nil interface, which a typed nil pointer would not be.
func identified[T any, P interface {
	*T
	chain.Identified
}](load func() (P, error)) func() (chain.Identified, error) {
	return func() (chain.Identified, error) {
		row, err := load()
		if err != nil || row == nil {
			return nil, err
		}
		return row, nil
	}
}
