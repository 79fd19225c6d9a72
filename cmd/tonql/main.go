// Command tonql turns a TON liteserver into a verified, queryable index: it follows the chain over ADNL, re-executes and
// decodes every block into PostgreSQL, and serves it by GraphQL and REST.
//
// There is one file for each subcommand. Only this package imports every other one; `tonql --help` is the manual.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/urfave/cli/v3"
	"github.com/xssnick/tonutils-go/adnl"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/fiat"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/tokenimage"
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
	mapLibraryLogs()
	program := app()
	program.Writer, errorOutput = openStatusLine(broken.writer(os.Stdout), broken.writer(os.Stderr))
	err := program.Run(ctx, os.Args)
	closeStatusLine()
	if broken.closed() {
		return brokenPipe
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		err = needsPrimary(err)
		fmt.Fprintln(os.Stderr, "tonql:", strings.ReplaceAll(err.Error(), "\n", "\n       "))
		return exitStatus(err)
	}
	return 0
}

// needsPrimary explains to the user of a command why the database stores nothing, which the error explains to clients of a gateway.
func needsPrimary(err error) error {
	if !sqlbuild.IsReadOnly(err) {
		return err
	}
	return fmt.Errorf("the database is a standby, which stores nothing: give the URL of the primary as --database-url: %w", withoutMessage(err))
}

// withoutMessage returns the cause of a [chain.Error] in an error, which has the text of PostgreSQL.
func withoutMessage(err error) error {
	if typed := (*chain.Error)(nil); errors.As(err, &typed) && typed.Err != nil {
		return typed.Err
	}
	return err
}

// mapLibraryLogs passes the lines of libraries that have a function for them to the logger of the process.
func mapLibraryLogs() {
	line := func(v ...any) {
		slog.Debug("library log", "component", "tonutils-go", "line", strings.TrimSuffix(fmt.Sprintln(v...), "\n"))
	}
	adnl.Logger, liteclient.Logger, tl.Logger = line, line, line
}

// keepMemory starts the heap governor and returns the function that stops it.
func keepMemory() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var governor sync.WaitGroup
	governor.Go(func() { spendMemory(ctx) })
	return func() { cancel(); governor.Wait() }
}

func app() *cli.Command {
	root := &cli.Command{
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

Every flag can also be set by an environment variable, --global-config by TONQL_GLOBAL_CONFIG and so on, or in a configuration
file: 'tonql config print' writes one with the present values. A flag takes precedence over the environment, and the
environment over the file.

'tonql completion bash', zsh or fish prints a script that completes commands, flags and values.`,
		Commands: []*cli.Command{
			upCommand(), serveCommand(), indexCommand(), devnetCommand(), migrateCommand(), verifyCommand(), digestCommand(), rangeCommand(), classifyCommand(), keysCommand(), merchantsCommand(), webhooksCommand(), faucetCommand(), configCommand(), doctorCommand(), backupCommand(), restoreCommand(), snapshotCommand(), conformanceCommand(), versionCommand(), helpCommand(),
		},
		Flags:                           []cli.Flag{&cli.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version", Local: true}},
		EnableShellCompletion:           true,
		ConfigureShellCompletionCommand: configureCompletion,
		HideHelpCommand:                 true,
		// Errors end the process in run alone, after what has been started is stopped.
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
	}
	prepare(root)
	return root
}

// isService reports whether a command runs until a signal ends it, which is then no error.
func isService(c *cli.Command) bool {
	return slices.Contains([]string{"tonql up", "tonql serve", "tonql index", "tonql devnet"}, c.FullName()) && c.Int("to") == 0
}

// prepare completes a command and those below it: values are checked before the action runs, mistakes name what is accepted,
// and a mistyped command is not taken for an argument.
func prepare(c *cli.Command) {
	c.OnUsageError = usageError
	c.ShellComplete = completeArgument
	action, runs := c.Action, c.Action != nil
	if !runs {
		action = chooseCommand
	}
	c.Action = func(ctx context.Context, c *cli.Command) error {
		if err := checkValues(c); err != nil && c.Name != doctorName {
			return refuse(c, err)
		}
		if runs {
			if err := errors.Join(refuseArguments(c), refuseEarlierFlags(c)); err != nil {
				return refuse(c, err)
			}
		}
		err := action(ctx, c)
		if isService(c) {
			return err
		}
		return unfinished(err)
	}
	for _, sub := range c.Commands {
		prepare(sub)
	}
}

func usageError(_ context.Context, c *cli.Command, err error, _ bool) error {
	return refuse(c, config.UsageError(c, err))
}

// refuseArguments refuses arguments of a command whose help names none.
func refuseArguments(c *cli.Command) error {
	if c.ArgsUsage != "" || !c.Args().Present() {
		return nil
	}
	if len(c.Commands) > 0 {
		return unknownCommand(c, c.Args().First())
	}
	return chain.Invalidf("unexpected argument %s: %s takes flags only; see %[2]s --help", chain.Quote(c.Args().First()), c.FullName())
}

// refuseEarlierFlags refuses flags that the command does not have but one above it has, and flags before its name: the command would run
// without them, with another data folder for example.
func refuseEarlierFlags(c *cli.Command) error {
	for _, above := range c.Lineage()[1:] {
		given := config.Given(above)
		switch {
		case len(given) == 0:
		case config.Has(c, given[0]):
			return chain.Invalidf("--%s is before the name of the command, which would not use it: give it behind, '%s --%[1]s …'", given[0], c.FullName())
		default:
			return chain.Invalidf("%s has no flag --%s; see %[1]s --help", c.FullName(), given[0])
		}
	}
	return nil
}

// checkValues checks the values of all flags of a command.
func checkValues(c *cli.Command) error { return errors.Join(config.Check(c), checkTogether(c)) }

// chooseCommand is the action of a command that only has commands below it.
func chooseCommand(ctx context.Context, c *cli.Command) error {
	if c == c.Root() && c.Bool("version") {
		return printVersion(c.Root().Writer)
	}
	if !c.Args().Present() {
		return cli.ShowSubcommandHelp(c)
	}
	given := c.Args().First()
	if isHelp(given) {
		return showHelp(ctx, c, c.Args().Tail())
	}
	return unknownCommand(c, given)
}

// unknownCommand is the error about a command that c does not have.
func unknownCommand(c *cli.Command, given string) error {
	var names []string
	for _, sub := range c.VisibleCommands() {
		names = append(names, sub.Name)
	}
	switch near := config.Nearest(given, names); {
	case near != "":
		return chain.Invalidf("%s has no command %s; did you mean '%s %s'?", c.FullName(), chain.Quote(given), c.FullName(), near)
	case len(names) == 0:
		return chain.Invalidf("%s has no command %s; see %[1]s --help", c.FullName(), chain.Quote(given))
	default:
		return chain.Invalidf("%s has no command %s: choose one of %s", c.FullName(), chain.Quote(given), strings.Join(names, ", "))
	}
}

// checkTogether checks flags that depend on each other.
func checkTogether(c *cli.Command) error {
	if c.Bool("only-trusted-documents") && c.String("trusted-documents") == "" {
		return chain.Invalidf("--only-trusted-documents needs --trusted-documents")
	}
	if c.Bool("trace-parent") && len(c.StringSlice("trusted-proxy")) == 0 {
		return chain.Invalidf("--trace-parent needs --trusted-proxy")
	}
	if c.String("smtp-url") != "" && c.String("smtp-from") == "" {
		return chain.Invalidf("--smtp-url needs --smtp-from, the address of the sender")
	}
	names := map[string]bool{}
	for _, name := range privateNames(c) {
		if names[name] {
			return chain.Invalidf("--private-liteservers names %s twice", chain.Quote(name))
		}
		names[name] = true
	}
	return checkFiles(c)
}

// checkFiles checks files and programs that only some commands use, so that others run without them.
func checkFiles(c *cli.Command) error {
	var mistakes []error
	for name, check := range map[string]func(string) error{
		"fiat-rates": func(path string) error {
			_, err := fiat.Open(path, c.String("fiat-currency"), overridesInterval, slog.Default())
			return err
		},
		"compiler-folder": func(path string) error { _, err := os.ReadDir(path); return err },
		"image-svg":       tokenimage.CheckSVGProgram,
	} {
		given := c.String(name)
		if given == "" || name == "image-svg" && svgProgram(given) == "" {
			continue
		}
		if err := check(given); err != nil {
			mistakes = append(mistakes, chain.Invalidf("--%s: %v", name, err))
		}
	}
	slices.SortFunc(mistakes, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(mistakes...)
}
