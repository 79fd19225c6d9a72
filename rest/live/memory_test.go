package live_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"tonql/rest/handler"
	"tonql/rest/live"
)

// Messages that clients do not read take memory for as long as a write may take. When all of it is taken, connections of long messages end, and
// short ones are sent all the same.
//
//nolint:paralleltest // it takes the memory of the process
func TestSend_UnreadMessagesHaveAMemoryTogether(t *testing.T) {
	long, short := []byte(strings.Repeat("x", 1<<20)), []byte("x")
	errs := make(chan error, 3)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			ended := false
			s := live.NewEventStream(r.Context(), w, time.Second, func() { ended = true })
			errs <- s.Begin("text/event-stream", "x")
			err := s.Write(long)
			if err != nil && !ended {
				t.Error("the stream was not ended")
			}
			errs <- err
			return
		}
		s, err := live.Accept(w, r, live.SocketOptions{
			Origins: []string{"*"}, MaxMessage: 1, Rate: rate.Inf, Slow: time.Minute, Grace: time.Second, TooSlow: live.Reason{Code: websocket.StatusTryAgainLater},
		}, func() {})
		if err != nil {
			t.Error(err)
			return
		}
		errs <- s.Send(live.AppendFrame(nil, short))
		errs <- s.Send(live.AppendFrame(nil, long))
		s.CloseNow()
	}))
	t.Cleanup(server.Close)
	sent := func() (code websocket.StatusCode) {
		ws, resp, err := websocket.Dial(t.Context(), server.URL, nil)
		require.NoError(t, err)
		if resp.Body != nil {
			_ = resp.Body.Close()
		}
		ws.SetReadLimit(2 << 20)
		_, _, err = ws.Read(t.Context())
		require.NoError(t, err)
		require.NoError(t, <-errs, "a short message")
		_, _, err = ws.Read(t.Context())
		return websocket.CloseStatus(err)
	}
	get := func() {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, <-errs)
		_ = resp.Body.Close()
	}
	take := func() (release func()) {
		var releases []func()
		for range 4 {
			release, err := handler.Reserve(t.Context(), 64<<20, 0)
			require.NoError(t, err)
			releases = append(releases, release)
		}
		return func() {
			for _, release := range releases {
				release()
			}
		}
	}
	release := take()
	require.Equal(t, websocket.StatusTryAgainLater, sent())
	require.ErrorIs(t, <-errs, handler.ErrUnsent)
	get()
	require.ErrorIs(t, <-errs, handler.ErrUnsent)
	release()
	require.Equal(t, websocket.StatusCode(-1), sent(), "it was read")
	require.NoError(t, <-errs)
	take()() // nothing is taken any more
}
