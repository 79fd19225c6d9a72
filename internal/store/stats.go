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

// Pools is the state of the reading pools together and of the writing pool.
func (db *DB) Pools() (read, write PoolStats) {
	for _, r := range db.read.list {
		s := poolStats(r.pool)
		read.Max, read.Open, read.Busy = read.Max+s.Max, read.Open+s.Open, read.Busy+s.Busy
		read.Acquired, read.Waited, read.Wait = read.Acquired+s.Acquired, read.Waited+s.Waited, read.Wait+s.Wait
	}
	return read, poolStats(db.write)
}

func poolStats(p *pgxpool.Pool) PoolStats {
	s := p.Stat()
	return PoolStats{
		Max: s.MaxConns(), Open: s.TotalConns(), Busy: s.AcquiredConns(),
		Acquired: s.AcquireCount(), Waited: s.EmptyAcquireCount(), Wait: s.EmptyAcquireWaitTime(),
	}
}
