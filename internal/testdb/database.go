package testdb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"tonql/internal/store"
	"tonql/migrations"
)

const timeout = time.Minute

// New opens a database of the test's own, empty and migrated. It is closed with the test, and dropped when the test
// succeeded.
func New(t testing.TB) *store.DB {
	t.Helper()
	return Open(t, URL(t))
}

// NewSingle is [New] with one connection for readers: a request that needs a second one while it holds the first fails. Enough such
// requests at once would wait for each other in a pool of any size.
func NewSingle(t testing.TB) *store.DB {
	t.Helper()
	return open(t, URL(t), 1)
}

// Open opens a database that [URL] made, with pools small enough for many tests at once.
func Open(t testing.TB, url string) *store.DB {
	t.Helper()
	return open(t, url, 6)
}

func open(t testing.TB, url string, readers int) *store.DB {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	db, err := store.Open(ctx, poolsOf(url, readers))
	require.NoError(t, err)
	t.Cleanup(db.Close)
	return db
}

func poolsOf(url string, readers int) store.Config {
	return store.Config{WriteURL: url, MaxReadConns: readers, MaxWriteConns: 3}
}

// URL creates a database for the test, as [New] does, and returns its DSN, for tests that open it themselves or hand it
// to another process.
func URL(t testing.TB) string {
	t.Helper()
	template, err := templateName()
	require.NoError(t, err)
	return create(t, template)
}

// EmptyURL creates a database without tables and returns its DSN.
func EmptyURL(t testing.TB) string {
	t.Helper()
	return create(t, "template0")
}

var counter atomic.Int64

func create(t testing.TB, template string) string {
	t.Helper()
	name := newName()
	require.NoError(t, clone(name, template))
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("database of the failed test retained: %s", name)
			return
		}
		if err := admin(`DROP DATABASE ` + name + ` WITH (FORCE)`); err != nil {
			t.Errorf("database %s: %v", name, err)
		}
	})
	dsn, err := serverDSN()
	require.NoError(t, err)
	return withDatabase(dsn, name)
}

func newName() string { return fmt.Sprintf("tonql_test_%x_%d", time.Now().UnixNano(), counter.Add(1)) }

func clone(name, template string) error {
	return admin(`CREATE DATABASE ` + name + ` TEMPLATE ` + template + ` STRATEGY file_copy`)
}

// admin runs a statement in the server's own database.
func admin(statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	conn, err := connect(ctx, "postgres")
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("test server: %w", err)
	}
	return nil
}

func connect(ctx context.Context, database string) (*pgx.Conn, error) {
	dsn, err := serverDSN()
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, withDatabase(dsn, database))
	if err != nil {
		return nil, fmt.Errorf("test server: %w", err)
	}
	return conn, nil
}

// withDatabase puts a database's name into a DSN of either form.
func withDatabase(dsn, name string) string {
	if u, err := url.Parse(dsn); err == nil && strings.HasPrefix(u.Scheme, "postgres") {
		u.Path = "/" + name
		return u.String()
	}
	return dsn + " dbname=" + name
}

// templateName makes the migrated template once for each state of the migrations, whichever test binary comes first.
var templateName = sync.OnceValues(func() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	version, err := schemaVersion()
	if err != nil {
		return "", err
	}
	name := "tonql_template_" + version
	conn, err := connect(ctx, "postgres")
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }() // also releases the lock
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext('tonql test template'))`); err != nil {
		return "", fmt.Errorf("lock of the template: %w", err)
	}
	var ready bool
	if err := conn.QueryRow(ctx, `SELECT count(*) > 0 FROM pg_database WHERE datname = $1`, name).Scan(&ready); err != nil {
		return "", fmt.Errorf("template: %w", err)
	}
	if ready {
		return name, nil
	}
	return name, makeTemplate(ctx, conn, name)
})

// makeTemplate migrates under another name first, so that a half-made template is never taken for one.
func makeTemplate(ctx context.Context, conn *pgx.Conn, name string) error {
	draft := name + "_draft"
	for _, statement := range []string{`DROP DATABASE IF EXISTS ` + draft + ` WITH (FORCE)`, `CREATE DATABASE ` + draft + ` TEMPLATE template0`} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("template: %w", err)
		}
	}
	if err := migrate(ctx, draft); err != nil {
		return err
	}
	// A pooler keeps connections that are not used any more.
	if _, err := conn.Exec(ctx, `SELECT pg_terminate_backend(a.pid, 5000) FROM pg_stat_activity a WHERE a.datname = $1`, draft); err != nil {
		return fmt.Errorf("template: %w", err)
	}
	if _, err := conn.Exec(ctx, `ALTER DATABASE `+draft+` RENAME TO `+name); err != nil {
		return fmt.Errorf("template: %w", err)
	}
	return nil
}

func migrate(ctx context.Context, database string) error {
	dsn, err := serverDSN()
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, store.Config{WriteURL: withDatabase(dsn, database), MaxReadConns: 1, MaxWriteConns: 1})
	if err != nil {
		return fmt.Errorf("template: %w", err)
	}
	defer db.Close()
	handle := db.SQLDB()
	defer func() { _ = handle.Close() }()
	if _, err := migrations.Up(ctx, handle); err != nil {
		return fmt.Errorf("template: %w", err)
	}
	return nil
}

// schemaVersion is a hash of the migration files.
func schemaVersion() (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(migrations.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.FS(), path)
		sum.Write([]byte(path))
		sum.Write(text)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("migration files: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6]), nil
}
