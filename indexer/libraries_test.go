package indexer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// TestReplay_LibrariesAreThoseOfTheBlock runs a contract whose code is a library before the library is published, while
// it is public, after it was withdrawn and when it is public again. Every transaction is replayed in every order of
// blocks, and the tables are equal.
func TestReplay_LibrariesAreThoseOfTheBlock(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	inner := codeOf(t, "3077") // DROP 7 PUSHINT
	code := contracts.LibraryCode(inner)
	user, masterUser := contractAt(code, 0, "user"), contractAt(code, -1, "user")
	var librarian contracts.Contract
	n := newSmallNet(ctx, t, func(owner *address.Address) []genesis.Account {
		librarian = contracts.Librarian(owner)
		return []genesis.Account{user, masterUser, {
			Address: librarian.Address, Balance: 10e9, Code: librarian.Init.Code, Data: librarian.Init.Data,
		}}
	})
	use := func() {
		n.send(t, contracts.Call(user.Address, 1e9, nil), contracts.Call(masterUser.Address, 1e9, nil))
	}
	use()
	n.send(t, contracts.Call(librarian.Address, 2e9, contracts.PublishLibrary(1, inner)))
	use()
	n.send(t, contracts.Call(librarian.Address, 2e9, contracts.WithdrawLibrary(2, inner)))
	use()
	n.send(t, contracts.Call(librarian.Address, 2e9, contracts.PublishLibrary(3, inner)),
		contracts.Call(user.Address, 1e9, nil), contracts.Call(masterUser.Address, 1e9, nil)) // used in the block that publishes it
	use()
	last := n.head()

	forward := testdb.New(t)
	run(ctx, t, n.client, forward, 1, last, indexer.Options{})
	requireVerified(ctx, t, n.client, forward, 1, last)
	counts, err := forward.Reader().VerificationCounts(ctx)
	require.NoError(t, err)
	require.Positive(t, counts.Replayed)
	require.Equal(t, chain.VerificationCounts{Replayed: counts.Replayed}, counts)
	exits := map[int32]int{}
	txs, err := forward.Reader().Transactions(ctx, chain.TransactionFilter{Accounts: []chain.Address{addressOf(user.Address), addressOf(masterUser.Address)}},
		chain.Page{Limit: 100})
	require.NoError(t, err)
	for i := range txs {
		if c := txs[i].Description.Compute; c != nil && !c.Skipped {
			exits[c.ExitCode]++
		}
	}
	require.GreaterOrEqual(t, exits[9], 4, "without the library: %v", exits)
	require.GreaterOrEqual(t, exits[0], 4, "with it: %v", exits)

	history := libraryRuns(ctx, t, forward, chain.Hash(inner.HashKey()), last)
	var public []bool
	for i, r := range history {
		public = append(public, r.public)
		require.True(t, i == 0 || history[i-1].Last+1 == r.First)
	}
	require.Equal(t, []bool{false, true, false, true}, public)

	requireLibrariesOfTheBlock(ctx, t, resolvers.New(forward.Reader(), nil, resolvers.Options{}), user.Address, history)
	requireLibrariesOfTheBlock(ctx, t, resolvers.New(forward.Reader(), n.client, resolvers.Options{}), user.Address, history)

	want := digest(ctx, t, forward)
	for name, opts := range map[string]indexer.Options{
		"backward in batches": {Batch: 4, Workers: 1},
		"block by block":      {Batch: 1, Workers: 2, Ahead: 1},
		"several workers":     {Batch: 3, Workers: 3},
	} {
		db := testdb.New(t)
		newest := opts
		newest.From = from(t, "latest")
		run(ctx, t, n.client, db, last, last, newest)
		run(ctx, t, n.client, db, 1, last, opts)
		require.Equal(t, want, digest(ctx, t, db), name)
	}
}

// libraryRun is a run of masterchain blocks after which a library is public, or is not.
type libraryRun struct {
	chain.SeqnoRange

	public bool
}

// libraryRuns returns what the index has of a library after the blocks up to last.
func libraryRuns(ctx context.Context, t *testing.T, db *store.DB, hash chain.Hash, last uint32) (runs []libraryRun) {
	t.Helper()
	for seqno := uint32(1); seqno <= last; seqno++ {
		root, ok, err := db.Reader().LibraryRoot(ctx, seqno)
		require.NoError(t, err)
		require.True(t, ok, seqno)
		found, err := db.Reader().LibrariesOf(ctx, root, []chain.Hash{hash})
		require.NoError(t, err)
		boc, stored := found[hash]
		if !stored {
			continue
		}
		if n := len(runs); n == 0 || runs[n-1].Last+1 != seqno || runs[n-1].public != (boc != nil) {
			runs = append(runs, libraryRun{SeqnoRange: chain.SeqnoRange{First: seqno}, public: boc != nil})
		}
		runs[len(runs)-1].Last = seqno
	}
	return runs
}

// requireLibrariesOfTheBlock runs a get-method of a contract whose code is a library, at each run of blocks.
func requireLibrariesOfTheBlock(ctx context.Context, t *testing.T, svc *resolvers.Service, contract *address.Address, history []libraryRun) {
	t.Helper()
	t.Cleanup(svc.Close)
	for range 2 { // the second time from the cache
		for _, r := range history {
			for _, seqno := range []uint32{r.First, r.Last} {
				got, err := svc.RunGetMethod(ctx, resolvers.MethodCall{Account: addressOf(contract), Method: "seven", Seqno: &seqno})
				require.NoError(t, err)
				require.Equal(t, r.public, got.Exit == 0, "block %d: exit code %d", seqno, got.Exit)
			}
		}
	}
}
