package payments_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/payment"
	"tonql/internal/store/payments"
	"tonql/internal/store/traces"
	"tonql/internal/testdb"
)

// completion is the complete trace of a block of [newPaymentBlock].
func completion(mb *chain.MasterBlock) *traces.Completion {
	wallet, receiver := &mb.Transactions[0], &mb.Transactions[1]
	order, coins := &mb.Messages[0], &mb.Messages[1]
	a := &traces.Assembly{
		Trace: chain.Trace{ID: wallet.Hash, Root: wallet.Key(), StartLT: wallet.LT, EndLT: receiver.LT, Transactions: 2},
		Content: []chain.TraceTransaction{
			{Transaction: wallet, In: order, Out: []*chain.Message{coins}}, {Transaction: receiver, In: coins},
		},
	}
	return &traces.Completion{Assembly: a, Nodes: []chain.TransactionKey{wallet.Key(), receiver.Key()}}
}

// begin begins a database transaction on a connection of its own.
func begin(t *testing.T, url string) (tx pgx.Tx, pid uint32) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	tx, err = conn.Begin(t.Context())
	require.NoError(t, err)
	require.NoError(t, tx.QueryRow(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid)) // a pooler gives the client another number
	return tx, pid
}

// Two database transactions have a payment of the same transfer each. The second one waits for the first one, and sees what it
// has decided: there is one success with one event, and what the other transaction has brought is surplus.
func TestSettle_TransactionsAtOnceDecideOnce(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	db := testdb.Open(t, url)
	s := newShop(t, db, "shop")
	tr, buyers := s.open(1000), []chain.Address{testdb.Address(), testdb.Address()}
	settle := func(tx pgx.Tx, i int, value chain.Coins) error {
		block := transferBlock(t, uint32(i+1), buyers[i], tr.Recipient, value, tr.Reference)
		return payments.NewMatcher(s.p).Settle(t.Context(), tx, []*traces.Completion{completion(block)}, nil)
	}
	first, _ := begin(t, url)
	second, pid := begin(t, url)
	require.NoError(t, settle(first, 0, 1000))
	ended := make(chan error, 1)
	go func() { ended <- settle(second, 1, 2000) }()
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	require.Eventually(t, func() bool {
		var waits bool
		err := handle.QueryRowContext(t.Context(), `SELECT cardinality(pg_blocking_pids($1)) > 0`, int32(pid)).Scan(&waits)
		return err == nil && waits
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, first.Commit(t.Context()))
	require.NoError(t, <-ended)
	require.NoError(t, second.Commit(t.Context()))

	r, err := s.p.Payment(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.Success, r.Status)
	require.EqualValues(t, 1000, r.Received.Int64())
	payer, ok := r.Payer()
	require.True(t, ok)
	require.Equal(t, buyers[0], payer)
	surplus, err := s.p.Surplus(t.Context(), tr.Reference)
	require.NoError(t, err)
	require.Len(t, surplus, 1)
	require.EqualValues(t, 2000, surplus[0].Paid.Int64())
	require.Equal(t, buyers[1], surplus[0].PaidBy)
	require.Len(t, s.deliveries(), 1)
	require.Equal(t, 1, s.jobs())
}
