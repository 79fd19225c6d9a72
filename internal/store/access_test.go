package store_test

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// createKey creates a key and returns it with its secret.
func createKey(t *testing.T, keys *store.Access, o access.Order) (*access.Key, string) {
	t.Helper()
	secret, hash, hint := access.NewSecret()
	k, err := keys.CreateKey(t.Context(), o, hash, hint)
	require.NoError(t, err)
	return k, secret
}

func TestKeys_AreStoredByTheirHash(t *testing.T) {
	t.Parallel()
	keys := testdb.New(t).Access()
	plus := access.Plans[1]
	made, secret := createKey(t, keys, access.Order{Owner: "alice", Network: "mainnet", Label: "shop", Liteservers: "own", Plan: plus})
	require.Equal(t, secret[:len(made.Hint)], made.Hint)

	found, err := keys.KeyByHash(t.Context(), access.HashOf(secret))
	require.NoError(t, err)
	require.Equal(t, made, found)
	require.Equal(t, plus, found.Plan)
	require.Equal(t, "own", found.Liteservers)
	require.True(t, found.Valid(time.Now()))

	none, err := keys.KeyByHash(t.Context(), access.HashOf(secret+"x"))
	require.NoError(t, err)
	require.Nil(t, none)

	_, err = keys.CreateKey(t.Context(), access.Order{Owner: "bob", Network: "mainnet"}, access.HashOf(secret), "x")
	require.Equal(t, chain.Invalid, chain.KindOf(err), "the same key again")
	for _, bad := range []access.Order{{Network: "mainnet"}, {Owner: "a"}, {Owner: "a\nb", Network: "mainnet"}} {
		_, err := keys.CreateKey(t.Context(), bad, access.HashOf("y"), "y")
		require.Equal(t, chain.Invalid, chain.KindOf(err))
	}
}

func TestCreateKey_PlanBoundsTheNumberOfKeys(t *testing.T) {
	t.Parallel()
	keys := testdb.New(t).Access()
	order := access.Order{Owner: "alice", Network: "mainnet", Plan: access.Plans[1]}
	var ids []int64
	for range 3 {
		k, _ := createKey(t, keys, order)
		ids = append(ids, k.ID)
	}
	_, hash, hint := access.NewSecret()
	_, err := keys.CreateKey(t.Context(), order, hash, hint)
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.ErrorContains(t, err, "3 keys on mainnet")

	createKey(t, keys, access.Order{Owner: "alice", Network: "testnet"}) // networks are counted separately
	require.NoError(t, keys.ExpireKey(t.Context(), ids[0], 0))
	k, _ := createKey(t, keys, access.Order{Owner: "alice", Network: "mainnet"})
	require.Equal(t, "plus", k.Plan.Name, "an order without a plan keeps the owner's")

	list, err := keys.Keys(t.Context(), "mainnet", "alice")
	require.NoError(t, err)
	require.Len(t, list, 4)
	require.False(t, list[0].Valid(time.Now()))
	all, err := keys.Keys(t.Context(), "", "")
	require.NoError(t, err)
	require.Len(t, all, 5)
}

func TestCreateKey_PlanHoldsUnderConcurrency(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	for i, plan := range access.Plans {
		owner := access.Order{Owner: "alice " + strconv.Itoa(i), Network: "devnet", Plan: plan}
		require.Equal(t, plan.MaxKeys, storetest.RunConcurrently(t, 40, func(i int) error {
			o := owner
			if i%2 == 1 {
				o.Plan = access.Plan{} // the plan of the owner
			}
			_, hash, hint := access.NewSecret()
			_, err := db.Access().CreateKey(t.Context(), o, hash, hint)
			return err
		}))
	}
}

func TestExpireKey_NeverPostponesTheEnd(t *testing.T) {
	t.Parallel()
	keys := testdb.New(t).Access()
	k, _ := createKey(t, keys, access.Order{Owner: "alice", Network: "mainnet"})
	require.NoError(t, keys.ExpireKey(t.Context(), k.ID, time.Hour))
	rotated, err := keys.KeyByID(t.Context(), k.ID)
	require.NoError(t, err)
	require.True(t, rotated.Valid(time.Now()))
	require.NoError(t, keys.ExpireKey(t.Context(), k.ID, 0))
	require.NoError(t, keys.ExpireKey(t.Context(), k.ID, 24*time.Hour))
	revoked, err := keys.KeyByID(t.Context(), k.ID)
	require.NoError(t, err)
	require.False(t, revoked.Valid(time.Now().Add(time.Second)))
	require.Equal(t, chain.NotFound, chain.KindOf(keys.ExpireKey(t.Context(), 1<<40, 0)))
}

func TestLease_ConcurrentLeasesNeverExceedTheBucket(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	const rate, workers = 0.001, 8 // it does not fill while the test runs
	var total float64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range 20 {
				granted, _, err := db.Access().Lease(t.Context(), "b", rate, 50, 1, 0)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				total += granted
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	require.InDelta(t, 1, total, 1e-9, "a new bucket holds one token or a second's worth")

	granted, left, err := db.Access().Lease(t.Context(), "debts", 10, 10, 1, 25)
	require.NoError(t, err)
	require.Zero(t, granted)
	require.InDelta(t, -15, left, 0.1)
	require.NoError(t, db.Access().SweepBuckets(t.Context()))
}

// A clock that jumps back or forward by an hour neither stops shared limits nor grants more than a full bucket.
func TestLease_ContinuesWhenTheClockJumps(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	const rate, burst = 10.0, 20.0
	lease := func() float64 {
		granted, _, err := db.Access().Lease(t.Context(), "jump", rate, burst, 1000, 0)
		require.NoError(t, err)
		return granted
	}
	move := func(by string) {
		handle := db.SQLDB()
		defer func() { require.NoError(t, handle.Close()) }()
		_, err := handle.ExecContext(t.Context(), `UPDATE access_buckets SET at = at + $1::interval WHERE bucket = 'jump'`, by)
		require.NoError(t, err)
	}
	require.Positive(t, lease())
	move("1 hour") // the same as a clock that was set back
	lease()        // stores the new time
	require.Eventually(t, func() bool { return lease() > 0 }, time.Minute, 50*time.Millisecond, "tokens are granted again")
	move("-1 hour")
	require.InDelta(t, burst, lease(), 1e-6, "an hour forward fills the bucket once")
}

// Gateways that start at the same time sign with one secret.
func TestPageSecret_IsTheSameForAll(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	secrets := make([][]byte, 8)
	var wait sync.WaitGroup
	for i := range secrets {
		wait.Go(func() { secrets[i], _ = db.Access().PageSecret(t.Context()) })
	}
	wait.Wait()
	for _, secret := range secrets {
		require.Len(t, secret, access.PageSecretBytes)
		require.Equal(t, secrets[0], secret)
	}
}
