package webhook

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/internal/outbound"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
)

// Options configure a dispatcher; the zero value of each optional field selects its default.
type Options struct {
	Payments *payments.Store
	Vault    *payment.Vault
	// Local allows plain HTTP and loopback addresses, for a local chain. Otherwise URLs are https and public.
	Local   bool
	Version string // of this binary, sent as User-Agent
	Logger  *slog.Logger
	Metrics prometheus.Registerer // nil: none

	Mailer    Mailer // sends alerts by e-mail; nil: none are sent
	Dashboard string // public URL of the dashboard, for links in alerts; empty: none

	// PerEndpoint bounds the concurrent attempts per endpoint, default 16.
	PerEndpoint int
	// Breaker pauses failing endpoints, default for 30 s after 20 consecutive failures.
	Breaker payments.Breaker
	// IdleFor is the time without deliveries after which the queue of an endpoint is removed, because each queue polls the
	// database; default 10 min. It exceeds the duration of an attempt, so that none is running when the queue is removed.
	IdleFor time.Duration
	// Outbound modifies the options of the HTTP client. For tests.
	Outbound func(*outbound.Options)
}

func (o Options) withDefaults() Options {
	if o.PerEndpoint <= 0 {
		o.PerEndpoint = 16
	}
	if o.Breaker.Failures <= 0 {
		o.Breaker = payments.Breaker{Failures: 20, Pause: 30 * time.Second}
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
	// maxBody bounds the bytes that are read of a response body, maxExcerpt the bytes that are stored of it.
	maxBody    = 20_000
	maxExcerpt = 1000
	// maxHeader bounds the headers of a response, in bytes.
	maxHeader = 16 << 10
)

// NewClient returns a client for webhook receivers. It uses Local, Version and Outbound of o.
func NewClient(o Options) *outbound.Client {
	to := outbound.Options{
		AllowLoopback: o.Local, HTTPSOnly: !o.Local, AnyPort: o.Local, Timeout: payment.ResponseTimeout,
		MaxBody: maxBody, MaxErrorBody: maxBody, MaxHeader: maxHeader, MaxConnsPerHost: 64, MaxIdlePerHost: 16,
		UserAgent: "tonql/" + o.Version,
	}
	if o.Outbound != nil {
		o.Outbound(&to)
	}
	return outbound.New(to)
}
