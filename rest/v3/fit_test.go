package v3_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	v3 "tonql/rest/v3"
)

// Every response in the tests of this package is validated against our OpenAPI document and, if TONQL_V3_OPENAPI names
// it, against the published one.

// document is an OpenAPI document with its response schemas compiled.
type document struct {
	tree      map[string]any
	responses map[string]*jsonschema.Schema // by method and path
	failure   *jsonschema.Schema
}

func compile(tree map[string]any) (*document, error) {
	const url = "https://test.example/openapi.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, tree); err != nil {
		return nil, err
	}
	d := &document{tree: tree, responses: map[string]*jsonschema.Schema{}}
	for path, item := range tree["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			at := fmt.Sprintf("%s#/paths/%s/%s/responses/200/content/application~1json/schema", url, strings.ReplaceAll(path, "/", "~1"), method)
			schema, err := c.Compile(at)
			if err != nil {
				return nil, err
			}
			d.responses[strings.ToUpper(method)+" "+strings.ToLower(path)] = schema
		}
	}
	var err error
	d.failure, err = c.Compile(url + "#/components/schemas/RequestError")
	return d, err
}

// ours is our document with closed records: members that it does not describe are errors.
var ours = sync.OnceValues(func() (*document, error) { return closed(v3.Document) })

// emulations is the document of the emulation API, in the same form.
var emulations = sync.OnceValues(func() (*document, error) { return closed(v3.EmulationDocument) })

func closed(load func() ([]byte, error)) (*document, error) {
	text, err := load()
	if err != nil {
		return nil, err
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	for _, schema := range recordsOf(tree.(map[string]any)) {
		if s := schema.(map[string]any); s["properties"] != nil {
			s["additionalProperties"] = false
		}
	}
	return compile(tree.(map[string]any))
}

// published is the published document, which is not part of this repository; nil if it is not available. Documented
// differences from it accept any value.
var published = sync.OnceValues(func() (*document, error) {
	tree, err := publishedTree()
	if tree == nil || err != nil {
		return nil, err
	}
	for at := range deviations(nil) {
		if record, name, ok := strings.Cut(at, "."); ok {
			if s, found := recordsOf(tree)[record].(map[string]any); found {
				delete(s["properties"].(map[string]any), name)
			}
			continue
		}
		path, _, ok := strings.Cut(at, " response")
		if item, found := tree["paths"].(map[string]any)[v3.Prefix+path].(map[string]any); ok && found {
			for _, operation := range item {
				responseOf(operation.(map[string]any))["schema"] = true
			}
		}
	}
	return compile(tree)
})

func publishedTree() (map[string]any, error) {
	path := os.Getenv("TONQL_V3_OPENAPI")
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return tree.(map[string]any), nil
}

func recordsOf(tree map[string]any) map[string]any {
	return tree["components"].(map[string]any)["schemas"].(map[string]any)
}

func responseOf(operation map[string]any) map[string]any {
	ok := operation["responses"].(map[string]any)["200"].(map[string]any)
	return ok["content"].(map[string]any)["application/json"].(map[string]any)
}

// fitting holds the responses that were validated, as keys of type fit: many requests of the tests have the same response, and validation
// takes longer than to serve it.
var fitting sync.Map

// fit is a response that a schema allows.
type fit struct {
	schema *jsonschema.Schema
	sum    [sha256.Size]byte // of the body
}

// fits validates a response against both documents.
func fits(t testing.TB, method, path string, status int, body []byte) {
	t.Helper()
	sum := sha256.Sum256(body)
	for _, load := range []func() (*document, error){ours, published} {
		doc, err := load()
		require.NoError(t, err)
		if doc == nil {
			continue
		}
		schema := doc.failure
		if status == http.StatusOK {
			route, _, _ := strings.Cut(path, "?")
			schema = doc.responses[method+" "+strings.ToLower(v3.Prefix+strings.TrimSuffix(route, "/"))]
		}
		if schema == nil {
			continue // a route that only one of the documents has
		}
		key := fit{schema, sum}
		if _, ok := fitting.Load(key); ok {
			continue
		}
		response, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		require.NoError(t, err, "%s %s: %s", method, path, body)
		own, _ := ours()
		if doc != own {
			response = withoutNulls(response)
		}
		require.NoError(t, schema.Validate(response), "%s %s: %s", method, path, body)
		fitting.Store(key, nil)
	}
}

// withoutNulls removes members that are null: the published document does not allow them, but the published service
// prints them.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
				continue
			}
			v[name] = withoutNulls(member)
		}
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	}
	return v
}
