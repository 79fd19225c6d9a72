package rest_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// sendAll sends a complete request before it reads the response, as many client libraries do.
func sendAll(t *testing.T, server *httptest.Server, path string, size int, chunked bool) (*http.Response, string) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	require.NoError(t, conn.(*net.TCPConn).SetWriteBuffer(8<<10))
	require.NoError(t, conn.SetDeadline(time.Now().Add(pacetest.Slow*time.Minute)))
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n", path)
	const part = 64 << 10
	if chunked {
		head += "Transfer-Encoding: chunked\r\n\r\n"
	} else {
		head += fmt.Sprintf("Content-Length: %d\r\n\r\n", size)
	}
	_, err = conn.Write([]byte(head))
	require.NoError(t, err)
	for sent := 0; sent < size; sent += part {
		text := strings.Repeat("[", part)
		if chunked {
			text = fmt.Sprintf("%x\r\n%s\r\n", part, text)
		}
		_, err = io.WriteString(conn, text)
		require.False(t, errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET), "%s: the connection ended at byte %d of %d: %v", path, sent, size, err)
		require.NoError(t, err)
	}
	if chunked {
		_, err = io.WriteString(conn, "0\r\n\r\n")
		require.NoError(t, err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err, path)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err, path)
	require.NoError(t, response.Body.Close())
	return response, string(body)
}

// A client that sends its complete request first receives the response to a body that is too long, and to one that nobody reads.
func TestRouter_RefusalsArriveWhateverTheBody(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	server := httptest.NewServer(router(t, nil, 7))
	defer server.Close()
	const long = 12 << 20
	for _, c := range []struct {
		path   string
		status int
	}{
		{"/api/v2/sendBoc", http.StatusRequestEntityTooLarge},
		{"/api/v2/jsonRPC", http.StatusRequestEntityTooLarge},
		{"/api/v2/nothing", http.StatusNotFound},
		{"/api/v3/message", http.StatusRequestEntityTooLarge},
		{"/api/v3/masterchainInfo", http.StatusMethodNotAllowed},
		{"/api/emulate/v1/emulateTrace", http.StatusRequestEntityTooLarge},
		{"/graphql", http.StatusRequestEntityTooLarge},
		{"/nothing", http.StatusNotFound},
	} {
		for _, chunked := range []bool{false, true} {
			response, body := sendAll(t, server, c.path, long, chunked)
			require.Equal(t, c.status, response.StatusCode, "%s: %s", c.path, body)
		}
	}
	// The response to a body that was read is sent at once, with its length.
	response, _ := sendAll(t, server, "/api/v3/message", 64<<10, false)
	require.Equal(t, http.StatusUnprocessableEntity, response.StatusCode)
	require.Empty(t, response.TransferEncoding)
}

// A body that is announced as too long is refused before it is sent, and a client that expects a 100 gets none.
func TestRouter_AnnouncedBodiesThatAreTooLongAreRefusedAtOnce(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	server := httptest.NewServer(router(t, nil, 7))
	defer server.Close()
	for _, path := range []string{"/api/v2/sendBoc", "/api/v2/jsonRPC", "/api/v3/message", "/api/emulate/v1/emulateTrace", "/graphql"} {
		for _, expect := range []string{"", "Expect: 100-continue\r\n"} {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			require.NoError(t, conn.SetDeadline(time.Now().Add(pacetest.Slow*time.Minute)))
			_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n", path, 9<<20, expect)
			require.NoError(t, err)
			response, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err, path)
			require.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode, "%s %s", path, expect)
			require.NoError(t, response.Body.Close())
			require.NoError(t, conn.Close())
		}
	}
}

// A short value of JSON may take a hundred times the memory of its text when it is decoded, so bodies with very many are refused before.
func TestRouter_BodiesOfVeryManyValuesAreRefused(t *testing.T) {
	t.Parallel()
	h := router(t, nil, 7)
	many := strings.Repeat("{},", 60_000) + "{}"
	for path, body := range map[string]string{
		"/api/v3/runGetMethod":              `{"address":"x","method":"a","stack":[` + many + `]}`,
		"/api/emulate/v1/emulateTonConnect": `{"from":"x","messages":[` + many + `]}`,
		"/api/v2/runGetMethod":              `{"address":"x","method":"a","stack":[` + many + `]}`,
		"/api/v2/jsonRPC":                   `[` + many + `]`,
	} {
		w := do(h, http.MethodPost, path, body, "Content-Type", "application/json")
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, path)
		require.Contains(t, w.Body.String(), "the request body has more than 50000 values", path)
	}
}

// What is read of a body after the response is bounded.
func TestRouter_EndlessBodiesEnd(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(router(t, nil, 7))
	defer server.Close()
	body, writer := io.Pipe()
	sent := make(chan int, 1)
	go func() {
		n := 0
		for part := make([]byte, 1<<20); ; n += len(part) {
			if _, err := writer.Write(part); err != nil {
				sent <- n
				return
			}
		}
	}()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/nothing", body)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	if err == nil {
		require.Equal(t, http.StatusNotFound, response.StatusCode)
		require.NoError(t, response.Body.Close())
	}
	require.Less(t, <-sent, 128<<20)
}

// The response to a body that ends in the middle does not show the addresses of the connection: behind a proxy, those are of the inside.
func TestRouter_IncompleteBodiesShowNoAddresses(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	server := httptest.NewUnstartedServer(router(t, nil, 7))
	server.Config.ReadTimeout = 200 * time.Millisecond
	server.Start()
	defer server.Close()
	for _, path := range []string{
		"/api/v2/jsonRPC", "/api/v2/sendBoc", "/api/v3/message", "/api/v3/runGetMethod", "/api/v3/decode", "/api/emulate/v1/emulateTrace",
	} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		require.NoError(t, conn.SetDeadline(time.Now().Add(pacetest.Slow*time.Minute)))
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"boc\":", path)
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err, path)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err, path)
		require.NoError(t, response.Body.Close())
		require.NoError(t, conn.Close())
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, response.StatusCode, "%s: %s", path, body)
		require.NotContains(t, string(body), "127.0.0.1", path)
	}
}
