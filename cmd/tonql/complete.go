package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/config"
	"tonql/internal/store"
)

func completeCommand() *cli.Command {
	return &cli.Command{
		Name:  "complete",
		Usage: "add what blocks of earlier versions lack",
		Description: `Reads the blocks that earlier versions indexed from the network again and adds what 'tonql verify --offline' requires: the frames
of the blocks, and the rest of account states. Other rows stay as they are. Gateways and the indexer can run at the same time. The log
names the last masterchain block done; --from continues there.

   tonql index complete --network mainnet --database-url postgres://host/tonql
   tonql index complete --from 45000000 --to 45100000 --verify proof`,
		Flags: join(rangeFlags(), config.Arguments(
			verifyFlag("how states are read: replay (execute the transactions again) or proof (only the last state of an account in a block)"),
		), replayFlags(), dataFlags(), networkFlags(), logFlags()),
		Action: checked(complete),
	}
}

func complete(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	mode, err := indexer.ParseVerify(c.String("verify"))
	if err != nil {
		return err
	}
	opts := indexer.Options{Verify: mode}
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
		progress := newProgressLog(log)
		done, err := ix.Complete(ctx, *within, func(r indexer.Completion) {
			if progress.advance(fromFlag(r.McSeqno)) {
				log.Info("completing blocks", "blocks", r.Blocks, "states", r.States, "mc_seqno", r.McSeqno)
			}
		})
		if err != nil {
			return progress.interrupted(err)
		}
		_, err = fmt.Fprintf(c.Root().Writer, "completed %d blocks and %d account states\n", done.Blocks, done.States)
		return err
	})
}
