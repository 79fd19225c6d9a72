package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"tonql/internal/chain"
	"tonql/internal/config"
	"tonql/internal/conformance"
)

const conformanceName = "conformance"

// notRun is the exit status of a conformance run that could not begin.
const notRun = 2

// exitStatus returns the exit status after an error.
func exitStatus(err error) int {
	var with cli.ExitCoder
	if errors.As(err, &with) {
		return with.ExitCode()
	}
	return 1
}

// refuse is the error of a command that cannot begin because of its flags.
func refuse(c *cli.Command, err error) error {
	if c.Name == conformanceName {
		return cli.Exit(err, notRun)
	}
	return err
}

func conformanceCommand() *cli.Command {
	return &cli.Command{
		Name:      conformanceName,
		Usage:     "check a server of /api/v3, /api/v2, /api/emulate, GraphQL or the streaming API, and print a report",
		ArgsUsage: "BASE_URL",
		Description: `Sends requests to a server, this or another implementation, and compares the responses with the published contract and
with each other: routes, members and their types, filters, order, paging, limits, errors, and what the chain demands of several
responses. All facts are read from the server itself. docs/conformance.md lists the checks.

   tonql conformance http://localhost:8080
   tonql conformance https://toncenter.com --only v3,v2 --rate 1 --time 30m
   tonql conformance http://localhost:8080 --only v3.blocks --html report.html

Sections that the server lacks are skipped, unless --only names them. Exits with status 0 if no check failed, 1 if one failed,
and 2 if the checks could not run.`,
		Flags: join(config.Arguments(
			list("only", nil, "section (v3, v2, emulate, graphql, streaming), object (v3.blocks) or check to run; may be repeated"),
			list("skip", nil, "section, object or check to leave out; may be repeated"),
			text("api-key", "", "API key, sent as X-API-Key").Secret(),
			text("html", "", "file for the report as a page").Path(),
			text("json", "", "file for the report as JSON").Path(),
			boolean("failed-only", "print only checks that failed"),
			duration("time", 10*time.Minute, "maximum time of the run; what does not fit is skipped").Within(time.Second, 24*time.Hour),
			duration("request-time", 15*time.Second, "maximum time of one request").Within(time.Millisecond, 10*time.Minute),
			decimal("rate", 10, "maximum requests a second; 0: no limit").Check(conformance.CheckRate),
			number("response-size", 8, "maximum size of a response in MiB").Between(1, 64),
		)),
		Action: checkConformance,
	}
}

func checkConformance(ctx context.Context, c *cli.Command) error {
	if c.Args().Len() != 1 {
		return cli.Exit(chain.Invalidf("conformance needs one argument: the base URL of the server"), notRun)
	}
	out := c.Root().Writer
	var writeErr error
	report, err := conformance.Run(ctx, conformance.Options{
		BaseURL: c.Args().First(), APIKey: c.String("api-key"), Time: c.Duration("time"), RequestTime: c.Duration("request-time"),
		Rate: c.Float("rate"), MaxBody: int64(c.Int("response-size")) << 20,
		Selection: conformance.Selection{Only: trimmed(c.StringSlice("only")), Skip: trimmed(c.StringSlice("skip"))},
		Progress: func(r conformance.Result) {
			if r.Status == conformance.Fail || !c.Bool("failed-only") {
				writeErr = errors.Join(writeErr, conformance.WriteResult(out, r))
			}
		},
	})
	if err != nil {
		return cli.Exit(err, notRun)
	}
	if ctx.Err() != nil {
		return unfinished(ctx.Err())
	}
	_, err = fmt.Fprintln(out, report.Summary())
	err = errors.Join(writeErr, err, writeReport(c.String("html"), report.WriteHTML), writeReport(c.String("json"), report.WriteJSON))
	if err != nil {
		return cli.Exit(err, notRun)
	}
	if n := report.Count(conformance.Fail); n > 0 {
		return cli.Exit(fmt.Errorf("%d checks failed", n), 1)
	}
	return nil
}

// writeReport writes a report to a file, if one is named.
func writeReport(path string, write func(io.Writer, string) error) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f, version), f.Close())
}

// trimmed returns the items of a list without white space and empty items.
func trimmed(items []string) []string {
	var named []string
	for _, item := range items {
		if item = strings.TrimSpace(item); item != "" {
			named = append(named, item)
		}
	}
	return named
}
