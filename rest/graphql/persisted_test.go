package graphql_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/resolvers"
	gql "tonql/rest/graphql"
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func newHandlerWith(t *testing.T, edit func(*gql.Options)) http.Handler {
	t.Helper()
	r := &resolvers.Resolver{Service: resolvers.New(nil, nil, resolvers.Options{}), Limits: gql.DefaultLimits}
	o := gql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: gql.DefaultLimits, Logger: slog.New(slog.DiscardHandler),
		RequestID: func(context.Context) string { return "" }, Prepare: func(ctx context.Context) context.Context { return ctx },
	}
	edit(&o)
	return gql.New(o)
}

// errorCode sends a JSON body and returns the code of the first error, "" for none.
func errorCode(t *testing.T, h http.Handler, body map[string]any) string {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	_, a := send(t, h, http.MethodPost, "/graphql", string(text), map[string]string{"Content-Type": "application/json"})
	if len(a.Errors) == 0 {
		require.NotEmpty(t, a.Data)
		return ""
	}
	code, ok := a.Errors[0].Extensions["code"].(string)
	require.True(t, ok)
	return code
}

func TestPersistedQueries_AreRegisteredByTheirHash(t *testing.T) {
	t.Parallel()
	h := newHandler(t)
	const query = `{ __typename }`
	named := func(hash string) map[string]any {
		return map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": hash}}
	}
	require.Equal(t, "PERSISTED_QUERY_NOT_FOUND", errorCode(t, h, map[string]any{"extensions": named(hashOf(query))}))
	require.Equal(t, "PERSISTED_QUERY_HASH_MISMATCH", errorCode(t, h, map[string]any{"query": query, "extensions": named(hashOf("another"))}))
	require.Empty(t, errorCode(t, h, map[string]any{"query": query, "extensions": named(hashOf(query))}))
	require.Empty(t, errorCode(t, h, map[string]any{"extensions": named(hashOf(query))}))
	require.Empty(t, errorCode(t, h, map[string]any{"documentId": "sha256:" + hashOf(query)}))
	text, err := json.Marshal(named(hashOf(query)))
	require.NoError(t, err)
	_, a := send(t, h, http.MethodGet, "/graphql?extensions="+url.QueryEscape(string(text)), "", nil)
	require.JSONEq(t, `{"__typename":"Query"}`, string(a.Data))
	for _, extension := range []any{7, map[string]any{}, map[string]any{"version": 2, "sha256Hash": "a"}, map[string]any{"sha256Hash": "a"}} {
		require.Equal(t, "BAD_REQUEST", errorCode(t, h, map[string]any{"extensions": map[string]any{"persistedQuery": extension}}))
	}
	require.Equal(t, "BAD_REQUEST", errorCode(t, h, map[string]any{"documentId": 7}))
}

func TestTrustedDocuments_RunByIDAndCanBeRequired(t *testing.T) {
	t.Parallel()
	const query, other = `query Own { __typename }`, `query Other { __typename }`
	for name, file := range map[string]string{
		"Relay's form":  `{"` + hashOf(query) + `": "` + query + `"}`,
		"Apollo's form": `{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"` + hashOf(query) + `","name":"Own","type":"query","body":"` + query + `"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			documents, err := gql.ReadDocuments(strings.NewReader(file))
			require.NoError(t, err)
			open := newHandlerWith(t, func(o *gql.Options) { o.Trusted = documents })
			require.Empty(t, errorCode(t, open, map[string]any{"documentId": hashOf(query)}))
			require.Empty(t, errorCode(t, open, map[string]any{"query": other}))
			only := newHandlerWith(t, func(o *gql.Options) { o.Trusted, o.OnlyTrusted = documents, true })
			require.Empty(t, errorCode(t, only, map[string]any{"documentId": hashOf(query)}))
			require.Empty(t, errorCode(t, only, map[string]any{"query": query}))
			require.Equal(t, "DOCUMENT_NOT_TRUSTED", errorCode(t, only, map[string]any{"query": other}))
			require.Equal(t, "DOCUMENT_NOT_TRUSTED", errorCode(t, only, map[string]any{"documentId": hashOf(other)}))
		})
	}
	for _, file := range []string{`[`, `[]`, `{"a":""}`, `{"` + hashOf(query) + `":"` + other + `"}`} {
		_, err := gql.ReadDocuments(strings.NewReader(file))
		require.Error(t, err, file)
	}
	_, err := gql.ReadDocuments(strings.NewReader(strings.Repeat(" ", 64<<20+1)))
	require.ErrorContains(t, err, "at most 67108864 bytes")
}

// A long document is executed and not stored.
func TestPersistedQueries_LongOnesAreNotStored(t *testing.T) {
	t.Parallel()
	h := newHandler(t)
	long := `{ __typename #` + strings.Repeat("x", 70<<10) + "\n}"
	extensions := map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": hashOf(long)}}
	require.Empty(t, errorCode(t, h, map[string]any{"query": long, "extensions": extensions}))
	require.Equal(t, "PERSISTED_QUERY_NOT_FOUND", errorCode(t, h, map[string]any{"extensions": extensions}))
}

// Invalid bodies are refused with short responses.
func TestHostileBodies_GetShortResponses(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a flood of batches": "[" + strings.Repeat(`{"query":"{ __typename }"},`, 10_000) + `{}]`,
		"deep JSON":          strings.Repeat(`{"variables":`, 100_000),
		"deep lists":         `{"query":` + strings.Repeat("[", 500_000),
		"a huge body":        `{"query":"` + strings.Repeat("x", 50<<20) + `"}`,
		"a long name":        `{"query":"{ ` + strings.Repeat("x", 900<<10) + ` }"}`,
		"a long string":      `{"query":"{ account(address: \"` + strings.Repeat("x", 900<<10) + `\") { address } }"}`,
		"many variables":     `{"query":"{ __typename }","variables":{` + strings.Repeat(`"a":1,`, 150_000) + `"b":1}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec, _ := send(t, newHandler(t), http.MethodPost, "/graphql", body, map[string]string{"Content-Type": "application/json"})
			require.Less(t, rec.Body.Len(), 64<<10)
			require.Less(t, rec.Code, 500)
			require.NotContains(t, rec.Body.String(), strings.Repeat("x", 512), "input is not echoed")
		})
	}
}
