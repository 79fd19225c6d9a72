// Package devnettest starts local chains for tests: a devnet whose blocks are made by hand or at an interval, a client
// on its liteserver, and indexers that fill databases from it.
package devnettest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/node"
	"tonql/internal/pacetest"
)

const (
	queryTimeout = pacetest.Slow * 20 * time.Second // of the client's queries, unless Options say otherwise
	indexTimeout = pacetest.Slow * 3 * time.Minute  // of WaitIndexed
)

// Options configure a network.
type Options struct {
	// Devnet configures the chain. Interval 0 means a deterministic chain whose blocks are made only by AdvanceTo. A
	// positive Interval means that blocks are made at that interval of the wall clock, until the test ends.
	Devnet devnet.Options
	// Blocks is the number of masterchain blocks that exist before the client connects; 0 means the chain's first
	// block.
	Blocks uint32
	// Node configures the client. Start sets Config; Timeout defaults to 20 s, longer under the race detector.
	Node node.Options
}

// Network is a running devnet with a client and the faucet's wallet. It ends with its test.
type Network struct {
	*devnet.Devnet

	Client       *node.Client
	FaucetWallet *contracts.Wallet // signs for the faucet; its first seqno is 0

	ctx context.Context //nolint:containedctx // of one test
}

// Start starts a network. ctx bounds all that the network does.
func Start(ctx context.Context, tb testing.TB, opts Options) *Network {
	tb.Helper()
	running := opts.Devnet.Interval > 0
	if !running {
		opts.Devnet.Deterministic, opts.Devnet.Interval = true, devnet.ByHand
	}
	d, err := devnet.Start(ctx, opts.Devnet)
	require.NoError(tb, err)
	n := &Network{Devnet: d, ctx: ctx}
	tb.Cleanup(func() { n.end(tb) })
	n.AdvanceTo(tb, opts.Blocks)
	if running {
		n.run(tb)
	}
	n.FaucetWallet, err = devnet.FaucetWallet(d.Seed())
	require.NoError(tb, err)
	opts.Node.Config, err = d.GlobalConfig()
	require.NoError(tb, err)
	if opts.Node.Timeout == 0 {
		opts.Node.Timeout = queryTimeout
	}
	n.Client, err = node.Open(ctx, opts.Node)
	require.NoError(tb, err)
	_, err = n.Client.Wait(ctx, n.Head())
	require.NoError(tb, err)
	return n
}

// end closes the client and the devnet and releases both: package testing retains the clean-up functions of parallel tests,
// and what these refer to, until the last test of the process ends.
func (n *Network) end(tb testing.TB) {
	tb.Helper()
	if n.Client != nil {
		n.Client.Close()
	}
	d := n.Devnet
	n.Client, n.Devnet = nil, nil
	require.NoError(tb, d.Close())
}

// run makes blocks until the test ends.
func (n *Network) run(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithCancel(n.ctx)
	done := make(chan error, 1)
	go func() { done <- n.Run(ctx) }()
	tb.Cleanup(func() {
		cancel()
		require.NoError(tb, <-done)
	})
}

// Head returns the seqno of the newest masterchain block.
func (n *Network) Head() uint32 { return n.Chain.Head().ID.SeqNo }

// AdvanceTo makes masterchain blocks up to seqno. It does not wait for clients or indexers.
func (n *Network) AdvanceTo(tb testing.TB, seqno uint32) {
	tb.Helper()
	for n.Head() < seqno {
		_, err := n.Advance(n.ctx)
		require.NoError(tb, err)
	}
}
