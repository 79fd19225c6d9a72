// Package pgbouncertest starts pgbouncer in front of a private PostgreSQL for tests.
package pgbouncertest

import (
	"bytes"
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/temptest"
)

const timeout = pacetest.Slow * 20 * time.Second // of the start

// Environment is the variable that turns the skip of a test without pgbouncer into a failure.
const Environment = "TONQL_REQUIRE_PGBOUNCER"

// Options configure pgbouncer.
type Options struct {
	Mode     string // pool_mode: session, transaction or statement
	PoolSize int    // connections to each database; 0 means 60
	// Reset is server_reset_query; empty is that of pgbouncer, DISCARD ALL.
	Reset *string
}

// Start starts pgbouncer in front of the server of dsn until the test ends. It returns the URL of the
// same database through pgbouncer. Without pgbouncer, the test is skipped.
func Start(tb testing.TB, dsn string, o Options) string {
	tb.Helper()
	program := find(tb)
	server, err := url.Parse(dsn)
	require.NoError(tb, err)
	socket := server.Query().Get("host") // a folder, or empty for TCP
	host, port := cmp.Or(socket, server.Hostname()), cmp.Or(server.Query().Get("port"), server.Port(), "5432")
	dir, remove, err := temptest.Folder("tonql-test-pgbouncer-")
	require.NoError(tb, err)
	if o.PoolSize == 0 {
		o.PoolSize = 60
	}
	var config strings.Builder
	fmt.Fprintf(&config, "[databases]\n* = host=%s port=%s user=%s", host, port, server.User.Username())
	if password, ok := server.User.Password(); ok {
		fmt.Fprintf(&config, " password='%s'", password)
	}
	fmt.Fprintf(&config, "\n[pgbouncer]\nunix_socket_dir = %s\nlisten_port = 6432\nauth_type = any\npool_mode = %s\n", dir, o.Mode)
	fmt.Fprintf(&config, "default_pool_size = %d\nmax_client_conn = 200\n", o.PoolSize)
	if o.Reset != nil {
		fmt.Fprintf(&config, "server_reset_query = %s\n", *o.Reset)
	}
	file := filepath.Join(dir, "pgbouncer.ini")
	require.NoError(tb, os.WriteFile(file, []byte(config.String()), 0o644))
	var output bytes.Buffer
	cmd := exec.CommandContext(tb.Context(), program, file)
	cmd.Stdout, cmd.Stderr, cmd.Dir = &output, &output, "/"
	own(tb, cmd, socket, dir)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGKILL) }
	require.NoError(tb, cmd.Start())
	tb.Cleanup(func() {
		_ = cmd.Wait() // killed with the context of the test
		require.NoError(tb, remove())
	})
	require.Eventually(tb, func() bool {
		c, err := (&net.Dialer{}).DialContext(tb.Context(), "unix", filepath.Join(dir, ".s.PGSQL.6432"))
		if err != nil {
			return false
		}
		return c.Close() == nil
	}, timeout, 10*time.Millisecond)
	q := url.Values{"host": {dir}, "port": {"6432"}, "sslmode": {"disable"}}
	return (&url.URL{Scheme: "postgres", User: server.User, Path: server.Path, RawQuery: q.Encode()}).String()
}

// own runs pgbouncer as the account that may pass to the socket of the server: it refuses to run as root.
func own(tb testing.TB, cmd *exec.Cmd, socket, dir string) {
	tb.Helper()
	if os.Geteuid() != 0 {
		return
	}
	account := syscall.Credential{Uid: nobody, Gid: nobody}
	if socket != "" {
		info, err := os.Stat(socket)
		require.NoError(tb, err)
		owner, ok := info.Sys().(*syscall.Stat_t)
		require.True(tb, ok)
		account = syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
	}
	require.NoError(tb, os.Chown(dir, int(account.Uid), int(account.Gid)))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &account}
}

// nobody is the account without rights.
const nobody = 65534

func find(tb testing.TB) string {
	tb.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/pgbouncer")
	}
	if err != nil && os.Getenv(Environment) == "" {
		tb.Skip("pgbouncer is not installed (Debian: apt-get install pgbouncer)")
	}
	require.NoError(tb, err)
	return program
}
