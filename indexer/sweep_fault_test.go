package indexer_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// logged records log messages. Safe for concurrent use.
type logged struct {
	mu    sync.Mutex
	lines []string
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(p))
	return len(p), nil
}

func (l *logged) count(text string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// interruptions returns the lines of sessions that ended, without those that a connection ended: on a busy machine the driver
// reports the deadline of a statement before, which was cancelled.
func (l *logged) interruptions() (lines []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.lines {
		if strings.Contains(line, "indexing interrupted") && !strings.Contains(line, "i/o timeout") {
			lines = append(lines, line)
		}
	}
	return lines
}

// statement runs a statement on the database of a test.
func statement(ctx context.Context, t *testing.T, db *store.DB, sql string) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err := handle.ExecContext(ctx, sql)
	require.NoError(t, err, sql)
}

// openLimited opens a database for writing, and for reading as a role that may read everything but verification_counts, until grant is called.
func openLimited(ctx context.Context, t *testing.T, dsn string) (db *store.DB, grant func()) {
	t.Helper()
	admin := testdb.Open(t, dsn)
	role := fmt.Sprintf("tonql_test_reader_%x", time.Now().UnixNano())
	statement(ctx, t, admin, `CREATE ROLE `+role)
	t.Cleanup(func() {
		statement(context.WithoutCancel(ctx), t, admin, `DROP OWNED BY `+role+`; DROP ROLE `+role)
	})
	statement(ctx, t, admin, `GRANT USAGE ON SCHEMA public TO `+role+`; GRANT SELECT ON ALL TABLES IN SCHEMA public TO `+role+
		`; REVOKE SELECT ON verification_counts FROM `+role)
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	q := u.Query()
	q.Set("role", role)
	u.RawQuery = q.Encode()
	db, err = store.Open(ctx, store.Config{WriteURL: dsn, ReadURLs: []string{u.String()}, MaxReadConns: 4, MaxWriteConns: 4})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db, func() { statement(ctx, t, admin, `GRANT SELECT ON verification_counts TO `+role) }
}

// A sweep of which nobody knows whether it is due is no reason to end a session: new blocks are indexed and old ones dropped meanwhile, and
// cells are swept as soon as it is known.
func TestSweep_StateThatCannotBeReadEndsNoSession(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 60)
	db, grant := openLimited(ctx, t, testdb.URL(t))
	log := &logged{}
	x := indexer.New(d.Client, db, indexer.Options{
		Keep: chain.Retention{Age: 20 * time.Second}, Recheck: 10 * time.Millisecond, From: from(t, "1"),
		Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
	x.SetMinSweep(30)
	stop := start(ctx, t, x)
	defer stop()
	head := func(seqno uint32) {
		d.AdvanceTo(t, seqno)
		waitUntil(ctx, t, "the head", func() bool {
			ranges, err := db.Reader().Ranges(ctx)
			return err == nil && len(ranges) > 0 && ranges[len(ranges)-1].Last == seqno
		})
	}
	head(100)
	waitUntil(ctx, t, "a drop", func() bool { return log.count("permission denied for table verification_counts") > 0 })
	before, err := db.Reader().Dropped(ctx)
	require.NoError(t, err)
	head(140)
	waitUntil(ctx, t, "another drop", func() bool {
		now, err := db.Reader().Dropped(ctx)
		return err == nil && now.Last > before.Last
	})
	require.Empty(t, log.interruptions())
	require.Zero(t, log.count("unused cells removed"))
	grant()
	waitUntil(ctx, t, "a sweep", func() bool { return log.count("unused cells removed") > 0 })
	stop()
	require.Empty(t, log.interruptions())
	requireStateCells(ctx, t, db)
}

// A sweep that ended with its process is ended where nothing is dropped any more, however long that fails: otherwise writers would record
// the cells of all blocks for ever.
func TestSweep_UnfinishedOneEndsWithoutRetention(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 20)
	dsn := testdb.URL(t)
	db := testdb.Open(t, dsn)
	_, err := testdb.Open(t, dsn).Writer().BeginSweep(ctx)
	require.NoError(t, err)
	statement(ctx, t, db, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''full''; END';
		CREATE TRIGGER refuse BEFORE UPDATE ON cell_sweep EXECUTE FUNCTION refuse()`)
	log := &logged{}
	stop := start(ctx, t, indexer.New(d.Client, db, indexer.Options{Logger: slog.New(slog.NewTextHandler(log, nil))}))
	defer stop()
	waitIndexed(ctx, t, db, 1, 20)
	waitUntil(ctx, t, "a failed end", func() bool { return log.count("removal of unused cells failed, retrying") > 0 })
	require.Positive(t, rowsWhere(ctx, t, db, "cell_uses"))
	statement(ctx, t, db, `DROP TRIGGER refuse ON cell_sweep`)
	waitUntil(ctx, t, "the end", func() bool { return rowsWhere(ctx, t, db, "cell_sweep WHERE NOT running") == 1 })
	require.Zero(t, rowsWhere(ctx, t, db, "cell_uses"))
	require.Empty(t, log.interruptions())
}
