package access_test

import (
	"context"
	"errors"
	"math"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/chain"
)

// clock is a clock that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Unix(1_700_000_000, 0)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	c.at = c.at.Add(d)
	c.mu.Unlock()
}

// keyStore is an [access.Store] in memory; the test's clock refills its buckets.
type keyStore struct {
	clock *clock

	mu      sync.Mutex
	keys    map[chain.Hash]*access.Key
	fault   error
	lookups int
	leases  int
	tokens  map[string]float64
	at      map[string]time.Time
}

func newKeyStore(c *clock) *keyStore {
	return &keyStore{clock: c, keys: map[chain.Hash]*access.Key{}, tokens: map[string]float64{}, at: map[string]time.Time{}}
}

// addKey stores a key of an owner and returns its secret.
func (store *keyStore) addKey(owner, network string, plan access.Plan) string {
	secret, hash, hint := access.NewSecret()
	store.mu.Lock()
	defer store.mu.Unlock()
	store.keys[hash] = &access.Key{Hint: hint, Owner: owner, Network: network, Plan: plan}
	return secret
}

func (store *keyStore) KeyByHash(_ context.Context, hash chain.Hash) (*access.Key, error) {
	store.mu.Lock()
	defer store.mu.Unlock()
	store.lookups++
	if store.fault != nil {
		return nil, store.fault
	}
	if k := store.keys[hash]; k != nil {
		found := *k
		return &found, nil
	}
	return nil, nil
}

func (store *keyStore) Lease(_ context.Context, bucket string, rate, burst, want, owed float64) (granted, left float64, err error) {
	store.mu.Lock()
	defer store.mu.Unlock()
	store.leases++
	if store.fault != nil {
		return 0, 0, store.fault
	}
	now := store.clock.now()
	left, valid := store.tokens[bucket]
	if !valid {
		left = max(1, rate)
	}
	left = min(burst, left+now.Sub(store.at[bucket]).Seconds()*rate) - owed
	if left >= min(want, 1)-1e-9 {
		granted = min(want, left)
	}
	store.tokens[bucket], store.at[bucket] = left-granted, now
	return granted, left - granted, nil
}

func (store *keyStore) fail(err error) {
	store.mu.Lock()
	store.fault = err
	store.mu.Unlock()
}

var here = netip.MustParseAddr("203.0.113.7")

// admitted sends one request with each secret at every step of the span, to the limiters in rotation, and counts those
// that are admitted.
func admitted(c *clock, limiters []*access.Limiter, secrets []string, step, span time.Duration) (passed int) {
	for at := time.Duration(0); at < span; at += step {
		for i, secret := range secrets {
			if limiters[i%len(limiters)].Admit(context.Background(), secret, here).Outcome == access.Admitted {
				passed++
			}
		}
		c.move(step)
	}
	return passed
}

func TestAdmit_TwoKeysOfOneOwnerShareAPlan(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	plan := access.Plans[1]
	passed := admitted(c, []*access.Limiter{g}, []string{store.addKey("alice", "mainnet", plan), store.addKey("alice", "mainnet", plan)},
		10*time.Millisecond, 30*time.Second)
	require.InEpsilon(t, 30*plan.Rate, passed, 0.05)
}

func TestAdmit_GatewaysOnOneStoreShareAPlan(t *testing.T) {
	t.Parallel()
	for _, plan := range append([]access.Plan{{Name: access.Custom, Rate: 1000, MaxKeys: 1}}, access.Plans...) {
		t.Run(plan.Name, func(t *testing.T) {
			t.Parallel()
			c := newClock()
			store := newKeyStore(c)
			opts := access.Options{Network: "mainnet", Shared: true, Now: c.now}
			key := store.addKey("alice", "mainnet", plan)
			passed := admitted(c, []*access.Limiter{access.New(store, opts), access.New(store, opts)}, []string{key, key, key, key},
				2*time.Millisecond, 30*time.Second)
			require.InEpsilon(t, 30*plan.Rate, passed, 0.05)
		})
	}
}

func TestAdmit_LimitsAddressesWithoutAKey(t *testing.T) {
	t.Parallel()
	c := newClock()
	g := access.New(newKeyStore(c), access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	one, other := netip.MustParseAddr("198.51.100.1"), netip.MustParseAddr("198.51.100.2")
	passed := map[netip.Addr]int{}
	for range 300 {
		for _, a := range []netip.Addr{one, other} {
			if d := g.Admit(t.Context(), "", a); d.Outcome == access.Admitted {
				passed[a]++
			} else {
				require.Equal(t, access.Limited, d.Outcome)
				require.LessOrEqual(t, d.Wait, time.Second)
			}
		}
		c.move(100 * time.Millisecond)
	}
	require.InDelta(t, 30, passed[one], 1)
	require.InDelta(t, 30, passed[other], 1)

	t.Run("addresses of one IPv6 network are one client", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, access.Admitted, g.Admit(t.Context(), "", netip.MustParseAddr("2001:db8::1")).Outcome)
		require.Equal(t, access.Limited, g.Admit(t.Context(), "", netip.MustParseAddr("2001:db8::ffff:ffff:ffff:ffff")).Outcome)
		require.Equal(t, access.Admitted, g.Admit(t.Context(), "", netip.MustParseAddr("2001:db8:0:1::1")).Outcome)
	})
	t.Run("no limit", func(t *testing.T) {
		t.Parallel()
		open := access.New(newKeyStore(c), access.Options{Network: "devnet", Now: c.now})
		for range 1000 {
			d := open.Admit(t.Context(), "", one)
			require.Equal(t, access.Admitted, d.Outcome)
			require.Zero(t, d.Rate)
		}
	})
}

//nolint:tparallel // its subtests follow one another in time
func TestAdmit_ChecksNetworkAndExpiryOfKeys(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	registry := prometheus.NewRegistry()
	g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 1000, Now: c.now, Metrics: registry})
	key, foreign := store.addKey("alice", "mainnet", access.Plans[0]), store.addKey("alice", "testnet", access.Plans[0])

	d := g.Admit(t.Context(), key, here)
	require.Equal(t, access.Admitted, d.Outcome)
	require.Equal(t, `"free";q=10;w=1`, d.Policy())
	require.InDelta(t, 9, d.Left, 0)
	require.Equal(t, access.Foreign, g.Admit(t.Context(), foreign, here).Outcome)
	require.Equal(t, access.Unknown, g.Admit(t.Context(), "no such key", here).Outcome)

	t.Run("a revoked key stops within a second", func(t *testing.T) {
		store.mu.Lock()
		at := c.now()
		store.keys[access.HashOf(key)].ExpiresAt = &at
		store.mu.Unlock()
		c.move(time.Second)
		require.Equal(t, access.Unknown, g.Admit(t.Context(), key, here).Outcome)
	})
	t.Run("while the store fails, cached keys are admitted for a minute", func(t *testing.T) {
		other := store.addKey("bob", "mainnet", access.Plans[0])
		require.Equal(t, access.Admitted, g.Admit(t.Context(), other, here).Outcome)
		store.fail(errors.New("gone"))
		c.move(2 * time.Second)
		require.Equal(t, access.Admitted, g.Admit(t.Context(), other, here).Outcome)
		require.Equal(t, access.Broken, g.Admit(t.Context(), "never seen", here).Outcome)
		c.move(time.Minute)
		require.Equal(t, access.Broken, g.Admit(t.Context(), other, here).Outcome)
	})
	require.Equal(t, 4, testutil.CollectAndCount(registry, "tonql_access_requests_total"), "series by plan and outcome, never by key")
}

func TestAdmit_UnknownKeysSpendTheTokensOfTheAddress(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	require.Equal(t, access.Unknown, g.Admit(t.Context(), "guess", here).Outcome)
	require.Equal(t, access.Limited, g.Admit(t.Context(), "another", here).Outcome)
}

func TestAdmit_UnknownKeyIsLookedUpOnce(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(store, access.Options{Network: "devnet", Now: c.now})
	for range 100 {
		require.Equal(t, access.Unknown, g.Admit(t.Context(), "wrong", here).Outcome)
	}
	require.Equal(t, 1, store.lookups)
}

// Requests with random keys are limited by their address, before the lookup; a valid key is still admitted from that
// address and stays cached.
func TestLookups_UnknownKeysAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	for _, withoutKey := range []float64{0, 1, 1000} {
		c := newClock()
		store := newKeyStore(c)
		g := access.New(store, access.Options{Network: "mainnet", WithoutKey: withoutKey, Now: c.now})
		used := store.addKey("alice", "mainnet", access.Plans[2])
		require.Equal(t, access.Admitted, g.Admit(t.Context(), used, here).Outcome)
		outcomes := map[access.Outcome]int{}
		for i := range 1500 {
			d := g.Admit(t.Context(), "random "+strconv.Itoa(i), here)
			outcomes[d.Outcome]++
			if d.Outcome == access.Limited {
				require.Positive(t, d.Wait)
			}
		}
		require.LessOrEqual(t, store.lookups, 1+11, "lookups of 1500 random keys at a limit of %v", withoutKey)
		require.Equal(t, 1500, outcomes[access.Unknown]+outcomes[access.Limited])
		valid, _ := g.CachedKeys()
		require.Equal(t, 1, valid, "keys that were not looked up take no place of keys that exist")
		fresh := store.addKey("dave", "mainnet", access.Plans[0])
		d := g.Admit(t.Context(), fresh, here)
		require.Equal(t, access.Limited, d.Outcome, "whether the key exists was not looked up, so it has to wait")
		c.move(d.Wait)
		require.Equal(t, access.Admitted, g.Admit(t.Context(), fresh, here).Outcome)
		c.move(800 * time.Millisecond) // the key is read again
		require.Equal(t, access.Admitted, g.Admit(t.Context(), used, here).Outcome)
		require.Equal(t, access.Admitted, g.Admit(t.Context(), store.addKey("bob", "mainnet", access.Plans[0]), netip.MustParseAddr("198.51.100.9")).Outcome,
			"other addresses are not limited")
	}
}

func TestLookups_ValidKeysAreNotLimited(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	for i := range 100 {
		key := store.addKey("owner "+strconv.Itoa(i), "mainnet", access.Plans[0])
		require.Equal(t, access.Admitted, g.Admit(t.Context(), key, here).Outcome)
	}
	// Many requests with one new key at the same time take one lookup.
	key := store.addKey("carol", "mainnet", access.Plans[2])
	before := store.lookups
	var work sync.WaitGroup
	var refused atomic.Int64
	for range 90 {
		work.Go(func() {
			if g.Admit(context.Background(), key, here).Outcome != access.Admitted {
				refused.Add(1)
			}
		})
	}
	work.Wait()
	require.Zero(t, refused.Load())
	require.Equal(t, before+1, store.lookups)
}

// Both caches are bounded, and unknown keys evict no valid one.
func TestLookups_CachesAreBounded(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	g := access.New(store, access.Options{Network: "mainnet", Now: c.now})
	secret := store.addKey("alice", "mainnet", access.Plans[2])
	require.Equal(t, access.Admitted, g.Admit(t.Context(), secret, here).Outcome)
	for i := range 30_000 {
		from := netip.AddrFrom4([4]byte{100, byte(i >> 16), byte(i >> 8), byte(i)})
		require.Equal(t, access.Unknown, g.Admit(t.Context(), "random "+strconv.Itoa(i), from).Outcome)
	}
	valid, unknown := g.CachedKeys()
	require.Equal(t, 1, valid)
	require.LessOrEqual(t, unknown, 10_000)
	lookups := store.lookups
	require.Equal(t, access.Admitted, g.Admit(t.Context(), secret, here).Outcome)
	require.Equal(t, lookups, store.lookups, "the key that exists is still cached")
}

// A request that counts as several takes all their tokens at once, or none; the token of its admission is the first of
// them.
func TestTake_SpendsWhatThePlanAllows(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		c := newClock()
		store := newKeyStore(c)
		g := access.New(store, access.Options{Network: "mainnet", Shared: shared, Now: c.now})
		key := store.addKey("alice", "mainnet", access.Plans[0])
		calls := 0
		for range 11 {
			d := g.Admit(t.Context(), key, here)
			if d.Outcome != access.Admitted {
				continue
			}
			ctx := access.WithTicket(t.Context(), d.Ticket)
			for range 32 {
				if wait, ok := access.Take(ctx, 1); ok {
					calls++
				} else {
					require.Positive(t, wait)
				}
			}
		}
		require.Equal(t, 10, calls, "shared: %v", shared)
		c.move(time.Second)
		d := g.Admit(t.Context(), key, here)
		ctx := access.WithTicket(t.Context(), d.Ticket)
		wait, ok := access.Take(ctx, 20)
		require.False(t, ok)
		require.Zero(t, wait, "the plan never has 20 at once")
		_, ok = access.Take(ctx, 10)
		require.True(t, ok, "shared: %v", shared)
		_, ok = access.Take(ctx, 1)
		require.False(t, ok)
	}
	_, ok := access.Take(t.Context(), 1000)
	require.True(t, ok, "without a ticket there is no limit")
}

// A single expensive request is charged in full under a slow plan too: no plan admits more than its rate.
func TestCharge_ExpensiveRequestIsPaidInFull(t *testing.T) {
	t.Parallel()
	c := newClock()
	g := access.New(newKeyStore(c), access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	passed := 0
	for range 300 {
		if d := g.Admit(t.Context(), "", here); d.Outcome == access.Admitted {
			access.Charge(access.WithTicket(t.Context(), d.Ticket), 49)
			passed++
		}
		c.move(time.Second)
	}
	require.LessOrEqual(t, passed, 7)
}

func TestCharge_DelaysLaterRequests(t *testing.T) {
	t.Parallel()
	c := newClock()
	store := newKeyStore(c)
	for _, shared := range []bool{false, true} {
		g := access.New(store, access.Options{Network: "mainnet", Shared: shared, Now: c.now})
		key := store.addKey("carol", "mainnet", access.Plans[0])
		d := g.Admit(t.Context(), key, here)
		require.Equal(t, access.Admitted, d.Outcome)
		access.Charge(access.WithTicket(t.Context(), d.Ticket), 29)
		c.move(time.Second)
		require.Equal(t, access.Limited, g.Admit(t.Context(), key, here).Outcome, "shared: %v", shared)
		c.move(2 * time.Second)
		require.Equal(t, access.Admitted, g.Admit(t.Context(), key, here).Outcome, "shared: %v", shared)
		c.move(time.Minute)
	}
}

func TestPlanOf_OnlyCustomPlansHaveNumbers(t *testing.T) {
	t.Parallel()
	plan, err := access.PlanOf("advanced", 0, 0)
	require.NoError(t, err)
	require.Equal(t, access.Plan{Name: "advanced", Rate: 100, MaxKeys: 10}, plan)
	plan, err = access.PlanOf("custom", 500, 20)
	require.NoError(t, err)
	require.Equal(t, access.Plan{Name: "custom", Rate: 500, MaxKeys: 20}, plan)
	for _, bound := range []access.Plan{{Name: "custom", Rate: 0.01, MaxKeys: 1}, {Name: "custom", Rate: 1e6, MaxKeys: 1000}} {
		plan, err = access.PlanOf("custom", bound.Rate, bound.MaxKeys)
		require.NoError(t, err)
		require.Equal(t, bound, plan)
	}
	for _, bad := range []struct {
		name string
		rate float64
		keys int
	}{{"gold", 0, 0}, {"free", 5, 0}, {"custom", 0, 1}, {"custom", 1, 0}, {"custom", -1, 1}, {"free", 0, 1}, {"custom", 0.009, 1}, {"custom", 1_000_001, 1}, {"custom", 1, 1001}, {"custom", math.NaN(), 1}} {
		_, err := access.PlanOf(bad.name, bad.rate, bad.keys)
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%v", bad)
	}
}

func TestClientOf_SkipsTrustedProxiesOnly(t *testing.T) {
	t.Parallel()
	trusted, err := access.ParseProxies([]string{"10.0.0.0/8", "192.0.2.1"})
	require.NoError(t, err)
	for name, row := range map[string]struct {
		peer      string
		forwarded []string
		want      string
	}{
		"no proxy":                     {"203.0.113.7", nil, "203.0.113.7"},
		"an untrusted proxy":           {"203.0.113.7", []string{"1.2.3.4"}, "203.0.113.7"},
		"one proxy":                    {"10.1.1.1", []string{"1.2.3.4"}, "1.2.3.4"},
		"two proxies":                  {"192.0.2.1", []string{"1.2.3.4, 10.9.9.9"}, "1.2.3.4"},
		"a claim before a real one":    {"10.1.1.1", []string{"9.9.9.9, 1.2.3.4"}, "1.2.3.4"},
		"several headers":              {"10.1.1.1", []string{"9.9.9.9", "1.2.3.4"}, "1.2.3.4"},
		"with a port":                  {"10.1.1.1", []string{"1.2.3.4:5678"}, "1.2.3.4"},
		"nonsense of a trusted proxy":  {"10.1.1.1", []string{"unknown"}, "10.1.1.1"},
		"all are proxies":              {"10.1.1.1", []string{"10.2.2.2, 10.3.3.3"}, "10.2.2.2"},
		"an IPv4 address in IPv6 form": {"::ffff:10.1.1.1", []string{"1.2.3.4"}, "1.2.3.4"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.want, access.ClientOf(netip.MustParseAddr(row.peer), row.forwarded, trusted).String())
		})
	}
	_, err = access.ParseProxies([]string{"load balancer"})
	require.Equal(t, chain.Invalid, chain.KindOf(err))
}

func FuzzClientOf_IgnoresHeadersOfUntrustedPeers(f *testing.F) {
	f.Add("10.0.0.1", "1.2.3.4, 5.6.7.8")
	trusted, err := access.ParseProxies([]string{"10.0.0.0/8", "::1"})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, peer, forwarded string) {
		p, err := netip.ParseAddr(peer)
		if err != nil {
			return
		}
		got := access.ClientOf(p, []string{forwarded}, trusted)
		require.True(t, got.IsValid())
		if !trusted[0].Contains(p.Unmap()) && !trusted[1].Contains(p.Unmap()) {
			require.Equal(t, p.Unmap(), got)
		}
	})
}

func BenchmarkAdmit(b *testing.B) {
	c := newClock()
	store := newKeyStore(c)
	key := store.addKey("alice", "mainnet", access.Plan{Name: access.Custom, Rate: 1e6, MaxKeys: 1})
	for name, secret := range map[string]string{"with a key": key, "without": ""} {
		b.Run(name, func(b *testing.B) {
			g := access.New(store, access.Options{Network: "mainnet", WithoutKey: 1e6})
			b.ReportAllocs()
			for b.Loop() {
				g.Admit(context.Background(), secret, here)
			}
		})
	}
}

// A request costs the token of its admission, or those of its calls, and what is charged, with and without a limit.
func TestCost_IsWhatTheRequestTook(t *testing.T) {
	t.Parallel()
	c := newClock()
	for _, rate := range []float64{0, 100} {
		g := access.New(newKeyStore(c), access.Options{Network: "mainnet", WithoutKey: rate, Now: c.now})
		d := g.Admit(t.Context(), "", here)
		require.Equal(t, access.Admitted, d.Outcome)
		require.InDelta(t, 1, d.Ticket.Cost(), 0)
		ctx := access.WithTicket(t.Context(), d.Ticket)
		for range 3 {
			_, ok := access.Take(ctx, 2)
			require.True(t, ok)
		}
		access.Charge(ctx, 4)
		require.InDelta(t, 10, d.Ticket.Cost(), 0, "rate %v", rate)
	}
}
