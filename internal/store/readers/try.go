package readers

import (
	"context"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
	"tonql/internal/store/sqlbuild"
)

const (
	// firstPause and maxPause bound the growing pause between two tries of a request.
	firstPause = 25 * time.Millisecond
	maxPause   = 400 * time.Millisecond
	// maxTrying bounds the tries of a request without a deadline.
	maxTrying = 5 * time.Second
	// maxFailures is how often a run is repeated because a cold server did not respond: a second one may fail while the first is missing.
	maxFailures = 2
)

// Try runs a request that only reads, and repeats it while it fails for a reason that passes, such as a lost connection or a
// standby that cancels queries, until ctx ends. All queries of one run read one database, which has masterchain block minSeqno;
// 0 is any. more reports whether the request may run again; nil means always. A run whose rows may be on cold servers is repeated with
// the rows of all servers, see [sqlbuild.Cover].
func Try(ctx context.Context, minSeqno uint32, more func() bool, run func(ctx context.Context) error) error {
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(maxTrying)
	}
	var passing error // of the run before
	complete, failures := false, 0
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		cover := &sqlbuild.Cover{Complete: complete, Partial: complete}
		err := run(Pin(sqlbuild.WithCover(ctx, cover), minSeqno))
		switch {
		case cover.Missed() && !complete && (more == nil || more()):
			complete, passing = true, nil
			continue
		case cover.Failed() && failures < maxFailures && ctx.Err() == nil && (more == nil || more()):
			failures++ // without the servers that do not respond
			continue
		case err == nil:
			return nil
		case passing != nil && ctx.Err() != nil:
			return passing // the reason, in place of the end of the time
		case !chain.IsTransient(err), more != nil && !more(), time.Until(deadline) < pause:
			return err
		}
		passing = err
		if !ctxtime.Sleep(ctx, pause) {
			return passing
		}
	}
}
