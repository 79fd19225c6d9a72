package store_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/session"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
)

// The digest of a range reads pages in proportion to its rows, whatever the planner believes of the tables: a digest is computed while the index
// grows, and once it took a time that grew with the square of the number of traces.
func TestRangeDigest_ReadsPagesInProportionToItsRows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const analyze = `ANALYZE transactions, messages, account_states, blocks, traces, actions, account_traces, account_actions, jetton_balances, jetton_transfers`
	for name, analyzed := range map[string]func(block, of int) bool{
		"never":               func(int, int) bool { return false },
		"with the first rows": func(block, _ int) bool { return block == 3 },
		"half of them":        func(block, of int) bool { return block == of/2 },
		"all of them":         func(block, of int) bool { return block == of-1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := storetest.Classified(t)
			for table := range strings.SplitSeq(strings.TrimPrefix(analyze, "ANALYZE "), ", ") {
				storetest.ExecSQL(t, db, `ALTER TABLE `+table+` SET (autovacuum_enabled = false)`)
			}
			blocks, _ := synthetic.New(synthetic.Options{
				Transactions: 6000, Accounts: 2000, PerBlock: 38, Shards: 2, Seed: 1, BOCs: true, Cells: true, Contracts: true,
			}).Batch(1 << 20)
			for i, mb := range blocks {
				require.NoError(t, db.Writer().Apply(t.Context(), mb))
				if analyzed(i, len(blocks)) {
					storetest.ExecSQL(t, db, analyze)
				}
			}
			for _, within := range []chain.SeqnoRange{{First: 1, Last: uint32(len(blocks))}, {First: uint32(len(blocks) / 2), Last: uint32(len(blocks)/2) + 20}} {
				requireProportionalReads(t, db, within)
			}
		})
	}
}

// requireProportionalReads requires that each statement of a range's digest reads few pages for each transaction and row.
func requireProportionalReads(t *testing.T, db *store.DB, within chain.SeqnoRange) {
	t.Helper()
	tx, err := db.Reader().Pool().BeginTx(t.Context(), pgx.TxOptions{AccessMode: pgx.ReadOnly})
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	require.NoError(t, session.Sorted(t.Context(), tx))
	statements, err := db.Reader().RangeStatements(t.Context(), tx, within)
	require.NoError(t, err)
	var transactions int64
	require.NoError(t, tx.QueryRow(t.Context(), `SELECT count(*) FROM transactions WHERE mc_seqno BETWEEN $1 AND $2`, within.First, within.Last).Scan(&transactions))
	for _, s := range statements {
		var text []byte
		require.NoError(t, tx.QueryRow(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, FORMAT JSON) "+s.Text, pgx.QueryExecModeSimpleProtocol).Scan(&text))
		var parsed []struct {
			Plan struct {
				Rows float64 `json:"Actual Rows"`
				Hit  int64   `json:"Shared Hit Blocks"`
				Read int64   `json:"Shared Read Blocks"`
			}
		}
		require.NoError(t, json.Unmarshal(text, &parsed))
		p := parsed[0].Plan
		const perRow, fixed = 12, 200
		require.LessOrEqual(t, p.Hit+p.Read, fixed+perRow*(transactions+int64(p.Rows)), "%s of blocks %d to %d: %.0f rows, %s", s.Table, within.First, within.Last, p.Rows, text)
	}
}
