package graphql

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"tonql/rest/handler"
)

// Subscriptions with the same text have one document in memory, whichever was parsed; their variables count for each.
//
//nolint:paralleltest // it takes the memory of the process
func TestRetained_DocumentsAreSharedAndVariablesAreNot(t *testing.T) {
	l := &retained{documents: map[string]*retainedDocument{}}
	operation := func(text string, variables map[string]any) *graphql.OperationContext {
		doc, err := parser.ParseQuery(&ast.Source{Input: text})
		require.NoError(t, err)
		return &graphql.OperationContext{RawQuery: text, Doc: doc, OperationName: "b", Operation: doc.Operations.ForName("b"), Variables: variables}
	}
	const text = `query a { a } query b { b }`
	first, second := operation(text, nil), operation(strings.Clone(text), nil)
	endFirst, err := l.retain(t.Context(), first)
	require.NoError(t, err)
	endSecond, err := l.retain(t.Context(), second)
	require.NoError(t, err)
	require.Same(t, first.Doc, second.Doc)
	require.Same(t, first.Operation, second.Operation)
	require.Equal(t, "b", second.Operation.Name)
	endFirst()
	endFirst()
	require.Len(t, l.documents, 1, "the second subscription has it")
	endSecond()
	require.Empty(t, l.documents)

	variables := map[string]any{"a": []any{map[string]any{"b": strings.Repeat("x", 8<<20), "c": json.Number("1")}}}
	var ends []func()
	for err == nil {
		var end func()
		if end, err = l.retain(t.Context(), operation(text, variables)); err == nil {
			ends = append(ends, end)
		}
	}
	require.ErrorIs(t, err, handler.ErrRetained)
	require.Len(t, ends, 31, "those of all clients take 256 MiB")
	for _, end := range ends {
		end()
	}
	require.Empty(t, l.documents)
	end, err := l.retain(t.Context(), operation(text, variables))
	require.NoError(t, err)
	end()
}

// A document counts for the client of a subscription that has it, also after the one that came first has ended.
//
//nolint:paralleltest // it takes the memory of the process
func TestRetained_ADocumentCountsForAClientThatHasIt(t *testing.T) {
	l := &retained{documents: map[string]*retainedDocument{}}
	doc, err := parser.ParseQuery(&ast.Source{Input: "{ a }"})
	require.NoError(t, err)
	retain := func(client context.Context, text string) func() {
		t.Helper()
		end, err := l.retain(client, &graphql.OperationContext{RawQuery: text, Doc: doc})
		require.NoError(t, err)
		return end
	}
	const share = 64 << 20
	free := func(client context.Context) bool {
		release, err := handler.Retain(client, share-1<<20)
		if err == nil {
			release()
		}
		return err == nil
	}
	text := strings.Repeat(" ", 2<<20)
	first, second, third := clientOf(t, "192.0.2.1"), clientOf(t, "192.0.2.2"), clientOf(t, "192.0.2.3")
	endFirst, endSecond, endThird := retain(first, text), retain(second, strings.Clone(text)), retain(third, text)
	require.False(t, free(first))
	require.True(t, free(second))
	endThird()
	require.False(t, free(first))
	require.True(t, free(third))
	endFirst()
	require.True(t, free(first), "it has no subscription")
	require.False(t, free(second))
	endSecond()
	require.True(t, free(second))
	require.Empty(t, l.documents)

	// The others have no memory left: it counts for all together.
	endFirst, endSecond = retain(first, text), retain(second, text)
	full, err := handler.Retain(second, share-1<<20)
	require.NoError(t, err)
	endFirst()
	require.True(t, free(first))
	endSecond()
	full()
	require.True(t, free(second))
	require.Empty(t, l.documents)
}

// clientOf returns the context of a request of a client.
func clientOf(t *testing.T, client string) context.Context {
	t.Helper()
	var ctx context.Context
	handler.Observe(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		handler.RecordOf(r.Context()).Client = netip.MustParseAddr(client)
		ctx = r.Context() //nolint:fatcontext // the only request
	}), slog.New(slog.DiscardHandler), nil).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))
	return ctx
}

// A text with very many values is not decoded, whatever it contains besides.
func TestReadBody_VeryManyValuesAreNotDecoded(t *testing.T) {
	t.Parallel()
	many := `{"a":["\"[1,\\"` + strings.Repeat(`,1`, 100_000) + `]}`
	p := &graphql.RawParams{}
	_, problem := readBody([]byte(`{"query":"{a}","variables":`+many+`}`), p)
	require.Empty(t, problem)
	require.Greater(t, values(p.Variables), maxValues)
	require.Len(t, p.Variables, 1)
	_, problem = readBody([]byte(`{"query":"{a}","extensions":`+many+`}`), p)
	require.Equal(t, "extensions must be an object with fewer values", problem)
	_, problem = readBody([]byte(`{"query":[`+many+`]}`), p)
	require.Equal(t, "query must be a string", problem)
	p = &graphql.RawParams{}
	_, problem = readBody([]byte(`{"query":"{a}","variables":{"a":"`+strings.Repeat(`,[{`, 100_000)+`"},"extensions":null,"x":`+many+`}`), p)
	require.Empty(t, problem)
	require.Len(t, p.Variables["a"], 300_000, "text has no values")
}
