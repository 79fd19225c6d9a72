package graphql_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	door "tonql/rest/graphql"
)

// Keys come with the greeting; every operation is admitted like a request.
func TestKeysOverWebSocket(t *testing.T) {
	t.Parallel()
	plain := newLive(t, nil)
	now := time.Now()
	gate := access.New(plain.db.Access(), access.Options{Network: "mainnet", WithoutKey: 2, Now: func() time.Time { return now }})
	l := gatewayOn(t, plain.db, func(o *door.Options) { o.Gate = gate })
	key := func(network string) string {
		secret, hash, hint := access.NewSecret()
		_, err := plain.db.Access().CreateKey(t.Context(), access.Order{Owner: "alice " + network, Network: network}, hash, hint)
		require.NoError(t, err)
		return secret
	}
	greet := func(secret string) *socket {
		s := l.dial(t, "graphql-transport-ws")
		s.say(`{"type":"connection_init","payload":{"apiKey":"` + secret + `"}}`)
		return s
	}
	code, reason := greet("nobody's").closed()
	require.Equal(t, 4401, code)
	require.Equal(t, "API key does not exist", reason)
	code, _ = greet(key("testnet")).closed()
	require.Equal(t, 4403, code)

	s := greet(key("mainnet")) // ten requests a second, of which the greeting is one
	require.Equal(t, "connection_ack", s.hear().Type)
	refused := 0
	for range 15 {
		s.subscribe("q", `{ __typename }`, nil)
		m := s.hear()
		if m.Type == "error" {
			require.Contains(t, string(m.Payload), "RATE_LIMITED")
			refused++
			continue
		}
		require.Equal(t, "next", m.Type)
		require.Equal(t, "complete", s.hear().Type)
	}
	require.Equal(t, 5, refused)
}
