package metadata

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

// privateServer starts a server that must never be reached, on every address of this machine, and counts its
// connections.
func privateServer(t *testing.T) (port string, reached *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", ":0") // IPv4 and IPv6
	require.NoError(t, err)
	reached = new(atomic.Int64)
	var done sync.WaitGroup
	done.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			_ = c.Close()
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		done.Wait()
	})
	_, port, err = net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	return port, reached
}

// loopbackResolver starts a name server that resolves every name to 127.0.0.1, and to no IPv6 address.
func loopbackResolver(t *testing.T) *net.Resolver {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	require.NoError(t, err)
	var done sync.WaitGroup
	done.Go(func() {
		packet := make([]byte, 1500)
		for {
			n, from, err := socket.ReadFrom(packet)
			if err != nil {
				return
			}
			end := 12 + bytes.IndexByte(packet[12:n], 0) + 5 // header, name, type, class
			reply := append([]byte{packet[0], packet[1], 0x85, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, packet[12:end]...)
			if packet[end-3] == 1 { // type A
				reply[7] = 1
				reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1)
			}
			_, _ = socket.WriteTo(reply, from)
		}
	})
	t.Cleanup(func() {
		_ = socket.Close()
		done.Wait()
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", socket.LocalAddr().String())
	}}
}

// hostileHandlers returns the handlers of a hostile server by path; port is that of [privateServer].
func hostileHandlers(port string) map[string]http.HandlerFunc {
	respond := func(mediaType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mediaType)
			_, _ = io.WriteString(w, body)
		}
	}
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	zeros := func(w io.Writer, total int) {
		chunk := make([]byte, 64<<10)
		for range total / len(chunk) {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	var bomb bytes.Buffer // made here, so that its compression does not count against the timeout
	z := gzip.NewWriter(&bomb)
	zeros(z, 32<<20)
	_ = z.Close()
	return map[string]http.HandlerFunc{
		"/redirect":     redirect("http://127.0.0.1:" + port + "/"),
		"/redirect6":    redirect("http://[::1]:" + port + "/"),
		"/redirectname": redirect("http://inside.example:" + port + "/"),
		"/circle":       redirect("/circle"),
		"/gigabyte": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			zeros(w, 1<<30)
		},
		"/bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		},
		"/loris": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-r.Context().Done():
					return
				case <-tick.C:
					_, _ = io.WriteString(w, " ")
					_ = http.NewResponseController(w).Flush()
				}
			}
		},
		"/headers": func(w http.ResponseWriter, _ *http.Request) {
			for i := range 4000 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("h", 100))
			}
		},
		"/html":    respond("text/html", "<html>"),
		"/svg":     respond("image/svg+xml", "<svg><script>x</script></svg>"),
		"/lyingh":  respond("application/json", "<!doctype html><p>"),
		"/lyings":  respond("text/plain", "<svg><script>x</script></svg>"),
		"/invalid": respond("application/json", `{"name":`),
		"/list":    respond("application/json", `[{"name":"x"}]`),
		"/many":    respond("application/json", `{"a":[`+strings.Repeat("0,", 9999)+`0]}`),
		"/deep":    respond("application/json", strings.Repeat(`[`, 100_000)),
		"/script": respond("application/json", `{"name":"S","image":"data:image/svg+xml;base64,`+
			base64.StdEncoding.EncodeToString([]byte("<svg><script>x</script></svg>"))+`"}`),
		"/blank":  respond("application/json", `{"name":"B","image_data":"ICAg"}`), // white space
		"/inside": respond("application/json", `{"name":"I","image":"http://192.168.1.1/reboot"}`),
		"/gone":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) },
	}
}

// No private address is reached, no job is lost, and the result of each job names the error.
func TestWorker_HostileServersReachNothingPrivate(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	port, reached := privateServer(t)
	responses := hostileHandlers(port)
	url, at := documentServer(t, func(w http.ResponseWriter, r *http.Request) {
		if h, ok := responses[r.URL.Path]; ok {
			h(w, r)
		}
	})
	want := map[string]string{
		url + "/redirect": "refused", url + "/redirect6": "refused", url + "/redirectname": "refused", url + "/circle": "refused",
		url + "/gigabyte": "too_large", url + "/bomb": "too_large", url + "/loris": "timeout", url + "/headers": "too_large",
		url + "/html": "wrong_type", url + "/svg": "wrong_type", url + "/lyingh": reasonDocument, url + "/lyings": reasonDocument,
		url + "/invalid": reasonDocument, url + "/list": reasonDocument, url + "/many": reasonComplex, url + "/deep": reasonDocument,
		url + "/blank": reasonImage, url + "/script": reasonImage, url + "/inside": reasonImage, url + "/gone": "status",
		"https://" + at.String() + "/": "unreachable", // a server without TLS

		"http://inside.example:" + port + "/": "refused", // resolves to 127.0.0.1
		"http://inside.example/":              "refused",
		"file:///etc/passwd":                  reasonURI,
		"tonstorage://abc":                    reasonURI,
	}
	for _, host := range []string{
		"127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "localhost", "[::1]", "[::]", "[::ffff:127.0.0.1]",
		"[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "user@127.0.0.1", "example.com@127.0.0.1", "169.254.169.254",
	} {
		want["http://"+host+":"+port+"/"] = "refused"
	}
	q := newMemoryQueue()
	n := 0
	for uri := range want {
		q.put(job(n, chain.Content{"uri": uri}))
		n++
	}
	o := allow(at)
	o.Outbound.Timeout = 4 * time.Second
	o.Outbound.Resolver = loopbackResolver(t)
	o.Outbound.AnyPort = true // only the check at connect remains
	w, stop := run(t, q, o)
	results := q.results(t, len(want))
	stop()

	require.Len(t, results, len(want))
	for _, r := range results {
		uri := r.Job.Content["uri"]
		require.Equal(t, want[uri], r.Metadata.Reason, "%s: %s", uri, r.Metadata.Error)
		require.NotEmpty(t, r.Metadata.Error, uri)
		require.Equal(t, want[uri] == reasonImage || want[uri] == reasonComplex, r.Metadata.Valid, uri)
		require.Empty(t, r.Metadata.Image, uri)
		require.NotContains(t, r.Metadata.Error, "dial", "the error reveals nothing about the network")
	}
	require.Zero(t, reached.Load(), "the private server was reached")
	require.Equal(t, uint64(4), w.Status().Fetched)
	require.Equal(t, uint64(1), w.Status().Failed["timeout"])
}
