package v2

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"tonql/rest/docs"
)

// The interface is described in words beside its encoders: what methods are for (routes.tsv), what parameters mean
// (parameters.tsv), and which members results have (records.txt). Which parameters a method takes, and in which bounds,
// is not written down: it follows from what the handler reads.
//
//go:embed description
var descriptionFiles embed.FS

// description is the parsed text.
type description struct {
	routes  map[string]routeWords
	params  map[string]string // by name, or method and name
	records *docs.Records
}

type routeWords struct{ answer, group, purpose string }

// described is the description, read once; one that cannot be read is a broken build, which the tests see.
var described = sync.OnceValues(func() (*description, error) {
	d := &description{routes: map[string]routeWords{}, params: map[string]string{}, records: docs.NewRecords(scalars)}
	if err := table("routes.tsv", 4, func(f []string) { d.routes[f[0]] = routeWords{f[1], f[2], f[3]} }); err != nil {
		return nil, err
	}
	if err := table("parameters.tsv", 2, func(f []string) { d.params[f[0]] = f[1] }); err != nil {
		return nil, err
	}
	text, err := descriptionFiles.ReadFile("description/records.txt")
	if err == nil {
		err = d.records.Read("records.txt", string(text))
	}
	if err != nil {
		return nil, fmt.Errorf("description: %w", err)
	}
	return d, nil
})

func table(name string, columns int, row func(fields []string)) error {
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
			return fmt.Errorf("description/%s:%d: not understood: %s", name, i+1, line)
		}
		row(fields)
	}
	return nil
}

// scalars are the forms of single values.
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
