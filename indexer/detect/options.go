package detect

import (
	"log/slog"
	"runtime"
	"time"

	"tonql/internal/contract"
)

// Options bound detection. Zero values take the defaults named with them.
type Options struct {
	Budget   contract.Budget // of one account: contract.DefaultBudget
	QuickGas int64           // of an account at first: 50,000, twice what items of a collection take
	BlockGas int64           // of the accounts of a masterchain block that need more: 4 million
	Time     time.Duration   // after which no more of these are asked, whatever the gas: 5 s
	Workers  int             // accounts asked at once: the number of processors
	Logger   *slog.Logger    // nothing is logged without it
}

func (o Options) withDefaults() Options {
	if o.QuickGas <= 0 {
		o.QuickGas = 50_000
	}
	if o.BlockGas <= 0 {
		o.BlockGas = 4_000_000
	}
	if o.Time <= 0 {
		o.Time = 5 * time.Second
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Stats count what one block's detection came to.
type Stats struct {
	Accounts   int   // looked at
	Undetected int   // left, because the budget was used up or the network no longer holds what they depend on
	Failed     int   // families that broke on an account: defects of ours
	Gas        int64 // of all get-methods
	Fetched    int   // states of others asked from the network
}
