package main

import (
	"fmt"
	"strings"
)

const introduction = `tonql contains the software below, under the licences that follow it. Equal texts are printed once.
This file is written by 'make licences'.
`

// render returns the content of THIRD_PARTY_LICENSES: the list of components, then each distinct text with those it is from.
func render(components []component) []byte {
	var b strings.Builder
	b.WriteString(introduction)
	for _, part := range []struct{ ecosystem, title string }{
		{"golang", "Go modules linked into the binary, and the standard library (std)"},
		{"npm", "npm packages in the embedded pages"},
	} {
		fmt.Fprintf(&b, "\n%s\n\n", part.title)
		for _, c := range components {
			if c.ecosystem != part.ecosystem {
				continue
			}
			fmt.Fprintf(&b, "  %-60s %s\n", c.id(), strings.Join(c.licences, ", "))
			if len(c.bundles) > 0 {
				fmt.Fprintf(&b, "    its published script contains, in versions that it does not name: %s\n", strings.Join(c.bundles, ", "))
			}
		}
	}
	var order []string
	owners := map[string][]string{}
	for _, c := range components {
		for _, t := range c.texts {
			if owners[t.text] == nil {
				order = append(order, t.text)
			}
			owners[t.text] = append(owners[t.text], fmt.Sprintf("%s: %s", c.id(), t.name))
		}
	}
	for _, t := range order {
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(owners[t], "\n"), strings.Repeat("-", 80), trimLines(t))
	}
	return []byte(b.String())
}

// trimLines removes spaces at the ends of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\f")
	}
	return strings.Join(lines, "\n")
}
