package locks

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/sqlbuild"
)

const (
	// The session may be idle for hours, however the server is set.
	tryLockRanges  = `SELECT pg_try_advisory_lock($1) FROM set_config('idle_session_timeout', '0', false)`
	tryShareRanges = `SELECT pg_try_advisory_lock_shared($1) FROM set_config('idle_session_timeout', '0', false)`
	// The PostgreSQL process of a session that has the lock: 0 if it has just ended.
	selectRangesHolder = `SELECT coalesce(min(pid), 0) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND classid::bigint = $1::bigint >> 32 AND objid::bigint = $1::bigint & 4294967295`
)

// sessionEnd is how long PostgreSQL may take to end the session of a command that has just ended: the next one in a script is not refused.
const sessionEnd = 2 * time.Second

// Ranges takes the sole right to change which blocks cold servers have, for a command of many steps: two that move blocks in opposite directions would undo each other
// endlessly. While another command has it, or shares it, the error is of kind Invalid. The caller checks it between steps, and returns it with Release.
func Ranges(ctx context.Context, pool *pgxpool.Pool) (*Lock, error) {
	return ranges(ctx, pool, tryLockRanges)
}

// ShareRanges prevents that blocks are moved to or from cold servers until Release. Any number of commands share it.
func ShareRanges(ctx context.Context, pool *pgxpool.Pool) (*Lock, error) {
	return ranges(ctx, pool, tryShareRanges)
}

func ranges(ctx context.Context, pool *pgxpool.Pool, statement string) (*Lock, error) {
	l, err := Claims(ctx, pool)
	if err != nil {
		return nil, err
	}
	var got bool
	for since := time.Now(); ; {
		err = l.conn.QueryRow(ctx, statement, lockRanges).Scan(&got)
		if err != nil || got || time.Since(since) > sessionEnd || !ctxtime.Sleep(ctx, lockInterval) {
			break
		}
	}
	switch {
	case err != nil:
	case got:
		// The step of a command that was killed may be about to end in the server.
		err = pgx.BeginFunc(ctx, l.conn, func(tx pgx.Tx) error { return Cold(ctx, tx) })
	default:
		var holder int64
		if err = l.conn.QueryRow(ctx, selectRangesHolder, lockRanges).Scan(&holder); err == nil {
			err = chain.Invalidf("another command moves blocks to or from cold servers, drops them, or exports a snapshot (its PostgreSQL process is %d): wait until it ends", holder)
		}
	}
	if err != nil {
		l.Release()
		return nil, fmt.Errorf("cold servers: %w", sqlbuild.Fault(ctx, "lock of moves", err))
	}
	return l, nil
}
