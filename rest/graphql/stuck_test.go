package graphql_test

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/pacetest"
	gql "tonql/rest/graphql"
)

// wide is a subscription with many bytes an event.
func wide() string {
	var fields strings.Builder
	for i := range 28 {
		fmt.Fprintf(&fields, " f%d: prevHash", i)
	}
	return `subscription { transactions(afterMcSeqno: 0) { node {` + fields.String() + ` } } }`
}

// stuckStream sends a request and never reads the response.
func (l *live) stuckStream(t *testing.T, method, target, header, body string) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(l.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
	_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s",
		method, target, len(body), header, body)
	require.NoError(t, err)
}

// A client of event streams that stops reading is disconnected, in both modes, and no longer counts as a connection.
func TestEventStream_StuckClientLosesItsConnection(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	query := `{"query":"` + wide() + `","extensions":{"operationId":"a"}}`
	for _, mode := range []string{"distinct", "single"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			l := newLive(t, func(o *gql.Options) {
				o.Limits.MaxConnections = 1
				o.Timing = gql.Timing{Slow: 300 * time.Millisecond, Ping: limit, Token: limit}
			})
			if mode == "distinct" {
				l.stuckStream(t, http.MethodPost, "/graphql", "", query)
			} else {
				s := reserve(t, l)
				l.stuckStream(t, http.MethodGet, "/graphql?token="+s.token, "", "")
				require.Eventually(t, func() bool { return s.begin("a", wide()) == http.StatusAccepted }, limit, 10*time.Millisecond)
			}
			status := func() int {
				return single{T: t, l: l}.request(http.MethodPut, "", "", "*/*").StatusCode
			}
			require.Eventually(t, func() bool { return status() == http.StatusTooManyRequests }, limit, 10*time.Millisecond, "the only connection is in use")
			accounts := addresses(100)
			for seqno := uint32(1); seqno <= 60; seqno++ {
				l.block(t, seqno, accounts...)
			}
			require.Eventually(t, func() bool { return status() == http.StatusCreated }, limit, 50*time.Millisecond, "the connection is free again")
		})
	}
}

// The number of connections with the keys of one owner is bounded, for all addresses together.
func TestConnections_OfOneOwnerAreLimited(t *testing.T) {
	t.Parallel()
	plain := newLive(t, nil)
	limiter := access.New(plain.db.Access(), access.Options{Network: "mainnet"})
	key := func(owner string) string {
		secret, hash, hint := access.NewSecret()
		_, err := plain.db.Access().CreateKey(t.Context(), access.Order{Owner: owner, Network: "mainnet", Plan: access.Plan{Name: access.Custom, Rate: 1000, MaxKeys: 3}}, hash, hint)
		require.NoError(t, err)
		return secret
	}
	l := gatewayOn(t, plain.db, func(o *gql.Options) {
		o.Limiter, o.Limits.MaxConnections = limiter, 1
		o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	})
	first, second, other := key("alice"), key("alice"), key("bob")
	greet := func(n int, secret string) *socket {
		s := l.dialFrom(t, fmt.Sprintf("198.51.100.%d", n))
		s.say(`{"type":"connection_init","payload":{"apiKey":"` + secret + `"}}`)
		return s
	}
	for n := range 10 {
		secret := first
		if n%2 == 1 {
			secret = second
		}
		require.Equal(t, "connection_ack", greet(n, secret).receive().Type)
	}
	code, reason := greet(20, first).closed()
	require.Equal(t, 1013, code, reason)
	require.Equal(t, "connection_ack", greet(21, other).receive().Type)
}
