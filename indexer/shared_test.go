package indexer_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"tonql/indexer"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/node"
	"tonql/internal/store"
	"tonql/internal/testdb"
)

// chains are those of newNetwork that tests only read, by the number of their blocks. They end with the process.
var chains struct {
	sync.Mutex
	by       map[uint32]*sharedChain
	cleanups []func()
}

type sharedChain struct {
	sync.Once

	network *devnettest.Network
	index   testdb.Copies
}

// lasting is a test whose cleanups run when the process ends.
type lasting struct{ testing.TB }

func (lasting) Cleanup(f func()) {
	chains.Lock()
	defer chains.Unlock()
	chains.cleanups = append(chains.cleanups, f)
}

// closing ends the shared chains after the tests.
type closing struct{ *testing.M }

func (c closing) Run() int {
	code := c.M.Run()
	for _, f := range slices.Backward(chains.cleanups) {
		f()
	}
	return code
}

func chainOf(tb testing.TB, blocks uint32) *sharedChain {
	tb.Helper()
	chains.Lock()
	c := chains.by[blocks]
	if c == nil {
		if chains.by == nil {
			chains.by = map[uint32]*sharedChain{}
		}
		c = &sharedChain{}
		chains.by[blocks] = c
	}
	chains.Unlock()
	c.Do(func() { c.network = newNetwork(context.Background(), lasting{tb}, blocks) })
	if c.network == nil {
		tb.Fatal("the first test that needed the chain failed")
	}
	return c
}

// newIndex returns a client of a chain that no test may extend, and a database with all its blocks, as one run indexed them.
func newIndex(ctx context.Context, tb testing.TB, blocks uint32) (*node.Client, *store.DB) {
	tb.Helper()
	src, url := newIndexURL(ctx, tb, blocks)
	return src, testdb.Open(tb, url)
}

// newIndexURL is newIndex for a database that the test opens itself.
func newIndexURL(ctx context.Context, tb testing.TB, blocks uint32) (src *node.Client, url string) {
	tb.Helper()
	c := chainOf(tb, blocks)
	return c.network.Client, c.index.URL(tb, func(db *store.DB) { run(ctx, tb, c.network.Client, db, 1, blocks, indexer.Options{}) })
}
