package temptest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ownerEnvironment makes this test binary a process that makes a folder, prints its path and never ends.
const ownerEnvironment = "TEMPTEST_OWNER"

const prefix = "temptest-"

func TestMain(m *testing.M) {
	if os.Getenv(ownerEnvironment) == "" {
		os.Exit(m.Run())
	}
	path, _, err := Folder(prefix)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(path)
	time.Sleep(time.Hour)
}

// startOwner starts a process with a folder below base.
func startOwner(t *testing.T, base string) (owner *exec.Cmd, folder string) {
	t.Helper()
	owner = exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), ownerEnvironment+"=1", "TMPDIR="+base)
	out, err := owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	t.Cleanup(func() {
		_ = owner.Process.Kill()
		_ = owner.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, line)
	return owner, strings.TrimSpace(line)
}

func TestFolder_FolderOfKilledProcessIsRemoved(t *testing.T) {
	base := t.TempDir()
	t.Setenv("TMPDIR", base)
	_, other := startOwner(t, base)
	owner, folder := startOwner(t, base)
	require.Equal(t, base, filepath.Dir(folder))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o600))
	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())

	path, remove, err := Folder(prefix)
	require.NoError(t, err)
	require.NoDirExists(t, folder)
	require.DirExists(t, other, "its process runs")

	_, removeSecond, err := Folder(prefix)
	require.NoError(t, err)
	require.DirExists(t, path, "its owner is this process")
	require.NoError(t, removeSecond())
	require.NoError(t, remove())
	require.NoDirExists(t, path)
}

func TestSweep_KeepsFoldersThatMayBeInUse(t *testing.T) {
	t.Parallel()
	long := time.Now().Add(-2 * unownedAge)
	for name, tc := range map[string]struct {
		make  func(t *testing.T, path string)
		stays bool
	}{
		"new, without an owner file": {func(t *testing.T, path string) {
			t.Helper()
			require.NoError(t, os.Mkdir(path, 0o700))
		}, true},
		"old, without an owner file": {func(t *testing.T, path string) {
			t.Helper()
			require.NoError(t, os.Mkdir(path, 0o700))
			require.NoError(t, os.Chtimes(path, long, long))
		}, false},
		"a symbolic link": {func(t *testing.T, path string) {
			t.Helper()
			target := t.TempDir()
			require.NoError(t, os.Chtimes(target, long, long))
			require.NoError(t, os.Symlink(target, path))
		}, true},
		"a file": {func(t *testing.T, path string) {
			t.Helper()
			require.NoError(t, os.WriteFile(path, nil, 0o600))
			require.NoError(t, os.Chtimes(path, long, long))
		}, true},
		"an owner file that is a link out of the folder": {func(t *testing.T, path string) {
			t.Helper()
			require.NoError(t, os.Mkdir(path, 0o700))
			require.NoError(t, os.Symlink(filepath.Join(t.TempDir(), "absent"), filepath.Join(path, ownerFile)))
			require.NoError(t, os.Chtimes(path, long, long))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			path := filepath.Join(base, prefix+"1")
			tc.make(t, path)
			other := filepath.Join(base, "other-1")
			require.NoError(t, os.Mkdir(other, 0o700))
			require.NoError(t, os.Chtimes(other, long, long))
			sweep(base, prefix)
			require.DirExists(t, other, "of another prefix")
			_, err := os.Lstat(path)
			require.Equal(t, tc.stays, err == nil)
		})
	}
}
