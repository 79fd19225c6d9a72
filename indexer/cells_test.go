package indexer_test

import (
	"context"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/indexer/decode"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/rebuild"
	"tonql/internal/store"
)

// rootsOfStates returns the hashes of code, data and libraries of all states around transactions.
func rootsOfStates(ctx context.Context, t *testing.T, db *store.Reader, blocks uint32) map[chain.Hash]bool {
	t.Helper()
	roots := map[chain.Hash]bool{}
	for seqno := uint32(1); seqno <= blocks; seqno++ {
		txs, err := db.Transactions(ctx, chain.TransactionFilter{McSeqno: &seqno}, chain.Page{Limit: 1000})
		require.NoError(t, err)
		full, err := db.Full(ctx, txs)
		require.NoError(t, err)
		for i := range full {
			for _, s := range []*chain.AccountState{&full[i].StateBefore, &full[i].StateAfter} {
				rest, err := rebuild.ParseAccountRest(s.Rest, s.LT)
				if len(s.Rest) > 0 { // otherwise the state is not in the index
					require.NoError(t, err)
				}
				for _, h := range []*chain.Hash{s.CodeHash, s.DataHash, rest.Libraries} {
					if h != nil {
						roots[*h] = true
					}
				}
			}
		}
	}
	return roots
}

// cellHashes returns the hashes of all rows of cells.
func cellHashes(ctx context.Context, t *testing.T, db *sql.DB) []chain.Hash {
	t.Helper()
	rows, err := db.QueryContext(ctx, `SELECT hash FROM cells`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var all []chain.Hash
	for rows.Next() {
		var h []byte
		require.NoError(t, rows.Scan(&h))
		all = append(all, chain.Hash(h))
	}
	require.NoError(t, rows.Err())
	return all
}

// Rows of earlier versions have code and data without splitting them, and none of their parts. They do not differ from the chain; a tree that is
// missing does.
func TestVerify_CellsOfEarlierVersionsAreNotSplit(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 40
	src, db := newIndex(ctx, t, blocks)
	roots := rootsOfStates(ctx, t, db.Reader(), blocks)
	handle := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, handle.Close()) })
	all := cellHashes(ctx, t, handle)
	stored, err := db.Reader().CellParts(ctx, all)
	require.NoError(t, err)
	joined, err := db.Reader().Cells(ctx, all)
	require.NoError(t, err)
	trees, parts := map[chain.Hash]bool{}, map[chain.Hash]bool{}
	for h, bag := range stored {
		root, err := rebuild.Exact(bag, decode.SerializeState)
		require.NoError(t, err)
		require.NoError(t, cellparts.Branches(root, func(below chain.Hash) { trees[h], parts[below] = true, true }))
	}
	removed := 0
	for h := range trees {
		_, err := handle.ExecContext(ctx, `UPDATE cells SET boc = $2 WHERE hash = $1`, h[:], []byte(joined[h]))
		require.NoError(t, err)
	}
	for h := range parts {
		if !roots[h] {
			removed++
			_, err := handle.ExecContext(ctx, `DELETE FROM cells WHERE hash = $1`, h[:])
			require.NoError(t, err)
		}
	}
	require.Positive(t, removed)
	within := chain.SeqnoRange{First: 1, Last: blocks}
	report, err := indexer.New(src, db, indexer.Options{}).VerifyRange(ctx, within)
	require.NoError(t, err)
	require.True(t, report.OK(), report.String())

	for h := range trees {
		if !roots[h] {
			continue
		}
		_, err = handle.ExecContext(ctx, `DELETE FROM cells WHERE hash = $1`, h[:])
		require.NoError(t, err)
		report, err = indexer.New(src, db, indexer.Options{}).VerifyRange(ctx, within)
		require.NoError(t, err)
		require.Contains(t, report.String(), "cells "+h.Hex()+": differs or is missing")
		return
	}
	require.Fail(t, "no state has a tree of parts")
}
