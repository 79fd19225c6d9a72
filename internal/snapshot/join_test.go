package snapshot_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/snapshot"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// indexedApart writes blocks into databases, each as assigned, and returns a snapshot of each.
func indexedApart(t *testing.T, blocks []*chain.MasterBlock, databases int, of func(n int) int) (folders []string) {
	t.Helper()
	parts := make([][]*chain.MasterBlock, databases)
	for n, b := range blocks {
		parts[of(n)] = append(parts[of(n)], b)
	}
	for _, part := range parts {
		db := testdb.New(t)
		db.Writer().SetClassifier(trace.Classifier{})
		storetest.Apply(t, db.Writer(), part)
		folder, _ := exported(t, db)
		folders = append(folders, folder)
	}
	return folders
}

// joined imports snapshots into a new database.
func joined(t *testing.T, folders []string) *store.DB {
	t.Helper()
	db := testdb.New(t)
	db.Writer().SetClassifier(trace.Classifier{})
	_, err := snapshot.Import(t.Context(), handle(t, db), snapshot.ImportOptions{From: snapshot.Folders(folders...), Joiner: db.Writer()})
	require.NoError(t, err)
	return db
}

// requireSameIndex compares what digests cover, and the other tables of the index whose rows follow from its blocks.
func requireSameIndex(t *testing.T, want, got *store.DB) {
	t.Helper()
	expected, err := want.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	found, err := got.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	for i, table := range expected.Tables {
		require.Equal(t, table, found.Tables[i])
	}
	for _, table := range []string{"verification_counts", "trace_wants", "account_traces", "account_actions", "library_ranges", "indexed_ranges", "account_states", "(SELECT address, kind, content::text, indexed FROM metadata)"} {
		list := func(db *store.DB) (rows string) {
			require.NoError(t, handle(t, db).QueryRowContext(t.Context(), `SELECT coalesce(string_agg(t::text, E'\n' ORDER BY t::text COLLATE "C"), '') FROM `+table+` t`).Scan(&rows))
			return rows
		}
		require.Equal(t, list(want), list(got), table)
	}
}

// repeated is a chain whose blocks also bring what blocks before them had: states that later transactions begin with, and
// contracts that others refer to, of whose codes not all is found each time.
func repeated(blocks []*chain.MasterBlock) []*chain.MasterBlock {
	const later = 4
	for n := len(blocks) - 1; n >= later; n-- {
		b, earlier := blocks[n], blocks[n-later]
		for _, k := range earlier.Contracts {
			k.McSeqno = b.Block.Seqno
			k.Methods = nil
			b.Contracts = append(b.Contracts, k)
		}
		b.States = append(b.States, earlier.States...)
	}
	return blocks
}

// Snapshots of different blocks, indexed in databases that knew nothing of each other, become the index of all these blocks; which is
// continued as any other.
func TestImport_SnapshotsOfDifferentBlocksAreOneIndex(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	chains := map[string]func() []*chain.MasterBlock{
		"transactions": storetest.SmallChain,
		"contracts":    func() []*chain.MasterBlock { return storetest.NewContracts().Blocks },
		"repeated":     func() []*chain.MasterBlock { return repeated(storetest.NewContracts().Blocks) },
		"raw": func() []*chain.MasterBlock {
			o := synthetic.Options{Transactions: 3_000, Accounts: 200, PerBlock: 50, Shards: 4, Seed: 7, BOCs: true, Cells: true, Contracts: true}
			blocks, _ := synthetic.New(o).Batch(60)
			return repeated(blocks)
		},
	}
	random := rand.New(rand.NewPCG(1, 2)).Perm(10_000) //nolint:gosec // a test
	for name, make := range chains {
		blocks := make()
		rest := 3
		some := blocks[:len(blocks)-rest]
		whole := testdb.New(t)
		whole.Writer().SetClassifier(trace.Classifier{})
		storetest.Apply(t, whole.Writer(), some)
		for how, of := range map[string]func(n int) int{
			"thirds":     func(n int) int { return n * 3 / len(some) },
			"backwards":  func(n int) int { return 2 - n*3/len(some) },
			"every one":  func(n int) int { return n % 3 },
			"at random":  func(n int) int { return random[n] % 3 },
			"few of all": func(n int) int { return min(n%7, 2) },
		} {
			t.Run(filepath.Join(name, how), func(t *testing.T) {
				folders := indexedApart(t, some, 3, of)
				got := joined(t, folders)
				requireSameIndex(t, whole, got)
			})
		}
	}
}
