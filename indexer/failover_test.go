package indexer_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
)

// TestIndex_SurvivesFailovers indexes through ten failovers: five to a standby that lacks the newest blocks, five with synchronous
// commits, all at random moments. The indexer runs on; in the end the database equals that of one uninterrupted run.
func TestIndex_SurvivesFailovers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	failovers, blocks := 10, uint32(60)
	if pacetest.Short() {
		failovers, blocks = 2, 30
	}
	d := newNetwork(ctx, t, blocks)
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	db := pgclustertest.Open(t, c)
	mined := keepMining(ctx, t, d, pacetest.Slow*100*time.Millisecond, db, blocks)
	stop := start(ctx, t, indexer.New(d.Client, db, indexer.Options{Batch: 4, Logger: logger(t)}))
	head := func() (seqno uint32) {
		ranges, err := db.Reader().Ranges(ctx)
		if err == nil && len(ranges) > 0 {
			seqno = ranges[len(ranges)-1].Last
		}
		return seqno
	}
	advance := func(n uint32) {
		from := head()
		waitUntil(ctx, t, "blocks", func() bool { return head() >= from+n })
	}
	for round := range failovers {
		standby := c.Servers()[(round+1)%2]
		advance(1)
		if round%2 == 0 {
			require.NoError(t, standby.Detach(ctx))
			advance(12)
		} else {
			require.NoError(t, c.SetSynchronous(ctx, true))
			advance(2)
		}
		<-time.After(time.Duration(rand.IntN(200)) * time.Millisecond)
		require.NoError(t, c.Primary().Kill(ctx))
		require.NoError(t, c.Promote(ctx, standby))
		require.NoError(t, c.SetSynchronous(ctx, false))
		advance(2)
		require.NoError(t, c.Rebuild(ctx, c.Servers()[round%2]))
	}
	last := mined()
	waitIndexed(ctx, t, db, 1, last)
	stop()
	requireEqualsOneRun(ctx, t, d, db, last)
}

// gauge returns the value of a metric without labels.
func gauge(t *testing.T, metrics prometheus.Gatherer, name string) float64 {
	t.Helper()
	families, err := metrics.Gather()
	require.NoError(t, err)
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	require.Failf(t, "no metric", "%s", name)
	return 0
}

// While the database is lost no session runs, and the metrics that alerts compare show how far the index falls behind.
func TestIndex_LagGrowsWhileTheDatabaseIsLost(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 5)
	c := pgclustertest.Start(t, pgcluster.Options{})
	db := pgclustertest.Open(t, c)
	metrics := prometheus.NewRegistry()
	x := indexer.New(d.Client, db, indexer.Options{Logger: logger(t), Registerer: metrics})
	start(ctx, t, x)
	waitIndexed(ctx, t, db, 1, 5)
	waitUntil(ctx, t, "no lag", func() bool {
		return gauge(t, metrics, "tonql_indexer_indexed_seqno") == 5 && gauge(t, metrics, "tonql_indexer_lag_blocks") == 0
	})

	require.NoError(t, c.Primary().Kill(ctx))
	d.AdvanceTo(t, 9)
	age := gauge(t, metrics, "tonql_indexer_lag_seconds")
	waitUntil(ctx, t, "the lag", func() bool {
		return gauge(t, metrics, "tonql_indexer_lag_blocks") == 4 && gauge(t, metrics, "tonql_indexer_lag_seconds") > age
	})
	require.NotEmpty(t, x.Status().Trouble)
	require.NotEqual(t, indexer.Standby, x.Status().State, "no other process indexes")

	require.NoError(t, c.Primary().Restart(ctx))
	waitIndexed(ctx, t, db, 1, 9)
	waitUntil(ctx, t, "no lag", func() bool { return gauge(t, metrics, "tonql_indexer_lag_blocks") == 0 })
}
