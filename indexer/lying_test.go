package indexer_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// newProxiedClient puts proxies in front of the devnet's liteserver and opens a client that uses only them.
func newProxiedClient(t *testing.T, d *devnettest.Network, faults ...nodetest.Fault) ([]*nodetest.Proxy, *node.Client) {
	t.Helper()
	ctx := testContext(t)
	config, err := d.GlobalConfig()
	require.NoError(t, err)
	var proxies []*nodetest.Proxy
	behind := nodetest.Config(config)
	for _, fault := range faults {
		p := nodetest.NewProxy(t, config.Liteservers[0])
		p.Break(fault)
		proxies = append(proxies, p)
		behind.Liteservers = append(behind.Liteservers, p.Liteserver())
	}
	c, err := node.Open(ctx, node.Options{
		Config: behind, Timeout: pacetest.Slow * time.Second, BrokenPause: 20 * time.Millisecond, LiarPause: 100 * time.Millisecond,
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return proxies, c
}

// TestIndex_LyingServersChangeNothing indexes through an honest server and one that lies in one of many ways: the index
// equals that of honest servers.
func TestIndex_LyingServersChangeNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 30
	d := newNetwork(ctx, t, blocks)
	honest := testdb.New(t)
	run(ctx, t, d.Client, honest, 1, blocks, indexer.Options{})
	want := digest(ctx, t, honest)
	for name, fault := range map[string]nodetest.Fault{
		"flipped byte": nodetest.FlippedBlockByte(),
		"other block":  nodetest.OtherBlock(),
		"foreign id":   nodetest.ForeignBlockID(),
		"wrong shards": nodetest.WrongShards(),
		"account":      nodetest.WrongAccount(),
		"hidden":       nodetest.HiddenAccount(),
		"config":       nodetest.WrongConfig(),
		"mixup":        nodetest.Mixup(),
		"hang-ups":     nodetest.HangUps(),
		"gibberish":    nodetest.Gibberish(),
		"dropped":      nodetest.DropEvery(3),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := testContext(t)
			_, src := newProxiedClient(t, d, nil, fault)
			db := testdb.New(t)
			run(ctx, t, src, db, 1, blocks, indexer.Options{Batch: 8})
			require.Equal(t, want, digest(ctx, t, db))
		})
	}
}

// TestIndex_WithoutHonestServersNothingIsWritten makes every server faulty, checks the status of the indexer, and
// repairs one.
func TestIndex_WithoutHonestServersNothingIsWritten(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 20
	d := newNetwork(ctx, t, blocks)
	proxies, src := newProxiedClient(t, d, nil, nil) //nolint:gocritic // two honest servers
	db := testdb.New(t)
	x := indexer.New(src, db, indexer.Options{Logger: logger(t)})
	start(ctx, t, x)
	waitIndexed(ctx, t, db, 1, blocks)
	waitUntil(ctx, t, "a quiet head", func() bool { return len(x.Status().Trouble) == 0 && x.Status().LagBlocks == 0 })

	proxies[0].Break(nodetest.HangUps())
	proxies[1].Break(nodetest.FlippedBlockByte())
	d.AdvanceTo(t, blocks+5)
	waitUntil(ctx, t, "trouble", func() bool { return len(x.Status().Trouble) > 0 })
	ranges, err := db.Reader().Ranges(ctx)
	require.NoError(t, err)
	require.Equal(t, []chain.SeqnoRange{{First: 1, Last: blocks}}, ranges, "nothing unproven is written")

	proxies[0].Heal()
	waitIndexed(ctx, t, db, 1, blocks+5)
	waitUntil(ctx, t, "no trouble", func() bool { return len(x.Status().Trouble) == 0 })
	require.Equal(t, indexer.Following, x.Status().State)
	requireVerified(ctx, t, d.Client, db, 1, blocks+5)
}

// TestIndex_StandbyTakesOver starts a second indexer, which waits until the first one stops.
func TestIndex_StandbyTakesOver(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 10)
	url := testdb.URL(t)
	first, second := testdb.Open(t, url), testdb.Open(t, url)
	src := d.Client
	a := indexer.New(src, first, indexer.Options{})
	stop := start(ctx, t, a)
	waitIndexed(ctx, t, first, 1, 10)

	log := &testLog{}
	b := indexer.New(src, second, indexer.Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
	start(ctx, t, b)
	waitUntil(ctx, t, "standby", func() bool { return b.Status().State == indexer.Standby })
	d.AdvanceTo(t, 15)
	waitIndexed(ctx, t, first, 1, 15)
	require.Equal(t, indexer.Standby, b.Status().State)
	require.Zero(t, b.Status().Transactions)
	require.Zero(t, b.Status().LagBlocks, "the other one indexes")
	require.Equal(t, 1, log.count("another process indexes into this database"))

	stop()
	waitUntil(ctx, t, "takeover", func() bool { return b.Status().State == indexer.Following })
	d.AdvanceTo(t, 20)
	waitIndexed(ctx, t, second, 1, 20)
	waitUntil(ctx, t, "the second reports its progress", func() bool { return b.Status().Indexed == 20 }) // reported after it is written
}
