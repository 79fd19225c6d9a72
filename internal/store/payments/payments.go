package payments

import (
	"context"
	"fmt"
	"log/slog"
	"maps"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"tonql/internal/logs"
	"tonql/internal/store/session"
	"tonql/internal/store/sqlbuild"
	"tonql/migrations"
)

// Store stores merchants, the transfers that they registered and the events about these transfers. It always queries
// the primary, through a separate pool, so that webhook receivers delay neither readers nor the indexer. It is safe for
// concurrent use. Errors are of package chain; those about a full or duplicate object say so.
type Store struct {
	pool *pgxpool.Pool
	jobs *river.Client[pgx.Tx] // inserts only
}

// paymentConns bounds the connections of [Store]. One of them listens for jobs.
const paymentConns = 8

// Open creates a Store on the database of write. Its pool connects on its first use, to the primary only. The caller
// closes it.
func Open(ctx context.Context, write *pgxpool.Pool) (*Store, error) {
	pc := write.Config().Copy()
	pc.MaxConns, pc.MinConns = paymentConns, 0
	pc.AfterConnect = nil // it applies the settings of the writer
	session.Configure(pc, nil)
	pc.ConnConfig.RuntimeParams = maps.Clone(pc.ConnConfig.RuntimeParams)
	pc.ConnConfig.RuntimeParams["application_name"] = "tonql payments"
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "database pool", err)
	}
	jobs, err := newJobs(pool)
	if err != nil {
		pool.Close()
		return nil, err
	}
	return &Store{pool: pool, jobs: jobs}, nil
}

// newJobs returns the client that inserts jobs in transactions of any pool.
func newJobs(pool *pgxpool.Pool) (*river.Client[pgx.Tx], error) {
	jobs, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Schema: migrations.RiverSchema, Logger: logs.Library(slog.Default(), "river", slog.LevelWarn, slog.LevelError),
	})
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	return jobs, nil
}

// JobDriver returns a driver with which River works on the jobs that this package inserts. It uses the pool of s.
func (s *Store) JobDriver() *riverpgxv5.Driver { return riverpgxv5.New(s.pool) }

// JobSchema is the schema of the job tables.
const JobSchema = migrations.RiverSchema

// transaction runs fn in a read-committed transaction.
func (s *Store) transaction(ctx context.Context, what string, fn func(pgx.Tx) error) error {
	return sqlbuild.Fault(ctx, what, pgx.BeginFunc(ctx, s.pool, fn))
}

// Close closes the pool after all borrowed connections are returned.
func (s *Store) Close() { s.pool.Close() }
