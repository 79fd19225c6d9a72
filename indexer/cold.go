package indexer

import (
	"context"
	"time"

	"tonql/internal/chain"
	"tonql/internal/ctxtime"
)

// claimInterval is how often the claims to cold servers are renewed, so that an older copy of the index cannot change them. An interrupted move is undone
// then, too: requests for moved blocks are refused for no longer.
const claimInterval = time.Minute

// checkCold prepares the moved blocks of an index for a session: a move that was interrupted is undone, and blocks are not dropped while older
// ones are on cold servers. It returns the servers for which that has failed.
func (x *Indexer) checkCold(ctx context.Context) (failed map[string]bool, err error) {
	failed = map[string]bool{}
	list, err := x.db.Reader().ColdRanges(ctx)
	if err != nil || len(list) == 0 {
		return failed, err
	}
	if !x.opts.Keep.Unlimited() {
		return nil, chain.Invalidf("--keep cannot drop blocks while older ones are on cold servers: drop these by tonql range drop, move them back by tonql range thaw, or run without --keep")
	}
	for _, server := range list {
		// The blocks of the head do not need the server. Requests for moved blocks fail until it responds.
		if err := x.claimCold(ctx, server.Server); err != nil && ctx.Err() == nil {
			x.opts.Logger.Warn("cold server is not changed", "server", server.Server, "err", err)
			failed[server.Server] = true
		}
	}
	return failed, nil
}

// claimCold renews the claim to a cold server, and undoes a move to it that was interrupted.
func (x *Indexer) claimCold(ctx context.Context, server string) error {
	if err := x.db.Cold().Claim(ctx, server); err != nil {
		return err
	}
	return x.db.Cold().Reconcile(ctx, server)
}

// claims renews the claims to cold servers at an interval, and undoes moves that were interrupted meanwhile: by the end of a command between two commits, or by a
// lost connection between the servers. Of a failure the next session or a command has the reason.
func (x *Indexer) claims(ctx context.Context, failed map[string]bool, interval time.Duration) error {
	for ctxtime.Sleep(ctx, interval) {
		list, err := x.db.Reader().ColdRanges(ctx)
		if err != nil {
			continue
		}
		for _, server := range list {
			err := x.claimCold(ctx, server.Server)
			if failed[server.Server] && err == nil {
				x.opts.Logger.Info("cold server responds again", "server", server.Server)
			}
			// Another copy of the index does not become this one.
			failed[server.Server] = err != nil && chain.KindOf(err) != chain.Invalid
		}
	}
	return ctx.Err()
}
