package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/store/contracts"
	"tonql/loaders"
)

const (
	// maxOwned is the largest number of contracts of one kind, past and present, whose owner is listed at a block.
	maxOwned = 500
	// maxOwnedCalls is the largest number of contracts whose get-methods are called because the index lacks their state.
	maxOwnedCalls = 100
	ownedAtOnce   = 4
)

// JettonWalletsAt lists the Jetton wallets that an account owned at a masterchain block, by Jetton and address. They
// have no code, data or unclaimed amount. Where the index lacks a state,
// the contract's get-methods return it.
func (s *Service) JettonWalletsAt(ctx context.Context, owner chain.Address, mcSeqno uint32) ([]chain.JettonWallet, error) {
	if _, err := s.emulator.At(ctx, &mcSeqno); err != nil {
		return nil, err
	}
	rows, err := s.index.OwnedWallets(ctx, owner, mcSeqno, maxOwned+1)
	if err != nil {
		return nil, err
	}
	return ownedAt(ctx, s, rows, owner, func(h *contracts.Owned) chain.JettonWallet {
		return chain.JettonWallet{Address: h.Contract, Balance: h.Balance, Owner: owner, Jetton: h.Jetton, LastTxLT: *h.SeenLT, McSeqno: &mcSeqno}
	}, func(ctx context.Context, a chain.Address) (*chain.JettonWallet, error) {
		w, err := s.JettonWalletAt(ctx, a, mcSeqno)
		if err != nil || w == nil || w.Owner != owner {
			return nil, err
		}
		return w, nil
	})
}

// ItemsAt returns the addresses of the items that an account owned at a masterchain block, ascending.
func (s *Service) ItemsAt(ctx context.Context, owner chain.Address, mcSeqno uint32) ([]chain.Address, error) {
	if _, err := s.emulator.At(ctx, &mcSeqno); err != nil {
		return nil, err
	}
	rows, err := s.index.OwnedItems(ctx, owner, mcSeqno, maxOwned+1)
	if err != nil {
		return nil, err
	}
	return ownedAt(ctx, s, rows, owner, func(h *contracts.Owned) chain.Address { return h.Contract },
		func(ctx context.Context, a chain.Address) (*chain.Address, error) {
			o, err := s.NFTOwnerAt(ctx, a, mcSeqno)
			if err != nil || o == nil || o.Owner == nil || o.Owner.Address != owner {
				return nil, err
			}
			return &a, nil
		})
}

// ownedAt selects the contracts that an account owned. seen converts those whose owner the index has; read calls the
// others. An account without an indexed state did not exist then, if the index covers the chain from its first block.
func ownedAt[T any](
	ctx context.Context, s *Service, rows []contracts.Owned, owner chain.Address, seen func(*contracts.Owned) T,
	read func(context.Context, chain.Address) (*T, error),
) ([]T, error) {
	if len(rows) > maxOwned {
		return nil, &chain.Error{Kind: chain.TooLarge, Message: fmt.Sprintf("account %s has had more than %d of these: they cannot be listed at a past block", owner, maxOwned)}
	}
	head, err := s.MasterchainInfo(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]*T, len(rows))
	calls := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(ownedAtOnce)
	for i := range rows {
		h := &rows[i]
		switch {
		case h.Certain():
			if h.Owner != nil && *h.Owner == owner {
				found[i] = new(seen(h))
			}
			continue
		case h.StateLT == nil && h.SeenLT == nil && head.First.Seqno <= 1:
			continue
		}
		if calls++; calls > maxOwnedCalls {
			_ = group.Wait() // its error is not reported
			return nil, &chain.Error{
				Kind:    chain.TooLarge,
				Message: fmt.Sprintf("the index lacks the states of more than %d contracts of account %s at that block", maxOwnedCalls, owner),
			}
		}
		group.Go(func() (err error) {
			defer chain.Recover(&err)
			found[i], err = read(ctx, h.Contract)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	list := make([]T, 0, len(found))
	for _, t := range found {
		if t != nil {
			list = append(list, *t)
		}
	}
	return list, nil
}

// walletsOwnedAt returns a page of the Jetton wallets of an account at a masterchain block.
func (r *Resolver) walletsOwnedAt(ctx context.Context, owner chain.Address, mcSeqno uint32, excludeZero, byBalance *bool, a span) (*chain.JettonWalletConnection, error) {
	if !isTrue(byBalance) {
		a.sort = nil
	}
	p, err := r.pageOf(chain.JettonWalletList, a)
	if err != nil {
		return nil, err
	}
	rows, err := r.Service.JettonWalletsAt(ctx, owner, mcSeqno)
	if err != nil {
		return nil, err
	}
	if isTrue(excludeZero) {
		rows = slices.DeleteFunc(rows, func(w chain.JettonWallet) bool { return w.Balance.Sign() == 0 })
	}
	slices.SortFunc(rows, func(a, b chain.JettonWallet) int {
		if isTrue(byBalance) {
			return cmp.Or(a.Balance.Cmp(b.Balance), a.Address.Compare(b.Address))
		}
		return cmp.Or(a.Jetton.Compare(b.Jetton), a.Address.Compare(b.Address))
	})
	return pageOf(pointers(rows), p, mcSeqno)
}

// itemsOwnedAt returns a page of the items of an account at a masterchain block: their newest states, with that owner.
func (r *Resolver) itemsOwnedAt(ctx context.Context, owner chain.Address, mcSeqno uint32, a span) (*chain.NFTItemConnection, error) {
	p, err := r.pageOf(chain.NFTItemList, a)
	if err != nil {
		return nil, err
	}
	owned, err := r.Service.ItemsAt(ctx, owner, mcSeqno)
	if err != nil {
		return nil, err
	}
	items := make([]*chain.NFTItem, len(owned))
	for i, thunk := range loadEach(ctx, loaders.From(ctx).NFTItem, owned) {
		if items[i], err = r.Service.itemThen(ctx, owned[i], &owner, mcSeqno, thunk); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(items, func(a, b *chain.NFTItem) int {
		return cmp.Or(bytes.Compare(collectionOf(a), collectionOf(b)), a.Index.Cmp(b.Index), a.Address.Compare(b.Address))
	})
	return pageOf(items, p, mcSeqno)
}

// itemThen returns an item as it is now, with its owner at a past block. newest reads it.
func (s *Service) itemThen(ctx context.Context, a chain.Address, owner *chain.Address, mcSeqno uint32, newest func() (*chain.NFTItem, error)) (*chain.NFTItem, error) {
	item, err := newest()
	if err == nil && item == nil {
		item, err = s.goneItem(ctx, a, mcSeqno)
	}
	if err != nil {
		return nil, err
	}
	then := *item
	then.Owner, then.Sale, then.McSeqno = owner, nil, &mcSeqno
	return &then, nil
}

// goneItem returns an item that is no item any more, from its get-methods at a past block.
func (s *Service) goneItem(ctx context.Context, a chain.Address, mcSeqno uint32) (*chain.NFTItem, error) {
	t, err := s.TokenData(ctx, a, &mcSeqno)
	if err != nil {
		return nil, err
	}
	if t == nil || t.Kind != NFTItem {
		return nil, chain.NotFoundf("the index does not hold item %s at masterchain block %d", a, mcSeqno)
	}
	_, last, err := s.LastTransaction(ctx, a, mcSeqno)
	if err != nil {
		return nil, err
	}
	item := &chain.NFTItem{Address: a, Init: t.Flag, Index: t.Amount, Collection: t.Parent, LastTxLT: last.LT}
	if t.Content != nil {
		item.Content = t.Content.Attributes
		if t.Content.Domain != nil {
			item.Domain = *t.Content.Domain
		}
	}
	return item, nil
}

func collectionOf(i *chain.NFTItem) []byte {
	if i.Collection == nil {
		return nil
	}
	return i.Collection.Bytes()
}

// loadEach requests keys from a loader without waiting for them.
func loadEach[K comparable, V any](ctx context.Context, l *loaders.Loader[K, V], keys []K) []func() (V, error) {
	thunks := make([]func() (V, error), len(keys))
	for i, k := range keys {
		thunks[i] = l.Load(ctx, k)
	}
	return thunks
}

// asOf returns the masterchain seqno of a list of an account: that of the argument at, or the account's; nil for the newest.
func (r *Resolver) asOf(ctx context.Context, a *chain.Account, at *chain.AtBlock) (*uint32, error) {
	if at == nil {
		return a.McSeqno, nil
	}
	return r.Service.SeqnoAt(ctx, at)
}
