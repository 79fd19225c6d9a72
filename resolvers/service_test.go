package resolvers_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

func service(db *store.DB, opts resolvers.Options) *resolvers.Service {
	return resolvers.New(db.Reader(), nil, opts)
}

func apply(t *testing.T, db *store.DB, seqnos ...uint32) {
	t.Helper()
	for _, seqno := range seqnos {
		require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(seqno)))
	}
}

// Concurrent requests share one read of the head; it is read again after its TTL.
func TestHead_IsReadOnceUntilItsTTL(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	svc := service(db, resolvers.Options{HeadTTL: time.Hour})
	_, err := svc.MasterchainInfo(t.Context())
	require.Equal(t, chain.NotFound, chain.KindOf(err))
	seqno, err := svc.McSeqno(t.Context())
	require.NoError(t, err)
	require.Zero(t, seqno)

	apply(t, db, 7) // the head of an empty index is not cached
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			info, err := svc.MasterchainInfo(t.Context())
			if err != nil || info.Last.Seqno != 7 || info.First.Seqno != 7 {
				t.Errorf("head %d, %v", info.Last.Seqno, err)
			}
		})
	}
	wg.Wait()
	apply(t, db, 8)
	seqno, err = svc.McSeqno(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint32(7), seqno, "cached for an hour")

	quick := service(db, resolvers.Options{HeadTTL: time.Nanosecond})
	for want := uint32(8); want < 11; want++ {
		seqno, err = quick.McSeqno(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, seqno)
		apply(t, db, want+1)
	}
}

// The pending source waits for blocks that live events have published, however old the cached head is.
func TestPendingSource_ReachesPublishedBlocks(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	apply(t, db, 7)
	svc := service(db, resolvers.Options{HeadTTL: time.Hour, Pending: db.Pending(store.PendingLimits{})})
	seqno, err := svc.McSeqno(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint32(7), seqno)
	apply(t, db, 8)
	require.NoError(t, svc.Pending().Reach(t.Context(), 7))
	seqno, err = svc.McSeqno(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint32(7), seqno, "the cached head")
	require.NoError(t, svc.Pending().Reach(t.Context(), 8))
	seqno, err = svc.McSeqno(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint32(8), seqno)
}

// A cancelled request does not cancel the shared read of others.
func TestHead_CancelledRequestFailsNoOther(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	apply(t, db, 7)
	svc := service(db, resolvers.Options{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := svc.MasterchainInfo(gone)
	if err != nil { // the read may also have been faster
		require.Equal(t, chain.Unavailable, chain.KindOf(err))
	}
	_, err = svc.MasterchainInfo(t.Context())
	require.NoError(t, err)
}

func TestStatus_ListsRangesAndGaps(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	svc := service(db, resolvers.Options{Network: "test", HeadTTL: time.Nanosecond})
	st, err := svc.Status(t.Context())
	require.NoError(t, err)
	require.True(t, st.Empty)
	apply(t, db, 5, 6, 9, 12)
	st, err = svc.Status(t.Context())
	require.NoError(t, err)
	require.False(t, st.Empty)
	require.Equal(t, "test", st.Network)
	require.Equal(t, uint32(5), st.First.Seqno)
	require.Equal(t, uint32(12), st.Last.Seqno)
	require.Equal(t, []chain.SeqnoRange{{First: 5, Last: 6}, {First: 9, Last: 9}, {First: 12, Last: 12}}, st.Ranges)
	require.Equal(t, []chain.SeqnoRange{{First: 7, Last: 8}, {First: 10, Last: 11}}, st.Gaps)
	require.Greater(t, st.Lag, time.Hour) // the blocks of testdb are old
}

// Every method refuses queries above the published limits.
func TestService_ExcessiveQueriesAreInvalid(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	svc := service(db, resolvers.Options{Limits: resolvers.Limits{Rows: 5, Offset: 10, Addresses: 2}})
	ctx := t.Context()
	many := []chain.Address{testdb.Address(), testdb.Address(), testdb.Address()}
	hashes := []chain.Hash{{1}, {2}, {3}}
	wide, deep := chain.Page{Limit: 6}, chain.Page{Limit: 5, Offset: 11}
	one := chain.Page{Limit: 1}
	connections := &resolvers.Resolver{Service: svc, Limits: chain.ServiceConfig{MaxPageSize: 100}}
	for name, query := range map[string]func() error{
		"blocks wide":       func() error { _, err := svc.Blocks(ctx, chain.BlockFilter{}, wide); return err },
		"blocks deep":       func() error { _, err := svc.Blocks(ctx, chain.BlockFilter{}, deep); return err },
		"transactions wide": func() error { _, err := svc.Transactions(ctx, chain.TransactionFilter{}, wide); return err },
		"transactions deep": func() error { _, err := svc.FullTransactions(ctx, chain.TransactionFilter{}, deep, false); return err },
		"messages wide":     func() error { _, err := svc.Messages(ctx, chain.MessageFilter{}, wide); return err },
		"top wide":          func() error { _, err := svc.TopAccounts(ctx, wide); return err },
		"connection wide": func() error {
			_, err := connections.Query().Blocks(ctx, nil, &wide.Limit, nil, nil, nil, nil)
			return err
		},
		"accounts": func() error {
			_, err := svc.Transactions(ctx, chain.TransactionFilter{Accounts: many}, one)
			return err
		},
		"excluded": func() error {
			_, err := svc.Transactions(ctx, chain.TransactionFilter{ExcludeAccounts: many}, one)
			return err
		},
		"hashes": func() error {
			_, err := svc.Transactions(ctx, chain.TransactionFilter{Hashes: hashes}, one)
			return err
		},
		"message hashes": func() error { _, err := svc.Messages(ctx, chain.MessageFilter{Hashes: hashes}, one); return err },
		"by message": func() error {
			_, err := svc.TransactionsByMessage(ctx, chain.MessageFilter{Hashes: hashes}, one, false)
			return err
		},
		"states":           func() error { _, err := svc.AccountStates(ctx, chain.AccountFilter{Addresses: many}, one); return err },
		"wallets":          func() error { _, err := svc.WalletStates(ctx, many); return err },
		"states of nobody": func() error { _, err := svc.AccountStates(ctx, chain.AccountFilter{}, one); return err },
		"by no message":    func() error { _, err := svc.TransactionsByMessage(ctx, chain.MessageFilter{}, one, false); return err },
	} {
		err := query()
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%s: %v", name, err)
	}
}

// A filter that contradicts itself matches nothing, without an error.
func TestFilters_ContradictionsMatchNothing(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	apply(t, db, 5)
	svc := service(db, resolvers.Options{})
	page := chain.Page{Limit: 10}
	a := testdb.Address()
	for _, f := range []chain.MessageFilter{
		{Source: &a, NoSource: true}, {Destination: &a, NoDestination: true}, {NoSource: true, NoDestination: true},
		{ExcludeExternals: true, OnlyExternals: true}, {OnlyExternals: true, Source: &a}, {StartLT: new(uint64(1 << 63))},
		{StartUtime: new(uint32(2)), EndUtime: new(uint32(1))},
	} {
		rows, err := svc.Messages(t.Context(), f, page)
		require.NoError(t, err)
		require.Empty(t, rows)
	}
	for _, f := range []chain.TransactionFilter{
		{LT: new(uint64(1 << 63))}, {StartLT: new(uint64(2)), EndLT: new(uint64(1))}, {McSeqno: new(uint32(5)), LT: new(uint64(1 << 63))},
	} {
		rows, err := svc.Transactions(t.Context(), f, page)
		require.NoError(t, err)
		require.Empty(t, rows)
	}
	_, err := svc.Transactions(t.Context(), chain.TransactionFilter{McSeqno: new(uint32(6))}, page)
	require.EqualError(t, err, "masterchain block 6 not found")
}

// Pages by cursor contain a list exactly once in both directions, for every page size.
func TestConnections_CoverAListOnceInBothDirections(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	apply(t, db, 5, 6, 7, 8, 9, 10, 11)
	svc := service(db, resolvers.Options{})
	query := (&resolvers.Resolver{Service: svc, Limits: chain.ServiceConfig{MaxPageSize: 100}}).Query()
	all, err := svc.Blocks(t.Context(), chain.BlockFilter{}, chain.Page{Limit: 100})
	require.NoError(t, err)
	require.Len(t, all, 14)
	for size := 1; size <= 15; size += 3 {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			var forward []chain.BlockID
			var next, previous *string
			for {
				c, err := query.Blocks(t.Context(), nil, &size, next, nil, nil, nil)
				require.NoError(t, err)
				for _, b := range c.Nodes() {
					forward = append(forward, b.BlockID)
				}
				if !c.PageInfo.HasNextPage {
					break
				}
				after, err := chain.ParseCursor(*c.PageInfo.EndCursor, chain.BlockList)
				require.NoError(t, err)
				require.Equal(t, uint32(11), after.McSeqno, "the cursor has the head of the first page")
				next = c.PageInfo.EndCursor
			}
			require.Len(t, forward, len(all))
			for i := range all {
				require.Equal(t, all[i].BlockID, forward[i])
			}
			var backward []chain.BlockID
			for {
				c, err := query.Blocks(t.Context(), nil, nil, nil, &size, previous, nil)
				require.NoError(t, err)
				nodes := c.Nodes()
				for _, v := range slices.Backward(nodes) {
					backward = append(backward, v.BlockID)
				}
				if !c.PageInfo.HasPreviousPage {
					break
				}
				previous = c.PageInfo.StartCursor
			}
			require.Len(t, backward, len(all))
			for i := range all {
				require.Equal(t, all[i].BlockID, backward[len(backward)-1-i])
			}
		})
	}
}
