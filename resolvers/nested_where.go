package resolvers

import (
	"context"
	"math"
	"slices"

	"tonql/internal/chain"
	"tonql/loaders"
)

// Filtered lists within another object: the lists of the root with what the parent sets. Each is read for itself, which the price of the
// field covers.

func (r *Resolver) transactionsOfAccount(ctx context.Context, a chain.Address, where *chain.TransactionWhere, s span) (*chain.TransactionConnection, error) {
	if err := parentSets(len(where.Accounts) > 0 || len(where.Hashes) > 0, "accounts and hashes"); err != nil {
		return nil, err
	}
	f, err := where.Filter()
	if err != nil {
		return nil, err
	}
	f.Accounts = []chain.Address{a}
	return r.listTransactions(ctx, f, &where.TransactionMatch, s, true)
}

func (r *Resolver) transactionsOfBlock(ctx context.Context, id chain.BlockID, where *chain.TransactionWhere, s span) (*chain.TransactionConnection, error) {
	if err := parentSets(where.McSeqno != nil || where.Block != nil || len(where.Hashes) > 0, "mcSeqno, block and hashes"); err != nil {
		return nil, err
	}
	f, err := where.Filter()
	if err != nil {
		return nil, err
	}
	f.Workchain, f.Shard, f.Seqno = &id.Workchain, &id.Shard, &id.Seqno
	return r.listTransactions(ctx, f, &where.TransactionMatch, s, true)
}

func (r *Resolver) messagesOfAccount(ctx context.Context, a chain.Address, side chain.Direction, where *chain.MessageWhere, s span) (*chain.MessageConnection, error) {
	f, err := where.Filter()
	if err == nil {
		err = parentSets(len(where.Hashes) > 0, "hashes")
	}
	switch {
	case err != nil:
	case side == chain.Out:
		err = parentSets(where.Source != nil, "source")
		f.Source = &a
	default:
		err = parentSets(where.Destination != nil, "destination")
		f.Destination = &a
	}
	if err != nil {
		return nil, err
	}
	return r.listMessages(ctx, f, &where.MessageMatch, s, true)
}

func (r *Resolver) actionsOfAccount(ctx context.Context, a chain.Address, where *chain.ActionWhere, s span) (*chain.ActionConnection, error) {
	if err := parentSets(where.Account != nil || where.ByHash(), "account, hashes, transactions, messages and traces"); err != nil {
		return nil, err
	}
	w := *where
	w.Account = &a
	return r.listActions(ctx, &w, s, true)
}

func (r *Resolver) tracesOfAccount(ctx context.Context, a chain.Address, where *chain.TraceFilter, s span) (*chain.TraceConnection, error) {
	if err := parentSets(where.Account != nil || where.Longest() > 0, "account, hashes, transactions and messages"); err != nil {
		return nil, err
	}
	f := *where
	f.Account = &a
	return rooted(ctx, r, chain.TraceList, s, f, r.Service.traces)
}

// listNFTItems is a page of the items that match a filter.
func (r *Resolver) listNFTItems(ctx context.Context, f chain.NFTItemFilter, s span) (*chain.NFTItemConnection, error) {
	p, err := r.pageOf(chain.NFTItemList, s)
	if err != nil {
		return nil, err
	}
	if err := f.Validate(); err != nil {
		return nil, err
	}
	p.Sort = chain.Ascending
	return connect(ctx, r.Service, p, func(p chain.Page) ([]chain.NFTItem, error) { return r.Service.index.NFTItems(ctx, f, p) })
}

func (r *Resolver) itemsOfCollection(ctx context.Context, a chain.Address, where *chain.NFTItemFilter, s span) (*chain.NFTItemConnection, error) {
	if where.Longest() > 0 || where.OnSale || where.ByLastTxLT {
		return nil, chain.Invalidf("where: items of a collection can be filtered by trait only")
	}
	return r.listNFTItems(ctx, chain.NFTItemFilter{Collections: []chain.Address{a}, Trait: where.Trait}, s)
}

// jettonTransfersWhere, jettonBurnsWhere and nftTransfersWhere are the transfers and burns of a parent.
func (r *Resolver) jettonTransfersWhere(
	ctx context.Context, of loaders.Chosen[chain.TransferChoice], where *chain.JettonTransferWhere, s span,
) (*chain.JettonTransferConnection, error) {
	w := *where
	var err error
	switch of.Choice.Of {
	case chain.TransfersOfOwner:
		err = parentSets(len(w.Owners) > 0 || w.Direction != chain.AnyDirection, "owners and direction")
		w.Owners, w.Direction = []chain.Address{of.Account}, of.Choice.Direction
	case chain.TransfersOfToken:
		err = parentSets(w.Jetton != nil, "jetton")
		w.Jetton = &of.Account
	case chain.TransfersOfContract:
		err = parentSets(len(w.JettonWallets) > 0 || w.Jetton != nil, "jettonWallets and jetton")
		w.JettonWallets = []chain.Address{of.Account}
	}
	if err != nil {
		return nil, err
	}
	return r.listJettonTransfers(ctx, &w, s, true)
}

func (r *Resolver) jettonBurnsWhere(
	ctx context.Context, of loaders.Chosen[chain.TransferChoice], where *chain.JettonBurnWhere, s span,
) (*chain.JettonBurnConnection, error) {
	w := *where
	var err error
	switch of.Choice.Of {
	case chain.TransfersOfOwner:
		err = parentSets(len(w.Owners) > 0, "owners")
		w.Owners = []chain.Address{of.Account}
	case chain.TransfersOfToken:
		err = parentSets(w.Jetton != nil, "jetton")
		w.Jetton = &of.Account
	case chain.TransfersOfContract:
		err = parentSets(len(w.JettonWallets) > 0 || w.Jetton != nil, "jettonWallets and jetton")
		w.JettonWallets = []chain.Address{of.Account}
	}
	if err != nil {
		return nil, err
	}
	return r.listJettonBurns(ctx, &w, s, true)
}

func (r *Resolver) nftTransfersWhere(
	ctx context.Context, of loaders.Chosen[chain.TransferChoice], where *chain.NFTTransferWhere, s span,
) (*chain.NFTTransferConnection, error) {
	w := *where
	var err error
	switch of.Choice.Of {
	case chain.TransfersOfOwner:
		err = parentSets(len(w.Owners) > 0 || w.Direction != chain.AnyDirection, "owners and direction")
		w.Owners, w.Direction = []chain.Address{of.Account}, of.Choice.Direction
	case chain.TransfersOfToken:
		err = parentSets(w.Collection != nil, "collection")
		w.Collection = &of.Account
	case chain.TransfersOfContract:
		err = parentSets(len(w.NFTs) > 0 || w.Collection != nil, "items and collection")
		w.NFTs = []chain.Address{of.Account}
	}
	if err != nil {
		return nil, err
	}
	return r.listNFTTransfers(ctx, &w, s, true)
}

// fullMatches reports whether a transaction that is at hand with its messages matches.
func fullMatches(w *chain.TransactionWhere, t *chain.FullTransaction) bool {
	inRange := t.Now >= value(w.StartUtime, 0) && t.Now <= value(w.EndUtime, math.MaxUint32) &&
		t.LT >= value(w.StartLT, 0) && t.LT <= value(w.EndLT, math.MaxUint64)
	of := (len(w.Accounts) == 0 || slices.Contains(w.Accounts, t.Account)) && !slices.Contains(w.ExcludeAccounts, t.Account)
	return inRange && of && w.Holds(&t.Transaction, t.InMessage, pointers(t.OutMessages))
}

// value returns the value of a pointer, or another one for nil.
func value[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// ordered reads the arguments of a list of tokens.
func (r *Resolver) ordered(kind chain.ListKind, by *chain.TokenOrder, filtered bool, s span) (chain.Page, chain.TokenOrder, error) {
	order := value(by, chain.OrderByAddress)
	if order != chain.OrderByAddress && filtered {
		return chain.Page{}, order, chain.Invalidf("where can be given with orderBy: ADDRESS only")
	}
	p, err := r.pageOf(kind, s)
	if order != chain.OrderByAddress {
		p.Sort = chain.Descending
	}
	return p, order, err
}
