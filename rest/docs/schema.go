package docs

import (
	"fmt"
	"strings"
)

// part is a piece of the description of a type; one with a Link names a schema.
type part struct{ Text, Link string }

// field is a member of a schema.
type field struct {
	Name, Description string
	Type              []part
	Optional          bool
	Fields            []field // of an object without a name
}

// schema is a named schema on the page.
type schema struct {
	ID, Name, Description string
	Type                  []part // empty for an object
	Fields                []field
}

// schemaID returns the fragment of a schema on the page.
func schemaID(name string) string { return "schema-" + name }

// maxSchemaDepth bounds the nesting of schemas without a name.
const maxSchemaDepth = 8

// typeOf describes a schema as text.
func typeOf(s Object, depth int) []part {
	if depth > maxSchemaDepth {
		return []part{{Text: "any"}}
	}
	if ref := s.text("$ref"); ref != "" {
		name := ref[strings.LastIndexByte(ref, '/')+1:]
		return []part{{Text: name, Link: "#" + schemaID(name)}}
	}
	if constant := s.get("const"); constant != nil {
		return []part{{Text: fmt.Sprintf("%q", fmt.Sprint(constant))}}
	}
	if values := s.list("enum"); len(values) > 0 {
		quoted := make([]string, len(values))
		for i, v := range values {
			quoted[i] = fmt.Sprintf("%q", fmt.Sprint(v))
		}
		return []part{{Text: strings.Join(quoted, " or ")}}
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		var parts []part
		for i, choice := range s.list(keyword) {
			if i > 0 {
				parts = append(parts, part{Text: " or "})
			}
			o, _ := choice.(Object)
			parts = append(parts, typeOf(o, depth+1)...)
		}
		if parts != nil {
			return parts
		}
	}
	names := typeNames(s)
	var parts []part
	for i, name := range names {
		if i > 0 {
			parts = append(parts, part{Text: " or "})
		}
		parts = append(parts, typeNamed(s, name, depth)...)
	}
	if parts == nil {
		return []part{{Text: "any"}}
	}
	return parts
}

func typeNames(s Object) []string {
	if name := s.text("type"); name != "" {
		return []string{name}
	}
	var names []string
	for _, t := range s.list("type") {
		name, _ := t.(string)
		names = append(names, name)
	}
	return names
}

func typeNamed(s Object, name string, depth int) []part {
	switch name {
	case "array":
		return append([]part{{Text: "list of "}}, typeOf(s.object("items"), depth+1)...)
	case "object":
		if values := s.object("additionalProperties"); values != nil {
			return append([]part{{Text: "object with values "}}, typeOf(values, depth+1)...)
		}
		return []part{{Text: "object"}}
	default:
		return []part{{Text: name + constraints(s)}}
	}
}

// constraints lists the format, the bounds and the pattern of a scalar, in parentheses.
func constraints(s Object) string {
	var list []string
	if format := s.text("format"); format != "" {
		list = append(list, format)
	}
	if encoding := s.text("contentEncoding"); encoding != "" {
		list = append(list, encoding)
	}
	for _, c := range []struct{ keyword, format string }{
		{"minimum", "at least %v"}, {"maximum", "at most %v"},
		{"minLength", "at least %v characters"}, {"maxLength", "at most %v characters"}, {"pattern", "as %v"},
	} {
		if bound := s.get(c.keyword); bound != nil {
			list = append(list, fmt.Sprintf(c.format, bound))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// fieldsOf lists the members of an object, those of a list of objects, or those of all parts of allOf.
func fieldsOf(s Object, depth int) []field {
	if depth > maxSchemaDepth {
		return nil
	}
	if items := s.object("items"); items != nil {
		return fieldsOf(items, depth+1)
	}
	required := map[string]bool{}
	for _, r := range s.list("required") {
		name, _ := r.(string)
		required[name] = true
	}
	var fields []field
	for _, f := range s.object("properties") {
		member, _ := f.Value.(Object)
		fields = append(fields, field{
			Name: f.Name, Description: member.text("description"), Type: typeOf(member, depth+1), Optional: !required[f.Name],
			Fields: fieldsOf(member, depth+1),
		})
	}
	return fields
}

// schemasOf lists the named schemas of a document.
func schemasOf(document Object) []schema {
	var list []schema
	for _, f := range document.object("components").object("schemas") {
		s, _ := f.Value.(Object)
		named := schema{ID: schemaID(f.Name), Name: f.Name, Description: s.text("description"), Fields: fieldsOf(s, 0)}
		if len(named.Fields) == 0 || s.object("items") != nil {
			named.Type = typeOf(s, 0)
		}
		list = append(list, named)
	}
	return list
}
