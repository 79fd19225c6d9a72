package testdb

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/store"
)

// Copies are databases with the same rows: the first test of a process fills one, of which every test has a copy. To copy is cheaper than
// to index the same blocks again.
type Copies struct {
	mu   sync.Mutex
	name string // of the filled database; empty before
}

// filled are the databases that [Copies] have filled, which no test drops.
var filled struct {
	sync.Mutex
	names []string
}

// New opens a copy; fill fills the original if this is the first one.
func (c *Copies) New(t testing.TB, fill func(*store.DB)) *store.DB {
	t.Helper()
	return Open(t, c.URL(t, fill))
}

// URL returns the DSN of a copy; fill fills the original if this is the first one.
func (c *Copies) URL(t testing.TB, fill func(*store.DB)) string {
	t.Helper()
	return create(t, c.original(t, fill))
}

func (c *Copies) original(t testing.TB, fill func(*store.DB)) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name != "" {
		return c.name
	}
	template, err := templateName()
	require.NoError(t, err)
	name := newName()
	require.NoError(t, clone(name, template))
	filled.Lock()
	filled.names = append(filled.names, name)
	filled.Unlock()
	dsn, err := serverDSN()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	db, err := store.Open(ctx, poolsOf(withDatabase(dsn, name), 6))
	require.NoError(t, err)
	func() {
		defer db.Close()
		fill(db)
	}()
	// A database that is in use cannot be copied; a pooler keeps connections that are not used any more.
	require.NoError(t, admin(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '`+name+`'`))
	c.name = name
	return name
}

// dropFilled drops the originals on a server that outlives the process.
func dropFilled() error {
	filled.Lock()
	defer filled.Unlock()
	for _, name := range filled.names {
		if err := admin(`DROP DATABASE ` + name + ` WITH (FORCE)`); err != nil {
			return fmt.Errorf("database %s: %w", name, err)
		}
	}
	filled.names = nil
	return nil
}
