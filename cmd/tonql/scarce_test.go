package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/internal/pacetest"
)

// indexed returns the newest indexed block of the log.
func (p *process) indexed() int {
	log := p.stderr.String()
	_, after, found := strings.Cut(log[max(0, strings.LastIndex(log, " indexed=")):], " indexed=")
	if !found {
		return 0
	}
	number, _, _ := strings.Cut(after, " ")
	n, _ := strconv.Atoi(number) // 0 while the line is being written
	return n
}

// With 64 descriptors and more clients than that, indexing continues: clients wait, the database keeps its connections.
func TestUp_FewDescriptorsDoNotStopIndexing(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	path, err := binary()
	require.NoError(t, err)
	data := filepath.Join(t.TempDir(), "data")
	p := startCommand(t, exec.Command("sh", "-c", `ulimit -n 64 && exec "$@"`, "sh", path, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms"))
	address := p.expect(`page +http://([^/]+)/`, time.Minute)
	base := "http://" + address
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })

	var idle []net.Conn
	for range 200 {
		conn, err := net.DialTimeout("tcp", address, 10*time.Second)
		require.NoError(t, err)
		idle = append(idle, conn)
	}
	from := p.indexed()
	eventually(t, time.Minute, "indexing continues", func() bool { return p.indexed() >= from+5 })
	for _, conn := range idle {
		require.NoError(t, conn.Close())
	}
	eventually(t, time.Minute, "clients are served again", func() bool { return follows(t, base, uint32(from)+5) })
	require.NotContains(t, p.stderr.String(), "too many open files")
	p.interrupt(15 * time.Second)
}

// With GOMEMLIMIT=256MiB, a process with all components serves mixed requests without an internal error.
func TestUp_RunsWithLittleMemory(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	path, err := binary()
	require.NoError(t, err)
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(path, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	cmd.Env = []string{"GOMEMLIMIT=256MiB"}
	p := startCommand(t, cmd)
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	load := newSoakLoad(base)
	load.run(ctx, 40)
	load.report(t)
	used := measure(t, base, time.Now())
	t.Log(used)
	require.Less(t, used.rss, 400.0, "the limit, and memory that Go does not count, mostly the binary")
	p.interrupt(15 * time.Second)
}

// BenchmarkLargeResponses measures the largest resident memory of a fresh `tonql serve` and the requests it serves in a second
// while clients request the largest pages at once. The database is one that BenchmarkRoutes has filled:
//
//	export TONQL_BENCH_DATABASE=postgres://… TONQL_BENCH_SCALE=0.1
//	go test ./rest/v3 -run - -bench Routes/masterchainInfo -benchtime=1x
//	go test ./cmd/tonql -run - -bench LargeResponses -benchtime=1x
//
// TONQL_BENCH_CLIENTS (8) and TONQL_BENCH_ROUNDS (5, of each client) change its size.
func BenchmarkLargeResponses(b *testing.B) {
	database := os.Getenv("TONQL_BENCH_DATABASE")
	if database == "" {
		b.Skip("TONQL_BENCH_DATABASE names no database")
	}
	clients, rounds := fromEnvironment(b, "TONQL_BENCH_CLIENTS", 8), fromEnvironment(b, "TONQL_BENCH_ROUNDS", 5)
	for _, path := range []string{
		"/traces?limit=1000", "/traces?limit=1000&include_actions=true", "/transactions?limit=1000", "/messages?limit=1000",
		"/actions?limit=1000", "/actions?limit=1000&include_transactions=true", "/jetton/transfers?limit=1000", "/jetton/wallets?limit=1000",
	} {
		b.Run(strings.ReplaceAll(path[1:], "/", " "), func(b *testing.B) {
			for b.Loop() {
				p := start(b, "serve", "--database-url", database, "--listen", "127.0.0.1:0", "--data", b.TempDir(), "--no-webhooks")
				base := "http://" + p.expect(`tonql serves on http://([^/]+)/`, time.Minute)
				began := time.Now()
				bytes := requestAtOnce(b, base+"/api/v3"+path, clients, rounds)
				requests := float64(clients * rounds)
				b.ReportMetric(requests/time.Since(began).Seconds(), "requests/s")
				b.ReportMetric(float64(bytes)/requests, "B/response")
				b.ReportMetric(p.peakMemory(b), "peak-MiB")
				b.ReportMetric(0, "ns/op")
				p.interrupt(15 * time.Second)
			}
		})
	}
}

// requestAtOnce requests a URL by several clients at once, several times each, and returns the size of all responses.
func requestAtOnce(b *testing.B, url string, clients, rounds int) (bytes int64) {
	b.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	sizes := make([]int64, clients)
	var group errgroup.Group
	for i := range clients {
		group.Go(func() error {
			for range rounds {
				request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
				if err != nil {
					return err
				}
				response, err := transport.RoundTrip(request)
				if err != nil {
					return err
				}
				n, err := io.Copy(io.Discard, response.Body)
				_ = response.Body.Close() // it was read
				if err != nil || response.StatusCode != http.StatusOK {
					return fmt.Errorf("status %d after %d bytes: %w", response.StatusCode, n, err)
				}
				sizes[i] += n
			}
			return nil
		})
	}
	require.NoError(b, group.Wait())
	for _, n := range sizes {
		bytes += n
	}
	return bytes
}

// peakMemory returns the largest resident memory that the process has had, in MiB.
func (p *process) peakMemory(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		b.Skip("the kernel does not report the memory of processes in /proc")
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	require.NotNil(b, m)
	kibibytes, err := strconv.ParseFloat(string(m[1]), 64)
	require.NoError(b, err)
	const kibibytesInMebibyte = 1024
	return kibibytes / kibibytesInMebibyte
}
