package session

import (
	"context"
	"crypto/rand"
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
	// Mark is the value of the setting [Marker] on a connection through a pooler; "" without a pooler.
	Mark string
}

var (
	serial  atomic.Uint64
	process = rand.Text() // this process in marks
)

const sessionKey = "tonql session"

// Of returns the session of a connection that [Configure] has prepared.
func Of(conn *pgx.Conn) Session {
	s, _ := conn.PgConn().CustomData()[sessionKey].(Session)
	return s
}

const (
	// readServer reads the identity of the server.
	readServer = `SELECT (SELECT system_identifier::text FROM pg_control_system()), pg_is_in_recovery()::text,
		CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END,
		pg_postmaster_start_time()::text, pg_backend_pid()::text`

	// applySettings applies settings, a JSON object of texts, and returns them in the form in which the server shows them.
	// lostSettings names those that are not in effect. They are sent apart, so that a pooler which gives each transaction
	// another server is detected.
	applySettings = `SELECT json_object_agg(s.key, set_config(s.key, s.value, false)) FROM json_each_text($1::json) s`
	lostSettings  = `SELECT coalesce(string_agg(s.key, ', ' ORDER BY s.key), '') FROM json_each_text($1::json) s
		WHERE current_setting(s.key, true) IS DISTINCT FROM s.value`
)

// Marker is a setting that no server has by itself. On a connection through a pooler it has the value of [Session.Mark];
// otherwise the pooler has connected the client to another session.
const Marker = "tonql.session"

// Configure makes the pool of a config apply settings to each connection and check them.
func Configure(pc *pgxpool.Config, settings map[string]string) {
	settings = maps.Clone(settings)
	pc.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error { return prepare(ctx, conn, settings) }
}

// prepare applies settings to a new connection.
func prepare(ctx context.Context, conn *pgx.Conn, settings map[string]string) error {
	pg := conn.PgConn()
	row, err := query(ctx, pg, readServer)
	if err != nil {
		return sqlbuild.Fault(ctx, "identity of the database server", err)
	}
	s := Session{Serial: serial.Add(1), Server: Server{
		System: string(row[0]), Standby: string(row[1]) == "true", Timeline: string(row[2]), Started: string(row[3]),
	}}
	if isPooled(pg, row[4]) {
		s.Mark = fmt.Sprintf("%s %d", process, s.Serial)
		applied := map[string]string{Marker: s.Mark}
		for name, value := range conn.Config().RuntimeParams {
			if name != "options" { // which name settings, and are none
				applied[name] = value
			}
		}
		maps.Copy(applied, settings)
		settings = applied
		// What an earlier client may have left: settings and prepared statements. It resets those of the start of the connection, too.
		if err := pg.Exec(ctx, `DISCARD ALL`).Close(); err != nil {
			return sqlbuild.Fault(ctx, "settings of a connection", err)
		}
	}
	if err := apply(ctx, pg, settings, s.Mark != ""); err != nil {
		return err
	}
	pg.CustomData()[sessionKey] = s
	return nil
}

// apply applies settings, and checks that they stay in effect.
func apply(ctx context.Context, pg *pgconn.PgConn, settings map[string]string, check bool) error {
	if len(settings) == 0 {
		return nil
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return fmt.Errorf("settings of a connection: %w", err)
	}
	applied, err := query(ctx, pg, applySettings, text)
	if err != nil || !check {
		return sqlbuild.Fault(ctx, "settings of a connection", err)
	}
	lost, err := query(ctx, pg, lostSettings, applied[0])
	if err != nil {
		return sqlbuild.Fault(ctx, "settings of a connection", err)
	}
	if names := string(lost[0]); names != "" {
		return chain.Unavailablef(nil, "a connection to the database has lost its settings (%s): %s", names, needSession)
	}
	return nil
}

// Check returns an error when a connection has another mark than that of s. The connection must be closed then.
func (s Session) Check(mark string) error {
	if mark != s.Mark {
		return chain.Transientf(nil, "a connection to the database has lost its settings: %s", needSession)
	}
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
