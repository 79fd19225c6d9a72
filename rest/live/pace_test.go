package live_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/rest/live"
)

// A client that sends more than it may waits, whatever it sends: long messages take as long to parse as many short ones, and each ping has a response.
func TestSocket_PingsAndLongMessagesCountForTheRate(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const perSecond, atOnce = 20, 10
	connect := func() (client *websocket.Conn, read chan time.Time) {
		read = make(chan time.Time, 100)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s, err := live.Accept(w, r, live.SocketOptions{
				Origins: []string{"*"}, MaxMessage: 1 << 20, Rate: perSecond, Burst: atOnce, Slow: time.Minute, Grace: time.Second,
			}, func() {})
			if err != nil {
				t.Error(err)
				return
			}
			for err == nil {
				if _, _, err = s.Read(r.Context()); err == nil {
					read <- time.Now()
				}
			}
			s.CloseNow()
		}))
		t.Cleanup(server.Close)
		client, resp, err := websocket.Dial(t.Context(), server.URL, nil)
		require.NoError(t, err)
		if resp.Body != nil {
			_ = resp.Body.Close()
		}
		t.Cleanup(func() { _ = client.CloseNow() })
		return client, read
	}
	// took is the time in which the server reads messages of a size.
	took := func(messages, size int) time.Duration {
		client, read := connect()
		began := time.Now()
		for range messages {
			require.NoError(t, client.Write(t.Context(), websocket.MessageText, make([]byte, size)))
		}
		for range messages - 1 {
			<-read
		}
		return (<-read).Sub(began)
	}
	require.GreaterOrEqual(t, took(atOnce+4, 1), 190*time.Millisecond)
	require.GreaterOrEqual(t, took(4, 24<<10), 290*time.Millisecond, "four of four each")
	require.GreaterOrEqual(t, took(2, 1<<20), 490*time.Millisecond, "each takes all that may be sent at once")

	client, _ := connect()
	_ = client.CloseRead(t.Context()) // reads the responses
	began := time.Now()
	for range atOnce + 4 {
		require.NoError(t, client.Ping(t.Context()))
	}
	require.GreaterOrEqual(t, time.Since(began), 190*time.Millisecond)
}
