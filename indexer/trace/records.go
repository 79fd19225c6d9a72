package trace

import (
	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract/nominator"
)

// records implements [action.Records] with the contract records of the index at the end of a trace.
type records chain.TraceRecords

var _ action.Records = records{}

func (r records) of(a chain.Address) *chain.TraceRecord {
	if found := r[a]; found != nil {
		return found
	}
	return &chain.TraceRecord{}
}

// JettonWallet implements [action.Records].
func (r records) JettonWallet(a chain.Address) *action.JettonWallet {
	w := r.of(a).JettonWallet
	if w == nil {
		return nil
	}
	return &action.JettonWallet{Owner: w.Owner, Jetton: w.Jetton}
}

// NFTItem implements [action.Records].
func (r records) NFTItem(a chain.Address) *action.NFTItem {
	i, s := r.of(a).NFTItem, r.of(a).NFTSale
	if i == nil {
		return nil
	}
	return &action.NFTItem{
		Index: i.Index, Collection: i.Collection, Owner: i.Owner, URI: beginning(i.Content["uri"]), CodeHash: new(i.CodeHash),
		Domain: i.Domain, Teleitem: s != nil && s.Kind == chain.TelemintSale,
	}
}

// beginning returns the part of a uri that the index reads, so that emulated traces have the actions of indexed ones.
func beginning(uri string) string {
	n := 0
	for i := range uri {
		if n == chain.MaxTraceURI {
			return uri[:i]
		}
		n++
	}
	return uri
}

// NFTSale implements [action.Records].
func (r records) NFTSale(a chain.Address) *action.NFTSale {
	s := r.of(a).NFTSale
	if s == nil || s.Kind != chain.FixedPriceSale {
		return nil
	}
	return &action.NFTSale{Marketplace: s.Marketplace, Item: s.NFT, Owner: s.NFTOwner, FullPrice: s.FixedPrice.FullPrice}
}

// NFTAuction implements [action.Records].
func (r records) NFTAuction(a chain.Address) *action.NFTAuction {
	s := r.of(a).NFTSale
	if s == nil || s.Kind != chain.AuctionSale {
		return nil
	}
	return &action.NFTAuction{Marketplace: s.Marketplace, Item: s.NFT, Owner: s.NFTOwner, LastBid: s.Auction.LastBid}
}

// MultisigOrder implements [action.Records].
func (r records) MultisigOrder(a chain.Address) *action.MultisigOrder {
	o := r.of(a).MultisigOrder
	if o == nil {
		return nil
	}
	return &action.MultisigOrder{Signers: o.Signers}
}

// NominatorPool implements [action.Records].
func (r records) NominatorPool(a chain.Address) bool {
	code := r.of(a).CodeHash
	return code != nil && nominator.IsPool(*code)
}

// JVaultPool implements [action.Records].
func (r records) JVaultPool(a chain.Address) *chain.Address { return stakeWalletsPool(r.of(a).Data) }

// JVaultLockWallet implements [action.Records].
func (r records) JVaultLockWallet(a chain.Address) *chain.Address {
	return poolsLockWallet(r.of(a).Data)
}

// DedustPool implements [action.Records]. The index has no records of DeDust pools; their logs suffice.
func (records) DedustPool(chain.Address) *action.DedustPool { return nil }
