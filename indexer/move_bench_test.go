package indexer_test

import (
	"context"
	"database/sql"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/moves"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// movedTables are those that the move of transactions changes.
var movedTables = []string{"transactions", "transaction_bocs", "account_states"}

// BenchmarkMover moves the transactions of an earlier version, beside a writer of five blocks a second. It reports the rows that it
// moves a second, the time in which a block is written before and meanwhile, and the bytes of the tables: before, after, after VACUUM,
// and after VACUUM FULL. TONQL_MOVE_TRANSACTIONS is the number of transactions.
func BenchmarkMover(b *testing.B) {
	o := synthetic.Full()
	o.BOCs, o.Cells = true, true
	n := 40_000
	if text := os.Getenv("TONQL_MOVE_TRANSACTIONS"); text != "" {
		var err error
		n, err = strconv.Atoi(text)
		require.NoError(b, err)
	}
	for b.Loop() {
		benchmarkMover(b, synthetic.New(o), n)
	}
}

func benchmarkMover(b *testing.B, c *synthetic.Chain, transactions int) {
	b.Helper()
	db := testdb.New(b)
	for written := 0; written < transactions; {
		blocks, n := c.Batch(100)
		require.NotZero(b, n)
		storetest.Apply(b, db.Writer(), blocks)
		written += n
	}
	live, _ := c.Batch(2000)
	storetest.AsBefore(b, db)
	handle := db.SQLDB()
	defer func() { require.NoError(b, handle.Close()) }()
	sizes := func(when string, statements ...string) {
		for _, table := range movedTables {
			for _, s := range statements {
				_, err := handle.ExecContext(b.Context(), s+" "+table)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(size(b, handle, table))/(1<<20), "MiB-"+table+"-"+when)
		}
	}
	sizes("before", "VACUUM (FULL, ANALYZE)")
	_, err := handle.ExecContext(b.Context(), "CHECKPOINT")
	require.NoError(b, err)

	quiet := applyEach(b, db, live[:25], func() bool { return true })
	done := make(chan struct{})
	var slowest time.Duration
	rows, start := 0, time.Now()
	mover := indexer.NewMover(db.Writer(), indexer.MoveOptions{Progress: func(_ string, step moves.Step) {
		rows += step.Rows
		slowest = max(slowest, step.Locked)
	}})
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var took time.Duration
	go func() {
		defer close(done)
		_ = mover.Move(ctx) // ends early only with ctx
		took = time.Since(start)
	}()
	beside := applyEach(b, db, live[25:], func() bool {
		select {
		case <-done:
			return false
		default:
			return true
		}
	})
	<-done
	require.GreaterOrEqual(b, rows, transactions)
	b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
	b.ReportMetric(float64(slowest.Microseconds())/1000, "ms-locked-max")
	for name, times := range map[string][]time.Duration{"quiet": quiet, "moving": beside} {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-block-median-"+name)
		b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "ms-block-95th-"+name)
		b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, "ms-block-max-"+name)
	}
	sizes("after")
	sizes("vacuumed", "VACUUM")
	sizes("full", "VACUUM FULL")
}

// applyEach writes a block every 200 ms while more is true, and returns how long each took.
func applyEach(b *testing.B, db *store.DB, blocks []*chain.MasterBlock, more func() bool) (times []time.Duration) {
	b.Helper()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for _, mb := range blocks {
		if !more() {
			break
		}
		<-tick.C
		start := time.Now()
		storetest.Apply(b, db.Writer(), []*chain.MasterBlock{mb})
		times = append(times, time.Since(start))
	}
	return times
}

func size(b *testing.B, handle *sql.DB, table string) (n int64) {
	b.Helper()
	require.NoError(b, handle.QueryRowContext(b.Context(), `SELECT pg_total_relation_size($1)`, table).Scan(&n))
	return n
}
