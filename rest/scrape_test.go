package rest_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"tonql/rest"
)

// waitingCollector is a collector whose series are read when proceed is closed.
type waitingCollector struct {
	desc    *prometheus.Desc
	begun   chan struct{}
	proceed chan struct{}
}

func (c *waitingCollector) Describe(to chan<- *prometheus.Desc) { to <- c.desc }

func (c *waitingCollector) Collect(to chan<- prometheus.Metric) {
	c.begun <- struct{}{}
	<-c.proceed
	to <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, 1)
}

// Scrapes have no limit of the rate, so few run at a time, and few responses wait for clients.
func TestMetrics_ScrapesAtATimeAreBounded(t *testing.T) {
	t.Parallel()
	const most = 8
	c := &waitingCollector{prometheus.NewDesc("tonql_test_waiting", "Test.", nil, nil), make(chan struct{}, 100), make(chan struct{})}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(c)
	h := rest.Admin(rest.Options{Metrics: metrics})
	request := func() *http.Request {
		return httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody)
	}
	var running sync.WaitGroup
	for range most {
		running.Go(func() { h.ServeHTTP(httptest.NewRecorder(), request()) })
	}
	for range most {
		<-c.begun
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request())
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	close(c.proceed)
	running.Wait()

	// Clients that do not read: a bounded number of responses is in memory, each for a bounded time.
	const unsent = 32
	released := make(chan struct{})
	deadlines := make(chan time.Time, unsent)
	scrape := func() int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request())
		return w.Code
	}
	for i := range unsent {
		if i == 2*most {
			require.Equal(t, http.StatusOK, scrape(), "unread responses are no scrapes")
		}
		blocked := make(chan struct{})
		running.Go(func() {
			h.ServeHTTP(&timedWriter{&stuckWriter{header: http.Header{}, blocked: blocked, released: released}, deadlines}, request())
		})
		<-blocked
		require.WithinRange(t, <-deadlines, time.Now(), time.Now().Add(time.Minute))
	}
	require.Equal(t, http.StatusServiceUnavailable, scrape())
	close(released)
	running.Wait()
	require.Equal(t, http.StatusOK, scrape())
}

// timedWriter is a connection whose writes have a deadline.
type timedWriter struct {
	*stuckWriter

	deadlines chan time.Time
}

func (w *timedWriter) SetWriteDeadline(at time.Time) error {
	w.deadlines <- at
	return nil
}
