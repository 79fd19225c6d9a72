package live_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"tonql/rest/handler"
	"tonql/rest/live"
)

// reading returns a client of a server that reads messages, and the sizes of those that it has read.
func reading(t *testing.T, o live.SocketOptions) (client *websocket.Conn, sizes chan int) {
	t.Helper()
	sizes = make(chan int, 10)
	o.Origins, o.Rate, o.Slow, o.Grace = []string{"*"}, rate.Inf, time.Minute, time.Second
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := live.Accept(w, r, o, func() {})
		if err != nil {
			t.Error(err)
			return
		}
		for {
			_, data, err := s.Read(r.Context())
			if err != nil {
				s.CloseNow()
				return
			}
			sizes <- len(data)
		}
	}))
	t.Cleanup(server.Close)
	client, resp, err := websocket.Dial(t.Context(), server.URL, nil)
	require.NoError(t, err)
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	t.Cleanup(func() { _ = client.CloseNow() })
	return client, sizes
}

// A message that begins and does not end takes its memory for a limited time only, whatever else its client sends.
func TestSocket_MessagesMustArriveInTime(t *testing.T) {
	t.Parallel()
	client, sizes := reading(t, live.SocketOptions{MaxMessage: 1 << 20, Receive: 300 * time.Millisecond})
	require.NoError(t, client.Write(t.Context(), websocket.MessageText, make([]byte, 100_000)))
	require.Equal(t, 100_000, <-sizes)
	time.Sleep(400 * time.Millisecond) // between messages, nothing is late
	require.NoError(t, client.Write(t.Context(), websocket.MessageText, nil))
	require.Zero(t, <-sizes)
	w, err := client.Writer(t.Context(), websocket.MessageText)
	require.NoError(t, err)
	_, err = w.Write(make([]byte, 100_000))
	require.NoError(t, err)
	_, _, err = client.Read(t.Context())
	require.Equal(t, websocket.StatusPolicyViolation, websocket.CloseStatus(err))
	require.ErrorContains(t, err, "did not arrive in time")
}

// Long messages that are being received have a memory together. Without any, connections of further ones end; short messages need none.
//
//nolint:paralleltest // it takes the memory of the process
func TestSocket_LongMessagesHaveAMemoryTogether(t *testing.T) {
	var releases []func()
	for range 4 {
		release, err := handler.Receive(t.Context(), 64<<20)
		require.NoError(t, err)
		releases = append(releases, release)
	}
	client, sizes := reading(t, live.SocketOptions{MaxMessage: 1 << 20})
	require.NoError(t, client.Write(t.Context(), websocket.MessageText, make([]byte, 8000)))
	require.Equal(t, 8000, <-sizes)
	require.NoError(t, client.Write(t.Context(), websocket.MessageText, make([]byte, 100_000)))
	_, _, err := client.Read(t.Context())
	require.Equal(t, websocket.StatusTryAgainLater, websocket.CloseStatus(err))
	for _, release := range releases {
		release()
	}
	client, sizes = reading(t, live.SocketOptions{MaxMessage: 1 << 20})
	for range 3 {
		require.NoError(t, client.Write(t.Context(), websocket.MessageText, make([]byte, 1<<20)))
		require.Equal(t, 1<<20, <-sizes)
	}
	require.NoError(t, client.CloseNow())
	for range 4 {
		release, err := handler.Receive(t.Context(), 64<<20)
		require.NoError(t, err, "nothing is taken any more")
		t.Cleanup(release)
	}
}
