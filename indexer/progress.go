package indexer

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

// report shows the progress once a second: as a bar on a terminal, otherwise as a log line when it has changed.
func (x *Indexer) report(ctx context.Context) error {
	show := x.logLine()
	if f, ok := x.opts.Progress.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		show = progress(f)
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
	return ctx.Err()
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

// logLine returns a function that logs progress: every second while blocks are missing, at the head only new blocks.
func (x *Indexer) logLine() func(Status) {
	var before uint32
	return func(s Status) {
		if s.Indexed == before && s.Remaining == 0 && len(s.Trouble) == 0 {
			return
		}
		before = s.Indexed
		args := []any{"head", s.Head, "indexed", s.Indexed, "behind", s.LagBlocks, "missing", s.Remaining,
			"tx_per_second", int(s.Rate)}
		if len(s.Trouble) > 0 {
			args = append(args, "waiting_for", s.Trouble[0])
		}
		x.opts.Logger.Info("progress", args...)
	}
}

// progress returns a function that draws a bar of the masterchain blocks that are missing, including those that appear
// meanwhile.
func progress(f *os.File) func(Status) {
	bar := progressbar.NewOptions64(1,
		progressbar.OptionSetWriter(f), progressbar.OptionSetWidth(30), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionUseANSICodes(true),
	)
	var total uint32
	return func(s Status) {
		left := s.Remaining + s.LagBlocks
		total = max(total, left, 1)
		bar.ChangeMax64(int64(total))
		text := fmt.Sprintf("block %d of %d, %d tx/s", s.Indexed, s.Head, int(s.Rate))
		if len(s.Trouble) > 0 {
			text += ", waiting for " + s.Trouble[0]
		}
		bar.Describe(text)
		if left == 0 {
			total = 1 // at the head: the next backlog starts at zero
			_ = bar.Set64(1)
			return
		}
		_ = bar.Set64(int64(total - left))
	}
}
