package webhook

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/internal/outbound"
	"tonql/internal/payment"
	"tonql/internal/store"
)

// Options are what deliveries need.
type Options struct {
	Payments *store.Payments
	Vault    *payment.Vault
	// Local allows plain HTTP and this machine's own addresses, for a local chain. Elsewhere URLs are https and public.
	Local   bool
	Version string // of this program, for the receivers' logs
	Logger  *slog.Logger
	Metrics prometheus.Registerer // nil: none

	// PerEndpoint bounds the attempts at one endpoint at once: 16.
	PerEndpoint int
	// Breaker: 20 failures in a row, 30 s.
	Breaker store.Breaker
	// IdleFor is how long an endpoint keeps its queue when nothing is on its way to it, since each queue asks the database a
	// few times a second: 10 min. No attempt lasts longer, so that nothing is under way when the queue ends.
	IdleFor time.Duration
	// Outbound changes how receivers are reached, in tests.
	Outbound func(*outbound.Options)
}

func (o Options) withDefaults() Options {
	if o.PerEndpoint <= 0 {
		o.PerEndpoint = 16
	}
	if o.Breaker.Failures <= 0 {
		o.Breaker = store.Breaker{Failures: 20, Pause: 30 * time.Second}
	}
	if o.IdleFor <= 0 {
		o.IdleFor = 10 * time.Minute
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = prometheus.NewRegistry()
	}
	return o
}

const (
	// kept is how much is read of an answer, in bytes, and excerpt how much of that is shown.
	kept    = 20_000
	excerpt = 1000
	// headers bounds the headers of an answer, in bytes.
	headers = 16 << 10
)

// NewClient makes what talks to receivers; local as in [Options].
func NewClient(o Options) *outbound.Client {
	to := outbound.Options{
		AllowLoopback: o.Local, HTTPSOnly: !o.Local, AnyPort: o.Local, Timeout: payment.ResponseTimeout,
		MaxBody: kept, MaxErrorBody: kept, MaxHeader: headers, MaxConnsPerHost: 64, MaxIdlePerHost: 16,
		UserAgent: "tonql/" + o.Version,
	}
	if o.Outbound != nil {
		o.Outbound(&to)
	}
	return outbound.New(to)
}
