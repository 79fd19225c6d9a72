package chain

// TokenCounts are the numbers of a Jetton or of a collection, counted in the background.
type TokenCounts struct {
	Holders        int64
	TransfersOfDay int64  // within the 24 hours before CountedAt
	Items          *int64 // of a collection
	CountedAt      uint32 // unix time of the masterchain block
}

// TokenOrder is the order of a list of Jettons or collections.
type TokenOrder uint8

// The orders. All but the first are descending.
const (
	OrderByAddress TokenOrder = iota
	OrderByHolders
	OrderByTransfers
	OrderBySupply
)
