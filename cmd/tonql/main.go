// Command tonql turns a TON liteserver into a verified, queryable index: it follows the chain over ADNL, re-executes and
// decodes every block into PostgreSQL, and serves it by GraphQL and REST.
//
// There is one file per subcommand. This is the only place that knows every package; `tonql --help` is the manual.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
)

func main() { os.Exit(run()) }

// run is the whole program; its result is the exit status.
func run() int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	defer keepMemory()()
	// A second Ctrl-C while stopping ends the process at once.
	go func() { <-ctx.Done(); stop() }()
	broken := watchOutput(stop)
	defer broken.ignore()
	program := app()
	program.Writer = broken.writer(os.Stdout)
	errorOutput = broken.writer(os.Stderr)
	err := program.Run(ctx, os.Args)
	if broken.met() {
		return brokenPipe
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "tonql:", sentence(err))
		var exit cli.ExitCoder
		if errors.As(err, &exit) {
			return exit.ExitCode()
		}
		return 1
	}
	return 0
}

// keepMemory starts what governs the heap and returns what ends it.
func keepMemory() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var governor sync.WaitGroup
	governor.Go(func() { spendMemory(ctx) })
	return func() { cancel(); governor.Wait() }
}

// sentence is the error as an operator reads it: with its causes, which on this side of the door may be seen.
func sentence(err error) string {
	if chain.KindOf(err) == chain.Unavailable || chain.KindOf(err) == chain.Internal {
		return err.Error()
	}
	return chain.PublicMessage(err)
}

func app() *cli.Command {
	return &cli.Command{
		Name:  "tonql",
		Usage: "a verified, queryable index of the TON blockchain",
		Description: `tonql follows a TON network over ADNL, checks every block against proofs, executes every transaction
again, keeps the result in PostgreSQL, and serves it by GraphQL and REST.

To see it work, with nothing installed but Go and PostgreSQL's programs:

   tonql up

starts a private PostgreSQL, a local chain with traffic on it, the indexer and the gateway, and prints where they are.
On a real network:

   tonql up --network mainnet --from latest
   tonql up --global-config https://ton.org/global.config.json --database-url postgres://…

For production run 'tonql index' once and 'tonql serve' as often as needed on one database.

Every flag can be given as an environment variable: --global-config as TONQL_GLOBAL_CONFIG, and so on.`,
		Commands: []*cli.Command{
			upCommand(), serveCommand(), indexCommand(), devnetCommand(), migrateCommand(), verifyCommand(), classifyCommand(), keysCommand(), merchantsCommand(), webhooksCommand(), versionCommand(),
		},
		DefaultCommand:        "help",
		EnableShellCompletion: true,
		Suggest:               true,
		HideVersion:           true,
	}
}
