package store

import (
	"context"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/sqlbuild"
)

// The channel on which writers tell readers that blocks were committed. The payload is the highest masterchain seqno of
// the commit in decimal. It is a hint and may be lost with a connection; the ledger is the truth.
const (
	notifyBlocks = `SELECT pg_notify('tonql_blocks', $1)`
	listenBlocks = `LISTEN tonql_blocks`

	// Gateways tell one another that a message was kept; the table is the truth.
	notifyPending = `SELECT pg_notify('tonql_pending', '')`
	listenPending = `LISTEN tonql_pending`
)

func queueNotice(b *pgx.Batch, blocks []*chain.MasterBlock) {
	b.Queue(notifyBlocks, strconv.FormatUint(uint64(highest(blocks)), 10))
}

// Listen calls hint with the highest masterchain seqno of every commit of blocks by any process, until ctx ends. It calls
// hint with 0 each time it begins to listen, because notifications of earlier commits are lost. When the connection fails,
// lost receives the error and Listen reconnects with exponential backoff. It uses a separate connection to the primary:
// replicas do not support LISTEN.
func (db *DB) Listen(ctx context.Context, hint func(mcSeqno uint32), lost func(error)) {
	l := listener{config: db.write.Config().ConnConfig, statement: listenBlocks, what: "notifications of blocks", lost: lost}
	l.run(ctx, func() { hint(0) }, func(payload string) {
		if seqno, err := strconv.ParseUint(payload, 10, 32); err == nil {
			hint(uint32(seqno))
		}
	})
}

// maxListenDelay is the longest pause between two attempts to listen.
const maxListenDelay = 5 * time.Second

// listener receives the notifications of one channel over a separate connection and reconnects when that fails.
type listener struct {
	config    *pgx.ConnConfig // of the primary
	statement string          // LISTEN …
	what      string          // for errors
	lost      func(error)     // called after each failure, before the pause
}

// run calls ready each time it begins to listen, and receive with each payload. It returns when ctx ends.
func (l *listener) run(ctx context.Context, ready func(), receive func(payload string)) {
	delay := backoff.NewExponentialBackOff()
	delay.MaxInterval = maxListenDelay
	for {
		err := l.listen(ctx, func() { delay.Reset(); ready() }, receive)
		if ctx.Err() != nil {
			return
		}
		l.lost(sqlbuild.Fault(ctx, l.what, err))
		if !ctxtime.Sleep(ctx, delay.NextBackOff()) {
			return
		}
	}
}

// listen is one connection of run. It ends with the connection or with ctx, always with an error.
func (l *listener) listen(ctx context.Context, ready func(), receive func(payload string)) error {
	config := l.config.Copy()
	config.RuntimeParams["application_name"] = "tonql listen"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing) // the connection is not used any more
	}()
	if _, err := conn.Exec(ctx, l.statement); err != nil {
		return err
	}
	ready()
	for {
		notification, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		receive(notification.Payload)
	}
}
