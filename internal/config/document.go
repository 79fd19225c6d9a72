package config

import (
	"fmt"
	"strings"
)

// Document returns the tables of docs/configuration.md, one for each theme, in the order of the settings.
func Document(settings []Setting) string {
	var themes []string
	rows := map[string]*strings.Builder{}
	for _, s := range settings {
		if s.argument {
			continue
		}
		if rows[s.theme] == nil {
			themes, rows[s.theme] = append(themes, s.theme), &strings.Builder{}
		}
		fmt.Fprintf(rows[s.theme], "| `%s` | %s | %s | %s |\n", s.name, s.cell(), s.defaultCell(), strings.ReplaceAll(s.usage, "|", `\|`))
	}
	var out strings.Builder
	for _, theme := range themes {
		fmt.Fprintf(&out, "\n## %s\n\n| Setting | Value | Default | Meaning |\n|---|---|---|---|\n%s", theme, rows[theme].String())
	}
	return out.String()
}

func (s Setting) cell() string {
	if _, list := s.value.([]string); list {
		return "list of texts"
	}
	return strings.ReplaceAll(s.accepted(), "|", `\|`)
}

func (s Setting) defaultCell() string {
	if text := s.text(s.value); text != "" {
		return "`" + text + "`"
	}
	return "none"
}
