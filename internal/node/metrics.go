package node

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the client's Prometheus series; nil measures nothing.
type metrics struct {
	seconds  *prometheus.HistogramVec
	failures *prometheus.CounterVec
	usable   *prometheus.GaugeVec
	heads    *prometheus.GaugeVec
	newest   prometheus.Gauge
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	if r == nil {
		return nil, nil //nolint:nilnil // a nil *metrics is the one that measures nothing
	}
	m := &metrics{
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "tonql", Subsystem: "node", Name: "query_seconds",
			Help:    "Duration of liteserver queries in seconds, by server, query and outcome (answer, none).",
			Buckets: prometheus.ExponentialBuckets(0.0005, 4, 8),
		}, []string{"server", "query", "outcome"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: "tonql", Subsystem: "node", Name: "server_failures_total",
			Help: "Number of liteserver failures by server and kind: lie (a response that contradicts its proof), broken (no response), refusal (an error), limit (too many queries).",
		}, []string{"server", "kind"}),
		usable: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "tonql", Subsystem: "node", Name: "server_usable",
			Help: "Whether the liteserver is in use: 1, or 0 while it is set aside.",
		}, []string{"server"}),
		heads: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Namespace: "tonql", Subsystem: "node", Name: "server_head_seqno",
			Help: "Seqno of the newest masterchain block that the liteserver has proven.",
		}, []string{"server"}),
		newest: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: "tonql", Subsystem: "node", Name: "head_seqno",
			Help: "Seqno of the newest proven masterchain block of the network.",
		}),
	}
	for _, c := range []prometheus.Collector{m.seconds, m.failures, m.usable, m.heads, m.newest} {
		if err := r.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// server begins the series of a server with 0, so that its first failure is an increase.
func (m *metrics) server(name string) {
	if m == nil {
		return
	}
	m.usable.WithLabelValues(name).Set(0)
	for _, kind := range []string{"lie", "broken", "refusal", "limit"} {
		m.failures.WithLabelValues(name, kind)
	}
}

func (m *metrics) query(server, query string, took time.Duration, err error) {
	if m == nil {
		return
	}
	outcome := "answer"
	if err != nil {
		outcome = "none"
	}
	m.seconds.WithLabelValues(server, query, outcome).Observe(took.Seconds())
}

func (m *metrics) failed(server, kind string) {
	if m == nil {
		return
	}
	m.failures.WithLabelValues(server, kind).Inc()
	if kind != "refusal" && kind != "limit" {
		m.usable.WithLabelValues(server).Set(0)
	}
}

func (m *metrics) serverHead(server string, seqno uint32) {
	if m == nil {
		return
	}
	m.usable.WithLabelValues(server).Set(1)
	m.heads.WithLabelValues(server).Set(float64(seqno))
}

func (m *metrics) head(seqno uint32) {
	if m == nil {
		return
	}
	m.newest.Set(float64(seqno))
}
