package store

import (
	"context"
	"database/sql"
	"maps"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"tonql/internal/chain"
	"tonql/internal/store/coldservers"
	"tonql/internal/store/observe"
	"tonql/internal/store/payments"
	"tonql/internal/store/readers"
	"tonql/internal/store/session"
	"tonql/internal/store/sqlbuild"
	"tonql/internal/store/traces"
)

// Config configures the database. The comments name the defaults of zero values.
type Config struct {
	WriteURL         string        // DSN of the primary
	ReadURLs         []string      // DSNs of the primary or of standbys; nil for WriteURL
	MaxWriteConns    int           // 4
	MaxReadConns     int           // of each reader: 4 for each core, at least 4
	StatementTimeout time.Duration // of a reading statement, enforced by the server: 10 s
	ConnectTimeout   time.Duration // 10 s
	// AsyncCommit lets a commit return before it is on disk. A crash of the machine may then lose the newest blocks,
	// never a part of one. The indexed ranges do not contain them then, and they are indexed again.
	AsyncCommit bool
	// Tracer sees every statement of the reading pool but those of snapshots; nil for none.
	Tracer pgx.QueryTracer
	// Observe is called with each statement that was executed, after its duration; nil: not measured. It must be safe for
	// concurrent use.
	Observe func(context.Context, observe.Statement)
	// Notified is called with messages of the server that are no errors; nil: they are ignored.
	Notified func(severity, text string)

	observer *observe.Observer // of Observe
	views    string            // the schema that a complete pool reads
}

func (c Config) withDefaults() Config {
	c.observer = observe.New(c.Observe)
	if len(c.ReadURLs) == 0 {
		c.ReadURLs = []string{c.WriteURL}
	}
	if c.MaxWriteConns <= 0 {
		c.MaxWriteConns = 4
	}
	if c.MaxReadConns <= 0 {
		c.MaxReadConns = 4 * max(1, runtime.GOMAXPROCS(0))
	}
	if c.StatementTimeout <= 0 {
		c.StatementTimeout = 10 * time.Second
	}
	if c.ConnectTimeout <= 0 {
		c.ConnectTimeout = 10 * time.Second
	}
	return c
}

// DB is the index in PostgreSQL: a pool for writing and one for reading. Safe for concurrent use.
type DB struct {
	write   *pgxpool.Pool
	read    *readers.Set
	reader  *Reader
	writer  *Writer
	standby atomic.Bool

	payments *payments.Store
}

// Open creates the two pools and checks that both databases respond. It does not need a schema: migrations run over
// [DB.SQLDB]. Close releases everything.
func Open(ctx context.Context, config Config) (*DB, error) {
	config = config.withDefaults()
	if config.WriteURL == "" {
		return nil, chain.Invalidf("no database URL is given")
	}
	write, err := openPool(ctx, config.WriteURL, config, writing)
	if err != nil {
		return nil, err
	}
	if err := session.CheckPooler(ctx, &write.Config().ConnConfig.Config); err != nil {
		write.Close()
		return nil, err
	}
	read, err := openReaders(ctx, config)
	if err != nil {
		write.Close()
		return nil, err
	}
	merchants, err := payments.Open(ctx, write)
	if err != nil {
		read.Close()
		write.Close()
		return nil, err
	}
	db := &DB{
		write: write, read: read,
		reader:   newReader(read, newCaches()),
		writer:   newWriter(write, traces.NewAccountKeys()),
		payments: merchants,
	}
	db.writer.matcher = payments.NewMatcher(merchants)
	if err := db.Ping(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// openReaders opens a pool for each reader.
func openReaders(ctx context.Context, config Config) (*readers.Set, error) {
	var list []readers.Database
	for _, url := range config.ReadURLs {
		pool, err := openPool(ctx, url, config, reading)
		if err != nil {
			for _, r := range list {
				r.Pool.Close()
			}
			return nil, err
		}
		if url != config.WriteURL {
			err = session.CheckPooler(ctx, &pool.Config().ConnConfig.Config)
		}
		if err != nil && (!chain.IsTransient(err) || len(config.ReadURLs) == 1) { // of several, some may be down
			pool.Close()
			for _, r := range list {
				r.Pool.Close()
			}
			return nil, err
		}
		list = append(list, readers.Database{Pool: pool, Views: openComplete(url, config)})
	}
	return readers.New(list, config.observer), nil
}

// purpose is the purpose of a pool.
type purpose uint8

const (
	writing purpose = iota
	reading
	readingComplete // the rows of cold servers, too
)

// readSettings restrict the planner to index scans in the order of the list; see the package comment.
var readSettings = map[string]string{
	"plan_cache_mode":                 "force_generic_plan",
	"jit":                             "off",
	"enable_seqscan":                  "off",
	"enable_sort":                     "off", // in favour of walks in order; incremental sorts stay possible
	"enable_bitmapscan":               "off",
	"enable_hashjoin":                 "off",
	"enable_mergejoin":                "off",
	"enable_material":                 "off",
	"enable_memoize":                  "off",
	"max_parallel_workers_per_gather": "0",
	"random_page_cost":                "1.1", // plans do not depend on the server's setting
	"default_transaction_read_only":   "on",
	"default_transaction_isolation":   "repeatable read", // statements that are sent together read one state
}

// writeSettings let the writer look up by key what it looks up.
var writeSettings = map[string]string{
	"plan_cache_mode":               "force_generic_plan",
	"jit":                           "off",
	"enable_seqscan":                "off",
	"enable_hashjoin":               "off",
	"enable_mergejoin":              "off",
	"default_transaction_isolation": "read committed",
}

// CheckURL checks the form of a database URL without connecting to it.
func CheckURL(url string) error {
	if _, err := pgxpool.ParseConfig(url); err != nil {
		// The driver's text may repeat the URL with its password.
		return chain.Invalidf("the database URL cannot be read: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE " +
			"or a list of key=value pairs")
	}
	return nil
}

func openPool(ctx context.Context, url string, config Config, p purpose) (*pgxpool.Pool, error) {
	if err := CheckURL(url); err != nil {
		return nil, err
	}
	pc, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, chain.Invalidf("the database URL cannot be read")
	}
	pc.ConnConfig.ConnectTimeout = config.ConnectTimeout
	pc.ConnConfig.StatementCacheCapacity = 256
	pc.HealthCheckPeriod = 15 * time.Second
	if config.Notified != nil {
		pc.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { config.Notified(n.SeverityUnlocalized, n.Message) }
	}
	settings := map[string]string{}
	switch p {
	case reading, readingComplete:
		pc.MaxConns = int32(config.MaxReadConns)
		pc.ConnConfig.RuntimeParams["application_name"] = "tonql read"
		pc.ConnConfig.Tracer = config.observer.Tracer(observe.SingleRead, config.Tracer)
		settings["statement_timeout"] = strconv.FormatInt(config.StatementTimeout.Milliseconds(), 10)
		maps.Copy(settings, readSettings)
	case writing:
		pc.MaxConns = int32(config.MaxWriteConns)
		pc.ConnConfig.RuntimeParams["application_name"] = "tonql write"
		pc.ConnConfig.Tracer = config.observer.Tracer(observe.Write, nil)
		maps.Copy(settings, writeSettings)
		if config.AsyncCommit {
			settings["synchronous_commit"] = "off"
		}
	}
	session.Configure(pc, settings)
	if apply := pc.AfterConnect; p == readingComplete {
		pc.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			if err := apply(ctx, conn); err != nil {
				return err
			}
			return readComplete(ctx, conn, config.views)
		}
	}
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, sqlbuild.Fault(ctx, "database pool", err)
	}
	return pool, nil
}

// openComplete returns the function that opens the pools of [readers.Database.Views].
func openComplete(url string, config Config) func(string) (*pgxpool.Pool, error) {
	return func(schema string) (*pgxpool.Pool, error) {
		config.MaxReadConns = max(2, config.MaxReadConns/2)
		config.views = schema
		return openPool(context.Background(), url, config, readingComplete)
	}
}

// readComplete lets a connection read the views of a schema in the place of the tables.
func readComplete(ctx context.Context, conn *pgx.Conn, schema string) error {
	_, err := conn.Exec(ctx, `SELECT set_config('search_path', '`+schema+`, ' || current_setting('search_path'), false)`)
	return sqlbuild.Fault(ctx, "settings of a connection", err)
}

// Close waits for borrowed connections and closes both pools.
func (db *DB) Close() {
	db.read.Close()
	db.payments.Close()
	db.write.Close()
}

// Reader returns the reader of the index.
func (db *DB) Reader() *Reader { return db.reader }

// Writer returns the writer of the index.
func (db *DB) Writer() *Writer { return db.writer }

// Ping checks that both databases respond.
func (db *DB) Ping(ctx context.Context) error {
	conn, err := db.write.Acquire(ctx)
	if err != nil {
		return sqlbuild.Fault(ctx, "database", err)
	}
	defer conn.Release()
	if err := conn.Ping(ctx); err != nil {
		return sqlbuild.Fault(ctx, "database", err)
	}
	db.standby.Store(session.Of(conn.Conn()).Standby)
	return db.read.Ping(ctx)
}

// Standby reports whether the database of [Config.WriteURL] is a standby, which takes no writes and no LISTEN.
func (db *DB) Standby() bool { return db.standby.Load() }

// SQLDB returns a database/sql handle over a separate connection to the primary, for migrations. It has the parameters of the URL, such as
// search_path and role, without those that end long statements. The caller closes it.
func (db *DB) SQLDB() *sql.DB {
	config := db.write.Config().ConnConfig.Copy()
	config.RuntimeParams["application_name"] = "tonql migrate"
	for _, limit := range []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"} {
		delete(config.RuntimeParams, limit)
	}
	// Schema changes between two uses of a text would upset prepared statements.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return stdlib.OpenDB(*config)
}

// ConnectionLost reports whether an error means that the connection to the database was lost or refused, by a server that
// ended, is ending or is starting. A retry may succeed in a moment.
func ConnectionLost(err error) bool { return sqlbuild.IsConnectionLost(err) }

// ServerLost reports whether an error means that a server was lost: the end of a request is not its fault, although it ends the connection, too.
func ServerLost(err error) bool { return sqlbuild.IsServerLost(err) }

// Readers returns the states of the databases to read from.
func (db *DB) Readers() []readers.State { return db.read.States() }

// Cold returns the servers of old blocks.
func (db *DB) Cold() *coldservers.Servers { return coldservers.New(db.write, db.read) }

// Payments returns the records of merchants and their payments.
func (db *DB) Payments() *payments.Store { return db.payments }
