package detect

import (
	"log/slog"
	"runtime"
	"time"

	"tonql/internal/contract"
)

// Options bound detection. Zero values take the defaults named with them.
type Options struct {
	Budget     contract.Budget // of one account: contract.DefaultBudget
	QuickGas   int64           // of an account in the first run: 50,000, twice what an NFT item needs
	BlockGas   int64           // of all accounts of a masterchain block that need more: 4 million
	Time       time.Duration   // time limit for these accounts, independent of gas: 5 s
	BlockBytes int             // of the facts above 4 KiB of all accounts of a masterchain block: 32 MiB
	Fetches    int             // states of other accounts fetched for a masterchain block: 256; a full block of the main network needs 8
	Workers    int             // accounts detected concurrently: the number of processors
	Logger     *slog.Logger    // nil disables logging
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
	if o.BlockBytes <= 0 {
		o.BlockBytes = 32 << 20
	}
	if o.Fetches <= 0 {
		o.Fetches = 256
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Stats are the counts of the detection of one block.
type Stats struct {
	Accounts   int   // all targets
	Undetected int   // the budget was used up, or an account they depend on was not fetched or is gone from the network
	Failed     int   // panics of contract families, which are defects
	Gas        int64 // of all get-methods
	Fetched    int   // states of other accounts fetched from the network
}
