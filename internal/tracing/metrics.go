package tracing

import "github.com/prometheus/client_golang/prometheus"

// metrics count traces and spans.
type metrics struct {
	started, limited              prometheus.Counter // traces
	exported, unaccepted, dropped prometheus.Counter // spans
}

func newMetrics(r prometheus.Registerer) *metrics {
	traces := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "tonql_request_traces_total",
		Help: "Number of traces of requests, by outcome: started, or limited (not recorded, because too many began in the same second).",
	}, []string{"outcome"})
	spans := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "tonql_request_spans_total",
		Help: "Number of spans of requests, by outcome: exported, unaccepted (the receiver could not be reached or refused them), dropped (the queue was full).",
	}, []string{"outcome"})
	if r != nil {
		r.MustRegister(traces, spans)
	}
	return &metrics{
		started: traces.WithLabelValues("started"), limited: traces.WithLabelValues("limited"),
		exported: spans.WithLabelValues("exported"), unaccepted: spans.WithLabelValues("unaccepted"), dropped: spans.WithLabelValues("dropped"),
	}
}
