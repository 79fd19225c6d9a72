package access_test

import (
	"context"
	"errors"
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

// clock is a time that tests move.
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

// vault is a store in memory, whose buckets fill by the test's clock.
type vault struct {
	clock *clock

	mu      sync.Mutex
	keys    map[chain.Hash]*access.Key
	fault   error
	lookups int
	tokens  map[string]float64
	at      map[string]time.Time
}

func newVault(c *clock) *vault {
	return &vault{clock: c, keys: map[chain.Hash]*access.Key{}, tokens: map[string]float64{}, at: map[string]time.Time{}}
}

// give makes a key of an owner.
func (v *vault) give(owner, network string, plan access.Plan) string {
	secret, hash, hint := access.NewSecret()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.keys[hash] = &access.Key{Hint: hint, Owner: owner, Network: network, Plan: plan}
	return secret
}

func (v *vault) KeyByHash(_ context.Context, hash chain.Hash) (*access.Key, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lookups++
	if v.fault != nil {
		return nil, v.fault
	}
	if k := v.keys[hash]; k != nil {
		found := *k
		return &found, nil
	}
	return nil, nil
}

func (v *vault) Lease(_ context.Context, bucket string, rate, burst, want, owed float64) (granted, left float64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.fault != nil {
		return 0, 0, v.fault
	}
	now := v.clock.now()
	left, valid := v.tokens[bucket]
	if !valid {
		left = max(1, rate)
	}
	left = min(burst, left+now.Sub(v.at[bucket]).Seconds()*rate) - owed
	if left >= min(want, 1)-1e-9 {
		granted = min(want, left)
	}
	v.tokens[bucket], v.at[bucket] = left-granted, now
	return granted, left - granted, nil
}

func (v *vault) fail(err error) {
	v.mu.Lock()
	v.fault = err
	v.mu.Unlock()
}

var here = netip.MustParseAddr("203.0.113.7")

// admitted counts what passes of requests that come every step for a time.
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

func TestTwoKeysOfOneOwnerShareAPlan(t *testing.T) {
	t.Parallel()
	c := newClock()
	v := newVault(c)
	g := access.New(v, access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	plan := access.Plans[1]
	passed := admitted(c, []*access.Limiter{g}, []string{v.give("alice", "mainnet", plan), v.give("alice", "mainnet", plan)},
		10*time.Millisecond, 30*time.Second)
	require.InEpsilon(t, 30*plan.Rate, passed, 0.05)
}

func TestSeveralGatewaysOnOneStore(t *testing.T) {
	t.Parallel()
	for _, plan := range append([]access.Plan{{Name: access.Custom, Rate: 1000, MaxKeys: 1}}, access.Plans...) {
		t.Run(plan.Name, func(t *testing.T) {
			t.Parallel()
			c := newClock()
			v := newVault(c)
			opts := access.Options{Network: "mainnet", Shared: true, Now: c.now}
			key := v.give("alice", "mainnet", plan)
			passed := admitted(c, []*access.Limiter{access.New(v, opts), access.New(v, opts)}, []string{key, key, key, key},
				2*time.Millisecond, 30*time.Second)
			require.InEpsilon(t, 30*plan.Rate, passed, 0.05)
		})
	}
}

func TestWithoutKey(t *testing.T) {
	t.Parallel()
	c := newClock()
	g := access.New(newVault(c), access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
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
		require.Equal(t, access.Limited, g.Admit(t.Context(), "", netip.MustParseAddr("2001:db8::2")).Outcome)
		require.Equal(t, access.Admitted, g.Admit(t.Context(), "", netip.MustParseAddr("2001:db8:1::1")).Outcome)
	})
	t.Run("no limit", func(t *testing.T) {
		t.Parallel()
		open := access.New(newVault(c), access.Options{Network: "devnet", Now: c.now})
		for range 1000 {
			d := open.Admit(t.Context(), "", one)
			require.Equal(t, access.Admitted, d.Outcome)
			require.Zero(t, d.Rate)
		}
	})
}

//nolint:tparallel // its subtests follow one another in time
func TestKeys(t *testing.T) {
	t.Parallel()
	c := newClock()
	v := newVault(c)
	registry := prometheus.NewRegistry()
	g := access.New(v, access.Options{Network: "mainnet", WithoutKey: 1000, Now: c.now, Metrics: registry})
	key, foreign := v.give("alice", "mainnet", access.Plans[0]), v.give("alice", "testnet", access.Plans[0])

	d := g.Admit(t.Context(), key, here)
	require.Equal(t, access.Admitted, d.Outcome)
	require.Equal(t, `"free";q=10;w=1`, d.Policy())
	require.InDelta(t, 9, d.Left, 0)
	require.Equal(t, access.Foreign, g.Admit(t.Context(), foreign, here).Outcome)
	require.Equal(t, access.Unknown, g.Admit(t.Context(), "no such key", here).Outcome)

	t.Run("a revoked key stops within a second", func(t *testing.T) {
		v.mu.Lock()
		at := c.now()
		v.keys[access.HashOf(key)].ExpiresAt = &at
		v.mu.Unlock()
		c.move(time.Second)
		require.Equal(t, access.Unknown, g.Admit(t.Context(), key, here).Outcome)
	})
	t.Run("a store that fails is bridged for keys seen lately", func(t *testing.T) {
		other := v.give("bob", "mainnet", access.Plans[0])
		require.Equal(t, access.Admitted, g.Admit(t.Context(), other, here).Outcome)
		v.fail(errors.New("gone"))
		c.move(2 * time.Second)
		require.Equal(t, access.Admitted, g.Admit(t.Context(), other, here).Outcome)
		require.Equal(t, access.Broken, g.Admit(t.Context(), "never seen", here).Outcome)
		c.move(time.Minute)
		require.Equal(t, access.Broken, g.Admit(t.Context(), other, here).Outcome)
	})
	require.Equal(t, 4, testutil.CollectAndCount(registry, "tonql_access_requests_total"), "series by plan and outcome, never by key")
}

func TestGuessingSpendsTheClientsTokens(t *testing.T) {
	t.Parallel()
	c := newClock()
	v := newVault(c)
	g := access.New(v, access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	require.Equal(t, access.Unknown, g.Admit(t.Context(), "guess", here).Outcome)
	require.Equal(t, access.Limited, g.Admit(t.Context(), "another", here).Outcome)
}

func TestUnknownKeysAreRememberedForAMoment(t *testing.T) {
	t.Parallel()
	c := newClock()
	v := newVault(c)
	g := access.New(v, access.Options{Network: "devnet", Now: c.now})
	for range 100 {
		require.Equal(t, access.Unknown, g.Admit(t.Context(), "wrong", here).Outcome)
	}
	require.Equal(t, 1, v.lookups)
}

// Random keys are limited by the address they come from before any of them is looked up; keys that exist go on being
// admitted from there, and are not forgotten.
func TestLookups_OfUnknownKeysAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	for _, withoutKey := range []float64{0, 1, 1000} {
		c := newClock()
		v := newVault(c)
		g := access.New(v, access.Options{Network: "mainnet", WithoutKey: withoutKey, Now: c.now})
		used := v.give("alice", "mainnet", access.Plans[2])
		require.Equal(t, access.Admitted, g.Admit(t.Context(), used, here).Outcome)
		outcomes := map[access.Outcome]int{}
		for i := range 1500 {
			d := g.Admit(t.Context(), "random "+strconv.Itoa(i), here)
			outcomes[d.Outcome]++
			if d.Outcome == access.Limited {
				require.Positive(t, d.Wait)
			}
		}
		require.LessOrEqual(t, v.lookups, 1+11, "lookups of 1500 random keys at a limit of %v", withoutKey)
		require.Equal(t, 1500, outcomes[access.Unknown]+outcomes[access.Limited])
		c.move(800 * time.Millisecond) // the key is read again
		require.Equal(t, access.Admitted, g.Admit(t.Context(), used, here).Outcome)
		require.Equal(t, access.Admitted, g.Admit(t.Context(), v.give("bob", "mainnet", access.Plans[0]), netip.MustParseAddr("198.51.100.9")).Outcome,
			"other addresses are not limited")
	}
}

func TestLookups_OfKeysThatExistAreNotLimited(t *testing.T) {
	t.Parallel()
	c := newClock()
	v := newVault(c)
	g := access.New(v, access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
	for i := range 100 {
		key := v.give("owner "+strconv.Itoa(i), "mainnet", access.Plans[0])
		require.Equal(t, access.Admitted, g.Admit(t.Context(), key, here).Outcome)
	}
	// Many requests with one new key at the same time take one lookup.
	key := v.give("carol", "mainnet", access.Plans[2])
	before := v.lookups
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
	require.Equal(t, before+1, v.lookups)
}

// The caches hold a bounded number of keys, and those that do not exist push out none that does.
func TestLookups_CachesAreBounded(t *testing.T) {
	t.Parallel()
	c := newClock()
	v := newVault(c)
	g := access.New(v, access.Options{Network: "mainnet", Now: c.now})
	secret := v.give("alice", "mainnet", access.Plans[2])
	require.Equal(t, access.Admitted, g.Admit(t.Context(), secret, here).Outcome)
	for i := range 30_000 {
		from := netip.AddrFrom4([4]byte{100, byte(i >> 16), byte(i >> 8), byte(i)})
		require.Equal(t, access.Unknown, g.Admit(t.Context(), "random "+strconv.Itoa(i), from).Outcome)
	}
	valid, unknown := g.CachedKeys()
	require.Equal(t, 1, valid)
	require.LessOrEqual(t, unknown, 10_000)
	lookups := v.lookups
	require.Equal(t, access.Admitted, g.Admit(t.Context(), secret, here).Outcome)
	require.Equal(t, lookups, v.lookups, "the key that exists is still cached")
}

// What counts as several requests takes as many tokens at once, or none; the one of the admission is the first.
func TestTake_SpendsWhatThePlanAllows(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		c := newClock()
		v := newVault(c)
		g := access.New(v, access.Options{Network: "mainnet", Shared: shared, Now: c.now})
		key := v.give("alice", "mainnet", access.Plans[0])
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
	require.True(t, ok, "nobody is limited without a ticket")
}

// A single request costs what it costs also where the plan is slow: no plan is worth more than its rate.
func TestCharge_OfTheDearestRequestIsPaidInFull(t *testing.T) {
	t.Parallel()
	c := newClock()
	g := access.New(newVault(c), access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now})
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

func TestChargeIsPaidByWaiting(t *testing.T) {
	t.Parallel()
	c := newClock()
	v := newVault(c)
	for _, shared := range []bool{false, true} {
		g := access.New(v, access.Options{Network: "mainnet", Shared: shared, Now: c.now})
		key := v.give("carol", "mainnet", access.Plans[0])
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

func TestPlans(t *testing.T) {
	t.Parallel()
	plan, err := access.PlanOf("advanced", 0, 0)
	require.NoError(t, err)
	require.Equal(t, access.Plan{Name: "advanced", Rate: 100, MaxKeys: 10}, plan)
	plan, err = access.PlanOf("custom", 500, 20)
	require.NoError(t, err)
	require.Equal(t, access.Plan{Name: "custom", Rate: 500, MaxKeys: 20}, plan)
	for _, bad := range []struct {
		name string
		rate float64
		keys int
	}{{"gold", 0, 0}, {"free", 5, 0}, {"custom", 0, 1}, {"custom", 1, 0}, {"custom", -1, 1}} {
		_, err := access.PlanOf(bad.name, bad.rate, bad.keys)
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%v", bad)
	}
}

func TestClientOf(t *testing.T) {
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

func FuzzClientOf(f *testing.F) {
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
	v := newVault(c)
	key := v.give("alice", "mainnet", access.Plan{Name: access.Custom, Rate: 1e6, MaxKeys: 1})
	for name, secret := range map[string]string{"with a key": key, "without": ""} {
		b.Run(name, func(b *testing.B) {
			g := access.New(v, access.Options{Network: "mainnet", WithoutKey: 1e6})
			b.ReportAllocs()
			for b.Loop() {
				g.Admit(context.Background(), secret, here)
			}
		})
	}
}
