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
			Namespace: namespace, Subsystem: subsystem, Name: "fetched_total", Help: "Contents followed, by kind of token.",
		}, []string{"kind"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Namespace: namespace, Subsystem: subsystem, Name: "failed_total", Help: "Tries that failed, by reason; image means all but the image was found.",
		}, []string{"reason"}),
		putOff:      counter("put_off_total", "Jobs put off because their host has too many."),
		queueErrors: counter("queue_errors_total", "Number of failed queries of the job queue."),
		waiting:     gauge("waiting", "Jobs taken from the queue and not begun."),
		running:     gauge("running", "Jobs that are being worked on."),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Subsystem: subsystem, Name: "fetch_seconds", Help: "Time to follow a content that leads off the chain.",
			Buckets: prometheus.ExponentialBuckets(0.01, 2, 14),
		}),
	}
	if registerer != nil {
		registerer.MustRegister(m.fetched, m.failed, m.putOff, m.queueErrors, m.waiting, m.running, m.seconds)
	}
	return m
}
