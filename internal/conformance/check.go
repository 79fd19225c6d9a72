package conformance

import (
	"slices"
	"strings"

	"tonql/internal/chain"
)

// Section is the API that a check is about.
type Section string

// The sections, in the order in which they run.
const (
	V3        Section = "v3"
	V2        Section = "v2"
	Emulate   Section = "emulate"
	GraphQL   Section = "graphql"
	Streaming Section = "streaming"
)

// Sections lists all sections.
var Sections = []Section{V3, V2, Emulate, GraphQL, Streaming}

// Class is what a check examines.
type Class string

// The classes.
const (
	Routes      Class = "routes"      // a route is there and returns what it is for
	Fields      Class = "fields"      // members of records and their types
	Encoding    Class = "encoding"    // forms of hashes, addresses and numbers, also as parameters
	Filters     Class = "filters"     // every row satisfies the filter
	Order       Class = "order"       // rows are in the published order
	Paging      Class = "paging"      // pages have neither gaps nor doubles
	Limits      Class = "limits"      // sizes of pages
	Errors      Class = "errors"      // status and body of refused requests
	Consistency Class = "consistency" // what the chain demands of several responses
	Events      Class = "events"      // streams
)

// Check is one row of the table.
type Check struct {
	ID      string // SECTION.OBJECT.ASPECT, never renamed
	Section Section
	Class   Class
	Expect  string // the rule, as a sentence
	Doc     string // the section of our documents that explains it, relative to docs/

	run func(*probe)
}

// Checks returns the table, by section.
func Checks() []Check {
	return slices.Concat(v3Checks(), v2Checks(), emulateChecks(), graphqlChecks(), streamingChecks())
}

// Selection chooses checks by prefixes of ids: a section ("v3"), an object ("v3.blocks") or a check.
type Selection struct {
	Only, Skip []string
}

// validate refuses a prefix that matches no check.
func (s Selection) validate(checks []Check) error {
	for _, prefix := range slices.Concat(s.Only, s.Skip) {
		if !slices.ContainsFunc(checks, func(c Check) bool { return within(c.ID, prefix) }) {
			return chain.Invalidf("no check is named %s: give a section (v3, v2, emulate, graphql, streaming), or the beginning of an id such as v3.blocks", chain.Quote(prefix))
		}
	}
	return nil
}

func (s Selection) has(id string) bool {
	matches := func(prefix string) bool { return within(id, prefix) }
	return (len(s.Only) == 0 || slices.ContainsFunc(s.Only, matches)) && !slices.ContainsFunc(s.Skip, matches)
}

// names reports whether the selection demands a section by name, so that it must be there.
func (s Selection) names(section Section) bool {
	return slices.ContainsFunc(s.Only, func(prefix string) bool { return within(prefix, string(section)) })
}

// within reports whether an id is prefix or below it.
func within(id, prefix string) bool {
	rest, ok := strings.CutPrefix(id, prefix)
	return ok && prefix != "" && (rest == "" || rest[0] == '.')
}
