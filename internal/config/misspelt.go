package config

import (
	"regexp"
	"slices"
	"strings"
)

// Misspelling is an environment variable that no setting reads, and the one that was probably meant.
type Misspelling struct{ Name, Similar string }

// ofService matches the names of variables, without their prefix, in which Kubernetes and Docker give the addresses of services.
var ofService = regexp.MustCompile(`^(.*_)?(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)

// Misspellings returns the variables of an environment, given as KEY=VALUE, that begin like those of settings and resemble one of
// them, in the order of their names.
func Misspellings(environ []string, settings []Setting) []Misspelling {
	variables := make([]string, len(settings))
	for i, s := range settings {
		variables[i] = strings.TrimPrefix(s.Variable(), variablePrefix)
	}
	var found []Misspelling
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		rest, ours := strings.CutPrefix(name, variablePrefix)
		if !ours || slices.Contains(variables, rest) || ofService.MatchString(rest) {
			continue
		}
		if near := Nearest(rest, variables); near != "" {
			found = append(found, Misspelling{Name: name, Similar: variablePrefix + near})
		}
	}
	slices.SortFunc(found, func(a, b Misspelling) int { return strings.Compare(a.Name, b.Name) })
	return found
}
