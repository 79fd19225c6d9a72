package v3

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"tonql/rest/docs"
)

// descriptionFiles holds the texts of the OpenAPI document: summaries of routes (routes.tsv), descriptions of parameters
// (parameters.tsv), and records with their members (the other files, one per topic). docs/openapi.md documents their
// format. Types and bounds of parameters are not in these files: they are recorded from the handlers' own reads.
//
//go:embed description
var descriptionFiles embed.FS

// description holds the parsed description files.
type description struct {
	routes  map[string]routeText // by method and path
	params  map[string]paramText // by name, or route and name
	records *docs.Records
}

type routeText struct{ response, request, group, summary string }

type paramText struct {
	required    bool
	description string
}

// loadDescription parses the embedded files once.
var loadDescription = sync.OnceValues(func() (*description, error) {
	d := &description{routes: map[string]routeText{}, params: map[string]paramText{}, records: docs.NewRecords(scalars)}
	entries, err := descriptionFiles.ReadDir("description")
	if err != nil {
		return nil, fmt.Errorf("description: %w", err)
	}
	for _, e := range entries {
		text, err := descriptionFiles.ReadFile("description/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("description: %w", err)
		}
		parse := d.parseTable
		if strings.HasSuffix(e.Name(), ".txt") {
			parse = d.records.Parse
		}
		if err := parse(e.Name(), string(text)); err != nil {
			return nil, fmt.Errorf("description: %w", err)
		}
	}
	return d, nil
})

func (d *description) parseTable(file, text string) error {
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if err := d.parseRow(file, line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return nil
}

func (d *description) parseRow(file, line string) error {
	fields := strings.Split(line, "\t")
	switch {
	case file == "routes.tsv" && len(fields) == 6:
		return addOnce(d.routes, fields[0]+" "+fields[1], routeText{fields[2], strings.Trim(fields[3], "-"), fields[4], fields[5]})
	case file == "parameters.tsv" && len(fields) == 3:
		return addOnce(d.params, fields[0], paramText{fields[1] == "required", fields[2]})
	default:
		return fmt.Errorf("invalid line: %s", line)
	}
}

func addOnce[V any](m map[string]V, name string, v V) error {
	if _, ok := m[name]; ok {
		return fmt.Errorf("duplicate entry %s", name)
	}
	m[name] = v
	return nil
}

// param returns the text of a parameter of a route. A text for the route takes precedence over one for all routes.
func (d *description) param(route, name string) (paramText, bool) {
	if text, ok := d.params[route+" "+name]; ok {
		return text, true
	}
	text, ok := d.params[name]
	return text, ok
}
