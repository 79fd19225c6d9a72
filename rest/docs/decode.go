package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// parse decodes a JSON object and preserves the order of the members of all objects in it.
func parse(text []byte) (Object, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := value(d)
	if err != nil {
		return nil, fmt.Errorf("OpenAPI document: %w", err)
	}
	o, ok := v.(Object)
	if !ok {
		return nil, fmt.Errorf("OpenAPI document: %T instead of an object", v)
	}
	return o, nil
}

func value(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := Object{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := value(d)
			if err != nil {
				return nil, err
			}
			text, _ := name.(string) // the decoder accepts nothing else
			o = append(o, Field{text, v})
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := value(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	default:
		return token, nil
	}
}

// get returns the value of a member; nil without one.
func (o Object) get(name string) any {
	for _, f := range o {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

func (o Object) object(name string) Object {
	member, _ := o.get(name).(Object)
	return member
}

func (o Object) list(name string) []any {
	member, _ := o.get(name).([]any)
	return member
}

func (o Object) text(name string) string {
	member, _ := o.get(name).(string)
	return member
}

func (o Object) yes(name string) bool {
	member, _ := o.get(name).(bool)
	return member
}
