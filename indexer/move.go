package indexer

import (
	"context"
	"time"

	"tonql/internal/ctxtime"
)

const (
	// moveAtOnce is how many rows one database transaction moves. It is small enough not to delay the newest block.
	moveAtOnce = 2000
	// movePause is the shortest pause between two of these transactions. A longer transaction is followed by a pause of its
	// own length, so that the move takes at most half of the writer's time.
	movePause = 50 * time.Millisecond
	// keepMoved is how long the old tables stay after the move: snapshots that began before it ended still read them.
	keepMoved = 10 * time.Minute
)

// moveOptions are moveAtOnce and keepMoved; tests replace them.
type moveOptions struct {
	rows int
	keep time.Duration
}

// moveAccounts brings the rows of an earlier version that lead from accounts to traces into the form of this version, beside
// following and refilling. It continues where an earlier run ended, and does nothing in an index that has none. A failed
// transaction is tried again and does not end the session; only the first of several failures in a row is logged.
func (x *Indexer) moveAccounts(ctx context.Context) error {
	rows, failing, backoff := 0, false, newPause()
	for {
		began := time.Now()
		move, err := x.db.Writer().MoveAccounts(ctx, x.move.rows, x.move.keep)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if rows == 0 && move.Rows > 0 {
			x.opts.Logger.Info("moving account keys")
		}
		rows += move.Rows
		if rows > 0 && move.Done {
			x.opts.Logger.Info("account keys moved", "rows", rows)
			rows = 0
		}
		if err == nil && move.Dropped {
			return nil
		}
		if err != nil && !failing {
			x.opts.Logger.Warn("move of account keys failed, retrying", "err", err)
		}
		if failing = err != nil; !failing {
			backoff.Reset()
		}
		pause := max(movePause, time.Since(began))
		switch {
		case move.Done:
			pause = x.opts.Recheck
		case failing:
			pause = backoff.NextBackOff()
		}
		if !ctxtime.Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}
