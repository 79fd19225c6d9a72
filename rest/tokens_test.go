package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/access"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest"
	"tonql/rest/graphql"
)

// newFrozen returns a service behind a limiter whose clock stands still until it is moved, and a key of the plan free.
func newFrozen(t *testing.T) (h http.Handler, key string, now *time.Time) {
	t.Helper()
	db := testdb.New(t)
	write(t, db, 7)
	silent := slog.New(slog.DiscardHandler)
	now = new(time.Now())
	service := resolvers.New(db.Reader(), nil, resolvers.Options{})
	t.Cleanup(service.Close)
	r := &resolvers.Resolver{Service: service, Limits: graphql.DefaultLimits, RateLimit: access.LimitOf}
	h = rest.New(rest.Options{
		Service: service, Logger: silent,
		Limiter: access.New(db.Access(), access.Options{Network: "mainnet", WithoutKey: 1, Logger: silent, Now: func() time.Time { return *now }}),
		GraphQL: graphql.New(graphql.Options{
			Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: graphql.DefaultLimits, Logger: silent,
			RequestID: func(context.Context) string { return "" }, Prepare: r.Prepare,
		}),
	})
	_, key = newKey(t, db, access.Order{Owner: "alice", Network: "mainnet", Plan: access.Plans[0]})
	return h, key, now
}

// Each call of a batch takes a token: 11 batches of 32 calls get as many responses as 10 requests.
func TestBatch_EachCallTakesAToken(t *testing.T) {
	t.Parallel()
	h, key, now := newFrozen(t)
	calls := make([]string, 32)
	for i := range calls {
		calls[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"getMasterchainInfo","params":{}}`, i)
	}
	batch := "[" + strings.Join(calls, ",") + "]"
	served := 0
	for range 11 {
		w := do(h, http.MethodPost, "/api/v2/jsonRPC", batch, "X-API-Key", key, "Content-Type", "application/json")
		if w.Code == http.StatusTooManyRequests {
			continue
		}
		require.Equal(t, http.StatusOK, w.Code)
		require.NotEmpty(t, w.Header().Get("Retry-After"))
		var responses []struct {
			OK   bool
			Code int
			ID   int
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &responses))
		require.Len(t, responses, 32)
		for i, a := range responses {
			require.Equal(t, i, a.ID)
			if a.OK {
				served++
			} else {
				require.Equal(t, http.StatusTooManyRequests, a.Code)
			}
		}
	}
	require.Equal(t, 10, served)

	*now = now.Add(time.Second)
	w := do(h, http.MethodPost, "/api/v2/jsonRPC", "["+strings.Join(calls[:10], ",")+"]", "X-API-Key", key, "Content-Type", "application/json")
	require.NotContains(t, w.Body.String(), `"ok":false`, "the plan has enough tokens for the batch")
}

// Each contract that a document runs takes a token: none runs when the plan has no token for each.
func TestDocument_EachRunTakesAToken(t *testing.T) {
	t.Parallel()
	const account = "0:0000000000000000000000000000000000000000000000000000000000000000"
	fields := map[string]string{
		"runGetMethod": `runGetMethod(address: "` + account + `", method: "seqno") { exitCode }`,
		"estimateFee":  `estimateFee(address: "` + account + `", body: "te6ccgEBAQEAAgAAAA==") { accepted }`,
		"simulate":     `simulate(message: {boc: "te6ccgEBAQEAAgAAAA=="}) { mcSeqno }`,
		"sendMessage":  `sendMessage(boc: "te6ccgEBAQEAAgAAAA==") { hash }`,
	}
	for name, field := range fields {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, key, now := newFrozen(t)
			// run sends a document and reports whether it was executed; half of its fields are in a fragment.
			run := func(n int, header ...string) (executed bool, code string) {
				operation, root := "query", "Query"
				if name == "sendMessage" {
					operation, root = "mutation", "Mutation"
				}
				var plain, spread strings.Builder
				for i := range n {
					into := &plain
					if i%2 == 1 {
						into = &spread
					}
					fmt.Fprintf(into, " f%d: %s", i, field)
				}
				query := operation + " {" + plain.String() + " __typename"
				if n > 1 {
					query += " ...F } fragment F on " + root + " {" + spread.String()
				}
				body, err := json.Marshal(map[string]string{"query": query + " }"})
				require.NoError(t, err)
				w := do(h, http.MethodPost, "/graphql", string(body), append(header, "Content-Type", "application/json")...)
				var response struct {
					Errors []struct {
						Path       []any
						Extensions struct{ Code string }
					}
				}
				require.NoError(t, json.Unmarshal(w.Body.Bytes(), &response), w.Body)
				for _, e := range response.Errors {
					require.NotEqual(t, "GRAPHQL_VALIDATION_FAILED", e.Extensions.Code)
					if e.Extensions.Code == "TOO_LARGE" {
						require.Equal(t, "simulate", name, "its price is above the limit of a document")
						return false, "RATE_LIMITED"
					}
					if e.Path != nil || e.Extensions.Code != "RATE_LIMITED" {
						return true, e.Extensions.Code
					}
					code = e.Extensions.Code
				}
				return len(response.Errors) == 0, code
			}
			runs := 0
			for range 11 {
				if executed, code := run(19, "X-API-Key", key); executed {
					runs += 19
				} else {
					require.Equal(t, "RATE_LIMITED", code)
				}
			}
			require.Zero(t, runs, "the document needs more tokens than the bucket has")
			*now = now.Add(time.Minute)
			for range 11 {
				if executed, _ := run(4, "X-API-Key", key); executed {
					runs += 4
				}
			}
			require.Positive(t, runs)
			require.LessOrEqual(t, runs, 10)
			*now = now.Add(time.Minute)
			executed, _ := run(1)
			require.True(t, executed, "without a key, one field is one request")
			*now = now.Add(time.Minute)
			executed, _ = run(2)
			require.False(t, executed, "without a key, two are not one request")
		})
	}
}
