package nft

import (
	"context"
	"math/big"
	"slices"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// The first value of get_sale_data: FIXP or AUC in ASCII.
const (
	magicFixedPrice = 0x46495850
	magicAuction    = 0x415543
)

// percentBase is what version 4 counts fees in: thousandths of a percent.
const percentBase = 100_000

// publishedSales are the interfaces whose code is published, so that their word can be taken.
var publishedSales = []string{
	"nft_sale_getgems_v2", "nft_sale_getgems_v3", "nft_sale_getgems_v4", "nft_auction_getgems_v3", "nft_auction_getgems_v4",
}

// LocalSale is the code of the sale that lives on local chains; its data has the layout of version 3.
const LocalSale = "d26facd5335c5ae6186e16ec642c967205e74f06dbe7d0405ca3761ee9f2e3f6"

// localSales are the codes of the sale and the auction that live on local chains: they have no name among interfaces,
// but their source is published with this program (internal/devnet/contracts/tolk).
var localSales = []string{
	LocalSale,
	"aeab250da3329d87b88478bfd2cbf74f172929f88f6e757650a92da189adde20",
}

// isTrusted reports whether the data of a sale with this code can be trusted.
func isTrusted(code chain.Hash) bool {
	name, named := contract.CodeName(code)
	return named && slices.Contains(publishedSales, name) || slices.Contains(localSales, code.Hex())
}

func detectSale(ctx context.Context, p *contract.Probe) error {
	sale, err := readSale(ctx, p)
	if err != nil || sale == nil {
		return err
	}
	sale.Known = isTrusted(p.CodeHash) || sale.Kind == chain.TelemintSale && p.Facts.NFTItem != nil
	sale.Address, sale.CodeHash, sale.DataHash, sale.LastTxLT = p.State.Address, p.CodeHash, p.DataHash, p.State.LastTxLT
	p.Facts.NFTSale = sale
	return nil
}

func readSale(ctx context.Context, p *contract.Probe) (*chain.NFTSale, error) {
	for _, form := range []struct {
		method string
		read   func(*contract.Reader) *chain.NFTSale
	}{
		{"get_auction_data_v4", readAuctionV4},
		{"get_fix_price_data_v4", readFixedPriceV4},
		{"get_sale_data", readSaleData},
	} {
		if !p.Has(form.method) {
			continue
		}
		r, err := p.Run(ctx, form.method)
		if err != nil {
			return nil, err
		}
		if sale := form.read(r); r.Err() == nil {
			return sale, nil
		}
	}
	if p.Has("get_telemint_token_name", "get_telemint_auction_state", "get_telemint_auction_config") {
		return readTelemint(ctx, p)
	}
	return nil, nil
}

func readSaleData(r *contract.Reader) *chain.NFTSale {
	switch magic := r.Int64(); magic {
	case magicFixedPrice:
		return readFixedPrice(r)
	case magicAuction:
		return readAuction(r)
	default:
		r.Failf("a sale of the unknown kind %#x", magic)
		return nil
	}
}

// readFixedPrice reads versions 2 and 3: (is_complete, created_at, marketplace, nft, nft_owner, full_price,
// marketplace_fee_address, marketplace_fee, royalty_address, royalty_amount).
func readFixedPrice(r *contract.Reader) *chain.NFTSale {
	d := &chain.NFTFixedPrice{IsComplete: r.Bool()}
	s := &chain.NFTSale{Kind: chain.FixedPriceSale, FixedPrice: d, CreatedAt: unixTime(r)}
	s.Marketplace, s.NFT, s.NFTOwner = r.Address(), item(r), r.Address()
	d.FullPrice = price(r)
	d.MarketplaceFeeAddress, d.MarketplaceFee = r.Address(), price(r)
	d.RoyaltyAddress, d.RoyaltyAmount = r.Address(), price(r)
	return s
}

// readFixedPriceV4 reads version 4: (is_complete, created_at, marketplace, nft, nft_owner, full_price, fee_address,
// fee_percent, royalty_address, royalty_percent, sold_at, sold_query_id, jetton_prices).
func readFixedPriceV4(r *contract.Reader) *chain.NFTSale {
	d := &chain.NFTFixedPrice{IsComplete: r.Bool()}
	s := &chain.NFTSale{Kind: chain.FixedPriceSale, FixedPrice: d, CreatedAt: unixTime(r)}
	s.Marketplace, s.NFT, s.NFTOwner = r.Address(), item(r), r.Address()
	d.FullPrice = price(r)
	d.MarketplaceFeeAddress, d.MarketplaceFee = r.Address(), share(r, d.FullPrice)
	d.RoyaltyAddress, d.RoyaltyAmount = r.Address(), share(r, d.FullPrice)
	return s
}

// share turns a fee of version 4 into an amount, as the contract does when it is paid.
func share(r *contract.Reader, of *big.Int) *big.Int {
	n := r.Unsigned(17)
	n = new(big.Int).Mul(n, of)
	return n.Quo(n, big.NewInt(percentBase))
}

// readAuction reads versions 2 and 3: (end, end_time, marketplace, nft, nft_owner, last_bid, last_member, min_step,
// mp_fee_address, mp_fee_factor, mp_fee_base, royalty_address, royalty_factor, royalty_base, max_bid, min_bid,
// created_at, last_bid_at, is_canceled).
func readAuction(r *contract.Reader) *chain.NFTSale {
	d := &chain.NFTAuction{End: r.Bool(), EndTime: r.Int64()}
	s := &chain.NFTSale{Kind: chain.AuctionSale, Auction: d}
	s.Marketplace, s.NFT, s.NFTOwner = r.Address(), item(r), r.Address()
	d.LastBid, d.LastMember, d.MinStep = price(r), r.Address(), r.Int64()
	d.MpFeeAddress, d.MpFeeFactor, d.MpFeeBase = r.Address(), r.Int64(), r.Int64()
	d.RoyaltyFeeAddress, d.RoyaltyFeeFactor, d.RoyaltyFeeBase = r.Address(), r.Int64(), r.Int64()
	d.MaxBid, d.MinBid = price(r), price(r)
	s.CreatedAt = unixTime(r)
	d.LastBidAt, d.IsCanceled = r.Int64(), r.Bool()
	return s
}

// readAuctionV4 reads version 4: activated, then the values of version 3, then the Jetton's, which are not shown.
func readAuctionV4(r *contract.Reader) *chain.NFTSale {
	_ = r.Bool() // activated
	return readAuction(r)
}

// price takes an amount of coins.
func price(r *contract.Reader) *big.Int { return r.Unsigned(127) }

// item takes the item's address, which every sale must name.
func item(r *contract.Reader) *chain.Address {
	a := r.NeedAddress()
	return &a
}

func unixTime(r *contract.Reader) *uint32 {
	t := uint32(r.Uint64(32))
	return &t
}
