package docs

import "encoding/json"

// Object is a JSON object whose members keep their order, so that a document reads as its description does.
type Object []Field

// Field is one member.
type Field struct {
	Name  string
	Value any
}

// MarshalJSON prints the members in order.
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

// Ref names a part of the same document.
func Ref(kind, name string) Object { return Object{{"$ref", "#/components/" + kind + "/" + name}} }

// Content is a JSON body of a request or an answer.
func Content(schema Object) Object {
	return Object{{"application/json", Object{{"schema", schema}}}}
}

// Pattern is a text that matches a regular expression.
func Pattern(expression string) Object {
	return Object{{"type", "string"}, {"pattern", expression}}
}
