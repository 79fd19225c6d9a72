package tracing

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"golang.org/x/time/rate"

	"tonql/internal/chain"
	"tonql/internal/tracing/tracingtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lines is a log that several goroutines write.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// started is a tracer with its log and metrics.
type started struct {
	*Tracer

	log     *lines
	metrics *prometheus.Registry
}

func start(t testing.TB, opts Options) started {
	t.Helper()
	s := started{log: &lines{}, metrics: prometheus.NewRegistry()}
	opts.Logger, opts.Metrics = slog.New(slog.NewTextHandler(s.log, nil)), s.metrics
	var err error
	s.Tracer, err = New(t.Context(), opts)
	require.NoError(t, err)
	return s
}

// count returns a metric of an outcome.
func (s started) count(t testing.TB, name, outcome string) int {
	t.Helper()
	families, err := s.metrics.Gather()
	require.NoError(t, err)
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && m.GetLabel()[0].GetValue() == outcome {
				return int(m.GetCounter().GetValue())
			}
		}
	}
	return 0
}

// serve serves a request whose handler is work.
func (s started) serve(work func(context.Context), headers ...string) {
	h := s.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		work(r.Context())
		Finish(r.Context(), Request{ID: "id", Method: r.Method, Route: "/route", Status: http.StatusOK})
	}), func(*http.Request) bool { return true })
	r := httptest.NewRequest(http.MethodGet, "/secret-path?secret=query", nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	h.ServeHTTP(httptest.NewRecorder(), r)
}

func nothing(context.Context) {}

func TestCheckEndpoint_AcceptsWebURLsAndRepeatsNoSecret(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"http://127.0.0.1:4318":        "http://127.0.0.1:4318/v1/traces",
		"https://host/":                "https://host/v1/traces",
		"https://user:secret@host/a/b": "https://host/a/b",
	} {
		u, authorization, err := parseEndpoint(given)
		require.NoError(t, err)
		require.Equal(t, want, u.String())
		require.Equal(t, strings.Contains(given, "@"), authorization != "")
	}
	for _, given := range []string{
		"127.0.0.1:4318", "ftp://secret@host", "http://", "http://:80/secret", "http://host/?secret=1", "http://host/#secret", "http://host:secret/", "http://[secret",
	} {
		err := CheckEndpoint(given)
		require.Error(t, err, given)
		require.NotContains(t, err.Error(), "secret")
	}
	require.NoError(t, CheckHeader("X-Key=a=b c"))
	for _, given := range []string{"secret", "=secret", "na me=secret", "Name=sec\nret"} {
		err := CheckHeader(given)
		require.Error(t, err, given)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestTracer_SendsTheTreeOfARequest(t *testing.T) {
	t.Parallel()
	receiver := tracingtest.Start(t)
	s := start(t, Options{Endpoint: strings.Replace(receiver.URL, "://", "://user:password@", 1), Headers: []string{"X-Tenant=one"}, Share: 1, Version: "1.2.3", Network: "devnet"})
	s.serve(func(ctx context.Context) {
		require.True(t, Active(ctx))
		ctx, span := Start(ctx, "transactions", V3)
		Called(ctx, Call{Name: "select blocks", Began: time.Now(), Took: time.Millisecond, Class: "DATABASE"}, attribute.String("a", "b"))
		span.End(chain.NotFoundf("the secret address"))
	})
	require.NoError(t, s.Close(t.Context()))
	spans := receiver.Spans(t)
	require.Len(t, spans, 3)
	root := rootOf(t, spans)
	require.Equal(t, "GET /route", root.GetName())
	require.Equal(t, otlp.Span_SPAN_KIND_SERVER, root.GetKind())
	require.EqualValues(t, http.StatusOK, tracingtest.Number(root, "http.response.status_code"))
	require.Equal(t, "id", tracingtest.Attribute(root, "tonql.request_id"))
	operation := tracingtest.Below(spans, root)
	require.Len(t, operation, 1)
	require.Equal(t, "transactions", operation[0].GetName())
	require.Equal(t, "v3", tracingtest.Attribute(operation[0], "tonql.api"))
	require.Equal(t, "NOT_FOUND", operation[0].GetStatus().GetMessage())
	require.Equal(t, otlp.Status_STATUS_CODE_ERROR, operation[0].GetStatus().GetCode())
	statement := tracingtest.Below(spans, operation[0])
	require.Len(t, statement, 1)
	require.Equal(t, "select blocks", statement[0].GetName())
	require.Equal(t, time.Millisecond.Nanoseconds(), int64(statement[0].GetEndTimeUnixNano()-statement[0].GetStartTimeUnixNano()))
	require.False(t, receiver.Contains("secret"))
	require.True(t, receiver.Contains("1.2.3"))
	require.Equal(t, "Basic dXNlcjpwYXNzd29yZA==", receiver.Headers()[0].Get("Authorization"))
	require.Equal(t, "one", receiver.Headers()[0].Get("X-Tenant"))
	require.Equal(t, 3, s.count(t, "tonql_request_spans_total", "exported"))
	require.Equal(t, 1, s.count(t, "tonql_request_traces_total", "started"))
}

func rootOf(t *testing.T, spans []*otlp.Span) *otlp.Span {
	t.Helper()
	for _, s := range spans {
		if s.GetKind() == otlp.Span_SPAN_KIND_SERVER {
			return s
		}
	}
	require.Fail(t, "no span of a request")
	return nil
}

// A share of the requests is traced; those with a sampled parent always are, and continue its trace. Its tracestate is not sent.
func TestHandler_SelectsRequests(t *testing.T) {
	t.Parallel()
	receiver := tracingtest.Start(t)
	s := start(t, Options{Endpoint: receiver.URL, Share: 0})
	const parent = "0af7651916cd43dd8448eb211c80319c"
	s.serve(func(ctx context.Context) { require.False(t, Active(ctx)) })
	s.serve(func(ctx context.Context) { require.False(t, Active(ctx)) }, "Traceparent", "00-"+parent+"-b7ad6b7169203331-00")
	s.serve(func(ctx context.Context) { require.False(t, Active(ctx)) }, "Traceparent", "00-zz")
	s.serve(func(ctx context.Context) { require.True(t, Active(ctx)) }, "Traceparent", "00-"+parent+"-b7ad6b7169203331-01", "Tracestate", "vendor=secret")
	traced := true
	untrusting := s.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { traced = Active(r.Context()) }), nil)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Traceparent", "00-"+parent+"-b7ad6b7169203331-01")
	untrusting.ServeHTTP(httptest.NewRecorder(), r)
	require.False(t, traced)
	require.NoError(t, s.Close(t.Context()))
	spans := receiver.Spans(t)
	require.Len(t, spans, 1)
	require.Equal(t, parent, tracingtest.TraceID(spans[0]))
	require.False(t, receiver.Contains("secret"))
}

func TestSampler_LimitsTheTracesOfASecond(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	m := newMetrics(nil)
	s := &sampler{share: sdk.TraceIDRatioBased(1), limit: rate.NewLimiter(maxTraces, maxTraces), now: func() time.Time { return now }, metrics: m}
	sampled := trace.ContextWithRemoteSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled,
	}))
	begun := func(ctx context.Context, n int) (taken int) {
		for range n {
			if s.ShouldSample(sdk.SamplingParameters{ParentContext: ctx}).Decision == sdk.RecordAndSample {
				taken++
			}
		}
		return taken
	}
	require.Equal(t, maxTraces, begun(t.Context(), 5*maxTraces))
	require.Zero(t, begun(sampled, 10), "also with a sampled parent")
	now = now.Add(time.Second / 2)
	require.Equal(t, maxTraces/2, begun(sampled, 5*maxTraces))
	require.Equal(t, maxTraces+maxTraces/2, int(testutil.ToFloat64(m.started)))
	require.Equal(t, 4*maxTraces+10+5*maxTraces-maxTraces/2, int(testutil.ToFloat64(m.limited)))
}

func TestStart_LimitsTheSpansOfATrace(t *testing.T) {
	t.Parallel()
	receiver := tracingtest.Start(t)
	s := start(t, Options{Endpoint: receiver.URL, Share: 1})
	s.serve(func(ctx context.Context) {
		var work sync.WaitGroup
		for range 10 {
			work.Go(func() {
				for range 50 {
					_, span := Start(ctx, "operation", V2)
					Called(ctx, Call{Name: "statement", Began: time.Now()})
					span.End(nil)
				}
			})
		}
		work.Wait()
	})
	require.NoError(t, s.Close(t.Context()))
	spans := receiver.Spans(t)
	require.Len(t, spans, maxSpans)
	require.EqualValues(t, 1001-maxSpans, tracingtest.Number(rootOf(t, spans), "tonql.dropped_spans"))
}

// Resolvers leave room for the statements of the others.
func TestStartResolver_LimitsTheResolversOfATrace(t *testing.T) {
	t.Parallel()
	receiver := tracingtest.Start(t)
	s := start(t, Options{Endpoint: receiver.URL, Share: 1})
	s.serve(func(ctx context.Context) {
		for i := range 4 * maxResolvers {
			in, span := StartResolver(ctx, "Query", "blocks")
			require.Equal(t, i < maxResolvers, span.Recording())
			if i >= 3*maxResolvers {
				Called(in, Call{Name: "statement", Began: time.Now()})
			}
			span.End(nil)
		}
	})
	require.NoError(t, s.Close(t.Context()))
	names := map[string]int{}
	for _, span := range receiver.Spans(t) {
		names[span.GetName()]++
	}
	require.Equal(t, maxResolvers, names["Query.blocks"])
	require.Equal(t, maxResolvers, names["statement"])
}

// A receiver that never responds makes no request wait: the queue fills, and further spans are dropped and counted. Close ends.
func TestTracer_DeadReceiverBlocksNothing(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	reached := make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, _ *http.Request) {
		reached <- struct{}{}
		<-release
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	s := start(t, Options{Endpoint: server.URL, Share: 1})
	fill := func(spans int) {
		for spans > 0 {
			n := min(spans, maxSpans)
			s.serve(func(ctx context.Context) {
				for range n - 1 {
					Called(ctx, Call{Name: "statement", Began: time.Now()})
				}
			})
			spans -= n
		}
	}
	fill(maxBatch)
	<-reached // the request of the first batch is running
	fill(maxWaiting - maxBatch)
	require.Zero(t, s.count(t, "tonql_request_spans_total", "dropped"))
	fill(1000)
	require.Equal(t, 1000, s.count(t, "tonql_request_spans_total", "dropped"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the time of the flush has passed
	require.ErrorIs(t, s.Close(ctx), context.Canceled)
	require.Eventually(t, func() bool { return s.count(t, "tonql_request_spans_total", "unaccepted") == maxWaiting }, time.Minute, time.Millisecond)
	fill(1) // after Close
}

// What a hostile receiver sends is bounded, followed nowhere, and in no log line at length.
func TestTracer_HostileReceiverIsLoggedBriefly(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	t.Cleanup(elsewhere.Close)
	for name, h := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		},
		"error": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"endless body": func(w http.ResponseWriter, r *http.Request) {
			block := bytes.Repeat([]byte("x"), 1<<16)
			for r.Context().Err() == nil {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		},
		"long text": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(bytes.Repeat([]byte("x"), 1<<20))
		},
		"long header": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 1<<20)) },
		"no protobuf": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-protobuf")
			_, _ = w.Write([]byte("\xff\xff\xff"))
		},
		"closes": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(h)
			t.Cleanup(server.Close)
			s := start(t, Options{Endpoint: server.URL, Share: 1, Headers: []string{"Authorization=secret"}})
			s.serve(nothing)
			require.NoError(t, s.Close(t.Context()))
			require.Equal(t, 1, s.count(t, "tonql_request_spans_total", "unaccepted"))
			require.Zero(t, s.count(t, "tonql_request_spans_total", "exported"))
			require.Equal(t, 1, strings.Count(s.log.String(), "traces not exported"))
			require.Less(t, len(s.log.String()), 2*maxErrorText)
			require.NotContains(t, s.log.String(), "secret")
		})
	}
}

func TestClass_IsOfASmallSet(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"": nil, "CANCELED": context.Canceled, "TIMEOUT": context.DeadlineExceeded, "INVALID": chain.Invalidf("x"), "INTERNAL": errors.New("secret"),
	} {
		require.Equal(t, want, Class(err))
	}
	require.Equal(t, "_OTHER", methodName("SECRET"))
}

// without is what a request does when nothing is traced.
func without(ctx context.Context) {
	if Active(ctx) {
		return
	}
	ctx, span := Start(ctx, "transactions", V3)
	span.Text("a", "b")
	ctx, resolver := StartResolver(ctx, "Query", "transactions")
	resolver.End(nil)
	Called(ctx, Call{Name: "statement"})
	Finish(ctx, Request{})
	span.End(nil)
}

func TestStart_WithoutATraceAllocatesNothing(t *testing.T) { //nolint:paralleltest // counts the allocations of the process
	ctx := context.WithValue(t.Context(), struct{ int }{}, 1)
	require.Zero(t, testing.AllocsPerRun(1000, func() { without(ctx) }))
	next := http.NotFoundHandler()
	require.Equal(t, &next, func() *http.Handler { var none *Tracer; next = none.Handler(next, nil); return &next }())
}

func BenchmarkRequest(b *testing.B) {
	b.Run("off", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			without(b.Context())
		}
	})
	for name, share := range map[string]float64{"unsampled": 0, "limited": 1} {
		b.Run(name, func(b *testing.B) {
			s := start(b, Options{Endpoint: "http://127.0.0.1:1", Share: share})
			h := s.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				ctx, span := Start(r.Context(), "transactions", V3)
				Called(ctx, Call{Name: "statement"})
				span.End(nil)
			}), nil)
			r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(w, r)
			}
			ctx, cancel := context.WithCancel(b.Context())
			cancel()
			_ = s.Close(ctx)
		})
	}
}
