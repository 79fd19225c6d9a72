package resolvers

import (
	"context"

	"tonql/internal/chain"
	"tonql/loaders"
)

// chainTime is the time of the newest indexed masterchain block: what is open, locked or expired is so as of that block, not
// of this machine's clock. It is 0 while the index is empty.
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

// orderState is what became of an order. Only one that was sent is looked up with its wallet.
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

// saleState is whether an offer can be taken. A contract sells only what it holds; an item that sells itself holds itself.
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

// friendly is the user-friendly form of an address; what the caller leaves open is as in the address book of /api/v3.
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
