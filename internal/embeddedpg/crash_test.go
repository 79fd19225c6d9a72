package embeddedpg

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"tonql/internal/pacetest"
)

func TestStart_RecoversAfterAKilledPostmaster(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	require.NoError(t, s.Err())
	insertValue(t, s.DSN(), "committed")
	require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	requireClosed(t, s.Done())
	require.ErrorContains(t, s.Err(), "ended by itself (signal: killed)")
	require.FileExists(t, filepath.Join(clusterDir(dir), "postmaster.pid"), "a crash leaves the file")
	stop(t, s)
	require.Equal(t, []string{"committed"}, insertedValues(t, start(t, dir).DSN()))
}

func TestRestart_KeepsTheAddress(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	s := start(t, t.TempDir())
	insertValue(t, s.DSN(), "before")
	first := s.Done()
	require.NoError(t, s.Restart(testContext(t)))
	requireClosed(t, first)
	// A cleaner of temporary folders may remove the folder of the socket.
	require.NoError(t, os.RemoveAll(s.socket))
	require.NoError(t, s.Restart(testContext(t)))
	require.NoError(t, s.Err())
	require.Equal(t, []string{"before"}, insertedValues(t, s.DSN()))
}

func TestSupervise_RestartsAKilledServer(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	var group errgroup.Group
	group.Go(func() error { return s.Supervise(testContext(t)) })
	var want []string
	for round := range 3 {
		value := strconv.Itoa(round)
		insertValue(t, s.DSN(), value)
		want = append(want, value)
		run := s.latest()
		require.NoError(t, syscall.Kill(run.cmd.Process.Pid, syscall.SIGKILL))
		eventually(t, func() bool { return s.latest() != run }, "no new run")
		require.Equal(t, want, insertedValues(t, s.DSN()))
	}
	stop(t, s)
	require.NoError(t, group.Wait())
}

func TestSupervise_EndsWithItsContext(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	s := start(t, t.TempDir())
	ctx, cancel := context.WithCancel(testContext(t))
	cancel()
	require.NoError(t, s.Supervise(ctx))
	require.NoError(t, s.Err(), "the server still runs")
}

func TestSupervise_EndsOnADamagedCluster(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	require.NoError(t, os.Remove(filepath.Join(clusterDir(dir), "global", "pg_control")))
	require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	err := s.Supervise(testContext(t))
	require.ErrorIs(t, err, ErrCluster)
	require.ErrorContains(t, err, "restart of PostgreSQL")
}

// The server of a killed tonql ends too, and the next start finds the data.
func TestStart_RecoversAfterAKilledOwner(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	owner, dsn := startOwner(t, dir, nil)
	insertValue(t, dsn, "stored")
	note, err := os.ReadFile(socketNote(dir))
	require.NoError(t, err)
	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
	requireNoServer(t, dir)

	s := start(t, dir)
	require.Equal(t, []string{"stored"}, insertedValues(t, s.DSN()))
	require.NotEqual(t, string(note), s.socket+"\n")
	require.NoDirExists(t, string(note[:len(note)-1]), "the socket folder of the killed process")
}

// Owner and server are killed at once: the pid file and the socket are left behind.
func TestStart_RecoversAfterBothAreKilled(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	owner, dsn := startOwner(t, dir, nil)
	insertValue(t, dsn, "stored")
	require.NoError(t, syscall.Kill(postmaster(t, dir), syscall.SIGKILL))
	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
	require.Equal(t, []string{"stored"}, insertedValues(t, start(t, dir).DSN()))
}

// A server without an owner still uses the folder.
func TestStart_ShutsDownAnOrphanedServer(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	dir := t.TempDir()
	s := start(t, dir)
	insertValue(t, s.DSN(), "one")
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
	require.Equal(t, []string{"one"}, insertedValues(t, again.DSN()))
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

	insertValue(t, start(t, dir).DSN(), "started")
	require.NoError(t, other.Process.Signal(syscall.Signal(0)), "the other process lives")
	require.NoError(t, input.Close())
	require.NoError(t, other.Wait())
}

// The error of a program has the cause, also where the program warns of each file that it cannot remove afterwards.
func TestRunGroup_CauseIsNotHiddenByWarnings(t *testing.T) {
	t.Parallel()
	run := func(script string) error {
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		return runGroup(t.Context(), cmd)
	}
	const cause, warning = `echo "copy: error: could not write file x: Input/output error"; `, `echo "copy: warning: could not remove file: Read-only file system"; `
	err := run(cause + strings.Repeat(warning, 20) + "exit 1")
	require.EqualError(t, err, "exit status 1: copy: error: could not write file x: Input/output error")
	require.ErrorContains(t, run(warning+"exit 1"), "copy: warning: could not remove file")
}

// A program such as pg_basebackup ends with the process that runs it, also when that is killed.
func TestRunGroup_ProgramIsKilledWithItsParent(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends programs with their parents")
	}
	file := filepath.Join(t.TempDir(), "pid")
	parent := exec.Command("/proc/self/exe")
	parent.Env = append(os.Environ(), programEnv+"="+file)
	require.NoError(t, parent.Start())
	pid := 0
	eventually(t, func() bool {
		text, err := os.ReadFile(file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	}, "the program does not start")
	require.Positive(t, pid)
	require.NoError(t, parent.Process.Kill())
	_ = parent.Wait() // killed
	eventually(t, func() bool {
		status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		return err != nil || strings.Contains(string(status), ") Z ")
	}, "the program continues")
}
