package embeddedpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRootDropsInPrivateFolder(t *testing.T) {
	t.Parallel()
	needRoot(t)
	needLinux(t)
	dir := private(t)
	s := start(t, dir)
	require.False(t, s.account.mayPass(clusterDir(dir)), "the account may not walk there")
	remember(t, s.DSN(), "private")
	pids := serversOn(clusterDir(dir))
	require.Contains(t, pids, postmaster(t, dir))
	for _, pid := range pids {
		uid, _, err := owner(fmt.Sprintf("/proc/%d", pid))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a worker that has ended meanwhile
		}
		require.NoError(t, err)
		require.Equal(t, s.account.uid, uid)
		require.NotZero(t, uid)
	}
	require.FileExists(t, filepath.Join(clusterDir(dir), "PG_VERSION"), "the data are in the folder itself")
	stop(t, s)

	moved := private(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(moved), 0o700))
	require.NoError(t, os.Rename(dir, moved))
	require.Equal(t, []string{"private"}, remembered(t, start(t, moved).DSN()))
}

// Root copied a cluster without keeping its owner.
func TestRootAdoptsCopy(t *testing.T) {
	t.Parallel()
	needRoot(t)
	dir := private(t)
	s := start(t, dir)
	remember(t, s.DSN(), "copied")
	stop(t, s)
	copied := private(t)
	require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
	require.NoError(t, os.Chmod(clusterDir(copied), 0o755))
	require.Equal(t, []string{"copied"}, remembered(t, start(t, copied).DSN()))
}

// Root continues with the cluster of an ordinary user, as that user, who can take it
// over again afterwards.
func TestStart_RootAndUserShareAFolder(t *testing.T) {
	t.Parallel()
	needRoot(t)
	needLinux(t)
	const nobody = 65534
	dir := filepath.Join(public(t), "data")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.Chown(dir, nobody, nobody))
	asUser := func(cmd *exec.Cmd) {
		cmd.Path, cmd.Dir = publicCopy(t), "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}

	user, dsn := startMinder(t, dir, asUser)
	remember(t, dsn, "user")
	arguments, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(postmaster(t, dir)), "cmdline"))
	require.NoError(t, err)
	require.Contains(t, strings.Split(string(arguments), "\x00"), clusterDir(dir), "an ordinary user sees a plain path")
	require.NoError(t, user.Process.Signal(syscall.SIGTERM))
	require.NoError(t, user.Wait())
	requireNoServer(t, dir)

	s := start(t, dir)
	require.EqualValues(t, nobody, s.account.uid)
	remember(t, s.DSN(), "root")
	stop(t, s)
	require.NoError(t, os.Chown(filepath.Join(dir, "lock"), nobody, nobody))

	_, dsn = startMinder(t, dir, asUser)
	require.Equal(t, []string{"user", "root"}, remembered(t, dsn))
}

// publicCopy puts the test binary where every account can run it.
func publicCopy(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(public(t), "minder")
	// Not written by this process: what it forks meanwhile would hold the file open.
	out, err := exec.Command("cp", program, path).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.Chmod(path, 0o755))
	return path
}

func TestMayPass(t *testing.T) {
	t.Parallel()
	outer := public(t)
	inner := filepath.Join(outer, "inner")
	require.NoError(t, os.Mkdir(inner, 0o755))
	another := account{uid: 12345, gid: 12345}
	require.True(t, another.mayPass(filepath.Join(inner, "file")))
	require.NoError(t, os.Chmod(outer, 0o750))
	require.False(t, another.mayPass(filepath.Join(inner, "file")))
	uid, gid, err := owner(outer)
	require.NoError(t, err)
	require.True(t, account{uid: 12345, gid: gid}.mayPass(filepath.Join(inner, "file")), "by its group")
	require.True(t, account{uid: uid, gid: 12345}.mayPass(filepath.Join(inner, "file")), "by its owner")
	require.False(t, another.mayPass(filepath.Join(outer, "missing", "file")))
}
