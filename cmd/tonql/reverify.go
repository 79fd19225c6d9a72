package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
)

func reverifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "reverify",
		Usage: "execute unverified transactions again",
		Description: `Executes once more the transactions whose execution exceeded its budget when they were indexed, which are recorded as
unverified, and writes the verdicts in place. Give them a larger budget with --replay-time and --replay-memory. Serving and
indexing continue meanwhile. The log names the last masterchain block done; --from continues there.

   tonql index reverify --network mainnet --database-url postgres://host/tonql --replay-time 2m
   tonql index reverify --from 45000000 --to 45100000 --replay-memory 4096`,
		Flags: join([]cli.Flag{
			number("from", 0, "first masterchain seqno of the range (default: the first that is indexed)"),
			number("to", 0, "last masterchain seqno of the range (default: the last that is indexed)"),
		}, replayFlags(), dataFlags(), networkFlags(), logFlags()),
		Action: checked(reverify),
	}
}

func reverify(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	opts := indexer.Options{Logger: log}
	if err := replayBudget(c, &opts.Replay); err != nil {
		return err
	}
	s := newStages(ctx, log)
	defer s.stopAll()
	db, err := openCurrent(ctx, c, s)
	if err != nil {
		return err
	}
	within, err := indexedRange(ctx, c, db, "from", "to")
	if err != nil {
		return err
	}
	config, err := networkAtRest(ctx, c, s)
	if err != nil {
		return err
	}
	client, err := openNode(ctx, c, s, config, nil)
	if err != nil {
		return err
	}
	if err := claimNetwork(ctx, client, db); err != nil {
		return err
	}
	const pause = 5 * time.Second // between two log lines
	logged := time.Now()
	done, err := indexer.New(client, db, opts).Reverify(ctx, *within, func(r indexer.Reverification) {
		if time.Since(logged) > pause {
			logged = time.Now()
			log.Info("executing unverified transactions", "tried", r.Tried, "replayed", r.Replayed, "mc_seqno", r.McSeqno)
		}
	})
	if err != nil {
		if done.McSeqno > 0 {
			log.Error("interrupted", "continue with", fmt.Sprintf("--from %d", done.McSeqno))
		}
		return err
	}
	_, err = fmt.Fprintf(c.Root().Writer, "executed %d unverified transactions again: %d replayed, %d mismatches, %d over the budget, %d unchanged\n",
		done.Tried, done.Replayed, done.Mismatched, done.Unverified, done.Unchanged)
	return err
}
