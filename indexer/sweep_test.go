package indexer_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// lacking are conditions under which a state lacks its code or data.
var lacking = map[string]string{
	"accounts": `accounts s WHERE NOT EXISTS (SELECT FROM cells c WHERE c.hash = s.code_hash) AND s.code_hash IS NOT NULL
		OR NOT EXISTS (SELECT FROM cells c WHERE c.hash = s.data_hash) AND s.data_hash IS NOT NULL`,
	"account states": `account_states s WHERE NOT EXISTS (SELECT FROM cells c WHERE c.hash = s.code_hash) AND s.code_hash IS NOT NULL
		OR NOT EXISTS (SELECT FROM cells c WHERE c.hash = s.data_hash) AND s.data_hash IS NOT NULL`,
	"transactions": `transactions t WHERE get_byte(t.states, 0) & 3 = 3 AND (NOT EXISTS (SELECT FROM cells c WHERE c.hash = substr(t.states, 2, 32))
		OR NOT EXISTS (SELECT FROM cells c WHERE c.hash = substr(t.states, 34, 32)))`,
}

// unused are cells whose hash is nowhere.
const unused = `cells c WHERE NOT EXISTS (SELECT FROM accounts s WHERE c.hash IN (s.code_hash, s.data_hash))
	AND NOT EXISTS (SELECT FROM account_states s WHERE c.hash IN (s.code_hash, s.data_hash) OR position(c.hash IN s.rest) > 0)
	AND NOT EXISTS (SELECT FROM transactions t WHERE position(c.hash IN t.states) > 0)
	AND NOT EXISTS (SELECT FROM cells p WHERE p.hash <> c.hash AND position(c.hash IN p.boc) > 0)`

func rowsWhere(ctx context.Context, t *testing.T, db *store.DB, rows string) (n int) {
	t.Helper()
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	require.NoError(t, sql.QueryRowContext(ctx, `SELECT count(*) FROM `+rows).Scan(&n))
	return n
}

func requireStateCells(ctx context.Context, t *testing.T, db *store.DB) {
	t.Helper()
	for name, rows := range lacking {
		require.Zero(t, rowsWhere(ctx, t, db, rows), name)
	}
}

// maxFalsePositives is a number of unused rows of a thousand that hardly ever stay.
const maxFalsePositives = 8

// After old blocks were dropped and unused cells removed, all later blocks can be built from their rows, and hardly a cell is left that no
// state refers to.
func TestSweep_LaterBlocksHaveTheirCells(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	src, db := newIndex(ctx, t, retainBlocks)
	x := indexer.New(src, db, indexer.Options{})
	before := rowsWhere(ctx, t, db, "cells")
	require.NoError(t, x.Sweep(ctx))
	require.Equal(t, before, rowsWhere(ctx, t, db, "cells"), "all are in use")

	drop(ctx, t, db, dropAt, 100)
	garbage := rowsWhere(ctx, t, db, unused)
	require.Greater(t, garbage, before/10)
	requireStateCells(ctx, t, db)
	require.NoError(t, x.Sweep(ctx))
	require.LessOrEqual(t, rowsWhere(ctx, t, db, "cells"), before-garbage+maxFalsePositives)
	require.LessOrEqual(t, rowsWhere(ctx, t, db, unused), maxFalsePositives)
	requireStateCells(ctx, t, db)
	later := chain.SeqnoRange{First: dropAt + 1, Last: retainBlocks}
	report, err := indexer.VerifyRows(ctx, db.Reader(), later, 0)
	require.NoError(t, err)
	require.True(t, report.OK(), report.String())
	requireVerified(ctx, t, src, db, later.First, later.Last)
}

// An indexer that retains a number of transactions removes cells while it follows the head and another process fills: nothing that is in use is
// lost, and runs that are older than a sweep begin anew.
func TestSweep_BesideTwoIndexers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	d := newNetwork(ctx, t, 40)
	url := testdb.URL(t)
	db, other := testdb.Open(t, url), testdb.Open(t, url)
	x := indexer.New(d.Client, db, indexer.Options{
		Keep: chain.Retention{Age: 20 * time.Second}, Recheck: 10 * time.Millisecond, From: from(t, "latest"), Logger: logger(t),
	})
	x.SetMinSweep(30)
	stop := start(ctx, t, x)
	statement(ctx, t, db, `CREATE TABLE begun (); CREATE FUNCTION begun() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO begun DEFAULT VALUES; RETURN NULL; END';
		CREATE TRIGGER begun AFTER UPDATE OF number ON cell_sweep EXECUTE FUNCTION begun()`)
	sweeps := func() int { return rowsWhere(ctx, t, db, "begun") }
	filled := make(chan error, 1)
	fill := func(last uint32) {
		filled <- indexer.New(d.Client, other, indexer.Options{From: from(t, "1"), Logger: logger(t)}).Fill(ctx, last)
	}
	head := uint32(40)
	for head < 240 || sweeps() < 3 { // the chain's time passes with its blocks only, and with it what is too old
		head += 40
		go fill(head - 40)
		d.AdvanceTo(t, head)
		waitUntil(ctx, t, "the head", func() bool {
			ranges, err := db.Reader().Ranges(ctx)
			return err == nil && len(ranges) > 0 && ranges[len(ranges)-1].Last == head
		})
		if err := <-filled; err != nil {
			require.ErrorContains(t, err, "were dropped", "it is too old by now")
		}
	}
	waitUntil(ctx, t, "the end of a sweep", func() bool {
		return rowsWhere(ctx, t, db, "cell_sweep WHERE NOT running") == 1
	})
	stop()
	requireStateCells(ctx, t, db)
	ranges, err := db.Reader().Ranges(ctx)
	require.NoError(t, err)
	newest := ranges[len(ranges)-1]
	require.Equal(t, head, newest.Last)
	report, err := indexer.VerifyRows(ctx, db.Reader(), newest, 0)
	require.NoError(t, err)
	require.True(t, report.OK(), report.String())
	require.Zero(t, rowsWhere(ctx, t, db, "cell_uses"))
}
