package metadata

import (
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/internal/chain"
	"tonql/internal/outbound"
)

// Options tune a Worker. Zero values take the defaults named with them.
type Options struct {
	// Outbound bounds the requests. The worker sets the media types; the other defaults here are a timeout of 15 s,
	// documents of 512 KiB, 5 redirects and the ports 80, 443, 8080 and 8443.
	Outbound outbound.Options
	// Gateways serve IPFS over HTTP, as https://ipfs.io; a document is looked for at /ipfs/ below them, at one after
	// the other. Default: three public ones. An operator's own gateway on a private address needs Outbound.Allow too.
	Gateways []string

	Concurrency int           // requests at once: 16, of which hosts that are new or slow have at most half
	PerHost     int           // of them to one host (see [outbound.Site]): 4; repeated requests to IPFS gateways count as those to another host
	Batch       int           // jobs held in memory, waiting or running: 256; a host has at most a quarter of them waiting
	Poll        time.Duration // how often an empty queue is polled: 2 s

	RetryFirst    time.Duration // wait after the first failure; each further wait is four times as long: 1 min
	MaxRetryDelay time.Duration // longest wait: 24 h
	Tries         int           // failures in a row after which a content is given up: 10
	Refresh       time.Duration // age at which a document is fetched again: 7 days; below 0 never

	Now        func() time.Time // the clock: time.Now
	Logger     *slog.Logger     // nothing is logged without it
	Registerer prometheus.Registerer
}

// publicGateways are run by the makers of IPFS and by large hosts of its files.
var publicGateways = []string{"https://ipfs.io", "https://dweb.link", "https://gateway.pinata.cloud"}

// mediaTypes are those a document comes with. Gateways and file servers that do not know JSON call it text or bytes, or
// nothing; such a document counts when it parses.
var mediaTypes = []string{"application/json", "text/json", "*/*+json", "text/plain", "application/octet-stream", "binary/octet-stream", ""}

func (o Options) withDefaults() Options {
	o.Outbound.ContentTypes = mediaTypes
	if len(o.Outbound.Ports) == 0 {
		o.Outbound.Ports = []uint16{80, 443, 8080, 8443}
	}
	o.Outbound.MaxBody = positive(o.Outbound.MaxBody, 512<<10)
	o.Outbound.MaxRedirects = positive(o.Outbound.MaxRedirects, 5)
	o.Outbound.Timeout = positive(o.Outbound.Timeout, 15*time.Second)
	if len(o.Gateways) == 0 {
		o.Gateways = publicGateways
	}
	o.Concurrency = positive(o.Concurrency, 16)
	o.PerHost = positive(o.PerHost, 4)
	o.Outbound.MaxConnsPerHost = positive(o.Outbound.MaxConnsPerHost, o.Concurrency) // a gateway has requests of several lines
	o.Batch = max(positive(o.Batch, 256), o.Concurrency)
	o.Poll = positive(o.Poll, 2*time.Second)
	o.RetryFirst = positive(o.RetryFirst, time.Minute)
	o.MaxRetryDelay = positive(o.MaxRetryDelay, 24*time.Hour)
	o.Tries = positive(o.Tries, 10)
	if o.Refresh == 0 {
		o.Refresh = 7 * 24 * time.Hour
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func positive[T int | int64 | time.Duration](v, fallback T) T {
	if v > 0 {
		return v
	}
	return fallback
}

// gateway reads the address of a gateway. The operator chose it, so only its form is checked here.
func gateway(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(raw, "/"))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, chain.Invalidf("an IPFS gateway should be an address as https://ipfs.io, not %s", chain.Quote(raw))
	}
	return u, nil
}
