package store

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
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
// replicas do not support LISTEN.
func (db *DB) Listen(ctx context.Context, hint func(mcSeqno uint32), lost func(error)) {
	l := sqlbuild.Listener{Config: db.write.Config().ConnConfig, Statement: listenBlocks, What: "notifications of blocks", Lost: lost}
	l.Run(ctx, func() { hint(0) }, func(payload string) {
		if seqno, err := strconv.ParseUint(payload, 10, 32); err == nil {
			hint(uint32(seqno))
		}
	})
}
