package storetest

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// RunConcurrently runs n calls at the same time and returns how many succeed; the others fail as Invalid.
func RunConcurrently(t *testing.T, n int, call func(i int) error) int {
	t.Helper()
	var done atomic.Int64
	var all sync.WaitGroup
	refusals := make([]error, n)
	for i := range n {
		all.Go(func() {
			if refusals[i] = call(i); refusals[i] == nil {
				done.Add(1)
			}
		})
	}
	all.Wait()
	for _, err := range refusals {
		if err != nil {
			require.Equal(t, chain.Invalid, chain.KindOf(err), "%v", err)
		}
	}
	return int(done.Load())
}
