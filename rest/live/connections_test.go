package live

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Clients connect while the server shuts down: a connection may begin at the moment at which the last one ends.
func TestConnections_MayBeginWhileTheirEndIsAwaited(t *testing.T) {
	t.Parallel()
	var c Connections
	require.NoError(t, c.Wait(t.Context()))
	c.Enter()
	cut, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, c.Wait(cut), context.DeadlineExceeded)
	c.Leave()

	var clients, waiting sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for range 2000 {
				c.Enter()
				c.Leave()
			}
		})
		waiting.Go(func() {
			for range 200 {
				if err := c.Wait(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	clients.Wait()
	waiting.Wait()
	require.Zero(t, c.n)
}
