package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/chain"
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
	s := newStages(ctx, log)
	defer s.stopAll()
	db, err := openCurrent(ctx, c, s)
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
	opts := indexer.Options{Logger: log}
	opts.Contracts.Workers = c.Int("workers")
	const pause = 5 * time.Second // between two lines of the log
	told := time.Now()
	done, err := indexer.New(client, db, opts).Redetect(ctx, after, func(r indexer.Redetection) {
		if time.Since(told) > pause {
			told = time.Now()
			log.Info("looking again at contracts", "accounts", r.Accounts, "last", r.Last.String())
		}
	})
	if err != nil {
		if done.Accounts > 0 {
			log.Error("interrupted", "go on with", "--after "+done.Last.String())
		}
		return err
	}
	_, err = fmt.Fprintf(c.Root().Writer, "looked again at %d accounts: %d contracts, %d left undetected\n",
		done.Accounts, done.Stats.Accounts, done.Stats.Undetected)
	return err
}
