package chain

import "math/big"

// SimulatedMessage is a message to be executed on paper; exactly one field is set.
type SimulatedMessage struct {
	BOC      BOC   // a complete message, external-in or internal
	Hash     *Hash // of a message that an indexed transaction received; replaced by its BOC before the simulation
	Internal *InternalMessageInput
}

// Validate checks that exactly one field is set, which the schema's @oneOf promises but variables can evade.
func (m SimulatedMessage) Validate() error {
	given := 0
	for _, set := range []bool{len(m.BOC) > 0, m.Hash != nil, m.Internal != nil} {
		if set {
			given++
		}
	}
	if given != 1 {
		return Invalidf("give exactly one of boc, hash, internal")
	}
	return nil
}

// InternalMessageInput is an internal message by its parts. InitCode and InitData come together or not at all.
type InternalMessageInput struct {
	Source      Address
	Destination Address
	Value       Coins
	Bounce      bool
	Body        BOC // empty: no body
	InitCode    BOC
	InitData    BOC
}

// SimulationStop says which bound ended a simulation before its trace was complete.
type SimulationStop uint8

// The bounds of a simulation.
const (
	StoppedByTransactions SimulationStop = iota // as many as may be
	StoppedByGas
	StoppedByTime
	StoppedByFault // an execution failed otherwise than a chain lets it fail
	StoppedBySize
)

// Simulation is what a message would do as of a masterchain block.
type Simulation struct {
	McSeqno uint32
	Seed    Hash // of random numbers of the first transaction; zero unless accepted
	// Accepted reports whether the account accepts the message. Otherwise Refusal is the reason, and there is no trace.
	Accepted bool
	Refusal  *string
	ExitCode *int32 // of the first execution; nil when no code ran
	GasUsed  uint64 // of all transactions, or of the refusal
	Fees     *big.Int
	Stopped  *SimulationStop // nil: the trace went to its end
	Trace    *FullTrace      // nil unless accepted
	Cells    map[Hash]BOC    // code and data before and after each transaction; nil unless requested
	Tokens   []Metadata      // of the tokens that the trace deploys, by address, as their contracts say on the chain; nil unless requested
}

// BalanceChange is what a trace or an action changed on one account.
type BalanceChange struct {
	Account Address
	Coins   *big.Int // nanotons, fees included
	Fees    *big.Int // nanotons, part of Coins with the opposite sign
	Extra   ExtraCurrencies
	Jettons []JettonChange
}

// ExtraCurrencies lists [BalanceChange.Extra].
func (c *BalanceChange) ExtraCurrencies() []ExtraCurrency { return c.Extra.List() }

// JettonChange is what a trace or an action changed on what an account owns of a Jetton.
type JettonChange struct {
	Jetton Address
	Amount *big.Int // in the Jetton's smallest unit
}
