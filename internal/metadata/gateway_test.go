package metadata

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

// Anyone can name thousands of documents that no gateway has. Repeated requests for them delay no document that is requested for the first time,
// and a first request takes a part of the time.
func TestWorker_DocumentsThatNoGatewayHasDelayNoNewOnes(t *testing.T) {
	t.Parallel()
	gateway, at := documentServer(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/never") {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"name":"New"}`)
	})
	q := newMemoryQueue()
	for n := range 40 {
		j := job(n, chain.Content{"uri": []string{"ipfs://", gateway + "/ipfs/"}[n%2] + cid0 + "/never"})
		j.Tries = 1 + n%9
		q.put(j)
	}
	for n := range 8 {
		q.put(job(100+n, chain.Content{"uri": []string{"ipfs://", gateway + "/ipfs/"}[n%2] + fmt.Sprintf("%s/%d", cid0, n)}))
	}
	o := allow(at)
	o.Gateways = []string{gateway}
	o.Batch, o.Concurrency, o.PerHost, o.Outbound.Timeout = 60, 8, 2, time.Minute
	_, stop := run(t, q, o)
	found := map[chain.Address]bool{}
	began := time.Now()
	for n := 1; len(found) < 8; n++ {
		if r := q.results(t, n)[n-1]; r.Metadata != nil && r.Metadata.Valid {
			require.Equal(t, "New", r.Metadata.Name)
			found[r.Job.Address] = true
		}
	}
	require.Less(t, time.Since(began), time.Minute, "before a request for the others ends")
	stop()
}

func TestWorker_FirstRequestsToGatewaysAreBrief(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	gateway, at := documentServer(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	q := newMemoryQueue()
	q.put(job(1, chain.Content{"uri": "ipfs://" + cid0}))
	o := allow(at)
	o.Gateways, o.Outbound.Timeout = []string{gateway}, 9*time.Second
	began := time.Now()
	_, stop := run(t, q, o)
	r := q.results(t, 1)[0]
	require.Less(t, time.Since(began), 8*time.Second)
	require.Equal(t, "timeout", r.Metadata.Reason)
	require.Equal(t, 1, r.Tries)
	require.NotNil(t, r.NextTry, "it is requested again")
	stop()
}
