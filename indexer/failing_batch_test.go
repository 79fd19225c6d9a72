package indexer_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// A block of the past that the database refuses keeps neither the newest blocks nor the rest of the past from being indexed, without a new
// session, and is written when it can be.
func TestRefill_FailingBatchStopsNothingElse(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 60)
	db := testdb.New(t)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	exec := func(statement string) {
		_, err := handle.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	exec(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'this block is refused'; END $$`)
	exec(`CREATE TRIGGER refuse BEFORE INSERT ON blocks FOR EACH ROW WHEN (NEW.mc_seqno = 20) EXECUTE FUNCTION refuse()`)
	run(ctx, t, d.Client, db, 59, 60, indexer.Options{From: from(t, "-2")})

	lines := &lineCounter{}
	x := indexer.New(d.Client, db, indexer.Options{From: from(t, "1"), Batch: 8, Group: 1, Recheck: 50 * time.Millisecond, Logger: slog.New(lines)})
	stop := start(ctx, t, x)
	waitRanges := func(want ...chain.SeqnoRange) {
		waitUntil(ctx, t, "the indexed ranges", func() bool {
			ranges, err := db.Reader().Ranges(ctx)
			return err == nil && len(ranges) == len(want) && ranges[0] == want[0] && ranges[len(want)-1] == want[len(want)-1]
		})
	}
	waitRanges(chain.SeqnoRange{First: 1, Last: 19}, chain.SeqnoRange{First: 24, Last: 60}) // 16 to 23 are one batch
	d.AdvanceTo(t, 100)
	waitRanges(chain.SeqnoRange{First: 1, Last: 19}, chain.SeqnoRange{First: 24, Last: 100})
	require.Empty(t, x.Status().Trouble, "the index serves the newest blocks")
	require.Zero(t, lines.count("indexing interrupted"))
	require.Positive(t, lines.count("old blocks cannot be written"))
	exec(`DROP TRIGGER refuse ON blocks`)
	waitIndexed(ctx, t, db, 1, 100)
	stop()
	requireEqualsOneRun(ctx, t, d, db, 100)
}

// Where nothing can be written, a pass over the gaps ends soon.
func TestRefill_PassEndsWhenEverythingFails(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 60)
	db := testdb.New(t)
	run(ctx, t, d.Client, db, 59, 60, indexer.Options{From: from(t, "-2")})
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	for _, statement := range []string{
		`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'this block is refused'; END $$`,
		`CREATE TRIGGER refuse BEFORE INSERT ON blocks FOR EACH ROW EXECUTE FUNCTION refuse()`,
	} {
		_, err := handle.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	lines := &lineCounter{}
	x := indexer.New(d.Client, db, indexer.Options{From: from(t, "1"), Batch: 2, Workers: 2, Recheck: time.Hour, Logger: slog.New(lines)})
	stop := start(ctx, t, x)
	waitUntil(ctx, t, "several batches that fail", func() bool { return lines.count("old blocks cannot be written") >= indexer.MaxFailing })
	time.Sleep(200 * time.Millisecond)
	require.LessOrEqual(t, lines.count("old blocks cannot be written"), indexer.MaxFailing+2, "one more for each worker")
	stop()
}

// lineCounter counts the lines of a log by their messages.
type lineCounter struct {
	mu    sync.Mutex
	lines map[string]int
}

func (c *lineCounter) Enabled(context.Context, slog.Level) bool { return true }

func (c *lineCounter) Handle(_ context.Context, r slog.Record) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lines == nil {
		c.lines = map[string]int{}
	}
	c.lines[r.Message]++
	return nil
}

func (c *lineCounter) WithAttrs([]slog.Attr) slog.Handler { return c }
func (c *lineCounter) WithGroup(string) slog.Handler      { return c }

// count returns the number of lines whose messages begin with a text.
func (c *lineCounter) count(text string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for message, lines := range c.lines {
		if strings.HasPrefix(message, text) {
			n += lines
		}
	}
	return n
}
