package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/embeddedpg"
	"tonql/internal/pacetest"
)

// postmaster returns the process id of the private PostgreSQL of a data folder, 0 when none runs.
func postmaster(data string) int {
	text, err := os.ReadFile(filepath.Join(data, "postgres", "cluster", "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || syscall.Kill(pid, 0) != nil {
		return 0
	}
	return pid
}

// When PostgreSQL is killed at any moment of a start (during recovery, during migrations, while the first components
// start), it is restarted and the start continues.
func TestUp_PostgresKilledDuringStartIsRestarted(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	rounds := 10
	if pacetest.Short() {
		rounds = 3
	}
	for round := range rounds {
		p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--no-scenario")
		begun := time.Now()
		require.Eventually(t, func() bool { return postmaster(data) != 0 }, time.Minute, time.Millisecond)
		// From the moment when the server process starts to that when the service runs.
		moment := time.Duration(round*round) * 12 * time.Millisecond
		killed := 0
		require.Eventually(t, func() bool {
			if pid := postmaster(data); pid != 0 && time.Since(begun) >= moment {
				killed = pid
				return syscall.Kill(pid, syscall.SIGKILL) == nil
			}
			return false
		}, time.Minute, time.Millisecond)
		base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
		eventually(t, time.Minute, "PostgreSQL runs again", func() bool { pid := postmaster(data); return pid != 0 && pid != killed })
		eventually(t, time.Minute, "the service is ready", func() bool { return readyz(t, base).Ready })
		p.interrupt(15 * time.Second)
		require.Empty(t, children(t, data))
	}
}

// `tonql up | head` stops in order when head ends: no process and no folder is left.
func TestUp_ClosedOutputStopsInOrder(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	path, err := binary()
	require.NoError(t, err)
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(path, "up", "--data", data, "--listen", "127.0.0.1:0", "--no-scenario")
	read, write, err := os.Pipe()
	require.NoError(t, err)
	cmd.Stdout, cmd.Stderr, cmd.Env = write, write, environmentWithoutOurs()
	require.NoError(t, cmd.Start())
	require.NoError(t, write.Close())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() })

	lines := bufio.NewScanner(read)
	for lines.Scan() && !strings.Contains(lines.Text(), "Ctrl-C stops everything") {
	}
	note, err := os.ReadFile(filepath.Join(data, "postgres", "socket"))
	require.NoError(t, err)
	socket := strings.TrimSpace(string(note))
	require.DirExists(t, socket)
	require.NoError(t, read.Close())
	select {
	case err := <-ended:
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
		require.Equal(t, brokenPipe, exit.ExitCode())
	case <-time.After(time.Minute):
		require.Fail(t, "tonql still runs although nobody reads its output")
	}
	require.NoDirExists(t, socket)
	require.Empty(t, children(t, data))
}

// Services whose output goes to a full disk run, and end as usual.
func TestServices_RunWithOutputToAFullDisk(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	path, err := binary()
	require.NoError(t, err)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full, the device that is always full")
	}
	defer full.Close()
	data := t.TempDir()
	cmd := exec.Command(path, "devnet", "--data", data)
	cmd.Stdout, cmd.Stderr, cmd.Env = full, full, environmentWithoutOurs()
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	blocks := func() string {
		rounds, err := os.ReadFile(filepath.Join(data, "devnet", "chain", "rounds.log"))
		if err != nil {
			return ""
		}
		return string(rounds)
	}
	began := ""
	eventually(t, time.Minute, "the chain has blocks", func() bool { began = blocks(); return began != "" })
	eventually(t, time.Minute, "the chain continues", func() bool { return len(blocks()) > len(began)+1 })
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		require.Fail(t, "tonql still runs")
	}
}

// The socket folder that a killed tonql leaves is removed by the next one, also with another data folder.
func TestUp_SocketFolderOfKilledProcessIsRemoved(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--no-scenario")
	p.expect(`Ctrl-C stops everything`, time.Minute)
	note, err := os.ReadFile(filepath.Join(data, "postgres", "socket"))
	require.NoError(t, err)
	socket := strings.TrimSpace(string(note))
	require.DirExists(t, socket)
	require.NoError(t, p.cmd.Process.Kill())
	<-p.ended
	runCommand(t, "migrate", "--data", filepath.Join(t.TempDir(), "other"))
	require.NoDirExists(t, socket)
}

// smallDisk mounts a file system of 256 MiB that every user may enter.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting a file system needs root")
	}
	disk, err := os.MkdirTemp("", "tonql-disk-") //nolint:usetesting // every user may enter it
	require.NoError(t, err)
	require.NoError(t, os.Chmod(disk, 0o755))
	t.Cleanup(func() { require.NoError(t, os.Remove(disk)) })
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256m,mode=0755"); err != nil {
		t.Skip("this machine mounts no file system: " + err.Error())
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(disk, syscall.MNT_DETACH)) })
	return disk
}

// fillDisk fills the free space of a disk, freeDisk releases it.
func fillDisk(t *testing.T, disk string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(disk, "filler"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(t, err)
	_, err = io.Copy(file, endless{})
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, file.Close())
}

func freeDisk(t *testing.T, disk string) {
	t.Helper()
	require.NoError(t, os.Remove(filepath.Join(disk, "filler")))
}

// A full disk of a database that tonql did not start is detected by the errors of the database.
func TestUp_FullDiskOfOtherDatabaseIsReported(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	disk := smallDisk(t)
	server, err := embeddedpg.Start(t.Context(), embeddedpg.Options{
		Dir: filepath.Join(disk, "postgres"), Fast: true, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.Background())) })
	p := start(t, "up", "--database-url", server.DSN(), "--data", t.TempDir(), "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })
	fillDisk(t, disk)
	seen, polls := 0, 0
	eventually(t, time.Minute, "/readyz reports the full disk repeatedly", func() bool {
		r := readyz(t, base)
		polls++
		if !r.Ready && strings.Contains(strings.Join(r.Reasons, " "), "the disk of the database is full") {
			seen++
		}
		return seen >= 20
	})
	t.Logf("/readyz named the full disk in %d of %d polls", seen, polls)
	last := readyz(t, base).Index.Last
	freeDisk(t, disk)
	eventually(t, 2*time.Minute, "indexing continues when there is space again", func() bool { return follows(t, base, last+3) })
	p.interrupt(15 * time.Second)
}

// A full disk is reported at once, and indexing continues automatically when there is space again.
func TestUp_FullDiskIsReported(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	disk := smallDisk(t)
	data := filepath.Join(disk, "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })

	fill := func() { fillDisk(t, disk) }
	fill()
	full := regexp.MustCompile(`(?i)disk of the (data folder|database) is full`)
	begun := time.Now()
	eventually(t, time.Minute, "/readyz reports the full disk", func() bool {
		r := readyz(t, base)
		return !r.Ready && full.MatchString(strings.Join(r.Reasons, " "))
	})
	t.Logf("/readyz named the full disk after %s", time.Since(begun).Round(time.Millisecond))
	eventually(t, time.Minute, "the log reports it, too", func() bool {
		return strings.Contains(p.stderr.String(), "o space left on device") || full.MatchString(p.stderr.String())
	})
	fill() // the space that was freed meanwhile
	status, _ := get(t, base+"/healthz")
	require.Equal(t, 200, status)

	freeDisk(t, disk)
	last := uint32(5)
	if r := readyz(t, base); r.Index != nil {
		last = r.Index.Last
	}
	eventually(t, 2*time.Minute, "indexing continues when there is space again", func() bool { return follows(t, base, last+3) })
	p.interrupt(15 * time.Second)
}

// endless is a reader of zeroes without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
