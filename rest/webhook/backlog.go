package webhook

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tonql/internal/ctxtime"
	"tonql/internal/store/payments"
)

// watchInterval is the interval in which [Watch] reads the backlog.
const watchInterval = 15 * time.Second

// backlog has the series of deliveries that have not ended.
type backlog struct {
	open   prometheus.Gauge
	oldest prometheus.Gauge
}

func newBacklog(r prometheus.Registerer) backlog {
	b := backlog{
		open: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "tonql_webhook_backlog", Help: "Number of unfinished webhook deliveries.",
		}),
		oldest: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "tonql_webhook_backlog_age_seconds", Help: "Age of the oldest unfinished webhook delivery in seconds.",
		}),
	}
	r.MustRegister(b.open, b.oldest)
	return b
}

// read sets the series from the database.
func (b backlog) read(ctx context.Context, records *payments.Store) error {
	open, oldest, err := records.Backlog(ctx)
	if err != nil {
		return err
	}
	b.open.Set(float64(open))
	b.oldest.Set(oldest.Seconds())
	return nil
}

// Watch exports the backlog of deliveries from a process without a [Dispatcher], until ctx ends: where no process delivers, it shows that.
func Watch(ctx context.Context, records *payments.Store, r prometheus.Registerer, log *slog.Logger) {
	b, failing := newBacklog(r), false
	for {
		err := b.read(ctx, records)
		if err != nil && !failing && ctx.Err() == nil {
			log.Warn("lookup of webhook deliveries failed", "err", err)
		}
		if failing = err != nil; !ctxtime.Sleep(ctx, watchInterval) {
			return
		}
	}
}
