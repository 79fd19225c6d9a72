package chain

import (
	"math"
	"math/big"
)

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

// Locked is what the schedule still locks at a time, as the contract's get_locked_amount computes it: all of the amount
// before the cliff, then one part less after each unlock period, nothing after the end. It is nil where the contract's own
// division fails, which locks nothing and releases nothing.
func (v *Vesting) Locked(now uint32) *big.Int {
	at := uint64(now)
	switch end := v.StartTime + uint64(v.TotalDuration); {
	case end < v.StartTime: // beyond any time there will be
		return new(big.Int).Set(v.TotalAmount)
	case at >= end:
		return new(big.Int)
	case at < v.StartTime || at-v.StartTime < uint64(v.CliffDuration):
		return new(big.Int).Set(v.TotalAmount)
	case v.UnlockPeriod == 0 || v.TotalDuration < v.UnlockPeriod:
		return nil
	}
	passed := new(big.Int).SetUint64((at - v.StartTime) / uint64(v.UnlockPeriod))
	steps := new(big.Int).SetUint64(uint64(v.TotalDuration / v.UnlockPeriod))
	released := passed.Div(passed.Mul(passed, v.TotalAmount), steps)
	return released.Sub(v.TotalAmount, released)
}

// VestingProgress is how far a schedule has come.
type VestingProgress struct {
	Time           uint32
	LockedAmount   *big.Int // nanotons
	ReleasedAmount *big.Int
	NextReleaseAt  *uint32 // nil when nothing is locked any more, or not within 32 bits
}

// Progress is what the schedule has released at a time; nil where [Vesting.Locked] is.
func (v *Vesting) Progress(now uint32) *VestingProgress {
	locked := v.Locked(now)
	if locked == nil {
		return nil
	}
	p := &VestingProgress{Time: now, LockedAmount: locked, ReleasedAmount: new(big.Int).Sub(v.TotalAmount, locked)}
	if next := v.nextRelease(uint64(now)); locked.Sign() > 0 && next <= math.MaxUint32 {
		p.NextReleaseAt = new(uint32(next))
	}
	return p
}

// nextRelease is the first time after at that releases more: the end of the cliff if parts were due within it, the end of a
// period, or the end of all.
func (v *Vesting) nextRelease(at uint64) uint64 {
	cliff, end, period := v.StartTime+uint64(v.CliffDuration), v.StartTime+uint64(v.TotalDuration), uint64(v.UnlockPeriod)
	if end < v.StartTime || cliff < v.StartTime {
		return math.MaxUint64
	}
	if period == 0 {
		return end
	}
	if at < cliff {
		return min(max(cliff, v.StartTime+period), end)
	}
	from := max(at, v.StartTime) - v.StartTime
	return min(v.StartTime+(from/period+1)*period, end)
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
