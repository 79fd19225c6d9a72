package store

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// PoolStats is the state of a connection pool.
type PoolStats struct {
	Max, Open, Busy int32
	Acquired        int64         // connections handed out since the start
	Waited          int64         // of these, after waiting
	Wait            time.Duration // all the waiting together
}

// Pools returns the state of the reading pools together and of the writing pool.
func (db *DB) Pools() (read, write PoolStats) {
	for _, pool := range db.read.Pools() {
		s := poolStats(pool)
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
