package session

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tonql/internal/chain"
	"tonql/internal/store/sqlbuild"
)

// Server identifies the history of a database: it differs after a failover, also to a standby that has lost commits, after a
// restore, and after a restart, which may lose asynchronous commits. Values are comparable.
type Server struct {
	System   string // identifier of the cluster, which its standbys share
	Timeline string // of a primary; "" of a standby
	Started  string // when the server started
	Standby  bool   // it was in recovery when the connection was made
}

// Session is what is cached about one connection.
type Session struct {
	Server

	// Serial numbers the connections of this process in the order in which they were made, beginning with 1.
	Serial uint64
	// Pooled reports whether a pooler is between this process and the server.
	Pooled bool
}

var serial atomic.Uint64

const sessionKey = "tonql session"

// Of returns the session of a connection that [Configure] has prepared.
func Of(conn *pgx.Conn) Session {
	s, _ := conn.PgConn().CustomData()[sessionKey].(Session)
	return s
}

const (
	// applySettings applies settings, a JSON object of texts, and returns them in the form in which the server shows them.
	// readServer compares them. It is sent apart, so that a pooler which gives each transaction another server is detected.
	applySettings = `SELECT json_object_agg(s.key, set_config(s.key, s.value, false)) FROM json_each_text($1::json) s`
	readServer    = `SELECT (SELECT string_agg(s.key, ', ' ORDER BY s.key) FROM json_each_text($1::json) s
			WHERE current_setting(s.key, true) IS DISTINCT FROM s.value),
		(SELECT system_identifier::text FROM pg_control_system()), pg_is_in_recovery()::text,
		CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END,
		pg_postmaster_start_time()::text, pg_backend_pid()::text`
)

// marker is a setting that no server has by itself. A connection without it belongs to another client.
const marker = "tonql.session"

// Configure makes the pool of a config apply settings to each connection and check them.
func Configure(pc *pgxpool.Config, settings map[string]string) {
	settings = maps.Clone(settings)
	previous := pc.AfterConnect
	pc.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if previous != nil {
			if err := previous(ctx, conn); err != nil {
				return err
			}
		}
		return prepare(ctx, conn, settings)
	}
}

// prepare applies settings to a new connection.
func prepare(ctx context.Context, conn *pgx.Conn, settings map[string]string) error {
	s := Session{Serial: serial.Add(1)}
	mine := maps.Clone(settings)
	if mine == nil {
		mine = map[string]string{}
	}
	mine[marker] = fmt.Sprintf("%p %d", conn, s.Serial)
	text, err := json.Marshal(mine)
	if err != nil {
		return fmt.Errorf("settings of a connection: %w", err)
	}
	pg := conn.PgConn()
	applied, err := query(ctx, pg, applySettings, text)
	if err != nil {
		return sqlbuild.Fault(ctx, "settings of a connection", err)
	}
	row, err := query(ctx, pg, readServer, applied[0])
	if err != nil {
		return sqlbuild.Fault(ctx, "settings of a connection", err)
	}
	if lost := string(row[0]); lost != "" {
		return &chain.Error{Kind: chain.Unavailable, Message: "a connection to the database has lost its settings (" + lost + "): " + needSession}
	}
	s.System, s.Standby = string(row[1]), string(row[2]) == "true"
	s.Timeline, s.Started = string(row[3]), string(row[4])
	s.Pooled = string(row[5]) != fmt.Sprint(pg.PID())
	pg.CustomData()[sessionKey] = s
	return nil
}

// query returns the one row of a query, as texts. It is not seen by tracers and prepares no named statement.
func query(ctx context.Context, pg *pgconn.PgConn, sql string, args ...[]byte) ([][]byte, error) {
	result := pg.ExecParams(ctx, sql, args, nil, nil, nil).Read()
	if result.Err != nil {
		return nil, result.Err
	}
	if len(result.Rows) != 1 {
		return nil, fmt.Errorf("%d rows in place of one", len(result.Rows))
	}
	return slices.Clone(result.Rows[0]), nil
}

const needSession = "a pooler between tonql and PostgreSQL has to work in session mode (pgbouncer: pool_mode = session)"
