package v3

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"tonql/rest/docs"
	"tonql/rest/handler"
)

type object = docs.Object

// groups lists the tags of routes in the order of the documentation page.
var groups = []string{"blockchain", "accounts", "actions", "jettons", "nfts", "dns", "multisig", "staking", "validators", "vesting", "utilities", "legacy"}

// openAPI returns the OpenAPI 3.1 document of the API in JSON. rows is the maximum of the parameter limit.
func openAPI(routes []Route, opts Options, rows int) ([]byte, error) {
	return apiDocument{prefix: Prefix, title: "tonql /api/v3", introduction: introduction, groups: groups}.openAPI(routes, opts, rows)
}

// apiDocument is what the document of an API has besides its routes.
type apiDocument struct {
	prefix, title, introduction string
	groups                      []string
}

// openAPI returns the document. Paths come from routes, parameters from what each handler reads, and all texts and schemas from the
// embedded description.
func (p apiDocument) openAPI(routes []Route, opts Options, rows int) ([]byte, error) {
	d, err := loadDescription()
	if err != nil {
		return nil, err
	}
	paths := object{}
	at := map[string]int{}
	for _, r := range routes {
		operation, err := d.operation(r, opts.Limit, rows)
		if err != nil {
			return nil, err
		}
		path := p.prefix + r.Path
		if _, ok := at[path]; !ok {
			at[path] = len(paths)
			paths = append(paths, docs.Field{Name: path, Value: object{}})
		}
		item := &paths[at[path]]
		item.Value = append(slices.Clone(item.Value.(object)), docs.Field{Name: strings.ToLower(r.Method), Value: operation}) //nolint:errcheck // made above
	}
	schemas, err := d.schemasOf(paths)
	if err != nil {
		return nil, err
	}
	tags := make([]object, len(p.groups))
	for i, g := range p.groups {
		tags[i] = object{{Name: "name", Value: g}}
	}
	return json.Marshal(object{
		{Name: "openapi", Value: "3.1.0"},
		{Name: "info", Value: object{{Name: "title", Value: p.title}, {Name: "version", Value: opts.Version}, {Name: "description", Value: p.introduction}}},
		{Name: "servers", Value: []object{{{Name: "url", Value: "/"}}}},
		{Name: "tags", Value: tags},
		{Name: "security", Value: []object{{}, {{Name: "key", Value: []string{}}}}},
		{Name: "paths", Value: paths},
		{Name: "components", Value: object{
			{Name: "schemas", Value: schemas},
			{Name: "parameters", Value: commonParameters()},
			{Name: "headers", Value: commonHeaders()},
			{Name: "securitySchemes", Value: object{{Name: "key", Value: object{{Name: "type", Value: "apiKey"}, {Name: "in", Value: "header"}, {Name: "name", Value: "X-API-Key"}}}}},
		}},
	})
}

const introduction = "API of the indexed TON blockchain. Addresses are accepted in any form and returned in raw form with upper-case hex; " +
	"hashes are accepted in base64 or hex and returned in base64. Numbers that can exceed 53 bits are strings. A list is read from one " +
	"snapshot of the index, whose masterchain seqno is in the X-Mc-Seqno header. The Link header refers to the next page."

// schemaReference is a reference to a schema in a document.
var schemaReference = regexp.MustCompile(`"#/components/schemas/([^"]+)"`)

// schemasOf returns the schemas that paths refer to, and those that these refer to. A document of one API has none of the others.
func (d *description) schemasOf(paths object) (object, error) {
	all, err := d.records.Schemas()
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, schema := range append(object{{Name: "", Value: paths}}, all...) {
		if texts[schema.Name], err = json.Marshal(schema.Value); err != nil {
			return nil, fmt.Errorf("schema %s: %w", schema.Name, err)
		}
	}
	found := map[string]bool{}
	for next := []string{""}; len(next) > 0; {
		name := next[0]
		next = next[1:]
		for _, match := range schemaReference.FindAllSubmatch(texts[name], -1) {
			if to := string(match[1]); !found[to] {
				found[to] = true
				next = append(next, to)
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(f docs.Field) bool { return !found[f.Name] }), nil
}

func (d *description) operation(r Route, limit, rows int) (object, error) {
	route, ok := d.routes[r.Method+" "+r.Path]
	if !ok {
		return nil, fmt.Errorf("description/routes.tsv has no %s %s", r.Method, r.Path)
	}
	params := []object{}
	hasCursor := false
	for _, p := range r.params(limit) {
		text, ok := d.param(r.Path, p.Name)
		if !ok {
			return nil, fmt.Errorf("description/parameters.tsv has no %s of %s", p.Name, r.Path)
		}
		maxRows := rows
		if r.rows > 0 {
			maxRows = r.rows
		}
		hasCursor = hasCursor || p.Name == "cursor"
		params = append(params, parameter(p, text, maxRows))
	}
	for _, name := range r.common() {
		params = append(params, docs.Ref("parameters", name))
	}
	headers := object{}
	if !r.static && !r.live && r.Method == http.MethodGet {
		headers = append(headers, docs.Field{Name: "X-Mc-Seqno", Value: docs.Ref("headers", "McSeqno")})
	}
	if hasCursor {
		headers = append(headers, docs.Field{Name: "Link", Value: docs.Ref("headers", "Link")}, docs.Field{Name: "X-Next-Cursor", Value: docs.Ref("headers", "NextCursor")})
	}
	headers = append(headers, docs.Field{Name: "X-Unknown-Parameters", Value: docs.Ref("headers", "UnknownParameters")})
	o := object{{Name: "operationId", Value: operationID(r)}, {Name: "tags", Value: []string{route.group}}, {Name: "summary", Value: route.summary}, {Name: "parameters", Value: params}}
	if route.request != "" {
		o = append(o, docs.Field{Name: "requestBody", Value: object{{Name: "required", Value: true}, {Name: "content", Value: content(route.request)}}})
	}
	return append(o, docs.Field{Name: "responses", Value: object{
		{Name: "200", Value: object{{Name: "description", Value: "Successful response."}, {Name: "headers", Value: headers}, {Name: "content", Value: content(route.response)}}},
		{Name: "default", Value: object{{Name: "description", Value: "Error response."}, {Name: "content", Value: content("RequestError")}}},
	}}), nil
}

func content(schema string) object { return docs.Content(docs.Ref("schemas", schema)) }

// operationID derives an operation id from the path, such as jettonWallets for /jetton/wallets. Methods other than GET
// are the first word of the id.
func operationID(r Route) string {
	parts := strings.FieldsFunc(r.Path, func(c rune) bool { return c == '/' })
	if r.Method != http.MethodGet {
		parts = append([]string{strings.ToLower(r.Method)}, parts...)
	}
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Join(parts, "")
}

// parameter returns the OpenAPI object of a query parameter.
func parameter(p handler.Param, text paramText, rows int) object {
	s := formSchema(p, rows)
	if p.Many {
		s = object{{Name: "type", Value: "array"}, {Name: "items", Value: s}}
	} else if p.Default != nil {
		s = append(slices.Clip(s), docs.Field{Name: "default", Value: p.Default})
	}
	o := object{{Name: "name", Value: p.Name}, {Name: "in", Value: "query"}, {Name: "description", Value: text.description}, {Name: "schema", Value: s}}
	if text.required {
		o = append(o, docs.Field{Name: "required", Value: true})
	}
	if p.Many {
		o = append(o, docs.Field{Name: "explode", Value: true})
	}
	return o
}

func formSchema(p handler.Param, rows int) object {
	switch p.Form {
	case handler.EnumForm:
		return object{{Name: "type", Value: "string"}, {Name: "enum", Value: p.Values}}
	case handler.LimitForm:
		return object{{Name: "type", Value: "integer"}, {Name: "minimum", Value: 1}, {Name: "maximum", Value: rows}}
	case handler.OffsetForm, handler.Uint64Form, handler.UtimeForm:
		return object{{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: 0}}
	case handler.Int32Form:
		return object{{Name: "type", Value: "integer"}, {Name: "format", Value: "int32"}}
	case handler.BoolForm:
		return object{{Name: "type", Value: "boolean"}}
	case handler.AddressForm, handler.NullableAddressForm:
		return object{{Name: "type", Value: "string"}, {Name: "format", Value: "ton-address"}}
	case handler.HashForm:
		return object{{Name: "type", Value: "string"}, {Name: "format", Value: "ton-hash"}}
	case handler.ShardForm, handler.OpcodeForm, handler.TextForm:
		return object{{Name: "type", Value: "string"}}
	default:
		return object{{Name: "type", Value: "string"}}
	}
}
