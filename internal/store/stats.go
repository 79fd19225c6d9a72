package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/store/sqlbuild"
)

// Stats are figures for metrics.
type Stats struct {
	Rows  map[string]int64 // rows of each table as the server last estimated them
	Bytes map[string]int64 // size of each table with its indexes
}

// PoolStats is the state of a connection pool.
type PoolStats struct {
	Max, Open, Busy int32
	Acquired        int64         // connections handed out since the start
	Waited          int64         // of these, after waiting
	Wait            time.Duration // all the waiting together
}

const selectStats = `SELECT c.relname::text, GREATEST(c.reltuples, 0)::bigint, pg_total_relation_size(c.oid)
	FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace ORDER BY c.relname`

// Stats reads the size of every table.
func (r *Reader) Stats(ctx context.Context) (Stats, error) {
	s := Stats{Rows: map[string]int64{}, Bytes: map[string]int64{}}
	err := sqlbuild.Each(ctx, r.pool, "table sizes", func(r *sqlbuild.Row) {
		table := r.Text()
		s.Rows[table] = r.Int8()
		s.Bytes[table] = r.Int8()
	}, selectStats)
	return s, err
}

// Pools is the state of the reading and the writing pool.
func (db *DB) Pools() (read, write PoolStats) { return poolStats(db.read), poolStats(db.write) }

func poolStats(p *pgxpool.Pool) PoolStats {
	s := p.Stat()
	return PoolStats{
		Max: s.MaxConns(), Open: s.TotalConns(), Busy: s.AcquiredConns(),
		Acquired: s.AcquireCount(), Waited: s.EmptyAcquireCount(), Wait: s.EmptyAcquireWaitTime(),
	}
}
