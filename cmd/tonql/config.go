package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/urfave/cli/v3"
	"go.yaml.in/yaml/v3"

	"tonql/internal/config"
)

func configCommand() *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "the configuration file: print the effective one, print its JSON schema",
		Description: `A configuration file has one line for each setting, named like the flag. All commands can share it; each reads its own
settings from it. An unknown key is refused.

   tonql config print --network mainnet > tonql.yaml
   tonql up --config tonql.yaml`,
		Commands: []*cli.Command{printConfigCommand(), configSchemaCommand()},
	}
}

func printConfigCommand() *cli.Command {
	return &cli.Command{
		Name:  "print",
		Usage: "check the configuration and print the value of every setting",
		Description: `The output is a configuration file. A comment behind each value that is not the default names where it is from: a flag, an
environment variable, or a line of a file. Secrets are masked.`,
		Flags: join(fileSettings()),
		Action: checked(func(_ context.Context, c *cli.Command, _ *slog.Logger) error {
			return printConfig(c.Root().Writer, config.Values(c))
		}),
	}
}

func printConfig(out io.Writer, values []config.Effective) error {
	var text strings.Builder
	theme := ""
	for _, v := range values {
		if v.Setting.Theme() != theme {
			theme = v.Setting.Theme()
			fmt.Fprintf(&text, "\n# %s\n", theme)
		}
		line, err := yaml.Marshal(map[string]any{v.Setting.Name(): v.Value})
		if err != nil {
			return err
		}
		text.WriteString(strings.TrimSuffix(string(line), "\n"))
		if v.Origin != "" {
			text.WriteString(" # " + v.Origin)
		}
		text.WriteString("\n")
	}
	_, err := io.WriteString(out, strings.TrimPrefix(text.String(), "\n"))
	return err
}

func configSchemaCommand() *cli.Command {
	return &cli.Command{
		Name:  "schema",
		Usage: "print the JSON schema of the configuration file",
		Description: `Editors complete and check the file with it, for example by this first line:

   # yaml-language-server: $schema=tonql.schema.json`,
		Action: func(_ context.Context, c *cli.Command) error {
			schema, err := config.Schema(fileSettings())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Root().Writer, "%s\n", schema)
			return err
		},
	}
}
