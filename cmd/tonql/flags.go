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
)

// env names a flag's environment variable.
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

// dataFlags say where things are kept.
func dataFlags() []cli.Flag {
	return []cli.Flag{
		text("data", "tonql-data", "folder of the database, the local chain and what the node client remembers"),
		text("database-url", "", "PostgreSQL to use (postgres://…); without it a private one runs in the data folder"),
		text("read-database-url", "", "replica to read from; the database itself when not given"),
		number("database-connections", 16, "most connections to the database, shared by reading and writing"),
	}
}

// networkFlags say which chain.
func networkFlags() []cli.Flag {
	return []cli.Flag{
		text("network", "devnet", "devnet (a local chain of our own), testnet or mainnet"),
		text("global-config", "", "file or URL of a global.config.json with the liteservers to use; no local chain is started then"),
		text("proofs", "secure", "secure: prove every masterchain block by validators' signatures; fast: by hashes only"),
		&cli.DurationFlag{Name: "node-timeout", Value: nodeTimeout, Usage: "longest time to wait for one answer of a liteserver", Sources: env("node-timeout")},
	}
}

// replayFlags are the budget of executing one transaction once more.
func replayFlags() []cli.Flag {
	return []cli.Flag{
		&cli.DurationFlag{
			Name: "replay-time", Value: replay.DefaultTime, Sources: env("replay-time"),
			Usage: "longest time to execute one transaction again; one that takes longer is recorded as unverified",
		},
		number("replay-memory", replay.DefaultMemory>>20, "MiB that executing one transaction again may hold; one that needs more is recorded as unverified"),
	}
}

// replayBudget reads replayFlags.
func replayBudget(c *cli.Command, into *replay.Options) error {
	into.Time, into.Memory = c.Duration("replay-time"), int64(c.Int("replay-memory"))<<20
	if into.Time <= 0 {
		return chain.Invalidf("--replay-time is a time such as 10s, more than zero, not %s", into.Time)
	}
	if c.Int("replay-memory") <= 0 || c.Int("replay-memory") > maxReplayMemory {
		return chain.Invalidf("--replay-memory is a number of MiB from 1 to %d, not %d", maxReplayMemory, c.Int("replay-memory"))
	}
	return nil
}

// maxReplayMemory is in MiB.
const maxReplayMemory = 1 << 20

// indexFlags say what is indexed and how.
func indexFlags() []cli.Flag {
	return append(replayFlags(), []cli.Flag{
		text("from", "", "first masterchain seqno to index; 'latest' for the head, '-N' for N blocks before it (default: 1 on devnet, latest elsewhere)"),
		number("workers", 2, "blocks decoded and executed at once while catching up"),
		number("commit-blocks", 1, "masterchain blocks that may share a database transaction while catching up; each is whole or absent either way"),
		text("detect", "on", "on: find out what contracts are, with their balances, owners and transfers; off: leave that out"),
		text("verify", "replay", "replay: execute every transaction again and compare; proof: rely on block proofs alone"),
	}...)
}

// serveFlags say where answers are given.
func serveFlags() []cli.Flag {
	return append(graphqlFlags(), []cli.Flag{
		text("listen", "127.0.0.1:8080", "address to serve on"),
		&cli.StringSliceFlag{Name: "cors-origin", Value: []string{"*"}, Usage: "origins that browsers may call from", Sources: env("cors-origin")},
		&cli.BoolFlag{
			Name: "strict-parameters", Usage: "refuse parameters that a REST v3 route does not have", Sources: env("strict-parameters"),
		},
		overridesFlag(),
	}...)
}

// devnetFlags shape the local chain.
func devnetFlags() []cli.Flag {
	return []cli.Flag{
		text("devnet-listen", "127.0.0.1:0", "address of the local chain's liteserver"),
		&cli.DurationFlag{Name: "block-interval", Value: blockInterval, Usage: "time between blocks of the local chain", Sources: env("block-interval")},
		boolean("instant", "make a block as soon as there is a message, besides those of the interval"),
		text("seed", "", "any text; the local chain's keys, contracts and traffic derive from it (default: drawn once per data folder)"),
		boolean("deterministic", "let the local chain's clock move by one interval a block, so that one seed always gives the same chain"),
		boolean("no-scenario", "leave the local chain without traffic"),
		number("traffic", 60, "actions a minute that the local chain's traffic makes"),
		text("devnet-admin", "", "loopback address of the local chain's admin interface: mine, split, merge, burst, faucet"),
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

// logger makes the process's logger; logs go to standard error, answers to standard output.
func logger(c *cli.Command) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log-level"))); err != nil {
		return nil, fmt.Errorf("--log-level is debug, info, warn or error, not %q", c.String("log-level"))
	}
	opts := &slog.HandlerOptions{Level: level}
	switch c.String("log-format") {
	case "json":
		return slog.New(slog.NewJSONHandler(errorOutput, opts)), nil
	case "text":
		return slog.New(slog.NewTextHandler(errorOutput, opts)), nil
	default:
		return nil, fmt.Errorf("--log-format is text or json, not %q", c.String("log-format"))
	}
}

// terminal says whether progress can be drawn.
func terminal() bool { return term.IsTerminal(int(os.Stderr.Fd())) }

// checked runs an action after its flags were checked and its logger made.
func checked(run func(context.Context, *cli.Command, *slog.Logger) error) cli.ActionFunc {
	return func(ctx context.Context, c *cli.Command) error {
		if c.Args().Present() {
			return fmt.Errorf("%s takes no argument %q; see tonql %s --help", c.Name, c.Args().First(), c.Name)
		}
		log, err := logger(c)
		if err != nil {
			return err
		}
		slog.SetDefault(log)
		return run(ctx, c, log)
	}
}
