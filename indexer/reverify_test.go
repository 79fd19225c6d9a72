package indexer_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"

	"tonql/indexer"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// TestReverify_TransactionsOverBudgetAreUnverifiedUntilThen indexes loops with a budget that is too small: indexing
// continues, and the loops are unverified. After they are executed with a larger budget, the index equals one that was
// built with that budget.
func TestReverify_TransactionsOverBudgetAreUnverifiedUntilThen(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	// CONT:<{ 1 PUSHINT 1 PUSHINT RIST255_FROMHASH DROP }> AGAIN takes longer than a busy processor leaves the timers of others unread.
	loop := contractAt(codeOf(t, "957171f92030ea"), 0, "loop")
	// 7 PUSHINT 1 TUPLE 10 PUSHINT CONT:<{ DUP 2 TUPLE }> REPEAT 1 PUSHINT x{} PUSHSLICE 0 RUNVM: thousands of values.
	hoard := contractAt(codeOf(t, "776f01800a93206f02e4718b08db4000"), 0, "hoard")
	n := newSmallNet(ctx, t, func(*address.Address) []genesis.Account { return []genesis.Account{loop, hoard} })
	const rounds = 3
	for range rounds {
		again := contracts.Call(loop.Address, 5e9, nil)
		n.send(t, again, again, again, contracts.Call(hoard.Address, 5e9, nil))
	}
	last := n.head()
	within := chain.SeqnoRange{First: 1, Last: last}
	complete := testdb.New(t)
	run(ctx, t, n.client, complete, 1, last, indexer.Options{})
	want := digest(ctx, t, complete)

	for reason, budget := range map[string]replay.Options{"time": {Time: time.Microsecond}, "memory": {Memory: 16 << 10}} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			ctx := testContext(t)
			db := testdb.New(t)
			registry := prometheus.NewPedanticRegistry()
			var log bytes.Buffer
			x := indexer.New(n.client, db, indexer.Options{
				Replay: budget, Registerer: registry, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			})
			stop := start(ctx, t, x)
			waitIndexed(ctx, t, db, 1, last)
			stop()
			rows, err := db.Reader().Unverified(ctx, within, 1000)
			require.NoError(t, err)
			accounts := map[chain.Address]int{}
			for i := range rows {
				require.Equal(t, reason, rows[i].Reason)
				require.NotEmpty(t, rows[i].Limit)
				accounts[rows[i].Account]++
			}
			if reason == "time" {
				require.Positive(t, accounts[addressOf(loop.Address)])
			} else {
				require.Equal(t, map[chain.Address]int{addressOf(hoard.Address): rounds}, accounts)
			}
			txs, err := db.Reader().Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1000, Sort: chain.Ascending})
			require.NoError(t, err)
			unverified, cut := 0, map[chain.TransactionKey]bool{}
			for i := range txs {
				require.NotEqual(t, chain.Mismatch, txs[i].Verification)
				block := chain.TransactionKey{Account: txs[i].Account, LT: uint64(txs[i].McSeqno)}
				require.False(t, cut[block] && txs[i].Verification != chain.Unverified, "its state before is that after an unverified one")
				if txs[i].Verification == chain.Unverified {
					unverified++
					cut[block] = true
				}
			}
			require.Len(t, rows, unverified)
			require.EqualValues(t, unverified, x.Status().Unverified)
			require.Positive(t, bytes.Count(log.Bytes(), []byte("transaction replay over budget")))
			counts := map[string]int{reason: unverified}
			expected := fmt.Sprintf(`# HELP tonql_indexer_replay_unverified_total Number of transactions whose re-execution exceeded its budget, by resource: time, memory, cells.
# TYPE tonql_indexer_replay_unverified_total counter
tonql_indexer_replay_unverified_total{reason="cells"} %d
tonql_indexer_replay_unverified_total{reason="memory"} %d
tonql_indexer_replay_unverified_total{reason="time"} %d
`, counts["cells"], counts["memory"], counts["time"])
			require.NoError(t, testutil.GatherAndCompare(registry, bytes.NewBufferString(expected), "tonql_indexer_replay_unverified_total"))

			// The same budget has the same result; a larger one decides it.
			done, err := indexer.New(n.client, db, indexer.Options{Replay: replay.Options{Time: time.Nanosecond, Memory: 1}}).Reverify(ctx, within, func(indexer.Reverification) {})
			require.NoError(t, err)
			require.Equal(t, unverified, done.Tried)
			require.Zero(t, done.Mismatched)
			require.Equal(t, unverified, done.Replayed+done.Unverified)
			left, err := db.Reader().Unverified(ctx, within, 1000)
			require.NoError(t, err)
			steps := 0
			done, err = indexer.New(n.client, db, indexer.Options{}).Reverify(ctx, within, func(indexer.Reverification) { steps++ })
			require.NoError(t, err)
			require.Equal(t, len(left), done.Tried)
			require.Equal(t, len(left), done.Replayed)
			require.Equal(t, len(left) > 0, steps > 0) // a loop may end before its time is looked at
			rows, err = db.Reader().Unverified(ctx, within, 1000)
			require.NoError(t, err)
			require.Empty(t, rows)
			require.Equal(t, want, digest(ctx, t, db))
			requireVerified(ctx, t, n.client, db, 1, last)
		})
	}
}

// Mismatches are executed again on request, as after an update that executes more rules.
func TestReverify_MismatchesAreExecutedAgain(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	n := newSmallNet(ctx, t, func(*address.Address) []genesis.Account { return nil })
	n.send(t)
	last := n.head()
	within := chain.SeqnoRange{First: 1, Last: last}
	db := testdb.New(t)
	run(ctx, t, n.client, db, 1, last, indexer.Options{})
	want := digest(ctx, t, db)
	txs, err := db.Reader().Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1000, Sort: chain.Ascending})
	require.NoError(t, err)
	wrong := 0
	for i := range txs {
		if txs[i].Verification != chain.Replayed {
			continue
		}
		wrong++
		tx := txs[i]
		tx.Verification = chain.Mismatch
		block := &chain.MasterBlock{Transactions: []chain.Transaction{tx}, Mismatches: []chain.ReplayMismatch{{TransactionKey: tx.Key(), McSeqno: tx.McSeqno, Hash: tx.Hash, Reason: "an older rule"}}}
		block.Block.Seqno, block.Block.Workchain = tx.McSeqno, -1
		_, err := db.Writer().ApplyVerdicts(ctx, block, chain.Replayed)
		require.NoError(t, err)
	}
	require.Positive(t, wrong)
	x := indexer.New(n.client, db, indexer.Options{})
	done, err := x.Reverify(ctx, within, func(indexer.Reverification) {})
	require.NoError(t, err)
	require.Zero(t, done.Tried, "verdicts are final")
	done, err = x.Reverify(ctx, within, func(indexer.Reverification) {}, chain.Mismatch)
	require.NoError(t, err)
	require.Equal(t, wrong, done.Replayed)
	require.Equal(t, want, digest(ctx, t, db))
	requireVerified(ctx, t, n.client, db, 1, last)
}
