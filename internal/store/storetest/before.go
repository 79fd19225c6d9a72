package storetest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/transactions"
)

// AsBefore gives the transactions and states of a database the form of the versions that stored the fields of a transaction in columns,
// its raw form in transaction_bocs, and states in account_states; and lets the move of transactions begin anew.
func AsBefore(t testing.TB, db *store.DB) {
	t.Helper()
	MoveStatesOut(t, db)
	ctx, handle := t.Context(), db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	keys := selectedKeys(t, handle, `SELECT account, lt FROM transactions WHERE prev_hash IS NULL`)
	txs, err := db.Reader().TransactionsByKey(ctx, keys)
	require.NoError(t, err)
	require.Len(t, txs, len(keys))
	bocs, err := db.Reader().TransactionBOCs(ctx, keys)
	require.NoError(t, err)

	conn, err := handle.Conn(ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	require.NoError(t, conn.Raw(func(driver any) error {
		c, ok := driver.(*stdlib.Conn)
		require.True(t, ok)
		return pgx.BeginFunc(ctx, c.Conn(), func(tx pgx.Tx) error { return writeBefore(ctx, tx, txs, bocs) })
	}))
}

func writeBefore(ctx context.Context, tx pgx.Tx, txs []chain.Transaction, bocs map[chain.TransactionKey]chain.BOC) error {
	if _, err := tx.Exec(ctx, `CREATE TEMP TABLE before ON COMMIT DROP AS TABLE transactions WITH NO DATA`); err != nil {
		return err
	}
	var c sqlbuild.CopyBuffer
	c.Reset()
	for i := range txs {
		transactions.WriteDescribed(&c, &txs[i], true)
	}
	if err := c.Send(ctx, tx, "before", transactions.TransactionTable); err != nil {
		return err
	}
	c.Reset()
	for i := range txs {
		c.Row(3)
		c.Address(&txs[i].Account)
		c.Int8(int64(txs[i].LT))
		c.Bytes(bocs[txs[i].Key()])
	}
	if err := c.Send(ctx, tx, "transaction_bocs", "account, lt, boc"); err != nil {
		return err
	}
	for _, s := range []string{
		`CREATE INDEX ON before (account, lt)`,
		`ANALYZE before`,
		`UPDATE transactions t SET boc = NULL, (` + transactions.TransactionTable + `) = (
			SELECT ` + transactions.TransactionTable + ` FROM before b WHERE b.account = t.account AND b.lt = t.lt) WHERE prev_hash IS NULL`,
		`DELETE FROM transactions_move`,
		`INSERT INTO transactions_move DEFAULT VALUES`,
	} {
		if _, err := tx.Exec(ctx, s); err != nil {
			return err
		}
	}
	return nil
}
