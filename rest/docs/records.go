package docs

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Records are the forms of an interface's answers, read from text. A record is a line with its name and what it is,
// then a line for each member, after a tab: name, type, and what it says where that is not plain.
//
//	Block: A block of any workchain.
//		@type =ton.block
//		seqno uint32
//		parent? Block: Left out of the first.
//
//	Blocks = []Block: A page of them.
//
// A type is a scalar, a record, a list ([]T), a map ({}T), one of several records (A|B), one of several words, or one
// constant text (=text). A member with a question mark may be missing, one whose type is followed by null may be null.
type Records struct {
	scalars map[string]Object
	byName  map[string]*record
}

type record struct {
	purpose string
	alias   string // another type that it stands for; then it has no members
	members []member
}

type member struct {
	name, kind, meaning string
	optional, null      bool
}

var (
	recordLine = regexp.MustCompile(`^([A-Z]\w*)(?: = (\S+))?: (\S.*)$`)
	memberLine = regexp.MustCompile(`^\t([@\w]+)(\??) (\S+?)( null)?(?:: (\S.*))?$`)
)

// NewRecords has no records yet.
func NewRecords(scalars map[string]Object) *Records {
	return &Records{scalars: scalars, byName: map[string]*record{}}
}

// Read adds the records of a file. Lines that begin with # say nothing.
func (r *Records) Read(file, text string) error {
	var current *record
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		if m := recordLine.FindStringSubmatch(line); m != nil {
			if r.byName[m[1]] != nil {
				return fmt.Errorf("%s:%d: %s is there twice", file, i+1, m[1])
			}
			current = &record{alias: m[2], purpose: m[3]}
			r.byName[m[1]] = current
			continue
		}
		m := memberLine.FindStringSubmatch(line)
		if m == nil || current == nil {
			return fmt.Errorf("%s:%d: not understood: %s", file, i+1, line)
		}
		current.members = append(current.members, member{m[1], m[3], m[5], m[2] != "", m[4] != ""})
	}
	return nil
}

// Schemas describes every record, by name.
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
		return append(slices.Clip(s), Field{"description", rec.purpose}), err
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
		if m.meaning != "" {
			s = append(slices.Clip(s), Field{"description", m.meaning})
		}
		properties = append(properties, Field{m.name, s})
		if !m.optional {
			required = append(required, m.name)
		}
	}
	return Object{{"type", "object"}, {"description", rec.purpose}, {"properties", properties}, {"required", required}}, nil
}

// Kind is the schema of a type.
func (r *Records) Kind(name string) (Object, error) {
	if word, ok := strings.CutPrefix(name, "="); ok {
		return Object{{"type", "string"}, {"enum", []string{word}}}, nil
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
	words := strings.Split(name, "|")
	switch {
	case len(words) > 1 && r.known(words[0]):
		var either []Object
		for _, word := range words {
			s, err := r.Kind(word)
			if err != nil {
				return nil, err
			}
			either = append(either, s)
		}
		return Object{{"oneOf", either}}, nil
	case len(words) > 1:
		return Object{{"type", "string"}, {"enum", words}}, nil
	case r.byName[name] == nil:
		return nil, fmt.Errorf("there is no record %s", name)
	}
	return Ref("schemas", name), nil
}

func (r *Records) known(name string) bool {
	_, scalar := r.scalars[name]
	return scalar || r.byName[name] != nil
}

// orNull lets a value also be null.
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
			words := []any{}
			for _, w := range f.Value.([]string) { //nolint:errcheck // made above
				words = append(words, w)
			}
			out[i].Value = append(words, nil)
		}
	}
	return out
}
