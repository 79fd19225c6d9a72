package embeddedpg

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// killer kills the servers on a cluster as they appear, a number of times, and returns how often it did.
func killer(t *testing.T, dirs []string, times int) (killed func() int) {
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

// The kernel kills a server that is starting when the machine is short of memory: that is no reason to give up.
func TestStart_KilledServerIsStartedAgain(t *testing.T) {
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	s := start(t, dir)
	remember(t, s.DSN(), "before")
	stop(t, s)
	killed := killer(t, []string{clusterDir(dir)}, 3)
	s = start(t, dir)
	require.Equal(t, 3, killed(), "it was killed while it started")
	require.Equal(t, []string{"before"}, remembered(t, s.DSN()))
}

func TestStart_KilledInitdbIsRunAgain(t *testing.T) {
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	killed, over := make(chan int, 1), limit(t)
	go func() {
		for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
			if pid := initdbOn(clusterDir(dir) + ".new"); pid != 0 && syscall.Kill(pid, syscall.SIGKILL) == nil {
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
	remember(t, s.DSN(), "after")
}

// initdbOn is the initdb that makes a cluster, 0 when there is none.
func initdbOn(cluster string) int {
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0
	}
	for _, name := range names {
		comm, _ := os.ReadFile(filepath.Join(name, "comm")) // gone meanwhile counts as another
		folder, _ := os.Readlink(filepath.Join(name, "fd", "3"))
		line, _ := os.ReadFile(filepath.Join(name, "cmdline"))
		if strings.TrimSpace(string(comm)) == "initdb" && (folder == cluster || strings.Contains(string(line), cluster)) {
			pid, _ := strconv.Atoi(filepath.Base(name)) // the pattern allows digits only
			return pid
		}
	}
	return 0
}

// smallDisk mounts a file system of some bytes.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	needRoot(t)
	dir := public(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+",mode=0755"); err != nil {
		t.Skip("this machine mounts no file system: " + err.Error())
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// fill takes all space of a disk; the returned function gives it back.
func fill(t *testing.T, dir string) (free func()) {
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

func TestDiskFull_IsNoDamage(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "160m")
	dir := filepath.Join(disk, "data")
	s := start(t, dir)
	opts := Options{Dir: dir}
	require.False(t, Full(opts))
	remember(t, s.DSN(), "before")
	free := fill(t, disk)
	require.True(t, Full(opts))

	// The server runs out of space for its log, ends, and comes up when there is space again.
	ctx, cancel := context.WithCancel(limit(t))
	ended := make(chan error, 1)
	go func() { ended <- s.Supervise(ctx) }()
	run := s.latest()
	require.NoError(t, syscall.Kill(run.cmd.Process.Pid, syscall.SIGKILL))
	closed(t, run.done)
	require.Never(t, func() bool { return len(ended) > 0 }, time.Second, 100*time.Millisecond, "it does not give up")
	free()
	eventually(t, func() bool { return s.latest() != run }, "the server comes up again")
	require.Equal(t, []string{"before"}, remembered(t, s.DSN()))
	cancel()
	require.NoError(t, <-ended)
}

func TestDiskFull_StartSaysSo(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "16m") // a new cluster takes some forty
	_, err := Start(limit(t), Options{Dir: filepath.Join(disk, "data"), Fast: true})
	require.ErrorIs(t, err, ErrDiskFull)
	require.True(t, strings.HasPrefix(err.Error(), "the disk of data folder "), err)
	require.Contains(t, err.Error(), "is full: free some space")
}
