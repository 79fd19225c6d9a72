package store_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
)

// TestCharts_UseTheirIndexes runs the statements of charts on 5,000 ranges of masterchain blocks, which last for some 170 days.
func TestCharts_UseTheirIndexes(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := newDBWithoutAutovacuum(t)
	o := synthetic.Options{Transactions: 12_000, Accounts: 500, PerBlock: 38, Shards: 2, Seed: 1}
	require.NoError(t, synthetic.Load(t.Context(), db.Writer(), o, nil))
	storetest.ExecSQL(t, db, `DELETE FROM indexed_ranges; INSERT INTO indexed_ranges VALUES (1, 5000000)`)
	storetest.ExecSQL(t, db, `INSERT INTO day_ranges SELECT n, 1, n * 1000 + 999, 1, greatest(n * 1000, 1), n * 1000 + 999, n, 1700000000 + n * 3000, 1700000000 + (n + 1) * 3000
		FROM generate_series(0, 4999) n`)
	storetest.ExecSQL(t, db, `INSERT INTO day_totals SELECT (1700000000 + n * 3000) / 86400, n, 5, 5 FROM generate_series(0, 4999) n`)
	storetest.ExecSQL(t, db, `INSERT INTO day_states SELECT day, sum(number), max(number), 1, true FROM day_totals GROUP BY day`)
	storetest.ExecSQL(t, db, `INSERT INTO jetton_days SELECT '\x80' || sha256(j::text::bytea), day, 1, 1, 1, 1 FROM day_states, generate_series(1, 200) j`)
	within := chain.DayRange{First: 1_700_000_000/chain.SecondsPerDay + 100, Last: 1_700_000_000/chain.SecondsPerDay + 129}
	pages := map[string]int{"times of sums per day": 3000, "sums per day": 8000, "Jetton per day": 9000, "counterparties": 9000}
	var list []planCase
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		list = append(list, planCase{name, pages[name], store.ChartStatements(synthetic.Address(0), within)[name]})
	}
	requirePlans(t, db, list)
}
