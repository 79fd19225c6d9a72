package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store"
	"tonql/internal/store/cellsweep"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// withGiant returns blocks with a trace of n transactions and two that follow it, and the last block of the trace.
func withGiant(n int) (blocks []*chain.MasterBlock, bound uint32) {
	blocks = storetest.GiantTrace(n, 200, 100)
	bound = blocks[len(blocks)-1].Block.Seqno
	for i := range uint32(2) {
		blocks = append(blocks, storetest.WithState(bound+1+i, testdb.Address(), testdb.Hash(), testdb.Hash()))
	}
	return blocks, bound
}

// countRows counts the rows of a condition.
func countRows(t *testing.T, db *store.DB, from string, args ...any) (n int) {
	t.Helper()
	handle := db.SQLDB()
	defer func() { require.NoError(t, handle.Close()) }()
	require.NoError(t, handle.QueryRowContext(t.Context(), `SELECT count(*) FROM `+from, args...).Scan(&n))
	return n
}

// A large trace is dropped in pieces, whatever interrupts them. No reader finds it complete meanwhile, and in the end nothing of it is left.
func TestDrop_LargeTraceGoesInPieces(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, n := range map[string]int{"with nodes": 1200, "without nodes": chain.MaxTraceTransactions + 300} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			blocks, bound := withGiant(n)
			url := testdb.URL(t)
			atOnce, parts := testdb.New(t), testdb.Open(t, url)
			for _, db := range []*store.DB{atOnce, parts} {
				db.Writer().SetClassifier(storetest.Classifier{})
				storetest.Apply(t, db.Writer(), blocks)
			}
			root := blocks[0].Transactions[0]
			last := blocks[bound-1].Transactions[0]
			for _, step := range storetest.DropAll(t, atOnce, bound, 1<<20) {
				require.False(t, step.Piece)
			}
			const limit = 250
			pieces, interrupted, dropped := 0, 0, 0
			usual := 20 * time.Millisecond
			for {
				began := time.Now()
				short, cancel := context.WithTimeout(t.Context(), rand.N(2*usual)+1)
				step, err := parts.Writer().Drop(short, bound, limit)
				cancel()
				if err != nil {
					interrupted++
					usual += usual/8 + 1 // or none would end on a slow machine
					if interrupted == 2 || interrupted == 5 {
						parts = testdb.Open(t, url) // as another process
					}
					continue
				}
				usual = time.Since(began)
				if step.Nothing() {
					break
				}
				dropped += step.Transactions
				require.LessOrEqual(t, step.Transactions, limit)
				if step.Piece {
					pieces++
				}
				if indexed, err := parts.Reader().Ranges(t.Context()); err != nil || indexed[0].First <= bound {
					require.NoError(t, err)
					continue
				}
				for _, f := range []chain.TraceFilter{{Account: &root.Account}, {Account: &last.Account}} {
					traces, err := parts.Reader().Traces(t.Context(), f, chain.Page{Limit: 10})
					require.NoError(t, err)
					require.Empty(t, traces)
				}
				for _, f := range []chain.TraceFilter{{IDs: []chain.Hash{root.Hash}}, {TxHashes: []chain.Hash{last.Hash}}} {
					traces, err := parts.Reader().Traces(t.Context(), f, chain.Page{Limit: 10})
					require.NoError(t, err)
					for i := range traces { // what is left is found by its hash
						require.Equal(t, chain.TraceBroken, traces[i].State)
					}
				}
				actions, err := parts.Reader().Actions(t.Context(), chain.ActionFilter{Account: &root.Account}, chain.Page{Limit: 1})
				require.NoError(t, err)
				require.Empty(t, actions)
			}
			require.Positive(t, interrupted)
			require.Greater(t, pieces, n/limit/2)
			require.LessOrEqual(t, dropped, n) // a step may be committed although it was interrupted
			want, err := atOnce.Reader().Digest(t.Context(), nil)
			require.NoError(t, err)
			got, err := parts.Reader().Digest(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, want, got)
			for _, table := range []string{"dropped_traces", "large_trace_accounts", "transactions WHERE mc_seqno <= (SELECT last FROM dropped_blocks)"} {
				require.Zero(t, countRows(t, parts, table), table)
				require.Zero(t, countRows(t, atOnce, table), table)
			}
			require.Equal(t, countRows(t, atOnce, "account_traces"), countRows(t, parts, "account_traces"))
			counts, err := parts.Reader().VerificationCounts(t.Context())
			require.NoError(t, err)
			expected, err := atOnce.Reader().VerificationCounts(t.Context())
			require.NoError(t, err)
			require.Equal(t, expected, counts)
		})
	}
}

// A transaction that sends more messages than a piece has is a piece alone, so that a drop always ends. What leads from accounts to the trace goes
// with their transactions.
func TestDrop_TransactionWithManyMessagesIsAPiece(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const n, limit = 300, 20
	blocks, bound := withGiant(n)
	root := &blocks[0].Transactions[0]
	require.Greater(t, int(root.OutMsgCount), 4*limit)
	root.Hash[3] = 1 // storetest.Classifier finds actions
	for i := range blocks[0].Messages {
		if sender := blocks[0].Messages[i].SentBy; sender != nil && sender.LT == root.LT {
			sender.Hash = root.Hash
		}
	}
	db := testdb.New(t)
	db.Writer().SetClassifier(storetest.Classifier{})
	storetest.Apply(t, db.Writer(), blocks)
	past := func(table, column string, before uint64) int {
		return countRows(t, db, fmt.Sprintf("%s WHERE %s < %d", table, column, before))
	}
	seqno, lt := uint64(bound)+1, blocks[bound].Block.StartLT
	require.Positive(t, past("account_traces", "end_lt", lt))
	require.Positive(t, past("account_actions", "trace_end_lt", lt))
	var pieces []int
	for len(pieces) <= n {
		step, err := db.Writer().Drop(t.Context(), bound, limit)
		require.NoError(t, err)
		if step.Nothing() {
			break
		}
		if step.Piece {
			pieces = append(pieces, step.Transactions)
		}
	}
	require.Greater(t, len(pieces), n/limit)
	require.Equal(t, 1, pieces[0], "the root")
	require.NotContains(t, pieces[:len(pieces)-1], 0)
	require.Zero(t, countRows(t, db, "dropped_traces"))
	require.Zero(t, past("traces", "mc_seqno_end", seqno))
	require.Zero(t, past("actions", "mc_seqno_end", seqno))
	require.Zero(t, past("transactions", "mc_seqno", seqno))
	require.Zero(t, past("messages", "lt", lt))
	require.Zero(t, past("account_traces", "end_lt", lt))
	require.Zero(t, past("account_actions", "trace_end_lt", lt))
}

// Blocks that are written between the pieces of a trace are what they are without it.
func TestDrop_BlocksBetweenPieces(t *testing.T) {
	t.Parallel()
	blocks, bound := withGiant(700)
	atOnce, parts := testdb.New(t), testdb.New(t)
	storetest.Apply(t, atOnce.Writer(), blocks)
	storetest.DropAll(t, atOnce, bound, 1<<20)
	storetest.Apply(t, parts.Writer(), blocks[:bound])
	for next := int(bound); ; {
		step, err := parts.Writer().Drop(t.Context(), bound, 100)
		require.NoError(t, err)
		if step.Piece && next < len(blocks) {
			storetest.Apply(t, parts.Writer(), []*chain.MasterBlock{blocks[next]})
			next++
		}
		if step.Nothing() {
			require.Equal(t, len(blocks), next)
			break
		}
	}
	want, err := atOnce.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	got, err := parts.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// A piece is a drop: it waits for the end of a sweep, which reads the transactions that are left.
func TestDrop_NoPieceWhileCellsAreSwept(t *testing.T) {
	t.Parallel()
	blocks, bound := withGiant(700)
	db := testdb.New(t)
	storetest.Apply(t, db.Writer(), blocks)
	for {
		step, err := db.Writer().Drop(t.Context(), bound, 100)
		require.NoError(t, err)
		if step.Piece {
			break
		}
	}
	left := countRows(t, db, "transactions")
	s := storetest.ListUsed(t, db)
	_, err := db.Writer().Drop(t.Context(), bound, 100)
	require.ErrorIs(t, err, cellsweep.ErrSweeping)
	require.Equal(t, left, countRows(t, db, "transactions"))
	storetest.RemoveUnused(t, db, s)
	storetest.RequireCells(t, db)
	require.NotEmpty(t, storetest.DropAll(t, db, bound, 100))
	require.Zero(t, countRows(t, db, "dropped_traces"))
	storetest.RequireCells(t, db)
}
