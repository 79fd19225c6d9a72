package store_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// benchScale is the variable that sizes the data of the benchmarks: 1 is 1.14 million transactions, 0.1 the default.
const benchScale = "TONQL_BENCH_SCALE"

func benchOptions(b *testing.B) synthetic.Options {
	b.Helper()
	scale := 0.1
	if text := os.Getenv(benchScale); text != "" {
		var err error
		scale, err = strconv.ParseFloat(text, 64)
		require.NoError(b, err)
	}
	return synthetic.Scaled(scale)
}

// readQuery is one shape of request.
type readQuery struct {
	name string
	run  func(ctx context.Context, i int) error
}

// BenchmarkRead measures the database part of each request: everything but HTTP and text. The first measurement is the
// baseline of the machine (one prepared query of at most ten rows, appended to a buffer as text); the others report
// their CPU time, of this process and of the server's processes together, also as a multiple of the baseline.
func BenchmarkRead(b *testing.B) {
	db := testdb.New(b)
	o := benchOptions(b)
	require.NoError(b, synthetic.Load(b.Context(), db.Writer(), o, nil))
	vacuum(b, db)
	b.Run("size", func(b *testing.B) { reportSizes(b, db, o) })
	measure(b, db, readQueries(b, db, o))
}

// measure runs each query alone; the first is the baseline.
func measure(b *testing.B, db *store.DB, list []readQuery) {
	b.Helper()
	var base float64
	for _, r := range list {
		b.Run(r.name, func(b *testing.B) {
			require.NoError(b, r.run(b.Context(), 0))
			start := cpuTime(b, db)
			n := 0
			for b.Loop() {
				require.NoError(b, r.run(b.Context(), n))
				n++
			}
			cpu := (cpuTime(b, db) - start).Seconds() * 1000 / float64(n)
			b.ReportMetric(cpu, "cpu-ms/op")
			if r.name == "baseline" {
				base = cpu
			}
			if base > 0 {
				b.ReportMetric(cpu/base, "×baseline")
			}
		})
	}
}

// reportSizes reports the size of a transaction on disk, with all that belongs to it and all indexes.
func reportSizes(b *testing.B, db *store.DB, o synthetic.Options) {
	b.Helper()
	for b.Loop() {
		all := 0.0
		for table, bytes := range tableSizes(b, db) {
			size := float64(bytes) / float64(o.Transactions)
			if all += size; size > 1 {
				b.ReportMetric(size, table+"-B/tx")
			}
		}
		b.ReportMetric(all, "B/tx")
	}
}

// tableSizes returns the bytes of each table with its indexes.
func tableSizes(b *testing.B, db *store.DB) map[string]int64 {
	b.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(b, handle.Close()) }()
	rows, err := handle.QueryContext(b.Context(), `SELECT c.relname::text, pg_total_relation_size(c.oid)
		FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`)
	require.NoError(b, err)
	defer func() { require.NoError(b, rows.Close()) }()
	sizes := map[string]int64{}
	for rows.Next() {
		var table string
		var bytes int64
		require.NoError(b, rows.Scan(&table, &bytes))
		sizes[table] = bytes
	}
	require.NoError(b, rows.Err())
	return sizes
}

func vacuum(b *testing.B, db *store.DB) {
	b.Helper()
	handle := db.SQLDB()
	_, err := handle.ExecContext(b.Context(), "VACUUM ANALYZE")
	require.NoError(b, err)
	require.NoError(b, handle.Close())
}

func readQueries(b *testing.B, db *store.DB, o synthetic.Options) []readQuery {
	b.Helper()
	r := db.Reader()
	info, err := r.MasterchainInfo(b.Context())
	require.NoError(b, err)
	last := info.Last
	sample, err := r.Transactions(b.Context(), chain.TransactionFilter{EndLT: new(last.EndLT / 2)}, chain.Page{Limit: 1000})
	require.NoError(b, err)
	full, err := r.Full(b.Context(), sample)
	require.NoError(b, err)
	var messages []chain.Message
	for _, f := range full {
		messages = append(messages, f.OutMessages...)
	}
	deep, err := r.Transactions(b.Context(), chain.TransactionFilter{}, chain.Page{Limit: 1, Offset: min(100_000, o.Transactions-100)})
	require.NoError(b, err)
	hot := synthetic.Address(0)
	deepHot, err := r.Transactions(b.Context(), chain.TransactionFilter{Accounts: []chain.Address{hot}}, chain.Page{Limit: 1, Offset: 1000})
	require.NoError(b, err)
	account := func(i int) []chain.Address { return []chain.Address{sample[i%len(sample)].Account} }
	page := func(limit int) chain.Page { return chain.Page{Limit: limit} }
	after := func(tx *chain.Transaction) chain.Page { return chain.Page{Limit: 10, After: new(tx.Cursor())} }
	old, older := last.GenUtime-uint32(o.Transactions/38/4), last.GenUtime-uint32(o.Transactions/38/3)
	rare := uint32(0x77777777)
	comment := uint32(0)

	txs := func(name string, f func(i int) chain.TransactionFilter, p chain.Page) readQuery {
		return readQuery{"transactions " + name, func(ctx context.Context, i int) error {
			rows, err := r.Transactions(ctx, f(i), p)
			return withMessages(ctx, r, rows, err)
		}}
	}
	msgs := func(name string, f func(i int) chain.MessageFilter) readQuery {
		return readQuery{"messages " + name, func(ctx context.Context, i int) error {
			rows, err := r.Messages(ctx, f(i), page(10))
			return withAddressBook(ctx, r, rows, err)
		}}
	}
	return []readQuery{
		{"baseline", baseline(r, account)},
		{"masterchainInfo", func(ctx context.Context, _ int) error { _, err := r.MasterchainInfo(ctx); return err }},
		{"blocks, last 10", func(ctx context.Context, _ int) error {
			_, err := r.Blocks(ctx, chain.BlockFilter{}, page(10))
			return err
		}},
		{"blocks by seqno", func(ctx context.Context, i int) error {
			id := sample[i%len(sample)].Block
			_, err := r.Blocks(ctx, chain.BlockFilter{Workchain: &id.Workchain, Shard: &id.Shard, Seqno: &id.Seqno}, page(10))
			return err
		}},
		txs("by hash", func(i int) chain.TransactionFilter {
			return chain.TransactionFilter{Hashes: []chain.Hash{sample[i%len(sample)].Hash}}
		}, page(10)),
		txs("by account, limit 10", func(i int) chain.TransactionFilter { return chain.TransactionFilter{Accounts: account(i)} }, page(10)),
		txs("by account, limit 100", func(i int) chain.TransactionFilter { return chain.TransactionFilter{Accounts: account(i)} }, page(100)),
		txs("by masterchain block, limit 100", func(i int) chain.TransactionFilter {
			return chain.TransactionFilter{McSeqno: new(sample[i%len(sample)].McSeqno)}
		}, page(100)),
		msgs("by hash", func(i int) chain.MessageFilter {
			return chain.MessageFilter{Hashes: []chain.Hash{messages[i%len(messages)].Hash}}
		}),
		msgs("by source", func(i int) chain.MessageFilter { return chain.MessageFilter{Source: messages[i%len(messages)].Source} }),
		{"account states, one address", func(ctx context.Context, i int) error {
			rows, err := r.AccountStates(ctx, chain.AccountFilter{Addresses: account(i), WithBOC: true}, page(10))
			if err != nil || len(rows) == 0 {
				return err
			}
			_, err = r.AddressBook(ctx, account(i))
			return err
		}},
		{"address book, one address", func(ctx context.Context, i int) error { _, err := r.AddressBook(ctx, account(i)); return err }},
		{"top accounts", func(ctx context.Context, _ int) error { _, err := r.TopAccounts(ctx, page(10)); return err }},
		txs("of hot account, page 1", func(int) chain.TransactionFilter { return chain.TransactionFilter{Accounts: []chain.Address{hot}} }, page(10)),
		txs("of hot account, page 100 by cursor", func(int) chain.TransactionFilter { return chain.TransactionFilter{Accounts: []chain.Address{hot}} }, after(&deepHot[0])),
		txs("of hot account in a time range", func(int) chain.TransactionFilter {
			return chain.TransactionFilter{Accounts: []chain.Address{hot}, StartUtime: &older, EndUtime: &old}
		}, page(10)),
		txs("page 1", func(int) chain.TransactionFilter { return chain.TransactionFilter{} }, page(10)),
		txs("page 10,000 by cursor", func(int) chain.TransactionFilter { return chain.TransactionFilter{} }, after(&deep[0])),
		txs("in a time range", func(int) chain.TransactionFilter { return chain.TransactionFilter{StartUtime: &older, EndUtime: &old} }, page(10)),
		msgs("to hot destination", func(int) chain.MessageFilter { return chain.MessageFilter{Destination: &hot} }),
		msgs("to hot destination in a time range", func(int) chain.MessageFilter {
			return chain.MessageFilter{Destination: &hot, StartUtime: &older, EndUtime: &old}
		}),
		msgs("with common opcode", func(int) chain.MessageFilter { return chain.MessageFilter{Opcode: &comment} }),
		msgs("with rare opcode", func(int) chain.MessageFilter { return chain.MessageFilter{Opcode: &rare} }),
		msgs("in a time range", func(int) chain.MessageFilter { return chain.MessageFilter{StartUtime: &older, EndUtime: &old} }),
	}
}

// withMessages also reads the messages, states and address book of a response with transactions.
func withMessages(ctx context.Context, r *store.Reader, rows []chain.Transaction, err error) error {
	if err != nil {
		return err
	}
	full, err := r.Full(ctx, rows)
	if err != nil {
		return err
	}
	var addresses []chain.Address
	for i := range full {
		addresses = append(addresses, full[i].Account)
		if m := full[i].InMessage; m != nil && m.Source != nil {
			addresses = append(addresses, *m.Source)
		}
		for j := range full[i].OutMessages {
			if to := full[i].OutMessages[j].Destination; to != nil {
				addresses = append(addresses, *to)
			}
		}
	}
	_, err = r.AddressBook(ctx, addresses)
	return err
}

func withAddressBook(ctx context.Context, r *store.Reader, rows []chain.Message, err error) error {
	if err != nil {
		return err
	}
	var addresses []chain.Address
	for i := range rows {
		for _, a := range [...]*chain.Address{rows[i].Source, rows[i].Destination} {
			if a != nil {
				addresses = append(addresses, *a)
			}
		}
	}
	_, err = r.AddressBook(ctx, addresses)
	return err
}

// baseline is the least that a response from the database can cost.
func baseline(r *store.Reader, account func(int) []chain.Address) func(context.Context, int) error {
	buffer := make([]byte, 0, 4096)
	return func(ctx context.Context, i int) error {
		rows, err := r.Pool().Query(ctx, `SELECT account, lt, hash, now, total_fees FROM transactions WHERE account = $1
			ORDER BY lt DESC LIMIT 10`, account(i)[0].Bytes())
		if err != nil {
			return fmt.Errorf("baseline: %w", err)
		}
		defer rows.Close()
		buffer = append(buffer[:0], '[')
		for rows.Next() {
			for _, v := range rows.RawValues() {
				buffer = append(base64.StdEncoding.AppendEncode(append(buffer, '"'), v), `",`...)
			}
		}
		return rows.Err()
	}
}

// cpuTime is the CPU time of this process and of its server processes.
func cpuTime(b *testing.B, db *store.DB) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano()+usage.Stime.Nano()) + backendTime(b, db)
}

// backendTime is the CPU time of the connections of a benchmark.
func backendTime(b *testing.B, db *store.DB) (total time.Duration) {
	b.Helper()
	rows, err := db.Reader().Pool().Query(b.Context(), `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tonql%'`)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var pid int
		require.NoError(b, rows.Scan(&pid))
		total += processTime(pid)
	}
	require.NoError(b, rows.Err())
	return total
}

// processTime reads a process's user and system time; 0 where the system does not report it.
func processTime(pid int) time.Duration {
	const tick = 10 * time.Millisecond
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick
}
