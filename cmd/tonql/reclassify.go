package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/store"
)

func reclassifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "reclassify",
		Usage: "classify the traces of the index again",
		Description: `Classifies the complete traces that ended in a range of masterchain blocks again and replaces their actions in place.
Use it after an update that supports more types of actions, or after redetect. Traces of an index that was filled by a
version without traces are assembled first. Gateways and the indexer can run at the same time. The log names the last block
done; --from continues there.

   tonql index reclassify --network mainnet --database-url postgres://host/tonql
   tonql index reclassify --from 45000000 --to 45100000`,
		Flags:  join(rangeFlags(), dataFlags(), networkFlags(), logFlags()),
		Action: checked(reclassify),
	}
}

func reclassify(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	return withDatabase(ctx, c, log, func(_ *lifecycle, db *store.DB) error {
		within, err := indexedRange(ctx, c, db)
		if err != nil {
			return err
		}
		progress := newProgressLog(log)
		done, err := indexer.Reclassify(ctx, db, *within, func(r indexer.Reclassification) {
			if progress.advance(fromFlag(r.McSeqno)) {
				log.Info("classifying traces", "assembled", r.Assembled, "traces", r.Traces, "mc_seqno", r.McSeqno)
			}
		})
		if err != nil {
			return progress.interrupted(err)
		}
		_, err = fmt.Fprintf(c.Root().Writer, "assembled %d traces, classified %d\n", done.Assembled, done.Traces)
		return err
	})
}
