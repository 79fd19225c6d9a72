package metadata

import (
	"github.com/prometheus/client_golang/prometheus"
)

// metrics is what the worker measures.
type metrics struct {
	fetched     *prometheus.CounterVec
	failed      *prometheus.CounterVec
	putOff      prometheus.Counter
	queueErrors prometheus.Counter
	waiting     prometheus.Gauge
	running     prometheus.Gauge
	seconds     prometheus.Histogram
}

func newMetrics(registerer prometheus.Registerer) *metrics {
	const namespace, subsystem = "tonql", "metadata"
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Subsystem: subsystem, Name: name, Help: help})
	}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Subsystem: subsystem, Name: name, Help: help})
	}
	m := &metrics{
		fetched: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Subsystem: subsystem, Name: "fetched_total", Help: "Number of off-chain contents that were fetched, by kind of token.",
		}, []string{"kind"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Subsystem: subsystem, Name: "failed_total", Help: "Number of failed tries to fetch a content, by reason; image: all but the image was found.",
		}, []string{"reason"}),
		putOff:      counter("put_off_total", "Number of jobs that were delayed because their host had too many."),
		queueErrors: counter("queue_errors_total", "Number of failed queries of the job queue."),
		waiting:     gauge("waiting", "Number of jobs that were taken from the queue and have not begun."),
		running:     gauge("running", "Number of jobs that are running."),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Subsystem: subsystem, Name: "fetch_seconds", Help: "Duration of fetching an off-chain content in seconds.",
			Buckets: prometheus.ExponentialBuckets(0.01, 2, 14),
		}),
	}
	if registerer != nil {
		registerer.MustRegister(m.fetched, m.failed, m.putOff, m.queueErrors, m.waiting, m.running, m.seconds)
	}
	return m
}
