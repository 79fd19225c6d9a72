package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/indexrange"
	"tonql/internal/store/session"
)

// origin is the server that the writer's memory is about. A failover or a restore may have lost rows that the memory says are
// there; both end all connections, so memory is valid on connections that are as old as it is, and to the same server only.
type origin struct {
	server session.Server
	serial uint64 // of the newest connection that the memory is valid on
}

// acquire borrows a connection for a transaction that uses what the writer holds in memory, and drops that if it was acquired
// from another server or before the connection was made. The caller holds w.mu and releases the connection.
func (w *Writer) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	conn, err := w.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("database transaction: %w", err)
	}
	if s := session.Of(conn.Conn()); s.Server != w.origin.server || s.Serial > w.origin.serial {
		w.forget()
		w.origin = origin{server: s.Server, serial: s.Serial}
	}
	return conn, nil
}

// adopt replaces the indexed ranges in memory by the stored ones. Where the latter contain the former, another process has added
// blocks: rows that were there still are, while traces may have grown. Otherwise blocks were removed or lost, nothing in memory is
// certain, and the ranges are read again with the rest.
func (w *Writer) adopt(stored []chain.SeqnoRange) {
	if w.rangesRead {
		if !indexrange.Contains(stored, w.ranges) {
			w.forget()
			return
		}
		w.open.Forget()
	}
	w.ranges, w.rangesRead = stored, true
}

// forget drops what the writer holds in memory about the database. Another process may have written meanwhile, or the database may
// have lost commits in a failover, and with them rows that the writer takes to be there.
func (w *Writer) forget() {
	w.ranges, w.rangesRead, w.dropped = nil, false, 0
	w.raw.present, w.details.Present = nil, nil // read again with the ranges
	w.cells.Purge()
	w.codes.Purge()
	w.open.Forget()
	w.keys.Forget()
}
