package graphql_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	gql "tonql/rest/graphql"
)

// outage is a tracer that lets statements on blocks fail as those of a lost connection do, while there are some left.
type outage struct {
	counter

	left atomic.Int64
}

func (o *outage) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	ctx = o.counter.TraceQueryStart(ctx, conn, data)
	if strings.HasPrefix(data.SQL, "SELECT b.workchain, b.shard") && o.left.Add(-1) >= 0 {
		ended, end := context.WithCancel(ctx)
		end()
		return ended
	}
	return ctx
}

// An event that cannot be resolved for some time, because the database is lost, is sent once it can be: without errors, once, and in its order.
func TestSubscription_EventsOutlastTheLossOfTheDatabase(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	lost := &outage{}
	db, err := store.Open(t.Context(), store.Config{WriteURL: testdb.URL(t), MaxWriteConns: 2, MaxReadConns: 6, Tracer: lost})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	l := gatewayOn(t, db, func(o *gql.Options) { o.Limits.TimeoutMs = 2000 })
	l.block(t, 1)
	s := l.connect(t)
	s.subscribe("a", `subscription { transactions(afterMcSeqno: 1) { node { hash block { seqno } } } }`, nil)
	lost.left.Store(12)
	first, second := l.block(t, 2, addresses(3)...), l.block(t, 3, addresses(2)...)
	for _, want := range append(first.Transactions, second.Transactions...) {
		var e struct {
			Transactions struct {
				Node struct {
					Hash  string
					Block *struct{ Seqno uint32 }
				}
			}
		}
		s.event(&e)
		require.Equal(t, want.Hash.String(), e.Transactions.Node.Hash)
		require.NotNil(t, e.Transactions.Node.Block)
	}
	require.Negative(t, lost.left.Load())
}
