package indexer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

// TestReclassify_AssemblesAndClassifiesTraces assembles and classifies the traces of an index without traces, and
// classifies them again without any change.
func TestReclassify_AssemblesAndClassifiesTraces(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	const blocks = 60
	_, db := newIndex(ctx, t, blocks)
	want := digest(ctx, t, db)
	sql := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, sql.Close()) })
	for _, statement := range []string{
		`DELETE FROM traces`, `DELETE FROM account_traces`, `DELETE FROM actions`, `DELETE FROM account_actions`, `DELETE FROM trace_wants`,
		`UPDATE transactions SET trace_id = NULL, trace_external_hash = NULL`,
		`UPDATE jetton_transfers SET trace_id = NULL`, `UPDATE jetton_burns SET trace_id = NULL`, `UPDATE nft_transfers SET trace_id = NULL`,
	} {
		_, err := sql.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	within := chain.SeqnoRange{First: 1, Last: blocks}
	steps := 0
	first, err := indexer.Reclassify(ctx, db, within, func(indexer.Reclassification) { steps++ })
	require.NoError(t, err)
	require.Greater(t, first.Assembled, 200)
	require.Greater(t, first.Traces, 200)
	require.Greater(t, steps, 2)
	require.Equal(t, want, digest(ctx, t, db))

	again, err := indexer.Reclassify(ctx, db, within, func(indexer.Reclassification) {})
	require.NoError(t, err)
	require.Zero(t, again.Assembled)
	require.Equal(t, first.Traces, again.Traces)
	require.Equal(t, want, digest(ctx, t, db))

	part, err := indexer.Reclassify(ctx, db, chain.SeqnoRange{First: 20, Last: 30}, func(indexer.Reclassification) {})
	require.NoError(t, err)
	require.Positive(t, part.Traces)
	require.Less(t, part.Traces, first.Traces)
	require.Equal(t, want, digest(ctx, t, db))
}
