package v2

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"tonql/rest/docs"
)

// descriptionFiles holds the texts of the OpenAPI document: summaries of methods (routes.tsv), descriptions of parameters
// (parameters.tsv), and results with their members (records.txt). docs/openapi.md documents their format. Types and
// bounds of parameters are not in these files: they are recorded from the handlers' own reads.
//
//go:embed description
var descriptionFiles embed.FS

// description holds the parsed description files.
type description struct {
	routes  map[string]routeText
	params  map[string]string // by name, or method and name
	records *docs.Records
}

type routeText struct{ result, group, summary string }

// loadDescription parses the embedded files once.
var loadDescription = sync.OnceValues(func() (*description, error) {
	d := &description{routes: map[string]routeText{}, params: map[string]string{}, records: docs.NewRecords(scalars)}
	if err := parseTable("routes.tsv", 4, func(f []string) { d.routes[f[0]] = routeText{f[1], f[2], f[3]} }); err != nil {
		return nil, err
	}
	if err := parseTable("parameters.tsv", 2, func(f []string) { d.params[f[0]] = f[1] }); err != nil {
		return nil, err
	}
	text, err := descriptionFiles.ReadFile("description/records.txt")
	if err == nil {
		err = d.records.Parse("records.txt", string(text))
	}
	if err != nil {
		return nil, fmt.Errorf("description: %w", err)
	}
	return d, nil
})

func parseTable(name string, columns int, row func(fields []string)) error {
	text, err := descriptionFiles.ReadFile("description/" + name)
	if err != nil {
		return fmt.Errorf("description: %w", err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != columns {
			return fmt.Errorf("description/%s:%d: invalid line: %s", name, i+1, line)
		}
		row(fields)
	}
	return nil
}

// scalars are the JSON schemas of the scalar types of the description, by type name.
var scalars = map[string]docs.Object{
	"any":            {},
	"object":         {{Name: "type", Value: "object"}, {Name: "additionalProperties", Value: true}},
	"string":         {{Name: "type", Value: "string"}},
	"bool":           {{Name: "type", Value: "boolean"}},
	"false":          {{Name: "const", Value: false}},
	"int32":          {{Name: "type", Value: "integer"}, {Name: "format", Value: "int32"}},
	"uint32":         {{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: 0}, {Name: "maximum", Value: 1<<32 - 1}},
	"int64":          {{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}},
	"uint64":         {{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: 0}},
	"decimal":        docs.Pattern(`^-?[0-9]+$`),
	"hash":           docs.Pattern(`^[A-Za-z0-9+/]{43}=$`),
	"hashOrNone":     docs.Pattern(`^([A-Za-z0-9+/]{43}=)?$`),
	"hex256":         docs.Pattern(`^[0-9a-f]{64}$`),
	"raw":            docs.Pattern(`^-?[0-9]+:[0-9A-F]{64}$`),
	"rawLower":       docs.Pattern(`^-?[0-9]+:[0-9a-f]{64}$`),
	"friendly":       docs.Pattern(`^[A-Za-z0-9_-]{48}$`),
	"friendlyOrNone": docs.Pattern(`^([A-Za-z0-9_-]{48})?$`),
	"anyAddress":     docs.Pattern(`^([A-Za-z0-9_-]{48}|-?[0-9]+:[0-9A-F]{64})$`),
	"bytes":          base64Text(),
	"boc":            base64Text(),
}

func base64Text() docs.Object {
	return docs.Object{
		{Name: "type", Value: "string"},
		{Name: "contentEncoding", Value: "base64"},
		{Name: "pattern", Value: `^[A-Za-z0-9+/]*={0,2}$`},
	}
}
