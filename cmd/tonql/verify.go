package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/devnet"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "compare the database with the blocks of the network",
		Description: `Fetches every masterchain block of the range with its shard blocks, decodes and executes it again, and compares the
result with the rows of the database. Prints a report and a digest of every table; databases with the same range have the
same digest. Rows that are detected or classified, such as tokens and actions, are compared with the stored digests of 1,000 blocks. Exits with status 1 when anything differs or is missing, and with status 130 when it is interrupted.
With --digest it hashes the tables of the complete index, or the rows of a range without the newest states, which belong to no range.

With --offline it needs no network: it builds every block and every account state again from the rows and compares their hashes with
the root hashes of the blocks and with each other. docs/operations.md lists what that does not show.

   tonql verify --global-config config.json --from 100 --to 200
   tonql verify --offline
   tonql verify --digest`,
		Flags: join(rangeFlags(), config.Arguments(
			boolean("offline", "check the rows by the hashes of the blocks that they give, without connecting to the network"),
			boolean("digest", "print only the digest, without connecting to the network"),
			number("workers", 2, "batches of blocks compared in parallel").Between(1, 1024),
			verifyFlag("replay: re-execute every transaction and compare the result; proof: rely on block proofs only"),
		), replayFlags(), dataFlags(), networkFlags(), logFlags()),
		Action: checked(verify),
	}
}

func verify(ctx context.Context, c *cli.Command, log *slog.Logger) error {
	lc := newLifecycle(ctx, log)
	defer lc.stopAll()
	db, err := openCurrent(ctx, c, lc)
	if err != nil {
		return err
	}
	if ctx, err = db.Reader().WithCold(ctx); err != nil {
		return err
	}
	within, err := indexedRange(ctx, c, db)
	if err != nil {
		return err
	}
	if c.Bool("digest") {
		if c.Int("from") == 0 && c.Int("to") == 0 {
			within = nil // with the newest states, which belong to no range
		}
		digest, err := db.Reader().Digest(ctx, within)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(c.Root().Writer, digest)
		return err
	}
	if c.Bool("offline") {
		report, err := indexer.VerifyRows(ctx, db.Reader(), *within, c.Int("workers"))
		if err != nil {
			return err
		}
		return verified(c, &report)
	}
	config, err := networkAtRest(ctx, c, lc)
	if err != nil {
		return err
	}
	client, err := openNode(ctx, c, lc, config, nil)
	if err != nil {
		return err
	}
	if zerostate := client.Zerostate(); !zerostate.RootHash.IsZero() {
		if err := db.Reader().CheckNetwork(ctx, zerostate); err != nil {
			return err
		}
	}
	mode, err := indexer.ParseVerify(c.String("verify"))
	if err != nil {
		return err
	}
	opts := indexer.Options{Verify: mode, Workers: c.Int("workers"), Logger: log}
	replayBudget(c, &opts.Replay)
	report, err := indexer.New(client, db, opts).VerifyRange(ctx, *within)
	if err != nil {
		return err
	}
	return verified(c, &report)
}

// verified prints a report. Its error sets the exit status.
func verified(c *cli.Command, report *indexer.Report) error {
	if _, err := fmt.Fprint(c.Root().Writer, report.String()); err != nil {
		return err
	}
	if !report.OK() {
		return cli.Exit(errors.New("the database differs from the chain"), 1)
	}
	return nil
}

// networkAtRest returns the global config of the network to read from. For the local chain of the data folder, this is the
// config of the tonql that runs it; when none does, networkAtRest starts the chain without new blocks. It creates none.
func networkAtRest(ctx context.Context, c *cli.Command, lc *lifecycle) (string, error) {
	if config := c.String("global-config"); config != "" || c.String("network") != "devnet" {
		return config, nil
	}
	config, running, err := runningDevnet(ctx, c)
	if err != nil || running {
		return config, err
	}
	if _, err := os.Stat(devnetDir(c)); errors.Is(err, fs.ErrNotExist) { // a new chain would be another one than that of the index
		return "", chain.NotFoundf("data folder %s has no local chain: name the network by --network testnet or mainnet, or by --global-config", chain.Quote(c.String("data")))
	}
	net, err := devnet.Start(ctx, devnet.Options{Dir: devnetDir(c), Interval: devnet.ByHand, Log: lc.log})
	if err != nil {
		return "", err
	}
	lc.onStop("local chain", func(context.Context) error { return net.Close() })
	return net.GlobalConfigPath(), nil
}
