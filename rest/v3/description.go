package v3

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"tonql/rest/docs"
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
	records *docs.Records
}

type routeWords struct{ answer, request, group, purpose string }

type paramWords struct {
	required bool
	meaning  string
}

// described is the description, read once; one that cannot be read is a broken build, which the tests see.
var described = sync.OnceValues(func() (*description, error) {
	d := &description{routes: map[string]routeWords{}, params: map[string]paramWords{}, records: docs.NewRecords(scalars)}
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
			read = d.records.Read
		}
		if err := read(e.Name(), string(text)); err != nil {
			return nil, fmt.Errorf("description: %w", err)
		}
	}
	return d, nil
})

func (d *description) readTable(file, text string) error {
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if err := d.readRow(file, line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return nil
}

func (d *description) readRow(file, line string) error {
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
