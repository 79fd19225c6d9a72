package payments_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/store/payments"
	"tonql/internal/testdb"
)

// Every lookup and list of the dashboard has an index for its condition: with sequential scans disabled, none of the tables that grow is
// read completely.
func TestPlans_ListsOfTheDashboardHaveAnIndex(t *testing.T) {
	t.Parallel()
	handle := testdb.New(t).SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	tx, err := handle.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback() })
	_, err = tx.ExecContext(t.Context(), `SET LOCAL enable_seqscan = off`)
	require.NoError(t, err)
	hash, now := make([]byte, 32), time.Now()
	for name, args := range map[string][]any{
		"volumes":               {1, 1, 20},
		"counts":                {1, now},
		"refunds":               {"x"},
		"sums of refunds":       {[]string{"x"}},
		"stored refunds":        {[]string{"x"}},
		"links":                 {1, 0, 50},
		"link by page":          {"x"},
		"open links":            {1},
		"open payment of once":  {1},
		"open of a link":        {1, now},
		"open of all links":     {1, now},
		"payment of a page":     {"x"},
		"page of a payment":     {"x"},
		"members":               {1},
		"member":                {1, 1},
		"password of a member":  {"devnet", "shop", "alice", hash, 1},
		"session of a member":   {hash},
		"second factor":         {1, 0},
		"recovery codes":        {1, 0},
		"matching, and refunds": {[]string{"x"}, [][]byte{hash}, []int64{-1}, [][]byte{hash}, [][]byte{hash}, [][]byte{hash}},
	} {
		rows, err := tx.QueryContext(t.Context(), `EXPLAIN `+payments.Statements[name], args...)
		require.NoError(t, err, name)
		var plan []string
		for rows.Next() {
			var line string
			require.NoError(t, rows.Scan(&line))
			plan = append(plan, line)
		}
		require.NoError(t, rows.Err(), name)
		require.NoError(t, rows.Close(), name)
		require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan", name)
	}
}
