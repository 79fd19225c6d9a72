package docs

import "encoding/json"

// Object is a JSON object that preserves the order of its members, so that a generated document has the order of its
// source.
type Object []Field

// Field is a member of an [Object].
type Field struct {
	Name  string
	Value any
}

// MarshalJSON encodes the members in order.
func (o Object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.Value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// Ref returns a reference to a component of the same document: a schema, parameter or header, as kind says.
func Ref(kind, name string) Object { return Object{{"$ref", "#/components/" + kind + "/" + name}} }

// Content returns the content object of a JSON request or response body.
func Content(schema Object) Object {
	return Object{{"application/json", Object{{"schema", schema}}}}
}

// Pattern returns the schema of a string that matches a regular expression.
func Pattern(expression string) Object {
	return Object{{"type", "string"}, {"pattern", expression}}
}
