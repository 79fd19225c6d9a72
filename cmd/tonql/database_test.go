package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/pacetest"
	"tonql/internal/pgcluster"
	"tonql/internal/pgcluster/pgclustertest"
	"tonql/internal/store/observe"
	"tonql/internal/testdb"
)

func TestChargeSlow_HalfSecondsOfReadsCostTheRequest(t *testing.T) {
	t.Parallel()
	ticket := &access.Ticket{}
	ctx := access.WithTicket(t.Context(), ticket)
	for _, fast := range []observe.Statement{
		{Kind: observe.SingleRead, Took: 499 * time.Millisecond},
		{Kind: observe.SnapshotRead, Took: time.Millisecond},
		{Kind: observe.Write, Took: time.Minute},
	} {
		chargeSlow(ctx, fast)
	}
	require.InDelta(t, 1, ticket.Cost(), 0, "the token of the admission")
	chargeSlow(ctx, observe.Statement{Kind: observe.SnapshotRead, Took: 2900 * time.Millisecond})
	require.InDelta(t, 26, ticket.Cost(), 0)
	chargeSlow(ctx, observe.Statement{Kind: observe.SingleRead, Took: 500 * time.Millisecond})
	require.InDelta(t, 31, ticket.Cost(), 0)
	chargeSlow(t.Context(), observe.Statement{Kind: observe.SingleRead, Took: time.Minute}) // no request

	chargeSlow(ctx, observe.Statement{Kind: observe.SingleRead, Took: 9 * time.Second, Err: fmt.Errorf("read: %w", io.ErrUnexpectedEOF)})
	require.InDelta(t, 31, ticket.Cost(), 0, "the server was lost")
	chargeSlow(ctx, observe.Statement{Kind: observe.SingleRead, Took: time.Second, Err: &pgconn.PgError{Code: "57014"}})
	require.InDelta(t, 41, ticket.Cost(), 0, "the server ended it")
	chargeSlow(ctx, observe.Statement{Kind: observe.SnapshotRead, Took: time.Second, Err: errors.New("the result is too long")})
	require.InDelta(t, 51, ticket.Cost(), 0, "it worked, and what it returned was refused")
	chargeSlow(ctx, observe.Statement{Kind: observe.SnapshotRead, Took: time.Minute, Err: &pgconn.PgError{Code: "57P01"}})
	require.InDelta(t, 51, ticket.Cost(), 0, "the server ended")
	over, cancel := context.WithCancel(ctx)
	cancel()
	chargeSlow(over, observe.Statement{Kind: observe.SingleRead, Took: time.Second, Err: context.Canceled})
	require.InDelta(t, 61, ticket.Cost(), 0, "the client ended it")
}

// A request whose statement takes long is admitted, and later ones of its client wait: at each API, and also when the client ends it.
func TestServe_SlowStatementsCostTheClient(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	c := pgclustertest.Start(t, pgcluster.Options{})
	url, db := c.DSN("tonql", "primary"), pgclustertest.Open(t, c)
	require.NoError(t, db.Writer().Apply(t.Context(), testdb.Master(1)))
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) })
	for name, slow := range map[string]struct {
		path string
		ends int
	}{
		"v3":              {"/api/v3/blocks?limit=1", http.StatusOK},
		"v3 with a limit": {"/api/v3/blocks?limit=2&x_timeout=700", http.StatusServiceUnavailable},
		"GraphQL":         {"/graphql?query={blocks(first:1){edges{node{seqno}}}}", http.StatusOK},
	} {
		p := start(t, "serve", "--data", t.TempDir(), "--database-url", url, "--listen", "127.0.0.1:0", "--limit-without-key", "3")
		base := "http://" + p.expect(`serves on http://([^/]+)/`, time.Minute)
		tx, err := conn.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), `LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE`)
		require.NoError(t, err)
		released := make(chan error, 1)
		time.AfterFunc(1200*time.Millisecond, func() { released <- tx.Commit(t.Context()) })
		resp, body := request(t, base+slow.path)
		require.Equal(t, slow.ends, resp.StatusCode, "%s: %s", name, body)
		require.NoError(t, <-released)
		// The rate itself admits requests with these pauses. A statement whose client has left ends a little later.
		require.Eventually(t, func() bool {
			resp, _ := request(t, base+slow.path)
			return resp.StatusCode == http.StatusTooManyRequests
		}, 10*time.Second, 500*time.Millisecond, name)
		p.interrupt(time.Minute)
	}
}
