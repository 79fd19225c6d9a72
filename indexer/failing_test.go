package indexer_test

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/indexer"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// passing are errors of servers that have the data and cannot return it at the moment.
var passing = []ton.LSError{
	{Code: 652, Text: "timeout"}, {Code: -503, Text: "timeout"}, {Code: 651, Text: "node not synced"},
	{Code: 502, Text: "backend node timeout"}, {Code: 0, Text: "Gateway error: no liteserver for query"},
	{Code: -400, Text: "cannot load block"}, {Code: 601, Text: "failure"}, {Code: 653, Text: "cancelled"},
	{Code: 500, Text: "failed to resolve block"}, {Code: 12345, Text: ""},
}

// hole is a server that has lost the masterchain blocks of a range and the states after the blocks of every shard in it.
func hole(first, last uint32) nodetest.Fault {
	return nodetest.Lacking(func(id ton.BlockIDExt) bool { return id.SeqNo >= first && id.SeqNo <= last })
}

// TestIndex_FailingServersChangeNothing indexes through servers that fail as real ones do, in some cases all of them: the
// index equals that of honest servers, no block is downloaded much more often, and the log stays short.
func TestIndex_FailingServersChangeNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 30
	d := newNetwork(ctx, t, blocks)
	proxies, src := newProxiedClient(t, d, nil, nil) //nolint:gocritic // two honest servers
	honest := testdb.New(t)
	run(ctx, t, src, honest, 1, blocks, indexer.Options{Batch: 8})
	want := digest(ctx, t, honest)
	downloads := proxies[0].QueryCount("GetBlockData") + proxies[1].QueryCount("GetBlockData")

	limit := func(e ton.LSError) nodetest.Fault { return nodetest.Limit(20, 100*time.Millisecond, e) }
	tooMany := ton.LSError{Code: 429, Text: "too many requests"}
	for name, faults := range map[string][]nodetest.Fault{
		"one slow":                  {nil, nodetest.Slow(pacetest.Slow * 400 * time.Millisecond)},
		"one not ready":             {nil, nodetest.Refuse(651, "not ready")},
		"one limits":                {nil, limit(tooMany)},
		"one refuses all as much":   {nil, nodetest.Refuse(228, "Ratelimit")},
		"one behind":                {nil, nodetest.Behind(5)},
		"one out of sync":           {nil, nodetest.RefuseEvery(2, ton.LSError{Code: 651, Text: "block (0,8000000000000000,7) is not in db (possibly out of sync: shard_client_seqno=6 ls_seqno=6)"})},
		"one pruned":                {nil, hole(0, 20)},
		"all slow":                  {nodetest.Slow(50 * time.Millisecond), nodetest.Slow(100 * time.Millisecond)},
		"all limit":                 {limit(tooMany), limit(ton.LSError{Code: 228, Text: "Ratelimit"})},
		"all return passing errors": {nodetest.RefuseEvery(4, passing...), nodetest.RefuseEvery(3, passing...)},
		"holes in every archive":    {hole(0, 9), hole(10, 19), hole(20, 26)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			served := &counter{}
			for i, f := range faults {
				faults[i] = served.count(f)
			}
			_, src := newProxiedClient(t, d, faults...)
			requireSameIndex(t, src, blocks, want)
			require.LessOrEqual(t, int(served.blocks.Load()), downloads+downloads/2, "downloads; %d through honest servers", downloads)
		})
	}
	t.Run("connections break in responses", func(t *testing.T) {
		t.Parallel()
		src := openThrough(t, d, func(entry liteclient.LiteserverConfig) []liteclient.LiteserverConfig {
			first, second := nodetest.NewWire(t, entry), nodetest.NewWire(t, entry)
			first.CutAfter(200_000) // the largest block has 150,000 bytes
			second.CutAfter(300_000)
			return []liteclient.LiteserverConfig{first.Liteserver(), second.Liteserver()}
		})
		requireSameIndex(t, src, blocks, want)
	})
	t.Run("fifteen of twenty dead", func(t *testing.T) {
		t.Parallel()
		src := openThrough(t, d, func(entry liteclient.LiteserverConfig) []liteclient.LiteserverConfig {
			list := nodetest.Dead(t, 4)[:15]
			for range 5 {
				list = append(list, nodetest.NewProxy(t, entry).Liteserver())
			}
			return list
		})
		requireSameIndex(t, src, blocks, want)
	})
}

// requireSameIndex indexes all blocks and compares the digest. The indexer writes few log lines.
func requireSameIndex(t *testing.T, src *node.Client, blocks uint32, want any) {
	t.Helper()
	ctx := testContext(t)
	db := testdb.New(t)
	log := &logLines{}
	stop := start(ctx, t, indexer.New(src, db, indexer.Options{Batch: 8, Logger: slog.New(slog.NewTextHandler(log, nil))}))
	waitIndexed(ctx, t, db, 1, blocks)
	stop()
	require.Equal(t, want, any(digest(ctx, t, db)))
	require.LessOrEqual(t, log.count(), 200)
}

// openThrough opens a client whose servers are made from the devnet's entry.
func openThrough(t *testing.T, d *devnettest.Network, servers func(liteclient.LiteserverConfig) []liteclient.LiteserverConfig) *node.Client {
	t.Helper()
	config, err := d.GlobalConfig()
	require.NoError(t, err)
	c, err := node.Open(testContext(t), node.Options{
		Config: nodetest.Config(config, servers(config.Liteservers[0])...), Timeout: pacetest.Slow * time.Second, BrokenPause: 20 * time.Millisecond,
	})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// counter counts the blocks that servers return.
type counter struct{ blocks atomic.Int64 }

func (c *counter) count(f nodetest.Fault) nodetest.Fault {
	return func(ctx context.Context, query tl.Serializable, next nodetest.Handler) tl.Serializable {
		var response tl.Serializable
		if f == nil {
			response = next(ctx, query)
		} else {
			response = f(ctx, query, next)
		}
		if _, ok := response.(ton.BlockData); ok {
			c.blocks.Add(1)
		}
		return response
	}
}

// logLines counts lines.
type logLines struct {
	mu sync.Mutex
	n  int
}

func (l *logLines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n += bytes.Count(b, []byte("\n"))
	return len(b), nil
}

func (l *logLines) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}
