package indexer_test

import (
	"bytes"
	"context"
	"database/sql"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

const (
	// sweptAfter is the number of dropped transactions after which the processes of these tests sweep.
	sweptAfter = 20
	// sweptAge is what they retain.
	sweptAge = 40 * time.Second
	// sweptAhead is the number of blocks that they lack at most: one that is older than sweptAge would never be indexed.
	sweptAhead = 15
)

// removal is what an indexer does with old data at a moment.
type removal struct {
	sweeping bool
	begun    int64 // number of the newest sweep
	dropped  uint32
}

func removalOf(ctx context.Context, t *testing.T, db *store.DB) (r removal, err error) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	return readRemoval(ctx, handle)
}

func readRemoval(ctx context.Context, handle *sql.DB) (r removal, err error) {
	err = handle.QueryRowContext(ctx, `SELECT running, number, coalesce((SELECT last FROM dropped_blocks), 0) FROM cell_sweep`).
		Scan(&r.sweeping, &r.begun, &r.dropped)
	return r, err
}

// waitRemoval waits for a sweep, or for a drop, that begins now.
func waitRemoval(ctx context.Context, t *testing.T, db *store.DB, sweep bool) {
	t.Helper()
	handle := db.SQLDB() // one for all readings: a connection for each would miss short sweeps on a slow machine
	defer func() { require.NoError(t, handle.Close()) }()
	before, read := removal{}, false
	waitUntil(ctx, t, "a removal", func() bool {
		now, err := readRemoval(ctx, handle)
		if err != nil {
			return false
		}
		if !read {
			before, read = now, true
		}
		if sweep {
			return now.sweeping && now.begun != before.begun
		}
		return now.dropped > before.dropped
	})
}

// waitRemoved waits until blocks up to last are indexed without a gap, no sweep runs, and no large trace is left in part.
func waitRemoved(ctx context.Context, t *testing.T, db *store.DB, last uint32) {
	t.Helper()
	waitUntil(ctx, t, "the head without a sweep", func() bool {
		ranges, err := db.Reader().Ranges(ctx)
		if err != nil || len(ranges) != 1 || ranges[0].Last != last {
			return false
		}
		now, err := removalOf(ctx, t, db)
		return err == nil && !now.sweeping && rowsWhere(ctx, t, db, "dropped_traces") == 0
	})
}

// requireRetained requires that an index of which blocks were dropped is, from the first retained block on, what an uninterrupted run gives,
// that no row of it lacks another one, and that one more sweep leaves hardly an unused cell.
func requireRetained(ctx context.Context, t *testing.T, d *devnettest.Network, db *store.DB, last uint32) {
	t.Helper()
	dropped, err := db.Reader().Dropped(ctx)
	require.NoError(t, err)
	require.NotZero(t, dropped.Last)
	later := chain.SeqnoRange{First: dropped.Last + 1, Last: last}
	check := func() {
		requireStateCells(ctx, t, db)
		requireNothingDangles(ctx, t, db)
		report, err := indexer.VerifyRows(ctx, db.Reader(), later, 0)
		require.NoError(t, err)
		require.True(t, report.OK(), report.String())
	}
	check()
	complete := testdb.New(t)
	run(ctx, t, d.Client, complete, 1, last, indexer.Options{})
	want, err := complete.Reader().Digest(ctx, &later)
	require.NoError(t, err)
	got, err := db.Reader().Digest(ctx, &later)
	require.NoError(t, err)
	require.Equal(t, want, got)
	if dropped.Gap == 0 {
		require.Equal(t, statesAfter(ctx, t, complete, dropped.Last), statesAfter(ctx, t, db, dropped.Last))
	} else { // a machine so slow that blocks were older than sweptAge before they were indexed: states at later blocks can be those that the gap has
		t.Logf("block %d was never indexed", dropped.Gap)
	}

	require.NoError(t, indexer.New(d.Client, db, indexer.Options{}).Sweep(ctx))
	require.LessOrEqual(t, rowsWhere(ctx, t, db, unused), maxFalsePositives)
	require.Zero(t, rowsWhere(ctx, t, db, "cell_uses"))
	check()
}

// TestSweep_SurvivesKills kills the indexing process ten times at random moments of sweeps and drops.
func TestSweep_SurvivesKills(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	kills := 10
	if pacetest.Short() {
		kills = 4
	}
	d := newNetwork(ctx, t, 60)
	url := testdb.URL(t)
	db := testdb.Open(t, url)
	run(ctx, t, d.Client, db, 1, 60, indexer.Options{})
	mined := keepMining(ctx, t, d, pacetest.Slow*250*time.Millisecond, db, sweptAhead)
	binary, err := os.Executable()
	require.NoError(t, err)
	inSweep, inDrop := 0, 0
	for i := range kills + 1 {
		var out bytes.Buffer
		cmd := exec.CommandContext(ctx, binary, "-test.run=^$")
		cmd.Env = append(os.Environ(), childDatabase+"="+url, childConfig+"="+d.GlobalConfigPath(), childKeep+"="+sweptAge.String())
		cmd.Stdout, cmd.Stderr = &out, &out
		require.NoError(t, cmd.Start())
		if i == kills {
			last := mined()
			waitRemoved(ctx, t, db, last)
			require.NoError(t, cmd.Process.Kill())
			_ = cmd.Wait()
			require.Zero(t, bytes.Count(out.Bytes(), []byte("indexing interrupted")), out.String())
			t.Logf("%d kills in a sweep, %d between", inSweep, inDrop)
			require.Positive(t, inSweep)
			requireRetained(ctx, t, d, db, last)
			break
		}
		waitRemoval(ctx, t, db, i%2 == 0)
		<-time.After(time.Duration(rand.IntN(60)) * time.Millisecond)
		require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
		require.ErrorContains(t, cmd.Wait(), "killed", out.String())
		now, err := removalOf(ctx, t, db)
		require.NoError(t, err)
		if now.sweeping {
			inSweep++
		} else {
			inDrop++
		}
	}
}

// TestSweep_SurvivesFailovers indexes and removes old data through six failovers in sweeps, of which three lose the newest commits: some the
// begin of the sweep, too.
func TestSweep_SurvivesFailovers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	failovers := 6
	if pacetest.Short() {
		failovers = 2
	}
	d := newNetwork(ctx, t, 60)
	c := pgclustertest.Start(t, pgcluster.Options{Standbys: 1})
	db := pgclustertest.Open(t, c)
	run(ctx, t, d.Client, db, 1, 60, indexer.Options{})
	mined := keepMining(ctx, t, d, pacetest.Slow*250*time.Millisecond, db, sweptAhead)
	x := indexer.New(d.Client, db, indexer.Options{
		Keep: chain.Retention{Age: sweptAge}, Recheck: 10 * time.Millisecond, Batch: 8, Logger: logger(t),
	})
	x.SetMinSweep(sweptAfter)
	stop := start(ctx, t, x)
	lostBegins := 0
	for round := range failovers {
		standby := c.Servers()[(round+1)%2]
		lossy := round%2 == 0
		require.NoError(t, c.SetSynchronous(ctx, !lossy))
		if lossy && round%4 == 0 {
			require.NoError(t, standby.Detach(ctx)) // before the sweep begins
		}
		waitRemoval(ctx, t, db, true)
		if lossy {
			require.NoError(t, standby.Detach(ctx))
		}
		<-time.After(time.Duration(rand.IntN(60)) * time.Millisecond)
		before, err := removalOf(ctx, t, db)
		require.NoError(t, err)
		require.NoError(t, c.Primary().Kill(ctx))
		require.NoError(t, c.Promote(ctx, standby))
		require.NoError(t, c.SetSynchronous(ctx, false))
		after, err := removalOf(ctx, t, pgclustertest.Open(t, c))
		require.NoError(t, err)
		if after.begun < before.begun {
			lostBegins++
		}
		waitRemoval(ctx, t, db, false)
		require.NoError(t, c.Rebuild(ctx, c.Servers()[round%2]))
	}
	last := mined()
	waitRemoved(ctx, t, db, last)
	stop()
	t.Logf("%d begins of sweeps lost", lostBegins)
	requireRetained(ctx, t, d, db, last)
}
