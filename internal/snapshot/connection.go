package snapshot

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// unlimited lifts the server's limits of time: files take as long as disks do.
const unlimited = `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`

// transaction runs fn in a transaction on a connection of its own.
func transaction(ctx context.Context, db *sql.DB, o pgx.TxOptions, fn func(pgx.Tx) error) error {
	return connection(ctx, db, func(conn *pgx.Conn) error {
		return pgx.BeginTxFunc(ctx, conn, o, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, unlimited, pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
			return fn(tx)
		})
	})
}

func connection(ctx context.Context, db *sql.DB, fn func(*pgx.Conn) error) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	err = c.Raw(func(driver any) error { return fn(driver.(*stdlib.Conn).Conn()) }) //nolint:errcheck // store.DB opens no other driver
	closed := c.Close()
	var typed *chain.Error
	if ctx.Err() == nil && sqlbuild.IsConnectionLost(err) && !errors.As(err, &typed) {
		// Beside the name of a file an end of input would be taken for that of the file.
		return chain.Transientf(err, "the connection to the database was lost: repeat the command")
	}
	return errors.Join(err, closed)
}
