package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/access"
	"tonql/internal/store"
)

func TestChargeSlow_FullSecondsOfReadsCostTheRequest(t *testing.T) {
	t.Parallel()
	ticket := &access.Ticket{}
	ctx := access.WithTicket(t.Context(), ticket)
	for _, fast := range []store.Observed{
		{Kind: store.SingleRead, Took: 999 * time.Millisecond},
		{Kind: store.SnapshotRead, Took: time.Millisecond},
		{Kind: store.Write, Took: time.Minute},
	} {
		chargeSlow(ctx, fast)
	}
	require.InDelta(t, 1, ticket.Cost(), 0, "the token of the admission")
	chargeSlow(ctx, store.Observed{Kind: store.SnapshotRead, Took: 2900 * time.Millisecond})
	require.InDelta(t, 21, ticket.Cost(), 0)
	chargeSlow(ctx, store.Observed{Kind: store.SingleRead, Took: time.Second})
	require.InDelta(t, 31, ticket.Cost(), 0)
	chargeSlow(t.Context(), store.Observed{Kind: store.SingleRead, Took: time.Minute}) // no request
}
