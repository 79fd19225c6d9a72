package chain

// SaleState is the state of an offer: whether it can be accepted.
type SaleState uint8

// The states.
const (
	SaleOpen     SaleState = iota // whoever pays gets the item
	SaleEnded                     // its time is over; nobody settled it yet
	SaleClosed                    // sold or cancelled: the contract does not distinguish them
	SaleCanceled                  // called off
	SaleInactive                  // the contract does not hold the item, or auctions nothing
)

// State follows from what the contract says, whether it holds its item, and the time of the newest block.
func (s *NFTSale) State(holds bool, now uint32) SaleState {
	over := func(end int64) bool { return end > 0 && end <= int64(now) }
	switch {
	case s.Auction != nil && s.Auction.IsCanceled:
		return SaleCanceled
	case s.Auction != nil && s.Auction.End, s.FixedPrice != nil && s.FixedPrice.IsComplete:
		return SaleClosed
	case !holds, s.Telemint != nil && s.Telemint.EndTime == 0:
		return SaleInactive
	case s.Auction != nil && over(s.Auction.EndTime), s.Telemint != nil && over(s.Telemint.EndTime):
		return SaleEnded
	default:
		return SaleOpen
	}
}
