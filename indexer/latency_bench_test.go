package indexer_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/devnet"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/testdb"
)

// BenchmarkFollow_BlockToRow follows a network that makes five masterchain blocks a second, each with chains of shard blocks, for b.N
// blocks. It reports the time from a masterchain block being available at the liteserver to the notification of the commit
// of its rows. Blocks that wait are committed together, up to 20. The network, its liteserver and PostgreSQL run on the same processors.
func BenchmarkFollow_BlockToRow(b *testing.B) {
	ctx := testContext(b)
	n := devnettest.Start(ctx, b, devnettest.Options{Devnet: devnet.Options{
		Seed: testSeed(), Scenario: true, ActionsPerMinute: 900, ShardPeriod: 40, ShardBlocks: 4, Interval: 200 * time.Millisecond,
	}, Node: nodeOptions})
	db := testdb.New(b)
	n.Index(b, db, indexer.Options{Group: 20, Logger: logger(b)})
	rows := newArrivals()
	listening, cancel := context.WithCancel(ctx)
	defer cancel()
	var listener sync.WaitGroup
	listener.Go(func() { db.Listen(listening, rows.add, nil) })
	const warm = 25 // blocks until caches are filled
	first := n.Head() + warm
	last := first + uint32(b.N)
	blocks := newArrivals()
	for seqno := first; seqno <= last; seqno++ {
		require.NoError(b, n.Chain.WaitSeqno(ctx, seqno))
		blocks.add(n.Head())
	}
	waitUntil(ctx, b, "the rows of the last block", func() bool { return !rows.of(last).IsZero() })
	cancel()
	listener.Wait()
	took := make([]time.Duration, 0, b.N)
	for seqno := first; seqno < last; seqno++ {
		took = append(took, rows.of(seqno).Sub(blocks.of(seqno)))
	}
	slices.Sort(took)
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(milliseconds(took[len(took)/2]), "ms-p50")
	b.ReportMetric(milliseconds(took[len(took)*99/100]), "ms-p99")
	b.ReportMetric(milliseconds(took[len(took)-1]), "ms-max")
}

// arrivals are the times at which blocks were first known to be there. A block implies all before it.
type arrivals struct {
	mu sync.Mutex
	at map[uint32]time.Time
	up uint32 // the highest
}

func newArrivals() *arrivals { return &arrivals{at: map[uint32]time.Time{}} }

func (a *arrivals) add(seqno uint32) {
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	for ; a.up < seqno; a.up++ {
		a.at[a.up+1] = now
	}
}

func (a *arrivals) of(seqno uint32) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.at[seqno]
}
