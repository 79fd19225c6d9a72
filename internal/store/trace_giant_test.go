package store_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/store/digests"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// Deep and wide traces, at the limit of returned transactions and above it, are equal in every order of blocks; those
// above it are returned without their tree, with a warning.
func TestApply_GiantTracesAreEqualInAnyOrder(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for _, c := range []struct {
		name                  string
		n, children, perBlock int
		orders                []string
	}{
		{"deep", 700, 1, 1, []string{"forward", "backwards", "shuffled"}},
		{"at the limit", chain.MaxTraceTransactions, 200, 100, []string{"forward", "backwards", "shuffled"}},
		{"beyond it", chain.MaxTraceTransactions + 1, 200, 100, []string{"forward", "backwards"}},
		{"far beyond it", chain.MaxTraceTransactions * 5 / 4, 3, 200, []string{"forward", "backwards"}},
	} {
		blocks := storetest.GiantTrace(c.n, c.children, c.perBlock)
		root := blocks[0].Transactions[0]
		single := slices.Collect(slices.Chunk(blocks, 1))
		backwards, shuffled := slices.Clone(single), slices.Clone(single)
		slices.Reverse(backwards)
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		var want digests.Digest
		batches := map[string][][]*chain.MasterBlock{"forward": single, "backwards": backwards, "shuffled": shuffled}
		for _, name := range c.orders {
			order := batches[name]
			db := testdb.New(t)
			db.Writer().SetClassifier(storetest.Classifier{})
			began := time.Now()
			for _, batch := range order {
				storetest.Apply(t, db.Writer(), batch)
			}
			t.Logf("%s, %s: %d transactions in %d blocks, %v", c.name, name, c.n, len(blocks), time.Since(began).Round(time.Millisecond))
			got, err := db.Reader().Digest(t.Context(), nil)
			require.NoError(t, err)
			if want.Tables == nil {
				want = got
			}
			require.Equal(t, want.String(), got.String(), "%s, %s", c.name, name)

			last := blocks[len(blocks)-1].Transactions[0]
			traces, err := db.Reader().Traces(t.Context(), chain.TraceFilter{TxHashes: []chain.Hash{last.Hash}}, chain.Page{Limit: 1})
			require.NoError(t, err)
			require.Len(t, traces, 1)
			require.Equal(t, root.Hash, traces[0].ID)
			require.Equal(t, c.n, traces[0].Transactions)
			require.Equal(t, chain.TraceComplete, traces[0].State)
			of, err := db.Reader().Traces(t.Context(), chain.TraceFilter{Account: &last.Account}, chain.Page{Limit: 1})
			require.NoError(t, err)
			require.Equal(t, traces, of)
			full, err := db.Reader().FullTraces(t.Context(), traces, chain.TraceInclude{Actions: true, Supported: []string{}})
			require.NoError(t, err)
			large := c.n > chain.MaxTraceTransactions
			require.Equal(t, large, full[0].TooLarge)
			require.Equal(t, large, full[0].Tree == nil)
			if large {
				require.Empty(t, full[0].Transactions)
				require.Equal(t, "trace is too large", full[0].Warning())
				require.Equal(t, chain.Unclassified, traces[0].Classification)
				continue
			}
			require.Len(t, full[0].Transactions, c.n)
			require.Empty(t, full[0].Warning())
		}
	}
}
