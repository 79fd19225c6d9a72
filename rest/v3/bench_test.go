package v3_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
	"tonql/migrations"
	"tonql/resolvers"
	"tonql/rest/handler"
	v3 "tonql/rest/v3"
)

// BenchmarkRoutes measures the CPU time of a request, in this process and in PostgreSQL's, on synthetic data. The
// baseline is one prepared query of at most ten rows, encoded as JSON, and is measured in the same run. Each figure is
// also reported relative to it, which is comparable across machines. TONQL_BENCH_SCALE sets the size: 1 is 1.14 million
// transactions. TONQL_BENCH_DATABASE is the DSN of a database that is reused by the next run; an empty database is
// filled first.
func BenchmarkRoutes(b *testing.B) {
	debug.SetGCPercent(400) // the setting of tonql
	url := benchDatabase(b)
	db := testdb.Open(b, url)
	pool, err := pgxpool.New(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	s := sampleOf(b, pool)
	deep := deepCursors(b, db)
	api := v3.New(resolvers.New(db.Reader(), nil, resolvers.Options{}), v3.Options{Fresh: true})
	m := &meter{pool: pool, clientProcess: newClientProcess(b)}
	ofAccount := func() string { return "/?account=" + s.account().String() }
	b.Run("baseline", func(b *testing.B) {
		f := m.measure(b, oneQuery(pool), ofAccount)
		f.report(b)
	})
	baseline := m.serve(b, oneQuery(pool), ofAccount)
	b.Run("net http alone", func(b *testing.B) { // the lower bound of every route
		thirteen := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"ok":"thirt"}`)) })
		m.compare(b, baseline, thirteen, func() string { return "/" })
	})
	// With the page cache, as a server runs.
	remembering := v3.New(resolvers.New(db.Reader(), nil, resolvers.Options{}), v3.Options{})
	for name, path := range map[string]string{
		"masterchainInfo as remembered":      "/masterchainInfo",
		"blocks last 10 as remembered":       "/blocks?limit=10",
		"transactions last 10 as remembered": "/transactions?limit=10",
	} {
		b.Run(name, func(b *testing.B) {
			m.compare(b, baseline, remembering, func() string { return v3.Prefix + path })
		})
	}
	for _, route := range []struct {
		name string
		path func() string
	}{
		{"masterchainInfo", func() string { return "/masterchainInfo" }},
		{"blocks last 10", func() string { return "/blocks?limit=10" }},
		{"blocks by seqno", func() string { return fmt.Sprintf("/blocks?workchain=-1&shard=8000000000000000&seqno=%d", s.mcSeqno()) }},
		{"blocks by seqno of the full index", func() string {
			return fmt.Sprintf("/blocks?workchain=-1&shard=8000000000000000&seqno=%d", 1+rand.Uint32N(s.last))
		}},
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
		{"transactions page 1 by cursor", func() string { return "/transactions?limit=10&sort=desc&cursor=" + deep.transactions[0] }},
		{"transactions page 10000 by cursor", func() string { return "/transactions?limit=10&sort=desc&cursor=" + deep.transactions[1] }},
		{"jetton transfers page 1 by cursor", func() string { return "/jetton/transfers?limit=10&cursor=" + deep.transfers[0] }},
		{"jetton transfers page 10000 by cursor", func() string { return "/jetton/transfers?limit=10&cursor=" + deep.transfers[1] }},
		{"jetton wallets by owner", func() string { return "/jetton/wallets?limit=10&owner_address=" + s.owner().String() }},
		{"jetton transfers by owner", func() string { return "/jetton/transfers?limit=10&owner_address=" + s.owner().String() }},
		{"jetton transfers by owner of three", func() string { return "/jetton/transfers?limit=10&owner_address=" + s.quiet().String() }},
		{"jetton transfers by master", func() string { return "/jetton/transfers?limit=10&jetton_master=" + s.jetton().String() }},
		{"nft items by owner", func() string { return "/nft/items?limit=10&owner_address=" + s.collector().String() }},
		{"messages to the busiest account 10", func() string { return "/messages?limit=10&destination=" + synthetic.Address(0).String() }},
		{"accountStates one", func() string { return "/accountStates?address=" + s.account().String() }},
		{"addressBook one", func() string { return "/addressBook?address=" + s.account().String() }},
		{"traces by account 10", func() string { return "/traces?limit=10&account=" + s.account().String() }},
		{"traces by id", func() string { return "/traces?tx_hash=" + s.hash().Hex() }},
		{"traces by trace", func() string { return "/traces?trace_id=" + s.trace().Hex() }},
		{"actions by trace", func() string { return "/actions?trace_id=" + s.trace().Hex() }},
		{"actions by account 10", func() string { return "/actions?limit=10&account=" + s.account().String() }},
		{"topAccountsByBalance 10", func() string { return "/topAccountsByBalance?limit=10" }},
	} {
		b.Run(route.name, func(b *testing.B) {
			m.compare(b, baseline, api, func() string { return v3.Prefix + route.path() })
		})
	}
}

// benchDatabase returns the DSN of a database with synthetic data: the reused one, or a temporary one.
func benchDatabase(b *testing.B) string {
	b.Helper()
	url := os.Getenv("TONQL_BENCH_DATABASE")
	reused := url != ""
	if !reused {
		url = testdb.URL(b)
	}
	db := testdb.Open(b, url)
	handle := db.SQLDB()
	defer func() { require.NoError(b, handle.Close()) }()
	_, err := migrations.Up(b.Context(), handle)
	require.NoError(b, err)
	if _, err := db.Reader().MasterchainInfo(b.Context()); err == nil {
		return url
	}
	db.Writer().SetClassifier(syntheticClassifier{})
	require.NoError(b, synthetic.Load(b.Context(), db.Writer(), benchOptions(b), nil))
	_, err = handle.ExecContext(b.Context(), "VACUUM ANALYZE")
	require.NoError(b, err)
	return url
}

func benchOptions(b *testing.B) synthetic.Options {
	b.Helper()
	scale := 0.05
	if text := os.Getenv("TONQL_BENCH_SCALE"); text != "" {
		var err error
		scale, err = strconv.ParseFloat(text, 64)
		require.NoError(b, err)
	}
	o := synthetic.Scaled(scale)
	o.Cells, o.Contracts = true, true
	return o
}

// oneQuery is the handler of the baseline.
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
		out := handler.NewStream(ctx, w, time.Now())
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
		_ = out.Close() // a benchmark ignores write errors
	})
}

// deepCursors returns the cursors of page 2 and of page 10,000, or of a late page if there are fewer.
func deepCursors(b *testing.B, db *store.DB) (c struct{ transactions, transfers [2]string }) {
	b.Helper()
	const pages = 99_990
	ctx, r := b.Context(), db.Reader()
	for i, offset := range []int{9, pages} {
		txs, err := r.Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1, Offset: offset})
		require.NoError(b, err)
		if len(txs) == 0 { // a smaller data set: its middle
			txs, err = r.Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1, Offset: 20_000})
			require.NoError(b, err)
		}
		c.transactions[i] = txs[0].Cursor().String()
		moves, err := r.JettonTransfers(ctx, chain.JettonTransferFilter{}, chain.Page{Limit: 1, Offset: offset})
		require.NoError(b, err)
		if len(moves) == 0 {
			moves, err = r.JettonTransfers(ctx, chain.JettonTransferFilter{}, chain.Page{Limit: 1, Offset: 5000})
			require.NoError(b, err)
		}
		c.transfers[i] = moves[0].Cursor().String()
	}
	return c
}

// sample holds the arguments of requests, drawn by activity: a busy account is drawn often.
type sample struct {
	accounts []chain.Address
	hashes   []chain.Hash
	messages []chain.Hash
	seqnos   []uint32
	utimes   []uint32

	traces []chain.Hash // with actions

	owners, jettons, collectors []chain.Address

	quiets []chain.Address // owners with two to four Jetton transfers: the published aim is for 2.8 rows

	last uint32 // masterchain seqno
}

func (s *sample) owner() chain.Address     { return s.owners[rand.IntN(len(s.owners))] }
func (s *sample) quiet() chain.Address     { return s.quiets[rand.IntN(len(s.quiets))] }
func (s *sample) jetton() chain.Address    { return s.jettons[rand.IntN(len(s.jettons))] }
func (s *sample) collector() chain.Address { return s.collectors[rand.IntN(len(s.collectors))] }

func (s *sample) account() chain.Address { return s.accounts[rand.IntN(len(s.accounts))] }
func (s *sample) hash() chain.Hash       { return s.hashes[rand.IntN(len(s.hashes))] }
func (s *sample) trace() chain.Hash      { return s.traces[rand.IntN(len(s.traces))] }
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
	s.owners = ownersIn(b, pool, `SELECT DISTINCT owner FROM (SELECT owner FROM jetton_wallets LIMIT 5000) w`)
	s.jettons = ownersIn(b, pool, `SELECT jetton FROM jetton_transfers LIMIT 5000`)
	s.quiets = ownersIn(b, pool, `SELECT party FROM (SELECT source AS party FROM jetton_transfers
		UNION ALL SELECT destination FROM jetton_transfers) p WHERE party IS NOT NULL GROUP BY party HAVING count(*) BETWEEN 2 AND 4 LIMIT 5000`)
	s.collectors = ownersIn(b, pool, `SELECT DISTINCT owner FROM (SELECT owner FROM nft_items WHERE owner IS NOT NULL LIMIT 5000) i`)
	s.messages = hashesIn(b, pool, `SELECT hash FROM messages WHERE get_byte(hash, 0) < 8 LIMIT 5000`)
	s.traces = hashesIn(b, pool, `SELECT DISTINCT trace_id FROM (SELECT trace_id FROM actions LIMIT 5000) a`)
	require.NoError(b, pool.QueryRow(b.Context(), `SELECT max(mc_seqno) FROM transactions`).Scan(&s.last))
	require.NotEmpty(b, s.accounts)
	return s
}

func ownersIn(b *testing.B, pool *pgxpool.Pool, query string) (list []chain.Address) {
	b.Helper()
	rows, err := pool.Query(b.Context(), query)
	require.NoError(b, err)
	for rows.Next() {
		var bytes []byte
		require.NoError(b, rows.Scan(&bytes))
		a, err := chain.AddressFrom(bytes)
		require.NoError(b, err)
		list = append(list, a)
	}
	require.NoError(b, rows.Err())
	require.NotEmpty(b, list)
	return list
}

func hashesIn(b *testing.B, pool *pgxpool.Pool, query string) (list []chain.Hash) {
	b.Helper()
	rows, err := pool.Query(b.Context(), query)
	require.NoError(b, err)
	for rows.Next() {
		var hash []byte
		require.NoError(b, rows.Scan(&hash))
		list = append(list, chain.HashFrom(hash))
	}
	require.NoError(b, rows.Err())
	require.NotEmpty(b, list)
	return list
}
