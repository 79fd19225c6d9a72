package webhook_test

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/rest/webhook"
)

// measured returns the value of a metric, or the number of observations of a histogram. A non-empty outcome selects a label.
func measured(t *testing.T, r *prometheus.Registry, name, outcome string) float64 {
	t.Helper()
	families, err := r.Gather()
	require.NoError(t, err)
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			if outcome != "" && m.GetLabel()[0].GetValue() != outcome {
				continue
			}
			return m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return 0
}

func TestMetrics_CountOutcomesLagAndBacklog(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	registry := prometheus.NewRegistry()
	b := newBench(t, func(o *webhook.Options) { o.Metrics = registry })
	well, ill := httptest.NewServer(status(200)), httptest.NewServer(status(500))
	t.Cleanup(well.Close)
	t.Cleanup(ill.Close)
	b.send(b.endpoint(ill.URL))
	b.ended(b.send(b.endpoint(well.URL)), 30*time.Second)
	b.ended(b.send(b.endpoint("ftp://shop.example/")), 30*time.Second)
	for _, m := range []struct {
		name, outcome string
		value         float64
	}{
		{"tonql_webhook_deliveries_total", "delivered", 1},
		{"tonql_webhook_deliveries_total", "skipped", 1},
		{"tonql_webhook_deliveries_total", "exhausted", 0},
		{"tonql_webhook_attempts_total", "delivered", 1},
		{"tonql_webhook_lag_seconds", "", 2}, // the skipped delivery has no attempt
		{"tonql_webhook_backlog", "", 1},
	} {
		require.Eventually(t, func() bool { return measured(t, registry, m.name, m.outcome) == m.value }, time.Minute, 50*time.Millisecond, "%s %s", m.name, m.outcome)
	}
	require.Positive(t, measured(t, registry, "tonql_webhook_attempts_total", "failed"))
	require.Positive(t, measured(t, registry, "tonql_webhook_backlog_age_seconds", ""))
}

// A process that delivers nothing exports how many deliveries wait, and for how long, so that an alert is possible where no process delivers.
func TestWatch_BacklogWithoutADispatcher(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	b := idleBench(t)
	b.send(b.endpoint("http://127.0.0.1:9/"))
	b.exec(`UPDATE webhook_deliveries SET created_at = now() - interval '20 minutes'`)
	registry, done := prometheus.NewRegistry(), make(chan struct{})
	go func() {
		defer close(done)
		webhook.Watch(t.Context(), b.payments, registry, slog.New(slog.DiscardHandler))
	}()
	t.Cleanup(func() { <-done }) // the context of the test has ended by then
	require.Eventually(t, func() bool {
		return measured(t, registry, "tonql_webhook_backlog", "") == 1 && measured(t, registry, "tonql_webhook_backlog_age_seconds", "") > 900
	}, time.Minute, 20*time.Millisecond)
}
