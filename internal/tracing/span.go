package tracing

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"tonql/internal/chain"
)

// recording is the trace of one request while it is served.
type recording struct {
	tracer  trace.Tracer
	root    trace.Span
	spans   atomic.Int64
	dropped atomic.Int64

	resolvers atomic.Int64
}

type recordingKey struct{}

// take reports whether the trace may have another span.
func (r *recording) take() bool {
	if r.spans.Add(1) <= maxSpans {
		return true
	}
	r.dropped.Add(1)
	return false
}

// end ends the span of the request.
func (r *recording) end() {
	if n := r.dropped.Load(); n > 0 {
		r.root.SetAttributes(attribute.Int64("tonql.dropped_spans", n))
	}
	r.root.End()
}

func recordingOf(ctx context.Context) *recording {
	r, _ := ctx.Value(recordingKey{}).(*recording)
	return r
}

// Active reports whether ctx belongs to a request that is traced.
func Active(ctx context.Context) bool { return recordingOf(ctx) != nil }

// Span is an operation in a trace. The zero Span records nothing.
type Span struct{ inner trace.Span }

// API is the interface that an operation is of.
type API string

// The interfaces.
const (
	V2      API = "v2"
	V3      API = "v3"
	GraphQL API = "graphql"
)

// Start begins an operation of an interface. name must be one of a small fixed set, never what a client sent. The caller must
// call End.
func Start(ctx context.Context, name string, of API) (context.Context, Span) {
	r := recordingOf(ctx)
	if r == nil || !r.take() {
		return ctx, Span{}
	}
	ctx, inner := r.tracer.Start(ctx, name, trace.WithAttributes(attribute.String("tonql.api", string(of))))
	return ctx, Span{inner}
}

// StartResolver begins a resolver of GraphQL, by the names of its object type and its field in the schema. A trace has the first
// maxResolvers of them, so that there is room for the calls of the others. The caller must call End.
func StartResolver(ctx context.Context, object, field string) (context.Context, Span) {
	if r := recordingOf(ctx); r == nil || r.resolvers.Add(1) > maxResolvers {
		return ctx, Span{}
	}
	return Start(ctx, object+"."+field, GraphQL)
}

// Recording reports whether the span is recorded.
func (s Span) Recording() bool { return s.inner != nil }

// Text adds an attribute. value must be one of a small fixed set, never what a client sent.
func (s Span) Text(name, value string) {
	if s.inner != nil {
		s.inner.SetAttributes(attribute.String(name, value))
	}
}

// End ends an operation. Of the error, only its class is recorded.
func (s Span) End(err error) { s.EndClass(Class(err)) }

// EndClass ends an operation with the class of its error, "" for none.
func (s Span) EndClass(class string) {
	if s.inner != nil {
		fail(s.inner, class)
		s.inner.End()
	}
}

// Call is a call of another server that has ended.
type Call struct {
	Name  string // of a small fixed set
	Began time.Time
	Took  time.Duration
	Class string // class of the error; "" for none
}

// Called records a call that was made for an operation. Callers that need attributes check [Active] before they make them.
func Called(ctx context.Context, c Call, attributes ...attribute.KeyValue) {
	r := recordingOf(ctx)
	if r == nil || !r.take() {
		return
	}
	_, s := r.tracer.Start(ctx, c.Name, trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(c.Began), trace.WithAttributes(attributes...))
	fail(s, c.Class)
	s.End(trace.WithTimestamp(c.Began.Add(c.Took)))
}

// fail records that an operation failed, if it has an error.
func fail(s trace.Span, class string) {
	if class != "" {
		s.SetAttributes(attribute.String("error.type", class))
		s.SetStatus(codes.Error, class)
	}
}

// Class returns the class of an error: CANCELED, TIMEOUT, or its kind such as NOT_FOUND; "" of nil.
func Class(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "CANCELED"
	case errors.Is(err, context.DeadlineExceeded):
		return "TIMEOUT"
	default:
		return chain.KindOf(err).String()
	}
}
