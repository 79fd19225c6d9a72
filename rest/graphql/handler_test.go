package graphql_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"tonql/graph"
	"tonql/internal/chain"
	"tonql/resolvers"
	gql "tonql/rest/graphql"
)

// newHandler returns the API of a service without an index, for requests that are decided by the schema, the limits or
// the transport.
func newHandler(t *testing.T) http.Handler {
	t.Helper()
	r := &resolvers.Resolver{Service: resolvers.New(nil, nil, resolvers.Options{}), Limits: gql.DefaultLimits}
	return gql.New(gql.Options{
		Schema:    graph.NewExecutableSchema(graph.Config{Resolvers: r}),
		Limits:    gql.DefaultLimits,
		Logger:    slog.New(slog.DiscardHandler),
		RequestID: func(context.Context) string { return "test" },
		Prepare:   func(ctx context.Context) context.Context { return ctx },
	})
}

type response struct {
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Message    string         `json:"message"`
		Extensions map[string]any `json:"extensions"`
	} `json:"errors"`
}

func post(t *testing.T, h http.Handler, query string, variables map[string]any) (*httptest.ResponseRecorder, response) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	return send(t, h, http.MethodPost, "/graphql", string(body), map[string]string{"Content-Type": "application/json"})
}

func send(t *testing.T, h http.Handler, method, target, body string, header map[string]string) (*httptest.ResponseRecorder, response) {
	t.Helper()
	req := httptest.NewRequest(method, target, strings.NewReader(body))
	for k, v := range header {
		req.Header.Set(k, v)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	var a response
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &a), rec.Body.String())
	return rec, a
}

func TestLimits_PageSizesInVariablesCount(t *testing.T) {
	t.Parallel()
	_, a := post(t, newHandler(t), "query($n: Int) { transactions(first: $n) { nodes { hash } } }", map[string]any{"n": 5000})
	require.Equal(t, "transactions: the page size must be 0 to 100", a.Errors[0].Message)
	require.Equal(t, "TOO_LARGE", a.Errors[0].Extensions["code"])
}

func TestLimits_IntrospectionOfGraphiQLFits(t *testing.T) {
	t.Parallel()
	const query = `query IntrospectionQuery { __schema { queryType { name } mutationType { name } subscriptionType { name }
		types { ...FullType } directives { name description locations args { ...InputValue } } } }
	fragment FullType on __Type { kind name description specifiedByURL
		fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason }
		inputFields { ...InputValue } interfaces { ...TypeRef }
		enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
	fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
	fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
		ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }`
	_, a := post(t, newHandler(t), query, nil)
	require.Empty(t, a.Errors)
	require.Contains(t, string(a.Data), "specifiedByURL")
}

func TestSchema_EveryTypeAndFieldIsDescribed(t *testing.T) {
	t.Parallel()
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	for name, def := range schema.Types {
		if strings.HasPrefix(name, "__") || def.BuiltIn {
			continue
		}
		require.NotEmpty(t, def.Description, name)
		for _, f := range def.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				require.NotEmpty(t, f.Description, name+"."+f.Name)
			}
		}
		for _, v := range def.EnumValues {
			require.NotEmpty(t, v.Description, name+"."+v.Name)
		}
	}
}

// Requests, statuses and media types follow GraphQL over HTTP.
func TestTransport_FollowsGraphQLOverHTTP(t *testing.T) {
	t.Parallel()
	const ok = `{"query":"{ __typename }"}`
	typed := map[string]string{"Content-Type": "application/json"}
	with := func(extra ...string) map[string]string {
		h := map[string]string{"Content-Type": "application/json"}
		for i := 0; i < len(extra); i += 2 {
			h[extra[i]] = extra[i+1]
		}
		return h
	}
	for name, c := range map[string]struct {
		method, target, body string
		header               map[string]string
		status               int
		media, want          string
	}{
		"post":                      {"POST", "/graphql", ok, typed, 200, "application/json", ""},
		"post, newer media type":    {"POST", "/graphql", ok, with("Accept", "application/graphql-response+json"), 200, "application/graphql-response+json", ""},
		"get":                       {"GET", "/graphql?query=" + url.QueryEscape("{ __typename }"), "", nil, 200, "application/json", ""},
		"get with variables":        {"GET", "/graphql?query=" + url.QueryEscape("query($i:ID!){ node(id:$i){ id } }") + "&variables=" + url.QueryEscape(`{"i":"nope"}`), "", nil, 200, "application/json", "id"},
		"get, bad variables":        {"GET", "/graphql?query=x&variables=%7B", "", nil, 400, "application/json", "variables must be a JSON object"},
		"no query":                  {"POST", "/graphql", `{}`, typed, 400, "application/json", "no query"},
		"query of another type":     {"POST", "/graphql", `{"query":{}}`, typed, 400, "application/json", "query must be a string"},
		"variables of another type": {"POST", "/graphql", `{"query":"{a}","variables":7}`, typed, 400, "application/json", "variables must be an object"},
		"not JSON":                  {"POST", "/graphql", `{secret`, typed, 400, "application/json", "must be a JSON object"},
		"a batch":                   {"POST", "/graphql", `[` + ok + `]`, typed, 400, "application/json", "batches are not supported"},
		"form":                      {"POST", "/graphql", "query=x", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 415, "application/json", "Content-Type"},
		"no content type":           {"POST", "/graphql", ok, nil, 415, "application/json", "Content-Type"},
		"accepts only html":         {"POST", "/graphql", ok, with("Accept", "text/html"), 406, "application/json", "application/json"},
		"accepts anything":          {"POST", "/graphql", ok, with("Accept", "text/html, */*;q=0.1"), 200, "application/json", ""},
		"get of a mutation":         {"GET", "/graphql?query=" + url.QueryEscape(`mutation { sendMessage(boc: "AAAA") { hash } }`), "", nil, 405, "application/json", "GET serves queries only"},
		"a block":                   {"POST", "/graphql", `{"query":"{ __typename }","extensions":{"minSeqno":7}}`, typed, 200, "application/json", ""},
		"a block as text":           {"POST", "/graphql", `{"query":"{ __typename }","extensions":{"minSeqno":"7"}}`, typed, 200, "application/json", ""},
		"no block":                  {"POST", "/graphql", `{"query":"{ __typename }","extensions":{"minSeqno":null}}`, typed, 200, "application/json", ""},
		"half a block":              {"POST", "/graphql", `{"query":"{ __typename }","extensions":{"minSeqno":7.5}}`, typed, 400, "application/json", "not \"7.5\""},
		"a block before the first":  {"POST", "/graphql", `{"query":"{ __typename }","extensions":{"minSeqno":-1}}`, typed, 400, "application/json", "not \"-1\""},
		"a block that is none":      {"POST", "/graphql", `{"query":"{ __typename }","extensions":{"minSeqno":[7]}}`, typed, 400, "application/json", "seqno of a masterchain block"},
		"patch":                     {"PATCH", "/graphql", ok, typed, 405, "application/json", "GET and POST"},
		"syntax error, older":       {"POST", "/graphql", `{"query":"{"}`, typed, 200, "application/json", "Expected"},
		"syntax error, newer":       {"POST", "/graphql", `{"query":"{"}`, with("Accept", "application/graphql-response+json"), 400, "application/graphql-response+json", "Expected"},
		"unknown field, newer":      {"POST", "/graphql", `{"query":"{ x }"}`, with("Accept", "application/graphql-response+json"), 400, "application/graphql-response+json", "Cannot query field"},
		"unknown operation":         {"POST", "/graphql", `{"query":"query A { __typename }","operationName":"B"}`, typed, 200, "application/json", "operation B not found"},
		"large body":                {"POST", "/graphql", `{"query":"` + strings.Repeat(" ", 2<<20) + `"}`, typed, 413, "application/json", "too large"},
		"an invalid address":        {"POST", "/graphql", `{"query":"{ account(address: \"zz\") { address } }"}`, typed, 200, "application/json", "an address is"},
		"an invalid hash":           {"POST", "/graphql", `{"query":"{ transaction(hash: \"zz\") { hash } }"}`, typed, 200, "application/json", "a hash is"},
		"a cursor that is none":     {"POST", "/graphql", `{"query":"{ transactions(after: \"zz\") { nodes { hash } } }"}`, typed, 200, "application/json", "cursor"},
		"an id that is none":        {"POST", "/graphql", `{"query":"{ node(id: \"zz\") { id } }"}`, typed, 200, "application/json", "id"},
		"two keys of a oneOf":       {"POST", "/graphql", `{"query":"query($b: BlockBy!){ block(by: $b) { seqno } }","variables":{"b":{"mcSeqno":1,"rootHash":"` + chain.Hash{1}.String() + `"}}}`, typed, 200, "application/json", "exactly one"},
		"first and last":            {"POST", "/graphql", `{"query":"{ transactions(first: 1, last: 1) { nodes { hash } } }"}`, typed, 200, "application/json", "not both"},
		"an invalid number":         {"POST", "/graphql", `{"query":"{ transactions(where: {startLt: \"-1\"}) { nodes { hash } } }"}`, typed, 200, "application/json", "BigInt"},
		"an invalid date":           {"POST", "/graphql", `{"query":"{ blocks(where: {startUtime: \"yesterday\"}) { nodes { seqno } } }"}`, typed, 200, "application/json", "DateTime"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec, a := send(t, newHandler(t), c.method, c.target, c.body, c.header)
			require.Equal(t, c.status, rec.Code, rec.Body.String())
			require.True(t, strings.HasPrefix(rec.Header().Get("Content-Type"), c.media), rec.Header().Get("Content-Type"))
			if c.want == "" {
				require.Empty(t, a.Errors)
				return
			}
			require.NotEmpty(t, a.Errors)
			require.Contains(t, a.Errors[0].Message, c.want)
			require.NotEmpty(t, a.Errors[0].Extensions["code"])
			require.False(t, bytes.Contains(rec.Body.Bytes(), []byte("secret")), "input is not echoed")
		})
	}
}

func TestPlayground_NamesNoOtherHost(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	gql.Playground("Local chain").ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/playground", nil))
	require.Equal(t, http.StatusOK, rec.Code)
	require.NotContains(t, rec.Body.String(), "http://")
	require.NotContains(t, rec.Body.String(), "https://")
	require.Contains(t, rec.Header().Get("Content-Security-Policy"), "default-src 'none'")
	for _, file := range []string{"graphiql.min.js", "graphiql.min.css", "react.production.min.js", "react-dom.production.min.js", "playground.js", "examples.json", "fields.json"} {
		rec := httptest.NewRecorder()
		gql.Playground("Local chain").ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/playground/"+file, nil))
		require.Equal(t, http.StatusOK, rec.Code, file)
	}
	for _, file := range []string{"/playground/..%2fhandler.go", "/playground/nothing.js", "/playground/assets"} {
		rec := httptest.NewRecorder()
		gql.Playground("Local chain").ServeHTTP(rec, httptest.NewRequest(http.MethodGet, file, nil))
		require.Equal(t, http.StatusNotFound, rec.Code, file)
	}
}

// The example documents of the playground are valid under the schema and within the limits.
func TestExamples_AreValid(t *testing.T) {
	t.Parallel()
	documents := gql.PlaygroundDocuments(t)
	require.Greater(t, len(documents), 5)
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	for _, text := range documents {
		_, errs := gqlparser.LoadQueryWithRules(schema, text, rules.NewDefaultRules())
		require.Empty(t, errs, text)
	}
}

func FuzzQuery_NeverFailsInternally(f *testing.F) {
	f.Add(`{ transactions(first: 2) { nodes { hash } } }`, `{"a":1}`)
	f.Add(`query($n:Int){ a: blocks(first:$n) { nodes { ...B } } } fragment B on Block { seqno parents { ...B2 } } fragment B2 on Block { seqno }`, `{"n":1e99}`)
	r := &resolvers.Resolver{Service: resolvers.New(nil, nil, resolvers.Options{}), Limits: gql.DefaultLimits}
	limits := gql.DefaultLimits
	limits.MaxCost = 0 // nothing is resolved: only parsing, validation and the cost are tested
	h := gql.New(gql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: limits, Logger: slog.New(slog.DiscardHandler),
		RequestID: func(context.Context) string { return "" },
		Prepare:   func(ctx context.Context) context.Context { return ctx },
	})
	f.Fuzz(func(t *testing.T, query, variables string) {
		body, err := json.Marshal(map[string]any{"query": query, "variables": json.RawMessage(variables)})
		if err != nil {
			body = []byte(query)
		}
		req := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, req)
		require.Less(t, rec.Code, 500)
		require.NotContains(t, rec.Body.String(), "internal error")
	})
}
