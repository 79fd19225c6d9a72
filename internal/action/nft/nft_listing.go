package nft

import (
	"math/big"

	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/nft"
)

// listing is the transfer of an item into a contract that sells it: the owner transfers it to a deployer, which deploys the
// contract and transfers the item to it.
type listing struct {
	deploy, pass *action.Block
}

// listed returns the listing in the blocks after the transfer to a deployer; nil when they contain none.
func listed(b *action.Block) *listing {
	if b.Type != "nft_transfer" {
		return nil
	}
	for _, pass := range b.Next {
		if pass.Type != "nft_transfer" || pass.Columns.AssetSecondary != b.Columns.AssetSecondary {
			continue
		}
		for _, d := range b.Next {
			if d.IsBasic() && d.Deployed && !d.IsLog() && action.AddressText(d.Account()) == pass.Columns.Destination {
				return &listing{deploy: d, pass: pass}
			}
		}
	}
	return nil
}

func isListed(b *action.Block) bool { return listed(b) != nil }

// columns returns the columns that all listings share.
func (l *listing) columns(b *action.Block) action.Columns {
	t := b.Columns
	return action.Columns{
		Source: t.Source, SourceSecondary: t.Destination, Destination: l.pass.Columns.Destination, Asset: t.Asset,
		AssetSecondary: t.AssetSecondary,
	}
}

// offers reports whether a contract sells the item of the transfer b, for the account that had it before.
func (l *listing) offers(b *action.Block, item, owner *chain.Address) bool {
	return item != nil && owner != nil && item.String() == b.Columns.AssetSecondary && owner.String() == b.Columns.Source
}

// terms are the terms of a contract. Fields that its layout lacks are nil.
type terms struct {
	market *chain.Address
	ListingData
}

// Code of contracts whose layout differs from the others: getgems' and the sale of local chains.
var (
	saleV1    = action.MustHash("2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=")
	saleV2    = action.MustHash("gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=")
	saleV3    = action.MustHash("MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=")
	saleV3r2  = action.MustHash("3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=")
	saleV3r3  = action.MustHash("JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=")
	saleLocal = action.MustHash(nft.LocalSale)
	auctionV1 = action.MustHash("/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=")
	auctionV2 = action.MustHash("ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=")
	auctionR2 = action.MustHash("G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=") // v3r2
	auctionV4 = action.MustHash("zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=")
)

// initState returns code and data of a StateInit.
//
//	_ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(Maybe ^Cell)
func initState(init *cell.Cell) (code chain.Hash, data *contract.Loader) {
	l := contract.Load(init)
	if l.Bool() {
		l.Uint(5)
	}
	if l.Bool() {
		l.Uint(2)
	}
	if c := l.MaybeRef(); c != nil {
		code = chain.Hash(c.HashKey())
	}
	return code, contract.Load(l.MaybeRef())
}

// saleTerms reads the initial data of a fixed-price sale; nil when it has another layout. Unrecognized code is read in the newest
// layout.
//
//	v1: marketplace item owner price:Coins ^[fee:Coins fee_address royalty_address royalty:Coins]
//	v2, v3: is_complete:Bool created_at:uint32 marketplace item owner price:Coins
//	  ^[fee_address fee:Coins royalty_address royalty:Coins]
//	v4: is_complete:Bool marketplace owner price:Coins sold_at:uint32 sold_query:uint64
//	  ^[fee_address royalty_address fee:uint17 royalty:uint17 …], the fees in thousandths of a percent
func saleTerms(code chain.Hash, l *contract.Loader) *terms {
	t := &terms{}
	switch code {
	case saleV1:
		t.market = l.Address()
		l.Address()
		l.Address()
		t.FullPrice = l.Coins()
		fees := contract.Load(l.Ref())
		t.MarketplaceFee, t.MarketplaceFeeAddress = fees.Coins(), fees.Address()
		t.RoyaltyAddress, t.RoyaltyAmount = fees.Address(), fees.Coins()
		return t.unless(l, fees)
	case saleV2, saleV3, saleV3r2, saleV3r3, saleLocal:
		l.Bool()
		l.Uint(32)
		t.market = l.Address()
		l.Address()
		l.Address()
		t.FullPrice = l.Coins()
		fees := contract.Load(l.Ref())
		t.MarketplaceFeeAddress, t.MarketplaceFee = fees.Address(), fees.Coins()
		t.RoyaltyAddress, t.RoyaltyAmount = fees.Address(), fees.Coins()
		return t.unless(l, fees)
	default:
		l.Bool()
		t.market = l.Address()
		l.Address()
		t.FullPrice = l.Coins()
		fees := contract.Load(l.Ref())
		t.MarketplaceFeeAddress, t.RoyaltyAddress = fees.Address(), fees.Address()
		return t.unless(l, fees)
	}
}

// auctionTerms reads the initial data of an auction; nil when it has another layout. Unrecognized code is read as v3r3.
//
//	v1: ^fees ^[min_bid:Coins max_bid:Coins …] …
//	v2, v3r2: ^fees ^[gas:uint32 marketplace min_bid:Coins max_bid:Coins …]
//	v3r3, v4: ^fees ^[marketplace min_bid:Coins max_bid:Coins …]
//	fees: address factor:uint32 base:uint32 royalty_address factor:uint32 base:uint32; of v4 both addresses come first
func auctionTerms(code chain.Hash, l *contract.Loader) *terms {
	t := &terms{}
	fees, bids := contract.Load(l.Ref()), contract.Load(l.Ref())
	t.MarketplaceFeeAddress = fees.Address()
	if code == auctionV4 {
		t.RoyaltyAddress = fees.Address()
	}
	t.MarketplaceFeeFactor, t.MarketplaceFeeBase = action.BigInt(fees.Uint(32)), action.BigInt(fees.Uint(32))
	if code != auctionV4 {
		t.RoyaltyAddress = fees.Address()
	}
	fees.Uint(32)
	t.RoyaltyFeeBase = action.BigInt(fees.Uint(32))
	switch code {
	case auctionV1:
	case auctionV2, auctionR2:
		bids.Uint(32)
		t.market = bids.Address()
	default:
		t.market = bids.Address()
	}
	t.MinBid, t.MaxBid = bids.Coins(), bids.Coins()
	return t.unless(fees, bids)
}

// unless returns the terms if all fields were read, otherwise nil, because partly read terms would be wrong.
func (t *terms) unless(readers ...*contract.Loader) *terms {
	for _, l := range readers {
		if l.Err() != nil {
			return nil
		}
	}
	return t
}

// zeroCoins is the amount 0.
func zeroCoins() *big.Int { return new(big.Int) }
