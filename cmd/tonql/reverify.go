package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/store"
)

func reverifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "reverify",
		Usage: "re-execute unverified transactions",
		Description: `Re-executes the transactions that exceeded their budget when they were indexed, and updates their verification in place.
Set a larger budget with --replay-time and --replay-memory. With --mismatches, transactions that had another result than on the
chain, and those by old rules, are executed again, too, such as after an update that executes more rules. Gateways and the indexer can run at the same time. The log names
the last masterchain block done; --from continues there.

   tonql index reverify --network mainnet --database-url postgres://host/tonql --replay-time 2m
   tonql index reverify --from 45000000 --to 45100000 --replay-memory 4096
   tonql index reverify --mismatches`,
		Flags: join(rangeFlags(), config.Arguments(
			boolean("mismatches", "also execute mismatches again, and transactions by old rules"),
		), replayFlags(), dataFlags(), networkFlags(), logFlags()),
		Action: checked(reverify),
	}
}

func reverify(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	var opts indexer.Options
	replayBudget(c, &opts.Replay)
	return withDatabase(ctx, c, log, func(lc *lifecycle, db *store.DB) error {
		within, err := indexedRange(ctx, c, db)
		if err != nil {
			return err
		}
		ix, err := openIndexer(ctx, c, lc, db, opts)
		if err != nil {
			return err
		}
		var also []chain.Verification
		if c.Bool("mismatches") {
			also = []chain.Verification{chain.Mismatch, chain.OldRules}
		}
		progress := newProgressLog(log)
		done, err := ix.Reverify(ctx, *within, func(r indexer.Reverification) {
			if progress.advance(fromFlag(r.McSeqno)) {
				log.Info("executing transactions again", "transactions", r.Tried, "replayed", r.Replayed, "mc_seqno", r.McSeqno)
			}
		}, also...)
		if err != nil {
			return progress.interrupted(err)
		}
		_, err = fmt.Fprintf(c.Root().Writer, "executed %d transactions again: %d replayed, %d mismatches, %d by old rules, %d over the budget, %d unchanged\n",
			done.Tried, done.Replayed, done.Mismatched, done.OldRules, done.Unverified, done.Unchanged)
		return err
	})
}
