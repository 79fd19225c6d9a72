package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/contracts"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
)

// The messages that transactions sent are read by their LTs, also by the plan that PostgreSQL makes once for all parameters: for an account
// with many messages it must not read all of them for each of its transactions.
func TestMessagesSentBy_DoNotReadTheOtherMessagesOfAnAccount(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := newDBWithoutAutovacuum(t)
	o := synthetic.Options{Transactions: 20_000, Accounts: 300, PerBlock: 40, Shards: 2, Seed: 3}
	require.NoError(t, synthetic.Load(t.Context(), db.Writer(), o, nil))
	storetest.ExecSQL(t, db, "VACUUM ANALYZE")
	r := db.Reader()
	hot := synthetic.Address(0)
	rows, err := r.Transactions(t.Context(), chain.TransactionFilter{Accounts: []chain.Address{hot}}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	accounts, lts, sent := [][]byte{}, []int64{}, 0
	for i := range rows {
		if rows[i].OutMsgCount > 0 {
			accounts, lts, sent = append(accounts, hot.Bytes()), append(lts, int64(rows[i].LT)), sent+int(rows[i].OutMsgCount)
		}
	}
	require.Greater(t, sent, 100)
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		p := explainIn(t, r, mode, store.Statement{Text: store.SelectSentByKey, Args: []any{accounts, lts}})
		require.Less(t, p.pages, 15*len(lts)+sent, "%s: %d pages for %d messages of %d transactions\n%s", mode, p.pages, sent, len(lts), p.text)
	}
}

// Pages of transfers of several owners cost as many pages of the database as these owners have, whatever the plan: for 100 owners it must not
// read the keys of all of them again for each row of the table.
func TestTransferPages_AreReadOnceForEachOwner(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := newDBWithoutAutovacuum(t)
	o := synthetic.Options{Transactions: 20_000, Accounts: 300, PerBlock: 40, Shards: 2, Seed: 3, Contracts: true}
	require.NoError(t, synthetic.Load(t.Context(), db.Writer(), o, nil))
	storetest.ExecSQL(t, db, "VACUUM ANALYZE")
	r := db.Reader()
	owners := make([]chain.Address, 100)
	for i := range owners {
		owners[i] = synthetic.Address(i)
	}
	for _, sort := range []chain.Sort{chain.Ascending, chain.Descending} {
		for i, s := range contracts.TransferPagesStatements(owners, chain.Page{Limit: 21, Sort: sort}) {
			for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
				p := explainIn(t, r, mode, store.Statement{Text: s.Text.String(), Args: s.Args})
				require.Less(t, p.pages, 200*len(owners), "table %d, %s: %d pages\n%s", i, mode, p.pages, p.text)
			}
		}
	}
}

// explainIn is explain in a mode of the cache of plans.
func explainIn(t *testing.T, r *store.Reader, mode string, s store.Statement) plan {
	t.Helper()
	conn, err := r.Pool().Acquire(t.Context())
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "SET plan_cache_mode = "+mode, pgx.QueryExecModeSimpleProtocol)
	conn.Release()
	require.NoError(t, err)
	defer r.Pool().Reset() // of the connection with this mode
	require.EqualValues(t, 1, r.Pool().Stat().TotalConns(), "the mode %s is that of the connection", mode)
	return explain(t, r, 1, s)
}
