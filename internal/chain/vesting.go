package chain

import "math/big"

// Vesting is a wallet that releases its coins over time. Durations are seconds.
type Vesting struct {
	Address       Address
	StartTime     uint64 // unix time
	TotalDuration uint32
	UnlockPeriod  uint32
	CliffDuration uint32
	TotalAmount   *big.Int // nanotons
	Sender        Address
	Owner         Address
	Whitelist     []Address // who may be paid while coins are locked; ascending
	CodeHash      Hash
	DataHash      Hash
	LastTxLT      uint64
}

// VestingFilter selects vesting wallets by their own address or by the people they serve.
type VestingFilter struct {
	Contracts      []Address
	Wallets        []Address // owner or sender
	CheckWhitelist bool      // Wallets also matches the whitelist
}

// Validate checks that exactly one of the two lists is given.
func (f VestingFilter) Validate() error {
	switch {
	case len(f.Contracts) == 0 && len(f.Wallets) == 0:
		return Invalidf("at least one of contract_address or wallet_address is required")
	case len(f.Contracts) > 0 && len(f.Wallets) > 0:
		return Invalidf("only one of contract_address or wallet_address should be specified")
	default:
		return nil
	}
}
