package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// balanced sends requests to several gateways as load balancers do by default (proxy_next_upstream error of nginx): after a connection that
// is refused, or closed before a response, the next one gets the request.
type balanced struct {
	client http.Client
	bases  []atomic.Pointer[string]
	next   atomic.Uint64
}

func (b *balanced) get(ctx context.Context, path string) (int, error) {
	var refused error
	first := b.next.Add(1)
	for i := range uint64(len(b.bases)) {
		base := *b.bases[(first+i)%uint64(len(b.bases))].Load()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+path, http.NoBody)
		if err != nil {
			return 0, err
		}
		resp, err := b.client.Do(req)
		if err != nil { // refused, or closed before a response
			refused = err
			continue
		}
		_, err = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close() // it is read
		return resp.StatusCode, err
	}
	return 0, refused
}

// Processes of one schema are replaced one after the other without a failed request: two gateways, and the indexer.
func TestRollingRestart_NoRequestFails(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir, url := t.TempDir(), emptyDatabase(t)
	chainNet := start(t, "devnet", "--data", filepath.Join(dir, "chain"), "--block-interval", "500ms")
	config := chainNet.expect(`global config +(\S+)`, time.Minute)
	runCommand(t, "migrate", "--database-url", url, "--data", filepath.Join(dir, "migrate"))
	index := func() *process {
		return start(t, "index", "--database-url", url, "--data", filepath.Join(dir, "index"), "--global-config", config, "--from", "1")
	}
	serve := func(name string) (*process, string) {
		p := start(t, "serve", "--database-url", url, "--data", filepath.Join(dir, name), "--global-config", config, "--listen", "127.0.0.1:0")
		return p, "http://" + p.expect(`serves on http://([^/]+)/`, time.Minute)
	}
	indexer := index()
	gateways, lb := make([]*process, 2), &balanced{bases: make([]atomic.Pointer[string], 2), client: http.Client{Timeout: 30 * time.Second}}
	defer lb.client.CloseIdleConnections()
	for i, name := range []string{"a", "b"} {
		p, base := serve(name)
		gateways[i] = p
		lb.bases[i].Store(&base)
	}
	first := *lb.bases[0].Load()
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, first, 3) })

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var sent atomic.Uint64
	var load sync.WaitGroup
	failures := make(chan error, 100)
	for _, path := range []string{
		"/api/v3/masterchainInfo", "/api/v3/transactions?limit=50", "/api/v3/traces?limit=10", "/api/v2/getMasterchainInfo",
		"/graphql?query=%7Btransactions(first:10)%7Bnodes%7Bhash%7D%7D%7D",
	} {
		load.Go(func() {
			for ctx.Err() == nil {
				status, err := lb.get(t.Context(), path)
				if err == nil && status != http.StatusOK {
					err = errors.New(path + ": " + http.StatusText(status))
				}
				if err != nil {
					select {
					case failures <- err:
					default:
					}
				}
				sent.Add(1)
			}
		})
	}
	served := func() { // requests reach all processes before the next one is replaced
		from := sent.Load()
		eventually(t, time.Minute, "requests are served", func() bool { return sent.Load() > from+100 })
	}
	served()
	for i, name := range []string{"a", "b"} {
		gateways[i].interrupt(15 * time.Second)
		served()
		p, base := serve(name)
		gateways[i] = p
		lb.bases[i].Store(&base)
		served()
	}
	indexer.interrupt(15 * time.Second)
	last := readyz(t, *lb.bases[0].Load()).Index.Last
	indexer = index()
	eventually(t, time.Minute, "the index follows again", func() bool { return follows(t, *lb.bases[1].Load(), last+3) })
	cancel()
	load.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err, "of %d requests", sent.Load())
	}
	t.Log("requests:", sent.Load())
	for _, p := range slices.Concat(gateways, []*process{indexer, chainNet}) {
		p.interrupt(15 * time.Second)
	}
}
