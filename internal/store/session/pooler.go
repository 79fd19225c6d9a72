package session

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

const needSession = "a pooler between tonql and PostgreSQL has to work in session mode (pgbouncer: pool_mode = session)"

// isPooled reports whether a connection leads through a pooler: PostgreSQL names the process of the connection when it begins, a
// pooler invents a number.
func isPooled(pg *pgconn.PgConn, backend []byte) bool {
	return string(backend) != strconv.FormatUint(uint64(pg.PID()), 10)
}

const (
	selectBackend = `SELECT pg_backend_pid()::text`
	// poolerTries is how often two connections are compared: other clients of the pooler may hide its mode.
	poolerTries = 5
	// poolerTimeout bounds the wait for a connection of the pooler.
	poolerTimeout = 3 * time.Second
)

// CheckPooler refuses a URL that leads to PostgreSQL through a pooler in transaction or statement mode. There, the settings, locks
// and prepared statements of one client would be those of another.
func CheckPooler(ctx context.Context, config *pgconn.Config) error {
	first, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return sqlbuild.Fault(ctx, "database", err)
	}
	defer closeConn(ctx, first)
	backend, err := query(ctx, first, selectBackend)
	if err != nil {
		return sqlbuild.Fault(ctx, "database", err)
	}
	if !isPooled(first, backend[0]) {
		return nil
	}
	for range poolerTries {
		if err := compare(ctx, first, config); err != nil {
			return err
		}
	}
	return nil
}

// compare opens a transaction on a second connection, which in session mode has another server than the first one.
func compare(ctx context.Context, first *pgconn.PgConn, config *pgconn.Config) error {
	bounded, cancel := context.WithTimeout(ctx, poolerTimeout)
	defer cancel()
	before, err := query(bounded, first, selectBackend)
	if err != nil {
		return sqlbuild.Fault(ctx, "database", err)
	}
	second, err := pgconn.ConnectConfig(bounded, config)
	if err != nil {
		return noConnection(ctx, err)
	}
	defer closeConn(ctx, second)
	if err := second.Exec(bounded, `BEGIN`).Close(); err != nil {
		if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) {
			return wrongMode(err) // statement mode has no transactions
		}
		return noConnection(ctx, err)
	}
	other, err := query(bounded, second, selectBackend)
	if err != nil {
		return noConnection(ctx, err)
	}
	after, err := query(bounded, first, selectBackend)
	if err != nil && ctx.Err() == nil || bytes.Equal(other[0], before[0]) || err == nil && !bytes.Equal(after[0], before[0]) {
		return wrongMode(err)
	}
	return sqlbuild.Fault(ctx, "database", err)
}

func wrongMode(err error) error {
	return chain.Unavailablef(err, "the database URL leads to a pooler that changes the server connection between transactions: %s", needSession)
}

func noConnection(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return sqlbuild.Fault(ctx, "database", err)
	}
	return chain.Unavailablef(err, "the pooler of the database URL has no free connection to PostgreSQL: its pool has to be larger than "+
		"the connections of all processes of tonql together")
}

func closeConn(ctx context.Context, pg *pgconn.PgConn) {
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = pg.Close(ending) // it is not used any more
}
