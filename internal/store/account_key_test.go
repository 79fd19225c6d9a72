package store_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
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

// Lists of accounts are exact while their keys collide: for each filter, page by page.
func TestAccountKeys_CollidingAccountsHaveExactLists(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, different := range []int64{1, 4} {
		t.Run(fmt.Sprint(different, " keys"), func(t *testing.T) {
			t.Parallel()
			w := newTraceFixtureWithKeys(t, different)
			requireTraceFilters(t, w)
			requireActionFilters(t, w)
			requireEachAccount(t, w)
			none, err := w.Reader.Traces(t.Context(), chain.TraceFilter{Account: new(testdb.Address())}, chain.Page{Limit: 5, Offset: 1})
			require.NoError(t, err)
			require.Empty(t, none)
			actions, err := w.Reader.Actions(t.Context(), chain.ActionFilter{Account: new(testdb.Address())}, chain.Page{Limit: 5})
			require.NoError(t, err)
			require.Empty(t, actions)
		})
	}
}

// requireEachAccount compares the lists of several accounts with those of each.
func requireEachAccount(t *testing.T, w *traceFixture) {
	t.Helper()
	var accounts []chain.Address
	for i := range w.Transactions {
		accounts = append(accounts, w.Transactions[i].Account)
	}
	accounts = append(accounts[:20:20], testdb.Address())
	for _, p := range []chain.Page{
		{Limit: 3}, {Limit: 3, Sort: chain.Ascending}, {Limit: 2, Offset: 2}, {Limit: 4, After: new(w.list[7].Cursor())}, {Limit: 4, Before: new(w.list[9].Cursor()), Last: true},
		{Limit: 4, Before: new(w.list[9].Cursor())},
	} {
		found, err := w.Reader.TracesOfAccounts(t.Context(), accounts, p)
		require.NoError(t, err)
		for _, a := range accounts {
			want, err := w.Reader.Traces(t.Context(), chain.TraceFilter{Account: &a}, p)
			require.NoError(t, err)
			require.Equal(t, append([]chain.Trace{}, want...), append([]chain.Trace{}, found[a]...))
		}
		if p.After != nil {
			p.After = new(w.actions[7].Cursor())
		}
		if p.Before != nil {
			p.Before = new(w.actions[9].Cursor())
		}
		actions, err := w.Reader.ActionsOfAccounts(t.Context(), accounts, p)
		require.NoError(t, err)
		for _, a := range accounts {
			want, err := w.Reader.Actions(t.Context(), chain.ActionFilter{Account: &a}, p)
			require.NoError(t, err)
			require.Equal(t, append([]chain.Action{}, want...), append([]chain.Action{}, actions[a]...))
		}
	}
}

// newTwins makes a block with n traces of one transaction each, which end at one LT and whose ids begin alike. The accounts
// are those of the traces.
func newTwins(n int, first uint32) (blocks []*chain.MasterBlock, accounts []chain.Address) {
	beginning := testdb.Hash()
	beginning[3] = 1 // storetest.Classifier finds an action
	for i := range n {
		mb := testdb.Master(first + uint32(i))
		tx := testdb.NewTransaction(mb, testdb.Address())
		tx.LT = uint64(first) * testdb.StepLT
		copy(tx.Hash[:8], beginning[:8])
		mb.Transactions = []chain.Transaction{tx}
		mb.ShardBlocks[0].TxCount = 1
		blocks, accounts = append(blocks, mb), append(accounts, tx.Account)
	}
	return blocks, accounts
}

// Traces that begin and end alike share their entries when their accounts share a key. All are found, in any order of
// blocks, and stay when one of them is storetest.Classified again.
func TestAccountKeys_TracesThatBeginAlike(t *testing.T) {
	t.Parallel()
	blocks, accounts := newTwins(6, 1)
	for name, batches := range map[string][][]*chain.MasterBlock{
		"one by one": slices.Collect(slices.Chunk(blocks, 1)), "at once": {blocks},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			db.TruncateAccountKeys(1)
			db.Writer().SetClassifier(storetest.Classifier{})
			for _, batch := range batches {
				storetest.Apply(t, db.Writer(), batch)
			}
			requireOneTraceEach := func() {
				for i, a := range accounts {
					list, err := db.Reader().Traces(t.Context(), chain.TraceFilter{Account: &a}, chain.Page{Limit: 5})
					require.NoError(t, err)
					require.Len(t, list, 1)
					require.Equal(t, blocks[i].Transactions[0].Hash, list[0].ID)
					actions, err := db.Reader().Actions(t.Context(), chain.ActionFilter{Account: &a, Types: storetest.ActionTypes}, chain.Page{Limit: 5})
					require.NoError(t, err)
					require.Len(t, actions, 1)
				}
			}
			requireOneTraceEach()
			require.NoError(t, db.Writer().Reclassify(t.Context(), []chain.Hash{blocks[2].Transactions[0].Hash}))
			requireOneTraceEach()
		})
	}
}

// An entry that several traces share stays until the last of them is dropped.
func TestAccountKeys_SharedEntriesStayForTheTracesThatAreLeft(t *testing.T) {
	t.Parallel()
	blocks, accounts := newTwins(6, 1)
	last := uint32(len(blocks))
	db := testdb.New(t)
	db.TruncateAccountKeys(1)
	db.Writer().SetClassifier(storetest.Classifier{})
	storetest.Apply(t, db.Writer(), append(blocks[:last:last], testdb.Master(last+1)))
	entries := func() (n [2]int) {
		return [2]int{countRows(t, db, "account_traces"), countRows(t, db, "account_actions")}
	}
	require.Equal(t, [2]int{1, 1}, entries())
	listed := func(a chain.Address) (traces, actions int) {
		list, err := db.Reader().Traces(t.Context(), chain.TraceFilter{Account: &a}, chain.Page{Limit: 5})
		require.NoError(t, err)
		found, err := db.Reader().Actions(t.Context(), chain.ActionFilter{Account: &a, Types: storetest.ActionTypes}, chain.Page{Limit: 5})
		require.NoError(t, err)
		return len(list), len(found)
	}
	storetest.DropAll(t, db, 4, 100)
	for i, a := range accounts {
		want := i / 4
		traces, actions := listed(a)
		require.Equal(t, want, traces)
		require.Equal(t, want, actions)
	}
	require.Equal(t, [2]int{1, 1}, entries())
	storetest.DropAll(t, db, last, 100)
	require.Equal(t, [2]int{}, entries())
}

// An address that lies across two others in the list of an action, or of a trace, does not take part.
func TestAccountKeys_AddressAcrossOthers(t *testing.T) {
	t.Parallel()
	w := newTraceFixtureWithKeys(t, 1)
	for _, shift := range []int{1, 16, 32} {
		pair := w.actions[slices.IndexFunc(w.actions, func(a chain.Action) bool { return len(a.Accounts) > 1 })]
		raw := slices.Concat(pair.Accounts[0].Bytes(), pair.Accounts[1].Bytes())[shift : shift+33]
		across := chain.Address{Workchain: int32(raw[0]) - 128, ID: chain.HashFrom(raw[1:])}
		for _, f := range []chain.ActionFilter{{Account: &across}, {Account: &across, TraceIDs: []chain.Hash{pair.TraceID}}} {
			f.Types, f.Supported = storetest.ActionTypes, []string{}
			actions, err := w.Reader.Actions(t.Context(), f, chain.Page{Limit: 5})
			require.NoError(t, err)
			require.Empty(t, actions)
		}
	}
	// The address occurs across the first two and, in its place, as the third.
	raw := slices.Concat(w.actions[0].Accounts[0].Bytes(), w.actions[0].Accounts[0].Bytes())[5 : 5+33]
	both := chain.Address{Workchain: int32(raw[0]) - 128, ID: chain.HashFrom(raw[1:])}
	storetest.ExecSQL(t, w.DB, fmt.Sprintf(`UPDATE actions SET accounts = '\x%x%x%x', ancestors = '{}' WHERE action_id = '\x%x'`,
		w.actions[0].Accounts[0].Bytes(), w.actions[0].Accounts[0].Bytes(), both.Bytes(), w.actions[0].ID[:]))
	actions, err := w.Reader.Actions(t.Context(), chain.ActionFilter{Account: &both, Types: storetest.ActionTypes}, chain.Page{Limit: 5})
	require.NoError(t, err)
	require.Len(t, actions, 1)
	storetest.ExecSQL(t, w.DB, fmt.Sprintf(`UPDATE traces SET nodes = '\x%x%x%x' WHERE trace_id = '\x%x'`,
		slices.Concat(w.list[0].Root.Account.Bytes(), make([]byte, 8)), slices.Concat(make([]byte, 41))[:41], slices.Concat(both.Bytes(), make([]byte, 8)), w.list[0].ID[:]))
	list, err := w.Reader.Traces(t.Context(), chain.TraceFilter{Account: &both}, chain.Page{Limit: 5})
	require.NoError(t, err)
	require.Len(t, list, 1)
}

// A type that this program does not number is listed, and so are the types that it numbers and the program that wrote them
// did not.
func TestActionTypes_OfOtherVersions(t *testing.T) {
	t.Parallel()
	w := newTraceFixture(t)
	some := w.actions[slices.IndexFunc(w.actions, func(a chain.Action) bool { return len(a.Ancestors) == 0 })]
	for _, types := range []int64{-1 << 63, 1 << 57} { // as an older and a newer program store them
		storetest.ExecSQL(t, w.DB, fmt.Sprintf(`UPDATE actions SET type = 'of_a_newer_program' WHERE action_id = '\x%x'`, some.ID[:]))
		storetest.ExecSQL(t, w.DB, fmt.Sprintf(`UPDATE account_actions SET types = %d WHERE trace_end_lt = %d`, types, some.TraceEndLT))
		actions, err := w.Reader.Actions(t.Context(), chain.ActionFilter{Account: &some.Accounts[0], Types: []string{"of_a_newer_program"}}, chain.Page{Limit: 5})
		require.NoError(t, err)
		require.Len(t, actions, 1)
		require.Equal(t, "of_a_newer_program", actions[0].Type)
	}
	storetest.ExecSQL(t, w.DB, fmt.Sprintf(`UPDATE actions SET type = 'nft_mint' WHERE action_id = '\x%x'`, some.ID[:]))
	storetest.ExecSQL(t, w.DB, fmt.Sprintf(`UPDATE account_actions SET types = %d WHERE trace_end_lt = %d`, -1<<63, some.TraceEndLT))
	actions, err := w.Reader.Actions(t.Context(), chain.ActionFilter{Account: &some.Accounts[0], Types: []string{"nft_mint"}, StartLT: &some.TraceEndLT, EndLT: &some.TraceEndLT}, chain.Page{Limit: 50})
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(actions, func(a chain.Action) bool { return a.ID == some.ID }))
}

// accountKeysMigration is the migration that the move belongs to.
const accountKeysMigration = "00056_account_keys.sql"

// withReplacedTables gives a database the tables of the version before account keys, complete, as that version left them.
func withReplacedTables(t *testing.T, db *store.DB) {
	t.Helper()
	handle := db.SQLDB()
	storetest.Repeat(t, handle, accountKeysMigration)
	require.NoError(t, handle.Close())
	db.ForgetAccountMove()
	db.Reader().Pool().Reset()
}

func requireMoved(t *testing.T, db *store.DB, limit int) (steps int) {
	t.Helper()
	for {
		move, err := db.Writer().MoveAccounts(t.Context(), limit)
		require.NoError(t, err)
		steps++
		if move.Done {
			return steps
		}
	}
}

// The index of an earlier version is moved in small steps, which may be interrupted, beside a writer: lists and digest stay
// the same all the time, and in the end the tables are those of a new index.
func TestMoveAccounts_InPlaceBesideAWriter(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	w := traceFixtureOf(t, storetest.IndexChainWithoutRaw(t), math.MaxInt64)
	before, err := w.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	withReplacedTables(t, w.DB)
	w.Reader = w.DB.Reader()
	requireState := func() {
		t.Helper()
		got, err := w.Reader.Digest(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, before.String(), got.String())
	}
	requireState()
	requireTraceFilters(t, w)
	requireActionFilters(t, w)
	requireEachAccount(t, w)
	for i := range 40 { // interrupted before, within and after the step
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%8)*time.Millisecond)
		_, err := w.DB.Writer().MoveAccounts(ctx, 37)
		cancel()
		if err == nil && i%10 == 0 {
			w.DB.ForgetAccountMove()
			w.Reader = w.DB.Reader()
		}
		if i%10 == 5 { // both forms are written until all is moved
			trace := storetest.Pick(w.Chain, w.list)
			require.NoError(t, w.DB.Writer().Reclassify(t.Context(), []chain.Hash{trace.ID}))
		}
	}
	requireState()
	requireTraceFilters(t, w)
	require.Greater(t, requireMoved(t, w.DB, 37), 3)
	requireState()
	requireTraceFilters(t, w)
	requireActionFilters(t, w)
	requireEachAccount(t, w)

	// The tables equal those of an index that never had the old ones.
	entries := func(db *store.DB) (rows []string) {
		for _, table := range []string{"account_traces", "account_actions", "large_trace_accounts"} {
			found, err := db.Reader().Pool().Query(t.Context(), `SELECT k::text FROM `+table+` k ORDER BY 1`)
			require.NoError(t, err)
			for found.Next() {
				var row string
				require.NoError(t, found.Scan(&row))
				rows = append(rows, table+row)
			}
			require.NoError(t, found.Err())
		}
		return rows
	}
	require.Equal(t, entries(newTraceFixture(t).DB), entries(w.DB))

	// The old tables stay for readers that began before, then they go.
	free := func() bool {
		freed, err := w.DB.Writer().Moves(time.Minute)[0].Free(t.Context())
		require.NoError(t, err)
		return freed
	}
	require.False(t, free())
	storetest.ExecSQL(t, w.DB, `UPDATE account_keys_move SET done_at = done_at - interval '1 hour'`)
	for range 2 {
		require.True(t, free())
		step, err := w.DB.Writer().MoveAccounts(t.Context(), 37)
		require.NoError(t, err)
		step.Locked = 0
		require.Equal(t, moves.Step{Done: true}, step)
	}
	requireState()
	require.NoError(t, w.DB.Writer().Reclassify(t.Context(), []chain.Hash{w.list[0].ID}))
	requireState()
}

// Accounts of traces above the limit of transactions are moved, too.
func TestMoveAccounts_LargeTraces(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	blocks := storetest.GiantTrace(chain.MaxTraceTransactions+1, 200, 400)
	for _, mb := range blocks {
		storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	}
	before, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	withReplacedTables(t, db)
	requireMoved(t, db, 999)
	after, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, before.String(), after.String())
	account := blocks[len(blocks)-1].Transactions[0].Account
	of, err := db.Reader().Traces(t.Context(), chain.TraceFilter{Account: &account}, chain.Page{Limit: 5})
	require.NoError(t, err)
	require.Len(t, of, 1)
}

// Many traces end at one LT. The trace of an entry is found without reading the others.
func TestAccountKeys_ManyTracesEndAtOneLT(t *testing.T) {
	t.Parallel()
	db := newDBWithoutAutovacuum(t)
	account := testdb.Address()
	for seqno := range uint32(10) {
		mb := testdb.Master(seqno + 1)
		for i := range 200 {
			tx := testdb.NewTransaction(mb, testdb.Address())
			tx.LT, tx.Hash = mb.Block.StartLT, sha256.Sum256(tx.Hash[:])
			if i == 100 {
				tx.Account = account
			}
			mb.Transactions = append(mb.Transactions, tx)
		}
		mb.ShardBlocks[0].TxCount = 200
		storetest.Apply(t, db.Writer(), []*chain.MasterBlock{mb})
	}
	f, p := chain.TraceFilter{Account: &account}, chain.Page{Limit: 10}
	list, err := db.Reader().Traces(t.Context(), f, p)
	require.NoError(t, err)
	require.Len(t, list, 10)
	requirePlans(t, db, []planCase{{"traces", 60, store.TracesStatement(f, p)}})
}
