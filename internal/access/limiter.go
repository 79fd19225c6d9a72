package access

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/internal/chain"
)

// Options configure a [Limiter].
type Options struct {
	Network string // keys of other networks are refused
	// WithoutKey is the rate of requests without a key per client address, in requests per second; 0 is no limit.
	WithoutKey float64
	// Shared makes several gateways on one store enforce limits together.
	Shared  bool
	Logger  *slog.Logger
	Metrics prometheus.Registerer // nil: no metrics
	Now     func() time.Time      // time.Now when nil
	// PageSecret signs page tokens; gateways on one database share it. Nil: a random one.
	PageSecret []byte
}

// Outcome is the decision about a request.
type Outcome uint8

// The outcomes.
const (
	Admitted Outcome = iota
	Limited          // too many requests; Decision.Wait is the time to wait
	Unknown          // the key does not exist or has expired
	Foreign          // the key is of another network
	Broken           // keys cannot be looked up now
)

// String returns the name of the outcome in metrics.
func (o Outcome) String() string {
	return [...]string{"admitted", "limited", "unknown_key", "other_network", "unavailable"}[o]
}

// Decision is the result of [Limiter.Admit] for one request.
type Decision struct {
	Outcome Outcome
	Plan    string        // of the owner, [Anonymous] without a key
	Rate    float64       // requests a second; 0: unlimited
	Left    float64       // tokens left after this request
	Wait    time.Duration // time until a request is admitted, when limited
	Ticket  *Ticket       // of an admitted request
}

// Limiter admits requests within the limits of their plans. Safe for concurrent use.
type Limiter struct {
	opts     Options
	store    Store
	keyCache *keyCache
	count    *prometheus.CounterVec

	mu      sync.Mutex
	buckets map[string]*bucket
	swept   time.Time
	// warned is the time of the last log line about an unreachable store.
	warned time.Time
}

const (
	// maxBuckets bounds the memory. Above it new clients without a key share one bucket, and another for their lookups of keys: keys
	// that exist are admitted from new addresses while the requests without a key exceed their limit.
	maxBuckets   = 100_000
	sweepEvery   = time.Minute
	warnEvery    = 10 * time.Second
	crowd        = "the crowd"
	crowdLookups = "lookups of the crowd"
	crowdRate    = 100
)

// New returns a limiter over a store.
func New(store Store, opts Options) *Limiter {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	if len(opts.PageSecret) == 0 {
		opts.PageSecret = NewPageSecret()
	}
	g := &Limiter{opts: opts, store: store, keyCache: newKeyCache(store, opts.Now), buckets: map[string]*bucket{}, swept: opts.Now()}
	g.count = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "tonql_access_requests_total", Help: "Number of requests by plan and by the outcome of their admission.",
	}, []string{"plan", "outcome"})
	if opts.Metrics != nil {
		opts.Metrics.MustRegister(g.count)
	}
	return g
}

// Admit decides about a request. secret is its API key, "" for none; client is its client address.
func (g *Limiter) Admit(ctx context.Context, secret string, client netip.Addr) Decision {
	d := g.decide(ctx, secret, client)
	g.count.WithLabelValues(d.Plan, d.Outcome.String()).Inc()
	return d
}

func (g *Limiter) decide(ctx context.Context, secret string, client netip.Addr) Decision {
	if secret == "" {
		return g.spend(ctx, Anonymous, clientBucket(client), g.opts.WithoutKey)
	}
	if len(secret) > longestSecret {
		return g.unknownKey(ctx, client)
	}
	key, err := g.keyCache.find(ctx, HashOf(secret), func() *lookups { return g.lookups(client) })
	switch {
	case errors.Is(err, errLookups):
		return Decision{Outcome: Limited, Plan: Anonymous, Rate: lookupRate, Wait: until(1, lookupRate)}
	case err != nil:
		g.warn("lookup of keys", err)
		return Decision{Outcome: Broken, Plan: Anonymous}
	case key == nil || !key.Valid(g.opts.Now()):
		return g.unknownKey(ctx, client)
	case key.Network != g.opts.Network:
		return Decision{Outcome: Foreign, Plan: key.Plan.Name}
	}
	owner := key.Network + " " + key.Owner
	d := g.spend(ctx, key.Plan.Name, "owner "+owner, key.Plan.Rate)
	if d.Ticket != nil {
		d.Ticket.Pool, d.Ticket.Owner = key.Liteservers, owner
	}
	return d
}

// Still reports whether the key of a running request is still valid; it takes no token. A key that cannot be looked up
// now is believed.
func (g *Limiter) Still(ctx context.Context, secret string) Outcome {
	if secret == "" {
		return Admitted
	}
	key, err := g.keyCache.find(ctx, HashOf(secret), nil)
	switch {
	case err != nil:
		return Admitted
	case key == nil || !key.Valid(g.opts.Now()):
		return Unknown
	case key.Network != g.opts.Network:
		return Foreign
	default:
		return Admitted
	}
}

// unknownKey is a request with a key that does not exist. It spends what a request without one would: guessing is not free.
func (g *Limiter) unknownKey(ctx context.Context, client netip.Addr) Decision {
	d := g.spend(ctx, Anonymous, clientBucket(client), g.opts.WithoutKey)
	if d.Outcome == Admitted {
		d.Outcome, d.Ticket = Unknown, nil
	}
	return d
}

// clientBucket returns the name of the bucket of a client's [Site].
func clientBucket(client netip.Addr) string { return "client " + Site(client).String() }

// spend takes a token of a bucket.
func (g *Limiter) spend(ctx context.Context, plan, name string, rate float64) Decision {
	if rate <= 0 {
		return Decision{Plan: plan, Ticket: &Ticket{}}
	}
	now := g.opts.Now()
	shared := ""
	if plan == Anonymous || plan == Page {
		shared = crowd
	}
	b, name, rate := g.bucket(name, shared, plan, rate, g.opts.Shared, now)
	take := func(ctx context.Context, n int) (left float64, wait time.Duration) {
		err := errNotShared
		if g.opts.Shared {
			left, wait, err = b.lease(ctx, g.store, name, rate, n, g.opts.Now)
			if err != nil {
				g.warn("store unreachable, limiting by this gateway alone", err)
			}
		}
		if err != nil {
			left, wait = b.take(rate, n, g.opts.Now())
		}
		return left, wait
	}
	left, wait := take(ctx, 1)
	d := Decision{Plan: plan, Rate: rate, Left: left, Wait: wait}
	if wait > 0 {
		d.Outcome = Limited
		return d
	}
	d.Ticket = &Ticket{bucket: b, rate: rate, limit: d.limit(now), take: take, unused: 1}
	return d
}

// lookupRate is the number of lookups of keys that do not exist per second and client address, independent of WithoutKey:
// each lookup is a query of the database.
const lookupRate = 10

// lookups returns the bucket for lookups of a client address. It is never leased, because a lease is a query, too.
func (g *Limiter) lookups(client netip.Addr) *lookups {
	b, _, rate := g.bucket("lookups of "+clientBucket(client), crowdLookups, Anonymous, lookupRate, false, g.opts.Now())
	return &lookups{b, rate}
}

var errNotShared = errors.New("buckets are not shared")

// bucket returns a bucket, creating it if needed, with its name and rate: those of the bucket named instead if there are too many to create
// one. An empty instead means that it is always created.
func (g *Limiter) bucket(name, instead, plan string, rate float64, shared bool, now time.Time) (*bucket, string, float64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now.Sub(g.swept) > sweepEvery {
		g.swept = now
		g.sweep(now)
	}
	b := g.buckets[name]
	if b == nil && len(g.buckets) >= maxBuckets && instead != "" {
		name, rate = instead, crowdRate
		b = g.buckets[name]
	}
	if b == nil {
		b = newBucket(rate, sizeOf(plan, rate), now)
		if shared {
			b.tokens = 0
		}
		g.buckets[name] = b
	}
	return b, name, rate
}

// sweep removes buckets that are spare.
func (g *Limiter) sweep(now time.Time) {
	for name, b := range g.buckets {
		if b.spare(now) {
			delete(g.buckets, name)
		}
	}
}

// warn logs a failure of the store, at most once per warnEvery.
func (g *Limiter) warn(at string, err error) {
	now := g.opts.Now()
	g.mu.Lock()
	quiet := now.Sub(g.warned) < warnEvery
	if !quiet {
		g.warned = now
	}
	g.mu.Unlock()
	if !quiet {
		g.opts.Logger.Warn("query of API keys or shared limits failed", "operation", at, "err", err)
	}
}

// Policy returns the value of the RateLimit-Policy header: plan, quota and window in seconds.
func (d Decision) Policy() string {
	quota, window := d.quota()
	return `"` + d.Plan + `";q=` + strconv.Itoa(quota) + ";w=" + strconv.Itoa(window)
}

// State returns the value of the RateLimit header: the remaining quota, and the seconds until there is more.
func (d Decision) State() string {
	left, reset := d.left()
	return `"` + d.Plan + `";r=` + strconv.Itoa(left) + ";t=" + strconv.Itoa(reset)
}

// quota returns the tokens of a window and its length in seconds.
func (d Decision) quota() (tokens, window int) {
	window = 1
	if d.Rate < 1 {
		window = int(math.Round(1 / d.Rate))
	}
	size := sizeOf(d.Plan, d.Rate)
	if d.Plan == Page {
		window = int(math.Ceil(size / d.Rate)) // time to fill the bucket
	}
	return int(size), window
}

// left returns the remaining tokens and the seconds until the next, rounded up.
func (d Decision) left() (tokens, reset int) {
	next := time.Duration(float64(time.Second) / d.Rate)
	if d.Wait > 0 {
		next = d.Wait
	}
	return int(max(0, math.Floor(d.Left))), max(1, int(math.Ceil(next.Seconds())))
}

// limit returns the values of the rate limit headers.
func (d Decision) limit(now time.Time) *chain.RateLimit {
	l := &chain.RateLimit{Plan: d.Plan, By: chain.LimitedByKey}
	if d.Plan == Anonymous || d.Plan == Page {
		l.By = chain.LimitedByAddress
	}
	l.Limit, l.WindowSeconds = d.quota()
	l.Remaining, l.ResetSeconds = d.left()
	l.ResetAt = uint32(now.Unix()) + uint32(l.ResetSeconds)
	return l
}
