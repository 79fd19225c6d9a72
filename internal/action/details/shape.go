package details

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"tonql/internal/chain"
)

// shape is the struct of a kind with the sources of its fields.
type shape struct {
	of     reflect.Type
	fields []field
}

// field is a field that is copied from a column.
type field struct {
	index  int
	column string // a column of all kinds, or a composite one
	member string // within a composite column; "" otherwise
}

// shapeOf reads the tags of a struct.
func shapeOf(t reflect.Type) *shape {
	s := &shape{of: t}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		from := f.Tag.Get("from")
		if from == "-" {
			continue
		}
		if from == "" {
			from = name
		}
		column, member, composite := strings.Cut(from, ".")
		if composite && member == "" {
			member = name
		}
		s.fields = append(s.fields, field{index: f.Index[0], column: column, member: member})
	}
	return s
}

func (s *shape) make() Details {
	v := reflect.New(s.of)
	for i := range s.of.NumField() {
		if f := v.Elem().Field(i); listOfObjects(f.Type()) {
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		}
	}
	return v.Interface().(Details) //nolint:forcetypeassert,errcheck // shapes are made of Details alone
}

func (s *shape) fill(v reflect.Value, r *row) error {
	for _, f := range s.fields {
		var err error
		if f.member == "" {
			err = r.fill(v.Field(f.index), f.column)
		} else {
			err = set(v.Field(f.index), r.member(f.column, f.member))
		}
		if err != nil {
			return fmt.Errorf("%s.%s: %w", f.column, f.member, err)
		}
	}
	return nil
}

var addressType = reflect.TypeFor[chain.Address]()

// set sets a field to the value of a member of a composite column. A null or absent value does not change the field, and
// neither does an empty text for an address. Objects are read field by field, by the names in their tags.
func set(v reflect.Value, raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	switch t := v.Type(); {
	case t.Kind() == reflect.Pointer:
		if t.Elem() == addressType && string(raw) == `""` {
			return nil
		}
		v.Set(reflect.New(t.Elem()))
		return set(v.Elem(), raw)
	case t.Kind() == reflect.Struct && t != addressType:
		return setObject(v, raw)
	case listOfObjects(t):
		var rows []json.RawMessage
		if err := json.Unmarshal(raw, &rows); err != nil {
			return err
		}
		v.Set(reflect.MakeSlice(t, len(rows), len(rows)))
		for i := range rows {
			if err := set(v.Index(i), rows[i]); err != nil {
				return err
			}
		}
		return nil
	default:
		return json.Unmarshal(raw, v.Addr().Interface())
	}
}

func setObject(v reflect.Value, raw json.RawMessage) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if err := set(v.Field(i), members[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// listOfObjects reports whether t is a list of structs, which is printed as [] when empty.
func listOfObjects(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && t.Elem() != addressType
}
