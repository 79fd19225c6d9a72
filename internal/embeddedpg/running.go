package embeddedpg

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tonql/internal/filelock"
)

// Share returns the URL of the server that another process runs on a data folder. It returns false when no server runs there, or it is
// about to stop. Until release is called, [Server.Unused] of that process waits. Commands use it to share the server of another tonql.
func Share(opts Options) (url string, release func(), ok bool) {
	opts, err := opts.withDefaults()
	if err != nil {
		return "", nil, false
	}
	users, err := filelock.Share(usersPath(opts.Dir))
	if err != nil {
		return "", nil, false
	}
	release = func() { _ = users.Close() }
	if url, ok = RunningDSN(opts); !ok {
		release()
		return "", nil, false
	}
	return url, release, true
}

// usersPath is the file that processes lock which share the server.
func usersPath(dir string) string { return filepath.Join(dir, "users") }

// Unused waits until no other process shares the server, and lets none begin to, until Stop has stopped it. It returns the error of ctx
// when that ends first.
func (s *Server) Unused(ctx context.Context) error {
	users, err := filelock.Alone(ctx, usersPath(s.opts.Dir))
	if err != nil {
		return fmt.Errorf("other commands use the database: %w", err)
	}
	s.users = users
	return nil
}

// RunningDSN returns the URL of the server that another process runs on a data folder, which may stop at any moment. It returns false
// when no server runs there.
func RunningDSN(opts Options) (string, bool) {
	opts, err := opts.withDefaults()
	if err != nil {
		return "", false
	}
	note, err := os.ReadFile(socketNote(opts.Dir))
	if err != nil {
		return "", false
	}
	socket := strings.TrimSpace(string(note))
	if _, err := os.Stat(filepath.Join(socket, socketFile())); err != nil {
		return "", false
	}
	return dsn(socket, opts.Database), true
}

// dsn returns the URL of a database behind a socket.
func dsn(socket, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + database}
	u.RawQuery = url.Values{"host": {socket}, "port": {strconv.Itoa(port)}, "sslmode": {"disable"}}.Encode()
	return u.String()
}
