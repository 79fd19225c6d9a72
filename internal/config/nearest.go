package config

import (
	"strings"

	"github.com/agnivade/levenshtein"

	"tonql/internal/chain"
)

// Nearest returns the name that a mistyped one most likely was, or an empty string when none is similar: one that begins
// with it, or one of which a third or less must be changed.
func Nearest(given string, names []string) string {
	const longest = 64 // characters; the distance takes time by the product of the lengths
	if len(given) > longest || given == "" {
		return ""
	}
	best, distance := "", 1+len(given)/3
	for _, name := range names {
		d := levenshtein.ComputeDistance(given, name)
		if len(given) >= 3 && strings.HasPrefix(name, given) {
			d = 1
		}
		if d < distance || d == distance && best == "" {
			best, distance = name, d
		}
	}
	return best
}

// suggestion continues an error about an unknown name.
func suggestion(given string, names []string) string {
	if near := Nearest(given, names); near != "" {
		return "; did you mean " + chain.Quote(near) + "?"
	}
	return ""
}
