package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/digests"
	"tonql/internal/store/readers"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// coldChain are blocks in batches.
func coldChain(t testing.TB, transactions int) (batches [][]*chain.MasterBlock) {
	t.Helper()
	c := synthetic.New(synthetic.Options{Transactions: transactions, Accounts: transactions / 10, PerBlock: 38, Shards: 2, Seed: 1, Contracts: true})
	for {
		batch, n := c.Batch(66)
		if n == 0 {
			return batches
		}
		batches = append(batches, batch)
	}
}

// moveAllCold moves blocks up to bound to a cold server and returns the steps.
func moveAllCold(t testing.TB, db *store.DB, server string, bound uint32, limit int) (steps []store.DropStep) {
	t.Helper()
	for {
		step, err := db.Writer().MoveCold(t.Context(), server, bound, limit)
		require.NoError(t, err)
		if step.Blocks.Last == 0 {
			return steps
		}
		steps = append(steps, step)
	}
}

func thawAllCold(t *testing.T, db *store.DB) {
	t.Helper()
	for {
		step, err := db.Writer().ThawCold(t.Context())
		require.NoError(t, err)
		if step.Blocks.Last == 0 {
			return
		}
	}
}

func lastOf(batch []*chain.MasterBlock) uint32 { return batch[len(batch)-1].Block.Seqno }

func digestOf(ctx context.Context, t *testing.T, db *store.DB) digests.Digest {
	t.Helper()
	d, err := db.Reader().Digest(ctx, nil)
	require.NoError(t, err)
	return d
}

// The rows of all servers are those of one: every statement returns the same from two cold servers and the index as from one database, also
// while blocks go on to be written, and after all blocks were moved back.
func TestCold_RowsAreThoseOfOneDatabase(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	if pacetest.Short() {
		t.Skip("fills two databases")
	}
	batches := coldChain(t, 12_000)
	last := len(batches) - 1
	url := testdb.URL(t)
	one, db := testdb.New(t), testdb.Open(t, url)
	for _, d := range []*store.DB{one, db} {
		d.Writer().SetClassifier(storetest.Classifier{})
		for _, b := range batches[:last] {
			require.NoError(t, d.Writer().Apply(t.Context(), b...))
		}
	}
	first, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	require.Greater(t, len(moveAllCold(t, db, first, lastOf(batches[0]), 500)), 2)
	second, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	moveAllCold(t, db, second, lastOf(batches[2]), 2000)
	for _, d := range []*store.DB{one, db} {
		require.NoError(t, d.Writer().Apply(t.Context(), batches[last]...))
	}

	complete := store.Complete(t.Context())
	want := digestOf(t.Context(), t, one)
	require.NotEqual(t, want, digestOf(t.Context(), t, db))
	require.Equal(t, want, digestOf(complete, t, db))
	ranges, err := one.Reader().Ranges(t.Context())
	require.NoError(t, err)
	all, err := db.Reader().Ranges(complete)
	require.NoError(t, err)
	require.Equal(t, ranges, all)
	requireSameStatements(t, one, openCompleteRows(t, url))

	thawAllCold(t, db)
	require.Equal(t, want, digestOf(t.Context(), t, db))
	requireSameStatements(t, one, db)
	back, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err)
	require.Equal(t, ranges, back)
	dropped, err := db.Reader().Dropped(t.Context())
	require.NoError(t, err)
	require.Zero(t, dropped)
	require.Equal(t, want, digestOf(store.Complete(t.Context()), t, db))
}

// openCompleteRows opens a database whose statements read the rows of all servers. Some look up thousands of rows on other servers one by one, which takes
// longer than requests may where the machine is busy; tests compare rows alone.
func openCompleteRows(t *testing.T, url string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{WriteURL: url, ReadURLs: []string{url + "&search_path=tonql_complete,public"}, StatementTimeout: time.Hour})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

func requireSameStatements(t *testing.T, a, b *store.DB) {
	t.Helper()
	for _, list := range []func(*testing.T, *store.Reader, chain.Block) []planCase{plans, tracePlans, contractPlans} {
		requireSameRows(t, a, b, func(t *testing.T, r *store.Reader, last chain.Block) []planCase {
			t.Helper()
			return slices.DeleteFunc(list(t, r, last), func(c planCase) bool { return c.name == "head" }) // it says whether there are cold servers
		})
	}
}

// A step of which the cold server has the rows and the index does not know, as it is when the server of the index ends between the two
// commits, is seen by nobody and removed before the next step.
func TestCold_InterruptedStepIsRemoved(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 3_000)
	db, there := testdb.New(t), testdb.URL(t)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	want := digestOf(t.Context(), t, db)
	name, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	bound := batches[0][40].Block.Seqno
	require.NotEmpty(t, moveAllCold(t, db, name, bound, 300))
	cold := testdb.Open(t, there)
	storetest.ExecSQL(t, cold, `UPDATE cold_step SET step = step + 1;
		CREATE TEMPORARY TABLE again AS SELECT * FROM transactions WHERE cold_step = 1;
		UPDATE again SET cold_step = (SELECT step FROM cold_step), lt = lt + 1, hash = sha256(hash);
		INSERT INTO transactions SELECT * FROM again`)

	hashes := []chain.Hash{batches[0][0].Transactions[0].Hash}
	read := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		return readers.Try(ctx, 0, nil, func(ctx context.Context) error {
			rows, err := db.Reader().TransactionsByHash(ctx, hashes)
			if err == nil {
				require.Len(t, rows, 1)
			}
			return err
		})
	}
	require.Equal(t, chain.Unavailable, chain.KindOf(read()), "nobody may read what is not committed")
	// Commands that read everything wait for it.
	results := make(chan error, 3)
	complete := store.Complete(t.Context())
	go func() {
		_, err := db.Reader().Digest(complete, nil)
		results <- err
	}()
	go func() {
		_, err := db.Reader().TransactionsByHash(complete, hashes)
		results <- err
	}()
	go func() {
		_, err := db.Reader().AddressBook(complete, []chain.Address{batches[0][0].Transactions[0].Account})
		results <- err
	}()
	select {
	case err := <-results:
		require.Fail(t, "a command does not wait", "%v", err)
	case <-time.After(100 * time.Millisecond):
	}
	require.NoError(t, db.Cold().Reconcile(t.Context(), ""))
	require.NoError(t, read())
	for range cap(results) {
		require.NoError(t, <-results)
	}
	require.Equal(t, want, digestOf(store.Complete(t.Context()), t, db))
	moveAllCold(t, db, name, batches[1][0].Block.Seqno, 300)
	require.Equal(t, want, digestOf(store.Complete(t.Context()), t, db))

	// A server that was restored from a backup of before the last step.
	storetest.ExecSQL(t, cold, `DELETE FROM transactions WHERE cold_step = (SELECT step FROM cold_step); UPDATE cold_step SET step = step - 1`)
	require.Equal(t, chain.Unavailable, chain.KindOf(read()), "rows are missing")
	require.Equal(t, chain.Invalid, chain.KindOf(db.Cold().Reconcile(t.Context(), "")))
	_, err = db.Writer().MoveCold(t.Context(), name, batches[1][5].Block.Seqno, 300)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	_, err = db.Writer().ThawCold(t.Context())
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

// The blocks of the server with the oldest ones can be dropped; those of another one are read as before, and nothing that
// they need is removed.
func TestCold_OldestServerIsDropped(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 4_000)
	gap := batches[0][20].Block // not indexed
	batches[0] = slices.Delete(batches[0], 20, 21)
	db, same := testdb.New(t), testdb.New(t)
	for _, of := range []*store.DB{db, same} {
		storetest.ExecSQL(t, of, fmt.Sprintf(`INSERT INTO library_ranges VALUES (1, 10, '\\x01'), (11, %d, '\\x02')`, lastOf(batches[0])))
	}
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
		require.NoError(t, same.Writer().Apply(t.Context(), b...))
	}
	bound := batches[0][30].Block.Seqno
	first, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	moved := moveAllCold(t, db, first, bound, 300)
	second, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	moveAllCold(t, db, second, bound+10, 300)

	_, err = db.Writer().DropCold(t.Context(), second)
	require.Equal(t, chain.Invalid, chain.KindOf(err), "older blocks are on the other server")
	last := moveAllCold(t, db, first, bound+20, 5000)
	require.Len(t, last, 1)
	_, err = db.Writer().DropCold(t.Context(), first)
	require.Equal(t, chain.Invalid, chain.KindOf(err), "the other server has blocks between those of this one")
	_, err = db.Writer().ThawCold(t.Context())
	require.NoError(t, err)
	moveAllCold(t, db, second, lastOf(batches[0]), 300)
	_, err = db.Writer().Drop(t.Context(), bound+1000, 100)
	require.Equal(t, chain.Invalid, chain.KindOf(err), "older blocks are on cold servers")
	_, err = db.Writer().BeginSweep(t.Context())
	require.Equal(t, chain.Invalid, chain.KindOf(err), "moved rows need cells")

	n, err := db.Writer().DropCold(t.Context(), first)
	require.NoError(t, err)
	total := 0
	for _, step := range moved {
		total += step.Transactions
	}
	require.Equal(t, int64(total), n)
	again, err := db.Writer().DropCold(t.Context(), first)
	require.NoError(t, err, "its output was lost")
	require.Equal(t, n, again)
	storetest.DropAll(t, same, bound, 300)
	complete := store.Complete(t.Context())
	require.Equal(t, digestOf(t.Context(), t, same), digestOf(complete, t, db))
	d, err := db.Reader().Dropped(complete)
	require.NoError(t, err)
	want, err := same.Reader().Dropped(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, d)
	require.Equal(t, gap.Seqno, d.Gap)
	require.Equal(t, batches[0][19].Block.EndLT, d.GapLT)
	d, err = db.Reader().Dropped(store.InRequest(t.Context()))
	require.NoError(t, err)
	require.Equal(t, want, d)
	require.Equal(t, libraryRanges(t, same), libraryRanges(t, db))
	for _, of := range []*store.DB{db, same} {
		counts, err := of.Reader().VerificationCounts(t.Context())
		require.NoError(t, err)
		garbage, err := of.Writer().CellGarbage(t.Context())
		require.NoError(t, err)
		require.Equal(t, uint64(total), garbage.Dropped)
		if of == db {
			continue
		}
		before, err := db.Reader().VerificationCounts(t.Context())
		require.NoError(t, err)
		require.Equal(t, counts, before)
	}
	thawAllCold(t, db)
	require.Equal(t, digestOf(t.Context(), t, same), digestOf(t.Context(), t, db))
	info, err := db.Reader().MasterchainInfo(t.Context())
	require.NoError(t, err)
	require.Equal(t, bound+1, info.First.Seqno)
}

// A command that drops a server, and runs again after the next one was connected, does not drop that one.
func TestCold_NameOfADroppedServerIsNotUsedAgain(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 1_000)
	db := testdb.New(t)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	first, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	moveAllCold(t, db, first, batches[0][2].Block.Seqno, 300)
	dropped, err := db.Writer().DropCold(t.Context(), first)
	require.NoError(t, err)
	second, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	moved := moveAllCold(t, db, second, batches[0][8].Block.Seqno, 300)
	require.NotEmpty(t, moved)
	again, err := db.Writer().DropCold(t.Context(), first)
	require.NoError(t, err)
	require.Equal(t, dropped, again)
	list, err := db.Reader().ColdRanges(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, second, list[0].Server)
	require.EqualValues(t, len(moved), list[0].Steps)
}

// libraryRanges returns the rows of the ranges of blocks with the same libraries, as text.
func libraryRanges(t *testing.T, db *store.DB) (rows string) {
	t.Helper()
	sql := db.SQLDB()
	defer func() { require.NoError(t, sql.Close()) }()
	require.NoError(t, sql.QueryRowContext(t.Context(), `SELECT string_agg(r::text, ' ' ORDER BY first) FROM library_ranges r`).Scan(&rows))
	return rows
}

// Each step that is moved back leaves an index whose blocks are here, or on the cold server, as if they had been moved so far alone. Moves go on
// from there.
func TestCold_BlocksAreMovedBackInPart(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 3_000)
	db := testdb.New(t)
	gap := batches[0][25].Block.Seqno // not indexed
	batches[0] = slices.Delete(batches[0], 25, 26)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	dropped := batches[0][4].Block
	storetest.DropAll(t, db, dropped.Seqno, 1000)
	forGood, err := db.Reader().Dropped(t.Context())
	require.NoError(t, err)
	all := []chain.SeqnoRange{{First: dropped.Seqno + 1, Last: gap - 1}, {First: gap + 1, Last: lastOf(batches[len(batches)-1])}}
	want := digestOf(t.Context(), t, db)
	name, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)

	// requireMoved requires that the blocks up to last are on the cold server, and that requests see the blocks of both.
	requireMoved := func(last uint32) {
		t.Helper()
		ranges, err := db.Reader().Ranges(store.InRequest(t.Context()))
		require.NoError(t, err)
		require.Equal(t, all, ranges)
		here, err := db.Reader().Ranges(t.Context())
		require.NoError(t, err)
		first := last + 1
		if first == gap {
			first++
		}
		require.Equal(t, first, here[0].First)
		d, err := db.Reader().Dropped(store.InRequest(t.Context()))
		require.NoError(t, err)
		require.Equal(t, forGood, d)
		d, err = db.Reader().Dropped(t.Context())
		require.NoError(t, err)
		require.Equal(t, last, d.Last)
		for _, seqno := range []uint32{dropped.Seqno, dropped.Seqno + 1, last, gap, gap + 1} {
			indexed, err := db.Reader().IsIndexed(store.InRequest(t.Context()), seqno)
			require.NoError(t, err)
			require.Equal(t, seqno > dropped.Seqno && seqno != gap, indexed, seqno)
		}
		require.Equal(t, want, digestOf(store.Complete(t.Context()), t, db))
	}
	bound := batches[0][45].Block.Seqno
	for range 2 {
		steps := moveAllCold(t, db, name, bound, 300)
		require.Greater(t, len(steps), 4)
		requireMoved(bound)
		for i, step := range slices.Backward(steps) {
			back, err := db.Writer().ThawCold(t.Context())
			require.NoError(t, err)
			require.Equal(t, step.Blocks, back.Blocks)
			require.Equal(t, step.Transactions, back.Transactions)
			left := dropped.Seqno
			if i > 0 {
				left = steps[i-1].Blocks.Last
			}
			requireMoved(left)
		}
		require.Equal(t, want, digestOf(t.Context(), t, db))
	}
}

// A cold server that was restored from before its last step counts as one that does not respond: its blocks alone cannot be read.
func TestCold_ServerThatLostStepsTakesItsBlocksAlone(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 3_000)
	db, there := testdb.New(t), testdb.URL(t)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	older, newer := batches[0][20].Block.Seqno, batches[0][40].Block.Seqno
	first, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	require.Greater(t, len(moveAllCold(t, db, first, older, 300)), 1)
	second, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	moveAllCold(t, db, second, newer, 300)
	read := func(seqno uint32) error {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		return readers.Try(ctx, 0, nil, func(ctx context.Context) error {
			rows, err := db.Reader().Transactions(ctx, chain.TransactionFilter{McSeqno: &seqno}, chain.Page{Limit: 10})
			if err == nil {
				require.NotEmpty(t, rows)
			}
			return err
		})
	}
	require.NoError(t, read(older))
	require.NoError(t, read(newer))
	storetest.ExecSQL(t, testdb.Open(t, there), `DELETE FROM transactions WHERE cold_step = (SELECT step FROM cold_step); UPDATE cold_step SET step = step - 1`)
	require.Equal(t, chain.Unavailable, chain.KindOf(read(older)))
	require.NoError(t, read(newer))
}

// A trace of more transactions than a row has nodes for moves with the rows that lead to it, is found by its accounts there, and comes back.
func TestCold_LargeTraceMovesWithItsAccounts(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks, bound := withGiant(chain.MaxTraceTransactions + 300)
	db, there := testdb.New(t), testdb.URL(t)
	db.Writer().SetClassifier(storetest.Classifier{})
	storetest.Apply(t, db.Writer(), blocks)
	tables := []string{"large_trace_accounts", "account_traces", "account_actions", "actions", "traces", "transactions", "messages"}
	rows := func(of *store.DB) map[string]int {
		t.Helper()
		counts := map[string]int{}
		for _, table := range tables {
			counts[table] = countRows(t, of, table)
		}
		return counts
	}
	want, digest := rows(db), digestOf(t.Context(), t, db)
	require.Greater(t, want["large_trace_accounts"], 100)
	name, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	moveAllCold(t, db, name, bound, 250)
	here := rows(db)
	require.Zero(t, here["large_trace_accounts"])
	moved := rows(testdb.Open(t, there))
	for _, table := range tables {
		require.Equal(t, want[table], here[table]+moved[table], table)
	}
	last := blocks[bound-1].Transactions[0].Account
	require.NoError(t, readers.Try(t.Context(), 0, nil, func(ctx context.Context) error {
		traces, err := db.Reader().Traces(ctx, chain.TraceFilter{Account: &last}, chain.Page{Limit: 10})
		if err == nil {
			require.Len(t, traces, 1)
		}
		return err
	}))
	thawAllCold(t, db)
	require.Equal(t, want, rows(db))
	require.Equal(t, digest, digestOf(t.Context(), t, db))
}

// A database can be the cold server of one index alone, and no index.
func TestCold_DatabasesThatAreNotEmptyAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db, other, there := testdb.New(t), testdb.New(t), testdb.URL(t)
	name, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	again, err := db.Cold().Connect(t.Context(), there)
	require.NoError(t, err)
	require.Equal(t, name, again)
	_, err = other.Cold().Connect(t.Context(), there)
	require.Equal(t, chain.Invalid, chain.KindOf(err))

	before := testdb.New(t)
	storetest.Apply(t, before.Writer(), storetest.SmallChain())
	storetest.AsBefore(t, before)
	_, err = before.Cold().Connect(t.Context(), testdb.URL(t))
	require.Equal(t, chain.Invalid, chain.KindOf(err), "rows of an earlier version are moved first")
	keys, err := pgx.ParseConfig(there)
	require.NoError(t, err)
	_, err = db.Cold().Connect(t.Context(), fmt.Sprintf("host=%s port=%d dbname=%s user=%s", keys.Host, keys.Port, keys.Database, keys.User))
	require.Equal(t, chain.Invalid, chain.KindOf(err), "the encryption would be lost")
	for _, several := range []string{
		fmt.Sprintf("postgres://%s@/%s?host=%s,/nowhere&port=%d,%[4]d", keys.User, keys.Database, keys.Host, keys.Port),
		fmt.Sprintf("postgres://%s@/%s?host=%s,%[3]s&port=%[4]d,1", keys.User, keys.Database, keys.Host, keys.Port),
	} {
		_, err = db.Cold().Connect(t.Context(), several)
		require.Equal(t, chain.Invalid, chain.KindOf(err), several)
		require.Contains(t, chain.PublicMessage(err), "several servers")
	}

	index := testdb.URL(t)
	storetest.Apply(t, testdb.Open(t, index).Writer(), storetest.SmallChain())
	_, err = db.Cold().Connect(t.Context(), index)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	list, err := db.Reader().ColdRanges(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1, "what was refused leaves nothing")
	require.Equal(t, chain.SeqnoRange{}, list[0].Blocks)
}

// Requests read the cold servers only when they need to: newest pages and what is found by key come from the index alone.
func TestCold_RequestsForNewestRowsReadTheIndexAlone(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 6_000)
	db := testdb.New(t)
	db.Writer().SetClassifier(storetest.Classifier{})
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	name, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	middle := batches[0]
	moveAllCold(t, db, name, lastOf(middle), 1000)
	newest, oldest := batches[len(batches)-1], batches[0]
	ten := chain.Page{Limit: 10}
	at := lastOf(newest)
	hot, old := &newest[0].Transactions[0], &oldest[1].Transactions[0]
	r := db.Reader()
	here := map[string]func(ctx context.Context) (int, error){
		"transactions": func(ctx context.Context) (int, error) {
			return sizeOf(r.Transactions(ctx, chain.TransactionFilter{}, ten))
		},
		"of the newest block": func(ctx context.Context) (int, error) {
			return sizeOf(r.Transactions(ctx, chain.TransactionFilter{McSeqno: &at}, ten))
		},
		"since a time": func(ctx context.Context) (int, error) {
			return sizeOf(r.Transactions(ctx, chain.TransactionFilter{StartUtime: &hot.Now}, chain.Page{Limit: 10, Sort: chain.Ascending}))
		},
		"messages": func(ctx context.Context) (int, error) { return sizeOf(r.Messages(ctx, chain.MessageFilter{}, ten)) },
		"traces":   func(ctx context.Context) (int, error) { return sizeOf(r.Traces(ctx, chain.TraceFilter{}, ten)) },
		"actions":  func(ctx context.Context) (int, error) { return sizeOf(r.Actions(ctx, chain.ActionFilter{}, ten)) },
		"blocks":   func(ctx context.Context) (int, error) { return sizeOf(r.Blocks(ctx, chain.BlockFilter{}, ten)) },
		"transfers": func(ctx context.Context) (int, error) {
			return sizeOf(r.JettonTransfers(ctx, chain.JettonTransferFilter{}, chain.Page{Limit: 2}))
		},
		"by hash": func(ctx context.Context) (int, error) {
			return sizeOf(r.TransactionsByHash(ctx, []chain.Hash{hot.Hash}))
		},
		"by key": func(ctx context.Context) (int, error) {
			return sizeOf(r.TransactionsByKey(ctx, []chain.TransactionKey{hot.Key()}))
		},
		"shards": func(ctx context.Context) (int, error) { return sizeOf(r.ShardState(ctx, at)) },
		"masterchain": func(ctx context.Context) (int, error) {
			info, err := r.MasterchainInfo(ctx)
			return int(info.First.Seqno), err
		},
		"block by id": func(ctx context.Context) (int, error) { return sizeOf(r.BlocksByID(ctx, []chain.BlockID{hot.Block})) },
	}
	there := map[string]func(ctx context.Context) (int, error){
		"by hash": func(ctx context.Context) (int, error) {
			return sizeOf(r.TransactionsByHash(ctx, []chain.Hash{old.Hash}))
		},
		"ascending": func(ctx context.Context) (int, error) {
			return sizeOf(r.Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 10, Sort: chain.Ascending}))
		},
		"of an old block": func(ctx context.Context) (int, error) {
			return sizeOf(r.Transactions(ctx, chain.TransactionFilter{McSeqno: &old.McSeqno}, ten))
		},
		"far": func(ctx context.Context) (int, error) {
			return sizeOf(r.Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 10, Offset: 5000}))
		},
		"block by id": func(ctx context.Context) (int, error) { return sizeOf(r.BlocksByID(ctx, []chain.BlockID{old.Block})) },
		"of an account": func(ctx context.Context) (int, error) {
			return sizeOf(r.Transactions(ctx, chain.TransactionFilter{Accounts: []chain.Address{old.Account}}, chain.Page{Limit: 1000}))
		},
		"traces of then": func(ctx context.Context) (int, error) {
			return sizeOf(r.Traces(ctx, chain.TraceFilter{McSeqno: &old.McSeqno}, ten))
		},
	}
	for _, c := range []struct {
		list map[string]func(ctx context.Context) (int, error)
		runs int
	}{{here, 1}, {there, 2}} {
		for name, read := range c.list {
			runs := 0
			var found int
			require.NoError(t, readers.Try(t.Context(), 0, nil, func(ctx context.Context) (err error) {
				runs++
				found, err = read(ctx)
				return err
			}), name)
			require.Equal(t, c.runs, runs, name)
			require.NotZero(t, found, name)
		}
	}
}

func sizeOf[T any](rows []T, err error) (int, error) { return len(slices.Clone(rows)), err }

// What requests see of the index does not change when blocks move: the ranges, whether a block is indexed, and what was dropped.
func TestCold_RequestsSeeTheRangesOfAllServers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 3_000)
	db := testdb.New(t)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	first, last := batches[0][5].Block.Seqno, lastOf(batches[len(batches)-1])
	storetest.DropAll(t, db, first, 1000)
	name, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	bound := batches[0][30].Block.Seqno
	moveAllCold(t, db, name, bound, 200)
	for _, complete := range []bool{false, true} {
		ctx := store.Complete(t.Context())
		if !complete {
			ctx = store.InRequest(t.Context())
		}
		ranges, err := db.Reader().Ranges(ctx)
		require.NoError(t, err)
		require.Equal(t, []chain.SeqnoRange{{First: first + 1, Last: last}}, ranges)
		for seqno, want := range map[uint32]bool{first: false, first + 1: true, bound: true, bound + 1: true, last: true, last + 1: false} {
			indexed, err := db.Reader().IsIndexed(ctx, seqno)
			require.NoError(t, err)
			require.Equal(t, want, indexed, seqno)
		}
		dropped, err := db.Reader().Dropped(ctx)
		require.NoError(t, err)
		require.Equal(t, first, dropped.Last)
	}
	ranges, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err)
	require.Equal(t, []chain.SeqnoRange{{First: bound + 1, Last: last}}, ranges, "the indexer continues with what is here")
}

// What the tables of removed rows had in earlier steps is not read over by all later ones, also where nothing vacuums them.
func TestMoveCold_TablesOfRemovedRowsStaySmall(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	batches := coldChain(t, 12_000)
	db := testdb.New(t)
	for _, b := range batches {
		require.NoError(t, db.Writer().Apply(t.Context(), b...))
	}
	name, err := db.Cold().Connect(t.Context(), testdb.URL(t))
	require.NoError(t, err)
	storetest.ExecSQL(t, db, `ALTER TABLE tonql_complete.removed_transactions SET (autovacuum_enabled = off)`)
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	var largest, size int64
	for bound := uint32(10); bound < lastOf(batches[len(batches)-1]); bound += 10 {
		moveAllCold(t, db, name, bound, 2000)
		require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT pg_relation_size('tonql_complete.removed_transactions')`).Scan(&size))
		largest = max(largest, size)
	}
	require.Greater(t, largest, int64(3<<20))
	require.Less(t, largest, int64(5<<20))
}
