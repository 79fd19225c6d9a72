package main

import (
	"reflect"
	"strings"

	"tonql/internal/action/details"
)

const preface = `# Details of actions

Written by internal/action/details/sdl; do not edit.

What the ` + "`details`" + ` of each type of action say, in REST v3. GraphQL has the same members in camelCase, one type per type of action
in the union ActionDetails. A member that is nothing is null, or left out where it says so. Addresses are raw; a number as text is in
decimal. An asset that is null is TON.
`

// document describes all kinds for people.
func document(folder string) ([]byte, error) {
	found, err := readComments(folder)
	if err != nil {
		return nil, err
	}
	w := &writer{comments: found, words: words(), used: map[string]bool{}, written: map[string]bool{}}
	w.printf("%s", preface)
	var objects []reflect.Type
	for _, kind := range details.Kinds() {
		d, err := details.New(kind)
		if err != nil {
			return nil, err
		}
		objects = w.section(kind, reflect.TypeOf(d).Elem(), objects)
	}
	for i := 0; i < len(objects); i++ {
		objects = w.section(objects[i].Name(), objects[i], objects)
	}
	return w.text, w.err
}

// section describes one struct, and gives the objects that are to be described after it.
func (w *writer) section(title string, t reflect.Type, objects []reflect.Type) []reflect.Type {
	w.printf("\n## %s\n\n%s\n\n| Member | Form | Meaning |\n|---|---|---|\n", title, w.purpose(t, title))
	for f := range t.Fields() {
		member, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		form, object := formOf(f.Type)
		if options == "omitempty" {
			form += ", or left out"
		}
		meaning := "The record."
		if object == nil || member != "value" {
			meaning = w.meaning(t, f.Name, member)
		}
		w.printf("| `%s` | %s | %s |\n", member, form, strings.ReplaceAll(meaning, "\n", " "))
		if object != nil && !w.written[object.Name()] {
			w.written[object.Name()] = true
			objects = append(objects, object)
		}
	}
	return objects
}

// forms are the names of Go types in the document.
var forms = map[string]string{
	"chain.Address": "address", "chain.Hash": "hash", "chain.BOC": "bag of cells", "details.Number": "number as text",
	"details.Integer": "number", "details.Opcode": "opcode", "details.Currencies": "object of numbers as text", "string": "text",
	"bool": "true or false", "int32": "number", "uint32": "number",
}

func formOf(t reflect.Type) (form string, object reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if form, ok := forms[t.String()]; ok {
		return form, nil
	}
	if t.Kind() == reflect.Slice {
		form, object = formOf(t.Elem())
		return "list: " + form, object
	}
	return "[" + t.Name() + "](#" + strings.ToLower(t.Name()) + ")", t
}
