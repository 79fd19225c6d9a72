package embeddedpg

import (
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A tonql that is killed leaves its socket folder; the next start of any tonql removes it, also on another data folder.
func TestSweep_FolderOfKilledOwnerIsRemoved(t *testing.T) {
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	owner, _ := startMinder(t, dir, nil)
	note, err := os.ReadFile(socketNote(dir))
	require.NoError(t, err)
	socket := string(note[:len(note)-1])
	other := start(t, t.TempDir())
	require.DirExists(t, socket, "the folder of one that lives stays")

	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
	third := start(t, t.TempDir())
	require.NoDirExists(t, socket)
	remember(t, other.DSN(), "unharmed")
	remember(t, third.DSN(), "unharmed")
}

// sweepable is a base folder with one socket folder in it, and the account that sweeps it.
func sweepable(t *testing.T) (base *os.Root, folder string) {
	t.Helper()
	dir := public(t) // of a short name: a socket's path is limited
	base, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, base.Close()) })
	folder = filepath.Join(dir, socketPrefix+"1")
	require.NoError(t, os.Mkdir(folder, 0o700))
	return base, folder
}

func age(t *testing.T, path string) {
	t.Helper()
	old := time.Now().Add(-2 * youngest)
	require.NoError(t, os.Chtimes(path, old, old))
}

func TestSweep_LeavesWhatItMust(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)

	t.Run("a folder that is in use", func(t *testing.T) {
		t.Parallel()
		base, folder := sweepable(t)
		lock, err := lockSocketDir(folder)
		require.NoError(t, err)
		age(t, folder)
		sweepBase(base, self(), log)
		require.DirExists(t, folder)
		require.NoError(t, lock.Close())
		// A process that another test forks at this moment shares the lock until it has become another program.
		eventually(t, func() bool {
			sweepBase(base, self(), log)
			_, err := os.Stat(folder)
			return errors.Is(err, fs.ErrNotExist)
		}, "the folder stays")
	})
	t.Run("a folder that is being made", func(t *testing.T) {
		t.Parallel()
		base, folder := sweepable(t)
		sweepBase(base, self(), log)
		require.DirExists(t, folder)
		age(t, folder)
		sweepBase(base, self(), log)
		require.NoDirExists(t, folder)
	})
	t.Run("a server of an earlier version", func(t *testing.T) {
		t.Parallel()
		base, folder := sweepable(t)
		listener, err := net.Listen("unix", filepath.Join(folder, socketFile()))
		require.NoError(t, err)
		age(t, folder)
		sweepBase(base, self(), log)
		require.FileExists(t, filepath.Join(folder, socketFile()))
		require.NoError(t, listener.Close())
		age(t, folder)
		sweepBase(base, self(), log)
		require.NoDirExists(t, folder)
	})
	t.Run("the files of somebody else in it", func(t *testing.T) {
		t.Parallel()
		base, folder := sweepable(t)
		precious := filepath.Join(folder, "precious")
		require.NoError(t, os.WriteFile(precious, nil, 0o600))
		age(t, folder)
		sweepBase(base, self(), log)
		require.FileExists(t, precious)
	})
	t.Run("the folder of another user", func(t *testing.T) {
		t.Parallel()
		needRoot(t)
		base, folder := sweepable(t)
		require.NoError(t, os.Chown(folder, 12345, 12345))
		age(t, folder)
		sweepBase(base, self(), log)
		require.DirExists(t, folder)
		sweepBase(base, account{uid: 12345, gid: 12345}, log)
		require.NoDirExists(t, folder)
	})
	t.Run("where a symbolic link leads", func(t *testing.T) {
		t.Parallel()
		base, folder := sweepable(t)
		require.NoError(t, os.Remove(folder))
		target := t.TempDir()
		file := filepath.Join(target, socketFile())
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		age(t, target)
		require.NoError(t, os.Symlink(target, folder))
		sweepBase(base, self(), log)
		require.FileExists(t, file)
	})
	t.Run("a pipe in place of the owner's file", func(t *testing.T) {
		t.Parallel()
		base, folder := sweepable(t)
		require.NoError(t, syscall.Mkfifo(filepath.Join(folder, ownerFile), 0o600))
		sweepBase(base, self(), log) // does not wait for a writer
	})
}
