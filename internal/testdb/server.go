package testdb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"tonql/internal/embeddedpg"
)

// Environment is the variable that names a server to use instead of a private one.
const Environment = "TONQL_TEST_DATABASE_URL"

const startTimeout = 2 * time.Minute

// shared is the server of this test binary.
var shared struct {
	sync.Mutex
	dsn      string // of any database of the server; empty until started
	err      error
	embedded *embeddedpg.Server
	dir      string
}

// serverDSN is the DSN of the server, which it starts when there is none.
func serverDSN() (string, error) {
	shared.Lock()
	defer shared.Unlock()
	if shared.dsn != "" || shared.err != nil {
		return shared.dsn, shared.err
	}
	if dsn := os.Getenv(Environment); dsn != "" {
		shared.dsn = dsn
		return dsn, nil
	}
	shared.dsn, shared.err = startServer()
	return shared.dsn, shared.err
}

func startServer() (string, error) {
	removeOrphans()
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", folderPrefix, os.Getpid()))
	if err != nil {
		return "", fmt.Errorf("folder of the test server: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	server, err := embeddedpg.Start(ctx, embeddedpg.Options{
		Dir: dir, Fast: true, MaxConnections: 100, Logger: slog.New(slog.DiscardHandler),
		Settings: map[string]string{"autovacuum_naptime": "10s"},
	})
	if err != nil {
		_ = os.RemoveAll(dir)
		return "", fmt.Errorf("test server: %w", err)
	}
	shared.embedded, shared.dir = server, dir
	return server.DSN(), nil
}

// stopServer ends the private server and removes its folder.
func stopServer() error {
	shared.Lock()
	defer shared.Unlock()
	if shared.embedded == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	err := shared.embedded.Stop(ctx)
	err = errors.Join(err, os.RemoveAll(shared.dir))
	shared.embedded, shared.dsn = nil, ""
	return err
}

const folderPrefix = "tonql-testdb-"

// removeOrphans removes the folders of test binaries that were killed. A folder's name carries its owner's process id.
func removeOrphans() {
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range folders {
		number, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), folderPrefix), "-")
		pid, err := strconv.Atoi(number)
		if err == nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && old(folder) {
			_ = os.RemoveAll(folder)
		}
	}
}

// old gives a dying server a moment to leave its folder.
func old(folder string) bool {
	info, err := os.Stat(folder)
	return err == nil && time.Since(info.ModTime()) > time.Minute
}
