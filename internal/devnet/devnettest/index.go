package devnettest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer"
	"tonql/internal/store"
)

// Index runs an indexer of the network into db until stop is called, at the latest when the test ends. stop returns
// when the indexer has ended and fails the test when it ended with an error; it may be called more than once.
func (n *Network) Index(tb testing.TB, db *store.DB, opts indexer.Options) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(n.ctx)
	done := make(chan error, 1)
	x := indexer.New(n.Client, db, opts)
	go func() { done <- x.Run(ctx) }()
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		require.NoError(tb, <-done)
	}
	tb.Cleanup(stop)
	return stop
}

// WaitIndexed waits until db holds the chain's newest block and all blocks between it and the oldest in db.
func (n *Network) WaitIndexed(tb testing.TB, db *store.DB) {
	tb.Helper()
	head := n.Head()
	require.Eventually(tb, func() bool {
		ranges, err := db.Reader().Ranges(n.ctx)
		return err == nil && len(ranges) == 1 && ranges[0].Last == head
	}, indexTimeout, 10*time.Millisecond)
}
