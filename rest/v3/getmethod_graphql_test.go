package v3_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/graph"
	"tonql/internal/devnet/contracts"
	"tonql/resolvers"
	"tonql/rest/graphql"
)

// GraphQL runs get-methods and sends messages like this API.
func TestGraphQLCommands_AgreeWithV3(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 8)
	svc := resolvers.New(n.db.Reader(), n.node, resolvers.Options{Network: "devnet"})
	t.Cleanup(svc.Close)
	resolver := &resolvers.Resolver{Service: svc, Limits: graphql.DefaultLimits}
	h := graphql.New(graphql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: resolver}), Limits: graphql.DefaultLimits,
		Logger: slog.New(slog.DiscardHandler), RequestID: func(context.Context) string { return "" }, Prepare: resolver.Prepare,
	})
	query := func(query string) string {
		body, err := json.Marshal(map[string]string{"query": query})
		require.NoError(t, err)
		r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.String()
	}
	a := n.faucet.Address.String()
	_, want, _ := n.run(own(n.faucet.Address), "seqno", 0)
	got := query(`{ runGetMethod(address: "` + a + `", method: "seqno") { exitCode gasUsed stack mcSeqno } }`)
	require.JSONEq(t, `{"data":{"runGetMethod":{"exitCode":0,"gasUsed":"`+strconv.FormatInt(want.GasUsed, 10)+
		`","stack":[{"type":"num","value":`+string(want.Stack[0].Value)+`}],"mcSeqno":8}}}`, got)
	got = query(`{ runGetMethod(address: "` + a + `", method: "seqno", stack: [{type: "tuple", value: ""}]) { exitCode } }`)
	require.Contains(t, got, `"code":"INVALID"`)
	got = query(`{ runGetMethod(address: "` + a + `", method: "seqno", mcSeqno: 99) { exitCode } }`)
	require.Contains(t, got, `"code":"NOT_FOUND"`)

	root := n.sign(n.seqno, contracts.Order{Message: contracts.Transfer(n.faucet.Address, 1, "to myself")})
	got = query(`mutation { sendMessage(boc: "` + boc(root) + `") { hash hashNorm } }`)
	var sent struct {
		Data struct {
			SendMessage struct{ Hash, HashNorm string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got), &sent), got)
	n.seqno++
	n.advance(n.head() + 4)
	n.received(sent.Data.SendMessage.Hash)
	n.received(sent.Data.SendMessage.HashNorm)
	got = query(`mutation { sendMessage(boc: "` + boc(root) + `") { hash } }`)
	require.Contains(t, got, "exitcode=33")
	got = query(`mutation { sendMessage(boc: "` + boc(cell.BeginCell().EndCell()) + `") { hash } }`)
	require.Contains(t, got, "boc is not a message")
}
