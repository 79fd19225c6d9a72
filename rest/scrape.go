package rest

import (
	"bytes"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// maxScrapes bounds the scrapes of /metrics at a time, which has no limit of the rate: each takes milliseconds of a processor and a copy of all series. Further
// ones get 503.
const maxScrapes = 8

// scrapes returns the handler of /metrics.
func scrapes(metrics *prometheus.Registry) http.Handler {
	h := promhttp.HandlerFor(metrics, promhttp.HandlerOpts{Registry: metrics, EnableOpenMetrics: true, MaxRequestsInFlight: maxScrapes})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A client that does not read occupies no place among the scrapes.
		b := &responseBuffer{header: w.Header(), status: http.StatusOK}
		h.ServeHTTP(b, r)
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
