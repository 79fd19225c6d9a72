package main

import (
	"context"
	"log/slog"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/indexer"
	"tonql/indexer/replay"
	"tonql/internal/assetlist"
	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/devnet/genesis"
	"tonql/internal/fiat"
	"tonql/internal/logs"
	"tonql/internal/node"
	"tonql/internal/store"
)

// Constructors of settings under shorter names.
var (
	text     = config.Text
	number   = config.Number
	decimal  = config.Decimal
	boolean  = config.Boolean
	duration = config.Duration
	list     = config.List
)

// fileSettings returns the settings that a configuration file can have: those of the commands that run for long.
func fileSettings() []config.Setting {
	return slices.Concat(serveFlags(), admissionFlags(), paymentFlags(), dataFlags(), networkFlags(), indexFlags(),
		metadataFlags(), devnetFlags(), profileFlags(), traceFlags(), logFlags())
}

// dataFlags select the data folder and the databases.
func dataFlags() []config.Setting {
	return config.Theme("Data",
		dataFlag("folder for the private database, the local chain and the trusted blocks of the node client"),
		text("database-url", "", "URL of the PostgreSQL database (postgres://…); default: a private PostgreSQL in the data folder").URL().Check(store.CheckURL),
		text("read-database-url", "", "URLs of the databases to read from, separated by spaces: standbys, chosen by lag and load (default: --database-url)").
			URL().Check(checkReadURLs),
		number("database-connections", 16, "maximum number of database connections, for reading from one database and writing together").Between(1, 10_000),
	)
}

func dataFlag(usage string) config.Setting { return text("data", "tonql-data", usage).Path() }

// networkNames are the networks that --network names.
var networkNames = []string{"devnet", "testnet", "mainnet"}

// networkFlags select the network and its liteservers.
func networkFlags() []config.Setting {
	return config.Theme("Network",
		text("network", "devnet", "devnet (a local chain that tonql runs), testnet or mainnet").OneOf(networkNames...),
		text("global-config", "", "file or URL of a global.config.json with the liteservers to use; disables the local chain").Path().Check(node.CheckGlobalConfig),
		text("proofs", "secure", "secure: prove every masterchain block by the signatures of validators; fast: by hashes only").OneOf("secure", "fast"),
		text("trust", "init-block", "masterchain block that proofs start from: init-block (of the global config), zerostate, or a block id (-1,8000000000000000,SEQNO):ROOTHASH:FILEHASH").
			Check(func(s string) error { _, err := node.ParseAnchor(s); return err }),
		duration("node-timeout", nodeTimeout, "timeout of one liteserver query").Within(time.Millisecond, time.Hour),
	)
}

// replayFlags set the budget for re-executing one transaction.
func replayFlags() []config.Setting {
	return config.Theme("Indexing",
		duration("replay-time", replay.DefaultTime, "maximum time to re-execute one transaction; a transaction that exceeds it is recorded as unverified").Within(time.Nanosecond, 24*time.Hour),
		number("replay-memory", replay.DefaultMemory>>20, "maximum memory to re-execute one transaction, in MiB; a transaction that exceeds it is recorded as unverified").Between(1, maxReplayMemory),
	)
}

// replayBudget reads replayFlags.
func replayBudget(c *cli.Command, into *replay.Options) {
	into.Time, into.Memory = c.Duration("replay-time"), int64(c.Int("replay-memory"))<<20
}

// maxReplayMemory is in MiB.
const maxReplayMemory = 1 << 20

// indexFlags select the blocks to index and how to process them.
func indexFlags() []config.Setting {
	return append(append(replayFlags(), moveFlags()...), config.Theme("Indexing",
		text("from", "", "first masterchain seqno to index; 'latest': the head; '-N': the newest N blocks (default: 1 on devnet, latest elsewhere)").
			Check(func(s string) error { _, err := indexer.ParseFrom(s); return err }),
		text("keep", "", "what the index retains: the blocks of a time such as 90d or 36h before the newest block, or the newest transactions such as 50000000tx; "+
			"older ones are dropped, the states of accounts and contracts are not (default: everything)").
			Check(func(s string) error { _, err := chain.ParseRetention(s); return err }),
		number("workers", 2, "batches of blocks processed in parallel while filling gaps").Between(1, 1024),
		number("commit-blocks", 1, "maximum masterchain blocks per database transaction while catching up; every block is stored completely or not at all").Between(1, 10_000),
		text("detect", "on", "on: detect contracts with their balances, owners and transfers; off: index accounts and transactions only").OneOf("on", "off"),
		verifyFlag("replay: re-execute every transaction and compare the result; proof: rely on block proofs only"),
	)...)
}

// fillFlags make the indexer fill a range only.
func fillFlags() []config.Setting {
	return config.Arguments(
		number("to", 0, "last masterchain seqno to index: fill from --from to this block, beside other processes on the same database, and end when it is complete (default: follow the head)").Between(0, math.MaxUint32),
	)
}

func verifyFlag(usage string) config.Setting {
	return text("verify", "replay", usage).OneOf("replay", "proof")
}

// corsOrigin accepts the value of a header Origin, or a pattern with *. A path or a final slash would match no request.
func corsOrigin(s string) error {
	scheme, host, ok := strings.Cut(s, "://")
	if s != "*" && s != "null" && (!ok || scheme == "" || host == "" || strings.ContainsAny(host, "/?#@ ") || strings.Count(s, "*") > 1) {
		return chain.Invalidf("%s is neither '*' nor an origin, which is a scheme and a host without a path, such as https://app.example", chain.Quote(s))
	}
	return nil
}

// serveFlags configure the HTTP server of the APIs.
func serveFlags() []config.Setting {
	return append(config.Theme("HTTP",
		text("listen", "127.0.0.1:8080", "address (host:port) that the HTTP server listens on").Check(config.Address),
		list("cors-origin", []string{"*"}, "origin that browsers may send requests from (CORS), such as https://app.example or https://*.app.example; *: all; may be repeated").Check(corsOrigin),
		boolean("strict-parameters", "reject requests with parameters that a REST v3 route does not define"),
		duration("ready-lag", time.Minute, "age of the newest indexed masterchain block up to which /readyz responds 200").Within(time.Second, 100*365*24*time.Hour),
		overridesFlag(),
		list("asset-list", nil, "JSON file with verified accounts, such as jettons.json of tonkeeper/ton-assets; entries with reputation \"scam\" mark scams; may be repeated; reloaded when it changes").Path().Check(assetlist.Check),
		text("fiat-rates", "", "JSON file with prices in the form of tonapi's /v2/rates, which the explorer shows beside amounts; reloaded when it changes (default: no prices)").Path(),
		text("fiat-currency", "USD", "currency of the prices of --fiat-rates").Check(fiat.CheckCurrency),
		boolean("no-images", "do not serve images of tokens"),
		text("image-cache", "", "folder for images of tokens (default: images in the data folder)").Path(),
		number("image-cache-size", 512, "maximum size of the images on disk, in MiB; 0: none are stored").Between(0, 1<<20),
		list("image-gateway", nil, "IPFS gateway such as https://ipfs.io for images of tokens; may be repeated (default: three public gateways)").Check(webURL),
		text("image-svg", "", "program that draws images in SVG, called as rsvg-convert of librsvg, or none; each drawing is a process with limits of "+
			"time and memory (default: rsvg-convert where it is installed)"),
		boolean("image-allow-loopback", "also request images from loopback addresses; only for chains on which all tokens are your own"),
	), append(sourceFlags(), graphqlFlags()...)...)
}

// devnetFlags configure the local chain.
func devnetFlags() []config.Setting {
	return config.Theme("Local chain",
		text("devnet-listen", "127.0.0.1:0", "address (host:port) that the liteserver of the local chain listens on; port 0: any free port").Check(config.Address),
		duration("block-interval", blockInterval, "time between blocks of the local chain").Within(time.Millisecond, 24*time.Hour),
		boolean("instant", "also create a block of the local chain as soon as a message arrives"),
		text("seed", "", "text from which the keys, contracts and traffic of the local chain derive (default: random, once per data folder)"),
		boolean("deterministic", "advance the clock of the local chain by one interval per block, so that one seed always produces the same chain"),
		number("global-version", genesis.DefaultGlobalVersion, "protocol version of a new local chain (configuration parameter 8), 13 to 15").Between(13, 15),
		number("shard-blocks", 1, "blocks that each shard of the local chain makes between two masterchain blocks, 1 to 8").Between(1, 8),
		text("consensus", "", "ordinary or simplex: the consensus of the local chain, which decides the form of its signatures; a stored chain switches at its next key block (default: simplex for a new chain)").OneOf("ordinary", "simplex"),
		boolean("no-scenario", "create no traffic on the local chain"),
		boolean("protocol-traffic", "add to the traffic of a new local chain what rarely happens: accounts freeze and thaw, a library is published and withdrawn, validators vote and change"),
		number("traffic", 60, "actions per minute in the traffic of the local chain").Between(0, 1_000_000),
		text("devnet-admin", "127.0.0.1:0", "loopback address (host:port) of the admin interface of the local chain: faucet, mine, split, merge, burst, consensus; port 0: any free port; none: no admin interface").
			Check(checkAdminAddress),
	)
}

func logFlags() []config.Setting {
	return config.Theme("Logs",
		text("log-level", "info", "debug, info, warn or error").OneOf("debug", "info", "warn", "error"),
		text("log-format", "text", "text or json").OneOf("text", "json"),
	)
}

// join returns the flags of a command: --config, and those of the settings.
func join(groups ...[]config.Setting) []cli.Flag {
	return config.Flags(fileSettings(), slices.Concat(groups...))
}

// logger returns the logger of the process. Logs go to standard error, results to standard output.
func logger(c *cli.Command) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log-level"))); err != nil {
		return nil, err // the check of the flag accepts no such level
	}
	return logs.New(errorOutput, logs.Options{Level: level, JSON: c.String("log-format") == "json"}), nil
}

// checked returns an action that creates the logger from the flags, and calls run.
func checked(run func(context.Context, *cli.Command, *slog.Logger) error) cli.ActionFunc {
	return func(ctx context.Context, c *cli.Command) error {
		log, err := logger(c)
		if err != nil {
			return err
		}
		logs.SetDefault(log)
		warnOfMisspellings(c, log)
		return run(ctx, c, log)
	}
}

// warnOfMisspellings logs the first environment variables that no setting reads, neither one of the configuration file nor one of the
// command, and that resemble those of settings.
func warnOfMisspellings(c *cli.Command, log *slog.Logger) {
	const limit = 10
	settings := fileSettings()
	for _, f := range c.Flags {
		if s, ok := config.Declared(f); ok {
			settings = append(settings, s)
		}
	}
	found := config.Misspellings(os.Environ(), settings)
	for _, m := range found[:min(len(found), limit)] {
		log.Warn("environment variable ignored: no setting has this name", "variable", m.Name, "similar", m.Similar)
	}
}
