package store

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/batch"
	"tonql/internal/store/sqlbuild"
)

// The channel on which writers notify readers of committed blocks. The payload is the highest masterchain seqno of the
// commit in decimal. Notifications are lost with a connection; the table indexed_ranges is authoritative.
const (
	notifyBlocks = `SELECT pg_notify('tonql_blocks', $1)`
	listenBlocks = `LISTEN tonql_blocks`

	// Gateways notify one another of stored messages. The table pending_messages is authoritative.
	notifyPending = `SELECT pg_notify('tonql_pending', '')`
	listenPending = `LISTEN tonql_pending`
)

func queueNotification(b *pgx.Batch, blocks []*chain.MasterBlock) {
	b.Queue(notifyBlocks, strconv.FormatUint(uint64(batch.Highest(blocks)), 10))
}

// Listen calls hint with the highest masterchain seqno of every commit of blocks by any process, until ctx ends. It calls
// hint with 0 each time it begins to listen, because notifications of earlier commits are lost. When the connection fails,
// lost receives the error and Listen reconnects with exponential backoff. It uses a separate connection to the primary:
// standbys do not support LISTEN. With a standby as the only database, it calls hint at short intervals.
func (db *DB) Listen(ctx context.Context, hint func(mcSeqno uint32), lost func(error)) {
	if !db.poll(ctx, func() { hint(0) }) {
		return
	}
	l := sqlbuild.Listener{Config: db.write.Config().ConnConfig, Statement: listenBlocks, What: "notifications of blocks", Lost: lost}
	l.Run(ctx, func() { hint(0) }, func(payload string) {
		if seqno, err := strconv.ParseUint(payload, 10, 32); err == nil {
			hint(uint32(seqno))
		}
	})
}

const (
	// standbyPoll is the interval of hints from a standby.
	standbyPoll = 200 * time.Millisecond
	// promotionPolls is how many hints are between two checks whether the standby was promoted.
	promotionPolls = 25
)

// poll calls hint at short intervals while the database is a standby. It returns false when ctx has ended.
func (db *DB) poll(ctx context.Context, hint func()) bool {
	for n := 0; db.Standby(); n++ {
		hint()
		if !ctxtime.Sleep(ctx, standbyPoll) {
			return false
		}
		if n%promotionPolls == 0 {
			var standby bool
			if db.write.QueryRow(ctx, `SELECT pg_is_in_recovery()`).Scan(&standby) == nil {
				db.standby.Store(standby)
			}
		}
	}
	return ctx.Err() == nil
}
