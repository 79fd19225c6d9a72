package access_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

// The key of a connection that stays open is checked again while it runs, without a token.
func TestStill_KeyOfARunningRequest(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	key, foreign := store.addKey("alice", "mainnet", access.Plans[0]), store.addKey("alice", "testnet", access.Plans[0])
	for range 100 { // more than the plan has tokens
		require.Equal(t, access.Admitted, g.Still(t.Context(), ""))
		require.Equal(t, access.Admitted, g.Still(t.Context(), key))
	}
	require.Equal(t, access.Admitted, g.Admit(t.Context(), key, here).Outcome)
	require.Equal(t, access.Foreign, g.Still(t.Context(), foreign))
	require.Equal(t, access.Unknown, g.Still(t.Context(), "no such key"))
	end := c.now().Add(time.Hour)
	store.mu.Lock()
	store.keys[access.HashOf(key)].ExpiresAt = &end
	store.mu.Unlock()
	c.move(time.Hour - time.Second)
	require.Equal(t, access.Admitted, g.Still(t.Context(), key))
	store.fail(errors.New("gone"))
	require.Equal(t, access.Admitted, g.Still(t.Context(), "never seen"), "a key that cannot be looked up is believed")
	store.fail(nil)
	c.move(time.Second)
	require.Equal(t, access.Unknown, g.Still(t.Context(), key), "it has expired")
}

func TestAdmit_TicketDescribesTheRequest(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 0.25, Now: c.now})
	secret := store.addKey("alice", "mainnet", access.Plans[0])
	store.keys[access.HashOf(secret)].Liteservers = "private"
	d := g.Admit(t.Context(), secret, here)
	ctx := access.WithTicket(t.Context(), d.Ticket)
	require.Equal(t, "private", access.PoolOf(ctx))
	require.Equal(t, "mainnet alice", access.OwnerOf(ctx))
	require.Empty(t, access.PageOf(ctx))
	now := uint32(c.now().Unix())
	require.Equal(t, &chain.RateLimit{
		Plan: "free", By: chain.LimitedByKey, Limit: 10, WindowSeconds: 1, Remaining: 9, ResetSeconds: 1, ResetAt: now + 1,
	}, access.LimitOf(ctx))
	require.Equal(t, `"free";r=9;t=1`, d.State())

	d = g.Admit(t.Context(), "", here)
	ctx = access.WithTicket(t.Context(), d.Ticket)
	require.Equal(t, &chain.RateLimit{
		Plan: access.Anonymous, By: chain.LimitedByAddress, Limit: 1, WindowSeconds: 4, ResetSeconds: 4, ResetAt: now + 4,
	}, access.LimitOf(ctx), "a slow limit has a longer window")
	require.Empty(t, access.PoolOf(ctx))
	require.Empty(t, access.OwnerOf(ctx))
	d = g.Admit(t.Context(), "", here)
	require.Equal(t, access.Limited, d.Outcome)
	require.Equal(t, 4*time.Second, d.Wait)
	require.Equal(t, `"`+access.Anonymous+`";r=0;t=4`, d.State())

	require.Nil(t, access.LimitOf(t.Context()))
	require.Empty(t, access.PoolOf(t.Context()))
	require.Empty(t, access.OwnerOf(t.Context()))
	require.Empty(t, access.PageOf(t.Context()))
}

// A key that was tried before it was made is admitted once the negative entry has ended.
func TestAdmit_NewKeyIsFoundAfterAMoment(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(store, access.Options{Network: "mainnet", Now: c.now})
	secret := store.addKey("alice", "mainnet", access.Plans[0])
	key := store.keys[access.HashOf(secret)]
	delete(store.keys, access.HashOf(secret))
	require.Equal(t, access.Unknown, g.Admit(t.Context(), secret, here).Outcome)
	store.keys[access.HashOf(secret)] = key
	require.Equal(t, access.Unknown, g.Admit(t.Context(), secret, here).Outcome, "cached")
	c.move(2 * time.Second)
	require.Equal(t, access.Admitted, g.Admit(t.Context(), secret, here).Outcome)
	_, unknown := g.CachedKeys()
	require.Zero(t, unknown)
}

// waiting is a store whose queries end with their context.
type waiting struct{ *keyStore }

func (s waiting) KeyByHash(ctx context.Context, hash chain.Hash) (*access.Key, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.keyStore.KeyByHash(ctx, hash)
}

// A client that hangs up is no fault of the store: the lookup of its key ends, for whoever uses the key next.
func TestAdmit_ClientThatHangsUpIsNoFaultOfTheStore(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(waiting{store}, access.Options{Network: "mainnet", Now: c.now})
	secret := store.addKey("alice", "mainnet", access.Plans[0])
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, access.Admitted, g.Admit(ctx, secret, here).Outcome)
	require.Equal(t, access.Unknown, g.Admit(ctx, "no such key", here).Outcome)
}

// Buckets are removed once they are idle and full. A debt stays.
func TestCharge_DebtSurvivesIdleTime(t *testing.T) {
	t.Parallel()
	c := newClock()
	g := access.New(newKeyStore(c), access.Options{Network: "mainnet", WithoutKey: 0.5, Now: c.now})
	d := g.Admit(t.Context(), "", here)
	access.Charge(access.WithTicket(t.Context(), d.Ticket), 60)
	other := netip.MustParseAddr("198.51.100.9")
	require.Equal(t, access.Admitted, g.Admit(t.Context(), "", other).Outcome)
	require.Equal(t, 2, g.Buckets())
	c.move(61 * time.Second)
	third := netip.MustParseAddr("198.51.100.10")
	require.Equal(t, access.Admitted, g.Admit(t.Context(), "", third).Outcome)
	require.Equal(t, 2, g.Buckets(), "the idle one is removed")
	require.Equal(t, access.Limited, g.Admit(t.Context(), "", here).Outcome, "60 tokens take two minutes")
	c.move(70 * time.Second)
	require.Equal(t, access.Admitted, g.Admit(t.Context(), "", here).Outcome)
}

// A client that leaves a debt is forgotten once the debt would be paid: else clients that never return would fill the limiter for ever. One whose
// bucket takes more than the minute between two sweeps to fill has no new one before.
func TestSweep_BucketsAreRemovedOnceTheyAreFull(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		c := newClock()
		g := access.New(newKeyStore(c), access.Options{Network: "mainnet", WithoutKey: 0.01, Shared: shared, Now: c.now})
		admit := func(client netip.Addr) access.Decision { return g.Admit(t.Context(), "", client) }
		var last netip.Addr
		for i := range 50 {
			last = netip.AddrFrom4([4]byte{198, 51, 100, byte(i)})
			d := admit(last)
			require.Equal(t, access.Admitted, d.Outcome)
			if i < 49 {
				access.Charge(access.WithTicket(t.Context(), d.Ticket), 20)
			}
		}
		c.move(61 * time.Second)
		if !shared { // the store has half a token more
			require.Equal(t, access.Limited, admit(last).Outcome, "a token takes 100 seconds")
		}
		require.Equal(t, 50, g.Buckets())
		c.move(time.Hour)
		require.Equal(t, access.Admitted, admit(last).Outcome)
		require.Equal(t, 1, g.Buckets())
	}
}

func TestOrder_NamesArePrintable(t *testing.T) {
	t.Parallel()
	valid := access.Order{Owner: strings.Repeat("x", 100), Network: "mainnet", Label: "tea shop \u00fc"}
	require.NoError(t, valid.Check())
	for name, change := range map[string]func(*access.Order){
		"no owner":        func(o *access.Order) { o.Owner = " " },
		"no network":      func(o *access.Order) { o.Network = "" },
		"long owner":      func(o *access.Order) { o.Owner += "x" },
		"line":            func(o *access.Order) { o.Label = "a\nb" },
		"delete":          func(o *access.Order) { o.Label = "a\x7f" },
		"not UTF-8":       func(o *access.Order) { o.Label = "a\xff" },
		"pool's new line": func(o *access.Order) { o.Liteservers = "a\n" },
	} {
		o := valid
		change(&o)
		require.Equal(t, chain.Invalid, chain.KindOf(o.Check()), name)
	}
	secret, hash, hint := access.NewSecret()
	require.Equal(t, access.HashOf(secret), hash)
	require.Equal(t, secret[:10], hint)
}

// At the bound, clients that have a bucket retain it, and so do owners of keys; new clients without a key share one.
func TestAdmit_BucketsAreBoundedForNewClientsOnly(t *testing.T) {
	t.Parallel()
	if pacetest.Short() {
		t.Skip("makes a hundred thousand buckets")
	}
	for _, shared := range []bool{false, true} {
		t.Run(fmt.Sprintf("shared %v", shared), func(t *testing.T) {
			t.Parallel()
			c := newClock()
			store := newKeyStore(c)
			g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 2, Shared: shared, Now: c.now})
			client := func(i int) netip.Addr {
				return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
			}
			const bound = 100_000
			for i := range bound {
				require.Equal(t, access.Admitted, g.Admit(t.Context(), "", client(i)).Outcome)
			}
			require.Equal(t, bound, g.Buckets())
			leases := len(store.tokens)
			passed := 0
			for i := range 1000 {
				if g.Admit(t.Context(), "", client(bound+i)).Outcome == access.Admitted {
					passed++
				}
			}
			require.Equal(t, 100, passed, "all new clients together")
			require.LessOrEqual(t, len(store.tokens), leases+1, "new clients add no rows to the store")
			require.Equal(t, access.Admitted, g.Admit(t.Context(), "", client(0)).Outcome, "its second token")
			require.Equal(t, access.Limited, g.Admit(t.Context(), "", client(0)).Outcome)
			for i := range 20 {
				key := store.addKey("owner "+strconv.Itoa(i), "mainnet", access.Plans[0])
				require.Equal(t, access.Admitted, g.Admit(t.Context(), key, client(bound+i)).Outcome, "a key that was not used before")
			}
		})
	}
}
