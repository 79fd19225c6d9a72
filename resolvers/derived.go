package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/loaders"
)

// chainTime returns the time of the newest indexed masterchain block, 0 while the index is empty. Expiration and locks are
// evaluated at this time, not by this machine's clock.
func (s *Service) chainTime(ctx context.Context) (uint32, error) {
	info, err := s.MasterchainInfo(ctx)
	if err != nil {
		if chain.KindOf(err) == chain.NotFound {
			return 0, nil
		}
		return 0, err
	}
	return info.Last.GenUtime, nil
}

// orderState returns the state of an order. The execution is looked up only for an order that was sent for execution.
func (r *Resolver) orderState(ctx context.Context, o *chain.MultisigOrder) (chain.OrderState, error) {
	var execution *chain.OrderExecution
	if o.SentForExecution != nil && *o.SentForExecution {
		var err error
		if execution, err = loaders.From(ctx).OrderExecution.Load(ctx, o.Key())(); err != nil {
			return 0, err
		}
	}
	now, err := r.Service.chainTime(ctx)
	return o.State(execution, now), err
}

// saleState reports whether an offer can be taken: a sale contract must own the item. An item that sells itself always can.
func (r *Resolver) saleState(ctx context.Context, s *chain.NFTSale) (chain.SaleState, error) {
	holds := s.Telemint != nil
	if !holds && s.NFT != nil {
		item, err := loaders.From(ctx).NFTItem.Load(ctx, *s.NFT)()
		if err != nil {
			return 0, err
		}
		holds = item != nil && item.Owner != nil && *item.Owner == s.Address
	}
	now, err := r.Service.chainTime(ctx)
	return s.State(holds, now), err
}

// friendly returns the user-friendly form of an address. Flags that the caller leaves open are those of /api/v3's address
// book.
func (r *Resolver) friendly(ctx context.Context, a *chain.Account, bounceable, testOnly *bool) (string, error) {
	if testOnly == nil {
		testOnly = new(r.Service.TestOnly())
	}
	if bounceable == nil {
		row, err := loaders.From(ctx).AddressBook.Load(ctx, a.Address)()
		if err != nil {
			return "", err
		}
		bounceable = new(row != nil && row.CodeHash != nil && !isWallet(row.CodeHash))
	}
	return a.Address.Friendly(*bounceable, *testOnly), nil
}
