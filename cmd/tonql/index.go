package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/embeddedpg"
	"tonql/internal/node"
	"tonql/internal/store"
)

func indexCommand() *cli.Command {
	return &cli.Command{
		Name:  "index",
		Usage: "the indexer alone: follow the head, fill gaps, execute every transaction again",
		Description: `Keeps one database up to date with one network. A second 'tonql index' on the same database waits as a standby and
takes over when the first ends.

   tonql index --network mainnet --from -1000 --database-url postgres://host/tonql
   tonql index --global-config config.json --verify proof --workers 4`,
		Commands: []*cli.Command{redetectCommand(), reclassifyCommand(), reverifyCommand()},
		Flags:    join(dataFlags(), networkFlags(), indexFlags(), metadataFlags(), profileFlags(), logFlags()),
		Action: checked(func(ctx context.Context, c *cli.Command, log *slog.Logger) error {
			s := newStages(ctx, log)
			defer s.stopAll()
			config, err := networkBeside(ctx, c)
			if err != nil {
				return err
			}
			if c.String("network") == "devnet" && config == "" {
				return fmt.Errorf("'tonql index' starts no local chain and none runs on the data folder: name one by --global-config, or use 'tonql up'")
			}
			if err := startProfiles(ctx, c, s); err != nil {
				return err
			}
			db, err := openDatabaseBeside(ctx, c, s)
			if err != nil {
				return err
			}
			if err := migrate(ctx, db, s); err != nil {
				return err
			}
			watchSchema(s, db)
			metrics := newRegistry()
			client, err := openNode(ctx, c, s, config, metrics)
			if err != nil {
				return err
			}
			if _, err := startIndexer(ctx, c, s, client, db, metrics); err != nil {
				return err
			}
			if err := startMetadata(c, s, db, metrics); err != nil {
				return err
			}
			return s.wait()
		}),
	}
}

// startIndexer lets the indexer run in the background.
func startIndexer(ctx context.Context, c *cli.Command, s *stages, client *node.Client, db *store.DB, metrics prometheus.Registerer) (*indexer.Indexer, error) {
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
		start = "latest" // nobody means to index years of a public network by leaving a flag out
	}
	from, err := indexer.ParseFrom(start)
	if err != nil {
		return nil, err
	}
	if err := s.throughRestarts("claim the database", func() error { return claimNetwork(ctx, client, db) }); err != nil {
		return nil, err
	}
	opts := indexer.Options{From: from, Verify: verify, Detect: detection, Workers: c.Int("workers"), Group: c.Int("commit-blocks"), Logger: s.log, Registerer: metrics}
	if err := replayBudget(c, &opts.Replay); err != nil {
		return nil, err
	}
	if terminal() {
		opts.Progress = os.Stderr
	}
	db.Writer().SetTestOnly(c.String("network") != "mainnet")
	ix := indexer.New(client, db, opts)
	s.background("indexer", ix.Run)
	return ix, nil
}

// readiness returns the reasons of /readyz that this process knows: a full disk and what troubles the indexer, if it has
// one.
func readiness(c *cli.Command, s *stages, ix *indexer.Indexer) func(context.Context) []string {
	private := databaseOptions(c, s)
	return func(context.Context) []string {
		var reasons []string
		if c.String("database-url") == "" && embeddedpg.Full(private) {
			reasons = append(reasons, "The disk of the data folder is full; nothing is indexed until space is freed.")
		}
		if ix != nil {
			reasons = append(reasons, ix.Status().Trouble...)
		}
		return reasons
	}
}

// claimNetwork refuses to write what one network says into the database of another. A configuration that names no
// zerostate cannot be told apart here; the indexer compares blocks besides.
func claimNetwork(ctx context.Context, client *node.Client, db *store.DB) error {
	zerostate := client.Zerostate()
	if zerostate.RootHash.IsZero() {
		return nil
	}
	return db.Writer().Claim(ctx, zerostate)
}
