package rest_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/graphql"
)

// Anyone may request the files of pages at any rate. Connections whose clients do not read share their bytes.
func TestPages_UnreadFilesTakeNoMemory(t *testing.T) { //nolint:paralleltest // the memory is that of the process
	const clients, most = 32, 128 << 10
	svc := resolvers.New(nil, nil, resolvers.Options{Network: "test"})
	t.Cleanup(svc.Close)
	h := rest.New(rest.Options{Service: svc, Playground: graphql.Playground("test")})
	for _, encoding := range []string{"gzip", "identity"} {
		request := func() *http.Request {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/playground/graphiql.min.js", http.NoBody)
			r.Header.Set("Accept-Encoding", encoding)
			return r
		}
		h.ServeHTTP(httptest.NewRecorder(), request())
		released := make(chan struct{})
		before := heap()
		var served sync.WaitGroup
		for range clients {
			blocked := make(chan struct{})
			served.Go(func() {
				h.ServeHTTP(&stuckWriter{header: http.Header{}, blocked: blocked, released: released}, request())
			})
			<-blocked
		}
		taken := heap() - before
		close(released)
		served.Wait()
		require.Less(t, taken, int64(clients*most), encoding)
	}
}

// heap returns the bytes of live objects.
func heap() int64 {
	runtime.GC()
	runtime.GC() // empties pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
