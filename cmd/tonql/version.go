package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v3"
)

// Release builds set these with -ldflags "-X main.version=v1.2.3 …"; see `make build`.
var (
	version  = "dev"
	revision = "" // commit; default: as the go command recorded it
	built    = "" // time of the commit, so that two builds of it are equal
)

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, the commit, its date and the platform",
		Action: func(_ context.Context, c *cli.Command) error {
			return printVersion(c.Root().Writer)
		},
	}
}

func printVersion(out io.Writer) error {
	commit, date := build()
	_, err := fmt.Fprintf(out, "tonql %s (commit %s, built %s, %s, %s/%s)\n", version, commit, date, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// build returns the commit and the date of the build, "unknown" when neither the linker nor the go command has set them.
func build() (commit, date string) {
	commit, date = revision, built
	info, ok := debug.ReadBuildInfo()
	for i := 0; ok && i < len(info.Settings); i++ {
		switch s := info.Settings[i]; {
		case s.Key == "vcs.revision" && commit == "":
			commit = s.Value
		case s.Key == "vcs.time" && date == "":
			date = s.Value
		}
	}
	return orUnknown(commit), orUnknown(date)
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}
