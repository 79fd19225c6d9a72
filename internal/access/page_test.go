package access_test

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

var (
	reader   = netip.MustParseAddr("203.0.113.7")
	neighbor = netip.MustParseAddr("203.0.113.8")
)

func pageLimiter(t *testing.T, rate float64) (*access.Limiter, *clock) {
	t.Helper()
	c := newClock()
	return access.New(newKeyStore(c), access.Options{Network: "mainnet", WithoutKey: rate, Now: c.now}), c
}

// spendAll counts the requests that are admitted at once.
func spendAll(g *access.Limiter, token func() string, client netip.Addr) int {
	for n := 0; ; n++ {
		if d := g.AdmitPage(context.Background(), token(), client); d.Outcome != access.Admitted || n > 1000 {
			return n
		}
	}
}

func same(token string) func() string { return func() string { return token } }

// A person opens several pages at once, and never waits long.
func TestPage_BudgetFitsAPerson(t *testing.T) {
	t.Parallel()
	g, c := pageLimiter(t, 1)
	token, ttl := g.PageToken(reader)
	require.LessOrEqual(t, ttl, 15*time.Minute)
	d := g.AdmitPage(t.Context(), token, reader)
	require.Equal(t, &chain.RateLimit{
		Plan: access.Page, By: chain.LimitedByAddress, Limit: 60, WindowSeconds: 12, Remaining: 59, ResetSeconds: 1, ResetAt: uint32(c.now().Unix()) + 1,
	}, access.LimitOf(access.WithTicket(t.Context(), d.Ticket)))
	require.Equal(t, 59, spendAll(g, same(token), reader))
	c.move(2 * time.Second)
	require.Equal(t, 10, spendAll(g, same(token), reader))
	d = g.AdmitPage(t.Context(), token, reader)
	require.Equal(t, access.Limited, d.Outcome)
	require.LessOrEqual(t, d.Wait, time.Second)
	require.Equal(t, `"page";q=60;w=12`, d.Policy())
}

// However many tokens a script fetches, its address has one bucket.
func TestPage_TokensOfOneAddressShareABucket(t *testing.T) {
	t.Parallel()
	g, c := pageLimiter(t, 1)
	admitted := 0
	for range 20 {
		c.move(time.Millisecond)
		admitted += spendAll(g, func() string { token, _ := g.PageToken(reader); return token }, reader)
	}
	require.Equal(t, 60, admitted)

	// In IPv6 a client has a network, which counts as one address.
	first, _ := g.PageToken(netip.MustParseAddr("2001:db8::1"))
	require.Equal(t, 60, spendAll(g, same(first), netip.MustParseAddr("2001:db8::2")))
	require.Zero(t, spendAll(g, same(first), netip.MustParseAddr("2001:db8::ffff")))
}

// A token of another address or time, or a forged one, counts as no token.
func TestPage_TokenIsBoundToAddressAndTime(t *testing.T) {
	t.Parallel()
	g, c := pageLimiter(t, 1)
	token, ttl := g.PageToken(reader)
	anonymous := func(token string, client netip.Addr) {
		t.Helper()
		d := g.AdmitPage(t.Context(), token, client)
		require.Equal(t, access.Anonymous, d.Plan)
		c.move(2 * time.Second)
	}
	anonymous(token, neighbor)
	anonymous("", reader)
	anonymous(token[1:], reader)
	anonymous(token+token, reader)
	for i := range len(token) {
		forged := []byte(token)
		forged[i] ^= 1
		anonymous(string(forged), reader)
	}
	other, _ := pageLimiter(t, 1)
	d := other.AdmitPage(t.Context(), token, reader)
	require.Equal(t, access.Anonymous, d.Plan, "another secret")

	token, _ = g.PageToken(reader)
	c.move(ttl - time.Second)
	require.Equal(t, access.Page, g.AdmitPage(t.Context(), token, reader).Plan)
	c.move(2 * time.Second)
	anonymous(token, reader)
	token, _ = g.PageToken(reader)
	c.move(-time.Hour)
	anonymous(token, reader)
}

// Gateways with one secret accept each other's tokens.
func TestPage_GatewaysWithOneSecretAcceptTheTokens(t *testing.T) {
	t.Parallel()
	c, secret := newClock(), access.NewPageSecret()
	open := func() *access.Limiter {
		return access.New(newKeyStore(c), access.Options{Network: "mainnet", WithoutKey: 1, Now: c.now, PageSecret: secret})
	}
	token, _ := open().PageToken(reader)
	require.Equal(t, access.Page, open().AdmitPage(t.Context(), token, reader).Plan)
}

// Without a limit there are no tokens; where the limit without a key is higher than that of pages, pages have it too.
func TestPage_TokenNeverLowersTheLimit(t *testing.T) {
	t.Parallel()
	open, _ := pageLimiter(t, 0)
	token, _ := open.PageToken(reader)
	require.Empty(t, token)
	require.Equal(t, 1001, spendAll(open, same(token), reader))
	wide, _ := pageLimiter(t, 500)
	token, _ = wide.PageToken(reader)
	require.Equal(t, 500, spendAll(wide, same(token), reader))
}

// Buckets of pages are bounded in number like those of clients without a key.
func TestPage_NewClientsShareABucketAtTheBound(t *testing.T) {
	t.Parallel()
	if pacetest.Short() {
		t.Skip("makes a hundred thousand buckets")
	}
	g, _ := pageLimiter(t, 1)
	for i := range 100_000 {
		client := netip.MustParseAddr(fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255))
		g.Admit(t.Context(), "", client)
	}
	first, _ := g.PageToken(reader)
	second, _ := g.PageToken(neighbor)
	shared := spendAll(g, same(first), reader)
	require.Positive(t, shared)
	require.Zero(t, spendAll(g, same(second), neighbor))
}

// The charge for a request is taken from the bucket, which holds more than the tokens of one second.
func TestPage_ChargeLeavesTheRestOfTheBucket(t *testing.T) {
	t.Parallel()
	g, _ := pageLimiter(t, 1)
	token, _ := g.PageToken(reader)
	d := g.AdmitPage(t.Context(), token, reader)
	access.Charge(access.WithTicket(t.Context(), d.Ticket), 10)
	require.Equal(t, 49, spendAll(g, same(token), reader))
	require.Equal(t, token, access.PageOf(access.WithTicket(t.Context(), d.Ticket)))
}
