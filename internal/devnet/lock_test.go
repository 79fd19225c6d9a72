package devnet

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/filelock"
)

// Two processes in one folder would overwrite each other's blocks.
func TestStart_FolderInUseIsRefused(t *testing.T) {
	t.Parallel()
	ctx, dir := testContext(t), t.TempDir()
	_, running, err := Running(ctx, dir)
	require.NoError(t, err)
	require.False(t, running)

	d := start(ctx, t, Options{Dir: dir, Interval: ByHand, Admin: "127.0.0.1:0"})
	_, err = Start(ctx, Options{Dir: dir, Interval: ByHand})
	require.ErrorContains(t, err, "in use by another tonql (process ")
	network, running, err := Running(ctx, dir)
	require.NoError(t, err)
	require.True(t, running)
	require.Equal(t, Other{GlobalConfig: d.GlobalConfigPath(), Admin: d.AdminAddr()}, network)

	require.NoError(t, d.Close())
	_, running, err = Running(ctx, dir)
	require.NoError(t, err)
	require.False(t, running, "what a network that has ended left behind")
	start(ctx, t, Options{Dir: dir, Interval: ByHand})
	network, _, err = Running(ctx, dir)
	require.NoError(t, err)
	require.Empty(t, network.Admin)
}

// The config of an earlier run names a port on which no server listens.
func TestRunning_WaitsForAStartingNetwork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, configName), []byte("{}"), 0o600))
	lock, err := lockDir(dir)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(testContext(t))
	cancel()
	_, running, err := Running(ctx, dir)
	require.ErrorContains(t, err, "does not listen yet")
	require.False(t, running)

	found := make(chan bool, 1)
	go func() {
		_, running, err := Running(testContext(t), dir)
		found <- err == nil && running
	}()
	require.NoError(t, filelock.Note(lock, listening))
	require.True(t, <-found)
	require.NoError(t, lock.Close())
}
