package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/urfave/cli/v3"
)

var (
	listing    = regexp.MustCompile("(?s)```[a-z]*\n(.*?)```")
	indented   = regexp.MustCompile(`(?m)^    (tonql .*)$`)
	codeSpan   = regexp.MustCompile("`([^`\n]+)`")
	invocation = regexp.MustCompile(`(?:^|[ ./(])tonql ([a-z].*)`)
	longFlag   = regexp.MustCompile(`^--([a-z][a-z0-9-]*)`)
)

// pages returns the documents for operators and users, by their path from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/guides/*.md"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found)
		for _, name := range found {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			texts[strings.TrimPrefix(filepath.ToSlash(name), "../../")] = string(text)
		}
	}
	return texts
}

// invocations returns what follows the name of the program in the examples of a document. Pipes and other commands end it.
func invocations(text string) []string {
	var lines []string
	for _, m := range listing.FindAllStringSubmatch(text, -1) {
		lines = append(lines, strings.Split(strings.ReplaceAll(m[1], "\\\n", " "), "\n")...)
	}
	for _, pattern := range []*regexp.Regexp{indented, codeSpan} {
		for _, m := range pattern.FindAllStringSubmatch(listing.ReplaceAllString(text, ""), -1) {
			lines = append(lines, m[1])
		}
	}
	var list []string
	for _, line := range lines {
		if m := invocation.FindStringSubmatch(line); m != nil {
			list = append(list, strings.Fields(regexp.MustCompile(`(^|\s)(#|\||&&|;|>).*`).ReplaceAllString(m[1], ""))...)
			list = append(list, "\n")
		}
	}
	return strings.Split(strings.Join(list, " "), "\n")
}

// Commands of the documents exist, and have the flags that are given to them.
func TestDocuments_CommandsHaveTheirFlags(t *testing.T) {
	t.Parallel()
	commands, flags := 0, 0
	for name, text := range pages(t) {
		for _, line := range invocations(text) {
			parts := strings.Fields(line)
			if len(parts) == 0 {
				continue
			}
			command := app()
			for len(parts) > 0 {
				// README.md lists the commands below one as a|b.
				below := command.Command(strings.TrimRight(strings.SplitN(parts[0], "|", 2)[0], ".,:)"))
				if below == nil {
					break
				}
				command, parts = below, parts[1:]
			}
			if command.Name == "tonql" { // prose, such as a URL or a path
				require.NotRegexp(t, `^ ?[a-z]+ .*--`, line, "%s: no command of tonql", name)
				continue
			}
			commands++
			for _, part := range parts {
				m := longFlag.FindStringSubmatch(part)
				if m == nil {
					continue
				}
				flags++
				require.True(t, slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), m[1]) }),
					"%s: tonql %s: %s has no flag --%s", name, line, command.Name, m[1])
			}
		}
	}
	require.Greater(t, commands, 150)
	require.Greater(t, flags, 60)
}
