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

	"tonql/internal/pacetest"
)

func TestStart_RootDropsToAnAccountInAPrivateFolder(t *testing.T) {
	t.Parallel()
	needRoot(t)
	needLinux(t)
	dir := privateFolder(t)
	s := start(t, dir)
	require.False(t, s.account.mayPass(clusterDir(dir)), "the account has no access to the folder")
	insertValue(t, s.DSN(), "private")
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
	require.FileExists(t, filepath.Join(clusterDir(dir), "PG_VERSION"), "the cluster is in the folder itself")
	stop(t, s)

	moved := privateFolder(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(moved), 0o700))
	require.NoError(t, os.Rename(dir, moved))
	require.Equal(t, []string{"private"}, insertedValues(t, start(t, moved).DSN()))
}

// The copy of a cluster belongs to root.
func TestStart_RootTakesOwnershipOfACopy(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	needRoot(t)
	dir := privateFolder(t)
	s := start(t, dir)
	insertValue(t, s.DSN(), "copied")
	stop(t, s)
	copied := privateFolder(t)
	require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
	require.NoError(t, os.Chmod(clusterDir(copied), 0o755))
	require.Equal(t, []string{"copied"}, insertedValues(t, start(t, copied).DSN()))
}

// Root starts the cluster of an ordinary user as that user, who can start it again afterwards.
func TestStart_RootAndUserShareAFolder(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	needRoot(t)
	needLinux(t)
	const nobody = 65534
	dir := filepath.Join(publicFolder(t), "data")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.Chown(dir, nobody, nobody))
	asUser := func(cmd *exec.Cmd) {
		cmd.Path, cmd.Dir = publicTestBinary(t), "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}

	user, dsn := startOwner(t, dir, asUser)
	insertValue(t, dsn, "user")
	arguments, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(postmaster(t, dir)), "cmdline"))
	require.NoError(t, err)
	require.Contains(t, strings.Split(string(arguments), "\x00"), clusterDir(dir), "an ordinary user gets the plain path")
	stopOwner(t, user)
	requireNoServer(t, dir)

	s := start(t, dir)
	require.EqualValues(t, nobody, s.account.uid)
	insertValue(t, s.DSN(), "root")
	stop(t, s)
	require.NoError(t, os.Chown(filepath.Join(dir, "lock"), nobody, nobody))

	user, dsn = startOwner(t, dir, asUser)
	require.Equal(t, []string{"user", "root"}, insertedValues(t, dsn))
	stopOwner(t, user) // killed, it would leave a socket folder in /tmp that only another tonql of this user removes
}

// stopOwner lets a process of startOwner stop its server and end.
func stopOwner(t *testing.T, owner *exec.Cmd) {
	t.Helper()
	require.NoError(t, owner.Process.Signal(syscall.SIGTERM))
	require.NoError(t, owner.Wait())
}

// publicTestBinary copies the test binary to a folder from which every account can run it.
func publicTestBinary(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(publicFolder(t), "minder")
	// Copied by another process: a child that this one forks meanwhile would hold the file open for writing.
	out, err := exec.Command("cp", program, path).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.Chmod(path, 0o755))
	return path
}

func TestMayPass_FollowsThePermissionsOfEachFolder(t *testing.T) {
	t.Parallel()
	outer := publicFolder(t)
	inner := filepath.Join(outer, "inner")
	require.NoError(t, os.Mkdir(inner, 0o755))
	another := account{uid: 12345, gid: 12345}
	require.True(t, another.mayPass(filepath.Join(inner, "file")))
	require.NoError(t, os.Chmod(outer, 0o750))
	require.False(t, another.mayPass(filepath.Join(inner, "file")))
	uid, gid, err := owner(outer)
	require.NoError(t, err)
	require.True(t, account{uid: 12345, gid: gid}.mayPass(filepath.Join(inner, "file")), "by the permissions of the group")
	require.True(t, account{uid: uid, gid: 12345}.mayPass(filepath.Join(inner, "file")), "by the permissions of the owner")
	require.False(t, another.mayPass(filepath.Join(outer, "missing", "file")))
}
