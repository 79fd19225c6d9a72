package v2_test

import (
	"bytes"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	v2 "tonql/rest/v2"
)

// Responses are validated against our OpenAPI document and, if TONQL_V2_OPENAPI names it, against the published one.

// document is an OpenAPI document with its response schemas compiled.
type document struct {
	tree      map[string]any
	responses map[string]*jsonschema.Schema // by method of the API
	failure   *jsonschema.Schema
}

func compile(tree map[string]any, failure string) (*document, error) {
	const url = "https://test.example/openapi.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, tree); err != nil {
		return nil, err
	}
	d := &document{tree: tree, responses: map[string]*jsonschema.Schema{}}
	for path, item := range pathsOf(tree) {
		for method := range item.(map[string]any) {
			schema, err := c.Compile(url + "#/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + method + "/responses/200/content/application~1json/schema")
			if err != nil {
				return nil, err
			}
			d.responses[strings.TrimPrefix(path, v2.Prefix+"/")] = schema
		}
	}
	var err error
	d.failure, err = c.Compile(url + "#/components/schemas/" + failure)
	return d, err
}

// ours is our document with closed records: members that it does not describe are errors.
var ours = sync.OnceValues(func() (*document, error) {
	text, err := v2.Document()
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
	return compile(tree.(map[string]any), "RequestError")
})

// published is the published document, which is not part of this repository; nil if it is not available. Documented
// differences from it accept any value.
var published = sync.OnceValues(func() (*document, error) {
	tree, err := publishedTree()
	if tree == nil || err != nil {
		return nil, err
	}
	for at := range deviations() {
		record, member, ok := strings.Cut(at, ".")
		s, found := recordsOf(tree)[record].(map[string]any)
		switch members, _ := s["properties"].(map[string]any); {
		case !found, members == nil:
		case ok:
			delete(s, "additionalProperties")
			delete(members, member)
		default:
			// One of several forms that is never given, or a result that is something else.
			recordsOf(tree)[record] = members["@type"] == nil
		}
	}
	// No value conforms to two closed records at once. The schema should have the members of both, and its own type.
	both := (&comparison{theirs: tree}).joined(recordsOf(tree)["TransactionExt"].(map[string]any))
	delete(both["properties"].(map[string]any), "@type")
	recordsOf(tree)["TransactionExt"] = both
	// The published service has a second form of signatures, which the document lacks.
	ordinary := recordsOf(tree)["MasterchainBlockSignatures"].(map[string]any)
	members := maps.Clone(ordinary["properties"].(map[string]any))
	members["@type"] = map[string]any{"enum": []any{"blocks.blockSignatures.simplex"}}
	required := slices.Clone(ordinary["required"].([]any))
	for _, name := range []string{"session_id", "slot", "candidate"} {
		members[name] = true
		required = append(required, name)
	}
	simplex := maps.Clone(ordinary)
	simplex["properties"], simplex["required"] = members, required
	recordsOf(tree)["MasterchainBlockSignatures"] = map[string]any{"oneOf": []any{ordinary, simplex}}
	return compile(tree, "TonlibErrorResponse")
})

func publishedTree() (map[string]any, error) {
	path := os.Getenv("TONQL_V2_OPENAPI")
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

func pathsOf(tree map[string]any) map[string]any { return tree["paths"].(map[string]any) }

func recordsOf(tree map[string]any) map[string]any {
	return tree["components"].(map[string]any)["schemas"].(map[string]any)
}

// fits validates a response against both documents.
func fits(t testing.TB, route string, status int, body []byte) {
	t.Helper()
	for _, load := range []func() (*document, error){ours, published} {
		doc, err := load()
		require.NoError(t, err)
		if doc == nil {
			continue
		}
		schema := doc.failure
		if status == http.StatusOK {
			schema = doc.responses[route]
		}
		if schema == nil {
			continue // a method that only one of the documents has
		}
		response, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		require.NoError(t, err, "%s: %s", route, body)
		require.NoError(t, schema.Validate(response), "%s: %.2000s", route, body)
	}
}
