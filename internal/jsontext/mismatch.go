package jsontext

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// Mismatch returns what of a document has another type than into, the value that it was decoded into, in terms of JSON: the member, what was expected and
// what is there. The text of err itself has names of Go.
func Mismatch(err *json.UnmarshalTypeError, into any) string {
	member, of := located(err, reflect.TypeOf(into))
	text := "expected " + expected(err.Type) + ", not " + found(err.Value)
	switch {
	case member == "" && !of:
		return text
	case member == "":
		return "an element: " + text
	case of:
		return "an element of " + member + ": " + text
	default:
		return member + ": " + text
	}
}

// located returns the path of the member that err is about, without the names of embedded structs, and whether it is about an element of it.
func located(err *json.UnmarshalTypeError, at reflect.Type) (member string, element bool) {
	var path []string
	for name := range strings.SplitSeq(err.Field, ".") {
		if name == "" {
			break
		}
		if at = elementary(at); at.Kind() != reflect.Struct {
			path = append(path, name)
			continue
		}
		f, embedded := field(at, name)
		if at = f; !embedded {
			path = append(path, name)
		}
	}
	for at.Kind() == reflect.Pointer {
		at = at.Elem()
	}
	return strings.Join(path, "."), elementary(at) != at && at != err.Type
}

// elementary returns the type of the elements of a list or map, or t.
func elementary(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t
}

// field returns the type of the member of a struct, and whether it is an embedded struct, whose members are those of the struct around it.
func field(t reflect.Type, name string) (of reflect.Type, embedded bool) {
	for f := range t.Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && tag == "" && f.Name == name:
			return f.Type, true
		case tag == name, tag == "" && f.Name == name:
			return f.Type, false
		}
	}
	return t, false
}

var unmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// expected describes the JSON values of a type.
func expected(t reflect.Type) string {
	if t == reflect.TypeFor[json.Number]() {
		return "a number"
	}
	if t.Implements(unmarshaler) || reflect.PointerTo(t).Implements(unmarshaler) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "an integer of " + strconv.Itoa(t.Bits()) + " bits"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return "an unsigned integer of " + strconv.Itoa(t.Bits()) + " bits"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "a string"
		}
		return "an array"
	case reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "another value"
	}
}

// maxFound bounds the length of a number in a message.
const maxFound = 40

// found describes a value as encoding/json does.
func found(value string) string {
	if number, ok := strings.CutPrefix(value, "number "); ok {
		if len(number) > maxFound {
			number = number[:maxFound] + "…"
		}
		return number
	}
	switch value {
	case "bool":
		return "true or false"
	case "array", "object":
		return "an " + value
	default:
		return "a " + value
	}
}

// Kind describes a decoded value as [Mismatch] does. Numbers are float64, integers or [json.Number].
func Kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return strconv.FormatBool(v)
	case map[string]any:
		return "an object"
	case json.Number:
		return found("number " + v.String())
	}
	switch reflect.TypeOf(v).Kind() {
	case reflect.Slice, reflect.Array:
		return "an array"
	default:
		return "a number"
	}
}
