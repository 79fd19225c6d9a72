package v3_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest/handler"
	v3 "tonql/rest/v3"
)

// BenchmarkRoutes measures the CPU a request costs, in this process and in PostgreSQL's, on synthetic data. The yardstick
// OQ is one prepared query of at most ten rows with printed JSON, measured in the same run; every figure is also given
// in OQ, which holds on any machine. TONQL_BENCH_SCALE sets the size: 1 is the published 1.14 million transactions.
func BenchmarkRoutes(b *testing.B) {
	debug.SetGCPercent(400) // as the program itself sets it
	scale := 0.05
	if text := os.Getenv("TONQL_BENCH_SCALE"); text != "" {
		var err error
		scale, err = strconv.ParseFloat(text, 64)
		require.NoError(b, err)
	}
	url := testdb.URL(b)
	db := testdb.Open(b, url)
	o := synthetic.Scaled(scale)
	o.Cells = true
	require.NoError(b, synthetic.Load(b.Context(), db.Writer(), o, nil))
	pool, err := pgxpool.New(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	_, err = pool.Exec(b.Context(), "VACUUM ANALYZE")
	require.NoError(b, err)

	s := sampleOf(b, pool)
	door := v3.New(resolvers.New(db.Reader(), nil, resolvers.Options{}), v3.Options{Fresh: true})
	yard := &yardstick{}
	b.Run("OQ", func(b *testing.B) {
		yard.ms = measure(b, pool, oneQuery(pool), func() string { return "/?account=" + s.account().String() })
	})
	// As a server runs: the page of a moment ago is given again while the head stands.
	remembering := v3.New(resolvers.New(db.Reader(), nil, resolvers.Options{}), v3.Options{})
	for name, path := range map[string]string{
		"masterchainInfo as remembered":      "/masterchainInfo",
		"blocks last 10 as remembered":       "/blocks?limit=10",
		"transactions last 10 as remembered": "/transactions?limit=10",
	} {
		b.Run(name, func(b *testing.B) {
			ms := measure(b, pool, remembering, func() string { return v3.Prefix + path })
			b.ReportMetric(ms/yard.ms, "OQ")
		})
	}
	for _, route := range []struct {
		name string
		path func() string
	}{
		{"masterchainInfo", func() string { return "/masterchainInfo" }},
		{"blocks last 10", func() string { return "/blocks?limit=10" }},
		{"blocks by seqno", func() string { return fmt.Sprintf("/blocks?workchain=-1&shard=8000000000000000&seqno=%d", s.mcSeqno()) }},
		{"transactions by hash", func() string { return "/transactions?hash=" + s.hash().Hex() }},
		{"transactions by account 10", func() string { return "/transactions?limit=10&account=" + s.account().String() }},
		{"transactions by account 100", func() string { return "/transactions?limit=100&account=" + s.account().String() }},
		{"transactions by masterchain block 100", func() string { return fmt.Sprintf("/transactions?limit=100&mc_seqno=%d", s.mcSeqno()) }},
		{"transactions last 10", func() string { return "/transactions?limit=10" }},
		{"transactions by time 10", func() string { return fmt.Sprintf("/transactions?limit=10&end_utime=%d", s.utime()) }},
		{"transactions of the busiest account 1000", func() string { return "/transactions?limit=1000&account=" + synthetic.Address(0).String() }},
		{"transactions of the busiest account at offset 10000", func() string {
			return "/transactions?limit=10&offset=10000&account=" + synthetic.Address(0).String()
		}},
		{"messages by hash", func() string { return "/messages?msg_hash=" + s.message().Hex() }},
		{"messages by source 10", func() string { return "/messages?limit=10&source=" + s.account().String() }},
		{"messages to the busiest account 10", func() string { return "/messages?limit=10&destination=" + synthetic.Address(0).String() }},
		{"accountStates one", func() string { return "/accountStates?address=" + s.account().String() }},
		{"addressBook one", func() string { return "/addressBook?address=" + s.account().String() }},
		{"topAccountsByBalance 10", func() string { return "/topAccountsByBalance?limit=10" }},
	} {
		b.Run(route.name, func(b *testing.B) {
			ms := measure(b, pool, door, func() string { return v3.Prefix + route.path() })
			if yard.ms > 0 {
				b.ReportMetric(ms/yard.ms, "OQ")
			}
		})
	}
}

type yardstick struct{ ms float64 }

// measure sends b.N requests over loopback, by four clients, and reports the CPU of one in milliseconds: API (this process
// without its clients), PostgreSQL, and both. net/http is part of it, of the yardstick's as of the routes'.
func measure(b *testing.B, pool *pgxpool.Pool, h http.Handler, path func() string) float64 {
	b.Helper()
	const clients = 4
	server := httptest.NewServer(h)
	defer server.Close()
	left := atomic.Int64{}
	left.Store(20 * clients) // connections, statements, caches
	runClients(b, clients, server.Listener.Addr().String(), &left, path)
	left.Store(int64(b.N))
	before := cpu(b, pool)
	b.ResetTimer()
	own, bytes := runClients(b, clients, server.Listener.Addr().String(), &left, path)
	b.StopTimer()
	after := cpu(b, pool)
	perRequest := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N) }
	api, pg := perRequest(after.api-before.api-own), perRequest(after.postgres-before.postgres)
	b.ReportMetric(api, "api-cpu-ms")
	b.ReportMetric(pg, "pg-cpu-ms")
	b.ReportMetric(api+pg, "cpu-ms")
	b.ReportMetric(float64(bytes)/float64(b.N), "B/answer")
	return api + pg
}

// runClients lets n clients take requests from left until none are; it gives the CPU time they used themselves.
func runClients(b *testing.B, n int, address string, left *atomic.Int64, path func() string) (own time.Duration, bytes int64) {
	b.Helper()
	var used, read atomic.Int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			c, err := dial(address)
			if err != nil {
				b.Error(err)
				return
			}
			defer c.close()
			for left.Add(-1) >= 0 {
				size, err := c.get(path())
				if err != nil {
					b.Error(err)
					return
				}
				read.Add(int64(size))
			}
			used.Add(int64(c.used()))
		})
	}
	wg.Wait()
	return time.Duration(used.Load()), read.Load()
}

// spent is CPU time used so far.
type spent struct{ api, postgres time.Duration }

// cpu reads the process's own CPU time and that of its database's backends, which must be on this machine.
func cpu(b *testing.B, pool *pgxpool.Pool) spent {
	b.Helper()
	var self syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &self))
	s := spent{api: time.Duration(self.Utime.Nano() + self.Stime.Nano())}
	rows, err := pool.Query(b.Context(), "SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var pid int
		require.NoError(b, rows.Scan(&pid))
		s.postgres += processCPU(pid)
	}
	require.NoError(b, rows.Err())
	return s
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

// oneQuery is the yardstick's handler.
func oneQuery(pool *pgxpool.Pool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, err := chain.ParseAddress(r.URL.Query().Get("account"))
		if err != nil {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), time.Second)
		defer cancel()
		rows, err := pool.Query(ctx, "SELECT hash, lt, now FROM transactions WHERE account = $1 ORDER BY lt DESC LIMIT 10", a.Bytes())
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		defer rows.Close()
		out := handler.NewStream(w, time.Now())
		out.B = append(out.B, '[')
		for rows.Next() {
			var hash []byte
			var lt, now int64
			if err := rows.Scan(&hash, &lt, &now); err != nil {
				return
			}
			h := chain.HashFrom(hash)
			out.B = handler.AppendHash(append(out.B, `{"hash":`...), &h)
			out.B = handler.AppendDecimal(append(out.B, `,"lt":`...), uint64(lt))
			out.B = append(handler.AppendInt(append(out.B, `,"now":`...), now), "},"...)
		}
		out.B = append(out.B, ']')
		_ = out.Close() // nobody reads it
	})
}

// sample is what requests ask for, drawn by activity: a busy account comes up often.
type sample struct {
	accounts []chain.Address
	hashes   []chain.Hash
	messages []chain.Hash
	seqnos   []uint32
	utimes   []uint32
}

func (s *sample) account() chain.Address { return s.accounts[rand.IntN(len(s.accounts))] }
func (s *sample) hash() chain.Hash       { return s.hashes[rand.IntN(len(s.hashes))] }
func (s *sample) message() chain.Hash    { return s.messages[rand.IntN(len(s.messages))] }
func (s *sample) mcSeqno() uint32        { return s.seqnos[rand.IntN(len(s.seqnos))] }
func (s *sample) utime() uint32          { return s.utimes[rand.IntN(len(s.utimes))] }

func sampleOf(b *testing.B, pool *pgxpool.Pool) *sample {
	b.Helper()
	s := &sample{}
	rows, err := pool.Query(b.Context(), `SELECT account, hash, mc_seqno, now FROM transactions
		WHERE get_byte(hash, 0) < 8 AND account >= '\x80' LIMIT 5000`)
	require.NoError(b, err)
	for rows.Next() {
		var account, hash []byte
		var seqno, now int64
		require.NoError(b, rows.Scan(&account, &hash, &seqno, &now))
		a, err := chain.AddressFrom(account)
		require.NoError(b, err)
		s.accounts, s.hashes = append(s.accounts, a), append(s.hashes, chain.HashFrom(hash))
		s.seqnos, s.utimes = append(s.seqnos, uint32(seqno)), append(s.utimes, uint32(now))
	}
	require.NoError(b, rows.Err())
	rows, err = pool.Query(b.Context(), `SELECT hash FROM messages WHERE get_byte(hash, 0) < 8 LIMIT 5000`)
	require.NoError(b, err)
	for rows.Next() {
		var hash []byte
		require.NoError(b, rows.Scan(&hash))
		s.messages = append(s.messages, chain.HashFrom(hash))
	}
	require.NoError(b, rows.Err())
	require.NotEmpty(b, s.accounts)
	return s
}
