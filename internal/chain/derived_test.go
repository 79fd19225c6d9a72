package chain_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

func TestOutcome_CoinsThatStayAreCredited(t *testing.T) {
	t.Parallel()
	skipped := func(reason chain.SkipReason) *chain.ComputePhase {
		return &chain.ComputePhase{Skipped: true, Reason: reason}
	}
	credit := &chain.CreditPhase{Credit: 5}
	for name, c := range map[string]struct {
		d    chain.TransactionDescription
		want chain.TransactionOutcome
	}{
		"done":            {chain.TransactionDescription{Compute: &chain.ComputePhase{Success: true}, Credit: credit}, chain.OutcomeSuccess},
		"tick-tock":       {chain.TransactionDescription{Kind: chain.TickTock}, chain.OutcomeSuccess},
		"no code":         {chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipNoState), Credit: credit}, chain.OutcomeCredited},
		"dust":            {chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipNoGas), Credit: credit}, chain.OutcomeCredited},
		"wrong code":      {chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipBadState), Credit: credit}, chain.OutcomeCredited},
		"extra currency":  {chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipNoState), Credit: &chain.CreditPhase{CreditExtra: chain.ExtraCurrencies{1: big.NewInt(1)}}}, chain.OutcomeCredited},
		"no coins":        {chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipNoState), Credit: &chain.CreditPhase{}}, chain.OutcomeFailed},
		"no message":      {chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipNoState)}, chain.OutcomeFailed},
		"one nanoton":     {chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipNoGas), Credit: &chain.CreditPhase{Credit: 1}}, chain.OutcomeCredited},
		"no phases":       {chain.TransactionDescription{Aborted: true, Credit: credit}, chain.OutcomeFailed},
		"tick-tock fails": {chain.TransactionDescription{Kind: chain.TickTock, Aborted: true, Compute: skipped(chain.SkipNoGas), Credit: credit}, chain.OutcomeFailed},
		"bounced":         {chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipNoState), Credit: credit, Bounce: &chain.BouncePhase{Kind: chain.BounceOK}}, chain.OutcomeBounced},
		"could not bounce": {
			chain.TransactionDescription{Aborted: true, Compute: skipped(chain.SkipNoState), Credit: credit, Bounce: &chain.BouncePhase{Kind: chain.BounceNoFunds}},
			chain.OutcomeFailed,
		},
		"thrown":         {chain.TransactionDescription{Aborted: true, Compute: &chain.ComputePhase{ExitCode: 7}, Credit: credit}, chain.OutcomeFailed},
		"actions failed": {chain.TransactionDescription{Aborted: true, Compute: &chain.ComputePhase{Success: true}, Credit: credit, Action: &chain.ActionPhase{}}, chain.OutcomeFailed},
	} {
		require.Equal(t, c.want, c.d.Outcome(), name)
	}
}

func TestOrderState_FollowsFromClockAndExecution(t *testing.T) {
	t.Parallel()
	const end = 1000
	order := func(sent bool) *chain.MultisigOrder {
		return &chain.MultisigOrder{SentForExecution: &sent, Expiration: new(int64(end))}
	}
	require.Equal(t, chain.OrderUninitialized, new(chain.MultisigOrder).State(nil, end))
	require.Equal(t, chain.OrderUninitialized, (&chain.MultisigOrder{SentForExecution: new(true)}).State(nil, end))
	require.Equal(t, chain.OrderUninitialized, (&chain.MultisigOrder{Expiration: new(int64(end))}).State(nil, end))
	require.Equal(t, chain.OrderOpen, order(false).State(nil, end-1))
	require.Equal(t, chain.OrderOpen, order(false).State(nil, end), "the wallet still accepts it in the second in which it expires")
	require.Equal(t, chain.OrderExpired, order(false).State(nil, end+1))
	require.Equal(t, chain.OrderSent, order(true).State(nil, end+1))
	require.Equal(t, chain.OrderFailed, order(true).State(&chain.OrderExecution{Aborted: true}, end-1))
	require.Equal(t, chain.OrderExecuted, order(true).State(&chain.OrderExecution{}, end+1), "an executed order does not expire")
	far := &chain.MultisigOrder{SentForExecution: new(false), Expiration: new(int64(1 << 47))}
	require.Equal(t, chain.OrderOpen, far.State(nil, math.MaxUint32))
}

func TestSaleState_FollowsFromClockAndHolder(t *testing.T) {
	t.Parallel()
	const end = 1000
	fixed := func(complete bool) *chain.NFTSale {
		return &chain.NFTSale{FixedPrice: &chain.NFTFixedPrice{IsComplete: complete}}
	}
	auction := func(a chain.NFTAuction) *chain.NFTSale { a.EndTime = end; return &chain.NFTSale{Auction: &a} }
	telemint := func(at int64) *chain.NFTSale { return &chain.NFTSale{Telemint: &chain.TelemintAuction{EndTime: at}} }
	require.Equal(t, chain.SaleOpen, fixed(false).State(true, end))
	require.Equal(t, chain.SaleInactive, fixed(false).State(false, end))
	require.Equal(t, chain.SaleClosed, fixed(true).State(false, end))
	require.Equal(t, chain.SaleOpen, auction(chain.NFTAuction{}).State(true, end-1))
	require.Equal(t, chain.SaleEnded, auction(chain.NFTAuction{}).State(true, end))
	require.Equal(t, chain.SaleClosed, auction(chain.NFTAuction{End: true}).State(false, end-1))
	require.Equal(t, chain.SaleCanceled, auction(chain.NFTAuction{End: true, IsCanceled: true}).State(false, end-1))
	require.Equal(t, chain.SaleInactive, auction(chain.NFTAuction{}).State(false, end-1))
	require.Equal(t, chain.SaleOpen, (&chain.NFTSale{Auction: &chain.NFTAuction{}}).State(true, end), "an auction without an end")
	require.Equal(t, chain.SaleInactive, telemint(0).State(true, end))
	require.Equal(t, chain.SaleOpen, telemint(end+1).State(true, end))
	require.Equal(t, chain.SaleEnded, telemint(end).State(true, end))
}

// The differential test in internal/devnet/contracts covers the schedules that the contract accepts; it refuses these, apart
// from the last, whose cliff lies between two releases.
func TestVestingProgress_UndeployableSchedulesHaveValues(t *testing.T) {
	t.Parallel()
	total := big.NewInt(1000)
	v := func(edit func(*chain.Vesting)) *chain.Vesting {
		v := &chain.Vesting{StartTime: 1000, TotalDuration: 100, UnlockPeriod: 10, TotalAmount: total}
		edit(v)
		return v
	}
	for name, of := range map[string]*chain.Vesting{
		"no period":   v(func(v *chain.Vesting) { v.UnlockPeriod = 0 }),
		"long period": v(func(v *chain.Vesting) { v.UnlockPeriod = 101 }),
	} {
		require.Nil(t, of.Progress(1050), name)
		require.Zero(t, of.Progress(1100).LockedAmount.Sign(), "%s: everything is released at the end", name)
		require.Equal(t, total, of.Progress(999).LockedAmount, name)
	}
	never := v(func(v *chain.Vesting) { v.StartTime = math.MaxUint64 - 10 }).Progress(math.MaxUint32)
	require.Equal(t, total, never.LockedAmount)
	require.Nil(t, never.NextReleaseAt)

	for name, of := range map[string]*chain.Vesting{
		"end overflows":   v(func(v *chain.Vesting) { v.StartTime = math.MaxUint64 - 99 }),
		"cliff overflows": v(func(v *chain.Vesting) { v.StartTime, v.CliffDuration = math.MaxUint64-100, 101 }),
	} {
		require.Equal(t, total, of.Progress(math.MaxUint32).LockedAmount, name)
		require.Nil(t, of.Progress(math.MaxUint32).NextReleaseAt, name)
	}
	late := v(func(v *chain.Vesting) { v.StartTime = math.MaxUint32 - 10 })
	require.Equal(t, uint32(math.MaxUint32), *late.Progress(math.MaxUint32 - 1).NextReleaseAt, "the last second")
	require.Nil(t, late.Progress(math.MaxUint32).NextReleaseAt, "not within 32 bits")
	single := v(func(v *chain.Vesting) { v.UnlockPeriod = 100 })
	require.Equal(t, total, single.Progress(1099).LockedAmount, "one period")
	require.Equal(t, uint32(1100), *single.Progress(1099).NextReleaseAt)

	cliff := v(func(v *chain.Vesting) { v.CliffDuration = 35 })
	require.Equal(t, uint32(1035), *cliff.Progress(1000).NextReleaseAt)
	require.Equal(t, big.NewInt(1000), cliff.Progress(1034).LockedAmount)
	require.Equal(t, big.NewInt(700), cliff.Progress(1035).LockedAmount)
	require.Equal(t, big.NewInt(300), cliff.Progress(1035).ReleasedAmount)
	require.Equal(t, uint32(1040), *cliff.Progress(1035).NextReleaseAt)
	require.Nil(t, cliff.Progress(1100).NextReleaseAt)
	require.Equal(t, big.NewInt(1000), total, "the total is not changed")
}

// The next release is the first moment at which less is locked.
func TestVestingProgress_NextReleaseIsTheFirst(t *testing.T) {
	t.Parallel()
	for _, v := range []*chain.Vesting{
		{StartTime: 1000, TotalDuration: 100, UnlockPeriod: 10}, {StartTime: 1000, TotalDuration: 95, UnlockPeriod: 10, CliffDuration: 3},
		{StartTime: 1000, TotalDuration: 100, UnlockPeriod: 30, CliffDuration: 45}, {StartTime: 1000, TotalDuration: 20, UnlockPeriod: 20, CliffDuration: 500},
	} {
		v.TotalAmount = big.NewInt(1 << 40)
		for now := uint32(990); now < 1110; now++ {
			p := v.Progress(now)
			if p.LockedAmount.Sign() == 0 {
				require.Nil(t, p.NextReleaseAt)
				continue
			}
			next := *p.NextReleaseAt
			require.Equal(t, p.LockedAmount, v.Progress(next-1).LockedAmount, "%+v at %d", v, now)
			require.Equal(t, 1, p.LockedAmount.Cmp(v.Progress(next).LockedAmount), "%+v at %d: %d", v, now, next)
		}
	}
}

func TestCanMint_NeedsAnAdmin(t *testing.T) {
	t.Parallel()
	require.False(t, (&chain.JettonMaster{Mintable: true}).CanMint())
	require.False(t, (&chain.JettonMaster{Admin: &chain.Address{}}).CanMint())
	require.True(t, (&chain.JettonMaster{Mintable: true, Admin: &chain.Address{}}).CanMint())
}

func TestWalletType_NamesStandardCodes(t *testing.T) {
	t.Parallel()
	v5, err := chain.ParseHash("IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=")
	require.NoError(t, err)
	name, ok := chain.WalletType(v5)
	require.True(t, ok)
	require.Equal(t, "wallet v5 r1", name)
	_, ok = chain.WalletType(chain.Hash{})
	require.False(t, ok)
}
