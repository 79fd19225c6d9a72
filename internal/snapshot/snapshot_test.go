package snapshot_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/filelock"
	"tonql/internal/pacetest"
	"tonql/internal/snapshot"
	"tonql/internal/store"
	"tonql/internal/store/storetest"
	"tonql/internal/store/synthetic"
	"tonql/internal/testdb"
)

// handle is the connection of a database for exports and imports.
func handle(t *testing.T, db *store.DB) *sql.DB {
	t.Helper()
	h := db.SQLDB()
	t.Cleanup(func() { require.NoError(t, h.Close()) })
	return h
}

// exported writes a snapshot of a database into files of few rows.
func exported(t *testing.T, db *store.DB) (folder string, m *snapshot.Manifest) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "snapshot")
	m, sum, err := snapshot.Export(t.Context(), handle(t, db), snapshot.ExportOptions{Into: folder, Version: "test"}.WithPartBytes(64<<10))
	require.NoError(t, err)
	require.NoDirExists(t, folder+".partial")
	read, found, err := snapshot.Read(folder, sum)
	require.NoError(t, err)
	require.Equal(t, sum, found)
	require.Equal(t, m, read)
	return folder, m
}

// definitions lists the indexes and constraints of a database, and what else the copies of a table could lose.
func definitions(t *testing.T, db *sql.DB) []string {
	t.Helper()
	var list []string
	rows, err := db.QueryContext(t.Context(), `SELECT pg_get_indexdef(i.indexrelid) || format(' %s %s %s %s %s', i.indisprimary, i.indisvalid, i.indisclustered,
			i.indisreplident, i.indimmediate) FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid WHERE t.relnamespace = 'public'::regnamespace
		UNION ALL SELECT format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) FROM pg_constraint
		UNION ALL SELECT format('%s %s %s', attrelid::regclass, attname, attnotnull) FROM pg_attribute a JOIN pg_class t ON t.oid = a.attrelid
			WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r'
		UNION ALL SELECT format('%s %s %s %s', relname, relkind, reloptions, relpersistence) FROM pg_class WHERE relnamespace = 'public'::regnamespace
		ORDER BY 1`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		list = append(list, line)
	}
	require.NoError(t, rows.Err())
	return list
}

// requireEqual compares all rows of the tables of a snapshot.
func requireEqual(t *testing.T, want, got *sql.DB) {
	t.Helper()
	for _, table := range snapshot.Indexed {
		var sums [2]string
		for i, db := range []*sql.DB{want, got} {
			require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\n' ORDER BY t::text COLLATE "C")), '')
				FROM `+table+` t`).Scan(&sums[i]))
		}
		require.Equal(t, sums[0], sums[1], table)
	}
}

// Every table belongs to the index or to an installation, and none of the index has numbers from a sequence, which a copy would repeat.
func TestExport_EveryTableIsDecidedOn(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	db := handle(t, testdb.New(t))
	rows, err := db.QueryContext(t.Context(), `SELECT c.relname, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attidentity <> '')
		OR EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal) OR c.relkind <> 'r' FROM pg_class c
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'm', 'f')`)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var found []string
	for rows.Next() {
		var table string
		var special bool
		require.NoError(t, rows.Scan(&table, &special))
		found = append(found, table)
		if strings.HasPrefix(table, "river_") || slices.Contains(snapshot.Installed, table) {
			continue
		}
		require.Contains(t, snapshot.Indexed, table, "add it to a snapshot, or to the tables of an installation")
		require.False(t, special, "%s has numbers of a sequence, a trigger, or is no plain table", table)
	}
	require.NoError(t, rows.Err())
	require.True(t, slices.IsSorted(snapshot.Indexed))
	for _, table := range append(snapshot.Indexed, snapshot.Installed...) {
		require.Contains(t, found, table)
	}
}

// An imported index has the rows, the indexes and the constraints of the exported one, and continues.
func TestImport_EqualsTheSource(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*testing.T) (*store.DB, []*chain.MasterBlock){
		"transactions": func(t *testing.T) (*store.DB, []*chain.MasterBlock) {
			t.Helper()
			blocks := storetest.SmallChain()
			db := testdb.New(t)
			storetest.Apply(t, db.Writer(), blocks[:len(blocks)-3])
			return db, blocks[len(blocks)-3:]
		},
		"contracts": func(t *testing.T) (*store.DB, []*chain.MasterBlock) {
			t.Helper()
			c := storetest.NewContracts()
			db := testdb.New(t)
			storetest.Apply(t, db.Writer(), c.Blocks[:len(c.Blocks)-3])
			return db, c.Blocks[len(c.Blocks)-3:]
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, rest := make(t)
			folder, m := exported(t, source)
			require.Greater(t, m.Total().Files, len(snapshot.Indexed)/2)
			require.Positive(t, m.Total().Rows)
			target := testdb.New(t)
			into := handle(t, target)
			before := definitions(t, into)
			checked := false
			_, err := snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder), Check: func(ctx context.Context, m *snapshot.Manifest) error {
				checked = true
				require.Error(t, snapshot.Complete(ctx, into), "other commands accept it after the check")
				ranges, err := target.Reader().Ranges(ctx)
				require.Equal(t, m.Spans(), ranges)
				return err
			}})
			require.NoError(t, err)
			require.True(t, checked)
			require.NoError(t, snapshot.Complete(t.Context(), into))
			require.Equal(t, before, definitions(t, into))
			requireEqual(t, handle(t, source), into)
			storetest.Apply(t, source.Writer(), rest)
			storetest.Apply(t, target.Writer(), rest)
			requireDigests(t, source, target)

			_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
			require.ErrorContains(t, err, "the database has an index")

			_, sum, err := snapshot.Read(folder, "")
			require.NoError(t, err)
			imported := func(sum string) bool {
				t.Helper()
				done, err := snapshot.Imported(t.Context(), into, sum)
				require.NoError(t, err)
				return done
			}
			require.True(t, imported(sum))
			require.False(t, imported("another"))
			_, err = into.ExecContext(t.Context(), `DELETE FROM indexed_ranges`)
			require.NoError(t, err)
			require.False(t, imported(sum), "the index was emptied by hand")
		})
	}
}

// Bodies of messages in both forms travel with the dictionaries that one of them needs, and the importing index writes with these, too.
func TestImport_BodiesOfMessagesAreRead(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 1800, Accounts: 60, PerBlock: 2, Shards: 2, Seed: 9, BOCs: true}).Batch(1 << 20)
	for _, mb := range blocks {
		for i := range mb.Messages {
			m := &mb.Messages[i]
			m.Body = cell.BeginCell().MustStoreUInt(m.Key.LT, 64).MustStoreSlice(make([]byte, 100), 800).EndCell().ToBOC()
		}
	}
	source, target := testdb.New(t), testdb.New(t)
	storetest.Apply(t, source.Writer(), blocks[:600])
	storetest.Apply(t, source.Writer(), blocks[600:800])
	from, into := handle(t, source), handle(t, target)
	for _, form := range []string{`= 1`, `> 1`} {
		var rows int
		require.NoError(t, from.QueryRowContext(t.Context(), `SELECT count(*) FROM messages WHERE get_byte(body_boc, 0) `+form).Scan(&rows))
		require.Greater(t, rows, 100, form)
	}
	folder, _ := exported(t, source)
	_, err := snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
	require.NoError(t, err)
	requireSame := func() {
		t.Helper()
		want, err := source.Reader().Messages(t.Context(), chain.MessageFilter{}, chain.Page{Limit: 1 << 20})
		require.NoError(t, err)
		got, err := target.Reader().Messages(t.Context(), chain.MessageFilter{}, chain.Page{Limit: 1 << 20})
		require.NoError(t, err)
		require.Equal(t, want, got)
		requireDigests(t, source, target)
	}
	requireSame()
	for _, db := range []*store.DB{source, target} {
		storetest.Apply(t, db.Writer(), blocks[800:])
	}
	requireSame()
}

func requireDigests(t *testing.T, want, got *store.DB) {
	t.Helper()
	w, err := want.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	g, err := got.Reader().Digest(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, w, g)
}

// Blocks that are written during an export are not in it, nor parts of them.
func TestExport_IsOfOneMoment(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	db, same := testdb.New(t), testdb.New(t)
	half := len(blocks) / 2
	storetest.Apply(t, db.Writer(), blocks[:half])
	storetest.Apply(t, same.Writer(), blocks[:half])
	folder := filepath.Join(t.TempDir(), "snapshot")
	written := half
	_, _, err := snapshot.Export(t.Context(), handle(t, db), snapshot.ExportOptions{
		Into: folder, Version: "test", Workers: 1, Progress: func(snapshot.Progress) {
			if written < len(blocks) {
				storetest.Apply(t, db.Writer(), blocks[written:written+1])
				written++
			}
		},
	}.WithPartBytes(64<<10))
	require.NoError(t, err)
	require.Greater(t, written, half+10)
	target := testdb.New(t)
	_, err = snapshot.Import(t.Context(), handle(t, target), snapshot.ImportOptions{From: snapshot.Folders(folder)})
	require.NoError(t, err)
	requireDigests(t, same, target)
}

// An import that is interrupted, in any of its steps, is refused by other commands and continues with what is missing.
func TestImport_ContinuesAfterInterruption(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	source := storetest.IndexContracts(t).DB
	folder, m := exported(t, source)
	target := testdb.New(t)
	into := handle(t, target)
	before := definitions(t, into)
	parts := m.Total().Files
	copied := 0
	for _, stop := range []struct {
		step string
		done int
	}{{"preparing tables", 0}, {"copying files", 3}, {"copying files", parts / 2}, {"creating indexes", 5}, {"creating indexes", 9}, {"analyzing tables", 4}} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := snapshot.Import(ctx, into, snapshot.ImportOptions{From: snapshot.Folders(folder), Workers: 1, Progress: func(p snapshot.Progress) {
			if p.Step == stop.step && p.Done == stop.done {
				cancel()
			}
		}})
		cancel()
		require.ErrorIs(t, err, context.Canceled, stop)
		if stop.step == "preparing tables" {
			continue // nothing was done
		}
		var unfinished *snapshot.UnfinishedError
		require.ErrorAs(t, snapshot.Complete(t.Context(), into), &unfinished)
		var n int
		require.NoError(t, into.QueryRowContext(t.Context(), `SELECT count(*) FROM snapshot_import_parts`).Scan(&n))
		require.GreaterOrEqual(t, n, max(copied, min(stop.done, 3)), "copied files are not lost")
		copied = n
	}
	require.Equal(t, parts, copied)
	refused := errors.New("not of the chain")
	_, err := snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder), Check: func(context.Context, *snapshot.Manifest) error { return refused }})
	require.ErrorIs(t, err, refused)
	require.Error(t, snapshot.Complete(t.Context(), into))
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
	require.NoError(t, err)
	require.Equal(t, before, definitions(t, into))
	requireEqual(t, handle(t, source), into)
}

// Another snapshot does not continue an unfinished import; it replaces it when that is requested.
func TestImport_RestartDiscardsTheOtherSnapshot(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	first, _ := exported(t, storetest.IndexContracts(t).DB)
	source := storetest.IndexChain(t).DB
	second, _ := exported(t, source)
	into := handle(t, testdb.New(t))
	before := definitions(t, into)
	_, err := snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(first), Check: func(context.Context, *snapshot.Manifest) error { return errors.New("stop") }})
	require.ErrorContains(t, err, "stop")
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(second)})
	require.ErrorContains(t, err, "--restart")
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(second), Restart: true})
	require.NoError(t, err)
	require.Equal(t, before, definitions(t, into))
	requireEqual(t, handle(t, source), into)
}

// A database without an index cannot be exported, and no folder with files is written to.
func TestExport_Refusals(t *testing.T) {
	t.Parallel()
	db := handle(t, testdb.New(t))
	folder := t.TempDir()
	into := filepath.Join(folder, "snapshot")
	_, _, err := snapshot.Export(t.Context(), db, snapshot.ExportOptions{Into: into})
	require.ErrorContains(t, err, "nothing is indexed yet")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, entries)
	require.NoError(t, os.Mkdir(into+".partial", 0o700))
	_, _, err = snapshot.Export(t.Context(), db, snapshot.ExportOptions{Into: into})
	require.ErrorContains(t, err, into+".partial exists, and no interrupted snapshot has left it")
	_, _, err = snapshot.Export(t.Context(), db, snapshot.ExportOptions{Into: folder})
	require.ErrorContains(t, err, "is not empty")
	_, _, err = snapshot.Export(t.Context(), db, snapshot.ExportOptions{Into: filepath.Join(folder, "none", "snapshot")})
	require.ErrorContains(t, err, "folder "+filepath.Join(folder, "none")+" has to exist")
}

// One export writes to a folder at a time. What a killed one has left is removed, and is no part of the snapshot.
func TestExport_LeftoversOfAKilledOneAreRemoved(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	db := testdb.New(t)
	storetest.Apply(t, db.Writer(), blocks[:5])
	into := filepath.Join(t.TempDir(), "snapshot")
	lock, err := filelock.Folder(into + ".partial")
	require.NoError(t, err)
	part := filepath.Join(into+".partial", "blocks-000000.copy.zst")
	require.NoError(t, os.WriteFile(part, []byte("part"), 0o600))
	_, _, err = snapshot.Export(t.Context(), handle(t, db), snapshot.ExportOptions{Into: into})
	require.ErrorContains(t, err, "another snapshot is written to "+into)
	require.FileExists(t, part)
	require.NoError(t, lock.Close()) // as the end of its process does
	_, _, err = snapshot.Export(t.Context(), handle(t, db), snapshot.ExportOptions{Into: into})
	require.NoError(t, err)
	require.NoDirExists(t, into+".partial")
	require.NoFileExists(t, filepath.Join(into, filelock.FolderLock))
	_, err = snapshot.Import(t.Context(), handle(t, testdb.New(t)), snapshot.ImportOptions{From: snapshot.Folders(into)})
	require.NoError(t, err)
}

// A snapshot of an index with blocks on cold servers has all rows, as one of an index that never moved any. Nothing is exported while blocks may move.
func TestExport_HasTheRowsOfColdServers(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	o := synthetic.Options{Transactions: 1200, Accounts: 60, PerBlock: 17, Shards: 2, Seed: 3, Contracts: true, BOCs: true, Cells: true}
	all, _ := synthetic.New(o).Batch(1 << 20)
	blocks, rest := all[:len(all)-3], all[len(all)-3:]
	var copies testdb.Copies
	fill := func(db *store.DB) { storetest.Apply(t, db.Writer(), blocks) }
	one, db := copies.New(t, fill), copies.New(t, fill)
	for _, share := range []int{3, 2} {
		server, err := db.Cold().Connect(t.Context(), testdb.URL(t))
		require.NoError(t, err)
		bound := blocks[len(blocks)/share-1].Block.Seqno
		for steps := 0; ; steps++ {
			step, err := db.Writer().MoveCold(t.Context(), server, bound, 50)
			require.NoError(t, err)
			if step.Blocks.Last == 0 {
				require.Greater(t, steps, 1)
				break
			}
		}
	}
	require.NotEqual(t, rangesOf(t, one), rangesOf(t, db))

	from, folder := handle(t, db), filepath.Join(t.TempDir(), "snapshot")
	options := snapshot.ExportOptions{Into: folder, Version: "test"}.WithPartBytes(16 << 10)
	_, _, err := snapshot.Export(t.Context(), from, options)
	require.ErrorContains(t, err, "lock of moves")
	moved := errors.New("moved")
	options.Guard = func(context.Context) error { return moved }
	_, _, err = snapshot.Export(t.Context(), from, options)
	require.ErrorIs(t, err, moved)
	require.NoDirExists(t, folder)
	require.NoDirExists(t, folder+".partial")
	lock, err := db.Writer().ShareRanges(t.Context())
	require.NoError(t, err)
	t.Cleanup(lock.Release)
	options.Guard = lock.Check
	m, _, err := snapshot.Export(t.Context(), from, options)
	require.NoError(t, err)
	require.Equal(t, rangesOf(t, one), m.Spans())

	target := testdb.New(t)
	into := handle(t, target)
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
	require.NoError(t, err)
	requireEqual(t, handle(t, one), into)
	for _, d := range []*store.DB{one, target} {
		storetest.Apply(t, d.Writer(), rest)
	}
	requireDigests(t, one, target)
}

func rangesOf(t *testing.T, db *store.DB) []chain.SeqnoRange {
	t.Helper()
	ranges, err := db.Reader().Ranges(t.Context())
	require.NoError(t, err)
	return ranges
}

// A server that lacks rows which the index has there cannot be exported.
func TestExport_ColdServerWithoutItsRowsIsRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	blocks := storetest.SmallChain()
	db, url := testdb.New(t), testdb.URL(t)
	storetest.Apply(t, db.Writer(), blocks)
	server, err := db.Cold().Connect(t.Context(), url)
	require.NoError(t, err)
	_, err = db.Writer().MoveCold(t.Context(), server, blocks[5].Block.Seqno, 1000)
	require.NoError(t, err)
	_, err = handle(t, testdb.Open(t, url)).ExecContext(t.Context(), `UPDATE cold_step SET step = 0`)
	require.NoError(t, err)
	_, _, err = snapshot.Export(t.Context(), handle(t, db), snapshot.ExportOptions{
		Into: filepath.Join(t.TempDir(), "snapshot"), Guard: func(context.Context) error { return nil },
	})
	require.ErrorContains(t, err, "tonql_cold_1 lack rows")
}

// A mount point, such as the volume of a container, cannot be replaced by a snapshot: that is found before the index is read.
func TestExport_MountPointIsRefused(t *testing.T) {
	t.Parallel()
	db := handle(t, testdb.New(t))
	into := filepath.Join(t.TempDir(), "volume")
	require.NoError(t, os.Mkdir(into, 0o700))
	if err := syscall.Mount(into, into, "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("this user cannot mount: %v", err)
	}
	defer func() { require.NoError(t, syscall.Unmount(into, 0)) }()
	_, _, err := snapshot.Export(t.Context(), db, snapshot.ExportOptions{Into: into})
	require.ErrorContains(t, err, "a snapshot replaces its folder, so name a new one, such as "+into+"/snapshot")
	require.NoDirExists(t, into+".partial")
}

// Rows that claim more blocks than the manifest, of whose blocks a sample is checked, are refused, and so are rows by which indexed blocks were dropped.
func TestImport_RangesOfTheRowsAreThoseOfTheManifest(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	source := storetest.IndexChain(t).DB
	of := handle(t, source)
	folder, m := exported(t, source)
	require.Greater(t, m.Head.Seqno, m.Ranges[0].First)
	m.Head.Seqno--
	m.Ranges[0].Last--
	write(t, folder, m)
	into := handle(t, testdb.New(t))
	checked := false
	check := func(context.Context, *snapshot.Manifest) error { checked = true; return nil }
	_, err := snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder), Check: check})
	require.ErrorContains(t, err, "not of the blocks that its manifest names")
	require.Error(t, snapshot.Complete(t.Context(), into))

	_, err = of.ExecContext(t.Context(), `INSERT INTO dropped_blocks (last, end_lt, gen_utime) VALUES ($1, 1, 1)`, m.Ranges[0].First)
	require.NoError(t, err)
	folder, _ = exported(t, source)
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder), Check: check, Restart: true})
	require.ErrorContains(t, err, "not of the blocks that its manifest names")
	require.False(t, checked)

	_, err = of.ExecContext(t.Context(), `UPDATE dropped_blocks SET last = last - 1`)
	require.NoError(t, err)
	folder, _ = exported(t, source)
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder), Check: check, Restart: true})
	require.NoError(t, err)
	require.True(t, checked)
	requireEqual(t, of, into)
}

// Files of a snapshot are untrusted: each kind of damage is refused with its reason, and leaves an import that an intact copy continues.
func TestImport_DamagedSnapshotIsRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	source := storetest.IndexContracts(t).DB
	folder, intact := exported(t, source)
	into := handle(t, testdb.New(t))
	table := slices.IndexFunc(intact.Tables, func(t snapshot.Table) bool { return t.Name == "blocks" })
	part := intact.Tables[table].Parts[0]
	file := "blocks-000001.copy.zst"
	content, err := os.ReadFile(filepath.Join(folder, file))
	require.NoError(t, err)
	// The manifest stays: the file is not the one that it names.
	for want, damaged := range map[string][]byte{
		"the file is damaged": slices.Concat(content[:len(content)/2], []byte{content[len(content)/2] ^ 1}, content[len(content)/2+1:]),
		"damaged":             content[:len(content)-1],
		"the file is damage":  append(slices.Clone(content), 0),
		"file is damaged":     {},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, file), damaged, 0o600))
		_, err := snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, file)
	}
	require.NoError(t, os.Remove(filepath.Join(folder, file)))
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(folder, file)))
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
	require.ErrorContains(t, err, "is not a file")
	require.NoError(t, os.Remove(filepath.Join(folder, file)))
	require.NoError(t, os.WriteFile(filepath.Join(folder, file), content, 0o600))
	_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
	require.NoError(t, err)
	requireEqual(t, handle(t, source), into)

	// The manifest names the file, which is not what an export writes.
	zeros, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	bomb := zeros.EncodeAll(make([]byte, 64<<20), nil)
	wide, err := zstd.NewWriter(nil, zstd.WithWindowSize(64<<20), zstd.WithSingleSegment(false))
	require.NoError(t, err)
	for name, test := range map[string]struct {
		file []byte
		part func(*snapshot.Part)
		want string
	}{
		"more rows":     {content, func(p *snapshot.Part) { p.Rows++ }, "and the manifest says"},
		"fewer bytes":   {content, func(p *snapshot.Part) { p.Bytes-- }, ""},
		"more bytes":    {content, func(p *snapshot.Part) { p.Bytes++ }, "and the manifest says"},
		"a bomb":        {bomb, func(*snapshot.Part) {}, "COPY file signature"},
		"a wide window": {wide.EncodeAll(bytes.Repeat([]byte("tonql"), 20<<20), nil), func(*snapshot.Part) {}, "window size exceeded"},
		"no rows":       {[]byte("rows"), func(*snapshot.Part) {}, "magic number mismatch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			into := handle(t, testdb.New(t))
			folder := copyOf(t, folder)
			require.NoError(t, os.WriteFile(filepath.Join(folder, file), test.file, 0o600))
			m, _, err := snapshot.Read(folder, "")
			require.NoError(t, err)
			sum := sha256.Sum256(test.file)
			changed := part
			changed.Size, changed.SHA256 = int64(len(test.file)), hex.EncodeToString(sum[:])
			test.part(&changed)
			m.Tables[table].Parts[0] = changed
			write(t, folder, m)
			_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
			require.ErrorContains(t, err, test.want)
			require.Error(t, snapshot.Complete(t.Context(), into))
		})
	}
}

func copyOf(t *testing.T, folder string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(to, os.DirFS(folder)))
	return to
}

func write(t *testing.T, folder string, m *snapshot.Manifest) {
	t.Helper()
	data, err := m.Encode()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "tonql-snapshot.json"), data, 0o600))
}

// A manifest that no export writes, or one of another schema, is refused before the database is changed.
func TestImport_ImpossibleManifestIsRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	folder, _ := exported(t, storetest.IndexContracts(t).DB)
	into := handle(t, testdb.New(t))
	for want, change := range map[string]func(*snapshot.Manifest){
		"has format 2":             func(m *snapshot.Manifest) { m.Format = 2 },
		"not ascending":            func(m *snapshot.Manifest) { m.Ranges = append(m.Ranges, m.Ranges[0]) },
		"ranges are not ascending": func(m *snapshot.Manifest) { m.Ranges[0].First = m.Ranges[0].Last + 1 },
		"the head is not":          func(m *snapshot.Manifest) { m.Head.Seqno++ },
		"head is not the last":     func(m *snapshot.Manifest) { m.Ranges = nil },
		"its tables are not those": func(m *snapshot.Manifest) { m.Tables[0].Name = "../../etc/passwd" },
		"tables are not those of":  func(m *snapshot.Manifest) { m.Tables = append(m.Tables, snapshot.Table{Name: "access_keys"}) },
		"not those of an index":    func(m *snapshot.Manifest) { m.Tables[1] = m.Tables[0] },
		"of this version; import it with the version that made it": func(m *snapshot.Manifest) { m.Tables = m.Tables[1:] },
		"migrations; import it with the version that made it":      func(m *snapshot.Manifest) { m.Schema = m.Schema[1:] },
		"impossible sizes":                func(m *snapshot.Manifest) { m.Tables[0].Parts = []snapshot.Part{{Bytes: 1 << 60}} },
		"of table \"account_actions\" ha": func(m *snapshot.Manifest) { m.Tables[0].Parts = []snapshot.Part{{Rows: -1}} },
		"has other columns":               func(m *snapshot.Manifest) { m.Tables[0].Columns[0].Name = `x") FROM PROGRAM 'touch x' --` },
		"other columns in the snapshot":   func(m *snapshot.Manifest) { m.Tables[0].Columns[0].Type = "text" },
		"the same migrations":             func(m *snapshot.Manifest) { m.Schema = m.Schema[1:] },
	} {
		m, sum, err := snapshot.Read(folder, "")
		require.NoError(t, err)
		change(m)
		changed := copyOf(t, folder)
		write(t, changed, m)
		_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(changed)})
		require.ErrorContains(t, err, want)
		require.NoError(t, snapshot.Complete(t.Context(), into))
		_, err = snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: []snapshot.Source{{Folder: changed, SHA256: sum}}})
		require.ErrorContains(t, err, "was expected")
	}
	for want, content := range map[string]string{"unexpected EOF": "{", "cannot unmarshal": "[]", "has format 0": "{}"} {
		changed := copyOf(t, folder)
		require.NoError(t, os.WriteFile(filepath.Join(changed, "tonql-snapshot.json"), []byte(content), 0o600))
		_, _, err := snapshot.Read(changed, "")
		require.ErrorContains(t, err, want)
	}
	_, _, err := snapshot.Read(t.TempDir(), "")
	require.ErrorContains(t, err, "no complete snapshot")
	_, _, err = snapshot.Read(filepath.Join(t.TempDir(), "none"), "")
	require.ErrorContains(t, err, "is no snapshot")
}
