package resolvers

import (
	"context"
	"encoding/json"

	"tonql/internal/chain"
	"tonql/loaders"
)

// span is the page arguments of a list.
type span struct {
	first  *int
	after  *string
	last   *int
	before *string
	sort   *chain.Sort // nil for lists that have one direction, which is upwards
}

func (r *Resolver) pageOf(kind chain.ListKind, a span) (chain.Page, error) {
	if a.sort == nil {
		a.sort = new(chain.Ascending)
	}
	return r.relay(kind, a.first, a.after, a.last, a.before, a.sort)
}

// nested is a page of the rows of one parent, which a loader reads together with those of its siblings.
func nested[T any, P interface {
	*T
	chain.Positioned
}, K comparable](
	ctx context.Context, r *Resolver, kind chain.ListKind, a span, loader *loaders.Loader[loaders.PageOf[K], []T], parent K,
) (*chain.Connection[P], error) {
	p, err := r.pageOf(kind, a)
	if err != nil {
		return nil, err
	}
	return connectLoaded[T, P](ctx, r.Service, p, func(k loaders.PageKey) ([]T, error) {
		return loader.Load(ctx, loaders.PageOf[K]{Parent: parent, Page: k})()
	})
}

// rooted is a page of a list of the root.
func rooted[T any, P interface {
	*T
	chain.Positioned
}, F any](
	ctx context.Context, r *Resolver, kind chain.ListKind, a span, f F, read func(context.Context, F, chain.Page) ([]T, error),
) (*chain.Connection[P], error) {
	p, err := r.pageOf(kind, a)
	if err != nil {
		return nil, err
	}
	return connect[T, P](ctx, r.Service, p, func(p chain.Page) ([]T, error) { return read(ctx, f, p) })
}

// walletsOf is a page of the Jetton wallets of an owner or of a Jetton.
func (r *Resolver) walletsOf(
	ctx context.Context, loader *loaders.Loader[loaders.PageOf[loaders.Chosen[chain.JettonWalletChoice]], []chain.JettonWallet],
	parent chain.Address, excludeZero, byBalance *bool, a span,
) (*chain.JettonWalletConnection, error) {
	c := chain.JettonWalletChoice{ExcludeZero: isTrue(excludeZero), ByBalance: isTrue(byBalance)}
	if !c.ByBalance {
		a.sort = nil
	}
	return nested(ctx, r, chain.JettonWalletList, a, loader, loaders.Chosen[chain.JettonWalletChoice]{Account: parent, Choice: c})
}

func isTrue(b *bool) bool { return b != nil && *b }

// transfersOf names the transfers of a parent.
func transfersOf(parent chain.Address, of chain.TransferParent) loaders.Chosen[chain.TransferChoice] {
	return loaders.Chosen[chain.TransferChoice]{Account: parent, Choice: chain.TransferChoice{Of: of}}
}

// transfersTo names the transfers of an owner.
func transfersTo(owner chain.Address, direction *chain.TransferDirection) loaders.Chosen[chain.TransferChoice] {
	key := transfersOf(owner, chain.TransfersOfOwner)
	if direction != nil {
		key.Choice.Direction = *direction
	}
	return key
}

// checkDirection refuses a direction of nobody.
func checkDirection(d chain.TransferDirection, owners []chain.Address) error {
	if d != chain.AnyDirection && len(owners) == 0 {
		return chain.Invalidf("direction needs owners")
	}
	return nil
}

// transactionOn loads the transaction of an account with an LT.
func transactionOn(ctx context.Context, a chain.Address, lt uint64) (*chain.Transaction, error) {
	return loaders.From(ctx).TransactionByKey.Load(ctx, chain.TransactionKey{Account: a, LT: lt})()
}

// traceOf loads a trace; nil when there is none.
func traceOf(ctx context.Context, id *chain.Hash) (*chain.Trace, error) {
	if id == nil {
		return nil, nil
	}
	return loaders.From(ctx).TraceByID.Load(ctx, *id)()
}

// load reads the record of a contract; nil without an address.
func load[T any](ctx context.Context, loader *loaders.Loader[chain.Address, *T], a *chain.Address) (*T, error) {
	if a == nil {
		return nil, nil
	}
	return loader.Load(ctx, *a)()
}

// payload prints data that travelled along; nil when they are not understood.
func payload(boc chain.BOC) (json.RawMessage, error) {
	if boc == nil {
		return nil, nil
	}
	printed, ok := AppendPayload(nil, boc)
	if !ok {
		return nil, nil
	}
	return printed, nil
}

// accountsOf names addresses as accounts, in their order.
func accountsOf(addresses []chain.Address) []*chain.Account {
	accounts := make([]*chain.Account, len(addresses))
	for i := range addresses {
		accounts[i] = account(&addresses[i])
	}
	return accounts
}
