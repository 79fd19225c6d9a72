package snapshot_test

import (
	"bytes"
	"context"
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

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
	rowsOfOne, rowsOfOther := handle(t, want), handle(t, got)
	for _, table := range []string{"verification_counts", "trace_wants", "account_traces", "account_actions", "library_ranges", "indexed_ranges", "account_states", "(SELECT address, kind, content::text, indexed FROM metadata)"} {
		list := func(db *sql.DB) (rows string) {
			require.NoError(t, db.QueryRowContext(t.Context(), `SELECT coalesce(string_agg(t::text, E'\n' ORDER BY t::text COLLATE "C"), '') FROM `+table+` t`).Scan(&rows))
			return rows
		}
		require.Equal(t, list(rowsOfOne), list(rowsOfOther), table)
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
	random := rand.New(rand.NewPCG(1, 2)).Perm(10_000)
	for name, make := range chains {
		blocks := make()
		rest := 3
		some := blocks[:len(blocks)-rest]
		begun, complete := testdb.New(t), testdb.New(t)
		for _, db := range []*store.DB{begun, complete} {
			db.Writer().SetClassifier(trace.Classifier{})
			storetest.Apply(t, db.Writer(), some)
		}
		storetest.Apply(t, complete.Writer(), blocks[len(some):])
		ways := map[string]func(n int) int{
			"thirds":    func(n int) int { return n * 3 / len(some) },
			"every one": func(n int) int { return n % 3 },
		}
		if name == "repeated" {
			ways["backwards"] = func(n int) int { return 2 - n*3/len(some) }
			ways["at random"] = func(n int) int { return random[n] % 3 }
			ways["few of all"] = func(n int) int { return min(n%7, 2) }
		}
		for how, of := range ways {
			t.Run(filepath.Join(name, how), func(t *testing.T) {
				t.Parallel()
				folders := indexedApart(t, some, 3, of)
				got := joined(t, folders)
				requireSameIndex(t, begun, got)
				storetest.Apply(t, got.Writer(), blocks[len(some):])
				requireSameIndex(t, complete, got)
			})
		}
	}
}

// A digest that a snapshot has stays, unless a later one has history of its transactions that it lacks: an account that was detected later.
func TestImport_DigestsOfSeveralStay(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	for name, late := range map[string]bool{"complete": false, "detected later": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			blocks := storetest.NewContracts().Blocks
			half := len(blocks) / 2
			if late {
				last, next := blocks[half-1], blocks[half]
				for _, k := range last.Contracts {
					k.McSeqno = next.Block.Seqno
					next.Contracts = append(next.Contracts, k)
				}
				last.Contracts = nil
			}
			var folders []string
			for n, part := range [][]*chain.MasterBlock{blocks[:half], blocks[half:]} {
				db := testdb.New(t)
				storetest.Apply(t, db.Writer(), part)
				if n == 0 {
					_, err := handle(t, db).ExecContext(t.Context(), `INSERT INTO range_digests (number, token) VALUES (0, 1)`)
					require.NoError(t, err)
				}
				folder, _ := exported(t, db)
				folders = append(folders, folder)
			}
			got := joined(t, folders)
			var stay bool
			require.NoError(t, handle(t, got).QueryRowContext(t.Context(), `SELECT EXISTS (SELECT FROM range_digests)`).Scan(&stay))
			require.NotEqual(t, late, stay)
		})
	}
}

// A trace of thousands of transactions that crosses from one snapshot to the other with every message is summed up once: the rows of its messages are
// joined before, so that the first walk finds all of it.
func TestImport_GiantTraceBetweenSnapshots(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.GiantTrace(chain.MaxTraceTransactions+300, 3, 200)
	complete := testdb.New(t)
	storetest.Apply(t, complete.Writer(), blocks)
	folders := indexedApart(t, blocks, 2, func(n int) int { return n % 2 })
	got := testdb.New(t)
	calls := &countedJoiner{Joiner: got.Writer()}
	_, err := snapshot.Import(t.Context(), handle(t, got), snapshot.ImportOptions{From: snapshot.Folders(folders...), Joiner: calls})
	require.NoError(t, err)
	require.Greater(t, calls.messages, 2_000)
	t.Logf("%d messages in %d calls: the first %s, the others %s", calls.messages, calls.count, calls.first, calls.others)
	traces := func(db *store.DB) (rows string) {
		require.NoError(t, handle(t, db).QueryRowContext(t.Context(), `SELECT string_agg(t::text, E'\n') FROM traces t`).Scan(&rows))
		return rows
	}
	require.Equal(t, traces(complete), traces(got))
	var without int
	require.NoError(t, handle(t, got).QueryRowContext(t.Context(), `SELECT count(*) FROM transactions WHERE trace_id IS NULL`).Scan(&without))
	require.Zero(t, without)
}

// countedJoiner counts what it joins, and how long that takes.
type countedJoiner struct {
	snapshot.Joiner

	count, messages int
	first, others   time.Duration
}

func (j *countedJoiner) JoinMessages(ctx context.Context, keys []chain.MessageKey) error {
	began := time.Now()
	err := j.Joiner.JoinMessages(ctx, keys)
	if j.count == 0 {
		j.first = time.Since(began)
	} else {
		j.others += time.Since(began)
	}
	j.count++
	j.messages += len(keys)
	return err
}

// Rows that no chain of these tests brings are joined, too: those of libraries, dictionaries of the same number, and what was fetched for a token.
func TestImport_OtherRowsOfSeveralAreJoined(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.NewContracts().Blocks
	half := len(blocks) / 2
	const fetched = `UPDATE metadata SET indexed = true, valid = true, result = '{"name":"fetched"}', next_try = NULL`
	var folders []string
	for n, part := range [][]*chain.MasterBlock{blocks[:half], blocks[half:]} {
		db := testdb.New(t)
		storetest.Apply(t, db.Writer(), part)
		own := handle(t, db)
		changes := [2][]string{
			{
				`INSERT INTO library_ranges VALUES (1, 4, 'x'), (6, 9, 'x')`, `INSERT INTO libraries VALUES (sha256('a'), 'b')`, `INSERT INTO library_facts VALUES ('a', 'r', true)`,
				`INSERT INTO configs VALUES (3, sha256('c'), 'c')`, `INSERT INTO dictionaries VALUES (7, 1, 'a')`, fetched,
				`INSERT INTO token_names SELECT 'fetched', address, kind FROM metadata`,
			},
			{
				`INSERT INTO library_ranges VALUES (5, 5, 'y'), (10, 12, 'x'), (13, 20, 'q')`, `INSERT INTO libraries VALUES (sha256('a'), 'b')`, `INSERT INTO library_facts VALUES ('a', 'r', true)`,
				`INSERT INTO configs VALUES (3, sha256('c'), 'c')`, `INSERT INTO dictionaries VALUES (9, 1, 'b'), (7, 2, 'a')`,
			},
		}
		for _, change := range changes[n] {
			_, err := own.ExecContext(t.Context(), change)
			require.NoError(t, err, change)
		}
		folder, _ := exported(t, db)
		folders = append(folders, folder)
	}
	into := handle(t, joined(t, folders))
	for query, want := range map[string]string{
		`SELECT string_agg(first || '-' || last || encode(root, 'escape'), ' ' ORDER BY first) FROM library_ranges`: "1-4x 5-5y 6-12x 13-20q",
		`SELECT count(*) || ' ' || (SELECT count(*) FROM library_facts) FROM libraries`:                             "1 1",
		`SELECT count(*)::text FROM configs`:                                                                                                        "1",
		`SELECT string_agg(id || ':' || number, ' ' ORDER BY number) FROM dictionaries`:                                                             "7:1 9:2",
		`SELECT (count(*) FILTER (WHERE indexed) > 3 AND count(*) FILTER (WHERE NOT indexed) > 3)::text FROM metadata`:                              "true",
		`SELECT count(*)::text FROM metadata m FULL JOIN token_names n USING (address, kind) WHERE m.indexed IS DISTINCT FROM (n.name IS NOT NULL)`: "0",
	} {
		var found string
		require.NoError(t, into.QueryRowContext(t.Context(), query).Scan(&found), query)
		require.Equal(t, want, found, query)
	}
}

// ofBlocks are the tables whose rows belong to one block, or to a trace, which one snapshot has: no two snapshots have a row with the same key.
var ofBlocks = []string{
	"account_actions", "account_traces", "actions", "blocks", "frames", "jetton_burns", "jetton_transfers", "large_trace_accounts", "messages",
	"nft_transfers", "range_digests", "replay_mismatches", "replay_unverified", "shards", "trace_wants", "traces", "transaction_bocs", "transactions",
}

// A new table is decided on: its rows are of blocks, or several snapshots may have one with the same key.
func TestImport_EveryTableOfSeveralIsDecidedOn(t *testing.T) {
	t.Parallel()
	for _, table := range snapshot.Indexed {
		require.NotEqual(t, slices.Contains(ofBlocks, table), snapshot.United(table), table)
	}
}

// An import of several snapshots that is interrupted in any of its steps is refused by other commands, and continues.
func TestImport_OfSeveralContinuesAfterInterruption(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	folders := indexedApart(t, blocks, 3, func(n int) int { return n % 3 })
	complete, target := testdb.New(t), testdb.New(t)
	complete.Writer().SetClassifier(trace.Classifier{})
	storetest.Apply(t, complete.Writer(), blocks)
	into := handle(t, target)
	before := definitions(t, into)
	target.Writer().SetClassifier(trace.Classifier{})
	o := snapshot.ImportOptions{From: snapshot.Folders(folders...), Workers: 1, Joiner: target.Writer()}
	for _, stop := range []struct {
		step string
		done int
	}{
		{"copying files", 3}, {"comparing snapshots", 1}, {"joining snapshots", 2}, {"joining snapshots", 9}, {"removing copies", 0},
		{"removing copies", 1}, {"creating indexes", 5}, {"analyzing tables", 4}, {"joining traces", 0}, {"joining traces", 1},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		o.Progress = func(p snapshot.Progress) {
			if p.Step == stop.step && p.Done == stop.done {
				cancel()
			}
		}
		_, err := snapshot.Import(ctx, into, o)
		cancel()
		require.ErrorIs(t, err, context.Canceled, stop)
		var unfinished *snapshot.UnfinishedError
		require.ErrorAs(t, snapshot.Complete(t.Context(), into), &unfinished, stop)
	}
	o.Progress = nil
	_, err := snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folders[:2]...), Joiner: target.Writer()})
	require.ErrorContains(t, err, "an import of another snapshot", "of others than before")
	slices.Reverse(o.From)
	_, err = snapshot.Import(t.Context(), into, o)
	require.NoError(t, err)
	require.Equal(t, before, definitions(t, into))
	requireSameIndex(t, complete, target)
}

// An unfinished import of several snapshots is discarded with all its tables.
func TestImport_OfSeveralIsDiscarded(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	folders := indexedApart(t, blocks, 2, func(n int) int { return n % 2 })
	source := storetest.IndexContracts(t).DB
	other, _ := exported(t, source)
	into := handle(t, testdb.New(t))
	before := definitions(t, into)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := snapshot.Import(ctx, into, snapshot.ImportOptions{From: snapshot.Folders(folders...), Workers: 1, Progress: func(p snapshot.Progress) {
		if p.Step == "joining snapshots" && p.Done == 4 {
			cancel()
		}
	}})
	cancel()
	require.ErrorIs(t, err, context.Canceled)
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(other), Restart: true})
	require.NoError(t, err)
	require.Equal(t, before, definitions(t, into))
	requireEqual(t, handle(t, source), into)
}

// Snapshots that cannot be one index are refused before anything is written, or with --restart as the way out.
func TestImport_OfSeveralRefusals(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	half := len(blocks) / 2
	snapshotOf := func(change string, blocks ...*chain.MasterBlock) string {
		db := testdb.New(t)
		storetest.Apply(t, db.Writer(), blocks)
		_, err := handle(t, db).ExecContext(t.Context(), change)
		require.NoError(t, err)
		folder, _ := exported(t, db)
		return folder
	}
	const unchanged = "SELECT"
	first := snapshotOf(`INSERT INTO dictionaries VALUES (7, 7, 'a')`, blocks[:half]...)
	for name, c := range map[string]struct{ other, err string }{
		"the same blocks": {snapshotOf(unchanged, blocks[half-1:]...), "both have masterchain block " + strconv.Itoa(int(blocks[half-1].Block.Seqno))},
		"the same folder": {first, "both have masterchain block 1"},
		"another network": {snapshotOf(`INSERT INTO network VALUES (true, sha256('a'), sha256('b'))`, blocks[half:]...), "are of different networks"},
		"dropped blocks": {
			snapshotOf(`INSERT INTO dropped_blocks (last, end_lt, gen_utime) VALUES (1, 1, 1)`, blocks[half:]...),
			"of an index that has dropped blocks",
		},
		"rows that move":     {snapshotOf(`UPDATE transactions_move SET done_at = NULL`, blocks[half:]...), "being brought into a newer form"},
		"another dictionary": {snapshotOf(`INSERT INTO dictionaries VALUES (7, 7, 'b')`, blocks[half:]...), "different dictionaries of one number"},
	} {
		db := testdb.New(t)
		_, err := snapshot.Import(t.Context(), handle(t, db), snapshot.ImportOptions{From: snapshot.Folders(first, c.other), Joiner: db.Writer()})
		require.ErrorContains(t, err, c.err, name)
	}
	padded := func(folder string) string { // spaces are JSON
		name := filepath.Join(folder, "tonql-snapshot.json")
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, append(bytes.Repeat([]byte{' '}, snapshot.MaxManifest*2/3), data...), 0o600))
		return folder
	}
	_, _, err := snapshot.ReadAll(snapshot.Folders(padded(first), padded(snapshotOf(unchanged, blocks[half:]...))))
	require.ErrorContains(t, err, "tonql-snapshot.json has more than", "manifests of one import have a common bound")
	_, _, err = snapshot.ReadAll(nil)
	require.ErrorContains(t, err, "expected 1 to 256 snapshots")
	_, _, err = snapshot.ReadAll(make([]snapshot.Source, 257))
	require.ErrorContains(t, err, "expected 1 to 256 snapshots")
}
