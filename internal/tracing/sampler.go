package tracing

import (
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"
)

// sampler selects the requests to trace: those with a sampled parent, and a share of the others. The number of traces that
// begin in a second is limited.
type sampler struct {
	share   sdk.Sampler
	limit   *rate.Limiter
	now     func() time.Time
	metrics *metrics
}

// ShouldSample implements [sdk.Sampler]. It is called for requests, and for the spans in a trace that is recorded.
func (s *sampler) ShouldSample(p sdk.SamplingParameters) sdk.SamplingResult {
	parent := trace.SpanContextFromContext(p.ParentContext)
	if parent.IsValid() && !parent.IsRemote() && parent.IsSampled() {
		return sdk.SamplingResult{Decision: sdk.RecordAndSample}
	}
	if !parent.IsSampled() {
		if chosen := s.share.ShouldSample(p); chosen.Decision != sdk.RecordAndSample {
			return sdk.SamplingResult{Decision: sdk.Drop}
		}
	}
	if !s.limit.AllowN(s.now(), 1) {
		s.metrics.limited.Inc()
		return sdk.SamplingResult{Decision: sdk.Drop}
	}
	s.metrics.started.Inc()
	return sdk.SamplingResult{Decision: sdk.RecordAndSample}
}

// Description implements [sdk.Sampler].
func (*sampler) Description() string { return "a share of the requests, with a limit" }
