package details

import (
	"tonql/internal/action/nft"
	"tonql/internal/chain"
)

var marketKinds = []Details{
	&NFTPutOnSale{}, &NFTUpdateSale{}, &NFTCancelSale{}, &NFTPutOnAuction{}, &NFTCancelAuction{}, &NFTFinishAuction{},
	&AuctionBid{}, &AuctionOutbid{}, &TeleitemStartAuction{}, &TeleitemCancelAuction{},
}

// NFTPutOnSale is the offer of an NFT item at a fixed price.
type NFTPutOnSale struct {
	NFTCollection         *chain.Address `json:"nft_collection" from:"asset"`
	NFTItem               *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTItemIndex          *Number        `json:"nft_item_index" from:"nft_listing_data."`
	Owner                 *chain.Address `json:"owner" from:"source"`
	ListingAddress        *chain.Address `json:"listing_address" from:"source_secondary"`
	SaleAddress           *chain.Address `json:"sale_address" from:"destination"`
	MarketplaceAddress    *chain.Address `json:"marketplace_address" from:"destination_secondary"`
	FullPrice             *Number        `json:"full_price" from:"nft_listing_data."`
	MarketplaceFee        *Number        `json:"marketplace_fee" from:"nft_listing_data."`
	RoyaltyAmount         *Number        `json:"royalty_amount" from:"nft_listing_data."`
	MarketplaceFeeAddress *chain.Address `json:"marketplace_fee_address" from:"nft_listing_data."`
	RoyaltyAddress        *chain.Address `json:"royalty_address" from:"nft_listing_data."`
	Marketplace           *string        `json:"marketplace" from:"nft_listing_data."`
}

// Kind implements [Details].
func (*NFTPutOnSale) Kind() string { return "nft_put_on_sale" }

// NFTUpdateSale is a change of the price of an offered NFT item.
type NFTUpdateSale struct {
	Source             *chain.Address `json:"source"`
	SaleContract       *chain.Address `json:"sale_contract" from:"destination"`
	NFTAddress         *chain.Address `json:"nft_address" from:"asset_secondary"`
	MarketplaceAddress *chain.Address `json:"marketplace_address" from:"nft_transfer_data."`
	Marketplace        *string        `json:"marketplace" from:"nft_listing_data."`
	FullPrice          *Number        `json:"full_price" from:"nft_listing_data."`
	MarketplaceFee     *Number        `json:"marketplace_fee" from:"nft_listing_data."`
	RoyaltyAmount      *Number        `json:"royalty_amount" from:"nft_listing_data."`
}

// Kind implements [Details].
func (*NFTUpdateSale) Kind() string { return "nft_update_sale" }

func (u *NFTUpdateSale) complete(*row) { u.Marketplace = marketOf(u.MarketplaceAddress) }

// marketOf returns the marketplace of a sale or an auction; nil without an address. Only contracts of [nft.Getgems] are
// recognized, by their code hashes.
func marketOf(address *chain.Address) *string {
	if address == nil {
		return nil
	}
	return new(nft.Getgems)
}

// NFTCancelSale is the cancellation of an offer.
type NFTCancelSale struct {
	Owner              *chain.Address `json:"owner" from:"source"`
	NFTItem            *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTCollection      *chain.Address `json:"nft_collection" from:"asset"`
	SaleAddress        *chain.Address `json:"sale_address" from:"destination"`
	MarketplaceAddress *chain.Address `json:"marketplace_address" from:"nft_transfer_data."`
	Marketplace        *string        `json:"marketplace" from:"nft_transfer_data."`
}

// Kind implements [Details].
func (*NFTCancelSale) Kind() string { return "nft_cancel_sale" }

func (s *NFTCancelSale) complete(*row) { s.Marketplace = marketOf(s.MarketplaceAddress) }

// NFTPutOnAuction is the start of an auction of an NFT item.
type NFTPutOnAuction struct {
	NFTCollection         *chain.Address `json:"nft_collection" from:"asset"`
	NFTItem               *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTItemIndex          *Number        `json:"nft_item_index" from:"nft_listing_data."`
	Owner                 *chain.Address `json:"owner" from:"source"`
	ListingAddress        *chain.Address `json:"listing_address" from:"source_secondary"`
	AuctionAddress        *chain.Address `json:"auction_address" from:"destination"`
	MarketplaceAddress    *chain.Address `json:"marketplace_address" from:"destination_secondary"`
	MarketplaceFeeFactor  *Number        `json:"marketplace_fee_factor" from:"nft_listing_data.mp_fee_factor"`
	MarketplaceFeeBase    *Number        `json:"marketplace_fee_base" from:"nft_listing_data.mp_fee_base"`
	RoyaltyFeeBase        *Number        `json:"royalty_fee_base" from:"nft_listing_data."`
	MaxBid                *Number        `json:"max_bid" from:"nft_listing_data."`
	MinBid                *Number        `json:"min_bid" from:"nft_listing_data."`
	MarketplaceFeeAddress *chain.Address `json:"marketplace_fee_address" from:"nft_listing_data."`
	RoyaltyAddress        *chain.Address `json:"royalty_address" from:"nft_listing_data."`
	Marketplace           *string        `json:"marketplace" from:"nft_listing_data."`
}

// Kind implements [Details].
func (*NFTPutOnAuction) Kind() string { return "nft_put_on_auction" }

// NFTCancelAuction is the cancellation of an auction by the owner.
type NFTCancelAuction struct {
	Owner              *chain.Address `json:"owner" from:"source"`
	NFTItem            *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTCollection      *chain.Address `json:"nft_collection" from:"asset"`
	AuctionAddress     *chain.Address `json:"auction_address" from:"destination"`
	MarketplaceAddress *chain.Address `json:"marketplace_address" from:"nft_transfer_data."`
	Marketplace        *string        `json:"marketplace" from:"nft_transfer_data."`
}

// Kind implements [Details].
func (*NFTCancelAuction) Kind() string { return "nft_cancel_auction" }

func (a *NFTCancelAuction) complete(*row) { a.Marketplace = marketOf(a.MarketplaceAddress) }

// NFTFinishAuction is the transfer of an NFT item to the highest bidder at the end of an auction.
type NFTFinishAuction NFTCancelAuction

// Kind implements [Details].
func (*NFTFinishAuction) Kind() string { return "nft_finish_auction" }

func (a *NFTFinishAuction) complete(r *row) { (*NFTCancelAuction)(a).complete(r) }

// AuctionBid is a bid for an NFT item.
type AuctionBid struct {
	Amount        *Number        `json:"amount" from:"value"`
	Bidder        *chain.Address `json:"bidder" from:"source"`
	Auction       *chain.Address `json:"auction" from:"destination"` // The auction contract, or the NFT item itself.
	NFTItem       *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTCollection *chain.Address `json:"nft_collection" from:"asset"`
	NFTItemIndex  *Number        `json:"nft_item_index" from:"nft_transfer_data."`
}

// Kind implements [Details].
func (*AuctionBid) Kind() string { return "auction_bid" }

// AuctionOutbid is the return of a bid after a higher bid.
type AuctionOutbid struct {
	AuctionAddress *chain.Address `json:"auction_address" from:"source"`
	Bidder         *chain.Address `json:"bidder" from:"destination"`
	NewBidder      *chain.Address `json:"new_bidder" from:"source_secondary"`
	NFTItem        *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTCollection  *chain.Address `json:"nft_collection" from:"asset"`
	Amount         *Number        `json:"amount"`
	Comment        *string        `json:"comment,omitempty" from:"-"` // Always null.
	Marketplace    *string        `json:"marketplace,omitempty" from:"nft_transfer_data."`
}

// Kind implements [Details].
func (*AuctionOutbid) Kind() string { return "auction_outbid" }

// TeleitemStartAuction is the start of an auction of a Telegram user name or number.
type TeleitemStartAuction NFTPutOnAuction

// Kind implements [Details].
func (*TeleitemStartAuction) Kind() string { return "teleitem_start_auction" }

// TeleitemCancelAuction is the cancellation of an auction of a Telegram user name or number.
type TeleitemCancelAuction NFTCancelAuction

// Kind implements [Details].
func (*TeleitemCancelAuction) Kind() string { return "teleitem_cancel_auction" }

func (a *TeleitemCancelAuction) complete(*row) { a.Marketplace = new(nft.Fragment) }
