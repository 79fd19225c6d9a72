package streaming_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest/streaming"
)

// Revoking a key ends its connections, over WebSocket with a reason; those of other keys and without one continue.
func TestRevokedKey_EndsItsConnections(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	limiter := access.New(db.Access(), access.Options{Network: "devnet"})
	g := newGateway(t, db, nil, resolvers.Options{Network: "devnet"}, func(o *streaming.Options) {
		o.Limiter, o.Timing.Key, o.Timing.KeepAlive = limiter, 20*time.Millisecond, 20*time.Millisecond
	})
	order := func(owner string) (secret string, id int64) {
		secret, hash, hint := access.NewSecret()
		key, err := db.Access().CreateKey(t.Context(), access.Order{Owner: owner, Network: "devnet"}, hash, hint)
		require.NoError(t, err)
		return secret, key.ID
	}
	lost, id := order("alice")
	retained, _ := order("bob")
	body := `{"types":["transactions"],"addresses":["` + testdb.Address().String() + `"]}`
	follow := func(secret string) *lines {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.URL+streaming.Prefix+"/v2/sse", strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-API-Key", secret)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		return connected(t, resp)
	}
	ends, stays, public := follow(lost), follow(retained), follow("")
	socket, other := g.dialWith(t, "?api_key="+lost), g.dialWith(t, "?api_key="+retained)

	require.NoError(t, db.Access().ExpireKey(t.Context(), id, 0))
	require.Equal(t, websocket.StatusPolicyViolation, socket.closed())
	_, err := io.Copy(io.Discard, ends.resp.Body)
	require.NoError(t, err, "the stream ends")
	for range 3 {
		require.Equal(t, ": keepalive", stays.line())
		require.Empty(t, stays.line())
		require.Equal(t, ": keepalive", public.line())
		require.Empty(t, public.line())
	}
	other.say(`{"id":"p","operation":"ping"}`)
	require.Contains(t, other.read(), `"id":"p"`)
}
