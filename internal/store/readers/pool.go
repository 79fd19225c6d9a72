package readers

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Query sends a statement.
func (rs *Set) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if rs.divided(ctx) {
		return rs.queryOnce(ctx, sql, args)
	}
	r, err := rs.reaching(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := r.pool.Query(ctx, sql, args...)
	if err != nil {
		r.observe(err)
	}
	return rows, err //nolint:wrapcheck // the caller adds the name of the query
}

// SendBatch sends several statements at once.
func (rs *Set) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	if rs.divided(ctx) {
		return rs.sendOnce(ctx, b)
	}
	r, err := rs.reaching(ctx)
	if err != nil {
		return failedBatch{err}
	}
	return observedBatch{r.pool.SendBatch(ctx, b), r}
}

// failedBatch is the results of a batch that was not sent.
type failedBatch struct{ err error }

func (b failedBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, b.err }
func (b failedBatch) Query() (pgx.Rows, error)         { return nil, b.err }
func (b failedBatch) QueryRow() pgx.Row                { return b }
func (b failedBatch) Scan(...any) error                { return b.err }
func (b failedBatch) Close() error                     { return b.err }

// observedBatch records the error of a batch.
type observedBatch struct {
	pgx.BatchResults
	from *replica
}

func (b observedBatch) Close() error {
	err := b.BatchResults.Close()
	if err != nil {
		b.from.observe(err)
	}
	return err //nolint:wrapcheck // the caller adds the name of the query
}

// BeginTx begins a database transaction.
func (rs *Set) BeginTx(ctx context.Context, opts pgx.TxOptions) (tx pgx.Tx, err error) {
	err = betweenSteps(ctx, func() error {
		tx, err = rs.beginTx(ctx, opts)
		return err
	})
	return tx, err
}

func (rs *Set) beginTx(ctx context.Context, opts pgx.TxOptions) (pgx.Tx, error) {
	r, err := rs.reaching(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := r.pool.BeginTx(ctx, opts)
	if err != nil {
		r.observe(err)
		return nil, err //nolint:wrapcheck // the caller adds the name of the query
	}
	if err := checkSteps(ctx, tx); err != nil {
		_ = tx.Rollback(ctx) // the first error is the cause
		return nil, err
	}
	return tx, nil
}
