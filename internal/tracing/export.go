package tracing

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"tonql/internal/logs"
)

// maxResponseHeader bounds the header of a response of the receiver, in bytes. The exporter bounds the body.
const maxResponseHeader = 16 << 10

// maxErrorText bounds the text of an error in a log line, in bytes: the receiver chooses a part of it.
const maxErrorText = 500

// newExporter returns an exporter to a receiver. The request with all repetitions takes at most exportTimeout.
func newExporter(ctx context.Context, endpoint *url.URL, headers map[string]string) (sdk.SpanExporter, *http.Transport, error) {
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, MaxConnsPerHost: 2, MaxIdleConns: 2, IdleConnTimeout: time.Minute,
		TLSHandshakeTimeout: exportTimeout, MaxResponseHeaderBytes: maxResponseHeader,
		DisableCompression: true, // a small response can become a large one
		ForceAttemptHTTP2:  true,
	}
	exporter, err := otlptracehttp.New(ctx,
		otlptracehttp.WithEndpointURL(endpoint.String()),
		otlptracehttp.WithHeaders(headers),
		otlptracehttp.WithCompression(otlptracehttp.GzipCompression),
		otlptracehttp.WithTimeout(exportTimeout),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: time.Second, MaxInterval: exportTimeout / 2, MaxElapsedTime: exportTimeout,
		}),
		otlptracehttp.WithHTTPClient(&http.Client{
			Transport: transport, Timeout: exportTimeout,
			// A redirect would send the headers, which may contain a secret, to another server.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}))
	return exporter, transport, err
}

// exporter counts what its inner exporter sends, and logs what it does not.
type exporter struct {
	sdk.SpanExporter

	log     *slog.Logger
	metrics *metrics
	waiting *atomic.Int64 // spans in the queue and in the request that is running
	ended   context.Context
}

// ExportSpans implements [sdk.SpanExporter]. It ends at once after the tracer was closed.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	defer e.waiting.Add(-int64(len(spans)))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ended, cancel)()
	if err := e.SpanExporter.ExportSpans(ctx, spans); err != nil {
		e.metrics.unaccepted.Add(float64(len(spans)))
		e.log.Warn("traces not exported", "component", "tracing", "err", brief(err)) // the logger bounds the number of lines
		return nil                                                                   // it is counted and logged
	}
	e.metrics.exported.Add(float64(len(spans)))
	return nil
}

// brief returns the text of an error for a log line.
func brief(err error) string { return logs.Shorten(err.Error(), maxErrorText) }

// queue passes spans to a batch processor unless too many are waiting.
type queue struct {
	sdk.SpanProcessor

	metrics *metrics
	waiting *atomic.Int64
}

// OnEnd implements [sdk.SpanProcessor]. It never waits.
func (q *queue) OnEnd(s sdk.ReadOnlySpan) {
	if q.waiting.Add(1) > maxWaiting {
		q.waiting.Add(-1)
		q.metrics.dropped.Inc()
		return
	}
	q.SpanProcessor.OnEnd(s)
}
