package indexer_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

const logTransactionsMoved = `msg="rows moved" move=transactions`

// servedTransactions are the transactions of a range of blocks as APIs read them.
func servedTransactions(ctx context.Context, t *testing.T, r *store.Reader, last uint32) []chain.FullTransaction {
	t.Helper()
	rows, err := r.TransactionsOfMasterchain(ctx, chain.SeqnoRange{First: 1, Last: last})
	require.NoError(t, err)
	full, err := r.Full(ctx, rows)
	require.NoError(t, err)
	for i := range full {
		full[i].Raw, full[i].States = nil, nil // depend on the form of the row
		for j := range full[i].OutMessages {
			full[i].OutMessages[j].ReceivedBy = nil // perhaps a later block
		}
		if in := full[i].InMessage; in != nil {
			in.ReceivedBy = nil // perhaps one of the messages above
		}
	}
	return full
}

// requireChain verifies the rows of blocks with the network, and without.
func requireChain(ctx context.Context, t *testing.T, n *devnettest.Network, db *store.DB, last uint32) {
	t.Helper()
	within := chain.SeqnoRange{First: 1, Last: last}
	online, err := indexer.New(n.Client, db, indexer.Options{}).VerifyRange(ctx, within)
	require.NoError(t, err)
	require.True(t, online.OK(), online.String())
	requireRows(ctx, t, db, 1, last)
}

// The transactions of an earlier version are moved while the head is followed and another process reads. What it reads, the digest
// and the checks of the rows stay the same, until nothing is left in the old form.
func TestMove_TransactionsWhileIndexedAndServed(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	n, url := newNetwork(ctx, t, moveBlocks), testdb.URL(t)
	db := testdb.Open(t, url)
	run(ctx, t, n.Client, db, 1, moveBlocks, indexer.Options{})
	want := digest(ctx, t, db)
	gateway := testdb.Open(t, url).Reader()
	served := servedTransactions(ctx, t, gateway, moveBlocks)
	require.NotEmpty(t, served)
	storetest.AsBefore(t, db)
	require.Equal(t, want.String(), digest(ctx, t, db).String())
	require.Equal(t, served, servedTransactions(ctx, t, gateway, moveBlocks))
	requireChain(ctx, t, n, db, moveBlocks)

	// One row at a time takes longer than the blocks.
	x, log := newMover(n, db, 1, time.Hour)
	stop := start(ctx, t, x)
	n.AdvanceTo(t, moveBlocks+10)
	waitIndexed(ctx, t, db, 1, moveBlocks+10)
	waitUntil(ctx, t, "the first rows", func() bool {
		return value[bool](ctx, t, db, `SELECT moved > 10 FROM transactions_move`)
	})
	require.Equal(t, served, servedTransactions(ctx, t, gateway, moveBlocks))
	stop()
	require.False(t, value[bool](ctx, t, db, `SELECT done_at IS NOT NULL FROM transactions_move`))
	require.Zero(t, log.count(logTransactionsMoved))
	requireChain(ctx, t, n, db, moveBlocks+10)
	fresh := testdb.New(t)
	run(ctx, t, n.Client, fresh, 1, moveBlocks+10, indexer.Options{})
	after := digest(ctx, t, fresh).String()
	require.Equal(t, after, digest(ctx, t, db).String())

	// The next run moves the rest, beside blocks.
	x, log = newMover(n, db, 20, time.Hour)
	stop = start(ctx, t, x)
	for seqno := uint32(moveBlocks + 11); log.count(logTransactionsMoved) == 0; seqno++ {
		n.AdvanceTo(t, seqno)
		waitIndexed(ctx, t, db, 1, seqno)
		require.Equal(t, served, servedTransactions(ctx, t, gateway, moveBlocks))
	}
	waitUntil(ctx, t, "the room", func() bool { return value[bool](ctx, t, db, `SELECT freed FROM transactions_move`) })
	stop()
	require.Zero(t, value[int](ctx, t, db, `SELECT count(*) FROM transactions WHERE boc IS NULL OR prev_hash IS NOT NULL OR states IS NULL`))
	require.Zero(t, value[int](ctx, t, db, `SELECT count(*) FROM transaction_bocs`))
	require.Zero(t, log.count("move failed")+log.count(logInterrupted)+log.count("rows stay"))
	ranges, err := gateway.Ranges(ctx)
	require.NoError(t, err)
	last := ranges[len(ranges)-1].Last
	requireChain(ctx, t, n, db, last)
	run(ctx, t, n.Client, fresh, 1, last, indexer.Options{})
	require.Equal(t, digest(ctx, t, fresh).String(), digest(ctx, t, db).String())
}

// States without a rest stay when the others are moved. Completing their block moves them, too.
func TestComplete_MovesStatesThatStayed(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 30
	n, db := newNetwork(ctx, t, blocks), testdb.New(t)
	run(ctx, t, n.Client, db, 1, blocks, indexer.Options{})
	want := digest(ctx, t, db)
	storetest.AsBefore(t, db)
	execute(ctx, t, db, `UPDATE account_states SET rest = NULL WHERE status <> 3 AND (account, lt) IN (SELECT account, lt FROM transactions WHERE mc_seqno BETWEEN 9 AND 14)`)
	incomplete := value[int](ctx, t, db, `SELECT count(*) FROM account_states WHERE rest IS NULL AND status <> 3`)
	require.Positive(t, incomplete)
	require.NoError(t, indexer.NewMover(db.Writer(), indexer.MoveOptions{}).Move(ctx))
	const own = `SELECT count(*) FROM account_states JOIN transactions USING (account, lt)` // the others were left by no transaction
	require.Equal(t, incomplete, value[int](ctx, t, db, own))
	require.Equal(t, incomplete, value[int](ctx, t, db, `SELECT without_rest FROM transactions_move`))
	_, err := indexer.New(n.Client, db, indexer.Options{}).Complete(ctx, chain.SeqnoRange{First: 1, Last: blocks}, func(indexer.Completion) {})
	require.NoError(t, err)
	require.Zero(t, value[int](ctx, t, db, own))
	require.Zero(t, value[int](ctx, t, db, `SELECT without_rest FROM transactions_move`))
	require.Equal(t, want.String(), digest(ctx, t, db).String())
	requireChain(ctx, t, n, db, blocks)
}
