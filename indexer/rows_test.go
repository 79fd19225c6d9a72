package indexer_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

func requireRows(ctx context.Context, t *testing.T, db *store.DB, first, last uint32) indexer.Report {
	t.Helper()
	report, err := indexer.VerifyRows(ctx, db.Reader(), chain.SeqnoRange{First: first, Last: last}, 2)
	require.NoError(t, err)
	require.True(t, report.OK(), report.String())
	return report
}

// TestVerifyRows_LocalChainIsRebuilt checks a chain with key blocks, splits and merges without its network, also where the index
// begins in the middle and has a gap.
func TestVerifyRows_LocalChainIsRebuilt(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	const blocks = 120
	src, db := newIndex(ctx, t, blocks)
	report := requireRows(ctx, t, db, 1, blocks)
	require.Equal(t, report.Blocks, report.Rebuilt)
	require.Greater(t, report.Rebuilt, 2*blocks)
	require.Greater(t, report.Accounts, 1500)
	require.Equal(t, report.Transactions, countRows(ctx, t, db, "transactions"))
	require.Equal(t, report.Accounts, countRows(ctx, t, db, "account_states")+countRows(ctx, t, db, "transactions"))

	late := testdb.New(t)
	run(ctx, t, src, late, 50, blocks, indexer.Options{From: from(t, "50")})
	requireRows(ctx, t, late, 50, blocks)
	proven := testdb.New(t)
	run(ctx, t, src, proven, 1, blocks, indexer.Options{Verify: indexer.Proof})
	requireRows(ctx, t, proven, 1, blocks)
}

func TestVerifyRows_LargeMainnetBlockIsRebuilt(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	fat := mainnet.OpenFatBlock(t)
	db := testdb.New(t)
	seqno := fat.Raw.Master.ID.Seqno
	run(ctx, t, fat, db, seqno, seqno, indexer.Options{From: from(t, "latest")})
	report, err := indexer.VerifyRows(ctx, db.Reader(), chain.SeqnoRange{First: seqno, Last: seqno}, 1)
	require.NoError(t, err)
	// The masterchain block of the recording is made for tests: it commits no shard block.
	for _, d := range report.Differences {
		require.Contains(t, []string{"shards", "blocks"}, d.Table, d.String())
	}
	require.Equal(t, 2, report.Rebuilt)
	require.Equal(t, fat.TxCount, report.Transactions)
	require.GreaterOrEqual(t, report.Accounts, fat.TxCount)
}

func countRows(ctx context.Context, t *testing.T, db *store.DB, table string) (n int) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	require.NoError(t, handle.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&n))
	return n
}

// TestComplete_BlocksOfEarlierVersionsAreCompleted removes what earlier versions did not store. Until it is added, the report counts
// what could not be checked.
func TestComplete_BlocksOfEarlierVersionsAreCompleted(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 40
	src, url := newIndexURL(ctx, t, blocks)
	db, other := testdb.Open(t, url), testdb.Open(t, url)
	want := digest(ctx, t, db)
	storetest.MoveStatesOut(t, db)
	require.Equal(t, want, digest(ctx, t, db))
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	exec := func(statement string) {
		_, err := handle.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	within := chain.SeqnoRange{First: 1, Last: blocks}
	exec(`CREATE TABLE saved AS SELECT account, lt, rest FROM account_states`)
	exec(`UPDATE account_states SET rest = NULL WHERE (account, lt) IN (SELECT account, lt FROM transactions WHERE mc_seqno = 12)`)
	report, err := indexer.VerifyRows(ctx, db.Reader(), within, 2)
	require.NoError(t, err)
	require.Empty(t, report.Differences)
	require.Positive(t, report.Incomplete)
	require.False(t, report.OK())
	exec(`UPDATE account_states s SET rest = o.rest FROM saved o WHERE o.account = s.account AND o.lt = s.lt`)
	requireRows(ctx, t, db, 1, blocks)

	exec(`DELETE FROM frames f USING blocks b WHERE b.workchain = f.workchain AND b.shard = f.shard AND b.seqno = f.seqno AND b.mc_seqno <= 10`)
	exec(`UPDATE account_states s SET rest = NULL WHERE EXISTS (
		SELECT FROM transactions t WHERE t.account = s.account AND s.lt <= t.lt AND t.mc_seqno <= 10)`)
	report, err = indexer.VerifyRows(ctx, db.Reader(), within, 2)
	require.NoError(t, err)
	require.Empty(t, report.Differences)
	require.False(t, report.OK())
	require.GreaterOrEqual(t, report.Unframed, 20)
	require.Contains(t, report.String(), fmt.Sprintf("%d blocks without a frame, %d account states without a rest", report.Unframed, report.Incomplete))

	online, err := indexer.New(src, db, indexer.Options{}).VerifyRange(ctx, within)
	require.NoError(t, err)
	require.True(t, online.OK(), online.String())
	require.Equal(t, report.Unframed, online.Unframed)

	var last indexer.Completion
	done, err := indexer.New(src, db, indexer.Options{}).Complete(ctx, within, func(c indexer.Completion) {
		last = c
		if c.McSeqno == 4 { // the run begins anew, because an indexer removes unused cells
			_, err := other.Writer().BeginSweep(ctx)
			require.NoError(t, err)
			require.NoError(t, other.Writer().EndSweep(ctx))
		}
	})
	require.NoError(t, err)
	require.Equal(t, last, done)
	require.EqualValues(t, report.Unframed, done.Blocks)
	require.Equal(t, uint32(10), done.McSeqno)
	require.Positive(t, done.States)
	require.Equal(t, want, digest(ctx, t, db))
	requireRows(ctx, t, db, 1, blocks)
	done, err = indexer.New(src, db, indexer.Options{}).Complete(ctx, within, nil)
	require.NoError(t, err)
	require.Zero(t, done)

	// Blocks that have frames and states without a rest: the state before a transaction, where the index begins, and those after.
	exec(`UPDATE account_states s SET rest = NULL WHERE NOT EXISTS (SELECT FROM transactions t WHERE t.account = s.account AND t.lt = s.lt)`)
	exec(`UPDATE account_states SET rest = NULL WHERE (account, lt) IN (SELECT account, lt FROM transactions WHERE mc_seqno IN (12, 14, 20))`)
	var seqnos []uint32
	done, err = indexer.New(src, db, indexer.Options{}).Complete(ctx, chain.SeqnoRange{First: 13, Last: blocks}, func(c indexer.Completion) {
		seqnos = append(seqnos, c.McSeqno)
	})
	require.NoError(t, err)
	require.Zero(t, done.Blocks)
	require.Positive(t, done.States)
	require.Subset(t, seqnos, []uint32{14, 20})
	require.NotContains(t, seqnos, uint32(12))
	requireRows(ctx, t, db, 13, blocks)
	require.NotEqual(t, want, digest(ctx, t, db))

	// A run that is cancelled leaves complete blocks, and the next one completes the others.
	exec(`DELETE FROM frames`)
	stopped, cancel := context.WithCancel(ctx)
	first, err := indexer.New(src, db, indexer.Options{}).Complete(stopped, within, func(c indexer.Completion) {
		if c.McSeqno == 5 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, first.McSeqno, uint32(5))
	require.Less(t, first.McSeqno, uint32(blocks))
	requireRows(ctx, t, db, 1, first.McSeqno)
	second, err := indexer.New(src, db, indexer.Options{}).Complete(ctx, chain.SeqnoRange{First: first.McSeqno + 1, Last: blocks}, func(indexer.Completion) {})
	require.NoError(t, err)
	require.EqualValues(t, countRows(ctx, t, db, "frames"), first.Blocks+second.Blocks)
	require.Equal(t, want, digest(ctx, t, db))
	requireRows(ctx, t, db, 1, blocks)
}

// TestVerifyRows_MissingShardBlockIsFound moves a shard block to a masterchain block that does not exist, also of the first one.
func TestVerifyRows_MissingShardBlockIsFound(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	const blocks = 5
	db := testdb.New(t)
	run(ctx, t, newNetwork(ctx, t, blocks).Client, db, 1, blocks, indexer.Options{})
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	move := func(from, to int64) int64 {
		result, err := handle.ExecContext(ctx, `UPDATE blocks SET mc_seqno = $2 WHERE mc_seqno = $1 AND workchain = 0`, from, to)
		require.NoError(t, err)
		n, err := result.RowsAffected()
		require.NoError(t, err)
		return n
	}
	for seqno := uint32(1); seqno <= blocks; seqno++ {
		const nowhere = 1 << 31
		if move(int64(seqno), nowhere) == 0 {
			require.Greater(t, seqno, uint32(1), "the first masterchain block commits a shard block")
			continue
		}
		report, err := indexer.VerifyRows(ctx, db.Reader(), chain.SeqnoRange{First: seqno, Last: seqno}, 1)
		require.NoError(t, err)
		require.False(t, report.OK(), seqno)
		move(nowhere, int64(seqno))
	}
	requireRows(ctx, t, db, 1, blocks)
}

// damaged are the tables whose rows are changed one at a time, with the masterchain blocks that find the change: those that the row
// of the table, t, belongs to, and the one after.
var damaged = map[string]string{
	"blocks": `SELECT t.mc_seqno`,
	"frames": `SELECT b.mc_seqno FROM blocks b WHERE b.workchain = t.workchain AND b.shard = t.shard AND b.seqno = t.seqno`,
	"shards": `SELECT t.mc_seqno`, "configs": `SELECT min(b.seqno) FROM blocks b WHERE b.workchain = -1 AND b.seqno >= t.mc_seqno
		AND EXISTS (SELECT FROM transactions x WHERE x.mc_seqno = b.seqno)`,
	"transactions":   `SELECT t.mc_seqno`,
	"messages":       `SELECT x.mc_seqno FROM transactions x WHERE x.hash IN (t.src_tx_hash, t.dst_tx_hash)`,
	"account_states": `SELECT x.mc_seqno FROM transactions x WHERE x.account = t.account AND x.lt >= t.lt ORDER BY x.lt LIMIT 2`,
	"accounts":       `SELECT x.mc_seqno FROM transactions x WHERE x.account = t.account AND x.lt = t.lt`,
	"cells": `SELECT x.mc_seqno FROM (
			WITH RECURSIVE trees(hash) AS (SELECT t.hash UNION SELECT c.hash FROM trees JOIN cells c ON position(trees.hash IN c.boc) > 0)
			SELECT account, lt FROM trees h JOIN account_states s ON h.hash IN (s.code_hash, s.data_hash) OR position(h.hash IN s.rest) > 0
			UNION ALL SELECT account, lt FROM trees h JOIN transactions s ON position(h.hash IN states) > 0
		) s JOIN transactions x ON x.account = s.account AND x.lt >= s.lt ORDER BY x.lt - s.lt LIMIT 2`,
	"dictionaries": `SELECT 1`, "libraries": `SELECT 1`, // every range checks them
}

// notFound are the columns whose change the rows do not show.
var notFound = map[string]string{
	"transactions.verification": "the result of our execution, which the rows repeat only for mismatches and unverified transactions",
}

// TestVerifyRows_EveryChangeOfARowIsFound changes one random column of one random row at a time, and undoes the change.
func TestVerifyRows_EveryChangeOfARowIsFound(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*8*time.Minute)
	t.Cleanup(cancel)
	const blocks = 60
	_, db := newIndex(ctx, t, blocks)
	requireRows(ctx, t, db, 1, blocks)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })

	rounds := 1_000
	if pacetest.Short() || pacetest.Slow > 1 {
		rounds = 500
	}
	if text := os.Getenv("TONQL_TEST_CHANGES"); text != "" {
		var err error
		rounds, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	d := newDamage(ctx, t, db, handle, blocks)
	began := time.Now()
	for d.changes < rounds {
		d.change()
	}
	t.Logf("%.1f ms a change", time.Since(began).Seconds()*1000/float64(rounds))
	require.Empty(t, d.missed, "changes that were not found")
	requireRows(ctx, t, db, 1, blocks)
	t.Logf("changes found: %v; refused by the database: %d; without effect: %d", d.found, d.refused, d.equal)
	for table := range damaged {
		require.Positive(t, d.found[table], table)
	}
}

// TestVerifyRows_DamagedDictionaryIsFound changes a dictionary that raw transactions are compressed with. A process that has not
// read it before the change cannot read these transactions any more.
func TestVerifyRows_DamagedDictionaryIsFound(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 120
	_, url := newIndexURL(ctx, t, blocks)
	db := testdb.Open(t, url)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	exec := func(statement string) {
		_, err := handle.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	verify := func() indexer.Report {
		report, err := indexer.VerifyRows(ctx, testdb.Open(t, url).Reader(), chain.SeqnoRange{First: 1, Last: blocks}, 2)
		require.NoError(t, err)
		return report
	}
	tables := func(r indexer.Report) map[string]bool {
		found := map[string]bool{}
		for _, d := range r.Differences {
			found[d.Table] = true
		}
		return found
	}
	var compressed int
	require.NoError(t, handle.QueryRowContext(ctx, `SELECT count(*) FROM transactions WHERE get_byte(boc, 0) = 1`).Scan(&compressed))
	require.Positive(t, compressed, "the chain is long enough for a dictionary")
	report := verify()
	require.True(t, report.OK(), report.String())
	for name, change := range map[string][2]string{
		"content": {`UPDATE dictionaries SET content = set_byte(content, 700, get_byte(content, 700) # 1)`,
			`UPDATE dictionaries SET content = set_byte(content, 700, get_byte(content, 700) # 1)`},
		"id": {`UPDATE dictionaries SET id = id # 4`, `UPDATE dictionaries SET id = id # 4`},
	} {
		exec(change[0])
		report = verify()
		require.False(t, report.OK(), name)
		require.True(t, tables(report)["dictionaries"], name)
		require.True(t, tables(report)["transaction_bocs"] || tables(report)["rows"] || tables(report)["blocks"], "%s: %v", name, tables(report))
		exec(change[1])
	}
	exec(`UPDATE dictionaries SET number = number + 1`)
	report = verify()
	require.Equal(t, map[string]bool{"dictionaries": true}, tables(report), "it is found although every transaction can be read")
	exec(`UPDATE dictionaries SET number = number - 1`)
	exec(`INSERT INTO action_dictionaries SELECT 7, coalesce(max(number), 0) + 1, '\x00' FROM action_dictionaries`)
	report = verify()
	require.Equal(t, map[string]bool{"action_dictionaries": true}, tables(report))
	exec(`DELETE FROM action_dictionaries WHERE id = 7`)
	report = verify()
	require.True(t, report.OK(), report.String())
}

// column is a column of a table.
type column struct {
	name, kind string
	nullable   bool
}

// damage changes rows.
type damage struct {
	ctx     context.Context //nolint:containedctx // of one test
	t       *testing.T
	db      *store.DB
	sql     *sql.DB
	last    uint32
	rand    *rand.Rand
	tables  []string
	columns map[string][]column
	rows    map[string]int // how many there are

	found          map[string]int
	changes        int // found or missed
	refused, equal int
	missed         []string
}

func newDamage(ctx context.Context, t *testing.T, db *store.DB, handle *sql.DB, last uint32) *damage {
	t.Helper()
	d := &damage{
		ctx: ctx, t: t, db: db, sql: handle, last: last, rand: rand.New(rand.NewPCG(8, 9)),
		columns: map[string][]column{}, rows: map[string]int{}, found: map[string]int{},
	}
	for table := range damaged {
		d.tables = append(d.tables, table)
		d.rows[table] = countRows(ctx, t, db, table)
		require.Positive(t, d.rows[table], table)
	}
	slices.Sort(d.tables)
	rows, err := handle.QueryContext(ctx, `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
		AND a.attgenerated = '' ORDER BY c.relname, a.attnum`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var table string
		var c column
		require.NoError(t, rows.Scan(&table, &c.name, &c.kind, &c.nullable))
		if notFound[table+"."+c.name] == "" {
			d.columns[table] = append(d.columns[table], c)
		}
	}
	require.NoError(t, rows.Err())
	return d
}

// changed returns an expression of another value of a column that has the value old, nil for NULL.
func (d *damage) changed(c column, old *string, bytes int) string {
	if c.nullable && old != nil && d.rand.IntN(8) == 0 {
		return "NULL"
	}
	null := old == nil
	bit := func(bits int) int64 { return 1 << d.rand.IntN(bits) }
	switch c.kind {
	case "bytea":
		switch {
		case null:
			return `sha256('changed')`
		case bytes == 0 || d.rand.IntN(16) == 0:
			return c.name + ` || '\x00'`
		case d.rand.IntN(16) == 0:
			return fmt.Sprintf(`substr(%s, 1, %d)`, c.name, bytes-1)
		}
		at := d.rand.IntN(bytes)
		return fmt.Sprintf(`set_byte(%[1]s, %[2]d, get_byte(%[1]s, %[2]d) # %[3]d)`, c.name, at, bit(8))
	case "boolean":
		return fmt.Sprintf(`NOT coalesce(%s, false)`, c.name)
	case "smallint":
		return fmt.Sprintf(`(coalesce(%s, 0) # %d)::smallint`, c.name, bit(15))
	case "integer":
		return fmt.Sprintf(`coalesce(%s, 0) # %d`, c.name, bit(31))
	case "bigint":
		return fmt.Sprintf(`coalesce(%s, 0) # %d`, c.name, bit(63))
	case "numeric":
		return fmt.Sprintf(`coalesce(%s, 0) + %d`, c.name, bit(20))
	case "jsonb":
		return `'{"7": "1"}'::jsonb`
	case "bigint[]":
		return fmt.Sprintf(`array_prepend(%[1]s[1] # %[2]d, %[1]s[2:])`, c.name, bit(63))
	default:
		require.Fail(d.t, "a column of type "+c.kind)
		return ""
	}
}

// change changes one column of one row, requires that the rows of the masterchain blocks around it show that, and undoes it.
func (d *damage) change() {
	table := d.tables[d.rand.IntN(len(d.tables))]
	c := d.columns[table][d.rand.IntN(len(d.columns[table]))]
	var at string
	var old *string
	var bytes int
	length := `0`
	if c.kind == "bytea" {
		length = `coalesce(length(` + c.name + `), 0)`
	}
	require.NoError(d.t, d.sql.QueryRowContext(d.ctx, fmt.Sprintf(`SELECT ctid::text, %s::text, %s FROM %s OFFSET %d LIMIT 1`,
		c.name, length, table, d.rand.IntN(d.rows[table]))).Scan(&at, &old, &bytes))
	seqnos := d.seqnos(table, at)
	value := d.changed(c, old, bytes)
	visible := ""
	if strings.HasSuffix(c.name, "boc") || old == nil && table == "transactions" {
		visible = d.visible(table, at)
	}
	err := d.sql.QueryRowContext(d.ctx, fmt.Sprintf(`UPDATE %s SET %s = %s WHERE ctid = $1::tid RETURNING ctid::text`, table, c.name, value), at).Scan(&at)
	if err != nil {
		d.refused++ // a constraint
		return
	}
	what := fmt.Sprintf("%s.%s: %v became %s", table, c.name, deref(old), value)
	switch {
	case d.isFound(seqnos):
		d.found[table]++
		d.changes++
	case visible != "" && visible == d.visible(table, at):
		d.equal++
	case table == "blocks" && c.name == "file_hash" && d.isNewest(at):
		d.equal++ // no block names it
	default:
		d.changes++
		d.missed = append(d.missed, fmt.Sprintf("%s, masterchain blocks %v", what, seqnos))
	}
	_, err = d.sql.ExecContext(d.ctx, fmt.Sprintf(`UPDATE %s SET %s = $1::text::%s WHERE ctid = $2::tid`, table, c.name, c.kind), old, at)
	require.NoError(d.t, err, what)
}

func deref(s *string) string {
	if s == nil {
		return "NULL"
	}
	return *s
}

// seqnos lists the masterchain blocks of a row.
func (d *damage) seqnos(table, at string) (list []uint32) {
	rows, err := d.sql.QueryContext(d.ctx, fmt.Sprintf(`SELECT q.n FROM %s t CROSS JOIN LATERAL (%s) q(n) WHERE t.ctid = $1::tid ORDER BY 1`,
		table, damaged[table]), at)
	require.NoError(d.t, err)
	defer func() { require.NoError(d.t, rows.Close()) }()
	for rows.Next() {
		var n sql.NullInt64
		require.NoError(d.t, rows.Scan(&n))
		if n.Valid {
			list = append(list, uint32(n.Int64))
		}
	}
	require.NoError(d.t, rows.Err())
	return list
}

// isNewest reports whether a row of blocks is that of the newest masterchain block.
func (d *damage) isNewest(at string) (newest bool) {
	require.NoError(d.t, d.sql.QueryRowContext(d.ctx, `SELECT workchain = -1 AND seqno = $2 FROM blocks WHERE ctid = $1::tid`, at, d.last).Scan(&newest))
	return newest
}

// visible returns a transaction or a message as readers see it, empty for other tables. Another form of compression of the raw transaction or
// the body and the columns of a phase that the transaction does not have are not visible.
func (d *damage) visible(table, at string) string {
	if table != "transactions" && table != "messages" {
		return ""
	}
	var account []byte
	var lt int64
	require.NoError(d.t, d.sql.QueryRowContext(d.ctx, `SELECT account, lt FROM `+table+` WHERE ctid = $1::tid`, at).Scan(&account, &lt))
	keys := []chain.TransactionKey{{Account: chain.Address{Workchain: int32(account[0]) - 128, ID: chain.Hash(account[1:])}, LT: uint64(lt)}}
	if table == "messages" {
		rows, err := d.db.Reader().MessagesByKey(d.ctx, []chain.MessageKey{{Account: keys[0].Account, LT: keys[0].LT}})
		if err != nil {
			return err.Error()
		}
		text, err := json.Marshal(rows) //nolint:staticcheck // rows that are read have no Large, which cannot be marshalled
		require.NoError(d.t, err)
		return string(text)
	}
	rows, err := d.db.Reader().TransactionsByKey(d.ctx, keys)
	if err != nil {
		return err.Error()
	}
	bocs, err := d.db.Reader().TransactionBOCs(d.ctx, keys)
	require.NoError(d.t, err)
	text, err := json.Marshal(rows)
	require.NoError(d.t, err)
	return fmt.Sprintf("%s %x", text, bocs[keys[0]])
}

func (d *damage) isFound(seqnos []uint32) bool {
	for _, after := range []uint32{0, 1} {
		for _, n := range seqnos {
			if n += after; n > d.last {
				continue
			}
			report, err := indexer.VerifyRows(d.ctx, d.db.Reader(), chain.SeqnoRange{First: n, Last: n}, 1)
			require.NoError(d.t, err)
			if !report.OK() {
				return true
			}
		}
	}
	return false
}
