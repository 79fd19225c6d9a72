package graphql

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"

	"tonql/internal/chain"
)

// Options configure the door.
type Options struct {
	Schema    graphql.ExecutableSchema
	Limits    chain.ServiceConfig
	Logger    *slog.Logger
	RequestID func(context.Context) string // empty when the request has none
	// Prepare adds what resolvers need to the context of one request: its loaders.
	Prepare func(context.Context) context.Context
}

// New makes the handler of /graphql.
func New(o Options) http.Handler {
	srv := handler.New(o.Schema)
	srv.AddTransport(httpTransport{maxBody: int64(o.Limits.MaxBodyBytes)})
	srv.SetQueryCache(lru.New[*ast.QueryDocument](512))
	srv.SetParserTokenLimit(o.Limits.MaxTokens)
	srv.SetErrorPresenter(presenter(o.Logger, o.RequestID))
	srv.SetRecoverFunc(recovered)
	srv.Use(extension.Introspection{})
	srv.Use(limiter{limits: o.Limits})
	timeout := time.Duration(o.Limits.TimeoutMs) * time.Millisecond
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		srv.ServeHTTP(w, r.WithContext(o.Prepare(ctx)))
	})
}
