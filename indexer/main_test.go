package indexer_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/devnet"
	"tonql/internal/node"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func testContext(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 4*time.Minute)
	tb.Cleanup(cancel)
	return ctx
}

// network starts a deterministic devnet with traffic, splits and merges, and mines it by hand up to a seqno.
func network(ctx context.Context, tb testing.TB, seqno uint32) *devnet.Devnet {
	tb.Helper()
	var seed [32]byte
	copy(seed[:], "the indexer's tests")
	d, err := devnet.Start(ctx, devnet.Options{
		Seed: seed, Deterministic: true, Interval: devnet.ByHand, Scenario: true, ActionsPerMinute: 120, ShardPeriod: 24,
	})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, d.Close()) })
	advance(ctx, tb, d, seqno)
	return d
}

func advance(ctx context.Context, tb testing.TB, d *devnet.Devnet, seqno uint32) {
	tb.Helper()
	for d.Chain.Head().ID.SeqNo < seqno {
		_, err := d.Advance(ctx)
		require.NoError(tb, err)
	}
}

// client opens a node client on the devnet's liteserver.
func client(ctx context.Context, tb testing.TB, d *devnet.Devnet) *node.Client {
	tb.Helper()
	config, err := d.GlobalConfig()
	require.NoError(tb, err)
	c, err := node.Open(ctx, node.Options{Config: config})
	require.NoError(tb, err)
	tb.Cleanup(c.Close)
	return c
}
