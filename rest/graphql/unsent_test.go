package graphql_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
	"tonql/rest/handler"
)

// Results of events that a client does not read count against the memory of what waits for clients from the moment at which they are
// resolved. When that is taken, fewer events are resolved together, and a client that reads gets each of them once.
//
//nolint:paralleltest // it takes the memory of the process
func TestSubscription_UnsentResultsHaveAMemory(t *testing.T) {
	const events = 60
	l := newLive(t, nil)
	free := take(t, 254<<20)
	s := l.connect(t)
	s.subscribe("a", `subscription { messages(afterMcSeqno: 0) { node { hash body } } }`, nil)
	mb := largeMessages(t, l, 1, events)
	require.Eventually(t, func() bool {
		release, err := handler.Reserve(context.Background(), 1400<<10, 0)
		if err == nil {
			release()
		}
		return errors.Is(err, handler.ErrUnsent)
	}, limit, time.Millisecond, "the results that wait are counted")
	for i := range mb.Messages {
		m := s.receive()
		require.Equal(t, "next", m.Type)
		require.Contains(t, string(m.Payload), mb.Messages[i].Hash.String())
	}

	// Without any memory the connection ends with the reason.
	all := take(t, 2<<20)
	largeMessages(t, l, 2, 1)
	code, reason := s.closed()
	require.Equal(t, 1013, code, reason)
	all()
	free()
}

// largeMessages writes a block with messages of half a megabyte in base64.
func largeMessages(t *testing.T, l *live, seqno uint32, n int) *chain.MasterBlock {
	t.Helper()
	accounts := addresses(n + 1)
	mb := testdb.Master(seqno)
	for i := range n {
		tx := testdb.NewTransaction(mb, accounts[i])
		tx.LT = mb.Block.StartLT + uint64(i+1)*10
		out := testdb.NewSent(mb, &tx, accounts[n])
		out.Body = make(chain.BOC, 375_000)
		testdb.AddTransaction(mb, &tx)
		mb.Messages = append(mb.Messages, out)
		mb.States = append(mb.States, testdb.NewStateAfter(mb, &tx, chain.Coins(seqno)))
	}
	require.NoError(t, l.db.Writer().Apply(t.Context(), mb))
	return mb
}

// take takes memory for unsent responses until release is called.
func take(t *testing.T, bytes int) (release func()) {
	t.Helper()
	var releases []func()
	for bytes > 0 {
		var one func()
		require.Eventually(t, func() bool {
			var err error
			one, err = handler.Reserve(context.Background(), min(bytes, 1<<20), 0)
			return err == nil
		}, limit, time.Millisecond)
		releases, bytes = append(releases, one), bytes-1<<20
	}
	return func() {
		for _, release := range releases {
			release()
		}
	}
}
