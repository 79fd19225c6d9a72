package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"tonql/internal/config"
)

// Places in the scripts of the library that are replaced.
const (
	// The package bash-completion may be absent, and its function is not needed.
	bashInit    = "  else\n    _get_comp_words_by_ref \"$@\" cur prev words cword\n  fi\n"
	bashInitNow = "  elif declare -F _get_comp_words_by_ref >/dev/null 2>&1; then\n    _get_comp_words_by_ref \"$@\" cur prev words cword\n  fi\n"
	// fish offers files where the program offers nothing, as bash and zsh do.
	fishLoop    = "    for line in $results\n"
	fishLoopNow = "    if test (count $results) -eq 0\n        __fish_complete_path $lastArg\n        return\n    end\n\n" + fishLoop
)

// configureCompletion adapts the completion command of the library.
func configureCompletion(c *cli.Command) {
	c.Hidden = false
	c.Usage = "print a script that completes commands, flags and values in a shell"
	c.Description = `   source <(tonql completion bash)                                         # ~/.bashrc
   source <(tonql completion zsh)                                          # ~/.zshrc, after compinit
   tonql completion fish > ~/.config/fish/completions/tonql.fish`
	c.Action, c.OnUsageError = chooseCommand, usageError
	for _, shell := range c.Commands {
		shell.Usage, shell.OnUsageError = "print the script for "+shell.Name, usageError
		shell.Hidden = shell.Name == "pwsh" // no test runs PowerShell
		script := shell.Action
		shell.Action = func(ctx context.Context, c *cli.Command) error {
			if err := refuseArguments(c); err != nil {
				return err
			}
			var text bytes.Buffer
			out := c.Root().Writer
			c.Root().Writer = &text
			err := script(ctx, c)
			c.Root().Writer = out
			if err != nil {
				return err
			}
			adapted := strings.NewReplacer(bashInit, bashInitNow, fishLoop, fishLoopNow).Replace(text.String())
			_, err = io.WriteString(out, adapted)
			return err
		}
	}
}

// completeArgument prints what can follow in the command line: the values of the last flag, or nothing if it can have
// any, so that the shell offers files; otherwise flags or commands.
func completeArgument(ctx context.Context, c *cli.Command) {
	last := ""
	if args := c.Args().Slice(); len(args) > 0 {
		last = args[len(args)-1]
	}
	for _, f := range c.Flags {
		setting, ok := config.Declared(f)
		if !ok || last != "--"+setting.Name() || setting.IsSwitch() {
			continue
		}
		for _, value := range setting.Choices() {
			_, _ = fmt.Fprintln(c.Root().Writer, value) // the shell has left
		}
		return
	}
	if c.ArgsUsage != "" && len(c.Commands) == 0 && !strings.HasPrefix(last, "-") {
		return // an argument, which may be a file
	}
	cli.DefaultCompleteWithFlags(ctx, c)
}

// helpCommand replaces that of the library, which ends the process by itself.
func helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Aliases: []string{"h"}, Usage: "print the help of a command", ArgsUsage: "COMMAND…",
		Action: func(ctx context.Context, c *cli.Command) error { return showHelp(ctx, c.Root(), c.Args().Slice()) },
	}
}

// showHelp prints the help of a command below c, which path names.
func showHelp(ctx context.Context, c *cli.Command, path []string) error {
	parent := c
	for _, name := range path {
		sub := c.Command(name)
		if sub == nil {
			return unknownCommand(c, name)
		}
		parent, c = c, sub
	}
	switch {
	case c == c.Root():
		return cli.ShowRootCommandHelp(c)
	case len(c.VisibleCommands()) == 0:
		return cli.ShowCommandHelp(ctx, parent, c.Name)
	default:
		return cli.ShowSubcommandHelp(c)
	}
}

// isHelp reports whether a name in the place of a command requests help.
func isHelp(name string) bool { return slices.Contains([]string{"help", "h"}, name) }
