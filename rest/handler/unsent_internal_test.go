package handler

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
)

// requestOf returns the context of a request of a client, with the key of an owner unless owner is empty.
func requestOf(t *testing.T, client, owner string) context.Context {
	t.Helper()
	var ctx context.Context
	Observe(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		ctx = r.Context() //nolint:fatcontext // the only request
	}), slog.New(slog.DiscardHandler), nil).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))
	if client != "" {
		RecordOf(ctx).Client = netip.MustParseAddr(client)
	}
	if owner != "" {
		ctx = access.WithTicket(ctx, &access.Ticket{Owner: owner})
	}
	return ctx
}

// A client whose responses take all the memory that it may has no room for further ones; others have.
func TestReserve_AClientHasAShare(t *testing.T) { //nolint:paralleltest // the memory is that of the process
	for name, c := range map[string]struct{ taker, same, other context.Context }{
		"an address":       {requestOf(t, "10.0.0.1", ""), requestOf(t, "10.0.0.1", "a"), requestOf(t, "10.0.0.2", "")},
		"a network":        {requestOf(t, "2001:db8::1", ""), requestOf(t, "2001:db8::2:3", ""), requestOf(t, "2001:db8:0:1::1", "")},
		"an owner of keys": {requestOf(t, "10.0.0.1", "a"), requestOf(t, "10.0.0.2", "a"), requestOf(t, "10.0.0.2", "b")},
	} {
		var releases []func()
		for range 4 {
			release, err := Reserve(c.taker, maxUnsentOfClient/4, longResponse)
			require.NoError(t, err, name)
			releases = append(releases, release)
		}
		for _, ctx := range []context.Context{c.taker, c.same} {
			_, err := Reserve(ctx, longResponse, longResponse)
			require.ErrorIs(t, err, ErrUnsent, name)
			require.ErrorIs(t, err, errUnsentOfClient, name)
			_, err = Reserve(ctx, longResponse-1, longResponse)
			require.NoError(t, err, "a short one needs no memory")
		}
		release, err := Reserve(c.other, 2*maxUnsentOfClient, longResponse)
		require.NoError(t, err, "one that is longer takes the share, where it is free: "+name)
		release()
		for _, release := range releases {
			release()
		}
		release, err = Reserve(c.same, maxUnsentOfClient, longResponse)
		require.NoError(t, err, name)
		release()
		require.Zero(t, unsent.all, name)
		require.Empty(t, unsent.by, name)
	}
}

// What clients without an address take, such as those of a Unix socket, is bounded together only.
func TestReserve_WithoutAnAddressTheSumIsBounded(t *testing.T) { //nolint:paralleltest // as above
	ctx := requestOf(t, "", "")
	for range maxUnsent / maxUnsentOfClient {
		release, err := Reserve(ctx, maxUnsentOfClient, 0)
		require.NoError(t, err)
		t.Cleanup(release)
	}
	for _, ctx := range []context.Context{ctx, requestOf(t, "10.0.0.1", "")} {
		_, err := Reserve(ctx, longResponse, longResponse)
		require.ErrorIs(t, err, ErrUnsent)
		require.NotErrorIs(t, err, errUnsentOfClient)
	}
	require.Empty(t, unsent.by)
}
