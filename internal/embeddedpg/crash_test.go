package embeddedpg

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

func TestKilledPostmaster(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	require.NoError(t, s.Err())
	remember(t, s.DSN(), "committed")
	require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	closed(t, s.Done())
	require.ErrorContains(t, s.Err(), "ended by itself (signal: killed)")
	require.FileExists(t, filepath.Join(clusterDir(dir), "postmaster.pid"), "what a crash leaves")
	stop(t, s)
	require.Equal(t, []string{"committed"}, remembered(t, start(t, dir).DSN()))
}

func TestRestartKeepsAddress(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	remember(t, s.DSN(), "before")
	first := s.Done()
	require.NoError(t, s.Restart(limit(t)))
	closed(t, first)
	// Cleaners of temporary folders may take the socket's folder away.
	require.NoError(t, os.RemoveAll(s.socket))
	require.NoError(t, s.Restart(limit(t)))
	require.NoError(t, s.Err())
	require.Equal(t, []string{"before"}, remembered(t, s.DSN()))
}

func TestSupervise(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	var group errgroup.Group
	group.Go(func() error { return s.Supervise(limit(t)) })
	var want []string
	for round := range 3 {
		value := strconv.Itoa(round)
		remember(t, s.DSN(), value)
		want = append(want, value)
		run := s.latest()
		require.NoError(t, syscall.Kill(run.cmd.Process.Pid, syscall.SIGKILL))
		eventually(t, func() bool { return s.latest() != run }, "no new run")
		require.Equal(t, want, remembered(t, s.DSN()))
	}
	stop(t, s)
	require.NoError(t, group.Wait())
}

func TestSuperviseEndsWithContext(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	ctx, cancel := context.WithCancel(limit(t))
	cancel()
	require.NoError(t, s.Supervise(ctx))
	require.NoError(t, s.Err(), "the server still runs")
}

func TestSuperviseGivesUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	require.NoError(t, os.Remove(filepath.Join(clusterDir(dir), "global", "pg_control")))
	require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	err := s.Supervise(limit(t))
	require.ErrorIs(t, err, ErrCluster)
	require.ErrorContains(t, err, "restart of PostgreSQL")
}

// A tonql that is killed takes its server along, and the next one finds the data.
func TestKilledOwner(t *testing.T) {
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	owner, dsn := startMinder(t, dir, nil)
	remember(t, dsn, "stored")
	note, err := os.ReadFile(socketNote(dir))
	require.NoError(t, err)
	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
	requireNoServer(t, dir)

	s := start(t, dir)
	require.Equal(t, []string{"stored"}, remembered(t, s.DSN()))
	require.NotEqual(t, string(note), s.socket+"\n")
	require.NoDirExists(t, string(note[:len(note)-1]), "the socket folder of the killed one")
}

// Both are killed at once: the pid file and the socket stay, the next start recovers.
func TestKilledOwnerAndPostmaster(t *testing.T) {
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	owner, dsn := startMinder(t, dir, nil)
	remember(t, dsn, "stored")
	require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
	require.Equal(t, []string{"stored"}, remembered(t, start(t, dir).DSN()))
}

// A server without an owner still runs on the folder.
func TestOrphanIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	remember(t, s.DSN(), "one")
	stop(t, s)

	socket, err := makeSocketDirIn("/tmp", s.account)
	require.NoError(t, err)
	defer os.RemoveAll(socket)
	args := arguments(s.opts.settings(socket, fallbackMemory))
	orphan, release, err := command(clusterDir(dir), s.account, s.bin.postgres(), args...)
	require.NoError(t, err)
	require.NoError(t, orphan.Start())
	release()
	eventually(t, func() bool { return reportsReady(clusterDir(dir), orphan.Process.Pid) }, "orphan is not ready")
	ended := make(chan error, 1)
	go func() { ended <- orphan.Wait() }()

	again := start(t, dir)
	require.NoError(t, <-ended, "an orderly shutdown")
	require.Equal(t, []string{"one"}, remembered(t, again.DSN()))
}

// After a reboot the number in the pid file may belong to another process, even one of the
// same account. The server alone would refuse to start.
func TestStart_StalePidOfAnotherProcessIsIgnored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	stop(t, s)

	other := exec.Command("cat")
	other.Dir = "/"
	other.SysProcAttr = &syscall.SysProcAttr{Credential: s.account.credential()}
	input, err := other.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	stale := strconv.Itoa(other.Process.Pid) + "\n" + clusterDir(dir) + "\n1\n5432\n/tmp\n\n1 1\nready\n"
	file := filepath.Join(clusterDir(dir), "postmaster.pid")
	require.NoError(t, os.WriteFile(file, []byte(stale), 0o600))
	require.NoError(t, s.account.take(file))

	remember(t, start(t, dir).DSN(), "started")
	require.NoError(t, other.Process.Signal(syscall.Signal(0)), "the other process lives")
	require.NoError(t, input.Close())
	require.NoError(t, other.Wait())
}
