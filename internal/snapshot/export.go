package snapshot

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"tonql/internal/chain"
	"tonql/internal/draft"
	"tonql/internal/store/cold"
)

// partBytes is about how much of a table is in one file, as it is on disk.
const partBytes = 256 << 20

// window is the zstd window of the files, and the most that an import accepts, in bytes.
const window = 8 << 20

// ExportOptions select how to export. Into and Version are required.
type ExportOptions struct {
	Into     string // folder of the snapshot: new or empty
	Version  string // of the program
	Workers  int    // files that are written at once; 0: 2
	Progress func(Progress)
	// Guard returns an error when blocks may have been moved to or from cold servers since the caller prevented that; nil: not prevented,
	// and an index with blocks there is refused.
	Guard func(context.Context) error

	partBytes int64 // 0: partBytes
}

// Export writes a snapshot of the index as of one moment, beside an indexer and gateways. Until it is complete, the folder has the ending
// .partial. It returns the manifest and its SHA-256 in hex. Dead rows are retained by the database until the export ends.
func Export(ctx context.Context, db *sql.DB, o ExportOptions) (*Manifest, string, error) {
	if o.Workers <= 0 {
		o.Workers = 2
	}
	if o.partBytes <= 0 {
		o.partBytes = partBytes
	}
	if entries, err := os.ReadDir(o.Into); err == nil && len(entries) > 0 {
		return nil, "", chain.Invalidf("folder %s is not empty", o.Into)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("snapshot: %w", err)
	}
	folder, err := draft.New(o.Into, "snapshot")
	if err != nil {
		return nil, "", err //nolint:wrapcheck // the caller has the text
	}
	m, sum, err := export(ctx, db, o, folder.Path)
	if err != nil {
		return nil, "", folder.Discard(err)
	}
	return m, sum, folder.Complete()
}

// exporter writes the files of a snapshot.
type exporter struct {
	db       *sql.DB
	root     *os.Root
	snapshot string // PostgreSQL's, which all files are of
	cold     bool   // rows are on cold servers, which the snapshot of PostgreSQL does not cover
	progress progress
}

// job is a file to write: rows of a table.
type job struct {
	table *Table
	n     int
	from  string // FROM clause of the rows, and their condition
}

func export(ctx context.Context, db *sql.DB, o ExportOptions, draft string) (*Manifest, string, error) {
	root, err := os.OpenRoot(draft)
	if err != nil {
		return nil, "", fmt.Errorf("snapshot: %w", err)
	}
	defer func() { _ = root.Close() }() // files are synced where they are written
	e := &exporter{db: db, root: root, progress: progress{report: o.Progress}}
	m := &Manifest{Format: format, Version: o.Version, Created: time.Now().UTC().Truncate(time.Second)}
	err = transaction(ctx, db, reading, func(tx pgx.Tx) error {
		jobs, err := e.plan(ctx, tx, m, o.partBytes)
		if err != nil {
			return err
		}
		if e.cold && o.Guard == nil {
			return errUnguarded
		}
		e.progress.begin("writing files", len(jobs))
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(o.Workers)
		for _, j := range jobs {
			group.Go(func() error {
				part, err := e.write(ctx, j)
				j.table.Parts[j.n] = part
				return err
			})
		}
		return group.Wait()
	})
	if err == nil && e.cold {
		if err = o.Guard(ctx); err != nil {
			err = fmt.Errorf("blocks may have been moved between servers meanwhile: %w", err)
		}
	}
	if err != nil {
		return nil, "", err
	}
	data, sum, err := m.encode()
	if err != nil {
		return nil, "", err
	}
	file, err := root.OpenFile(manifestName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, "", fmt.Errorf("snapshot: %w", err)
	}
	_, err = file.Write(data)
	return m, sum, errors.Join(err, file.Sync(), file.Close())
}

var reading = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

const (
	selectRangesOf = `SELECT first, last FROM %s ORDER BY first`
	selectNetwork  = `SELECT encode(root_hash, 'hex'), encode(file_hash, 'hex') FROM network`
	selectHead     = `SELECT encode(root_hash, 'hex'), encode(file_hash, 'hex') FROM blocks WHERE workchain = -1 AND seqno = $1`
	// hashing lets the planner compare keys with those of a cold server without a lookup for each.
	hashing     = `SET LOCAL enable_hashjoin = on; SET LOCAL enable_nestloop = off`
	selectPages = `SELECT pg_relation_size(c) / current_setting('block_size')::bigint, pg_table_size(c) FROM to_regclass($1) c`
)

// plan fills the manifest but for the parts, of which it returns the files to write. The tables are locked, so that none is written
// anew, in another order, until the end of the transaction.
func (e *exporter) plan(ctx context.Context, tx pgx.Tx, m *Manifest, partBytes int64) ([]job, error) {
	list, err := columns(ctx, tx)
	if err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, `LOCK TABLE `+strings.Join(indexed, ", ")+` IN ACCESS SHARE MODE`); err != nil {
		return nil, fmt.Errorf("lock of the tables: %w", err)
	}
	if m.Schema, err = schema(ctx, tx); err != nil {
		return nil, err
	}
	far, err := findElsewhere(ctx, tx)
	if err != nil {
		return nil, err
	}
	e.cold = len(far.servers) > 0
	ranges := `indexed_ranges`
	if far.viewed(ranges) {
		ranges = cold.CompleteSchema + `.` + ranges
	}
	rows, err := tx.Query(ctx, fmt.Sprintf(selectRangesOf, ranges))
	if err != nil {
		return nil, fmt.Errorf("indexed ranges: %w", err)
	}
	if m.Ranges, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Range]); err != nil {
		return nil, fmt.Errorf("indexed ranges: %w", err)
	}
	if len(m.Ranges) == 0 {
		return nil, chain.NotFoundf("nothing is indexed yet")
	}
	m.Head.Seqno = m.Ranges[len(m.Ranges)-1].Last
	if err := tx.QueryRow(ctx, selectHead, int64(m.Head.Seqno)).Scan(&m.Head.RootHash, &m.Head.FileHash); err != nil {
		return nil, fmt.Errorf("newest block: %w", err)
	}
	// A database whose configuration named no zerostate has no row.
	if err := tx.QueryRow(ctx, selectNetwork).Scan(&m.Network.RootHash, &m.Network.FileHash); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("network: %w", err)
	}
	if err := tx.QueryRow(ctx, `SELECT pg_export_snapshot()`).Scan(&e.snapshot); err != nil {
		return nil, fmt.Errorf("snapshot of the database: %w", err)
	}
	var jobs []job
	m.Tables = make([]Table, len(indexed))
	for i, name := range indexed {
		t := &m.Tables[i]
		t.Name, t.Columns, t.Parts = name, list[name], []Part{}
		add := func(from string) {
			jobs = append(jobs, job{table: t, n: len(t.Parts), from: from})
			t.Parts = append(t.Parts, Part{})
		}
		if far.viewed(name) {
			add(`FROM ` + cold.CompleteSchema + `.` + name)
			continue
		}
		// The size is not that of the snapshot, but at least as large: pages with rows that the snapshot reads are not removed.
		var pages, size int64
		if err := tx.QueryRow(ctx, selectPages, name).Scan(&pages, &size); err != nil {
			return nil, fmt.Errorf("size of %s: %w", name, err)
		}
		step := max(1, pages*partBytes/max(size, 1))
		for first := int64(0); first < pages; first += step {
			add(fmt.Sprintf(`FROM %s r WHERE ctid >= '(%d,0)' AND ctid < '(%d,0)'%s`, name, first, min(pages, first+step), far.without(name)))
		}
		for _, from := range far.sources(name, partBytes) {
			add(from)
		}
	}
	return jobs, nil
}

// write writes one file.
func (e *exporter) write(ctx context.Context, j job) (Part, error) {
	name := partName(j.table.Name, j.n)
	file, err := e.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Part{}, fmt.Errorf("snapshot: %w", err)
	}
	part, err := e.fill(ctx, j, file)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return Part{}, fmt.Errorf("%s: %w", name, err)
	}
	e.progress.add(part.Rows, part.Bytes)
	return part, nil
}

func (e *exporter) fill(ctx context.Context, j job, file io.Writer) (part Part, err error) {
	sum := sha256.New()
	stored := &counter{to: io.MultiWriter(file, sum)}
	packed, err := zstd.NewWriter(stored, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	if err != nil {
		return part, fmt.Errorf("compression: %w", err)
	}
	raw := &counter{to: packed}
	err = transaction(ctx, e.db, reading, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET TRANSACTION SNAPSHOT '`+e.snapshot+`'; `+hashing, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		tag, err := tx.Conn().PgConn().CopyTo(ctx, raw, fmt.Sprintf(`COPY (SELECT %s %s) TO STDOUT WITH (FORMAT binary)`, quoted(j.table.Columns), j.from))
		part.Rows = tag.RowsAffected()
		return err
	})
	if closed := packed.Close(); err == nil { // it repeats the error of a write
		err = closed
	}
	if err != nil {
		return part, err
	}
	part.Bytes, part.Size, part.SHA256 = raw.n, stored.n, hex.EncodeToString(sum.Sum(nil))
	if part.Bytes > maxPart {
		return part, chain.Invalidf("the rows of file %d of table %s have %d bytes", j.n, j.table.Name, part.Bytes)
	}
	return part, nil
}

// counter counts what is written.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
