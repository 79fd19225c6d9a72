package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/access"
	"tonql/internal/chain"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/graphql"
)

// The field rateLimit has the values of the headers of the same response; it is null where requests are not limited.
func TestRateLimit_EqualsTheHeaders(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	write(t, db, 7)
	silent := slog.New(slog.DiscardHandler)
	open := func(withoutKey float64) http.Handler {
		service := resolvers.New(db.Reader(), nil, resolvers.Options{})
		t.Cleanup(service.Close)
		r := &resolvers.Resolver{Service: service, Limits: graphql.DefaultLimits, RateLimit: access.LimitOf}
		return rest.New(rest.Options{
			Service: service, Logger: silent, Limiter: access.New(db.Access(), access.Options{Network: "mainnet", WithoutKey: withoutKey, Logger: silent}),
			GraphQL: graphql.New(graphql.Options{
				Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: graphql.DefaultLimits, Logger: silent,
				RequestID: func(context.Context) string { return "" }, Prepare: r.Prepare,
			}),
		})
	}
	type limit struct {
		Plan, By                                      string
		Limit, WindowSeconds, Remaining, ResetSeconds int
		ResetAt                                       time.Time
	}
	limitOf := func(h http.Handler, header ...string) (*limit, http.Header) {
		const query = `{ rateLimit { plan by limit windowSeconds remaining resetSeconds resetAt } }`
		w := do(h, http.MethodGet, "/graphql?query="+url.QueryEscape(query), "", header...)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		var response struct {
			Data   struct{ RateLimit *limit }
			Errors []any
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &response))
		require.Empty(t, response.Errors)
		return response.Data.RateLimit, w.Header()
	}
	agree := func(l *limit, header http.Header) {
		require.NotNil(t, l)
		require.Equal(t, fmt.Sprintf(`%q;q=%d;w=%d`, l.Plan, l.Limit, l.WindowSeconds), header.Get("RateLimit-Policy"))
		require.Equal(t, fmt.Sprintf(`%q;r=%d;t=%d`, l.Plan, l.Remaining, l.ResetSeconds), header.Get("RateLimit"))
		require.WithinDuration(t, time.Now().Add(time.Duration(l.ResetSeconds)*time.Second), l.ResetAt, 2*time.Second)
	}
	limited := open(3)
	for remaining := 2; remaining >= 1; remaining-- {
		l, header := limitOf(limited)
		agree(l, header)
		require.Equal(t, "ADDRESS", l.By)
		require.Equal(t, access.Anonymous, l.Plan)
		require.LessOrEqual(t, l.Remaining, 2)
	}
	_, key := newKey(t, db, access.Order{Owner: "alice", Network: "mainnet", Plan: access.Plans[1]})
	l, header := limitOf(limited, "X-API-Key", key)
	agree(l, header)
	require.Equal(t, "KEY", l.By)
	require.Equal(t, 25, l.Limit)
	require.Equal(t, 24, l.Remaining)

	none, header := limitOf(open(0))
	require.Nil(t, none)
	require.Empty(t, header.Get("RateLimit"))
	slow := access.Decision{Plan: "custom", Rate: 0.1, Left: 0.5}
	require.Equal(t, `"custom";q=1;w=10`, slow.Policy())
	require.Equal(t, `"custom";r=0;t=10`, slow.State())
	require.Equal(t, chain.LimitedByKey, chain.RateLimitBy(0))
}
