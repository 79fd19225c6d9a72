package indexer

import (
	"context"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

// report passes the progress to Options.Progress once a second, or logs it, until ctx ends.
func (x *Indexer) report(ctx context.Context) {
	show := x.opts.Progress
	if show == nil {
		show = x.logProgress(time.Now)
	}
	last, at := x.Status().Transactions, time.Now()
	rate := 0.0
	for ctxtime.Sleep(ctx, time.Second) {
		x.checkHead(ctx)
		s := x.Status()
		now := time.Now()
		perSecond := float64(s.Transactions-last) / now.Sub(at).Seconds()
		rate += (perSecond - rate) / 3 // smoothed over some seconds
		last, at = s.Transactions, now
		x.status.setRate(rate)
		s.Rate = rate
		x.metrics.show(s)
		show(s)
	}
}

// checkHead fetches the head of the network, so that Status has the lag and reports an unreachable network while following
// waits.
func (x *Indexer) checkHead(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	head, err := x.src.Head(ctx)
	if err != nil {
		x.status.trouble("head", "head of the network: "+chain.PublicMessage(err))
		return
	}
	x.status.trouble("head", "")
	x.status.sawHead(head.Seqno)
}

// Least times between two log lines of progress.
const (
	liveProgress = 30 * time.Second
	busyProgress = 5 * time.Second // while blocks are missing, or the indexer waits for something
)

// logProgress returns a function that logs progress: nothing new is not logged, and a network that fails and recovers
// repeatedly causes no more lines than one that is being caught up with.
func (x *Indexer) logProgress(now func() time.Time) func(Status) {
	var (
		logged time.Time
		before uint32
	)
	return func(s Status) {
		interval := busyProgress
		if s.Live() {
			interval = liveProgress
		}
		at := now()
		if !logged.IsZero() && at.Sub(logged) < interval || s.Live() && s.Indexed == before {
			return
		}
		logged, before = at, s.Indexed
		args := []any{"head", s.Head, "indexed", s.Indexed, "behind", s.LagBlocks, "missing", s.Remaining,
			"tx_per_second", int(s.Rate)}
		if len(s.Trouble) > 0 {
			args = append(args, "waiting_for", s.Trouble[0])
		}
		x.opts.Logger.Info("progress", args...)
	}
}
