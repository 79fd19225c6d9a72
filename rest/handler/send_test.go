package handler_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/rest/handler"
)

// deaf opens a connection that sends a request and does not read the response.
func deaf(t *testing.T, server *httptest.Server) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(2<<10))
	_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	require.NoError(t, err)
	return conn
}

// What a response needs of the service is released before its first byte, so a client that does not read holds none of it.
func TestStream_ReleasesBeforeItSends(t *testing.T) {
	t.Parallel()
	released := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s := handler.NewStream(t.Context(), w, time.Now())
		s.BeforeSend(sync.OnceFunc(func() { close(released) }))
		for range 2 * 16 {
			select {
			case <-released:
				t.Error("released before it was sent")
			default:
			}
			s.B = append(s.B, bytes.Repeat([]byte("1"), 1<<10)...)
			if s.Spill() != nil {
				break
			}
		}
		s.B = append(s.B, bytes.Repeat([]byte("1"), 32<<20)...)
		_ = s.Spill() // the client does not read
		_ = s.Close()
	}))
	t.Cleanup(server.Close)
	conn := deaf(t, server)
	select {
	case <-released:
	case <-time.After(time.Minute):
		t.Fatal("not released")
	}
	require.NoError(t, conn.Close())
}

// The memory of a long response is returned when its client leaves.
func TestSend_EndsWithTheConnection(t *testing.T) {
	t.Parallel()
	started := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		started <- handler.Send(t.Context(), w, http.StatusOK, make([]byte, 64<<20))
	}))
	t.Cleanup(server.Close)
	require.NoError(t, deaf(t, server).Close())
	select {
	case err := <-started:
		require.Error(t, err)
	case <-time.After(time.Minute):
		t.Fatal("a response did not end with its connection")
	}
}

// A client that receives slowly, but receives, gets the complete response.
func TestSend_ASlowClientGetsEverything(t *testing.T) {
	t.Parallel()
	body := bytes.Repeat([]byte("0123456789abcdef"), 16<<10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = handler.Send(t.Context(), w, http.StatusOK, body)
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, http.NoBody)
	require.NoError(t, err)
	resp, err := server.Client().Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var got []byte
	for part := make([]byte, 32<<10); ; time.Sleep(time.Millisecond) {
		n, err := resp.Body.Read(part)
		if got = append(got, part[:n]...); err != nil {
			break
		}
	}
	require.Equal(t, body, got)
}
