package tokenimage

import (
	"context"
	"encoding/base64"
	"errors"
	"image/color"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/outbound"
)

// host serves images and counts the requests.
func host(t *testing.T, h http.HandlerFunc) (url string, requests *atomic.Int64, at netip.AddrPort) {
	t.Helper()
	requests = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		h(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, requests, netip.MustParseAddrPort(s.Listener.Addr().String())
}

// open returns Images that may connect to these addresses only, beside public ones.
func open(t *testing.T, change func(*Options), allow ...netip.AddrPort) *Images {
	t.Helper()
	o := Options{Outbound: outbound.Options{Allow: allow, AnyPort: true}, Folder: t.TempDir()}
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func serve(data []byte, mediaType string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		_, _ = w.Write(data)
	}
}

func TestGet_RequestsAnImageOnceAndServesItFromTheCache(t *testing.T) {
	t.Parallel()
	data := encodePNG(t, drawing(800, 400, color.White))
	url, requests, at := host(t, serve(data, "text/html")) // the media type counts for nothing
	s := open(t, nil, at)
	address := url + "/a.png"
	_, ok := s.Cached(chain.ImageVersion(address), 64)
	require.False(t, ok)
	for _, size := range Sizes {
		m, err := s.Get(t.Context(), address, size)
		require.NoError(t, err)
		require.Equal(t, "image/jpeg", m.MediaType)
		cached, ok := s.Cached(chain.ImageVersion(address), size)
		require.True(t, ok)
		require.Equal(t, m, cached)
	}
	require.Equal(t, int64(1), requests.Load())
	_, err := s.Get(t.Context(), address, 100)
	require.True(t, IsInvalid(err), "another size")
	for _, version := range []string{"", "../../etc/passwd", strings.Repeat("g", 32), strings.Repeat("A", 32), strings.Repeat("a", 31)} {
		_, ok = s.Cached(version, 64)
		require.False(t, ok, version)
	}
}

func TestGet_DataAddressesNeedNoRequest(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	address := "data:image/png;base64," + base64.StdEncoding.EncodeToString(encodePNG(t, drawing(100, 100, color.White)))
	m, err := s.Get(t.Context(), address, 64)
	require.NoError(t, err)
	require.Equal(t, "image/jpeg", m.MediaType)
	for _, bad := range []string{"data:text/html,<p>", "data:image/svg+xml,<svg/>", "data:image/png;base64,AAAA", "javascript:alert(1)", "file:///etc/passwd", ""} {
		_, err = s.Get(t.Context(), bad, 64)
		require.True(t, IsInvalid(err), "%s: %v", bad, err)
	}
}

func TestGet_IPFSGoesThroughTheGateway(t *testing.T) {
	t.Parallel()
	const id = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnAjTY"
	data := encodePNG(t, drawing(100, 100, color.White))
	url, _, at := host(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ipfs/"+id+"/a.png" {
			http.NotFound(w, r)
			return
		}
		serve(data, "image/png")(w, r)
	})
	s := open(t, func(o *Options) { o.Gateways = []string{url} }, at)
	_, err := s.Get(t.Context(), "ipfs://"+id+"/a.png", 64)
	require.NoError(t, err)
}

// Hosts of images are hostile: whatever they do ends soon, takes little memory, and is remembered.
func TestGet_HostileHostsAreBounded(t *testing.T) {
	t.Parallel()
	private, reached, _ := host(t, serve(encodePNG(t, drawing(10, 10, color.White)), "image/png"))
	stop := make(chan struct{})
	t.Cleanup(func() { close(stop) })
	for name, tc := range map[string]struct {
		h    http.HandlerFunc
		kind outbound.Kind // empty: an invalid image
	}{
		"redirect to a private network": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, private, http.StatusFound) }, outbound.Refused},
		"redirect to cloud metadata": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/latest", http.StatusFound)
		}, outbound.Refused},
		"redirects in a circle": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, outbound.Refused},
		"too large": {func(w http.ResponseWriter, _ *http.Request) {
			for range 64 {
				if _, err := w.Write(make([]byte, 8<<10)); err != nil {
					return
				}
			}
		}, outbound.TooLarge},
		"never ends": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		}, outbound.Timeout},
		"an error":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, outbound.Status},
		"an HTML page":  {serve([]byte("<html><script>alert(1)</script>"), "image/png"), ""},
		"an SVG":        {serve([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "image/svg+xml"), ""},
		"a bomb":        {serve(bombPNG(65_535, 65_535, 8), "image/png"), ""},
		"half an image": {serve(encodePNG(t, drawing(300, 300, color.White))[:200], "image/png"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, requests, at := host(t, tc.h)
			s := open(t, func(o *Options) { o.Outbound.MaxBody, o.Outbound.Timeout = 128<<10, 2*time.Second }, at)
			_, err := s.Get(t.Context(), url+"/a.png", 64)
			require.Error(t, err)
			if tc.kind == "" {
				require.True(t, IsInvalid(err), "%v", err)
			} else {
				require.Equal(t, tc.kind, outbound.KindOf(err), "%v", err)
			}
			before := requests.Load()
			_, again := s.Get(t.Context(), url+"/a.png", 256)
			require.Equal(t, err, again, "the failure is remembered")
			require.Equal(t, before, requests.Load())
		})
	}
	t.Cleanup(func() { require.Zero(t, reached.Load(), "the private server was reached") })
}

// However many clients want images of slow hosts, requests and waiting clients are bounded, and each image is requested once.
func TestGet_ConcurrencyAndQueueAreBounded(t *testing.T) {
	t.Parallel()
	const concurrency, queue = 2, 6
	var running, highest atomic.Int64
	begun, release := make(chan struct{}, 100), make(chan struct{})
	data := encodePNG(t, drawing(100, 100, color.White))
	url, requests, at := host(t, func(w http.ResponseWriter, r *http.Request) {
		n := running.Add(1)
		for h := highest.Load(); n > h && !highest.CompareAndSwap(h, n); h = highest.Load() {
		}
		begun <- struct{}{}
		<-release
		running.Add(-1)
		serve(data, "image/png")(w, r)
	})
	s := open(t, func(o *Options) {
		o.PerHost, o.Queue, o.HostQueue, o.Timeout, o.Outbound.Timeout = concurrency, queue, queue, time.Minute, time.Minute
	}, at)
	var waiting sync.WaitGroup
	results := make(chan error, queue)
	for i := range queue {
		waiting.Go(func() {
			_, err := s.Get(t.Context(), url+[]string{"/a", "/b", "/c"}[i%3], 64)
			results <- err
		})
	}
	for range concurrency {
		<-begun
	}
	require.Eventually(t, func() bool { return len(s.queue) == queue }, time.Minute, time.Millisecond)
	_, err := s.Get(t.Context(), url+"/d", 64)
	require.ErrorIs(t, err, ErrBusy)
	close(release)
	waiting.Wait()
	for range queue {
		require.NoError(t, <-results)
	}
	require.Equal(t, int64(concurrency), highest.Load())
	require.Equal(t, int64(3), requests.Load(), "clients of one image share a request")
	_, err = s.Get(t.Context(), url+"/d", 64)
	require.NoError(t, err, "the queue is free again")
}

// A client that leaves does not cancel the request that others wait for.
func TestGet_ClientThatLeavesDoesNotCancelTheImage(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}), make(chan struct{})
	data := encodePNG(t, drawing(100, 100, color.White))
	url, _, at := host(t, func(w http.ResponseWriter, r *http.Request) {
		close(begun)
		<-release
		serve(data, "image/png")(w, r)
	})
	s := open(t, func(o *Options) { o.Timeout, o.Outbound.Timeout = time.Minute, time.Minute }, at)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() { _, err := s.Get(ctx, url+"/a", 64); left <- err }()
	<-begun
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	close(release)
	require.Eventually(t, func() bool { _, ok := s.Cached(chain.ImageVersion(url+"/a"), 64); return ok }, time.Minute, time.Millisecond)
}

// A host that never responds takes its own requests and clients only.
func TestGet_SlowHostDelaysItsOwnImagesOnly(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 100)
	slow, requests, slowAt := host(t, func(_ http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-r.Context().Done()
	})
	good, _, goodAt := host(t, serve(encodePNG(t, drawing(100, 100, color.White)), "image/png"))
	s := open(t, func(o *Options) { o.Timeout, o.Outbound.Timeout = time.Hour, time.Hour }, slowAt, goodAt)
	const clients = 200 // more than the queue of all hosts
	ctx, leave := context.WithCancel(t.Context())
	var waiting sync.WaitGroup
	var refused atomic.Int64
	for i := range clients {
		waiting.Go(func() {
			if _, err := s.Get(ctx, slow+"/"+strconv.Itoa(i), 64); errors.Is(err, ErrBusy) {
				refused.Add(1)
			}
		})
	}
	for range 2 {
		<-begun
	}
	require.Eventually(t, func() bool { return refused.Load() == clients-128/4 }, time.Minute, time.Millisecond)
	for i := range 20 {
		_, err := s.Get(t.Context(), good+"/"+strconv.Itoa(i), 64)
		require.NoError(t, err)
	}
	require.Equal(t, int64(2), requests.Load())
	leave()
	waiting.Wait()
	_, err := s.Get(t.Context(), good+"/last", 64)
	require.NoError(t, err)
}

func TestHostOf_IsTheRegisteredDomain(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://example.org/a.png": "example.org", "HTTPS://A.b.Example.org:8443/a": "example.org", "https://a.github.io/": "a.github.io",
		"http://127.0.0.1:8080/a": "127.0.0.1:8080", "http://[::1]/a": "[::1]", "http://localhost/a": "localhost",
		"ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnAjTY": "", "data:image/png;base64,AAAA": "", "https://%zz": "", "": "",
	} {
		require.Equal(t, want, hostOf(address), address)
	}
}
