package metadata

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/outbound"
)

// documentServer starts a server, whose address tests allow as if it were a public one.
func documentServer(t *testing.T, h http.HandlerFunc) (url string, at netip.AddrPort) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL, netip.MustParseAddrPort(s.Listener.Addr().String())
}

func allow(at ...netip.AddrPort) Options {
	return Options{Outbound: outbound.Options{Allow: at}}
}

func TestWorker_StoresTheMetadataOfEachContent(t *testing.T) {
	t.Parallel()
	url, at := documentServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = fmt.Fprintf(w, `{"name":"Document","symbol":%q,"image":"https://example.com/i.png"}`, r.URL.Path)
	})
	q := newMemoryQueue()
	q.put(job(1, chain.Content{"uri": url + "/off"}))
	q.put(job(2, chain.Content{"name": "Chain", "decimals": "6"}))
	q.put(job(3, chain.Content{"uri": url + "/semi", "name": "Chain"}))
	q.put(job(4, chain.Content{"uri": `data:application/json,{"name":"Data"}`}))
	q.put(job(5, chain.Content{}))
	o := allow(at)
	o.Registerer = prometheus.NewRegistry()
	w, stop := run(t, q, o)
	results := q.results(t, 5)
	stop()

	found := map[byte]chain.MetadataResult{}
	for _, r := range results {
		found[r.Job.Address.ID[1]] = r
		require.Equal(t, r.Job.Address, r.Metadata.Address)
		require.Equal(t, chain.TokenJettonMaster, r.Metadata.Kind)
		require.True(t, r.Metadata.Indexed)
		require.WithinDuration(t, time.Now(), r.Metadata.FetchedAt, time.Minute)
	}
	for n, name := range map[byte]string{1: "Document", 2: "Chain", 3: "Chain", 4: "Data"} {
		require.True(t, found[n].Metadata.Valid, n)
		require.Equal(t, name, found[n].Metadata.Name)
		require.Empty(t, found[n].Metadata.Reason+found[n].Metadata.Error)
	}
	require.Equal(t, "/semi", found[3].Metadata.Symbol)
	require.Equal(t, map[string]any{"uri": url + "/semi"}, found[3].Metadata.Extra)
	require.Equal(t, map[string]any{"decimals": "6"}, found[2].Metadata.Extra)
	require.NotNil(t, found[1].NextTry, "a document may change")
	require.Nil(t, found[2].NextTry)
	require.Nil(t, found[4].NextTry)
	require.False(t, found[5].Metadata.Valid)
	require.Equal(t, reasonContent, found[5].Metadata.Reason)
	require.Nil(t, found[5].NextTry)

	require.InDelta(t, 4, testutil.ToFloat64(w.metrics.fetched.WithLabelValues("jetton_masters")), 0)
	s := w.Status()
	require.Equal(t, uint64(4), s.Fetched)
	require.Equal(t, map[string]uint64{reasonContent: 1}, s.Failed)
	require.Empty(t, s.QueueError)
}

func TestWorker_RetriesAfterServerErrors(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	url, at := documentServer(t, func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) < 4 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"name":"At last"}`)
	})
	q := newMemoryQueue()
	q.put(job(1, chain.Content{"uri": url}))
	o := allow(at)
	o.RetryFirst, o.MaxRetryDelay = time.Millisecond, 5*time.Millisecond
	_, stop := run(t, q, o)
	results := q.results(t, 4)
	stop()
	for i, r := range results[:3] {
		require.Equal(t, i+1, r.Tries)
		require.NotNil(t, r.NextTry)
		require.Equal(t, "status", r.Metadata.Reason)
		require.Contains(t, r.Metadata.Error, "502")
	}
	require.Zero(t, results[3].Tries)
	require.Equal(t, "At last", results[3].Metadata.Name)
}

func TestWorker_StopsAfterTheLastTry(t *testing.T) {
	t.Parallel()
	url, at := documentServer(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	q := newMemoryQueue()
	q.put(job(1, chain.Content{"uri": url, "name": "Chain"}))
	o := allow(at)
	o.RetryFirst, o.MaxRetryDelay, o.Tries = time.Millisecond, time.Millisecond, 3
	_, stop := run(t, q, o)
	results := q.results(t, 3)
	stop()
	require.Len(t, results, 3)
	require.Nil(t, results[2].NextTry)
	require.Equal(t, 3, results[2].Tries)
	require.Equal(t, "Chain", results[2].Metadata.Name, "the content on the chain is known")
	require.False(t, results[2].Metadata.Valid)
}

func TestWorker_TriesGatewaysInOrder(t *testing.T) {
	t.Parallel()
	var failed atomic.Int64
	broken, a := documentServer(t, func(w http.ResponseWriter, _ *http.Request) {
		failed.Add(1)
		fmt.Fprint(w, "<html>not here</html>")
	})
	good, b := documentServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = fmt.Fprintf(w, `{"name":%q}`, r.URL.Path)
	})
	q := newMemoryQueue()
	q.put(job(1, chain.Content{"uri": "ipfs://" + cid0 + "/1.json"}))
	q.put(job(2, chain.Content{"uri": broken + "/ipfs/" + cid1}))
	o := allow(a, b)
	o.Gateways = []string{broken, good}
	_, stop := run(t, q, o)
	results := q.results(t, 2)
	stop()
	names := []string{results[0].Metadata.Name, results[1].Metadata.Name}
	require.ElementsMatch(t, []string{"/ipfs/" + cid0 + "/1.json", "/ipfs/" + cid1}, names)
	require.Equal(t, int64(3), failed.Load())
	require.Nil(t, results[0].NextTry, "content of a known hash does not change")
}

// A restart loses no job: unfinished ones are leased again and do not count as failed.
func TestWorker_RestartRepeatsUnfinishedJobs(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}, 10), make(chan struct{})
	var responses atomic.Bool
	url, at := documentServer(t, func(w http.ResponseWriter, r *http.Request) {
		if !responses.Load() {
			begun <- struct{}{}
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"name":"Found"}`)
	})
	defer close(release)
	q := newMemoryQueue()
	q.lease = 50 * time.Millisecond
	for n := range 3 {
		q.put(job(n, chain.Content{"uri": fmt.Sprintf("%s/%d", url, n)}))
	}
	_, stop := run(t, q, allow(at))
	for range 3 {
		<-begun
	}
	stop()
	require.Empty(t, q.stored)

	responses.Store(true)
	_, stop = run(t, q, allow(at))
	defer stop()
	for _, r := range q.results(t, 3) {
		require.Equal(t, "Found", r.Metadata.Name)
		require.Zero(t, r.Job.Tries)
	}
}

// A host that does not respond delays only its own jobs, and gets a few requests at a time.
func TestWorker_SlowHostDelaysOnlyItsOwnJobs(t *testing.T) {
	t.Parallel()
	var now, maxRunning atomic.Int64
	release := make(chan struct{})
	slow, a := documentServer(t, func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := maxRunning.Load(); n > m && !maxRunning.CompareAndSwap(m, n); m = maxRunning.Load() {
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"name":"Slow"}`)
	})
	quick, b := documentServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"name":"Quick"}`)
	})
	quick = strings.Replace(quick, "127.0.0.1", "quick.example", 1) // another host
	q := newMemoryQueue()
	for n := range 60 {
		q.put(job(n, chain.Content{"uri": fmt.Sprintf("%s/%d", slow, n)}))
	}
	for n := range 10 {
		q.put(job(100+n, chain.Content{"uri": fmt.Sprintf("data:,{\"name\":\"%d\"}", n)}))
	}
	for n := range 4 {
		q.put(job(200+n, chain.Content{"uri": fmt.Sprintf("%s/%d", quick, n)}))
	}
	o := allow(a, b)
	o.Batch, o.Concurrency, o.PerHost = 20, 8, 2
	o.Outbound.Resolver = loopbackResolver(t)
	w, stop := run(t, q, o)
	done := 0
	for n := 1; done < 14; n++ {
		r := q.results(t, n)[n-1]
		if r.Metadata == nil {
			require.NotNil(t, r.NextTry)
			require.Zero(t, r.Tries, "a postponed job has not failed")
			continue
		}
		require.NotEqual(t, "Slow", r.Metadata.Name)
		require.True(t, r.Metadata.Valid, "%s: %s (result %d)", r.Job.Content["uri"], r.Metadata.Error, n)
		done++
	}
	require.Positive(t, w.Status().PutOff)
	require.LessOrEqual(t, maxRunning.Load(), int64(2))
	close(release)
	stop()
}

func TestWorker_ResumesAfterQueueErrors(t *testing.T) {
	t.Parallel()
	q := newMemoryQueue()
	q.lease = time.Millisecond
	q.broken = errors.New("no database")
	q.put(job(1, chain.Content{"name": "Chain"}))
	w, stop := run(t, q, Options{Poll: time.Millisecond})
	require.Eventually(t, func() bool { return w.Status().QueueError == "no database" }, time.Minute, time.Millisecond)
	q.mu.Lock()
	q.broken = nil
	q.mu.Unlock()
	q.results(t, 1)
	require.Eventually(t, func() bool { return w.Status().QueueError == "" }, time.Minute, time.Millisecond)
	stop()
	require.InDelta(t, 1, testutil.ToFloat64(w.metrics.fetched.WithLabelValues("jetton_masters")), 0)
}

func TestWait_GrowsToTheMaxDelay(t *testing.T) {
	t.Parallel()
	o := Options{}.withDefaults()
	for n, want := range map[int]time.Duration{1: time.Minute, 2: 4 * time.Minute, 4: 64 * time.Minute, 7: 24 * time.Hour, 1 << 20: 24 * time.Hour} {
		require.InDelta(t, want.Seconds(), o.wait(n, 0).Seconds(), 0.21*want.Seconds())
	}
	require.InDelta(t, 600, o.wait(1, 10*time.Minute).Seconds(), 126)
	require.LessOrEqual(t, o.wait(1, 1000*time.Hour), 29*time.Hour)
}
