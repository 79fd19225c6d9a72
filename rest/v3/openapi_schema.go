package v3

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// scalars are the forms of single values: JSON type, pattern, and what it is.
var scalars = map[string]object{
	"any":           {},
	"object":        {{"type", "object"}, {"additionalProperties", true}},
	"string":        {{"type", "string"}},
	"bool":          {{"type", "boolean"}},
	"int32":         {{"type", "integer"}, {"format", "int32"}},
	"uint32":        {{"type", "integer"}, {"format", "int64"}, {"minimum", 0}, {"maximum", 1<<32 - 1}},
	"int64":         {{"type", "integer"}, {"format", "int64"}},
	"uint64":        {{"type", "integer"}, {"format", "int64"}, {"minimum", 0}},
	"decimal":       {{"type", "string"}, {"pattern", "^-?[0-9]+$"}},
	"address":       {{"type", "string"}, {"pattern", "^-?[0-9]+:[0-9A-F]{64}$"}},
	"addressOrNone": {{"type", "string"}, {"pattern", "^(-?[0-9]+:[0-9A-F]{64}|addr_none|addr_extern)$"}},
	"hash":          {{"type", "string"}, {"pattern", "^[A-Za-z0-9+/]{43}=$"}},
	"hex256":        {{"type", "string"}, {"pattern", "^[0-9A-F]{64}$"}},
	"shard":         {{"type", "string"}, {"pattern", "^[0-9A-F]{1,16}$"}},
	"opcode":        {{"type", "string"}, {"pattern", "^0x[0-9a-f]{8}$"}},
	"boc":           {{"type", "string"}, {"contentEncoding", "base64"}, {"pattern", "^[A-Za-z0-9+/]*={0,2}$"}},
	"status":        {{"type", "string"}, {"enum", []string{"uninit", "active", "frozen", "nonexist"}}},
}

// schemas describes every record, by name.
func (d *description) schemas() (object, error) {
	schemas := object{}
	for _, name := range slices.Sorted(maps.Keys(d.records)) {
		s, err := d.schema(d.records[name])
		if err != nil {
			return nil, fmt.Errorf("record %s: %w", name, err)
		}
		schemas = append(schemas, field{name, s})
	}
	return schemas, nil
}

func (d *description) schema(r *record) (object, error) {
	if r.alias != "" {
		s, err := d.kind(r.alias)
		return s.with("description", r.purpose), err
	}
	properties, required := object{}, []string{}
	for _, m := range r.members {
		s, err := d.kind(m.kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if m.null {
			s = orNull(s)
		}
		properties = append(properties, field{m.name, s.with("description", m.meaning)})
		if !m.optional {
			required = append(required, m.name)
		}
	}
	return object{{"type", "object"}, {"description", r.purpose}, {"properties", properties}, {"required", required}}, nil
}

// kind reads a type: a scalar, one of several words, a record, a list ([]T) or a map ({}T).
func (d *description) kind(name string) (object, error) {
	if element, ok := strings.CutPrefix(name, "[]"); ok {
		s, err := d.kind(element)
		return object{{"type", "array"}, {"items", s}}, err
	}
	if element, ok := strings.CutPrefix(name, "{}"); ok {
		s, err := d.kind(element)
		return object{{"type", "object"}, {"additionalProperties", s}}, err
	}
	if s, ok := scalars[name]; ok {
		return s, nil
	}
	if strings.Contains(name, "|") {
		return object{{"type", "string"}, {"enum", strings.Split(name, "|")}}, nil
	}
	if d.records[name] == nil {
		return nil, fmt.Errorf("there is no record %s", name)
	}
	return refTo("schemas", name), nil
}

// orNull lets a value also be null.
func orNull(s object) object {
	if s[0].name == "$ref" {
		return object{{"oneOf", []object{s, {{"type", "null"}}}}}
	}
	out := slices.Clone(s)
	for i, f := range out {
		switch f.name {
		case "type":
			out[i].value = []any{f.value, "null"}
		case "enum":
			words := []any{}
			for _, w := range f.value.([]string) { //nolint:errcheck // made above
				words = append(words, w)
			}
			out[i].value = append(words, nil)
		}
	}
	return out
}
