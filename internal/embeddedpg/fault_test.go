package embeddedpg

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// startKiller kills the servers on the clusters as they start, up to times in all. killed stops it and returns the
// number.
func startKiller(t *testing.T, dirs []string, times int) (killed func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	count, seen := 0, map[int]bool{}
	running.Go(func() {
		for tick := time.NewTicker(time.Millisecond); ctx.Err() == nil && count < times; <-tick.C {
			for _, dir := range dirs {
				for _, pid := range serversOn(dir) {
					if !seen[pid] && count < times {
						seen[pid] = true
						count++
						_ = syscall.Kill(pid, syscall.SIGKILL)
					}
				}
			}
		}
	})
	t.Cleanup(func() { cancel(); running.Wait() })
	return func() int { cancel(); running.Wait(); return count }
}

// A machine that is short of memory may kill a server while it starts.
func TestStart_RepeatsAfterAKilledServer(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	s := start(t, dir)
	insertValue(t, s.DSN(), "before")
	stop(t, s)
	killed := startKiller(t, []string{clusterDir(dir)}, 3)
	s = start(t, dir)
	require.Equal(t, 3, killed(), "it was killed while it started")
	require.Equal(t, []string{"before"}, insertedValues(t, s.DSN()))
}

func TestStart_RepeatsAfterAKilledInitdb(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	killed, over := make(chan int, 1), testContext(t)
	go func() {
		for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
			if pid := initdbPID(clusterDir(dir) + ".new"); pid != 0 && syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed <- pid
				return
			}
			if over.Err() != nil {
				killed <- 0
				return
			}
		}
	}()
	s := start(t, dir)
	require.NotZero(t, <-killed)
	insertValue(t, s.DSN(), "after")
}

// initdbPID returns the process id of the initdb that makes a cluster, or 0.
func initdbPID(cluster string) int {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0
	}
	for _, name := range names {
		comm, _ := os.ReadFile(filepath.Join(name, "comm")) // empty when the process has ended
		folder, _ := os.Readlink(filepath.Join(name, "fd", "3"))
		line, _ := os.ReadFile(filepath.Join(name, "cmdline"))
		if strings.TrimSpace(string(comm)) == "initdb" && (folder == cluster || strings.Contains(string(line), cluster)) {
			pid, _ := strconv.Atoi(filepath.Base(name)) // the pattern allows digits only
			return pid
		}
	}
	return 0
}

// smallDisk mounts a file system of the size.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	needRoot(t)
	dir := publicFolder(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+",mode=0755"); err != nil {
		t.Skip("tmpfs cannot be mounted here: " + err.Error())
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// fillDisk uses all space of a disk until free is called.
func fillDisk(t *testing.T, dir string) (free func()) {
	t.Helper()
	path := filepath.Join(dir, "filler")
	file, err := os.Create(path)
	require.NoError(t, err)
	for chunk := make([]byte, 1<<20); err == nil; {
		_, err = file.Write(chunk)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, file.Close())
	return func() { require.NoError(t, os.Remove(path)) }
}

func TestSupervise_FullDiskIsNoDamage(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	disk := smallDisk(t, "160m")
	dir := filepath.Join(disk, "data")
	s := start(t, dir)
	opts := Options{Dir: dir}
	require.False(t, Full(opts))
	insertValue(t, s.DSN(), "before")
	free := fillDisk(t, disk)
	require.True(t, Full(opts))

	// A restarted server has no space for its log; the supervisor retries until there is.
	ctx, cancel := context.WithCancel(testContext(t))
	ended := make(chan error, 1)
	go func() { ended <- s.Supervise(ctx) }()
	run := s.latest()
	require.NoError(t, syscall.Kill(run.cmd.Process.Pid, syscall.SIGKILL))
	requireClosed(t, run.done)
	require.Never(t, func() bool { return len(ended) > 0 }, time.Second, 100*time.Millisecond, "the supervisor retries")
	free()
	eventually(t, func() bool { return s.latest() != run }, "the server is not restarted")
	require.Equal(t, []string{"before"}, insertedValues(t, s.DSN()))
	cancel()
	require.NoError(t, <-ended)
}

// A full disk is no damage, also when a half of a page fits and PostgreSQL advises to use a backup.
func TestNoSpace_KnowsTheTextsOfPostgreSQL(t *testing.T) {
	t.Parallel()
	for text, full := range map[string]bool{
		"FATAL:  could not write lock file \"postmaster.pid\": No space left on device": true,
		"HINT:  This probably means that some data is corrupted and you will have to use the last backup for recovery.; FATAL:  could not extend file " +
			"\"base/16384/16501\": wrote only 4096 of 8192 bytes at block 0; HINT:  Check free disk space.": true,
		"PANIC:  could not locate a valid checkpoint record": false,
	} {
		require.Equal(t, full, noSpace(text), text)
	}
}

// A backup into a full folder is reported with the place to free, and leaves nothing.
func TestBackup_ReportsAFullDisk(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	opts := Options{Dir: filepath.Join(publicFolder(t), "data"), Logger: slog.New(slog.DiscardHandler)}
	s, err := Start(testContext(t), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Stop(context.Background())) })
	disk := smallDisk(t, "16m")
	err = Backup(testContext(t), opts, filepath.Join(disk, "backup"))
	require.ErrorIs(t, err, ErrDiskFull)
	require.ErrorContains(t, err, "the disk of "+disk+" is full")
}

func TestStart_ReportsAFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "16m") // a new cluster takes about 40 MB
	_, err := Start(testContext(t), Options{Dir: filepath.Join(disk, "data"), Fast: true})
	require.ErrorIs(t, err, ErrDiskFull)
	require.True(t, strings.HasPrefix(err.Error(), "the disk of data folder "), err)
	require.Contains(t, err.Error(), "is full: free some space")
}
