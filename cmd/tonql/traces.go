package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v3"
	"go.opentelemetry.io/otel/attribute"

	"tonql/internal/config"
	"tonql/internal/node"
	"tonql/internal/store/observe"
	"tonql/internal/tracing"
)

// traceFlags configure the traces of requests.
func traceFlags() []config.Setting {
	return config.Theme("Diagnostics",
		text("trace-endpoint", "", "URL of an OpenTelemetry receiver (OTLP over HTTP, such as http://127.0.0.1:4318) that traces of requests are sent to (default: none)").
			URL().Check(tracing.CheckEndpoint),
		list("trace-header", nil, "NAME=VALUE of a header of requests to --trace-endpoint, such as an API key; may be repeated").Secret().Check(tracing.CheckHeader),
		decimal("trace-sample", 1, "share of requests to trace; a request whose parent is traced (--trace-parent) always is. At most 100 traces begin in a second").Between(0, 1),
		boolean("trace-parent", "continue the traces that requests from --trusted-proxy name in their header traceparent"),
	)
}

// startTraces begins to trace requests when --trace-endpoint is given.
func startTraces(ctx context.Context, c *cli.Command, lc *lifecycle) error {
	if c.String("trace-endpoint") == "" {
		return nil
	}
	tracer, err := tracing.New(ctx, tracing.Options{
		Endpoint: c.String("trace-endpoint"), Headers: c.StringSlice("trace-header"), Share: c.Float("trace-sample"),
		Version: version, Network: c.String("network"), Logger: lc.log, Metrics: lc.metrics,
	})
	if err != nil {
		return fmt.Errorf("--trace-endpoint: %w", err)
	}
	lc.tracer = tracer
	lc.onStop("traces", tracer.Close)
	lc.log.Info("tracing requests", "url", config.WithoutPassword(c.String("trace-endpoint")))
	return nil
}

// traceStatement adds a statement to the trace of the request that it is for.
func traceStatement(ctx context.Context, s observe.Statement) {
	if !tracing.Active(ctx) {
		return
	}
	tracing.Called(ctx, tracing.Call{Name: s.Name, Began: time.Now().Add(-s.Took), Took: s.Took, Class: faultClass(s.Err, "DATABASE")},
		attribute.String("db.system.name", "postgresql"), attribute.String("db.query.summary", s.Name), attribute.String("tonql.statement.kind", s.Kind.String()))
}

// traceQuery adds a query to a liteserver to the trace of the request that it is for.
func traceQuery(ctx context.Context, q node.Observed) {
	if !tracing.Active(ctx) {
		return
	}
	tracing.Called(ctx, tracing.Call{Name: q.Name, Began: q.Began, Took: q.Took, Class: faultClass(q.Err, "LITESERVER")},
		attribute.String("rpc.system.name", "ton-liteserver"), attribute.String("rpc.method", q.Name), attribute.String("server.address", q.Server))
}

// faultClass is [tracing.Class] for a call of another server, whose other faults have one class.
func faultClass(err error, other string) string {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return tracing.Class(err)
	}
	return other
}
