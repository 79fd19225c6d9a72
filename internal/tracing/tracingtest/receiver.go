// Package tracingtest has a receiver of traces for tests.
package tracingtest

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Receiver accepts requests of OTLP over HTTP.
type Receiver struct {
	URL string

	mu       sync.Mutex
	problems []error
	headers  []http.Header
	bodies   [][]byte
	spans    []*otlp.Span
}

// Start starts a receiver, which the test stops.
func Start(t testing.TB) *Receiver {
	t.Helper()
	r := &Receiver{}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

// ServeHTTP implements [http.Handler].
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, decoded, err := decode(req)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.problems = append(r.problems, err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.headers, r.bodies = append(r.headers, req.Header), append(r.bodies, body)
	for _, resource := range decoded.GetResourceSpans() {
		for _, scope := range resource.GetScopeSpans() {
			r.spans = append(r.spans, scope.GetSpans()...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

func decode(req *http.Request) (body []byte, decoded *collector.ExportTraceServiceRequest, err error) {
	unzipped, err := gzip.NewReader(req.Body)
	if err != nil {
		return nil, nil, err
	}
	if body, err = io.ReadAll(unzipped); err != nil {
		return nil, nil, err
	}
	decoded = &collector.ExportTraceServiceRequest{}
	return body, decoded, proto.Unmarshal(body, decoded)
}

// Spans returns the spans that were received.
func (r *Receiver) Spans(t testing.TB) []*otlp.Span {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	require.Empty(t, r.problems)
	return r.spans
}

// Headers returns those of the requests.
func (r *Receiver) Headers() []http.Header {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.headers
}

// Contains reports whether a request contained a text.
func (r *Receiver) Contains(text string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range r.bodies {
		if bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

// Below returns the spans whose parent is s.
func Below(spans []*otlp.Span, s *otlp.Span) (below []*otlp.Span) {
	for _, c := range spans {
		if bytes.Equal(c.GetParentSpanId(), s.GetSpanId()) && bytes.Equal(c.GetTraceId(), s.GetTraceId()) {
			below = append(below, c)
		}
	}
	return below
}

// Attribute returns the text of an attribute; "" without it.
func Attribute(s *otlp.Span, name string) string {
	for _, a := range s.GetAttributes() {
		if a.GetKey() == name {
			return a.GetValue().GetStringValue()
		}
	}
	return ""
}

// Number returns the number of an attribute; 0 without it.
func Number(s *otlp.Span, name string) int64 {
	for _, a := range s.GetAttributes() {
		if a.GetKey() == name {
			return a.GetValue().GetIntValue()
		}
	}
	return 0
}

// TraceID returns the id of the trace in hexadecimal digits.
func TraceID(s *otlp.Span) string { return hex.EncodeToString(s.GetTraceId()) }
