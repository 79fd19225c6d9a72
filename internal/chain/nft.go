package chain

import "math/big"

// NFTCollection is a contract that knows the addresses of its items (TEP-62).
type NFTCollection struct {
	Address       Address
	Owner         *Address
	NextItemIndex *big.Int // -1 for collections whose indexes are not sequential
	Content       Content
	CodeHash      Hash
	DataHash      Hash
	LastTxLT      uint64
}

// NFTItem is one item. A record with a collection exists only when the collection names this very address for the
// item's index.
type NFTItem struct {
	Address    Address
	Init       bool
	Index      *big.Int // up to 256 bits
	Collection *Address // nil for an item of its own
	Owner      *Address // the owner on the chain: a sale contract while the item is on sale
	Content    Content
	Domain     string // full name of a DNS item with its zone; empty for all others
	SBT        *SBT   // nil unless the item is soul-bound
	CodeHash   Hash
	DataHash   Hash
	LastTxLT   uint64
	McSeqno    *uint32 // masterchain block at which Owner was read; nil for the newest state

	// What other contracts say; filled by the index, never by the item itself.
	CollectionInfo *NFTCollection
	Sale           *NFTSale // the sale or auction contract that holds the item
}

// SBT is what makes an item soul-bound (TEP-85).
type SBT struct {
	Authority *Address // may revoke; nil when nobody can
	RevokedAt uint64   // unix time; 0 while valid
}

// NFTSaleKind is the kind of a sale contract.
type NFTSaleKind uint8

// The kinds.
const (
	FixedPriceSale NFTSaleKind = iota + 1
	AuctionSale
	TelemintSale
)

// String is v3's name of the kind.
func (k NFTSaleKind) String() string {
	switch k {
	case FixedPriceSale:
		return "getgems_sale"
	case AuctionSale:
		return "getgems_auction"
	case TelemintSale:
		return "telemint"
	default:
		return ""
	}
}

// NFTSale is a contract that sells an item: exactly one of the three details is set, as Kind says. The contract holds
// the item only when the item's Owner is its Address.
type NFTSale struct {
	Kind        NFTSaleKind
	Address     Address
	NFT         *Address
	NFTOwner    *Address // the seller
	Marketplace *Address
	CreatedAt   *uint32
	Known       bool // the code is one of the published sale contracts, so its get-methods can be trusted
	FixedPrice  *NFTFixedPrice
	Auction     *NFTAuction
	Telemint    *TelemintAuction
	CodeHash    Hash
	DataHash    Hash
	LastTxLT    uint64
}

// NFTFixedPrice is an offer at one price, in nanotons.
type NFTFixedPrice struct {
	IsComplete            bool
	FullPrice             *big.Int
	MarketplaceFeeAddress *Address
	MarketplaceFee        *big.Int
	RoyaltyAddress        *Address
	RoyaltyAmount         *big.Int
}

// NFTAuction is an auction; bids are nanotons, times unix times.
type NFTAuction struct {
	End               bool
	EndTime           int64
	LastBid           *big.Int
	LastMember        *Address
	MinStep           int64
	MpFeeAddress      *Address
	MpFeeFactor       int64
	MpFeeBase         int64
	RoyaltyFeeAddress *Address
	RoyaltyFeeFactor  int64
	RoyaltyFeeBase    int64
	MaxBid            *big.Int
	MinBid            *big.Int
	LastBidAt         int64
	IsCanceled        bool
}

// TelemintAuction is the auction of a user name or number inside its own item.
type TelemintAuction struct {
	TokenName          string
	Bidder             *Address
	Bid                *big.Int
	BidTS              *big.Int
	MinBid             *big.Int
	EndTime            int64 // 0 when there is no auction
	Beneficiary        *Address
	InitialMinBid      *big.Int
	MaxBid             *big.Int
	MinBidStep         *big.Int
	MinExtendTime      *big.Int
	Duration           *big.Int
	RoyaltyNumerator   int64
	RoyaltyDenominator int64
	RoyaltyDestination *Address
}

// NFTTransfer is a transfer as the item was ordered to make it.
type NFTTransfer struct {
	QueryID             uint64
	NFT                 Address
	Collection          *Address // nil is printed addr_none
	TxHash              Hash
	TxLT                uint64
	TxNow               uint32
	TxAborted           bool
	OldOwner            Address  // who sent the order
	NewOwner            *Address // nil is addr_none
	ResponseDestination *Address // nil is addr_none
	CustomPayload       BOC
	ForwardAmount       *big.Int // nanotons
	ForwardPayload      BOC      // nil when it is stored in place rather than in a reference
	TraceID             *Hash
}

// NFTCollectionFilter selects collections.
type NFTCollectionFilter struct {
	Addresses []Address
	Owners    []Address
}

// NFTSaleFilter selects sales; Sellers finds only contracts whose code is known.
type NFTSaleFilter struct {
	Addresses []Address
	Sellers   []Address
}

// NFTItemFilter selects items.
type NFTItemFilter struct {
	Addresses   []Address
	Owners      []Address
	Collections []Address
	Indexes     []*big.Int
	OnSale      bool // Owners also matches items that a sale contract holds for them
	ByLastTxLT  bool // newest change first
	Trait       *Trait
}

// Validate checks the combination of fields.
func (f NFTItemFilter) Validate() error {
	if f.Trait != nil {
		return f.validateTrait()
	}
	if len(f.Collections) > 1 && len(f.Owners) != 1 {
		return Invalidf("exact one owner_address required for multiple collection_address")
	}
	if len(f.Indexes) > 0 && len(f.Collections) == 0 {
		return Invalidf("index parameter is not allowed without the collection_address")
	}
	return nil
}

// validateTrait checks a filter by trait, whose index has the items of each collection.
func (f NFTItemFilter) validateTrait() error {
	if len(f.Collections) != 1 {
		return Invalidf("trait needs exactly one of collections")
	}
	if len(f.Addresses) > 0 || len(f.Owners) > 0 || len(f.Indexes) > 0 || f.OnSale || f.ByLastTxLT {
		return Invalidf("trait can be given with collections only")
	}
	return f.Trait.Validate()
}

// NFTTransferFilter selects transfers of items.
type NFTTransferFilter struct {
	Owners     []Address // the old or the new owner
	NFTs       []Address
	Collection *Address
	Direction  TransferDirection // relative to Owners
	TransferRange
}
