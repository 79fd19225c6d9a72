package chain

import "math/big"

// DNSRecord is a domain of a zone whose names are NFT items, and what it stands for (TEP-81).
type DNSRecord struct {
	Item         Address
	Owner        *Address
	Domain       string // the full name with its zone
	NextResolver *Address
	Wallet       *Address
	SiteADNL     *Hash
	StorageBag   *Hash
	Text         *string
	LastFillUp   *uint32 // unix time at which it was last paid for; nil: its item does not say, or has no rent
	ExpiresAt    *uint32 // unix time after which anybody may put it up for auction; nil where that is not known
	LastTxLT     uint64
	Auction      *DNSAuction // nil: there is none
}

// DNSAuction is the auction of a domain that nobody owns: open, or ended and not claimed by its winner yet. The next message to the domain after the end
// makes the bidder its owner.
type DNSAuction struct {
	Item       Address
	Domain     string  // the full name with its zone
	LastFillUp *uint32 // as of [DNSRecord]
	Bidder     Address // who bid most
	Bid        *big.Int
	EndsAt     uint32 // unix time
}

// Ended reports whether no more bids are accepted at a unix time.
func (a *DNSAuction) Ended(now uint32) bool { return a.EndsAt <= now }

// DNSAuctionFilter selects the auctions of domains with a bidder.
type DNSAuctionFilter struct {
	Bidder Address
	Ended  *bool  // nil: open auctions, and those that have ended without a claim
	Now    uint32 // unix time that Ended is of
}

// DNSFilter selects domains by their wallet record or by name.
type DNSFilter struct {
	Wallet *Address
	Domain string
}

// Validate checks that exactly one field is set.
func (f DNSFilter) Validate() error {
	switch {
	case f.Wallet == nil && f.Domain == "":
		return Invalidf("either wallet address or domain is required")
	case f.Wallet != nil && f.Domain != "":
		return Invalidf("provide either wallet address or domain, not both")
	default:
		return nil
	}
}
