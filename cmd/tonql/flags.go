package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/devnet/genesis"
	"tonql/internal/node"
)

// env returns the environment variable of a flag.
func env(flag string) cli.ValueSourceChain {
	return cli.EnvVars("TONQL_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_")))
}

func text(name, value, usage string) *cli.StringFlag {
	return &cli.StringFlag{Name: name, Value: value, Usage: usage, Sources: env(name)}
}

func number(name string, value int, usage string) *cli.IntFlag {
	return &cli.IntFlag{Name: name, Value: value, Usage: usage, Sources: env(name)}
}

func boolean(name, usage string) *cli.BoolFlag {
	return &cli.BoolFlag{Name: name, Usage: usage, Sources: env(name)}
}

// dataFlags select the data folder and the databases.
func dataFlags() []cli.Flag {
	return []cli.Flag{
		text("data", "tonql-data", "folder for the private database, the local chain and the trusted blocks of the node client"),
		text("database-url", "", "URL of the PostgreSQL database (postgres://…); default: a private PostgreSQL in the data folder"),
		text("read-database-url", "", "URL of a replica to read from (default: --database-url)"),
		number("database-connections", 16, "maximum number of database connections, for reading and writing together"),
	}
}

// networkFlags select the network and its liteservers.
func networkFlags() []cli.Flag {
	return []cli.Flag{
		text("network", "devnet", "devnet (a local chain that tonql runs), testnet or mainnet"),
		text("global-config", "", "file or URL of a global.config.json with the liteservers to use; disables the local chain"),
		text("proofs", "secure", "secure: prove every masterchain block by the signatures of validators; fast: by hashes only"),
		&cli.StringFlag{
			Name: "trust", Value: "init-block", Sources: env("trust"), Validator: func(s string) error { _, err := node.ParseAnchor(s); return err },
			Usage: "masterchain block that proofs start from: init-block (of the global config), zerostate, or a block id (-1,8000000000000000,SEQNO):ROOTHASH:FILEHASH",
		},
		&cli.DurationFlag{Name: "node-timeout", Value: nodeTimeout, Usage: "timeout of one liteserver query", Sources: env("node-timeout")},
	}
}

// replayFlags set the budget for re-executing one transaction.
func replayFlags() []cli.Flag {
	return []cli.Flag{
		&cli.DurationFlag{
			Name: "replay-time", Value: replay.DefaultTime, Sources: env("replay-time"),
			Usage: "maximum time to re-execute one transaction; a transaction that exceeds it is recorded as unverified",
		},
		number("replay-memory", replay.DefaultMemory>>20, "maximum memory to re-execute one transaction, in MiB; a transaction that exceeds it is recorded as unverified"),
	}
}

// replayBudget reads replayFlags.
func replayBudget(c *cli.Command, into *replay.Options) error {
	into.Time, into.Memory = c.Duration("replay-time"), int64(c.Int("replay-memory"))<<20
	if into.Time <= 0 {
		return chain.Invalidf("--replay-time should be a positive duration such as 10s, not %s", into.Time)
	}
	if c.Int("replay-memory") <= 0 || c.Int("replay-memory") > maxReplayMemory {
		return chain.Invalidf("--replay-memory should be from 1 to %d MiB, not %d", maxReplayMemory, c.Int("replay-memory"))
	}
	return nil
}

// maxReplayMemory is in MiB.
const maxReplayMemory = 1 << 20

// indexFlags select the blocks to index and how to process them.
func indexFlags() []cli.Flag {
	return append(replayFlags(), []cli.Flag{
		text("from", "", "first masterchain seqno to index; 'latest': the head; '-N': the newest N blocks (default: 1 on devnet, latest elsewhere)"),
		number("workers", 2, "batches of blocks processed in parallel while filling gaps"),
		number("commit-blocks", 1, "maximum masterchain blocks per database transaction while catching up; every block is stored completely or not at all"),
		text("detect", "on", "on: detect contracts with their balances, owners and transfers; off: index accounts and transactions only"),
		text("verify", "replay", "replay: re-execute every transaction and compare the result; proof: rely on block proofs only"),
	}...)
}

// serveFlags configure the HTTP server of the APIs.
func serveFlags() []cli.Flag {
	return append(graphqlFlags(), []cli.Flag{
		text("listen", "127.0.0.1:8080", "address (host:port) that the HTTP server listens on"),
		&cli.StringSliceFlag{Name: "cors-origin", Value: []string{"*"}, Usage: "origin that browsers may send requests from (CORS); may be repeated", Sources: env("cors-origin")},
		&cli.BoolFlag{
			Name: "strict-parameters", Usage: "reject requests with parameters that a REST v3 route does not define", Sources: env("strict-parameters"),
		},
		overridesFlag(),
	}...)
}

// devnetFlags configure the local chain.
func devnetFlags() []cli.Flag {
	return []cli.Flag{
		text("devnet-listen", "127.0.0.1:0", "address (host:port) that the liteserver of the local chain listens on; port 0: any free port"),
		&cli.DurationFlag{Name: "block-interval", Value: blockInterval, Usage: "time between blocks of the local chain", Sources: env("block-interval")},
		boolean("instant", "also create a block of the local chain as soon as a message arrives"),
		text("seed", "", "text from which the keys, contracts and traffic of the local chain derive (default: random, once per data folder)"),
		boolean("deterministic", "advance the clock of the local chain by one interval per block, so that one seed always produces the same chain"),
		number("global-version", genesis.DefaultGlobalVersion, "protocol version of a new local chain (configuration parameter 8), 13 to 15"),
		number("shard-blocks", 1, "blocks that each shard of the local chain makes between two masterchain blocks, 1 to 8"),
		text("consensus", "", "ordinary or simplex: the consensus of the local chain, which decides the form of its signatures; a stored chain switches at its next key block (default: simplex for a new chain)"),
		boolean("no-scenario", "create no traffic on the local chain"),
		number("traffic", 60, "actions per minute in the traffic of the local chain"),
		text("devnet-admin", "", "loopback address (host:port) of the admin interface of the local chain: mine, split, merge, burst, faucet, consensus (default: none)"),
	}
}

func logFlags() []cli.Flag {
	return []cli.Flag{
		text("log-level", "info", "debug, info, warn or error"),
		text("log-format", "text", "text or json"),
	}
}

func join(groups ...[]cli.Flag) []cli.Flag {
	var all []cli.Flag
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// logger returns the logger of the process. Logs go to standard error, results to standard output.
func logger(c *cli.Command) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log-level"))); err != nil {
		return nil, fmt.Errorf("--log-level should be debug, info, warn or error, not %q", c.String("log-level"))
	}
	opts := &slog.HandlerOptions{Level: level}
	switch c.String("log-format") {
	case "json":
		return slog.New(slog.NewJSONHandler(errorOutput, opts)), nil
	case "text":
		return slog.New(slog.NewTextHandler(errorOutput, opts)), nil
	default:
		return nil, fmt.Errorf("--log-format should be text or json, not %q", c.String("log-format"))
	}
}

// terminal reports whether standard error is a terminal, so that a progress bar can be drawn.
func terminal() bool { return term.IsTerminal(int(os.Stderr.Fd())) }

// checked returns an action that rejects arguments, creates the logger from the flags, and calls run.
func checked(run func(context.Context, *cli.Command, *slog.Logger) error) cli.ActionFunc {
	return func(ctx context.Context, c *cli.Command) error {
		if c.Args().Present() {
			return fmt.Errorf("unexpected argument %q: tonql %s takes flags only; see tonql %s --help", c.Args().First(), c.Name, c.Name)
		}
		log, err := logger(c)
		if err != nil {
			return err
		}
		slog.SetDefault(log)
		return run(ctx, c, log)
	}
}
