package graphql_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/pacetest"
	gql "tonql/rest/graphql"
)

// Keys are sent in connection_init; every operation takes a token like a request.
func TestSocketKeys_AreCheckedAndLimited(t *testing.T) {
	t.Parallel()
	plain := newLive(t, nil)
	now := time.Now()
	limiter := access.New(plain.db.Access(), access.Options{Network: "mainnet", WithoutKey: 2, Now: func() time.Time { return now }})
	l := gatewayOn(t, plain.db, func(o *gql.Options) { o.Limiter = limiter })
	key := func(network string) string {
		secret, hash, hint := access.NewSecret()
		_, err := plain.db.Access().CreateKey(t.Context(), access.Order{Owner: "alice " + network, Network: network}, hash, hint)
		require.NoError(t, err)
		return secret
	}
	connectWith := func(secret string) *socket {
		s := l.dial(t, "graphql-transport-ws")
		s.say(`{"type":"connection_init","payload":{"apiKey":"` + secret + `"}}`)
		return s
	}
	code, reason := connectWith("nobody's").closed()
	require.Equal(t, 4401, code)
	require.Equal(t, "API key does not exist", reason)
	code, _ = connectWith(key("testnet")).closed()
	require.Equal(t, 4403, code)

	s := connectWith(key("mainnet")) // ten requests a second, of which connection_init is one
	require.Equal(t, "connection_ack", s.receive().Type)
	refused := 0
	for range 15 {
		s.subscribe("q", `{ __typename }`, nil)
		m := s.receive()
		if m.Type == "error" {
			require.Contains(t, string(m.Payload), "RATE_LIMITED")
			refused++
			continue
		}
		require.Equal(t, "next", m.Type)
		require.Equal(t, "complete", s.receive().Type)
	}
	require.Equal(t, 5, refused)
}

// Revoking a key ends its subscriptions within seconds and with a reason; those of other keys continue.
func TestRevokedKey_EndsItsSubscriptions(t *testing.T) {
	t.Parallel()
	plain := newLive(t, nil)
	limiter := access.New(plain.db.Access(), access.Options{Network: "mainnet"})
	l := gatewayOn(t, plain.db, func(o *gql.Options) { o.Limiter, o.Timing.Key = limiter, 50*time.Millisecond })
	order := func(owner string) (secret string, id int64) {
		secret, hash, hint := access.NewSecret()
		key, err := plain.db.Access().CreateKey(t.Context(), access.Order{Owner: owner, Network: "mainnet"}, hash, hint)
		require.NoError(t, err)
		return secret, key.ID
	}
	lost, id := order("alice")
	retained, _ := order("bob")
	const forever = `subscription { blocks(where: {workchain: -1}) { mcSeqno } }`
	follow := func(secret string) *socket {
		s := l.dial(t, "graphql-transport-ws")
		s.say(`{"type":"connection_init","payload":{"apiKey":"` + secret + `"}}`)
		require.Equal(t, "connection_ack", s.receive().Type)
		s.subscribe("a", forever, nil)
		return s
	}
	ends, stays := follow(lost), follow(retained)
	stream := func(method, target, body string, header ...string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, l.URL+target, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("X-API-Key", lost)
		req.Header.Set("Accept", "text/event-stream")
		req.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		return resp
	}
	text := func(query, id string) string {
		body, err := json.Marshal(map[string]any{"query": query, "extensions": map[string]string{"operationId": id}})
		require.NoError(t, err)
		return string(body)
	}
	distinct := stream(http.MethodPost, "/graphql", text(forever, ""))
	token := all(t, stream(http.MethodPut, "/graphql", ""))
	single := stream(http.MethodGet, "/graphql", "", "X-GraphQL-Event-Stream-Token", token)
	require.Equal(t, http.StatusAccepted, stream(http.MethodPost, "/graphql", text(forever, "mine"), "X-GraphQL-Event-Stream-Token", token).StatusCode)

	begun := time.Now()
	require.NoError(t, plain.db.Access().ExpireKey(t.Context(), id, 0))
	code, reason := ends.closed()
	require.Equal(t, 4401, code)
	require.Equal(t, "API key was revoked", reason)
	require.Less(t, time.Since(begun), pacetest.Slow*10*time.Second)
	const event = `{"errors":[{"message":"API key was revoked","extensions":{"code":"UNAUTHENTICATED"}}]}`
	require.Contains(t, all(t, distinct), "event: next\ndata: "+event+"\n\nevent: complete\ndata:\n\n")
	require.Contains(t, all(t, single), "event: next\ndata: {\"id\":\"mine\",\"payload\":"+event+"}\n\nevent: complete\ndata: {\"id\":\"mine\"}\n\n")
	l.block(t, 1)
	var e struct{ Blocks struct{ McSeqno uint32 } }
	stays.event(&e)
	require.Equal(t, uint32(1), e.Blocks.McSeqno)
}
