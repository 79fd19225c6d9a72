package handler

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"tonql/internal/chain"
	"tonql/internal/logs"
	"tonql/internal/tracing"
)

// Finished describes a finished request.
type Finished struct {
	ID       string
	Route    string
	Method   string
	Status   int
	Took     time.Duration // without the time in [Await]
	Bytes    int64         // of the response
	Cost     float64       // as in [Record]
	Database time.Duration // as in [Record]
}

// Observer is called once per finished request. It must be safe for concurrent use.
type Observer func(*Finished)

// RouteOfLimit is the route of requests with a status of 500 or above that failed by what the client chose:
//
//   - a masterchain block that the index did not reach in time;
//   - a shorter timeout;
//   - a long response that the client does not read;
//   - an error that the compatible routes report as a node does: a block that does not exist, a message that the contract refuses.
//
// They say nothing of the route that they requested, and anyone can send them.
const RouteOfLimit = "limit of the client"

// chosen reports whether a response says nothing of the server.
func chosen(rec *Record, status int) bool {
	if rec.Err == nil {
		return false
	}
	switch chain.KindOf(rec.Err) {
	case chain.Invalid, chain.NotFound, chain.TooLarge, chain.RangeDropped:
		return status >= http.StatusInternalServerError
	case chain.Internal, chain.Behind, chain.Unavailable:
	}
	return rec.Limited || errors.Is(rec.Err, chain.ErrAhead) || errors.Is(rec.Err, errUnsentOfClient)
}

// Observe wraps next with the parts of every request: an id in X-Request-Id, a [Record] in the context, recovery from
// panics, one log line, and a call of observer, which can be nil.
func Observe(next http.Handler, log *slog.Logger, observer Observer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &Record{ID: requestID(r)}
		w.Header().Set("X-Request-Id", rec.ID)
		tracked := &trackedWriter{ResponseWriter: w}
		r = r.WithContext(logs.WithRequest(r.Context(), rec))
		defer func() {
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					finish(r, rec, tracked, time.Since(start), log, observer)
					panic(p) //nolint:forbidigo // net/http handles this panic
				}
				rec.Err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				if tracked.status == 0 {
					tracked.Header().Set("Content-Type", "application/json")
					tracked.WriteHeader(http.StatusInternalServerError)
					_, _ = tracked.Write([]byte(`{"error":"internal error","code":500}`))
				}
			}
			finish(r, rec, tracked, time.Since(start), log, observer)
		}()
		next.ServeHTTP(tracked, r)
	})
}

// maxPath is the length of a path in a log line, in bytes.
const maxPath = 1 << 10

func finish(r *http.Request, rec *Record, w *trackedWriter, took time.Duration, log *slog.Logger, observer Observer) {
	status := w.status
	if status == 0 {
		status = http.StatusOK
	}
	route, byClient := rec.Route, chosen(rec, status)
	if byClient {
		route = RouteOfLimit
	}
	if observer != nil {
		observer(&Finished{
			ID: rec.ID, Route: route, Method: r.Method, Status: status, Took: max(0, took-rec.Waited()), Bytes: w.bytes, Cost: rec.Cost, Database: rec.Database(),
		})
	}
	if tracing.Active(r.Context()) {
		tracing.Finish(r.Context(), tracing.Request{
			ID: rec.ID, Method: r.Method, Route: cmp.Or(rec.Route, "/*"), Status: status, Class: tracing.Class(rec.Err),
			Failed: status >= http.StatusInternalServerError && !byClient,
		})
	}
	level := slog.LevelDebug
	attrs := []slog.Attr{
		slog.String("request_id", rec.ID), slog.String("method", r.Method), slog.String("path", logs.Shorten(r.URL.Path, maxPath)),
		slog.Int("status", status), slog.Duration("took", took), slog.Int64("bytes", w.bytes),
	}
	if rec.Err != nil {
		attrs = append(attrs, slog.String("err", rec.Err.Error()))
	}
	switch {
	case errors.Is(rec.Err, context.Canceled), byClient, rec.State: // the client disconnected, or requires too much
	case status >= http.StatusInternalServerError && status != http.StatusNotImplemented:
		level = slog.LevelError
	case status < http.StatusBadRequest && rec.Err != nil && chain.KindOf(rec.Err) == chain.Internal: // the response ended early
		level = slog.LevelError
	}
	log.LogAttrs(r.Context(), level, logs.Request, attrs...) //nolint:sloglint // a constant
}

// trackedWriter records the status and size of a response.
type trackedWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *trackedWriter) WriteHeader(code int) {
	if w.status == 0 {
		w.status = code
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *trackedWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *trackedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends buffered data to the client. Streaming libraries require it on the writer itself.
func (w *trackedWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Hijack takes over the connection, as WebSocket libraries require. The request is then logged with status 101.
func (w *trackedWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.status = http.StatusSwitchingProtocols
	return http.NewResponseController(w.ResponseWriter).Hijack()
}
