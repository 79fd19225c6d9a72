package node

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/xssnick/tonutils-go/liteclient"

	"tonql/internal/chain"
)

// Proofs is the policy for proofs of masterchain blocks.
type Proofs uint8

// The policies.
const (
	Secure Proofs = iota // validators' signatures from the anchor on
	Fast                 // one unbroken chain of blocks, signatures not checked
)

// String returns the policy's name on the command line.
func (p Proofs) String() string {
	if p == Fast {
		return "fast"
	}
	return "secure"
}

// ParseProofs parses secure and fast; the empty string is [Secure].
func ParseProofs(s string) (Proofs, error) {
	switch s {
	case "", "secure":
		return Secure, nil
	case "fast":
		return Fast, nil
	default:
		return Secure, chain.Invalidf("proofs should be one of: secure, fast; not %s", chain.Quote(s))
	}
}

// URLs of the configurations of the public networks.
const (
	mainnetConfigURL = "https://ton.org/global.config.json"
	testnetConfigURL = "https://ton.org/testnet-global.config.json"
)

// Options configure a [Client]. One of Config, GlobalConfig and Network must name the network; the first of them that is
// set counts.
type Options struct {
	Config       *liteclient.GlobalConfig // already parsed
	GlobalConfig string                   // path or http(s) URL of a global.config.json
	Network      string                   // mainnet, testnet; devnet has no configuration before it runs

	Proofs    Proofs
	Anchor    Anchor // the block that trust begins at
	TrustFile string // file that stores the newest proven blocks between runs; empty: none

	Timeout     time.Duration // of one query to one server; default 8 s
	MaxParallel int           // queries in flight to one server; default 32
	// BrokenPause and LiarPause are the first pauses of a server that was set aside, LimitPause is that of a server that
	// limits queries; each further one is longer. Defaults: 500 ms, 1 min and 250 ms.
	BrokenPause time.Duration
	LiarPause   time.Duration
	LimitPause  time.Duration

	// Observe is called for each query to a liteserver that has ended. It must be safe for concurrent use. Nil: none is observed.
	Observe func(context.Context, Observed)

	Logger     *slog.Logger          // nil: silent
	Registerer prometheus.Registerer // nil: no metrics
}

// Observed is a query to a liteserver that has ended.
type Observed struct {
	Server string // address of the liteserver
	Name   string // of the query, such as GetAccountState
	Began  time.Time
	Took   time.Duration
	Err    error // why it has no response; a response with an error of the liteserver is one
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = 8 * time.Second
	}
	if o.MaxParallel <= 0 {
		o.MaxParallel = 32
	}
	if o.BrokenPause <= 0 {
		o.BrokenPause = 500 * time.Millisecond
	}
	if o.LiarPause <= 0 {
		o.LiarPause = time.Minute
	}
	if o.LimitPause <= 0 {
		o.LimitPause = 250 * time.Millisecond
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}
