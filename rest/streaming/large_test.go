package streaming_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/testdb"
	"tonql/resolvers"
)

// Who is subscribed to accounts of a trace with too many transactions to be shown receives the transactions of these accounts once it is final,
// whatever blocks they are in.
func TestNotifications_OfLargeTracesHaveAllSubscribedTransactions(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	g := newGateway(t, db, nil, resolvers.Options{Network: "devnet"}, nil)
	commit(t, db, testdb.Master(1))
	blocks, chosen := testdb.LargeTrace()
	var early, hashes []string
	for i := range chosen {
		early = append(early, strconv.Quote(chosen[i].Account.String()))
		hashes = append([]string{chosen[i].Hash.String()}, hashes...) // the newest first
	}
	subscribe := func(accounts []string) *socket {
		s := g.dial(t)
		s.say(fmt.Sprintf(`{"operation":"subscribe","types":["transactions"],"addresses":[%s]}`, strings.Join(accounts, ",")))
		require.Equal(t, "subscribed", *s.next().Status)
		return s
	}
	of, all := subscribe(early[1:2]), subscribe(early)
	for _, mb := range blocks {
		commit(t, db, mb)
	}
	for s, want := range map[*socket][]string{of: hashes[1:2], all: hashes} {
		n := s.next()
		require.Equal(t, []string{"transactions", "finalized"}, []string{n.Type, n.Finality})
		var got []string
		for _, tx := range n.Transactions {
			got = append(got, tx.Hash)
		}
		require.Equal(t, want, got)
		s.say(`{"operation":"ping"}`)
		require.JSONEq(t, `{"status":"pong"}`, s.read(), "once")
	}
}
