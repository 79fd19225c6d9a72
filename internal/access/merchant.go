package access

import (
	"context"
	"net/netip"
	"strconv"
)

// Plans of requests with a merchant's key.
const (
	MerchantAddress = "merchant-address"
	MerchantKey     = "merchant-key"
	Dashboard       = "dashboard"
)

// dashboardRate is the number of requests with a session of the dashboard per second and client address. A page takes two.
const dashboardRate = 20

// AdmitDashboard decides about a request with a session of the dashboard by its client address, before the lookup of the session.
func (g *Limiter) AdmitDashboard(ctx context.Context, client netip.Addr) Decision {
	return g.counted(g.spend(ctx, Anonymous, "dashboard "+clientBucket(client), dashboardRate), Dashboard)
}

// AdmitMerchantAddress decides about a request with a merchant's key by its client address, before the lookup of the key.
// A rate of 0 is no limit.
func (g *Limiter) AdmitMerchantAddress(ctx context.Context, rate float64, client netip.Addr) Decision {
	// Anonymous, because the number of such buckets is bounded.
	d := g.spend(ctx, Anonymous, "merchant "+clientBucket(client), rate)
	return g.counted(d, MerchantAddress)
}

// AdmitMerchantKey decides about a request with a merchant's valid key, by the key. A rate of 0 is no limit.
func (g *Limiter) AdmitMerchantKey(ctx context.Context, rate float64, key int64) Decision {
	return g.counted(g.spend(ctx, MerchantKey, "merchant key "+strconv.FormatInt(key, 10), rate), MerchantKey)
}

func (g *Limiter) counted(d Decision, plan string) Decision {
	d.Plan = plan
	g.count.WithLabelValues(plan, d.Outcome.String()).Inc()
	return d
}
