package webhook

import (
	"github.com/prometheus/client_golang/prometheus"

	"tonql/internal/payment"
)

type metrics struct {
	attempts *prometheus.CounterVec
	ended    *prometheus.CounterVec
	lag      prometheus.Histogram
	backlog  backlog
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tonql_webhook_attempts_total", Help: "Number of webhook delivery attempts by outcome.",
		}, []string{"outcome"}),
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tonql_webhook_deliveries_total", Help: "Number of finished webhook deliveries by outcome: delivered, exhausted or skipped.",
		}, []string{"outcome"}),
		lag: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "tonql_webhook_lag_seconds", Help: "Duration from an event to its first delivery attempt in seconds.",
			Buckets: []float64{0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600},
		}),
		backlog: newBacklog(r),
	}
	// Series begin with 0, so that the first event of an outcome is an increase.
	for _, outcome := range []string{"delivered", "failed"} {
		m.attempts.WithLabelValues(outcome)
	}
	for _, state := range []payment.DeliveryState{payment.DeliveryDelivered, payment.DeliveryExhausted, payment.DeliverySkipped} {
		m.ended.WithLabelValues(state.String())
	}
	r.MustRegister(m.attempts, m.ended, m.lag)
	return m
}
