package details

import (
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/action"
	"tonql/internal/chain"
)

var nftKinds = []Details{&NFTMint{}, &NFTTransfer{}, &NFTPurchase{}, &NFTDiscovery{}}

// NFTMint is the mint of an NFT item.
type NFTMint struct {
	Owner         *chain.Address `json:"owner,omitempty" from:"source"`
	NFTItem       *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTCollection *chain.Address `json:"nft_collection" from:"asset"`
	NFTItemIndex  *Number        `json:"nft_item_index" from:"nft_mint_data."`
}

// Kind implements [Details].
func (*NFTMint) Kind() string { return "nft_mint" }

// NFTTransfer is the transfer of an NFT item to another owner.
type NFTTransfer struct {
	NFTCollection          *chain.Address `json:"nft_collection" from:"asset"`
	NFTItem                *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTItemIndex           *Number        `json:"nft_item_index" from:"nft_transfer_data."`
	OldOwner               *chain.Address `json:"old_owner,omitempty" from:"source"`
	NewOwner               *chain.Address `json:"new_owner" from:"destination"`
	IsPurchase             *bool          `json:"is_purchase" from:"nft_transfer_data."`
	Price                  *Number        `json:"price,omitempty" from:"nft_transfer_data."`
	QueryID                *Number        `json:"query_id" from:"nft_transfer_data."`
	ResponseDestination    *chain.Address `json:"response_destination" from:"nft_transfer_data."`
	CustomPayload          chain.BOC      `json:"custom_payload" from:"nft_transfer_data."`
	ForwardPayload         chain.BOC      `json:"forward_payload" from:"nft_transfer_data."`
	ForwardAmount          *Number        `json:"forward_amount" from:"nft_transfer_data."`
	Comment                *string        `json:"comment" from:"-"`              // The comment in the forward payload: text, or base64 of the bytes of an encrypted comment.
	IsEncryptedComment     *bool          `json:"is_encrypted_comment" from:"-"` // Whether the comment in the forward payload is encrypted.
	Marketplace            *string        `json:"marketplace" from:"nft_transfer_data."`
	RealOldOwner           *chain.Address `json:"real_old_owner" from:"nft_transfer_data.real_prev_owner"` // The seller: the owner before the item was transferred to the sale contract.
	MarketplaceAddress     *chain.Address `json:"marketplace_address" from:"nft_transfer_data."`
	PayoutAmount           *Number        `json:"payout_amount" from:"nft_transfer_data."`
	PayoutAddress          *chain.Address `json:"payout_address" from:"nft_listing_data.marketplace_fee_address"`
	PayoutComment          *string        `json:"payout_comment" from:"nft_transfer_data."`
	PayoutCommentEncrypted *bool          `json:"payout_comment_encrypted" from:"nft_transfer_data."`
	PayoutCommentEncoded   *bool          `json:"payout_comment_encoded" from:"nft_transfer_data."`
	RoyaltyAmount          *Number        `json:"royalty_amount" from:"nft_transfer_data."`
	RoyaltyAddress         *chain.Address `json:"royalty_address" from:"nft_listing_data."`
}

// Kind implements [Details].
func (*NFTTransfer) Kind() string { return "nft_transfer" }

func (t *NFTTransfer) complete(*row) {
	if t.IsPurchase == nil || !*t.IsPurchase {
		t.Marketplace = nil
	}
	t.Comment, t.IsEncryptedComment = forwarded(t.ForwardPayload)
}

// NFTPurchase is the sale of an NFT item: its transfer and the payment of the seller.
type NFTPurchase NFTTransfer

// Kind implements [Details].
func (*NFTPurchase) Kind() string { return "nft_purchase" }

func (p *NFTPurchase) complete(r *row) {
	(*NFTTransfer)(p).complete(r)
	p.PayoutAddress, p.RoyaltyAddress = p.RealOldOwner, nil
}

// NFTDiscovery is a request for the static data of an NFT item.
type NFTDiscovery struct {
	Source        *chain.Address `json:"source"`
	NFTItem       *chain.Address `json:"nft_item" from:"asset_secondary"`
	NFTCollection *chain.Address `json:"nft_collection" from:"asset"`
	NFTItemIndex  *Number        `json:"nft_item_index" from:"nft_transfer_data."`
}

// Kind implements [Details].
func (*NFTDiscovery) Kind() string { return "nft_discovery" }

// emptyComment is the hash of a comment without text, which is only an opcode.
var emptyComment = cell.BeginCell().MustStoreUInt(0, 32).EndCell().HashKey()

// forwarded returns the comment in a forward payload. Both results are nil without a readable payload; only the comment is
// nil when the payload contains none.
func forwarded(payload chain.BOC) (comment *string, encrypted *bool) {
	if len(payload) == 0 {
		return nil, nil
	}
	c, err := cell.FromBOC(payload)
	if err != nil {
		return nil, nil
	}
	if c.HashKey() == emptyComment {
		return new(string), new(bool)
	}
	text, locked := action.Comment(c)
	return text, &locked
}
