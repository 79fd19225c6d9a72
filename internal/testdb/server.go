package testdb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tonql/internal/embeddedpg"
	"tonql/internal/temptest"
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
	remove   func() error // removes the folder of embedded
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
	dir, remove, err := temptest.Folder("tonql-test-postgres-")
	if err != nil {
		return "", fmt.Errorf("folder of the test server: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	o := embeddedpg.Options{Dir: filepath.Join(dir, "postgres"), MaxConnections: 100, Logger: slog.New(slog.DiscardHandler)}
	if !temptest.Benchmarking() { // which measure the settings of tonql itself
		o.Fast, o.Settings = true, map[string]string{"autovacuum_naptime": "10s"}
	}
	server, err := embeddedpg.Start(ctx, o)
	if err != nil {
		return "", fmt.Errorf("test server: %w", errors.Join(err, remove()))
	}
	shared.embedded, shared.remove = server, remove
	return server.DSN(), nil
}

// stopServer ends the private server and removes its folder. Of a server that stays it drops what no test did.
func stopServer() error {
	shared.Lock()
	embedded := shared.embedded
	shared.Unlock()
	if embedded == nil {
		return dropFilled()
	}
	shared.Lock()
	defer shared.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	err := shared.embedded.Stop(ctx)
	err = errors.Join(err, shared.remove())
	shared.embedded, shared.dsn = nil, ""
	return err
}
