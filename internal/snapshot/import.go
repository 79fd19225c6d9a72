package snapshot

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
)

// ImportOptions select what to import. From is required.
type ImportOptions struct {
	From    string // folder of the snapshot
	SHA256  string // of the manifest, in hex, if the caller has it
	Workers int    // files and indexes at once; 0: 2
	// Restart discards what an unfinished import of another snapshot has copied.
	Restart  bool
	Progress func(Progress)
	// Check decides on the rows when all are copied, before other commands accept the database; nil: all are accepted. After an error,
	// the next import begins with Check.
	Check func(context.Context, *Manifest) error
}

// The tables of an unfinished import: its snapshot, the files that are copied, and the indexes and constraints that are to be created.
const (
	importTable      = "snapshot_import"
	partTable        = "snapshot_import_parts"
	definitionTable  = "snapshot_import_definitions"
	createImport     = `CREATE TABLE ` + importTable + ` (manifest text NOT NULL)`
	createParts      = `CREATE TABLE ` + partTable + ` (name text PRIMARY KEY)`
	createDefinition = `CREATE TABLE ` + definitionTable + ` (step int PRIMARY KEY, phase int NOT NULL, name text NOT NULL, statement text NOT NULL)`
	dropImport       = `DROP TABLE IF EXISTS ` + importTable + `, ` + partTable + `, ` + definitionTable
)

// ours reports whether a table is one of an unfinished import.
func ours(table string) bool {
	return table == importTable || table == partTable || table == definitionTable
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

// Import copies a snapshot into a database with the same schema and no index, or continues to. The caller has the indexer's lock.
func Import(ctx context.Context, db *sql.DB, o ImportOptions) (*Manifest, error) {
	if o.Workers <= 0 {
		o.Workers = 2
	}
	m, sum, err := Read(o.From, o.SHA256)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(o.From)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	defer func() { _ = root.Close() }() // nothing is written
	i := &importer{db: db, root: root, workers: o.Workers, progress: progress{report: o.Progress}}
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return i.begin(ctx, m, sum, o.Restart) },
		func(ctx context.Context) error { return i.copyAll(ctx, m) },
		func(ctx context.Context) error { return i.checkRanges(ctx, m) },
		i.define,
		i.analyze,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	if o.Check != nil {
		if err := o.Check(ctx, m); err != nil {
			return nil, err
		}
	}
	return m, i.writing(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO snapshots_imported VALUES ($1) ON CONFLICT DO NOTHING`, sum); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, dropImport)
		return err
	})
}

// Imported reports whether the import of a snapshot, by the SHA-256 of its manifest, into this database was completed, and the database still has an index.
func Imported(ctx context.Context, db *sql.DB, sum string) (imported bool, err error) {
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT FROM snapshots_imported, indexed_ranges WHERE manifest = $1)`, sum).Scan(&imported); err != nil {
		return false, fmt.Errorf("import of a snapshot: %w", err)
	}
	return imported, nil
}

// importer copies the files of a snapshot.
type importer struct {
	db       *sql.DB
	root     *os.Root
	workers  int
	progress progress
}

func (i *importer) writing(ctx context.Context, fn func(pgx.Tx) error) error {
	return transaction(ctx, i.db, pgx.TxOptions{}, fn)
}

// begin prepares an empty database, or finds the import that it continues.
func (i *importer) begin(ctx context.Context, m *Manifest, sum string, restart bool) error {
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
		if err := fits(ctx, tx, m); err != nil {
			return err
		}
		return prepare(ctx, tx, sum)
	})
}

// discard empties the tables and creates their indexes and constraints.
func (i *importer) discard(ctx context.Context, tx pgx.Tx) error {
	if err := truncate(ctx, tx); err != nil {
		return err
	}
	rows, err := tx.Query(ctx, `SELECT statement FROM `+definitionTable+` ORDER BY phase, step`)
	if err != nil {
		return err
	}
	statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, s := range append(statements, dropImport) {
		if _, err := tx.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("discard the unfinished import: %w", err)
		}
	}
	return nil
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
		return chain.Invalidf("the snapshot has schema %d, made by tonql %s, and the database has schema %d: both have to have the same migrations",
			newest(m.Schema), chain.Quote(m.Version), newest(applied))
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
func (i *importer) copyAll(ctx context.Context, m *Manifest) error {
	i.progress.begin("copying files", m.Total().Files)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(i.workers)
	for t := range m.Tables {
		for n := range m.Tables[t].Parts {
			group.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err := i.copyPart(ctx, &m.Tables[t], n); err != nil {
					return fmt.Errorf("%s: %w", partName(m.Tables[t].Name, n), err)
				}
				i.progress.add(m.Tables[t].Parts[n].Rows, m.Tables[t].Parts[n].Bytes)
				return nil
			})
		}
	}
	return group.Wait()
}

// checkRanges compares the indexed ranges of the rows with those of the manifest, of which a sample is checked, and refuses dropped blocks among
// them: no indexer would write these.
func (i *importer) checkRanges(ctx context.Context, m *Manifest) error {
	return i.writing(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, fmt.Sprintf(selectRangesOf, `indexed_ranges`))
		if err != nil {
			return fmt.Errorf("indexed ranges: %w", err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Range])
		if err != nil {
			return fmt.Errorf("indexed ranges: %w", err)
		}
		var dropped bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM dropped_blocks WHERE last >= $1)`, int64(m.Ranges[0].First)).Scan(&dropped); err != nil {
			return fmt.Errorf("dropped blocks: %w", err)
		}
		if dropped || !slices.Equal(found, m.Ranges) {
			return chain.Invalidf("the rows of the snapshot are not of the blocks that its manifest names, and the database is not accepted: import another one with --restart")
		}
		return nil
	})
}

// copyPart copies a file, unless it is copied.
func (i *importer) copyPart(ctx context.Context, t *Table, n int) error {
	return i.writing(ctx, func(tx pgx.Tx) error {
		// A lost end of the import is copied again.
		if _, err := tx.Exec(ctx, `SET LOCAL synchronous_commit = off`); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `INSERT INTO `+partTable+` VALUES ($1) ON CONFLICT DO NOTHING`, partName(t.Name, n))
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		file, err := openRegular(i.root, partName(t.Name, n))
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // nothing is written
		return copyRows(ctx, tx, t, t.Parts[n], file)
	})
}

// copyRows copies the rows of a file. It returns an error unless the file is exactly that of the manifest.
func copyRows(ctx context.Context, tx pgx.Tx, t *Table, part Part, file io.Reader) error {
	sum := sha256.New()
	stored := io.TeeReader(io.LimitReader(file, part.Size+1), sum)
	unpacked, err := zstd.NewReader(stored, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window), zstd.WithDecoderLowmem(true))
	if err != nil {
		return fmt.Errorf("compression: %w", err)
	}
	defer unpacked.Close()
	raw := &measured{from: io.LimitReader(unpacked, part.Bytes+1)}
	tag, err := tx.Conn().PgConn().CopyFrom(ctx, raw, `COPY `+t.Name+` (`+quoted(t.Columns)+`) FROM STDIN WITH (FORMAT binary)`)
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
