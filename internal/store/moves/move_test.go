package moves_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/moves"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// requireTransactionsMoved moves all transactions and returns the number of rows that were changed.
func requireTransactionsMoved(t *testing.T, db *store.DB, limit int) (rows int) {
	t.Helper()
	for {
		step, err := db.Writer().MoveTransactions(t.Context(), limit)
		require.NoError(t, err)
		require.LessOrEqual(t, step.Rows, limit)
		rows += step.Rows
		if step.Done {
			return rows
		}
	}
}

func statusOfTransactions(t *testing.T, db *store.DB) moves.Status {
	t.Helper()
	list, err := db.Writer().MoveStatuses(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, moves.OfTransactions, list[1].Name)
	return list[1]
}

// readings is all that readers of a database read of its transactions.
type readings struct {
	digest, within string
	full           []chain.FullTransaction
	bocs           map[chain.TransactionKey]chain.BOC
}

func readingsOf(t *testing.T, db *store.DB, blocks []*chain.MasterBlock) readings {
	t.Helper()
	all, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	within, err := db.Reader().Digest(t.Context(), &chain.SeqnoRange{First: 3, Last: 40})
	require.NoError(t, err)
	r := readings{digest: all.String(), within: within.String(), full: storetest.FullOf(t, db, blocks)}
	var keys []chain.TransactionKey
	for i := range r.full {
		keys = append(keys, r.full[i].Key())
		r.full[i].Raw = nil // rows of earlier versions are read without it
	}
	r.bocs, err = db.Reader().TransactionBOCs(t.Context(), keys)
	require.NoError(t, err)
	return r
}

// requireNewForm requires that a database has no row of an earlier version.
func requireNewForm(t *testing.T, handle *sql.DB) {
	t.Helper()
	require.Zero(t, storetest.Count(t, handle, `SELECT count(*) FROM transactions WHERE boc IS NULL OR prev_hash IS NOT NULL OR states IS NULL
		OR kind IS NOT NULL OR compute_success IS NOT NULL OR total_fees IS NOT NULL`))
	require.Zero(t, storetest.Count(t, handle, `SELECT count(*) FROM transaction_bocs`))
	require.Zero(t, storetest.Count(t, handle, `SELECT count(*) FROM account_states s JOIN transactions t USING (account, lt)`))
}

// The index of an earlier version is moved in small steps, which are interrupted at any moment, beside a writer. It reads the same all
// the time, and in the end its rows are those of a new index.
func TestMoveTransactions_InterruptedBesideAWriter(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := storetest.IndexChain(t)
	handle := c.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	want := readingsOf(t, c.DB, c.Masters)
	storetest.AsBefore(t, c.DB)
	rows := len(c.Transactions)
	require.Equal(t, rows, storetest.Count(t, handle, `SELECT count(*) FROM transactions WHERE boc IS NULL AND prev_hash IS NOT NULL AND states IS NULL`))
	require.Equal(t, rows, storetest.Count(t, handle, `SELECT count(*) FROM transaction_bocs`))
	require.Equal(t, want, readingsOf(t, c.DB, c.Masters))

	rng := rand.New(rand.NewPCG(11, 12))
	var moved int64
	for i, failed := 0, 0; i < 30 || failed < 10 || moved == 0; i++ { // before, within and after the step
		limit := 60_000 * (1 + i/30) // microseconds; more on a machine that completes no step in this time
		if moved = statusOfTransactions(t, c.DB).Moved; moved > int64(rows/2) {
			limit = 2000
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(limit))*time.Microsecond)
		if _, err := c.DB.Writer().MoveTransactions(ctx, 19); err != nil {
			failed++
		}
		cancel()
		if i%20 == 10 {
			require.Equal(t, want, readingsOf(t, c.DB, c.Masters))
			require.NoError(t, c.DB.Writer().Reclassify(t.Context(), []chain.Hash{*c.Transactions[i].TraceID}))
		}
	}
	status := statusOfTransactions(t, c.DB)
	require.False(t, status.Done)
	require.Positive(t, status.Moved)
	require.Less(t, status.Moved, int64(rows))
	require.Positive(t, status.Share)
	require.Less(t, status.Share, 1.)
	require.Equal(t, rows, storetest.Count(t, handle, `SELECT count(*) + (SELECT moved FROM transactions_move) FROM transaction_bocs`))
	require.Equal(t, rows-int(status.Moved), requireTransactionsMoved(t, c.DB, 19))
	requireNewForm(t, handle)
	require.Equal(t, want, readingsOf(t, c.DB, c.Masters))
	status = statusOfTransactions(t, c.DB)
	require.Equal(t, moves.Status{Name: moves.OfTransactions, Share: 1, Done: true, Moved: int64(rows)}, status)

	// A second run changes nothing.
	var before, after string
	const versions = `SELECT md5(string_agg(x::text || t.ctid::text, ',' ORDER BY t.account, t.lt)) FROM transactions t, LATERAL (SELECT t.xmin) x`
	require.NoError(t, handle.QueryRowContext(t.Context(), versions).Scan(&before))
	require.Zero(t, requireTransactionsMoved(t, c.DB, 19))
	_, err := handle.ExecContext(t.Context(), `UPDATE transactions_move SET done_at = NULL, mc_seqno = 0, lt = 0, account = ''`)
	require.NoError(t, err)
	require.Zero(t, requireTransactionsMoved(t, c.DB, 19))
	require.NoError(t, handle.QueryRowContext(t.Context(), versions).Scan(&after))
	require.Equal(t, before, after)
	require.Equal(t, int64(rows), statusOfTransactions(t, c.DB).Moved)
}

// Each statement of a step fails once, and the connection is lost after each: nothing of the step remains.
func TestMoveTransactions_FailureAtEachStatementChangesNothing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := storetest.IndexChain(t)
	handle := c.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	want := readingsOf(t, c.DB, c.Masters)
	storetest.AsBefore(t, c.DB)
	exec := func(text string) {
		t.Helper()
		_, err := handle.ExecContext(t.Context(), text)
		require.NoError(t, err)
	}
	exec(`DELETE FROM dictionaries`)
	exec(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$`)
	exec(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NULL; END $$`)
	position := func() (s string) {
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT m::text FROM transactions_move m`).Scan(&s))
		return s
	}
	for _, of := range []string{"UPDATE ON transactions", "DELETE ON transaction_bocs", "DELETE ON account_states", "UPDATE ON transactions_move"} {
		for _, function := range []string{"fail", "lose"} {
			start := position()
			exec(fmt.Sprintf(`CREATE TRIGGER breaks AFTER %s FOR EACH STATEMENT EXECUTE FUNCTION %s()`, of, function))
			_, err := c.DB.Writer().MoveTransactions(t.Context(), 50)
			require.Error(t, err, of)
			_, table, _ := cutOn(of)
			exec(`DROP TRIGGER breaks ON ` + table)
			require.Equal(t, start, position(), of)
			require.Equal(t, want, readingsOf(t, c.DB, c.Masters), of)
			_, err = c.DB.Writer().MoveTransactions(t.Context(), 50)
			require.NoError(t, err)
		}
	}
	requireTransactionsMoved(t, c.DB, 50)
	requireNewForm(t, handle)
	require.Equal(t, want, readingsOf(t, c.DB, c.Masters))
}

// Rows that would not read as before stay, and are counted: without a raw transaction, with a damaged one, with columns that contradict
// it, and with a state that is incomplete.
func TestMoveTransactions_RowsThatStay(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := storetest.IndexChain(t)
	storetest.AsBefore(t, c.DB)
	handle := c.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	exec := func(text string, at int) {
		t.Helper()
		r, err := handle.ExecContext(t.Context(), text, c.Transactions[at].Account.Bytes(), int64(c.Transactions[at].LT))
		require.NoError(t, err)
		n, err := r.RowsAffected()
		require.NoError(t, err)
		require.Equal(t, int64(1), n)
	}
	const key = ` WHERE account = $1 AND lt = $2`
	exec(`DELETE FROM transaction_bocs`+key, 10)
	exec(`UPDATE transaction_bocs SET boc = set_byte(boc, 40, get_byte(boc, 40) # 1)`+key, 20) // the checksum is wrong
	exec(`UPDATE transaction_bocs SET boc = ''`+key, 21)
	exec(`UPDATE transaction_bocs SET boc = (SELECT o.boc FROM transaction_bocs o JOIN transactions t USING (account, lt) ORDER BY t.mc_seqno DESC LIMIT 1)`+key, 22)
	exec(`UPDATE transactions SET gas_used = gas_used + 1`+key, 23)
	exec(`UPDATE transactions SET boc = '\x01ffffffff00'`+key, 24) // of a dictionary that does not exist
	exec(`UPDATE transactions SET boc = o.boc || '\x00' FROM transaction_bocs o WHERE o.account = transactions.account AND o.lt = transactions.lt AND transactions.account = $1 AND transactions.lt = $2`, 25)
	exec(`UPDATE account_states SET rest = NULL`+key, 30)
	exec(`UPDATE account_states SET hash = sha256(hash)`+key, 31)
	exec(`UPDATE account_states SET status = 7`+key, 32) // no status has this number
	exec(`DELETE FROM account_states`+key, 40)           // an unverified transaction has none
	want := readingsOf(t, c.DB, c.Masters)
	requireTransactionsMoved(t, c.DB, 37)
	require.Equal(t, want, readingsOf(t, c.DB, c.Masters))
	status := statusOfTransactions(t, c.DB)
	require.Equal(t, int64(1), status.Rest.WithoutRaw)
	require.Equal(t, int64(6), status.Rest.Differing)
	require.Equal(t, int64(4), status.Rest.WithoutRest) // the transaction after the last of these begins with its state
	require.Equal(t, 6, storetest.Count(t, handle, `SELECT count(*) FROM transaction_bocs`))
	require.Equal(t, 7, storetest.Count(t, handle, `SELECT count(*) FROM transactions WHERE prev_hash IS NOT NULL`))
	require.Equal(t, 10, storetest.Count(t, handle, `SELECT count(*) FROM account_states`))
	require.Equal(t, 11, storetest.Count(t, handle, `SELECT count(*) FROM transactions WHERE states IS NULL`))

	// There is no more room to give back.
	freed, err := c.DB.Writer().Moves(0)[1].Free(t.Context())
	require.NoError(t, err)
	require.True(t, freed)
	require.Equal(t, want, readingsOf(t, c.DB, c.Masters))
}

// A row that not even readers can read must not end the move.
func TestMoveTransactions_UnreadableRowStays(t *testing.T) {
	t.Parallel()
	c := storetest.IndexChain(t)
	storetest.AsBefore(t, c.DB)
	handle := c.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	for i, text := range []string{`split = '\x01'`, `prev_hash = NULL`, `prev_hash = '\x01'`, `boc = '\x01', prev_hash = NULL`} {
		tx := &c.Transactions[100+i]
		_, err := handle.ExecContext(t.Context(), `UPDATE transactions SET `+text+` WHERE hash = $1`, tx.Hash[:])
		require.NoError(t, err)
	}
	requireTransactionsMoved(t, c.DB, 37)
	require.Equal(t, int64(4), statusOfTransactions(t, c.DB).Rest.Differing)
	require.Equal(t, 4, storetest.Count(t, handle, `SELECT count(*) FROM transaction_bocs`))
}

// Rows of the versions between: the raw transaction is in the row, with columns, or without columns but without states.
func TestMoveTransactions_RowsOfVersionsBetween(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := storetest.IndexChain(t)
	handle := c.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	want := readingsOf(t, c.DB, c.Masters)
	storetest.AsBefore(t, c.DB)
	requireTransactionsMoved(t, c.DB, 400)
	storetest.MoveStatesOut(t, c.DB)
	_, err := handle.ExecContext(t.Context(), `CREATE TABLE saved AS SELECT account, lt, boc FROM transactions WHERE out_msg_count > 0`)
	require.NoError(t, err)
	storetest.AsBefore(t, c.DB)
	_, err = handle.ExecContext(t.Context(), `WITH b AS (UPDATE transactions t SET boc = s.boc FROM saved s WHERE s.account = t.account AND s.lt = t.lt RETURNING t.account, t.lt)
		DELETE FROM transaction_bocs o USING b WHERE b.account = o.account AND b.lt = o.lt AND o.lt % 2 = 0`)
	require.NoError(t, err)
	require.Equal(t, want, readingsOf(t, c.DB, c.Masters))
	require.Equal(t, len(c.Transactions), requireTransactionsMoved(t, c.DB, 100))
	requireNewForm(t, handle)
	require.Equal(t, want, readingsOf(t, c.DB, c.Masters))
}

// Raw transactions are compressed with a dictionary of rows that are moved, which the writer does not use; and with one that a failover
// has lost only after it was written again.
func TestMoveTransactions_Dictionary(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	blocks := storetest.SmallChain()
	storetest.Apply(t, db.Writer(), blocks)
	storetest.AsBefore(t, db)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	_, err := handle.ExecContext(t.Context(), `DELETE FROM dictionaries`)
	require.NoError(t, err)
	bocs := map[chain.TransactionKey]chain.BOC{}
	var keys []chain.TransactionKey
	for _, mb := range blocks {
		for i := range mb.Transactions {
			keys = append(keys, mb.Transactions[i].Key())
			bocs[keys[len(keys)-1]] = mb.BOCs[i]
		}
	}
	require.Greater(t, len(keys), 1100)
	for storetest.Count(t, handle, `SELECT count(*) FROM dictionaries`) == 0 {
		step, err := db.Writer().MoveTransactions(t.Context(), 20)
		require.NoError(t, err)
		require.False(t, step.Done)
	}
	require.Equal(t, -1, storetest.Count(t, handle, `SELECT number FROM dictionaries`))
	// A failover to a standby that lacks this step.
	_, err = handle.ExecContext(t.Context(), `DELETE FROM dictionaries`)
	require.NoError(t, err)
	_, err = handle.ExecContext(t.Context(), `UPDATE transactions SET boc = NULL WHERE get_byte(boc, 0) = 1`)
	require.NoError(t, err)
	lost := storetest.Count(t, handle, `SELECT count(*) FROM transactions WHERE boc IS NULL AND prev_hash IS NULL`)
	requireTransactionsMoved(t, db, 20)
	require.Equal(t, 1, storetest.Count(t, handle, `SELECT count(*) FROM dictionaries`))
	require.Positive(t, storetest.Count(t, handle, `SELECT count(*) FROM transactions WHERE get_byte(boc, 0) = 1`))
	damaged, err := db.Reader().DamagedDictionaries(t.Context())
	require.NoError(t, err)
	require.Empty(t, damaged)
	got, err := db.Reader().TransactionBOCs(t.Context(), keys)
	require.NoError(t, err)
	require.Len(t, got, len(keys)-lost)
	for key, boc := range got {
		require.Equal(t, bocs[key], boc)
	}
}

// Two processes move at the same time; each row is moved once.
func TestMoveTransactions_TwoProcessesMoveEachRowOnce(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := testdb.URL(t)
	db, other := testdb.Open(t, url), testdb.Open(t, url)
	blocks := storetest.SmallChain()
	storetest.Apply(t, db.Writer(), blocks)
	want := readingsOf(t, db, blocks)
	storetest.AsBefore(t, db)
	total := make(chan int, 2)
	for _, db := range []*store.DB{db, other} {
		go func() {
			rows := 0
			for {
				step, err := db.Writer().MoveTransactions(t.Context(), 23)
				if err != nil {
					rows = -1 << 30
				}
				if rows += step.Rows; step.Done || err != nil {
					total <- rows
					return
				}
			}
		}()
	}
	first, second := <-total, <-total
	require.Equal(t, len(want.full), first+second)
	require.Equal(t, int64(len(want.full)), statusOfTransactions(t, db).Moved)
	require.Equal(t, want, readingsOf(t, db, blocks))
}

// When all raw transactions are moved, their table takes no room, once no reader needs it.
func TestMoveTransactions_RoomIsGivenBack(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := storetest.IndexChain(t)
	storetest.AsBefore(t, c.DB)
	want := readingsOf(t, c.DB, c.Masters)
	handle := c.DB.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	early, err := handle.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	require.NoError(t, err)
	defer func() { _ = early.Rollback() }()
	seen := 0
	require.NoError(t, early.QueryRowContext(t.Context(), `SELECT count(*) FROM blocks`).Scan(&seen))
	const size = `SELECT pg_total_relation_size('transaction_bocs')`
	require.Greater(t, storetest.Count(t, handle, size), 500<<10)
	requireTransactionsMoved(t, c.DB, 400)
	free := c.DB.Writer().Moves(0)[1].Free
	freed, err := free(t.Context())
	require.NoError(t, err)
	require.False(t, freed)
	require.NoError(t, early.QueryRowContext(t.Context(), `SELECT count(*) FROM transaction_bocs`).Scan(&seen))
	require.Equal(t, len(c.Transactions), seen)
	require.NoError(t, early.Rollback())
	require.Eventually(t, func() bool { // autovacuum may still look at the table
		freed, err := free(t.Context())
		return err == nil && freed
	}, time.Minute, 100*time.Millisecond)
	freed, err = free(t.Context())
	require.NoError(t, err)
	require.True(t, freed)
	require.LessOrEqual(t, storetest.Count(t, handle, size), 48<<10) // the first pages of indexes, and maps
	require.True(t, statusOfTransactions(t, c.DB).Freed)
	require.Equal(t, want, readingsOf(t, c.DB, c.Masters))
}

// A database without transactions has nothing to move.
func TestMoveTransactions_NewDatabaseIsDone(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	step, err := db.Writer().MoveTransactions(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, moves.Step{Done: true}, step)
	list, err := db.Writer().MoveStatuses(t.Context())
	require.NoError(t, err)
	require.Equal(t, []moves.Status{
		{Name: moves.OfAccountKeys, Share: 1, Done: true, Freed: true}, {Name: moves.OfTransactions, Share: 1, Done: true, Freed: true},
	}, list)
}

// cutOn cuts the event of a trigger from its table.
func cutOn(of string) (event, table string, found bool) { return strings.Cut(of, " ON ") }
