package store

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/chain"
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

// Listen calls hint with the highest masterchain seqno of every commit of blocks, by whichever process, over a connection
// of its own to the primary: replicas cannot be listened to. It calls it with 0 as soon as it listens, since what was
// committed before went unheard. It ends with the connection or with ctx, always with an error.
func (db *DB) Listen(ctx context.Context, hint func(mcSeqno uint32)) error {
	err := listen(ctx, db.write.Config().ConnConfig.Copy(), listenBlocks, func() { hint(0) }, func(payload string) {
		if seqno, err := strconv.ParseUint(payload, 10, 32); err == nil {
			hint(uint32(seqno))
		}
	})
	return fault(ctx, "notices of blocks", err)
}

// listen calls ready once it listens by the statement, then hear with each payload, over a connection of its own. It ends
// with the connection or with ctx, always with an error.
func listen(ctx context.Context, config *pgx.ConnConfig, statement string, ready func(), hear func(payload string)) error {
	config.RuntimeParams["application_name"] = "tonql listen"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing) // nothing is left to be told to anyone
	}()
	if _, err := conn.Exec(ctx, statement); err != nil {
		return err
	}
	ready()
	for {
		notice, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		hear(notice.Payload)
	}
}
