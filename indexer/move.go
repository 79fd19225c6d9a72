package indexer

import (
	"context"
	"fmt"
	"time"

	"tonql/internal/ctxtime"
)

const (
	// moveAtOnce is how many rows one database transaction moves. It is small enough not to delay the newest block.
	moveAtOnce = 2000
	// movePause is between two of these transactions, so that the move takes at most half of the writer's time.
	movePause = 50 * time.Millisecond
)

// moveAccounts brings the rows of an earlier version that lead from accounts to traces into the form of this version, beside
// following and refilling. It continues where an earlier run ended, and does nothing in an index that has none.
func (x *Indexer) moveAccounts(ctx context.Context) error {
	rows := 0
	for {
		move, err := x.db.Writer().MoveAccounts(ctx, moveAtOnce)
		pause := movePause
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && move.Done:
			x.opts.Logger.Warn("dropping moved tables failed, retrying", "err", err)
			pause = x.opts.Recheck
		case err != nil:
			return fmt.Errorf("move of account keys: %w", err)
		case move.Dropped:
			return nil
		case move.Done:
			if move.Rows > 0 || rows > 0 {
				x.opts.Logger.Info("account keys moved", "rows", rows+move.Rows)
			}
			rows, pause = 0, x.opts.Recheck
		default:
			if rows == 0 {
				x.opts.Logger.Info("moving account keys")
			}
			rows += move.Rows
		}
		if !ctxtime.Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}
