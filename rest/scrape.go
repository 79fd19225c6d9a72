package rest

import (
	"bytes"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// /metrics has no limit of the rate. What exceeds a bound gets 503.
const (
	// maxScrapes bounds the scrapes that are made at a time: each takes milliseconds of a processor.
	maxScrapes = 8
	// maxUnsent bounds the responses in memory, each of which has a copy of all series, some 300 kB, until the client has read it.
	maxUnsent = 32
	// scrapeTimeout is how long a client has for reading one: Prometheus waits no longer for a scrape, either.
	scrapeTimeout = 10 * time.Second
)

// scrapes returns the handler of /metrics.
func scrapes(metrics *prometheus.Registry) http.Handler {
	h := promhttp.HandlerFor(metrics, promhttp.HandlerOpts{Registry: metrics, EnableOpenMetrics: true, MaxRequestsInFlight: maxScrapes})
	places := make(chan struct{}, maxUnsent)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		default:
			http.Error(w, "too many clients read /metrics", http.StatusServiceUnavailable)
			return
		}
		b := &responseBuffer{header: w.Header(), status: http.StatusOK}
		// A client that does not read occupies none of maxScrapes.
		h.ServeHTTP(b, r)
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(scrapeTimeout)) // fails for a writer without a connection
		w.WriteHeader(b.status)
		_, _ = w.Write(b.body.Bytes()) // a client that has disconnected needs no response
	})
}

// responseBuffer is a response in memory.
type responseBuffer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements [http.ResponseWriter].
func (b *responseBuffer) Header() http.Header { return b.header }

// WriteHeader implements [http.ResponseWriter].
func (b *responseBuffer) WriteHeader(status int) { b.status = status }

// Write implements [http.ResponseWriter].
func (b *responseBuffer) Write(p []byte) (int, error) { return b.body.Write(p) }
