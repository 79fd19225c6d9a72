package outbound_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/outbound"
)

// cutServer responds to each request on a connection with the next of some texts and closes the connection after an incomplete one. It counts requests.
func cutServer(t *testing.T, next func() (text []byte, more bool)) (url string, requests *atomic.Int32) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	requests = &atomic.Int32{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			from := bufio.NewReader(conn)
			for more := true; more; {
				request, err := http.ReadRequest(from)
				if err != nil {
					break
				}
				_, _ = io.Copy(io.Discard, request.Body)
				requests.Add(1)
				var text []byte
				text, more = next()
				_, _ = conn.Write(text)
			}
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return "http://" + listener.Addr().String() + "/", requests
}

// A response that ends at any byte before its end is an error, never a shorter document.
func TestGet_ConnectionIsCutAtAnyByte(t *testing.T) {
	t.Parallel()
	const document = "the document of a token with a name"
	var packed, chunks, packedChunks bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, err := io.WriteString(zip, document)
	require.NoError(t, err)
	require.NoError(t, zip.Close())
	for of, body := range map[*bytes.Buffer][]byte{&chunks: []byte(document), &packedChunks: packed.Bytes()} {
		w := httputil.NewChunkedWriter(of)
		for part := body; len(part) > 0; part = part[min(len(part), 10):] {
			_, err := w.Write(part[:min(len(part), 10)])
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		of.WriteString("X-Trailer: 1\r\n\r\n")
	}
	const hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
	for name, complete := range map[string]string{
		"length":          fmt.Sprintf("%sHTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", hints, len(document), document),
		"chunks":          "HTTP/1.1 200 OK\r\nTrailer: X-Trailer\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks.String(),
		"gzip in chunks":  "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + packedChunks.String(),
		"gzip to the end": "HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + packed.String(),
	} {
		var end atomic.Int64
		url, _ := cutServer(t, func() ([]byte, bool) { return []byte(complete[:end.Load()]), false })
		c := outbound.New(outbound.Options{AllowLoopback: true})
		t.Cleanup(c.Close)
		for n := range complete {
			end.Store(int64(n))
			response, err := c.Get(t.Context(), url)
			require.Error(t, err, "%s: %d of %d bytes: %q", name, n, len(complete), response.Body)
		}
		end.Store(int64(len(complete)))
		response, err := c.Get(t.Context(), url)
		require.NoError(t, err, name)
		require.Equal(t, document, string(response.Body), name)
	}
}

// A POST that a server has received and not responded to is an error, also on a connection of an earlier one: only the caller decides to send it again.
func TestDo_PostIsSentOnce(t *testing.T) {
	t.Parallel()
	n := 0
	url, requests := cutServer(t, func() ([]byte, bool) {
		if n++; n%2 == 1 {
			return []byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), true
		}
		return nil, false
	})
	c := outbound.New(outbound.Options{AllowLoopback: true})
	t.Cleanup(c.Close)
	for i := range int32(10) {
		_, err := c.Do(t.Context(), outbound.Request{Method: http.MethodPost, URL: url, Body: []byte("{}"), Header: http.Header{"Webhook-Id": {"evt_1"}}})
		require.Equal(t, i%2 == 1, err != nil, "%d: %v", i, err)
		require.Equal(t, i+1, requests.Load())
	}
}

// Informational responses without an end are refused as headers without an end are, before the timeout.
func TestGet_EndlessInformationalResponsesAreRefused(t *testing.T) {
	t.Parallel()
	hints := bytes.Repeat([]byte("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), 1<<16)
	url, _ := cutServer(t, func() ([]byte, bool) { return hints, false })
	c := outbound.New(outbound.Options{AllowLoopback: true, Timeout: time.Hour})
	t.Cleanup(c.Close)
	_, err := c.Get(t.Context(), url)
	require.ErrorContains(t, err, "more headers than allowed")
}
