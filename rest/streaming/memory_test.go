package streaming_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/testdb"
	"tonql/resolvers"
	"tonql/rest/handler"
)

// largeTransaction commits a block with a transaction of an account that sends n messages of half a megabyte in base64.
func largeTransaction(t *testing.T, db *store.DB, seqno uint32, account chain.Address, n int) *chain.Transaction {
	t.Helper()
	mb := testdb.Master(seqno)
	tx := testdb.NewTransaction(mb, account)
	for i := range n {
		out := testdb.NewSent(mb, &tx, testdb.Address())
		out.Key.LT, out.CreatedLT = tx.LT+1+uint64(i), new(tx.LT+1+uint64(i))
		out.Body = make(chain.BOC, 375_000)
		mb.Messages = append(mb.Messages, out)
	}
	tx.OutMsgCount = uint16(n)
	testdb.AddTransaction(mb, &tx)
	commit(t, db, mb)
	return &tx
}

// Anyone can make a trace that is larger than what is read at once, with a transaction of any account. Sessions that are subscribed to the
// account do not end with it.
func TestNotifications_OfTracesThatAreTooLargeEndNoSession(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := testdb.New(t)
	g := newGateway(t, db, nil, resolvers.Options{Network: "devnet"}, nil)
	account := testdb.Address()
	commit(t, db, testdb.Master(1))
	s := g.dial(t)
	s.say(fmt.Sprintf(`{"operation":"subscribe","types":["transactions"],"min_finality":"pending","addresses":[%q]}`, account))
	s.next()
	largeTransaction(t, db, 2, account, 140)
	want := largeTransaction(t, db, 3, account, 1)
	for n := s.next(); ; n = s.next() {
		require.Equal(t, "transactions", n.Type)
		if n.Transactions[0].Hash == want.Hash.String() {
			return
		}
	}
}

// Notifications that a client does not read, and those that wait behind them, count against the memory of what waits for clients. A session waits
// for memory, and ends when there is none for long.
//
//nolint:paralleltest // it takes the memory of the process
func TestNotifications_UnsentOnesHaveAMemory(t *testing.T) {
	pacetest.Long(t)
	db := testdb.New(t)
	g := newGateway(t, db, nil, resolvers.Options{Network: "devnet"}, nil)
	account := testdb.Address()
	commit(t, db, testdb.Master(1))
	s := g.dial(t)
	s.say(fmt.Sprintf(`{"operation":"subscribe","types":["transactions"],"min_finality":"pending","addresses":[%q]}`, account))
	s.next()
	release := takeMemory(t)
	want := largeTransaction(t, db, 2, account, 1)
	time.Sleep(time.Second) // it is tried a few times
	release()
	require.Equal(t, want.Hash.String(), s.next().Transactions[0].Hash)

	release = takeMemory(t)
	largeTransaction(t, db, 3, account, 1)
	require.Equal(t, websocket.StatusTryAgainLater, s.closed())
	release()
}

// takeMemory takes all memory for unsent responses until release is called.
func takeMemory(t *testing.T) (release func()) {
	t.Helper()
	var releases []func()
	for size := 64 << 20; size > 0; {
		one, err := handler.Reserve(context.Background(), size, 0)
		if errors.Is(err, handler.ErrUnsent) {
			size /= 2
			continue
		}
		require.NoError(t, err)
		releases = append(releases, one)
	}
	return func() {
		for _, one := range releases {
			one()
		}
	}
}
