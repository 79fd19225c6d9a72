package snapshot

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
)

// ImportOptions select what to import. From is required.
type ImportOptions struct {
	From    []Source // snapshots of different blocks of one network
	Workers int      // files and indexes at once; 0: 2
	// Restart discards what an unfinished import of another snapshot has copied.
	Restart  bool
	Progress func(Progress)
	// Check decides on the rows of each snapshot when all are copied, before other commands accept the database; nil: all are accepted. After an
	// error, the next import begins with Check.
	Check func(context.Context, *Manifest) error
	// Joiner completes what several snapshots have in parts. Required for more than one.
	Joiner Joiner
}

// The tables of an unfinished import: its snapshot, the files that are copied, and the indexes and constraints that are to be created.
const (
	importTable      = "snapshot_import"
	partTable        = "snapshot_import_parts"
	definitionTable  = "snapshot_import_definitions"
	createImport     = `CREATE TABLE ` + importTable + ` (manifest text NOT NULL)`
	createParts      = `CREATE TABLE ` + partTable + ` (name text PRIMARY KEY)`
	createDefinition = `CREATE TABLE ` + definitionTable + ` (step int PRIMARY KEY, phase int NOT NULL, name text NOT NULL, statement text NOT NULL)`
	selectImport     = `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
		AND (relname = '` + importTable + `' OR starts_with(relname, '` + importTable + `_'))`
)

// ours reports whether a table is one of an unfinished import.
func ours(table string) bool {
	return table == importTable || strings.HasPrefix(table, importTable+"_")
}

// dropImport drops the tables of the import.
func dropImport(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, selectImport)
	if err != nil {
		return fmt.Errorf("tables of the import: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err == nil && len(names) > 0 {
		_, err = tx.Exec(ctx, `DROP TABLE `+strings.Join(names, ", "))
	}
	if err != nil {
		return fmt.Errorf("tables of the import: %w", err)
	}
	return nil
}

// UnfinishedError means that a database has only a part of a snapshot.
type UnfinishedError struct{}

// Error says what to do.
func (*UnfinishedError) Error() string {
	return "the import of a snapshot into this database is unfinished: 'tonql snapshot import' with the same folder continues it"
}

// Complete returns an [UnfinishedError] for a database with a part of a snapshot.
func Complete(ctx context.Context, db *sql.DB) error {
	var unfinished bool
	if err := db.QueryRowContext(ctx, `SELECT to_regclass('`+importTable+`') IS NOT NULL`).Scan(&unfinished); err != nil {
		return fmt.Errorf("import of a snapshot: %w", err)
	}
	if unfinished {
		return &UnfinishedError{}
	}
	return nil
}

// Import copies snapshots into a database with the same schema and no index, or continues to. The caller has the indexer's lock.
func Import(ctx context.Context, db *sql.DB, o ImportOptions) (*Manifest, error) {
	if o.Workers <= 0 {
		o.Workers = 2
	}
	from, err := readSources(o.From)
	if err != nil {
		return nil, err
	}
	if err := from.open(); err != nil {
		return nil, err
	}
	defer func() { _ = from.close() }() // nothing is written
	i := &importer{db: db, from: from, workers: o.Workers, progress: progress{report: o.Progress}}
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return i.begin(ctx, o.Restart) },
		i.copyAll,
		i.checkRanges,
		i.define,
		i.analyze,
		func(ctx context.Context) error { return i.join(ctx, o.Joiner) },
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if o.Check != nil {
		for _, s := range from {
			if err := o.Check(ctx, s.Manifest); err != nil {
				return nil, err
			}
		}
	}
	return from.manifest(), i.writing(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO snapshots_imported VALUES ($1) ON CONFLICT DO NOTHING`, from.sum()); err != nil {
			return err
		}
		return dropImport(ctx, tx)
	})
}

// Imported reports whether the import of snapshots, by the hash that [ReadAll] returns, into this database was completed, and the database still has an index.
func Imported(ctx context.Context, db *sql.DB, sum string) (imported bool, err error) {
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM snapshots_imported, indexed_ranges WHERE manifest = $1)`, sum).Scan(&imported); err != nil {
		return false, fmt.Errorf("import of a snapshot: %w", err)
	}
	return imported, nil
}

// importer copies the files of snapshots.
type importer struct {
	db       *sql.DB
	from     sources
	workers  int
	progress progress
}

func (i *importer) writing(ctx context.Context, fn func(pgx.Tx) error) error {
	return transaction(ctx, i.db, pgx.TxOptions{}, fn)
}

// begin prepares an empty database, or finds the import that it continues.
func (i *importer) begin(ctx context.Context, restart bool) error {
	sum := i.from.sum()
	i.progress.begin("preparing tables", 1)
	return i.writing(ctx, func(tx pgx.Tx) error {
		var unfinished bool
		if err := tx.QueryRow(ctx, `SELECT to_regclass('`+importTable+`') IS NOT NULL`).Scan(&unfinished); err != nil {
			return err
		}
		if unfinished {
			var begun string
			if err := tx.QueryRow(ctx, `SELECT manifest FROM `+importTable).Scan(&begun); err != nil {
				return err
			}
			if begun == sum {
				return nil
			}
			if !restart {
				return chain.Invalidf("an import of another snapshot, with the SHA-256 %s, is unfinished: continue it with the folder of that one, "+
					"or discard what it has copied with --restart", begun)
			}
			if err := i.discard(ctx, tx); err != nil {
				return err
			}
		}
		for _, s := range i.from {
			if err := fits(ctx, tx, s.Manifest); err != nil {
				return err
			}
		}
		return prepare(ctx, tx, i.from)
	})
}

// discard empties the tables and creates their indexes and constraints.
func (i *importer) discard(ctx context.Context, tx pgx.Tx) error {
	if err := truncate(ctx, tx); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT statement FROM `+definitionTable+` WHERE phase >= $1 ORDER BY phase, step`, phaseIndex)
	if err != nil {
		return err
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, s := range statements {
		if _, err := tx.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("discard the unfinished import: %w", err)
		}
	}
	return dropImport(ctx, tx)
}

func truncate(ctx context.Context, tx pgx.Tx) error {
	// A gateway that reads for long would make all others wait behind this.
	if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '10s'`); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `TRUNCATE `+strings.Join(indexed, ", ")); err != nil {
		return fmt.Errorf("empty the tables: %w", err)
	}
	return nil
}

// fits refuses a database that has an index already, or another schema than the snapshot.
func fits(ctx context.Context, tx pgx.Tx, m *Manifest) error {
	var used bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM indexed_ranges) OR EXISTS (SELECT FROM blocks)`).Scan(&used); err != nil {
		return err
	}
	if used {
		return chain.Invalidf("the database has an index: import into another database, or another data folder")
	}
	applied, err := schema(ctx, tx)
	if err != nil {
		return err
	}
	if !slices.Equal(applied, m.Schema) {
		return chain.Invalidf("the snapshot has schema %d, made by tonql %s, and the database has schema %d: both have to have the same migrations; %s",
			newest(m.Schema), chain.Quote(m.Version), newest(applied), importThere)
	}
	list, err := columns(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range m.Tables {
		if !slices.Equal(list[t.Name], t.Columns) {
			return chain.Invalidf("table %s has other columns in the snapshot than in the database", t.Name)
		}
	}
	return nil
}

func newest(schema []int64) int64 {
	if len(schema) == 0 {
		return 0
	}
	return schema[len(schema)-1]
}

// copyAll copies the files that the database lacks.
func (i *importer) copyAll(ctx context.Context) error {
	type file struct {
		*source
		t    *Table
		n    int
		into string
	}
	var files []file
	for _, s := range i.from {
		for t := range s.Tables {
			into := s.Tables[t].Name
			if u := findUnion(into); u != nil && len(i.from) > 1 {
				if u.none {
					continue
				}
				into = copyOf(into)
			}
			for n := range s.Tables[t].Parts {
				files = append(files, file{s, &s.Tables[t], n, into})
			}
		}
	}
	i.progress.begin("copying files", len(files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(i.workers)
	for _, f := range files {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := i.copyPart(ctx, f.source, f.t, f.n, f.into); err != nil {
				return fmt.Errorf("%s: %w", i.from.part(f.source, f.t.Name, f.n), err)
			}
			i.progress.add(f.t.Parts[f.n].Rows, f.t.Parts[f.n].Bytes)
			return nil
		})
	}
	return group.Wait()
}

// copyPart copies a file, unless it is copied.
func (i *importer) copyPart(ctx context.Context, s *source, t *Table, n int, into string) error {
	return i.writing(ctx, func(tx pgx.Tx) error {
		// A lost end of the import is copied again.
		if _, err := tx.Exec(ctx, `SELECT set_config('synchronous_commit', 'off', true), set_config('`+numberSetting+`', $1, true)`, strconv.Itoa(s.number)); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `INSERT INTO `+partTable+` VALUES ($1) ON CONFLICT DO NOTHING`, i.from.part(s, t.Name, n))
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		file, err := openRegular(s.root, partName(t.Name, n))
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // nothing is written
		return copyRows(ctx, tx, into, t, t.Parts[n], file)
	})
}

// copyRows copies the rows of a file. It returns an error unless the file is exactly that of the manifest.
func copyRows(ctx context.Context, tx pgx.Tx, into string, t *Table, part Part, file io.Reader) error {
	sum := sha256.New()
	stored := io.TeeReader(io.LimitReader(file, part.Size+1), sum)
	unpacked, err := zstd.NewReader(stored, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window), zstd.WithDecoderLowmem(true))
	if err != nil {
		return fmt.Errorf("compression: %w", err)
	}
	defer unpacked.Close()
	raw := &measured{from: io.LimitReader(unpacked, part.Bytes+1)}
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, raw, `COPY `+into+` (`+quoted(t.Columns)+`) FROM STDIN WITH (FORMAT binary)`)
	raw.stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	// A damaged file is the first explanation of everything else.
	if _, readErr := io.Copy(io.Discard, stored); readErr != nil {
		return readErr
	}
	if found := hex.EncodeToString(sum.Sum(nil)); found != part.SHA256 {
		return chain.Invalidf("the file is damaged: its SHA-256 is %s, and the manifest has %s", found, chain.Quote(part.SHA256))
	}
	if raw.err != nil {
		return raw.err
	}
	if err != nil {
		return err
	}
	if raw.n != part.Bytes || tag.RowsAffected() != part.Rows {
		return chain.Invalidf("the file has %d rows of %d bytes, and the manifest says %d of %d", tag.RowsAffected(), raw.n, part.Rows, part.Bytes)
	}
	return nil
}

// measured counts what is read, and keeps the error that ended it. After stop it reads nothing: the driver may still read from it when a
// copy has failed.
type measured struct {
	mu      sync.Mutex
	from    io.Reader
	n       int64
	err     error
	stopped bool
}

func (m *measured) Read(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stopped {
		return 0, io.ErrClosedPipe
	}
	n, err := m.from.Read(p)
	m.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		m.err = err
	}
	return n, err
}

func (m *measured) stop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped = true
}
