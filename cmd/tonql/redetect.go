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

func redetectCommand() *cli.Command {
	return &cli.Command{
		Name:  "redetect",
		Usage: "detect every contract of the index again",
		Description: `Goes through all accounts in the order of their addresses, runs their get-methods on their latest states, and replaces
the detected contracts. Use it after an update that supports more kinds of contracts, or for contracts that were left
undetected. Gateways and the indexer can run at the same time. The log names the last account done; --after continues there.
A Jetton wallet or NFT item that was left undetected at a block, and detected at a later one, lacks its transfers at that block:
--transfers reads all transactions of each and adds those that are missing.

   tonql index redetect --network mainnet --database-url postgres://host/tonql
   tonql index redetect --global-config config.json --after 0:5e0f…`,
		Flags: join(config.Arguments(
			text("after", "", "continue after this account (default: start with the first)"),
			boolean("transfers", "also add missing transfers of contracts that the index has"),
			number("workers", 2, "contracts examined in parallel").Between(1, 1024),
		), dataFlags(), networkFlags(), logFlags()),
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
		done, err := ix.Redetect(ctx, after, c.Bool("transfers"), func(r indexer.Redetection) {
			if progress.advance("--after " + r.Last.String()) {
				log.Info("detecting contracts", "accounts", r.Accounts, "account", r.Last.String())
			}
		})
		if err != nil {
			return progress.interrupted(err)
		}
		_, err = fmt.Fprintf(c.Root().Writer, "examined %d accounts: %d contracts, %d left undetected\n",
			done.Accounts, done.Stats.Accounts, done.Stats.Undetected)
		return err
	})
}
