package tracing

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"

	"tonql/internal/logs"
)

// Bounds of the traces.
const (
	// maxTraces is the number of traces that can begin in a second.
	maxTraces = 100
	// maxSpans is the number of spans of a trace.
	maxSpans = 500
	// maxResolvers is the number of spans of resolvers of GraphQL in a trace.
	maxResolvers = 100
	// maxWaiting is the number of spans that wait for the receiver.
	maxWaiting = 4096
	// maxBatch is the number of spans of one request to the receiver.
	maxBatch = 512
	// maxText is the length of an attribute in characters.
	maxText = 256
	// exportTimeout bounds a request to the receiver with its repetitions.
	exportTimeout = 10 * time.Second
	// exportInterval is the longest time that a span waits for a batch to fill.
	exportInterval = 5 * time.Second
	// flushTimeout bounds the export of the waiting spans when the tracer is closed.
	flushTimeout = 5 * time.Second
)

// Options configure a [Tracer].
type Options struct {
	Endpoint string                // http or https URL of the receiver, as CheckEndpoint accepts it
	Headers  []string              // further headers of requests to it, as NAME=VALUE
	Share    float64               // share of the requests without a sampled parent that is traced, 0 to 1
	Version  string                // of the program
	Network  string                // that it serves
	Logger   *slog.Logger          // nil: slog.Default
	Metrics  prometheus.Registerer // nil: none
}

// Tracer records traces of requests and sends them to a receiver. A nil Tracer records nothing. Safe for concurrent use.
type Tracer struct {
	tracer    trace.Tracer
	batches   sdk.SpanProcessor
	transport *http.Transport
	end       context.CancelFunc // interrupts exports
}

// New returns a Tracer. It does not connect to the receiver. Errors are those of [CheckEndpoint] and [CheckHeader]. The
// messages of the OpenTelemetry library are logged by the newest Tracer of the process. Close must be called after use.
func New(ctx context.Context, opts Options) (*Tracer, error) {
	if opts.Logger == nil {
		opts.Logger = slog.Default()
	}
	endpoint, authorization, err := parseEndpoint(opts.Endpoint)
	if err != nil {
		return nil, err
	}
	headers := map[string]string{}
	if authorization != "" {
		headers["Authorization"] = authorization
	}
	for _, pair := range opts.Headers {
		name, value, err := parseHeader(pair)
		if err != nil {
			return nil, err
		}
		headers[name] = value
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		opts.Logger.Warn("library log", "component", "opentelemetry", "line", brief(err))
	}))
	otel.SetLogger(logr.FromSlogHandler(logs.Library(opts.Logger, "opentelemetry", slog.LevelDebug, slog.LevelWarn).Handler()))
	inner, transport, err := newExporter(ctx, endpoint, headers)
	if err != nil {
		return nil, fmt.Errorf("trace receiver: %w", err)
	}
	m, waiting := newMetrics(opts.Metrics), &atomic.Int64{}
	ended, end := context.WithCancel(context.WithoutCancel(ctx))
	batches := sdk.NewBatchSpanProcessor(
		&exporter{SpanExporter: inner, log: opts.Logger, metrics: m, waiting: waiting, ended: ended},
		sdk.WithMaxQueueSize(maxWaiting), sdk.WithMaxExportBatchSize(maxBatch),
		sdk.WithBatchTimeout(exportInterval), sdk.WithExportTimeout(exportTimeout),
	)
	provider := sdk.NewTracerProvider(
		sdk.WithSpanProcessor(&queue{SpanProcessor: batches, metrics: m, waiting: waiting}),
		sdk.WithSampler(&sampler{share: sdk.TraceIDRatioBased(opts.Share), limit: rate.NewLimiter(maxTraces, maxTraces), now: time.Now, metrics: m}),
		sdk.WithRawSpanLimits(sdk.SpanLimits{
			AttributeValueLengthLimit: maxText, AttributeCountLimit: 32, EventCountLimit: 0, LinkCountLimit: 0,
		}),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "tonql"), attribute.String("service.version", opts.Version),
			attribute.String("service.instance.id", rand.Text()), attribute.String("tonql.network", opts.Network),
		)),
	)
	return &Tracer{tracer: provider.Tracer("tonql"), batches: batches, transport: transport, end: end}, nil
}

// Close sends the spans that wait, for 5 seconds at most or until ctx ends, and drops the others.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	err := t.batches.Shutdown(ctx) // that of the provider does nothing when ctx has ended
	t.end()
	t.transport.CloseIdleConnections()
	if err != nil {
		return fmt.Errorf("traces not exported: %w", err)
	}
	return nil
}
