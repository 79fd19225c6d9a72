package graphql_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/graph"
	"tonql/internal/chain"
	"tonql/internal/testdb"
	"tonql/resolvers"
	gql "tonql/rest/graphql"
)

// A message has its decoded body and the name of its opcode; both are null for unknown bodies.
func TestMessage_BodyAndOpcodeAreDecoded(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	service := resolvers.New(db.Reader(), nil, resolvers.Options{Network: "devnet"})
	r := &resolvers.Resolver{Service: service, Limits: gql.DefaultLimits}
	h := gql.New(gql.Options{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: r}), Limits: gql.DefaultLimits,
		Logger: slog.New(slog.DiscardHandler), RequestID: func(context.Context) string { return "" }, Prepare: r.Prepare,
	})
	for _, c := range []struct {
		body *cell.Cell
		want string
	}{
		{cell.BeginCell().MustStoreUInt(0, 32).MustStoreStringSnake("hi").EndCell(),
			`{"decodedOpcode":"text_comment","decoded":{"@type":"text_comment","comment":"hi","type":"text_comment"}}`},
		{cell.BeginCell().MustStoreUInt(0xc0ffee00, 32).EndCell(), `{"decodedOpcode":"coffee_swap","decoded":null}`},
		{cell.BeginCell().MustStoreUInt(5, 8).EndCell(), `{"decodedOpcode":null,"decoded":null}`},
	} {
		m := testdb.Message(t, db, func(m *chain.Message) {
			m.Body, m.BodyHash, m.Opcode = c.body.ToBOC(), chain.HashFrom(c.body.Hash()), nil
			if op, err := c.body.MustBeginParse().LoadUInt(32); err == nil {
				m.Opcode = new(uint32(op))
			}
		})
		rec, a := post(t, h, `query($h: Hash!) { message(hash: $h) { decodedOpcode decoded } }`, map[string]any{"h": m.Hash.String()})
		require.Equal(t, http.StatusOK, rec.Code)
		require.Empty(t, a.Errors)
		var data struct{ Message json.RawMessage }
		require.NoError(t, json.Unmarshal(a.Data, &data))
		require.JSONEq(t, c.want, string(data.Message))
	}
}
