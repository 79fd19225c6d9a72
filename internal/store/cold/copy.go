package cold

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tonql/internal/chain"
)

// The rows of a step travel as binary COPY through this process, over a connection of its own to the cold server. INSERT through postgres_fdw takes
// several times the processor time, for the text of values and for statements with thousands of parameters.

const (
	// removedPrefix begins the names of tables with the rows that a database transaction removes, until they are copied. Between transactions they are empty.
	removedPrefix = "removed_"
	// removedBytes is the size from which such a table is truncated, which takes longer than deleting the rows of a step. Until then what it had
	// is deleted, and is read over by the next steps until it is vacuumed.
	removedBytes = 4 << 20
	// connectTimeout bounds the connection to a cold server.
	connectTimeout = 3 * time.Second
	// copyTimeout bounds what a step does there, as new blocks wait for it.
	copyTimeout = 2 * time.Minute
)

// stateColumns are the columns of [StatesTable] that identify a state.
var stateColumns = []string{"account", "lt"}

// Remote is a database transaction of a cold server, beside one of the index. It is used by one goroutine.
type Remote struct {
	conn    *pgx.Conn
	server  string
	tables  []string // whose rows are moved
	columns map[string][]string
	writer  *writer // nil until the first copy
}

// remoteTransaction has the settings of a transaction of a cold server. They are not those of the connection, which poolers refuse. Rows are removed
// from the index while the transaction waits. The rows of a command whose machine is cut off would be in the way of the next one.
var remoteTransaction = fmt.Sprintf(`SET LOCAL synchronous_commit = on; SET LOCAL statement_timeout = %[1]d; SET LOCAL idle_in_transaction_session_timeout = %[2]d;
	SET LOCAL tcp_keepalives_idle = 5; SET LOCAL tcp_keepalives_interval = 2; SET LOCAL tcp_keepalives_count = 3; SET LOCAL tcp_user_timeout = 10000`,
	copyTimeout.Milliseconds(), 2*copyTimeout.Milliseconds())

// Open begins a database transaction of a cold server, each statement of which ends after two minutes at the latest. The database that its URL leads to from here has
// to be that of the server of the index; otherwise the error is of kind Invalid.
func Open(ctx context.Context, here pgx.Tx, server string) (*Remote, error) {
	places, err := Places(ctx, here)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(places, func(p Place) bool { return p.Name == server })
	if i < 0 {
		return nil, chain.NotFoundf("there is no cold server %s", chain.Quote(server))
	}
	config, err := pgx.ParseConfig(places[i].URL)
	if err != nil {
		return nil, chain.Invalidf("the URL of the cold server %s cannot be read", server)
	}
	config.ConnectTimeout = connectTimeout
	config.RuntimeParams["application_name"] = "tonql cold"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, chain.Unavailablef(fmt.Errorf("%s: %w", server, err), "the cold server %s accepts no connection of this command", server)
	}
	t := &Remote{conn: conn, server: server}
	if err := t.begin(ctx, here); err != nil {
		t.Close(ctx)
		return nil, err
	}
	return t, nil
}

func (t *Remote) begin(ctx context.Context, here pgx.Tx) error {
	var want, is string
	if err := here.QueryRow(ctx, `SELECT pair FROM cold_servers WHERE name = $1`, t.server).Scan(&want); err != nil {
		return fmt.Errorf("cold servers: %w", err)
	}
	base, err := baseSchema(ctx, here)
	if err != nil {
		return err
	}
	if t.tables, err = presentTables(ctx, here); err != nil {
		return err
	}
	if t.columns, err = columnsOf(ctx, here, base, t.tables); err != nil {
		return err
	}
	_, err = t.conn.Exec(ctx, `BEGIN; `+remoteTransaction)
	if err == nil {
		err = t.conn.QueryRow(ctx, `SELECT pair FROM `+stepTable).Scan(&is)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", t.server, markRemote(err))
	case is != want:
		return chain.Invalidf("the URL of the cold server %s leads to another database from here than from the server of the index", t.server)
	}
	return nil
}

// Close ends the transaction, unless it is committed.
func (t *Remote) Close(ctx context.Context) {
	if t.writer != nil {
		t.writer.cancel()
		_ = t.writer.wait() // the caller has an error already, or the rows are committed
	}
	_ = t.conn.Close(context.WithoutCancel(ctx)) // nothing is left to do on it
}

// Copy sends the rows that the transaction of the index has removed since the last call to the cold server, as those of a step. They are written there while
// the caller continues.
func (t *Remote) Copy(ctx context.Context, here pgx.Tx, step int64) error {
	if t.writer == nil {
		t.writer = startWriter(ctx, t.conn, markRemote)
	}
	tables, err := t.removed(ctx, here)
	if err != nil {
		return err
	}
	for _, r := range tables {
		table, names := r.table, quoted(stateColumns)
		if table != StatesTable {
			names = quoted(t.columns[table])
		}
		out := fmt.Sprintf(`COPY (SELECT %s, %s FROM %s.%s) TO STDOUT (FORMAT binary)`, names, currentStep, CompleteSchema, removedPrefix+table)
		in := fmt.Sprintf(`COPY %s (%s, %s) FROM STDIN (FORMAT binary)`, table, names, StepColumn)
		err := t.writer.table(in, func(rows io.Writer) error {
			_, err := here.Conn().PgConn().CopyTo(ctx, rows, out)
			return err //nolint:wrapcheck // below
		})
		if err == nil {
			_, err = here.Exec(ctx, r.empty()+CompleteSchema+`.`+removedPrefix+table)
		}
		if err != nil {
			return fmt.Errorf("%s of step %d: %w", strings.ReplaceAll(table, "_", " "), step, err)
		}
	}
	return nil
}

// Commit commits what was copied to the cold server, as a step.
func (t *Remote) Commit(ctx context.Context, here pgx.Tx, step int64) error {
	err := t.Copy(ctx, here, step)
	if err == nil {
		err = t.writer.wait()
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, copyTimeout)
	defer cancel()
	_, err = t.conn.Exec(ctx, `UPDATE `+stepTable+` SET step = $1`, step)
	if err == nil {
		_, err = t.conn.Exec(ctx, `COMMIT`)
	}
	if err != nil {
		return fmt.Errorf("step of %s: %w", t.server, markRemote(err))
	}
	return nil
}

// removedRows are rows that are not copied yet.
type removedRows struct {
	table string
	large bool // the table that they are in
}

// empty begins the statement that removes them.
func (r *removedRows) empty() string {
	if r.large {
		return `TRUNCATE `
	}
	return `DELETE FROM `
}

// removed lists the tables of which the transaction of the index has removed rows that are not copied yet.
func (t *Remote) removed(ctx context.Context, here pgx.Tx) (list []removedRows, err error) {
	tables := append(slices.Clone(t.tables), StatesTable)
	present, large := make([]string, len(tables)), make([]string, len(tables))
	for i, table := range tables {
		name := CompleteSchema + `.` + removedPrefix + table
		present[i] = `EXISTS (SELECT FROM ` + name + `)`
		large[i] = fmt.Sprintf(`pg_relation_size('%s') > %d`, name, removedBytes)
	}
	var has, are []bool
	if err := here.QueryRow(ctx, `SELECT ARRAY[`+strings.Join(present, ", ")+`], ARRAY[`+strings.Join(large, ", ")+`]`).Scan(&has, &are); err != nil {
		return nil, fmt.Errorf("removed rows: %w", err)
	}
	for i, table := range tables {
		if has[i] {
			list = append(list, removedRows{table, are[i]})
		}
	}
	return list, nil
}

// RemoteRoutine marks an error of a cold server, as postgres_fdw marks those that it passes on.
const RemoteRoutine = "pgfdw_report_error"

// markRemote marks what a cold server reports.
func markRemote(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	marked := *pg
	marked.Routine = RemoteRoutine
	return &marked
}
