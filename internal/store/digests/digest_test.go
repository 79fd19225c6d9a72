package digests_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// undigested are the tables whose rows do not follow from the indexed blocks alone, or are digested under another name.
var undigested = map[string]string{
	"account_actions":      "as action_accounts",
	"account_keys_move":    "progress of a change of tables",
	"account_traces":       "as trace_accounts",
	"day_ranges":           "sums over other rows",
	"day_states":           "sums over other rows",
	"day_totals":           "sums over other rows",
	"dictionaries":         "chosen by each database",
	"action_dictionaries":  "chosen by each database",
	"jetton_days":          "sums over other rows",
	"large_trace_accounts": "as trace_accounts",
	"goose_db_version":     "the migrations",
	"metadata":             "responses of other servers",
	"name_changes":         "changes, counted by database",
	"names_version":        "changes, counted by database",
	"network":              "reserved before the first block",
	"dropped_blocks":       "what has no rows any more",
	"cold_servers":         "where rows are",
	"cold_blocks":          "the same",
	"cold_ranges":          "the same",
	"cold_dropped":         "the same",
	"snapshots_imported":   "how rows came here",
	"dropped_traces":       "progress of the removal of traces",
	"pending_messages":     "messages that were sent",
	"range_digests":        "digests themselves, of which databases have some at different times",
	"token_counts":         "counts of other rows, at different times",
	"nft_traits":           "responses of other servers",
	"token_names":          "responses of other servers",
	"trace_wants":          "depends on which blocks are missing",
	"cell_sweep":           "progress of the removal of cells",
	"cell_uses":            "the same",
	"schema_gateways":      "what migrations mean to gateways",
	"transactions_move":    "progress of a change of tables",
	"verification_counts":  "sums over transactions",
}

// Rows that an earlier version wrote have a bit for claims, which have no table any more.
func TestDigest_ContractsOfEarlierVersionsAreEqual(t *testing.T) {
	t.Parallel()
	m := storetest.IndexContracts(t)
	want, err := m.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	handle := m.DB.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	_, err = handle.ExecContext(t.Context(), `UPDATE contracts SET kinds = kinds | 512`)
	require.NoError(t, err)
	got, err := m.Reader.Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A table without its line in the digest is compared by no test of orders, repetitions or crashes.
func TestDigest_CoversEveryTableOfTheIndex(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	digest, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	covered := map[string]bool{}
	for _, table := range digest.Tables {
		covered[table.Table] = true
	}
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	rows, err := handle.QueryContext(t.Context(), `SELECT relname FROM pg_class
		WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace ORDER BY relname`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var missing []string
	for rows.Next() {
		var table string
		require.NoError(t, rows.Scan(&table))
		ofServices := strings.HasPrefix(table, "access_") || strings.HasPrefix(table, "merchant") ||
			strings.HasPrefix(table, "payment") || strings.HasPrefix(table, "webhook_")
		if !covered[table] && !ofServices && undigested[table] == "" {
			missing = append(missing, table)
		}
	}
	require.NoError(t, rows.Err())
	require.Empty(t, missing, "add them to digest.go, or to the list in this test with the reason")
}

// filledElsewhere are the tables of the digest that the chains of this package's tests leave empty.
var filledElsewhere = map[string]string{
	"configs":           "by the local chain of indexer's tests",
	"libraries":         "by the local chain of indexer's tests",
	"library_facts":     "by the local chain of indexer's tests",
	"library_ranges":    "by the local chain of indexer's tests",
	"replay_mismatches": "TestApply_EveryColumnIsReadBack",
	"replay_unverified": "the tests of package verdicts",
}

// Tests that compare digests cover a table only if their blocks fill it.
func TestDigest_TestsFillEveryTable(t *testing.T) {
	t.Parallel()
	filled := map[string]bool{}
	var empty []string
	for _, blocks := range [][]*chain.MasterBlock{storetest.SmallChain(), storetest.NewContracts().Blocks} {
		db := testdb.New(t)
		db.Writer().SetClassifier(storetest.Classifier{})
		storetest.Apply(t, db.Writer(), blocks)
		digest, err := db.Reader().Digest(t.Context(), nil)
		require.NoError(t, err)
		empty = empty[:0]
		for _, table := range digest.Tables {
			filled[table.Table] = filled[table.Table] || table.Rows > 0
			if !filled[table.Table] && filledElsewhere[table.Table] == "" {
				empty = append(empty, table.Table)
			}
		}
	}
	require.Empty(t, empty, "no step of the writer writes these, or neither internal/store/synthetic nor storetest.NewContracts has rows for them")
}
