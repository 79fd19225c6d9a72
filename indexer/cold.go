package indexer

import (
	"context"

	"tonql/internal/chain"
)

// checkCold prepares the moved blocks of an index for a session: a move that was interrupted is undone, and blocks are not dropped while older
// ones are on cold servers.
func (x *Indexer) checkCold(ctx context.Context) error {
	list, err := x.db.Reader().ColdRanges(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	if !x.opts.Keep.Unlimited() {
		return chain.Invalidf("--keep cannot drop blocks while older ones are on cold servers: drop these by tonql range drop, move them back by tonql range thaw, or run without --keep")
	}
	if err := x.db.Writer().ReconcileCold(ctx); err != nil && ctx.Err() == nil {
		// The blocks of the head do not need the server. Requests for moved blocks fail until it responds.
		x.opts.Logger.Warn("cold server does not respond", "err", err)
	}
	return nil
}
