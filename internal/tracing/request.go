package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Handler records a trace of each request that is selected. A request for which trusted returns true continues the trace that its
// header traceparent names; trusted may be nil. [Finish] describes the request before next returns.
func (t *Tracer) Handler(next http.Handler, trusted func(*http.Request) bool) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		if trusted != nil && trusted(r) {
			ctx = propagation.TraceContext{}.Extract(ctx, parentHeader(r.Header))
		}
		ctx, root := t.tracer.Start(ctx, "HTTP", trace.WithSpanKind(trace.SpanKindServer))
		if !root.IsRecording() {
			root.End()
			next.ServeHTTP(w, r)
			return
		}
		rec := &recording{tracer: t.tracer, root: root}
		rec.spans.Store(1)
		defer rec.end()
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, recordingKey{}, rec)))
	})
}

// Request describes a request that was served.
type Request struct {
	ID     string
	Method string
	Route  string // pattern
	Status int
	Class  string // of the error; "" for none
	Failed bool   // by a fault of the server
}

// Finish describes the request that ctx belongs to.
func Finish(ctx context.Context, r Request) {
	rec := recordingOf(ctx)
	if rec == nil {
		return
	}
	method := methodName(r.Method)
	rec.root.SetName(method + " " + r.Route)
	rec.root.SetAttributes(
		attribute.String("http.request.method", method), attribute.String("http.route", r.Route),
		attribute.Int("http.response.status_code", r.Status), attribute.String("tonql.request_id", r.ID),
	)
	if r.Class != "" {
		rec.root.SetAttributes(attribute.String("error.type", r.Class))
	}
	if r.Failed {
		rec.root.SetStatus(codes.Error, r.Class)
	}
}

// methodName returns the name of a method of HTTP; a client can send any other text.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodHead, http.MethodOptions, http.MethodPut, http.MethodDelete, http.MethodPatch:
		return method
	default:
		return "_OTHER"
	}
}

// parentHeader reads the header traceparent alone: tracestate is any text.
type parentHeader http.Header

var _ propagation.TextMapCarrier = parentHeader{}

const parentName = "traceparent"

// Get implements [propagation.TextMapCarrier].
func (h parentHeader) Get(name string) string {
	if name != parentName {
		return ""
	}
	return http.Header(h).Get(name)
}

// Set implements [propagation.TextMapCarrier].
func (h parentHeader) Set(string, string) {}

// Keys implements [propagation.TextMapCarrier].
func (h parentHeader) Keys() []string { return []string{parentName} }
