package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/store"
)

func redetectCommand() *cli.Command {
	return &cli.Command{
		Name:  "redetect",
		Usage: "look again at what every contract of the index is",
		Description: `Walks through all accounts in the order of their addresses, runs their get-methods on their latest states, and writes
what they are anew: after an update that knows more kinds of contracts, or for those that were left undetected. Serving and
indexing go on meanwhile. The log names the last account done; --after goes on from there.

   tonql index redetect --network mainnet --database-url postgres://host/tonql
   tonql index redetect --global-config config.json --after 0:5e0f…`,
		Flags: join([]cli.Flag{
			text("after", "", "go on after this account (default: begin with the first)"),
		}, dataFlags(), networkFlags(), []cli.Flag{
			number("workers", 2, "contracts asked at once"),
		}, logFlags()),
		Action: checked(redetect),
	}
}

func redetect(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	var after *chain.Address
	if given := c.String("after"); given != "" {
		a, err := chain.ParseAddress(given)
		if err != nil {
			return err
		}
		after = &a
	}
	return withDatabase(ctx, c, log, func(lc *lifecycle, db *store.DB) error {
		var opts indexer.Options
		opts.Contracts.Workers = c.Int("workers")
		ix, err := openIndexer(ctx, c, lc, db, opts)
		if err != nil {
			return err
		}
		progress := newProgressLog(log)
		done, err := ix.Redetect(ctx, after, func(r indexer.Redetection) {
			progress.report("--after "+r.Last.String(), "detecting contracts", "accounts", r.Accounts, "last", r.Last.String())
		})
		if err != nil {
			return progress.interrupted(err)
		}
		_, err = fmt.Fprintf(c.Root().Writer, "examined %d accounts: %d contracts, %d left undetected\n",
			done.Accounts, done.Stats.Accounts, done.Stats.Undetected)
		return err
	})
}
