package outbound

import (
	"bytes"
	"compress/gzip"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// fetch requests a public server with the handler.
func fetch(t *testing.T, h http.HandlerFunc, change func(*Options)) (Response, error) {
	t.Helper()
	url, at := publicServer(t, h)
	return get(t, url+"/x", func(o *Options) {
		o.Allow = []netip.AddrPort{at}
		if change != nil {
			change(o)
		}
	})
}

func writeJSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = io.WriteString(w, text)
}

func TestGet_FollowsRedirectsWithItsOwnHeadersOnly(t *testing.T) {
	t.Parallel()
	var seen http.Header
	result, err := fetch(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/x" {
			http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
			http.Redirect(w, r, "/y", http.StatusMovedPermanently)
			return
		}
		seen = r.Header.Clone()
		writeJSON(w, `{"a":1}`)
	}, nil)
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, string(result.Body))
	require.Equal(t, "application/json", result.MediaType)
	require.Equal(t, "/y", result.URL.Path)
	require.Equal(t, http.Header{
		"Accept": {"application/json, text/plain"}, "Accept-Encoding": {"gzip"}, "User-Agent": {"tonql"},
	}, seen, "no other header is sent")
}

func TestGet_IgnoresProxiesOfTheEnvironment(t *testing.T) {
	at, reached := privateServer(t, "tcp4", "127.0.0.1:0")
	t.Setenv("HTTP_PROXY", "http://"+at.String())
	t.Setenv("http_proxy", "http://"+at.String())
	result, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, `{}`) }, nil)
	require.NoError(t, err)
	require.Equal(t, `{}`, string(result.Body))
	require.Zero(t, reached.Load())
}

func TestDo_PostFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	var got []byte
	url, at := publicServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	c := New(Options{Allow: []netip.AddrPort{at}, MaxRedirects: 5})
	defer c.Close()
	_, err := c.Do(t.Context(), Request{Method: http.MethodPost, URL: url, Body: []byte("hello"), Header: http.Header{"X-Sign": {"s"}}})
	requireKind(t, err, Refused, "redirects")
	require.Equal(t, "hello", string(got))
}

func TestGet_BoundsRedirects(t *testing.T) {
	t.Parallel()
	var hops atomic.Int64
	_, err := fetch(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/"+strconv.FormatInt(hops.Add(1), 10), http.StatusFound)
	}, nil)
	requireKind(t, err, Refused, "more than 3 redirects")
	require.Equal(t, int64(4), hops.Load())
	_, err = fetch(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/y", http.StatusFound) },
		func(o *Options) { o.MaxRedirects = 0 })
	requireKind(t, err, Refused, "the server redirects")
}

// flood writes zeros until total bytes are sent or the client disconnects, and returns the number of bytes sent.
func flood(w io.Writer, total int64) (sent int64) {
	chunk := make([]byte, 32<<10)
	for sent < total {
		n, err := w.Write(chunk)
		sent += int64(n)
		if err != nil {
			return sent
		}
	}
	return sent
}

func TestGet_CutsABodyOfAGigabyte(t *testing.T) {
	t.Parallel()
	ended := make(chan int64, 2)
	_, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		ended <- flood(w, 1<<30)
	}, nil)
	requireKind(t, err, TooLarge, "65536 bytes")
	require.Less(t, <-ended, int64(64<<20), "the connection was cut: only the buffers of the kernel were filled")

	_, err = fetch(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(1<<30))
		ended <- flood(w, 1<<30)
	}, nil)
	requireKind(t, err, TooLarge, "65536 bytes")
	require.Less(t, <-ended, int64(64<<20))
}

func TestGet_AcceptsABodyOfTheLimitExactly(t *testing.T) {
	t.Parallel()
	for size, fits := range map[int]bool{64 << 10: true, 64<<10 + 1: false} {
		result, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush() // so that no length is sent
			_, _ = w.Write(make([]byte, size))
		}, nil)
		if fits {
			require.NoError(t, err)
			require.Len(t, result.Body, size)
		} else {
			requireKind(t, err, TooLarge, "")
		}
	}
}

func gzipped(body []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = z.Write(body)
	_ = z.Close()
	return b.Bytes()
}

func TestGet_RefusesBombsAndOtherEncodings(t *testing.T) {
	t.Parallel()
	bomb := gzipped(make([]byte, 50<<20)) // 50 KB on the wire
	require.Less(t, len(bomb), 64<<10)
	// Empty gzip members never reach the limit on the decompressed size.
	hollow := bytes.Repeat(gzipped(nil), 10_000)
	for name, tc := range map[string]struct {
		encoding string
		body     []byte
		kind     Kind
		wantText string
	}{
		"bomb":      {"gzip", bomb, TooLarge, "65536 bytes"},
		"hollow":    {"gzip", hollow, TooLarge, "65536 bytes"},
		"not gzip":  {"gzip", []byte(`{"name":"plain"}`), WrongType, "not gzip"},
		"cut":       {"gzip", gzipped([]byte(`{"a":1}`))[:12], Unreachable, "too early"},
		"brotli":    {"br", []byte("x"), WrongType, `content encoding "br"`},
		"two times": {"gzip, gzip", bomb, WrongType, "content encoding"},
	} {
		_, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", tc.encoding)
			_, _ = w.Write(tc.body)
		}, nil)
		require.Error(t, err, name)
		requireKind(t, err, tc.kind, tc.wantText)
	}
	result, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(gzipped([]byte(`{"a":1}`)))
	}, nil)
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, string(result.Body))
}

// The server sends single bytes, in the headers or in the body.
func TestGet_SlowServerEndsAtTheTimeout(t *testing.T) {
	t.Parallel()
	const limit = 300 * time.Millisecond
	drip := func(w http.ResponseWriter, r *http.Request, start string) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = io.WriteString(conn, start)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for range tick.C {
			if _, err := conn.Write([]byte("a")); err != nil {
				return
			}
		}
	}
	for _, start := range []string{
		"", "HTTP/1.1 200 OK\r\nX-Slow: ", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n",
	} {
		began := time.Now()
		_, err := fetch(t, func(w http.ResponseWriter, r *http.Request) { drip(w, r, start) },
			func(o *Options) { o.Timeout = limit })
		if start == "" {
			require.Error(t, err) // not HTTP: detected at once or at the timeout
		} else {
			requireKind(t, err, Timeout, "in time")
		}
		require.Less(t, time.Since(began), pacetest.Slow*5*time.Second)
	}
}

// A server that switches to another protocol, which nobody requested, has the connection to itself: no deadline of the request ends a read of it.
func TestGet_SwitchOfTheProtocolIsAStatus(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	for _, start := range []string{
		"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Encoding: gzip\r\n\r\n",
	} {
		done := make(chan struct{})
		var result Response
		var err error
		go func() {
			defer close(done)
			result, err = fetch(t, func(w http.ResponseWriter, _ *http.Request) {
				if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
					_, _ = io.WriteString(conn, start)
					<-over
					_ = conn.Close()
				}
			}, func(o *Options) { o.MaxErrorBody = 100 })
		}()
		select {
		case <-done:
			requireKind(t, err, Status, "101")
			require.Equal(t, http.StatusSwitchingProtocols, result.Code)
		case <-time.After(pacetest.Slow * 20 * time.Second):
			t.Error("the request does not end")
		}
	}
	close(over)
}

func TestGet_RefusesFloodsOfHeaders(t *testing.T) {
	t.Parallel()
	_, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := range 4096 {
			w.Header().Set("X-Flood-"+strconv.Itoa(i), strings.Repeat("f", 64))
		}
	}, nil)
	requireKind(t, err, TooLarge, "headers")
	_, err = fetch(t, func(w http.ResponseWriter, _ *http.Request) {
		for range 100_000 {
			w.WriteHeader(http.StatusEarlyHints)
		}
		writeJSON(w, `{}`)
	}, nil)
	requireKind(t, err, TooLarge, "headers")
}

func TestGet_AcceptsListedMediaTypesOnly(t *testing.T) {
	t.Parallel()
	for mediaType, fits := range map[string]bool{
		"application/json": true, "APPLICATION/JSON": true, "application/ld+json; charset=utf-8": true, "text/plain": true,
		"text/html": false, "image/svg+xml": false, "application/octet-stream": false, "application/json+xml": false,
		"/": false, "": false,
	} {
		_, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{mediaType}
			_, _ = io.WriteString(w, "{}")
		}, nil)
		if fits {
			require.NoError(t, err, mediaType)
		} else {
			requireKind(t, err, WrongType, "media type")
		}
	}
}

func TestGet_AcceptsEveryStatusOfSuccess(t *testing.T) {
	t.Parallel()
	for code, fits := range map[int]bool{200: true, 299: true, 300: false, 304: false} {
		result, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
		}, nil)
		require.Equal(t, fits, err == nil, code)
		require.Equal(t, code, result.Code)
	}
}

// A client that shows why a receiver refuses reads the beginning of the body; others read none.
func TestGet_BodyOfAnotherStatusIsCut(t *testing.T) {
	t.Parallel()
	for most, want := range map[int64]string{0: "", 1: "n", 7: "not her", 100: "not here"} {
		for _, encoded := range []bool{false, true} {
			result, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
				body := []byte("not here")
				if encoded {
					w.Header().Set("Content-Encoding", "gzip")
					body = gzipped(body)
				}
				w.WriteHeader(http.StatusNotFound)
				_, _ = w.Write(body)
			}, func(o *Options) { o.MaxErrorBody = most })
			requireKind(t, err, Status, "404")
			require.Equal(t, want, string(result.Body), most)
		}
	}
	result, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "not here")
	}, func(o *Options) { o.MaxErrorBody = 100 })
	requireKind(t, err, Status, "404")
	require.Empty(t, result.Body, "an encoding that is not read")
}

// A server sees which types the client accepts, unless one of them is a pattern.
func TestGet_NamesTheTypesThatItAccepts(t *testing.T) {
	t.Parallel()
	for want, types := range map[string][]string{"*/*": {"*/*+json", ""}, "application/json, text/plain": {"application/json", "*/*+json", "text/plain"}} {
		_, err := fetch(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/ld+json")
			if r.Header.Get("Accept") != want {
				w.WriteHeader(http.StatusNotAcceptable)
			}
		}, func(o *Options) { o.ContentTypes = types })
		require.NoError(t, err, want)
	}
}

func TestGet_OtherStatusIsAnErrorWithRetryAfter(t *testing.T) {
	t.Parallel()
	for _, code := range []int{http.StatusNotFound, http.StatusInternalServerError, http.StatusTooManyRequests, http.StatusNotModified, http.StatusFound} {
		result, err := fetch(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(code)
		}, nil)
		requireKind(t, err, Status, strconv.Itoa(code))
		require.Equal(t, code, result.Code)
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, code, e.Code)
		require.Equal(t, 2*time.Minute, e.RetryAfter)
	}
	require.Zero(t, retryAfter(http.Header{"Retry-After": {"-1"}}))
	require.Zero(t, retryAfter(http.Header{"Retry-After": {"Fri, 31 Dec 1999 23:59:59 GMT"}}))
}

func TestTLS_DowngradesAndUntrustedCertificatesAreRefused(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			http.Redirect(w, r, "http://"+r.Host+"/", http.StatusFound)
			return
		}
		writeJSON(w, `{}`)
	}))
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	defer s.Close()
	at := netip.MustParseAddrPort(s.Listener.Addr().String())
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	trusting := func(o *Options) { o.Allow, o.RootCAs = []netip.AddrPort{at}, roots }

	_, err := get(t, s.URL, trusting)
	require.NoError(t, err)
	_, err = get(t, s.URL+"/down", trusting)
	requireKind(t, err, Refused, "from https to http")
	_, err = get(t, s.URL, func(o *Options) { o.Allow = []netip.AddrPort{at} })
	requireKind(t, err, Unreachable, "certificate is not trusted")
	_, err = get(t, "https://other.test:"+port(at), func(o *Options) {
		trusting(o)
		o.Resolver = nameServer(t, func(string) []string { return []string{"127.0.0.1"} })
	})
	requireKind(t, err, Unreachable, "certificate is not trusted")

	_, plain := publicServer(t, http.NotFoundHandler())
	_, err = get(t, "https://"+plain.String(), func(o *Options) { o.Allow = []netip.AddrPort{plain} })
	requireKind(t, err, Unreachable, "TLS")
}

func TestGet_UnreachableHostIsReported(t *testing.T) {
	t.Parallel()
	_, err := get(t, "http://nowhere.example/", func(o *Options) {
		o.Resolver = nameServer(t, func(string) []string { return nil })
	})
	requireKind(t, err, Unreachable, "no such host")
	require.NotContains(t, err.Error(), "127.0.0.1", "the error contains no address of this network")

	s := httptest.NewServer(http.NotFoundHandler())
	at := netip.MustParseAddrPort(s.Listener.Addr().String())
	s.Close()
	_, err = get(t, s.URL, func(o *Options) { o.Allow = []netip.AddrPort{at} })
	requireKind(t, err, Unreachable, "connection refused")
}

func TestGet_ReachesLoopbackOnlyWhereAllowed(t *testing.T) {
	t.Parallel()
	url, _ := publicServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, `{}`) }))
	_, err := get(t, url, nil)
	requireKind(t, err, Refused, "loopback")
	_, err = get(t, url, func(o *Options) { o.AllowLoopback = true })
	require.NoError(t, err)
	_, err = get(t, strings.Replace(url, "127.0.0.1", "localhost", 1), func(o *Options) { o.AllowLoopback = true })
	require.NoError(t, err)
}

// The first address that responds is used; a document that is too large at one is too large at all.
func TestFirst_TriesTheNextAddress(t *testing.T) {
	t.Parallel()
	var requested []string
	url, at := publicServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requested = append(requested, r.URL.Path)
		switch r.URL.Path {
		case "/gone":
			http.NotFound(w, r)
		case "/large":
			writeJSON(w, strings.Repeat(" ", 1<<10))
		default:
			writeJSON(w, `{}`)
		}
	}))
	c := New(Options{Timeout: pacetest.Slow * 5 * time.Second, MaxBody: 100, Allow: []netip.AddrPort{at}})
	t.Cleanup(c.Close)
	response, err := c.First(t.Context(), []string{url + "/gone", url + "/there", url + "/other"})
	require.NoError(t, err)
	require.Equal(t, `{}`, string(response.Body))
	require.Equal(t, []string{"/gone", "/there"}, requested)

	requested = nil
	_, err = c.First(t.Context(), []string{url + "/large", url + "/there"})
	requireKind(t, err, TooLarge, "")
	require.Equal(t, []string{"/large"}, requested)
	_, err = c.First(t.Context(), []string{url + "/gone", url + "/gone"})
	require.ErrorContains(t, err, "404")
	_, err = c.First(t.Context(), nil)
	requireKind(t, err, Refused, "no address")
}
