package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/embeddedpg"
	"tonql/internal/node"
	"tonql/internal/store"
	"tonql/rest"
)

func indexCommand() *cli.Command {
	return &cli.Command{
		Name:  "index",
		Usage: "run the indexer only: follow the head, fill gaps, re-execute every transaction",
		Description: `Indexes one network into one database. A second 'tonql index' on the same database waits as a standby and takes over
when the first one ends. With --to it fills a range, beside others on any number of machines, and ends when the range is complete.

   tonql index --network mainnet --from -1000 --database-url postgres://host/tonql
   tonql index --network mainnet --from 1 --to 1000000 --workers 8 --commit-blocks 20 --database-url postgres://host/tonql
   tonql index --global-config config.json --verify proof --workers 4`,
		Commands: []*cli.Command{redetectCommand(), reclassifyCommand(), reverifyCommand(), completeCommand()},
		Flags:    join(dataFlags(), networkFlags(), indexFlags(), fillFlags(), metadataFlags(), profileFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			lc := newLifecycle(ctx, log)
			defer lc.stopAll()
			if err := checkAddresses(ctx, c, "admin-listen", "profile-listen"); err != nil {
				return err
			}
			config, err := networkBeside(ctx, c)
			if err != nil {
				return err
			}
			if c.String("network") == "devnet" && config == "" {
				return fmt.Errorf("'tonql index' starts no local chain, and none runs on the data folder: give --global-config, or use 'tonql up'")
			}
			if err := startProfiles(ctx, c, lc); err != nil {
				return err
			}
			db, err := openDatabaseBeside(ctx, c, lc)
			if err != nil {
				return err
			}
			if err := migrate(ctx, db, lc); err != nil {
				return err
			}
			watchSchema(lc, db, checkSchema)
			metrics := lc.metrics
			watchCold(lc, db, metrics)
			makeDataFolder(c, lc.log)
			client, err := openNode(ctx, c, lc, config, metrics)
			if err != nil {
				return err
			}
			if c.Int("to") > 0 {
				return fill(ctx, c, lc, client, db)
			}
			ix, err := startIndexer(ctx, c, lc, client, db, metrics)
			if err != nil {
				return err
			}
			watchWebhooks(lc, db, metrics)
			if err := serveAdmin(ctx, c, lc, rest.Options{Network: c.String("network"), Readiness: readiness(c, lc, ix), Servers: client.States}); err != nil {
				return err
			}
			if err := startMetadata(c, lc, db, metrics); err != nil {
				return err
			}
			return lc.wait()
		}),
	}
}

// fill indexes a range of masterchain blocks and returns when it is complete.
func fill(ctx context.Context, c *cli.Command, lc *lifecycle, client *node.Client, db *store.DB) error {
	ix, err := newIndexer(ctx, c, lc, client, db, lc.metrics)
	if err != nil {
		return err
	}
	if err := serveAdmin(ctx, c, lc, rest.Options{Network: c.String("network"), Readiness: readiness(c, lc, ix), Servers: client.States}); err != nil {
		return err
	}
	done := make(chan error, 1)
	lc.background("indexer", func(ctx context.Context) error {
		done <- ix.Fill(ctx, uint32(c.Int("to")))
		<-ctx.Done() // the command ends by done
		return nil
	})
	select {
	case err := <-done:
		return err
	case <-lc.parent.Done():
		return context.Canceled
	case err := <-lc.ended:
		return err
	}
}

// startIndexer runs the indexer in the background.
func startIndexer(ctx context.Context, c *cli.Command, lc *lifecycle, client *node.Client, db *store.DB, metrics prometheus.Registerer) (*indexer.Indexer, error) {
	ix, err := newIndexer(ctx, c, lc, client, db, metrics)
	if err != nil {
		return nil, err
	}
	lc.background("indexer", ix.Run)
	return ix, nil
}

// newIndexer returns the indexer that the flags describe.
func newIndexer(ctx context.Context, c *cli.Command, lc *lifecycle, client *node.Client, db *store.DB, metrics prometheus.Registerer) (*indexer.Indexer, error) {
	verify, err := indexer.ParseVerify(c.String("verify"))
	if err != nil {
		return nil, err
	}
	detection, err := indexer.ParseDetection(c.String("detect"))
	if err != nil {
		return nil, err
	}
	start := c.String("from")
	if start == "" && c.String("network") != "devnet" {
		start = "latest" // a missing flag should not index years of a public network
	}
	from, err := indexer.ParseFrom(start)
	if err != nil {
		return nil, err
	}
	if err := lc.throughRestarts("claim the database", func() error { return claimNetwork(ctx, client, db) }); err != nil {
		return nil, err
	}
	keep, err := chain.ParseRetention(c.String("keep"))
	if err != nil {
		return nil, err
	}
	opts := indexer.Options{From: from, Keep: keep, Verify: verify, Detect: detection, Workers: c.Int("workers"), Group: c.Int("commit-blocks"), Logger: lc.log, Registerer: metrics}
	replayBudget(c, &opts.Replay)
	if statusLine != nil {
		opts.Progress = showStatus
	}
	db.Writer().SetTestOnly(c.String("network") != "mainnet")
	return indexer.New(client, db, opts), nil
}

// readiness returns the function that lists for /readyz why this process is not ready: a full disk, or what its indexer
// (nil: none) waits for.
func readiness(c *cli.Command, lc *lifecycle, ix *indexer.Indexer) func(context.Context) []string {
	private := databaseOptions(c, lc)
	return func(context.Context) []string {
		var reasons []string
		if c.String("database-url") == "" && embeddedpg.Full(private) {
			reasons = append(reasons, "The disk of the data folder is full; indexing stops until space is freed.")
		}
		if ix != nil {
			reasons = append(reasons, ix.Status().Trouble...)
		}
		return reasons
	}
}

// claimNetwork refuses a database that was filled from another network. A configuration without a zerostate cannot be
// compared here; the indexer compares blocks as well.
func claimNetwork(ctx context.Context, client *node.Client, db *store.DB) error {
	zerostate := client.Zerostate()
	if zerostate.RootHash.IsZero() {
		return nil
	}
	return db.Writer().Claim(ctx, zerostate)
}
