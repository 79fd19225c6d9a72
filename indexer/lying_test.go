package indexer_test

import (
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

// proxied puts proxies before the devnet's liteserver and opens a client that uses only them.
func proxied(t *testing.T, d *devnettest.Network, faults ...nodetest.Fault) ([]*nodetest.Proxy, *node.Client) {
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

// TestIndex_LyingServers indexes through an honest server and one that lies in each way there is: the index is the one of
// honest servers alone.
func TestIndex_LyingServers(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	const blocks = 30
	d := network(ctx, t, blocks)
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
			_, src := proxied(t, d, nil, fault)
			db := testdb.New(t)
			run(ctx, t, src, db, 1, blocks, indexer.Options{Batch: 8})
			require.Equal(t, want, digest(ctx, t, db))
		})
	}
}

// TestIndex_AllServersBad lets every server lie, looks at what the indexer says, and heals one.
func TestIndex_AllServersBad(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	const blocks = 20
	d := network(ctx, t, blocks)
	proxies, src := proxied(t, d, nil, nil) //nolint:gocritic // two honest servers
	db := testdb.New(t)
	x := indexer.New(src, db, indexer.Options{Logger: logger(t)})
	start(ctx, t, x)
	indexed(ctx, t, db, 1, blocks)
	until(ctx, t, "a quiet head", func() bool { return len(x.Status().Trouble) == 0 && x.Status().LagBlocks == 0 })

	proxies[0].Break(nodetest.HangUps())
	proxies[1].Break(nodetest.FlippedBlockByte())
	d.AdvanceTo(t, blocks+5)
	until(ctx, t, "trouble", func() bool { return len(x.Status().Trouble) > 0 })
	ranges, err := db.Reader().Ranges(ctx)
	require.NoError(t, err)
	require.Equal(t, []chain.SeqnoRange{{First: 1, Last: blocks}}, ranges, "nothing unproven is written")

	proxies[0].Heal()
	indexed(ctx, t, db, 1, blocks+5)
	until(ctx, t, "no trouble", func() bool { return len(x.Status().Trouble) == 0 })
	require.Equal(t, indexer.Following, x.Status().State)
	verified(ctx, t, d.Client, db, 1, blocks+5)
}

// TestIndex_StandbyTakesOver lets a second indexer wait until the first one stops.
func TestIndex_StandbyTakesOver(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := network(ctx, t, 10)
	url := testdb.URL(t)
	first, second := testdb.Open(t, url), testdb.Open(t, url)
	src := d.Client
	a := indexer.New(src, first, indexer.Options{})
	stop := start(ctx, t, a)
	indexed(ctx, t, first, 1, 10)

	b := indexer.New(src, second, indexer.Options{})
	start(ctx, t, b)
	until(ctx, t, "standby", func() bool { return b.Status().State == indexer.Standby })
	d.AdvanceTo(t, 15)
	indexed(ctx, t, first, 1, 15)
	require.Equal(t, indexer.Standby, b.Status().State)
	require.Zero(t, b.Status().Transactions)

	stop()
	until(ctx, t, "takeover", func() bool { return b.Status().State == indexer.Following })
	d.AdvanceTo(t, 20)
	indexed(ctx, t, second, 1, 20)
	until(ctx, t, "the second reports its progress", func() bool { return b.Status().Indexed == 20 }) // reported after it is written
}
