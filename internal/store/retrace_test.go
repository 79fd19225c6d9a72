package store_test

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store/storetest"
	"tonql/internal/store/traces"
	"tonql/internal/testdb"
)

// newSingleTraces makes blocks of traces with one transaction each, and lists them by masterchain block and id.
func newSingleTraces(blocks, each int) (list []*chain.MasterBlock, ends []traces.Position) {
	for seqno := range uint32(blocks) {
		mb := testdb.Master(seqno + 1)
		for range each {
			tx := testdb.NewTransaction(mb, testdb.Address())
			tx.Hash[0] = tx.Hash[31] * 37 // not in the order of LTs
			testdb.AddTransaction(mb, &tx)
			ends = append(ends, traces.Position{McSeqno: mb.Block.Seqno, ID: tx.Hash})
		}
		list = append(list, mb)
	}
	slices.SortFunc(ends, func(a, b traces.Position) int {
		return cmp.Or(cmp.Compare(a.McSeqno, b.McSeqno), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return list, ends
}

// The walk of a reclassification visits each complete trace of its range once, whatever the number that a step reads.
func TestCompletedTraces_AreVisitedOnceUpToTheLastBlock(t *testing.T) {
	t.Parallel()
	blocks, ends := newSingleTraces(5, 4)
	db := testdb.New(t)
	storetest.Apply(t, db.Writer(), blocks)
	for _, limit := range []int{1, 3, 4, 100} {
		for first := uint32(1); first <= 5; first += 2 {
			for last := first; last <= 6; last += 2 {
				var want, got []traces.Position
				for _, p := range ends {
					if first <= p.McSeqno && p.McSeqno <= last {
						want = append(want, p)
					}
				}
				for at := (traces.Position{McSeqno: first}); ; at = got[len(got)-1] {
					some, err := db.Reader().CompletedTraces(t.Context(), at, last, limit)
					require.NoError(t, err)
					if got = append(got, some...); len(some) == 0 || len(got) > len(want) {
						break
					}
				}
				require.Equal(t, want, got, "blocks %d to %d, %d at once", first, last, limit)
			}
		}
	}
}

// Retrace assembles the traces that have no rows, up to a limit, also the last one.
func TestRetrace_AssemblesUpToTheLastTrace(t *testing.T) {
	t.Parallel()
	blocks, ends := newSingleTraces(2, 2)
	db := testdb.New(t)
	db.Writer().SetClassifier(storetest.Classifier{})
	storetest.Apply(t, db.Writer(), blocks)
	want, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	storetest.ExecSQL(t, db, `UPDATE transactions SET trace_id = NULL, trace_external_hash = NULL`)
	storetest.ExecSQL(t, db, `DELETE FROM traces`)
	for _, found := range []int{3, 1, 0} {
		n, err := db.Writer().Retrace(t.Context(), chain.SeqnoRange{First: 1, Last: 2}, len(ends)-1)
		require.NoError(t, err)
		require.Equal(t, found, n)
	}
	got, err := db.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, want.String(), got.String())
}
