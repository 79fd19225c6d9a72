package v2

import (
	"encoding/json"
	"fmt"
	"slices"

	"tonql/internal/chain"
	"tonql/rest/docs"
)

type object = docs.Object

const introduction = "JSON API to the methods of a TON node. Addresses and hashes are accepted in any form. LTs, shards and amounts are " +
	"decimal strings; hashes and cells are base64. A successful response is {ok, result, @extra}; an error response is " +
	"{ok, error, code, @extra}, where code is the HTTP status. The query parameters of GET are the members of a JSON object in POST, " +
	"and of params in jsonRPC."

// Params lists the parameters that the handler of the route reads, in the order of reading.
func (r Route) Params() []Param {
	// The unknown name makes the handler return once it has read its parameters.
	c := &call{p: &params{body: map[string]json.RawMessage{"": nil}}}
	if err := r.serve(c); chain.KindOf(err) != chain.Invalid {
		return nil
	}
	return c.p.recorded
}

// openAPI returns the OpenAPI 3.1 document of the API in JSON.
func openAPI(routes []Route, version string) ([]byte, error) {
	d, err := loadDescription()
	if err != nil {
		return nil, err
	}
	paths, groups := object{}, []string{}
	for _, r := range routes {
		item, err := d.item(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		paths = append(paths, docs.Field{Name: Prefix + "/" + r.Name, Value: item})
		if g := d.routes[r.Name].group; !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	paths = append(paths, docs.Field{Name: Prefix + "/jsonRPC", Value: object{{Name: "post", Value: rpcOperation()}}})
	schemas, err := d.records.Schemas()
	if err != nil {
		return nil, err
	}
	var tags []object
	for _, g := range append(groups, "jsonRPC") {
		tags = append(tags, object{{Name: "name", Value: g}})
	}
	key := func(in, name string) object {
		return object{{Name: "type", Value: "apiKey"}, {Name: "in", Value: in}, {Name: "name", Value: name}}
	}
	return json.Marshal(object{
		{Name: "openapi", Value: "3.1.0"},
		{Name: "info", Value: object{
			{Name: "title", Value: "tonql /api/v2"}, {Name: "version", Value: version}, {Name: "description", Value: introduction},
		}},
		{Name: "servers", Value: []object{{{Name: "url", Value: "/"}}}},
		{Name: "tags", Value: tags},
		{Name: "security", Value: []object{{}, {{Name: "header", Value: []string{}}}, {{Name: "query", Value: []string{}}}}},
		{Name: "paths", Value: paths},
		{Name: "components", Value: object{
			{Name: "schemas", Value: schemas},
			{Name: "securitySchemes", Value: object{
				{Name: "header", Value: key("header", "X-API-Key")}, {Name: "query", Value: key("query", "api_key")},
			}},
		}},
	})
}

// item returns the OpenAPI path item of a method, with the operations post and, if the method allows it, get.
func (d *description) item(r Route) (object, error) {
	text, ok := d.routes[r.Name]
	if !ok {
		return nil, fmt.Errorf("description/routes.tsv has no such method")
	}
	result, err := d.records.Kind(text.result)
	if err != nil {
		return nil, err
	}
	var query []object
	properties, required := object{}, []string{}
	for _, p := range r.Params() {
		description, ok := d.params[r.Name+" "+p.Name]
		if !ok {
			description, ok = d.params[p.Name]
		}
		if !ok {
			return nil, fmt.Errorf("description/parameters.tsv has no %s", p.Name)
		}
		q := object{
			{Name: "name", Value: p.Name},
			{Name: "in", Value: "query"},
			{Name: "description", Value: description},
			{Name: "schema", Value: p.querySchema()},
		}
		if p.Required {
			q = append(q, docs.Field{Name: "required", Value: true})
			required = append(required, p.Name)
		}
		query = append(query, q)
		s := append(slices.Clip(p.bodySchema(r)), docs.Field{Name: "description", Value: description})
		properties = append(properties, docs.Field{Name: p.Name, Value: s})
	}
	body := object{{Name: "type", Value: "object"}, {Name: "properties", Value: properties}}
	if len(required) > 0 {
		body = append(body, docs.Field{Name: "required", Value: required})
	}
	body = append(body, docs.Field{Name: "additionalProperties", Value: false})

	operation := func(method string) object {
		return object{
			{Name: "operationId", Value: r.Name + "_" + method}, {Name: "tags", Value: []string{text.group}}, {Name: "summary", Value: text.summary},
		}
	}
	response := docs.Field{Name: "responses", Value: responses(envelope(result))}
	item := object{}
	if r.Get {
		get := operation("get")
		if len(query) > 0 {
			get = append(get, docs.Field{Name: "parameters", Value: query})
		}
		item = append(item, docs.Field{Name: "get", Value: append(get, response)})
	}
	post := append(operation("post"), docs.Field{Name: "requestBody", Value: request(body)}, response)
	return append(item, docs.Field{Name: "post", Value: post}), nil
}

func request(schema object) object {
	return object{{Name: "required", Value: true}, {Name: "content", Value: docs.Content(schema)}}
}

func responses(schema object) object {
	return object{
		{Name: "200", Value: object{{Name: "description", Value: "Successful response."}, {Name: "content", Value: docs.Content(schema)}}},
		{Name: "default", Value: object{
			{Name: "description", Value: "Error response."}, {Name: "content", Value: docs.Content(docs.Ref("schemas", "RequestError"))},
		}},
	}
}

// envelope returns the schema of a successful response around the schema of its result.
func envelope(result object) object {
	return object{
		{Name: "type", Value: "object"},
		{Name: "properties", Value: object{
			{Name: "ok", Value: object{{Name: "const", Value: true}}},
			{Name: "result", Value: result},
			{Name: "@extra", Value: object{{Name: "type", Value: "string"}, {Name: "description", Value: "Time in Unix seconds, servers queried, and duration in milliseconds, separated by colons."}}},
			{Name: "jsonrpc", Value: object{{Name: "type", Value: "string"}, {Name: "description", Value: "Present in JSON-RPC responses."}}},
			{Name: "id", Value: object{{Name: "description", Value: "Present in JSON-RPC responses: the id of the request."}}},
		}},
		{Name: "required", Value: []string{"ok", "result", "@extra"}},
		{Name: "additionalProperties", Value: false},
	}
}

func rpcOperation() object {
	call := docs.Ref("schemas", "RpcRequest")
	list := object{{Name: "type", Value: "array"}, {Name: "items", Value: call}, {Name: "minItems", Value: 1}, {Name: "maxItems", Value: maxCalls}}
	return object{
		{Name: "operationId", Value: "jsonRPC_post"},
		{Name: "tags", Value: []string{"jsonRPC"}},
		{Name: "summary", Value: "Calls one method, or a batch of methods. The response to a batch is a list in the order of the calls."},
		{Name: "requestBody", Value: request(object{{Name: "oneOf", Value: []object{call, list}}})},
		{Name: "responses", Value: responses(object{{Name: "oneOf", Value: []object{
			envelope(object{}), {{Name: "type", Value: "array"}, {Name: "items", Value: object{{Name: "type", Value: "object"}}}},
		}}})},
	}
}

// exactInteger is the largest integer that clients in JavaScript can represent. Parameters above it, such as shards and LTs, are
// decimal strings in generated clients.
const exactInteger = 1<<53 - 1

// querySchema returns the schema of a query parameter.
func (p *Param) querySchema() object {
	switch p.Form {
	case Integer:
		if p.Low < -exactInteger || p.High > exactInteger {
			return docs.Pattern(`^-?[0-9]+$`)
		}
		return p.integer()
	case Address:
		return object{{Name: "type", Value: "string"}, {Name: "format", Value: "ton-address"}}
	case Hash:
		return object{{Name: "type", Value: "string"}, {Name: "format", Value: "ton-hash"}}
	case Flag:
		return object{{Name: "type", Value: "boolean"}}
	case Hashes:
		return object{{Name: "type", Value: "array"}, {Name: "items", Value: object{{Name: "type", Value: "string"}, {Name: "format", Value: "ton-hash"}}}}
	case Bytes:
		return base64Text()
	case Text, JSON:
	}
	return object{{Name: "type", Value: "string"}}
}

func (p *Param) integer() object {
	return object{
		{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: p.Low}, {Name: "maximum", Value: p.High},
	}
}

// bodySchema returns the schema of a member of a request body. Numbers are also accepted as strings, and booleans as
// strings or numbers.
func (p *Param) bodySchema(r Route) object {
	text := object{{Name: "type", Value: "string"}}
	switch {
	case p.Form == Integer:
		return object{{Name: "oneOf", Value: []object{p.integer(), text}}}
	case p.Form == Flag:
		return object{{Name: "oneOf", Value: []object{{{Name: "type", Value: "boolean"}}, text, {{Name: "type", Value: "integer"}}}}}
	case p.Form == JSON && r.Name == "runGetMethod":
		return object{{Name: "type", Value: "array"}, {Name: "items", Value: docs.Ref("schemas", "StackPair")}}
	case p.Form == JSON:
		return object{{Name: "type", Value: "array"}, {Name: "items", Value: docs.Ref("schemas", "StackEntry")}}
	case p.Name == "method":
		return object{{Name: "oneOf", Value: []object{text, {{Name: "type", Value: "integer"}}}}}
	default:
		return p.querySchema()
	}
}
