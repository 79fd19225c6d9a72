package chain

// IndexStatus is what the index holds. First and Last are nil while it is empty.
type IndexStatus struct {
	First      *Block
	Last       *Block
	Ranges     []SeqnoRange // ascending, never touching
	Gaps       []SeqnoRange // between the ranges
	LagSeconds *int         // since Last was made
}

// VerificationCounts is how far the transactions of the index were checked.
type VerificationCounts struct {
	Replayed, Proven, Mismatch, Unverified, OldRules uint64
}

// ReplayedShare is the share of the replayed ones, from 0 to 1; nil without any transaction.
func (c *VerificationCounts) ReplayedShare() *float64 {
	all := c.Replayed + c.Proven + c.Mismatch + c.Unverified + c.OldRules
	if all == 0 {
		return nil
	}
	return new(float64(c.Replayed) / float64(all))
}

// RowEstimates are approximate numbers of rows of each table; -1 before the first analysis.
type RowEstimates struct {
	Blocks, Transactions, Messages, Accounts, Traces, Actions, JettonMasters, JettonWallets, NFTItems int64
}

// Gaps lists what lies between ascending ranges.
func Gaps(ranges []SeqnoRange) []SeqnoRange {
	var gaps []SeqnoRange
	for i := 1; i < len(ranges); i++ {
		gaps = append(gaps, SeqnoRange{First: ranges[i-1].Last + 1, Last: ranges[i].First - 1})
	}
	return gaps
}

// ServiceConfig is the limits of one request, as published to clients.
type ServiceConfig struct {
	MaxBodyBytes    int
	MaxTokens       int
	MaxDepth        int
	MaxAliases      int
	MaxRootFields   int
	MaxFields       int
	MaxCost         int
	MaxPageSize     int
	DefaultPageSize int
	TimeoutMs       int

	// Of a simulation.
	MaxSimulatedTransactions int
	MaxSimulatedGas          int
	MaxSimulationMs          int

	// Of live connections.
	MaxSubscriptions int // of one connection
	MaxConnections   int // of one client address
	MaxBlocksBehind  int
	SlowAfterMs      int
}
