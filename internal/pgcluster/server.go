package pgcluster

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tonql/internal/ctxtime"
	"tonql/internal/embeddedpg"
)

// Server is one server of a cluster. Safe for concurrent use.
type Server struct {
	name     string
	embedded *embeddedpg.Server // nil after a failed start
}

// Name returns the name of the server's folder.
func (s *Server) Name() string { return s.name }

// DSN returns the URL of a database on the server.
func (s *Server) DSN(database string) string { return s.embedded.DatabaseDSN(database) }

// Kill ends the server at once, as a loss of the machine would.
func (s *Server) Kill(ctx context.Context) error { return s.named(s.embedded.Kill(ctx)) }

// Restart starts the server again, after [Server.Kill] with a recovery.
func (s *Server) Restart(ctx context.Context) error { return s.named(s.embedded.Restart(ctx)) }

// PauseReplay stops the replay on a standby. It continues to receive the log, so that a promotion loses nothing.
func (s *Server) PauseReplay(ctx context.Context) error {
	return s.until(ctx, `SELECT pg_get_wal_replay_pause_state() = 'paused' FROM pg_wal_replay_pause()`)
}

// ResumeReplay continues the replay.
func (s *Server) ResumeReplay(ctx context.Context) error {
	return s.exec(ctx, `SELECT pg_wal_replay_resume()`)
}

// Detach ends the connection of a standby to its primary: what is committed from now on is lost if the standby is promoted.
func (s *Server) Detach(ctx context.Context) error {
	if err := s.setting(ctx, "primary_conninfo", ""); err != nil {
		return err
	}
	return s.until(ctx, `SELECT count(*) = 0 FROM pg_stat_wal_receiver`)
}

// setting changes a setting of the server, also on a standby.
func (s *Server) setting(ctx context.Context, name, value string) error {
	return s.with(ctx, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, `ALTER SYSTEM SET `+name+` = '`+strings.ReplaceAll(value, `'`, `''`)+`'`); err != nil {
			return err //nolint:wrapcheck // with adds the name
		}
		_, err := conn.Exec(ctx, `SELECT pg_reload_conf()`)
		return err //nolint:wrapcheck // as above
	})
}

func (s *Server) exec(ctx context.Context, statement string) error {
	return s.with(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, statement)
		return err //nolint:wrapcheck // with adds the name
	})
}

// scan reads the one value of a query.
func (s *Server) scan(ctx context.Context, into any, query string, args ...any) error {
	return s.with(ctx, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, query, args...).Scan(into) //nolint:wrapcheck // with adds the name
	})
}

// pollPause is the time between two tries of [Server.until].
const pollPause = 5 * time.Millisecond

// until repeats a query until it returns true.
func (s *Server) until(ctx context.Context, query string, args ...any) error {
	for {
		var done bool
		if err := s.scan(ctx, &done, query, args...); err != nil || done {
			return err
		}
		if !ctxtime.Sleep(ctx, pollPause) {
			return s.named(fmt.Errorf("%s: %w", query, ctx.Err()))
		}
	}
}

func (s *Server) with(ctx context.Context, run func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return s.named(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it is not used any more
	return s.named(run(conn))
}

func (s *Server) named(err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}
