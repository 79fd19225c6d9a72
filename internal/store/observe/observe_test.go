package observe_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/observe"
	"tonql/internal/testdb"
)

// Every kind of sending is observed: batches, COPY, single statements, and those of a snapshot, each by its name.
func TestObserve_SeesEveryStatement(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []observe.Statement
	type key struct{}
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.URL(t), Observe: func(ctx context.Context, s observe.Statement) {
		mu.Lock()
		defer mu.Unlock()
		require.GreaterOrEqual(t, s.Took.Nanoseconds(), int64(0))
		if s.Kind == observe.SnapshotRead {
			require.Equal(t, "request", ctx.Value(key{}))
		}
		seen = append(seen, s)
	}})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	mb := testdb.Master(1)
	tx := testdb.NewTransaction(mb, testdb.Address())
	testdb.AddTransaction(mb, &tx)
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	at, done := db.Reader().Snapshot(context.WithValue(t.Context(), key{}, "request"), nil)
	defer done()
	_, err = at.Transactions(context.WithValue(t.Context(), key{}, "request"), chain.TransactionFilter{}, chain.Page{Limit: 1})
	require.NoError(t, err)
	done()
	mu.Lock()
	defer mu.Unlock()
	has := func(kind observe.Kind, name string, follows bool) bool {
		return slices.ContainsFunc(seen, func(s observe.Statement) bool {
			return s.Kind == kind && s.Name == name && s.Follows == follows && s.Err == nil
		})
	}
	require.True(t, has(observe.Write, "copy transactions", false), "%v", seen)
	require.True(t, has(observe.Write, "select indexed_ranges", true), "%v", seen)
	require.True(t, has(observe.Write, "insert indexed_ranges", true) || has(observe.Write, "insert indexed_ranges", false), "%v", seen)
	require.True(t, has(observe.SnapshotRead, "select indexed_ranges", false), "%v", seen)
	require.True(t, has(observe.SnapshotRead, "select transactions", true), "%v", seen)
}

// A statement of a snapshot whose server is lost has that error, so that nobody takes the wait for work.
func TestObserve_LostServersAreErrorsOfTheirStatements(t *testing.T) {
	t.Parallel()
	proxy, url := testdb.NewProxy(t, testdb.URL(t))
	var mu sync.Mutex
	var lost []string
	db, err := store.Open(t.Context(), store.Config{WriteURL: url, MaxReadConns: 1, Observe: func(_ context.Context, s observe.Statement) {
		mu.Lock()
		defer mu.Unlock()
		if store.ServerLost(s.Err) {
			lost = append(lost, s.Kind.String()+": "+s.Name)
		}
	}})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	read := func(between func()) error {
		at, done := db.Reader().Snapshot(t.Context(), nil)
		defer done()
		for range 2 {
			if _, err := at.Transactions(t.Context(), chain.TransactionFilter{}, chain.Page{Limit: 1}); err != nil {
				return err
			}
			between()
		}
		return nil
	}
	require.NoError(t, read(func() {}), "the statements are prepared")
	require.Error(t, read(func() { proxy.CutAfter(1) }))
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, 1, proxy.Cuts())
	require.NotEmpty(t, lost)
	require.Contains(t, lost[0], "snapshot: ")
}
