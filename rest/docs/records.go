package docs

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Records are the JSON schemas of an API, parsed from text. A record is a line with its name and description, followed by
// one indented line per member: name, type and, optionally, description.
//
//	Block: A block of any workchain.
//		@type =ton.block
//		seqno uint32
//		parent? Block: Omitted for the first block.
//
//	Blocks = []Block: A page of blocks.
//
// A type is a scalar, a record, a list ([]T), a map ({}T), one of several records (A|B), one of several strings (a|b), or
// a constant string (=text). "?" marks an optional member, and null after the type a nullable one. The grammar is
// in docs/openapi.md. Records are not safe for concurrent use while [Records.Parse] runs.
type Records struct {
	scalars map[string]Object
	byName  map[string]*record
}

type record struct {
	description string
	alias       string // the type that the record is an alias of; then members is empty
	members     []member
}

type member struct {
	name, kind, description string
	optional, null          bool
}

var (
	recordLine = regexp.MustCompile(`^([A-Z]\w*)(?: = (\S+))?: (\S.*)$`)
	memberLine = regexp.MustCompile(`^\t([@\w]+)(\??) (\S+?)( null)?(?:: (\S.*))?$`)
)

// NewRecords returns an empty set of records. scalars are the schemas of the scalar types, by name.
func NewRecords(scalars map[string]Object) *Records {
	return &Records{scalars: scalars, byName: map[string]*record{}}
}

// Parse adds the records in text. file is the name that errors refer to. Empty lines and lines that start with # are
// comments.
func (r *Records) Parse(file, text string) error {
	var current *record
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if m := recordLine.FindStringSubmatch(line); m != nil {
			if r.byName[m[1]] != nil {
				return fmt.Errorf("%s:%d: duplicate record %s", file, i+1, m[1])
			}
			current = &record{alias: m[2], description: m[3]}
			r.byName[m[1]] = current
			continue
		}
		m := memberLine.FindStringSubmatch(line)
		if m == nil || current == nil {
			return fmt.Errorf("%s:%d: invalid line: %s", file, i+1, line)
		}
		current.members = append(current.members, member{m[1], m[3], m[5], m[2] != "", m[4] != ""})
	}
	return nil
}

// Schemas returns the schemas of all records, ordered by name. A type that is neither a scalar nor a record is an error.
func (r *Records) Schemas() (Object, error) {
	schemas := Object{}
	for _, name := range slices.Sorted(maps.Keys(r.byName)) {
		s, err := r.schema(r.byName[name])
		if err != nil {
			return nil, fmt.Errorf("record %s: %w", name, err)
		}
		schemas = append(schemas, Field{name, s})
	}
	return schemas, nil
}

func (r *Records) schema(rec *record) (Object, error) {
	if rec.alias != "" {
		s, err := r.Kind(rec.alias)
		return append(slices.Clip(s), Field{"description", rec.description}), err
	}
	properties, required := Object{}, []string{}
	for _, m := range rec.members {
		s, err := r.Kind(m.kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if m.null {
			s = orNull(s)
		}
		if m.description != "" {
			s = append(slices.Clip(s), Field{"description", m.description})
		}
		properties = append(properties, Field{m.name, s})
		if !m.optional {
			required = append(required, m.name)
		}
	}
	return Object{{"type", "object"}, {"description", rec.description}, {"properties", properties}, {"required", required}}, nil
}

// Kind returns the schema of a type. A type that is neither a scalar nor a record is an error.
func (r *Records) Kind(name string) (Object, error) {
	if text, ok := strings.CutPrefix(name, "="); ok {
		return Object{{"type", "string"}, {"enum", []string{text}}}, nil
	}
	if element, ok := strings.CutPrefix(name, "[]"); ok {
		s, err := r.Kind(element)
		return Object{{"type", "array"}, {"items", s}}, err
	}
	if element, ok := strings.CutPrefix(name, "{}"); ok {
		s, err := r.Kind(element)
		return Object{{"type", "object"}, {"additionalProperties", s}}, err
	}
	if s, ok := r.scalars[name]; ok {
		return s, nil
	}
	alternatives := strings.Split(name, "|")
	switch {
	case len(alternatives) > 1 && r.has(alternatives[0]):
		var schemas []Object
		for _, alternative := range alternatives {
			s, err := r.Kind(alternative)
			if err != nil {
				return nil, err
			}
			schemas = append(schemas, s)
		}
		return Object{{"oneOf", schemas}}, nil
	case len(alternatives) > 1:
		return Object{{"type", "string"}, {"enum", alternatives}}, nil
	case r.byName[name] == nil:
		return nil, fmt.Errorf("unknown record %s", name)
	}
	return Ref("schemas", name), nil
}

// has reports whether name is a scalar or a record.
func (r *Records) has(name string) bool {
	_, scalar := r.scalars[name]
	return scalar || r.byName[name] != nil
}

// orNull returns a schema that accepts null as well as the values of s.
func orNull(s Object) Object {
	if len(s) == 1 && s[0].Name == "$ref" {
		return Object{{"oneOf", []Object{s, {{"type", "null"}}}}}
	}
	out := slices.Clone(s)
	for i, f := range out {
		switch f.Name {
		case "type":
			out[i].Value = []any{f.Value, "null"}
		case "enum":
			values := []any{}
			for _, value := range f.Value.([]string) { //nolint:errcheck // Kind stores a []string
				values = append(values, value)
			}
			out[i].Value = append(values, nil)
		}
	}
	return out
}
