package pgclustertest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pgcluster"
)

// LoseNewest lets the standby of a cluster miss what lost writes, and makes it the primary.
func LoseNewest(t *testing.T, c *pgcluster.Cluster, lost func()) {
	t.Helper()
	standby := c.Servers()[1]
	require.NoError(t, c.WaitReplayed(t.Context(), standby))
	require.NoError(t, standby.Detach(t.Context()))
	lost()
	require.NoError(t, c.Primary().Kill(t.Context()))
	require.NoError(t, c.Promote(t.Context(), standby))
}

// Retried repeats a write whose first try may find the connection lost.
func Retried(t *testing.T, write func() error) {
	t.Helper()
	require.Eventually(t, func() bool { return write() == nil }, time.Minute, 10*time.Millisecond)
}
