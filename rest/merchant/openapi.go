package merchant

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"tonql/internal/payment"
	"tonql/rest/docs"
)

type object = docs.Object

// descriptionFiles holds the texts of the OpenAPI document in the format of docs/openapi.md: summaries of routes (routes.tsv),
// parameters (parameters.tsv), and requests, responses and events (records.txt).
//
//go:embed description
var descriptionFiles embed.FS

const introduction = "API of merchants: registers transfers and returns their status. The status is also sent by a webhook, which the section " +
	"webhooks describes. Paths and members are those of the public SDK for payments. Without an API key a message is built, but nothing is stored."

// scalars are the JSON schemas of the scalar types of the description, by type name.
var scalars = map[string]object{
	"string":  {{Name: "type", Value: "string"}},
	"comment": {{Name: "type", Value: "string"}, {Name: "maxLength", Value: payment.MaxComment}},
	"int32":   {{Name: "type", Value: "integer"}, {Name: "format", Value: "int32"}},
	"decimal": docs.Pattern(`^[0-9]+$`),
	"amount": {{Name: "oneOf", Value: []object{
		{{Name: "type", Value: "number"}, {Name: "minimum", Value: 0}}, docs.Pattern(`^[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`),
	}}},
	"queryId": {{Name: "oneOf", Value: []object{
		{{Name: "type", Value: "integer"}, {Name: "format", Value: "int64"}, {Name: "minimum", Value: 0}}, docs.Pattern(`^[0-9]+$`), {{Name: "type", Value: "null"}},
	}}},
	"hash":       docs.Pattern(`^[A-Za-z0-9+/]{43}=$`),
	"hexOrNone":  docs.Pattern(`^([0-9a-f]{64})?$`),
	"friendly":   docs.Pattern(`^[A-Za-z0-9_-]{48}$`),
	"time":       {{Name: "type", Value: "string"}, {Name: "format", Value: "date-time"}},
	"timeOrNone": docs.Pattern(`^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z)?$`),
	"boc":        {{Name: "type", Value: "string"}, {Name: "contentEncoding", Value: "base64"}, {Name: "pattern", Value: `^[A-Za-z0-9+/]*={0,2}$`}},
}

// openAPI returns the OpenAPI 3.1 document of the API in JSON.
func openAPI() ([]byte, error) {
	records := docs.NewRecords(scalars)
	text, err := descriptionFiles.ReadFile("description/records.txt")
	if err == nil {
		err = records.Parse("records.txt", string(text))
	}
	if err != nil {
		return nil, fmt.Errorf("description: %w", err)
	}
	schemas, err := records.Schemas()
	if err != nil {
		return nil, err
	}
	parameters, err := table("parameters.tsv", 2)
	if err != nil {
		return nil, err
	}
	routes, err := table("routes.tsv", 5)
	if err != nil {
		return nil, err
	}
	paths := object{}
	for _, r := range routes {
		method, path, response, request, summary := r[0], r[1], r[2], r[3], r[4]
		o := object{{Name: "operationId", Value: operationID(path)}, {Name: "tags", Value: []string{"transfers"}}, {Name: "summary", Value: summary}}
		list := []object{}
		for _, p := range parameters {
			if name, ok := strings.CutPrefix(p[0], path+" "); ok {
				list = append(list, object{{Name: "name", Value: name}, {Name: "in", Value: "query"}, {Name: "description", Value: p[1]}, {Name: "schema", Value: scalars["string"]}})
			}
		}
		if len(list) > 0 {
			o = append(o, docs.Field{Name: "parameters", Value: list})
		}
		if request != "-" {
			o = append(o, body(request))
		}
		o = append(o, docs.Field{Name: "responses", Value: object{
			{Name: "200", Value: object{{Name: "description", Value: "Successful response."}, {Name: "content", Value: content(response)}}},
			{Name: "default", Value: object{
				{Name: "description", Value: "Error response."},
				{Name: "headers", Value: object{{Name: "Retry-After", Value: docs.Ref("headers", "RetryAfter")}}},
				{Name: "content", Value: content("RequestError")},
			}},
		}})
		paths = append(paths, docs.Field{Name: Prefix + path, Value: object{{Name: strings.ToLower(method), Value: o}}})
	}
	return json.Marshal(object{
		{Name: "openapi", Value: "3.1.0"},
		{Name: "info", Value: object{{Name: "title", Value: "tonql " + Prefix}, {Name: "version", Value: "1.0.0"}, {Name: "description", Value: introduction}}},
		{Name: "servers", Value: []object{{{Name: "url", Value: "/"}}}},
		{Name: "tags", Value: []object{{{Name: "name", Value: "transfers"}}, {{Name: "name", Value: "events"}}}},
		{Name: "security", Value: []object{{}, {{Name: "key", Value: []string{}}}}},
		{Name: "paths", Value: paths},
		{Name: "webhooks", Value: object{{Name: payment.TransferCompleted, Value: object{{Name: "post", Value: webhook()}}}}},
		{Name: "components", Value: object{
			{Name: "schemas", Value: schemas},
			{Name: "headers", Value: object{{Name: "RetryAfter", Value: object{
				{Name: "description", Value: "Seconds after which the request can be repeated. Present with status 429."},
				{Name: "schema", Value: object{{Name: "type", Value: "integer"}}},
			}}}},
			{Name: "securitySchemes", Value: object{{Name: "key", Value: object{
				{Name: "type", Value: "apiKey"}, {Name: "in", Value: "header"}, {Name: "name", Value: "X-Api-Key"}, {Name: "description", Value: "API key of a merchant."},
			}}}},
		}},
	})
}

// webhook returns the operation of the events, which the endpoints of merchants implement.
func webhook() object {
	header := func(name, description string) object {
		return object{
			{Name: "name", Value: name}, {Name: "in", Value: "header"}, {Name: "required", Value: true},
			{Name: "description", Value: description}, {Name: "schema", Value: scalars["string"]},
		}
	}
	return object{
		{Name: "operationId", Value: "transferCompleted"}, {Name: "tags", Value: []string{"events"}},
		{Name: "summary", Value: "Sent to the endpoints of the merchant when a registered transfer succeeded or failed. Delivered at least once."},
		{Name: "security", Value: []object{{}}},
		{Name: "parameters", Value: []object{
			header("X-Pay-Signature", "sha256= and the lower-case hex HMAC-SHA256 of the body, keyed with the secret of the endpoint as text."),
			header("webhook-id", "Id of the event. The same in every attempt."),
			header("webhook-timestamp", "Time of the attempt in Unix seconds."),
			header("webhook-signature", "Signatures as Standard Webhooks defines them."),
			header("X-TonPay-Attempt", "Number of the attempt, from 1."),
		}},
		body("TransferEvent"),
		{Name: "responses", Value: object{
			{Name: "2XX", Value: object{{Name: "description", Value: "The event is delivered."}}},
			{Name: "default", Value: object{{Name: "description", Value: "The event is sent again."}}},
		}},
	}
}

func body(schema string) docs.Field {
	return docs.Field{Name: "requestBody", Value: object{{Name: "required", Value: true}, {Name: "content", Value: content(schema)}}}
}

func content(schema string) object { return docs.Content(docs.Ref("schemas", schema)) }

// operationID converts a path such as /create-transfer to createTransfer.
func operationID(path string) string {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "-")
	for i := 1; i < len(parts); i++ {
		parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
	}
	return strings.Join(parts, "")
}

// table returns the rows of a table of the description.
func table(name string, columns int) ([][]string, error) {
	text, err := descriptionFiles.ReadFile("description/" + name)
	if err != nil {
		return nil, fmt.Errorf("description: %w", err)
	}
	var rows [][]string
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != columns {
			return nil, fmt.Errorf("description/%s:%d: invalid line: %s", name, i+1, line)
		}
		rows = append(rows, fields)
	}
	return rows, nil
}
