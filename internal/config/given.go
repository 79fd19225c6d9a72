package config

import (
	"slices"

	"github.com/urfave/cli/v3"
)

// Given returns the names of the flags of a command that are on the command line, in the order of their declaration.
func Given(c *cli.Command) []string {
	var names []string
	for _, f := range c.Flags {
		if from := sourceOf(f); from != nil && from.origin == "" && f.IsSet() {
			names = append(names, from.setting.name)
		}
	}
	return names
}

// Has reports whether a command itself has a flag.
func Has(c *cli.Command, name string) bool {
	return slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}
