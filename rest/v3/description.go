package v3

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// The interface is described in words beside its encoders: what routes are for (routes.tsv), what parameters mean
// (parameters.tsv), and which members records have (the other files, one for each noun). Types and bounds of parameters
// are not written down, since they follow from what handlers read.
//
//go:embed description
var descriptionFiles embed.FS

// description is the parsed text.
type description struct {
	routes  map[string]routeWords // by method and path
	params  map[string]paramWords // by name, or route and name
	records map[string]*record
}

type routeWords struct{ answer, request, group, purpose string }

type paramWords struct {
	required bool
	meaning  string
}

// record is a form of an answer or of a part of one.
type record struct {
	purpose string
	alias   string // another type that it stands for; then it has no members
	members []member
}

type member struct {
	name     string
	optional bool // left out when there is nothing to tell
	kind     string
	null     bool
	meaning  string
}

var (
	recordLine = regexp.MustCompile(`^([A-Z]\w*)(?: = (\S+))?: (\S.*)$`)
	memberLine = regexp.MustCompile(`^\t([@\w]+)(\??) (\S+?)( null)?(?:: (\S.*))?$`)
)

// described is the description, read once; one that cannot be read is a broken build, which the tests see.
var described = sync.OnceValues(func() (*description, error) {
	d := &description{routes: map[string]routeWords{}, params: map[string]paramWords{}, records: map[string]*record{}}
	entries, err := descriptionFiles.ReadDir("description")
	if err != nil {
		return nil, fmt.Errorf("description: %w", err)
	}
	for _, e := range entries {
		text, err := descriptionFiles.ReadFile("description/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("description: %w", err)
		}
		read := d.readTable
		if strings.HasSuffix(e.Name(), ".txt") {
			read = d.recordReader()
		}
		for i, line := range strings.Split(string(text), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			if err := read(e.Name(), line); err != nil {
				return nil, fmt.Errorf("description/%s:%d: %w", e.Name(), i+1, err)
			}
		}
	}
	return d, nil
})

func (d *description) readTable(file, line string) error {
	fields := strings.Split(line, "\t")
	switch {
	case file == "routes.tsv" && len(fields) == 6:
		return enter(d.routes, fields[0]+" "+fields[1], routeWords{fields[2], strings.Trim(fields[3], "-"), fields[4], fields[5]})
	case file == "parameters.tsv" && len(fields) == 3:
		return enter(d.params, fields[0], paramWords{fields[1] == "required", fields[2]})
	default:
		return fmt.Errorf("not understood: %s", line)
	}
}

// recordReader reads the lines of one file of records: the first line of a record, then its members.
func (d *description) recordReader() func(file, line string) error {
	current := ""
	return func(_, line string) error {
		if m := recordLine.FindStringSubmatch(line); m != nil {
			current = m[1]
			return enter(d.records, current, &record{alias: m[2], purpose: m[3]})
		}
		m, r := memberLine.FindStringSubmatch(line), d.records[current]
		if m == nil || r == nil {
			return fmt.Errorf("not understood: %s", line)
		}
		r.members = append(r.members, member{m[1], m[2] != "", m[3], m[4] != "", m[5]})
		return nil
	}
}

func enter[V any](into map[string]V, name string, v V) error {
	if _, twice := into[name]; twice {
		return fmt.Errorf("%s is there twice", name)
	}
	into[name] = v
	return nil
}

// param finds the words for a parameter of a route.
func (d *description) param(route, name string) (paramWords, bool) {
	if w, ok := d.params[route+" "+name]; ok {
		return w, true
	}
	w, ok := d.params[name]
	return w, ok
}
