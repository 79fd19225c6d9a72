package v3_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
	"tonql/resolvers"
	v3 "tonql/rest/v3"
)

// A client that requests a long page and does not read it holds no connection to the database: with the only one there is, others are served.
func TestSlowClients_HoldNoConnectionToTheDatabase(t *testing.T) {
	t.Parallel()
	db := testdb.NewSingle(t)
	blocks := make([]*chain.MasterBlock, 1000)
	for i := range blocks {
		blocks[i] = testdb.Master(uint32(i + 1))
	}
	require.NoError(t, db.Writer().Apply(t.Context(), blocks...))
	service := resolvers.New(db.Reader(), nil, resolvers.Options{})
	t.Cleanup(service.Close)
	server := httptest.NewServer(v3.New(service, v3.Options{Fresh: true}))
	t.Cleanup(server.Close)

	narrow := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error { // as over a network, not what one machine can buffer
		return c.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 2<<10)
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 1400)
		})
	}}
	conn, err := narrow.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, "GET "+v3.Prefix+"/blocks?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n")
	require.NoError(t, err)
	_, err = io.ReadFull(conn, make([]byte, 16)) // the response has begun
	require.NoError(t, err)
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+v3.Prefix+"/blocks?limit=2", http.NoBody)
		require.NoError(t, err)
		resp, err := server.Client().Do(r)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, resp.StatusCode)
		require.NoError(t, resp.Body.Close())
		cancel()
	}
}
