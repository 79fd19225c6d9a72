package access_test

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
)

// However many requests an owner sends, with tokens or without, a gateway queries the store at most about ten times a second for it.
func TestLease_QueriesOfTheStoreAreBounded(t *testing.T) {
	t.Parallel()
	for _, plan := range append([]access.Plan{{Name: access.Custom, Rate: 1000, MaxKeys: 1}}, access.Plans...) {
		c := newClock()
		store := newKeyStore(c)
		g := access.New(store, access.Options{Network: "mainnet", Shared: true, Now: c.now})
		key := store.addKey("alice", "mainnet", plan)
		admitted(c, []*access.Limiter{g}, []string{key, key, key, key}, time.Millisecond, time.Second)
		before := store.leases
		passed := admitted(c, []*access.Limiter{g}, []string{key, key, key, key}, time.Millisecond, 10*time.Second)
		require.InEpsilon(t, 10*plan.Rate, passed, 0.02, plan.Name)
		require.LessOrEqual(t, store.leases-before, 10*10+1, plan.Name)
	}
}

// While the store is unreachable, each gateway limits by itself, and logs that every ten seconds, not for each request.
func TestLease_WithoutTheStoreAGatewayLimitsAlone(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	var logged bytes.Buffer
	g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 5, Shared: true, Now: c.now, Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	store.fail(errors.New("gone"))
	passed := admitted(c, []*access.Limiter{g}, []string{""}, 10*time.Millisecond, 30*time.Second)
	require.InDelta(t, 30*5, passed, 6)
	require.Equal(t, 3, bytes.Count(logged.Bytes(), []byte("\n")), "%s", logged.String())
	store.fail(nil)
	logged.Reset()
	passed = admitted(c, []*access.Limiter{g}, []string{""}, 10*time.Millisecond, 30*time.Second)
	require.InDelta(t, 30*5, passed, 6)
	require.Empty(t, logged.String())
}
