package sourcefile

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/outbound"
)

// cid returns a content id of IPFS; the gateway of a test decides what it means.
func cid(n int) string {
	return "Qm" + strings.Repeat("a", 41) + strings.NewReplacer("0", "Z").Replace(strconv.Itoa(n+100))
}

// gateway serves files by their number, with the handler of each.
type gateway struct {
	*httptest.Server
	requests atomic.Int64
}

func newGateway(t *testing.T, files map[int]http.HandlerFunc) *gateway {
	t.Helper()
	g := &gateway{}
	mux := http.NewServeMux()
	for n, serve := range files {
		mux.HandleFunc("/ipfs/"+cid(n), serve)
	}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.requests.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

func text(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(s)) }
}

// listOf returns a list that names files by their numbers.
func listOf(t *testing.T, files map[string]int) http.HandlerFunc {
	t.Helper()
	type object = map[string]any
	var sources []object
	for name, n := range files {
		sources = append(sources, object{"url": "ipfs://" + cid(n), "filename": name})
	}
	body, err := json.Marshal(object{"compiler": "func", "compilerSettings": object{"funcVersion": "0.4.6"}, "sources": sources})
	require.NoError(t, err)
	return text(string(body))
}

func newFetcher(t *testing.T, o Options) *Fetcher {
	t.Helper()
	o.Outbound.AllowLoopback = true
	f, err := New(o)
	require.NoError(t, err)
	t.Cleanup(f.Close)
	return f
}

func TestFetch_ReturnsTheFilesAndCachesThem(t *testing.T) {
	t.Parallel()
	g := newGateway(t, map[int]http.HandlerFunc{0: listOf(t, map[string]int{"lib/a.fc": 1}), 1: text("int x;")})
	registry := prometheus.NewRegistry()
	f := newFetcher(t, Options{Gateways: []string{g.URL}, Registerer: registry})
	for _, uri := range []string{"ipfs://" + cid(0), "ipfs://" + cid(0), "https://gone.example/ipfs/" + cid(0)} {
		files, err := f.Fetch(t.Context(), uri)
		require.NoError(t, err, uri)
		require.Equal(t, []*chain.SourceFile{{Name: "lib/a.fc", Content: "int x;"}}, files.Files)
		require.Equal(t, "0.4.6", files.CompilerVersion)
	}
	require.EqualValues(t, 4, g.requests.Load(), "the second fetch of an address requests nothing; the host of another gateway is never requested")
	metrics, err := registry.Gather()
	require.NoError(t, err)
	require.Len(t, metrics, 1)
	require.InDelta(t, 2, metrics[0].GetMetric()[0].GetCounter().GetValue(), 0)
}

func TestFetch_TheNextGatewayServesWhatOneLacks(t *testing.T) {
	t.Parallel()
	empty := newGateway(t, nil)
	full := newGateway(t, map[int]http.HandlerFunc{0: listOf(t, map[string]int{"a.fc": 1}), 1: text("int x;")})
	files, err := newFetcher(t, Options{Gateways: []string{empty.URL, full.URL}}).Fetch(t.Context(), "ipfs://"+cid(0))
	require.NoError(t, err)
	require.Len(t, files.Files, 1)
}

// Whatever a gateway returns ends within the bounds, with an error that names nothing of this network.
func TestFetch_HostileGateways(t *testing.T) {
	t.Parallel()
	slow := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 4096)); err != nil {
				return
			}
		}
	}
	half := text(strings.Repeat("x", 600))
	for name, test := range map[string]struct {
		files map[int]http.HandlerFunc
		kind  chain.Kind
		text  string
	}{
		"no list":                   {nil, chain.Unavailable, "status: 404"},
		"a slow list":               {map[int]http.HandlerFunc{0: slow}, chain.Unavailable, "timeout"},
		"an endless list":           {map[int]http.HandlerFunc{0: endless}, chain.Invalid, "too large"},
		"an HTML page":              {map[int]http.HandlerFunc{0: text("<html>")}, chain.Invalid, "not the JSON object"},
		"path traversal":            {map[int]http.HandlerFunc{0: listOf(t, map[string]int{"../../etc/passwd": 1}), 1: half}, chain.Invalid, "outside of its folder"},
		"a slow file":               {map[int]http.HandlerFunc{0: listOf(t, map[string]int{"a": 1}), 1: slow}, chain.Unavailable, "timeout"},
		"an endless file":           {map[int]http.HandlerFunc{0: listOf(t, map[string]int{"a": 1}), 1: endless}, chain.Invalid, "too large"},
		"files of a great sum":      {map[int]http.HandlerFunc{0: listOf(t, map[string]int{"a": 1, "b": 1}), 1: half}, chain.Invalid, "together"},
		"no text":                   {map[int]http.HandlerFunc{0: listOf(t, map[string]int{"a": 1}), 1: text("a\x00b")}, chain.Invalid, "not UTF-8"},
		"a file without an address": {map[int]http.HandlerFunc{0: text(`{"sources":[{"url":"http://169.254.169.254/latest","filename":"a"}]}`)}, chain.Invalid, "no address of IPFS"},
		"a file of another scheme":  {map[int]http.HandlerFunc{0: text(`{"sources":[{"url":"file:///etc/passwd","filename":"a"}]}`)}, chain.Invalid, "no http, https, ipfs"},
		"a redirect to a private network": {map[int]http.HandlerFunc{0: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://10.0.0.1/secret", http.StatusFound)
		}}, chain.Unavailable, "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGateway(t, test.files)
			f := newFetcher(t, Options{
				Gateways: []string{g.URL}, Outbound: outbound.Options{Timeout: 300 * time.Millisecond, MaxBody: 2000}, MaxBytes: 1000, Timeout: 2 * time.Second,
			})
			files, err := f.Fetch(t.Context(), "ipfs://"+cid(0))
			require.Nil(t, files)
			shown, ok := err.(*chain.Error) //nolint:errorlint // the API shows this one
			require.True(t, ok, "%T", err)
			require.Equal(t, test.kind, shown.Kind, "%s", err)
			require.Contains(t, shown.Message, test.text)
			require.NotContains(t, shown.Message, "127.0.0.1")
			before := g.requests.Load()
			_, err = f.Fetch(t.Context(), "ipfs://"+cid(0))
			require.Error(t, err)
			require.Equal(t, before, g.requests.Load(), "the failure is remembered")
		})
	}
}

// Gateways on private addresses are requested only when the operator allows it.
func TestFetch_LoopbackIsRefusedByDefault(t *testing.T) {
	t.Parallel()
	g := newGateway(t, map[int]http.HandlerFunc{0: text("{}")})
	f, err := New(Options{Gateways: []string{g.URL}})
	require.NoError(t, err)
	t.Cleanup(f.Close)
	_, err = f.Fetch(t.Context(), "ipfs://"+cid(0))
	require.ErrorContains(t, err, "refused")
	require.Zero(t, g.requests.Load())
}

func TestFetch_AddressesOutsideOfIPFSAreNotRequested(t *testing.T) {
	t.Parallel()
	g := newGateway(t, nil)
	f := newFetcher(t, Options{Gateways: []string{g.URL}})
	for _, uri := range []string{"", "https://example.com/a.json", "ipns://example.com", "ipfs://../../etc", "data:application/json,{}", "tonstorage://AB", "https://a/ipfs/" + cid(0) + "/../../x", "ipfs://" + cid(0) + "/%2e%2e/x"} {
		_, err := f.Fetch(t.Context(), uri)
		require.Equal(t, chain.Invalid, chain.KindOf(err), "%q: %v", uri, err)
	}
	require.Zero(t, g.requests.Load())
}

// Requests for one list share a fetch, and more lists than the bound are refused at once.
func TestFetch_ConcurrentRequestsAreBounded(t *testing.T) {
	t.Parallel()
	release, entered := make(chan struct{}), make(chan struct{}, 1)
	g := newGateway(t, map[int]http.HandlerFunc{
		0: func(w http.ResponseWriter, r *http.Request) {
			entered <- struct{}{}
			<-release
			listOf(t, map[string]int{"a": 1})(w, r)
		},
		1: text("x"),
	})
	f := newFetcher(t, Options{Gateways: []string{g.URL}, MaxActive: 1})
	var done sync.WaitGroup
	for range 10 {
		done.Go(func() {
			files, err := f.Fetch(t.Context(), "ipfs://"+cid(0))
			if err != nil || len(files.Files) != 1 {
				t.Error(files, err)
			}
		})
	}
	<-entered
	_, err := f.Fetch(t.Context(), "ipfs://"+cid(2))
	require.Equal(t, errBusy, err)
	close(release)
	done.Wait()
	require.EqualValues(t, 2, g.requests.Load())
}

func TestNew_WithoutGatewaysFetchesNothing(t *testing.T) {
	t.Parallel()
	f, err := New(Options{})
	require.NoError(t, err)
	require.Nil(t, f)
	f.Close()
	_, err = New(Options{Gateways: []string{"ftp://a"}})
	require.Error(t, err)
}
