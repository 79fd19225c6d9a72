package webhook

import "github.com/prometheus/client_golang/prometheus"

type metrics struct {
	attempts *prometheus.CounterVec
	ended    *prometheus.CounterVec
	lag      prometheus.Histogram
	backlog  prometheus.Gauge
	oldest   prometheus.Gauge
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tonql_webhook_attempts_total", Help: "Attempts at receivers of webhooks, by outcome.",
		}, []string{"outcome"}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tonql_webhook_deliveries_total", Help: "Deliveries that ended, by outcome: delivered, exhausted or skipped.",
		}, []string{"outcome"}),
		lag: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "tonql_webhook_lag_seconds", Help: "Time from an event to the first attempt to deliver it.",
			Buckets: []float64{0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600},
		}),
		backlog: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "tonql_webhook_backlog", Help: "Deliveries that have not ended.",
		}),
		oldest: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "tonql_webhook_backlog_age_seconds", Help: "Age of the oldest delivery that has not ended.",
		}),
	}
	r.MustRegister(m.attempts, m.ended, m.lag, m.backlog, m.oldest)
	return m
}
