package indexer

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"tonql/internal/ctxtime"
	"tonql/internal/store"
	"tonql/internal/store/moves"
)

const (
	// moveAtOnce is how many rows one database transaction moves at most. It moves fewer at first, and when writers had to wait for
	// longer than maxMoveLock.
	moveAtOnce    = 2000
	moveAtFirst   = 250
	minMoveAtOnce = 32
	maxMoveLock   = 40 * time.Millisecond
	// movePause is the shortest pause between two of these transactions. A longer transaction is followed by a pause of its
	// own length, so that the move takes at most half of the time.
	movePause = 50 * time.Millisecond
	// keepMoved is how long the old tables stay after the move: snapshots that began before it ended still read them.
	keepMoved = 10 * time.Minute
)

// MoveOptions configure a [Mover]. The zero value of a field means the default in its comment.
type MoveOptions struct {
	Rows    int           // maximum rows of one database transaction; default: 2000
	Rate    int           // maximum rows a second; default: no limit but half of the time
	Keep    time.Duration // how long replaced tables stay after their last row was moved; default: 10 minutes
	Recheck time.Duration // interval between attempts to give back the room of what was replaced; default: 30 s
	Logger  *slog.Logger  // nil: no logs
	// Progress is called after each step with the name of the move, from one goroutine at a time; nil: not at all.
	Progress func(name string, step moves.Step)
}

func (o MoveOptions) withDefaults() MoveOptions {
	if o.Rows <= 0 {
		o.Rows = moveAtOnce
	}
	if o.Rate > 0 {
		const stepsPerSecond = 4 // evenly
		o.Rows = min(o.Rows, max(o.Rate/stepsPerSecond, 1))
	}
	if o.Keep <= 0 {
		o.Keep = keepMoved
	}
	if o.Recheck <= 0 {
		o.Recheck = 30 * time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Mover brings the rows of earlier versions into the form of this version, beside an indexer and readers. It continues where an
// earlier run ended, and does nothing in an index that has no such rows.
type Mover struct {
	opts   MoveOptions
	writer *store.Writer
}

// NewMover returns a Mover.
func NewMover(w *store.Writer, opts MoveOptions) *Mover {
	return &Mover{opts: opts.withDefaults(), writer: w}
}

// Run moves all rows and gives back the room of what they were in. A failed transaction is tried again. Run returns when nothing is
// left to do, or with the error of ctx.
func (m *Mover) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		for _, move := range m.writer.Moves(m.opts.Keep) {
			if err := m.move(ctx, move); err != nil {
				return err
			}
			group.Go(func() error { return m.free(ctx, move) }) // beside the next move
		}
		return nil
	})
	return group.Wait()
}

// Move moves all rows, as [Mover.Run] does, and leaves the room of what they were in.
func (m *Mover) Move(ctx context.Context) error {
	for _, move := range m.writer.Moves(m.opts.Keep) {
		if err := m.move(ctx, move); err != nil {
			return err
		}
	}
	return nil
}

// Free tries once to give back the room of what was moved, and reports whether nothing is left.
func (m *Mover) Free(ctx context.Context) (bool, error) {
	all := true
	for _, move := range m.writer.Moves(m.opts.Keep) {
		freed, err := move.Free(ctx)
		if err != nil {
			return false, err
		}
		all = all && freed
	}
	return all, nil
}

// move runs the steps of one move.
func (m *Mover) move(ctx context.Context, move moves.Move) error {
	rows, limit, backoff, failures := 0, min(m.opts.Rows, moveAtFirst), newPause(), failureLog{log: m.opts.Logger, move: move.Name}
	for {
		began := time.Now()
		step, err := move.Step(ctx, limit)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failures.failed(err) {
			if !ctxtime.Sleep(ctx, backoff.NextBackOff()) {
				return ctx.Err()
			}
			continue
		}
		backoff.Reset()
		if rows == 0 && step.Rows > 0 {
			m.opts.Logger.Info("moving rows", "move", move.Name)
		}
		if rows += step.Rows; m.opts.Progress != nil {
			m.opts.Progress(move.Name, step)
		}
		if step.Done {
			m.ended(ctx, move, rows)
			return nil
		}
		limit = nextLimit(limit, m.opts.Rows, step.Locked)
		pause := max(movePause, time.Since(began))
		if m.opts.Rate > 0 {
			pause = max(pause, time.Duration(step.Rows)*time.Second/time.Duration(m.opts.Rate)-time.Since(began))
		}
		if !ctxtime.Sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// nextLimit returns the number of rows of the next step: fewer when writers waited for too long, more when they did not.
func nextLimit(limit, highest int, locked time.Duration) int {
	switch {
	case locked > maxMoveLock:
		return min(max(limit/2, minMoveAtOnce), highest)
	case locked < maxMoveLock/2:
		return min(limit+limit/4+1, highest)
	default:
		return limit
	}
}

// ended logs the end of a move that has moved rows, and the rows that stay.
func (m *Mover) ended(ctx context.Context, move moves.Move, rows int) {
	if rows == 0 {
		return
	}
	m.opts.Logger.Info("rows moved", "move", move.Name, "rows", rows)
	list, err := m.writer.MoveStatuses(ctx)
	if err != nil {
		return // they are also in the metrics
	}
	for i := range list {
		if s := &list[i]; s.Name == move.Name && s.Rest.Total() > 0 {
			m.opts.Logger.Warn("rows stay in the form of an earlier version", "move", s.Name, "without_raw", s.Rest.WithoutRaw,
				"differing", s.Rest.Differing, "without_rest", s.Rest.WithoutRest)
		}
	}
}

// free gives back room when no reader needs it any more.
func (m *Mover) free(ctx context.Context, move moves.Move) error {
	failures := failureLog{log: m.opts.Logger, move: move.Name}
	for {
		freed, err := move.Free(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failures.failed(err); freed {
			return nil
		}
		if !ctxtime.Sleep(ctx, m.opts.Recheck) {
			return ctx.Err()
		}
	}
}

// failureLog logs the first of several failures in a row.
type failureLog struct {
	log     *slog.Logger
	move    string
	failing bool
}

// failed reports whether there is an error.
func (l *failureLog) failed(err error) bool {
	if err != nil && !l.failing {
		l.log.Warn("move failed, retrying", "move", l.move, "err", err)
	}
	l.failing = err != nil
	return l.failing
}

// moveRows runs the moves of the index until ctx ends or nothing is left to move.
func (x *Indexer) moveRows(ctx context.Context) error {
	x.metrics.statuses(ctx, x.db.Writer())
	opts := x.opts.Move
	opts.Logger = x.opts.Logger
	if opts.Recheck == 0 {
		opts.Recheck = x.opts.Recheck
	}
	read := time.Now()
	opts.Progress = func(name string, step moves.Step) {
		x.metrics.moved.WithLabelValues(name).Add(float64(step.Rows))
		if step.Done || time.Since(read) > x.opts.Recheck {
			x.metrics.statuses(ctx, x.db.Writer())
			read = time.Now()
		}
	}
	err := NewMover(x.db.Writer(), opts).Run(ctx)
	if err == nil {
		x.metrics.statuses(ctx, x.db.Writer())
	}
	return err
}
