package v3

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"tonql/rest/handler"
)

// object is a JSON object whose members keep their order, so that the document reads as the description does.
type object []field

type field struct {
	name  string
	value any
}

// MarshalJSON prints the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range o {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		b = append(append(handler.AppendString(b, f.name), ':'), value...)
	}
	return append(b, '}'), nil
}

// with is the object with one more member, unless its value says nothing.
func (o object) with(name string, value any) object {
	if value == nil || value == "" {
		return o
	}
	return append(slices.Clip(o), field{name, value})
}

func refTo(kind, name string) object { return object{{"$ref", "#/components/" + kind + "/" + name}} }

// groups are the tags of routes in the order of the page.
var groups = []string{"blockchain", "accounts", "actions", "jettons", "nfts", "dns", "multisig", "vesting", "utilities", "legacy"}

// openAPI makes the OpenAPI 3.1 document of the interface: the table of routes, what each handler reads, and the
// description.
func openAPI(routes []Route, opts Options, rows int) ([]byte, error) {
	d, err := described()
	if err != nil {
		return nil, err
	}
	paths := object{}
	at := map[string]int{}
	for _, r := range routes {
		if !r.Served() {
			continue
		}
		operation, err := d.operation(r, opts.Limit, rows)
		if err != nil {
			return nil, err
		}
		path := Prefix + r.Path
		if _, known := at[path]; !known {
			at[path] = len(paths)
			paths = append(paths, field{path, object{}})
		}
		item := &paths[at[path]]
		item.value = append(slices.Clone(item.value.(object)), field{strings.ToLower(r.Method), operation}) //nolint:errcheck // made above
	}
	schemas, err := d.schemas()
	if err != nil {
		return nil, err
	}
	tags := make([]object, len(groups))
	for i, g := range groups {
		tags[i] = object{{"name", g}}
	}
	return json.Marshal(object{
		{"openapi", "3.1.0"},
		{"info", object{{"title", "tonql /api/v3"}, {"version", opts.Version}, {"description", introduction}}},
		{"servers", []object{{{"url", "/"}}}},
		{"tags", tags},
		{"security", []object{{}, {{"key", []string{}}}}},
		{"paths", paths},
		{"components", object{
			{"schemas", schemas},
			{"parameters", commonParameters()},
			{"headers", commonHeaders()},
			{"securitySchemes", object{{"key", object{{"type", "apiKey"}, {"in", "header"}, {"name", "X-API-Key"}}}}},
		}},
	})
}

const introduction = "The indexed interface of TON. Addresses are read in any form, and printed raw with upper-case hex; hashes are read as " +
	"base64 or hex, and printed as base64. Numbers that may exceed 53 bits are strings. Lists are read from one state of the index, whose " +
	"masterchain seqno is in X-Mc-Seqno; the Link header leads to the next page."

func (d *description) operation(r Route, limit, rows int) (object, error) {
	words, ok := d.routes[r.Method+" "+r.Path]
	if !ok {
		return nil, fmt.Errorf("description/routes.tsv has no %s %s", r.Method, r.Path)
	}
	params := []object{}
	listed := false
	for _, p := range r.params(limit) {
		w, ok := d.param(r.Path, p.Name)
		if !ok {
			return nil, fmt.Errorf("description/parameters.tsv has no %s of %s", p.Name, r.Path)
		}
		most := rows
		if r.rows > 0 {
			most = r.rows
		}
		listed = listed || p.Name == "cursor"
		params = append(params, parameter(p, w, most))
	}
	for _, name := range r.common() {
		params = append(params, refTo("parameters", name))
	}
	headers := object{}
	if !r.pure && !r.live && r.Method == http.MethodGet {
		headers = append(headers, field{"X-Mc-Seqno", refTo("headers", "McSeqno")})
	}
	if listed {
		headers = append(headers, field{"Link", refTo("headers", "Link")}, field{"X-Next-Cursor", refTo("headers", "NextCursor")})
	}
	headers = append(headers, field{"X-Unknown-Parameters", refTo("headers", "UnknownParameters")})
	o := object{{"operationId", operationID(r)}, {"tags", []string{words.group}}, {"summary", words.purpose}, {"parameters", params}}
	if words.request != "" {
		o = append(o, field{"requestBody", object{{"required", true}, {"content", content(words.request)}}})
	}
	return append(o, field{"responses", object{
		{"200", object{{"description", "The answer."}, {"headers", headers}, {"content", content(words.answer)}}},
		{"default", object{{"description", "Why there is no answer."}, {"content", content("RequestError")}}},
	}}), nil
}

func content(schema string) object {
	return object{{"application/json", object{{"schema", refTo("schemas", schema)}}}}
}

// operationID is jettonWallets for /jetton/wallets; methods other than GET come first in the name.
func operationID(r Route) string {
	words := strings.FieldsFunc(r.Path, func(c rune) bool { return c == '/' })
	if r.Method != http.MethodGet {
		words = append([]string{strings.ToLower(r.Method)}, words...)
	}
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

// parameter describes one parameter in a query.
func parameter(p handler.Param, w paramWords, rows int) object {
	s := formSchema(p, rows)
	if p.Many {
		s = object{{"type", "array"}, {"items", s}}
	} else if p.Default != nil {
		s = s.with("default", p.Default)
	}
	o := object{{"name", p.Name}, {"in", "query"}, {"description", w.meaning}, {"schema", s}}
	if w.required {
		o = append(o, field{"required", true})
	}
	if p.Many {
		o = append(o, field{"explode", true})
	}
	return o
}

func formSchema(p handler.Param, rows int) object {
	switch p.Form {
	case handler.WordForm:
		return object{{"type", "string"}, {"enum", p.Words}}
	case handler.LimitForm:
		return object{{"type", "integer"}, {"minimum", 1}, {"maximum", rows}}
	case handler.OffsetForm, handler.Uint64Form, handler.UtimeForm:
		return object{{"type", "integer"}, {"format", "int64"}, {"minimum", 0}}
	case handler.Int32Form:
		return object{{"type", "integer"}, {"format", "int32"}}
	case handler.BoolForm:
		return object{{"type", "boolean"}}
	case handler.AddressForm, handler.NullableAddressForm:
		return object{{"type", "string"}, {"format", "ton-address"}}
	case handler.HashForm:
		return object{{"type", "string"}, {"format", "ton-hash"}}
	case handler.ShardForm, handler.OpcodeForm, handler.TextForm:
		return object{{"type", "string"}}
	default:
		return object{{"type", "string"}}
	}
}
