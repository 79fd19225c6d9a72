package v3_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// meter measures the cost of requests over loopback.
type meter struct {
	pool          *pgxpool.Pool // of the database under test
	clientProcess *clientProcess
}

// clientsAtOnce is the number of connections of the published targets: the work of epoll and the scheduler is shared
// by connections that are ready at the same time.
const clientsAtOnce = 16

// served is a listening handler, the paths requested from it, and their cost so far.
type served struct {
	address string
	path    func() string

	api, postgres time.Duration // CPU of this process and of PostgreSQL's backends
	mallocs       uint64
	bytes         int64
	took          []time.Duration
	rows          float64 // of a response
}

// serve starts a server and sends requests until connections, statements and caches are ready.
func (m *meter) serve(b *testing.B, h http.Handler, path func() string) *served {
	b.Helper()
	server := httptest.NewServer(h)
	s := &served{address: server.Listener.Addr().String(), path: path}
	b.Cleanup(func() {
		m.clientProcess.do(b, workload{Address: s.address})
		server.Close()
	})
	const requests = 20 * clientsAtOnce
	e := s.workload(requests, clientsAtOnce)
	e.Count = true
	s.rows = float64(m.clientProcess.do(b, e).Rows) / requests
	return s
}

func (s *served) workload(n, clients int) workload {
	e := workload{Address: s.address, Clients: clients, Paths: make([]string, n)}
	for i := range e.Paths {
		e.Paths[i] = s.path()
	}
	return e
}

// send sends n requests of the clients to s and adds their cost.
func (m *meter) send(b *testing.B, s *served, n int) {
	b.Helper()
	m.clientProcess.brief(b, s.workload(n, clientsAtOnce))
	backends := m.backends(b)
	var mem [2]runtime.MemStats
	runtime.ReadMemStats(&mem[0])
	api, postgres := ownCPU(b), processesCPU(backends)
	m.clientProcess.run(b)
	s.api += ownCPU(b) - api
	s.postgres += processesCPU(backends) - postgres
	runtime.ReadMemStats(&mem[1])
	a := m.clientProcess.results(b)
	s.mallocs += mem[1].Mallocs - mem[0].Mallocs
	s.bytes += a.Bytes
	s.took = append(s.took, a.Took...)
}

// figures are the average cost of a request: CPU of this process and of PostgreSQL in milliseconds, latency at the
// client, allocations, and the size of the response.
type figures struct{ api, postgres, p50, p99, allocs, bytes, rows float64 }

func (f *figures) cpu() float64 { return f.api + f.postgres }

func (s *served) figures() figures {
	slices.Sort(s.took)
	n := float64(len(s.took))
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
	return figures{
		api: ms(s.api) / n, postgres: ms(s.postgres) / n, p50: ms(s.took[len(s.took)/2]), p99: ms(s.took[len(s.took)*99/100]),
		allocs: float64(s.mallocs) / n, bytes: float64(s.bytes) / n, rows: s.rows,
	}
}

func (f *figures) report(b *testing.B) {
	b.Helper()
	b.ReportMetric(f.api, "api-cpu-ms")
	b.ReportMetric(f.postgres, "pg-cpu-ms")
	b.ReportMetric(f.cpu(), "cpu-ms")
	b.ReportMetric(f.bytes, "B/response")
	b.ReportMetric(f.rows, "rows/response")
	b.ReportMetric(f.p50, "p50-ms")
	b.ReportMetric(f.p99, "p99-ms")
	b.ReportMetric(f.allocs, "allocs/response")
}

// measure sends b.N requests.
func (m *meter) measure(b *testing.B, h http.Handler, path func() string) figures {
	b.Helper()
	b.StopTimer()
	b.ResetTimer()
	s := m.serve(b, h, path)
	b.StartTimer()
	m.send(b, s, b.N)
	b.StopTimer()
	return s.figures()
}

// rounds is the number of alternating measurements of a route and the baseline, because the speed of a shared machine
// varies.
const rounds = 8

// compare sends b.N requests to a route and as many to the baseline, alternately, and reports the cost of the route,
// also relative to the baseline.
func (m *meter) compare(b *testing.B, baseline *served, h http.Handler, path func() string) {
	b.Helper()
	b.StopTimer()
	b.ResetTimer()
	route, one := m.serve(b, h, path), &served{address: baseline.address, path: baseline.path}
	for left := b.N; left > 0; {
		n := min(left, max(1, (b.N+rounds-1)/rounds))
		m.send(b, one, n)
		b.StartTimer()
		m.send(b, route, n)
		b.StopTimer()
		left -= n
	}
	f, y := route.figures(), one.figures()
	f.report(b)
	b.ReportMetric(f.cpu()/y.cpu(), "×baseline")
}

// backends returns the processes of the database, which must be on this machine.
func (m *meter) backends(b *testing.B) []int {
	b.Helper()
	rows, err := m.pool.Query(b.Context(), "SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
	require.NoError(b, err)
	defer rows.Close()
	var pids []int
	for rows.Next() {
		var pid int
		require.NoError(b, rows.Scan(&pid))
		pids = append(pids, pid)
	}
	require.NoError(b, rows.Err())
	return pids
}

func ownCPU(b *testing.B) time.Duration {
	b.Helper()
	var self syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &self))
	return time.Duration(self.Utime.Nano() + self.Stime.Nano())
}

func processesCPU(pids []int) (sum time.Duration) {
	for _, pid := range pids {
		sum += processCPU(pid)
	}
	return sum
}

// processCPU reads /proc/PID/schedstat, whose first number is the time on a CPU in nanoseconds; 0 where there is none.
func processCPU(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return 0
	}
	ns, err := strconv.ParseInt(string(bytes.Fields(text)[0]), 10, 64)
	if err != nil {
		return 0
	}
	return time.Duration(ns)
}
