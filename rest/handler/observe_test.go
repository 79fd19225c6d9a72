package handler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"tonql/internal/chain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func observed(t *testing.T, next http.HandlerFunc, r *http.Request) (*httptest.ResponseRecorder, string, []string) {
	t.Helper()
	var log bytes.Buffer
	var seen []string
	h := Observe(next, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		func(f *Finished) {
			seen = append(seen, f.Route, f.Method, http.StatusText(f.Status))
			require.GreaterOrEqual(t, f.Bytes, int64(0))
		})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w, log.String(), seen
}

func TestObserve_LogsOneLinePerRequest(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodGet, "/x", nil)
	w, log, seen := observed(t, func(w http.ResponseWriter, r *http.Request) {
		rec := RecordOf(r.Context())
		rec.Route, rec.Err = "/x", errors.New("the cause")
		w.WriteHeader(http.StatusTeapot)
	}, r)
	require.Len(t, w.Header().Get("X-Request-Id"), 16)
	require.Equal(t, []string{"/x", "GET", "I'm a teapot"}, seen)
	require.Contains(t, log, "the cause")
	require.Contains(t, log, w.Header().Get("X-Request-Id"))
}

// Clients choose how long a request waits for a block; that time does not count as the duration of its route.
func TestObserve_WaitForABlockIsNoDuration(t *testing.T) {
	t.Parallel()
	var took []time.Duration
	h := Observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = Await(r.Context(), func(context.Context) error { time.Sleep(300 * time.Millisecond); return nil })
	}), slog.New(slog.DiscardHandler), func(f *Finished) { took = append(took, f.Took) })
	start := time.Now()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/x", nil))
	require.Len(t, took, 1)
	require.LessOrEqual(t, took[0]+300*time.Millisecond, time.Since(start))
}

// Any client can require any block; that fills no log and raises no alert of errors.
func TestObserve_BlockAheadOfTheIndexIsNoFault(t *testing.T) {
	t.Parallel()
	_, log, seen := observed(t, func(w http.ResponseWriter, r *http.Request) {
		rec := RecordOf(r.Context())
		rec.Route, rec.Err = "/x", chain.Transientf(chain.ErrAhead, "masterchain block 5 is not indexed yet")
		w.WriteHeader(http.StatusServiceUnavailable)
	}, httptest.NewRequest(http.MethodGet, "/x", nil))
	require.Equal(t, []string{RouteOfLimit, "GET", "Service Unavailable"}, seen)
	require.NotContains(t, log, "level=ERROR")

	_, log, seen = observed(t, func(w http.ResponseWriter, r *http.Request) {
		rec := RecordOf(r.Context())
		rec.Route, rec.Err = "/x", chain.Transientf(errors.New("lost"), "database")
		w.WriteHeader(http.StatusServiceUnavailable)
	}, httptest.NewRequest(http.MethodGet, "/x", nil))
	require.Equal(t, []string{"/x", "GET", "Service Unavailable"}, seen)
	require.Contains(t, log, "level=ERROR")
}

// The compatible routes report with 500, as a node does, what is not there; a server that fails to read it has failed.
func TestObserve_WhatIsNotThereIsNoFault(t *testing.T) {
	t.Parallel()
	respond := func(err error) (log string, seen []string) {
		_, log, seen = observed(t, func(w http.ResponseWriter, r *http.Request) {
			rec := RecordOf(r.Context())
			rec.Route, rec.Err = "/x", err
			w.WriteHeader(http.StatusInternalServerError)
		}, httptest.NewRequest(http.MethodGet, "/x", nil))
		return log, seen
	}
	for _, err := range []error{
		chain.NotFoundf("no such block"), chain.Invalidf("the contract refuses the message"),
		&chain.Error{Kind: chain.RangeDropped, Message: "block 5 was dropped"},
	} {
		log, seen := respond(err)
		require.Equal(t, []string{RouteOfLimit, "GET", "Internal Server Error"}, seen)
		require.NotContains(t, log, "level=ERROR")
	}
	log, seen := respond(errors.New("no such cell"))
	require.Equal(t, []string{"/x", "GET", "Internal Server Error"}, seen)
	require.Contains(t, log, "level=ERROR")
}

func TestRequestID_ShortPlainIDsAreAccepted(t *testing.T) {
	t.Parallel()
	random := map[string]bool{}
	for sent, accepted := range map[string]bool{
		"abc-1_2.3": true, "09azAZ-_.": true, "a/": false, "a:": false, "a@": false, "a[": false, "a`": false, "a{": false, "has space": false, "é": false,
		strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("X-Request-Id", sent)
		var inside string
		w, _, _ := observed(t, func(_ http.ResponseWriter, r *http.Request) { inside = RequestID(r.Context()) }, r)
		require.Equal(t, inside, w.Header().Get("X-Request-Id"))
		require.Equal(t, accepted, inside == sent)
		if !accepted {
			require.Regexp(t, "^[0-9a-f]{16}$", inside)
			require.False(t, random[inside])
			random[inside] = true
		}
	}
	require.Empty(t, RequestID(context.Background()))
}

func TestObserve_PanicIsLoggedAndHidden(t *testing.T) {
	t.Parallel()
	w, log, _ := observed(t, func(http.ResponseWriter, *http.Request) { panic("secret detail") }, httptest.NewRequest(http.MethodGet, "/", nil))
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.NotContains(t, w.Body.String(), "secret")
	require.Contains(t, log, "secret detail")
}

// A handler that aborts a response is no fault: net/http closes the connection, and the request has its log line.
func TestObserve_AbortedResponsesAreLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var seen []int
	h := Observe(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		panic(http.ErrAbortHandler)
	}), slog.New(slog.NewTextHandler(&log, nil)), func(f *Finished) { seen = append(seen, f.Status) })
	w := httptest.NewRecorder()
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/x", nil)) })
	require.Equal(t, []int{http.StatusAccepted}, seen)
	require.Empty(t, w.Body.String())
	require.NotContains(t, log.String(), "level=ERROR")
}

// A long response is sent in parts. A short one is sent at once with its length, and an error can replace it before that.
func TestStream_LongResponsesAreSentInParts(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	s := NewStream(t.Context(), w, time.Now())
	element := strings.Repeat("x", 1000)
	for range 200 {
		s.B = append(s.B, element...)
		require.NoError(t, s.Spill())
	}
	require.True(t, s.Sent())
	require.NoError(t, s.Close())
	require.Equal(t, 200_000, w.Body.Len())
	require.Empty(t, w.Header().Get("Content-Length"))

	w = httptest.NewRecorder()
	s = NewStream(t.Context(), w, time.Now())
	s.B = append(s.B, "half a respon"...)
	require.NoError(t, s.Spill())
	require.False(t, s.Sent())
	s.Reset()
	s.Status(http.StatusNotFound)
	s.B = append(s.B, "{}"...)
	require.NoError(t, s.Close())
	require.Equal(t, http.StatusNotFound, w.Code)
	require.Equal(t, "{}", w.Body.String())
	require.Empty(t, w.Header().Get("Content-Length"), "set by net/http")
	require.Regexp(t, `^app;dur=\d+\.\d{3}ms$`, w.Header().Get("Server-Timing"))
}

// Every response that is sent at once has a Content-Length, set by the stream or by net/http.
func TestStream_ResponsesSentAtOnceHaveContentLength(t *testing.T) {
	t.Parallel()
	for _, size := range []int{2, shortResponse - 1, shortResponse, shortResponse + 1, spillAt - 1} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			s := NewStream(t.Context(), w, time.Now())
			s.B = append(s.B, strings.Repeat("x", size)...)
			_ = s.Close()
		}))
		t.Cleanup(server.Close)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r, err := http.NewRequestWithContext(t.Context(), method, server.URL, nil)
			require.NoError(t, err)
			response, err := server.Client().Do(r)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.EqualValues(t, size, response.ContentLength, "%s of %d bytes", method, size)
			require.Empty(t, response.TransferEncoding)
		}
	}
}

func TestTiming_MillisecondsWithThreeDecimals(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "0.000", 999 * time.Nanosecond: "0.000", 7 * time.Microsecond: "0.007", 42 * time.Microsecond: "0.042",
		1234567 * time.Nanosecond: "1.234", 90 * time.Second: "90000.000",
	} {
		require.Equal(t, "app;dur="+want+"ms", timing(d))
	}
}

// Errors of the server are logged as such, also of a response that was begun; those that the client caused are not.
func TestObserve_LevelOfTheLog(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		err    error
		fault  bool
	}{
		"success":                   {http.StatusOK, nil, false},
		"refused":                   {http.StatusBadRequest, chain.Invalidf("x"), false},
		"ended early":               {http.StatusOK, errors.New("the connection to the database is lost"), true},
		"ended early by the client": {http.StatusOK, fmt.Errorf("write: %w", context.Canceled), false},
		"of the client, as 500":     {http.StatusInternalServerError, fmt.Errorf("query: %w", context.Canceled), false},
		"no route":                  {http.StatusNotImplemented, nil, false},
		"no reason":                 {http.StatusInternalServerError, nil, true},
		"unavailable":               {http.StatusServiceUnavailable, chain.Unavailablef(nil, "x"), true},
		"not found":                 {http.StatusNotFound, errors.New("x"), false},
	} {
		_, log, seen := observed(t, func(w http.ResponseWriter, r *http.Request) {
			RecordOf(r.Context()).Err = c.err
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte("body"))
		}, httptest.NewRequest(http.MethodGet, "/x", nil))
		require.Equal(t, c.fault, strings.Contains(log, "level=ERROR"), "%s: %s", name, log)
		require.Contains(t, log, "bytes=4", name)
		require.Equal(t, http.StatusText(c.status), seen[2], name)
	}
	_, log, seen := observed(t, func(http.ResponseWriter, *http.Request) {}, httptest.NewRequest(http.MethodGet, "/x", nil))
	require.Equal(t, "OK", seen[2], "nothing was written")
	require.Contains(t, log, "status=200")
}
