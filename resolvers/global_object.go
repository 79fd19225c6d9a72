package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"tonql/internal/chain"
	"tonql/loaders"
)

// Objects by their global ids.

// nodes loads objects by their global ids, all of one kind in one statement. An id that cannot be read gives null and an error at its
// position, and leaves the others.
func (r *Resolver) nodes(ctx context.Context, ids []string) []chain.Identified {
	thunks := make([]func() (chain.Identified, error), len(ids))
	for i, id := range ids {
		thunks[i] = r.nodeThunk(ctx, id)
	}
	out := make([]chain.Identified, len(ids))
	for i, thunk := range thunks {
		object, err := thunk()
		if err != nil {
			at := append(slices.Clone(graphql.GetPath(ctx)), ast.PathIndex(i))
			graphql.AddError(ctx, &gqlerror.Error{Err: err, Path: at})
			continue
		}
		out[i] = object
	}
	return out
}

// nodeThunk requests an object from the loader of its kind and returns a function that waits for it, so that many ids share a
// batch.
func (r *Resolver) nodeThunk(ctx context.Context, id string) func() (chain.Identified, error) {
	g, err := chain.ParseGlobalID(id)
	if err != nil || g.Emulated {
		return func() (chain.Identified, error) { return nil, err }
	}
	set := loaders.From(ctx)
	switch {
	case g.At != nil:
		return func() (chain.Identified, error) { return r.nodeAt(ctx, &g) }
	case g.Block != nil:
		return identified(set.BlockByID.Load(ctx, *g.Block))
	case g.Transaction != nil:
		return identified(set.TransactionByKey.Load(ctx, *g.Transaction))
	case g.Message != nil:
		return identified(set.MessageByKey.Load(ctx, *g.Message))
	case g.Trace != nil:
		return identified(set.TraceByID.Load(ctx, *g.Trace))
	case g.Action != nil:
		return identified(set.ActionByID.Load(ctx, g.Action.ID))
	case g.Contract != nil:
		return contractThunk(ctx, set, g.Contract)
	default:
		return func() (chain.Identified, error) { return &chain.Account{Address: *g.Account}, nil }
	}
}

// nodeAt reads an account, a Jetton wallet or an item at a past block, as the fields with the argument at return it.
func (r *Resolver) nodeAt(ctx context.Context, g *chain.GlobalID) (chain.Identified, error) {
	if g.Account != nil {
		return &chain.Account{Address: *g.Account, McSeqno: g.At}, nil
	}
	a := g.Contract.Address
	if g.Contract.Kind == "JettonWallet" {
		return identified(func() (*chain.JettonWallet, error) { return r.Service.JettonWalletAt(ctx, a, *g.At) })()
	}
	return identified(func() (*chain.NFTItem, error) { return r.itemAt(ctx, a, *g.At) })()
}

// itemAt returns an item as it is now, with its owner at a past block; nil when the account was no item then.
func (r *Resolver) itemAt(ctx context.Context, a chain.Address, mcSeqno uint32) (*chain.NFTItem, error) {
	then, err := r.Service.NFTOwnerAt(ctx, a, mcSeqno)
	if err != nil || then == nil {
		return nil, err
	}
	var owner *chain.Address
	if then.Owner != nil {
		owner = &then.Owner.Address
	}
	return r.Service.itemThen(ctx, a, owner, mcSeqno, loaders.From(ctx).NFTItem.Load(ctx, a))
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
