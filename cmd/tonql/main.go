// Command tonql turns a TON liteserver into a verified, queryable index: it follows the chain over ADNL, re-executes and
// decodes every block into PostgreSQL, and serves it by GraphQL and REST.
//
// There is one file for each subcommand. Only this package imports every other one; `tonql --help` is the manual.
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

// run runs the program and returns its exit status.
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
	if broken.closed() {
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

// keepMemory starts the heap governor and returns the function that stops it.
func keepMemory() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var governor sync.WaitGroup
	governor.Go(func() { spendMemory(ctx) })
	return func() { cancel(); governor.Wait() }
}

// sentence returns the text of an error for the operator. Unlike the APIs, it shows the causes of internal errors.
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
again, stores the result in PostgreSQL, and serves it by GraphQL and REST.

To try it, without any setup:

   tonql up

starts a private PostgreSQL, a local chain with traffic, the indexer and the gateway, and prints their addresses.
On a public network:

   tonql up --network mainnet --from latest
   tonql up --global-config https://ton.org/global.config.json --database-url postgres://…

In production, run one 'tonql index' and any number of 'tonql serve' on one database.

Every flag can also be set by an environment variable: --global-config by TONQL_GLOBAL_CONFIG, and so on.`,
		Commands: []*cli.Command{
			upCommand(), serveCommand(), indexCommand(), devnetCommand(), migrateCommand(), verifyCommand(), classifyCommand(), keysCommand(), merchantsCommand(), webhooksCommand(), versionCommand(),
		},
		DefaultCommand:        "help",
		EnableShellCompletion: true,
		Suggest:               true,
		HideVersion:           true,
	}
}
