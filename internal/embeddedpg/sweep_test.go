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

	"tonql/internal/pacetest"
)

// A killed tonql leaves its socket folder behind; the next start of any tonql removes it, on whatever data folder.
func TestSweep_RemovesTheFolderOfAKilledOwner(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	needLinux(t)
	dir := t.TempDir()
	owner, _ := startOwner(t, dir, nil)
	note, err := os.ReadFile(socketNote(dir))
	require.NoError(t, err)
	socket := string(note[:len(note)-1])
	other := start(t, t.TempDir())
	require.DirExists(t, socket, "the folder of a running owner stays")

	require.NoError(t, owner.Process.Kill())
	require.Error(t, owner.Wait())
	third := start(t, t.TempDir())
	require.NoDirExists(t, socket)
	insertValue(t, other.DSN(), "unharmed")
	insertValue(t, third.DSN(), "unharmed")
}

// socketFolder makes a base folder with one socket folder in it.
func socketFolder(t *testing.T) (base *os.Root, folder string) {
	t.Helper()
	dir := publicFolder(t) // a short name: the path of a socket is limited
	base, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, base.Close()) })
	folder = filepath.Join(dir, socketPrefix+"1")
	require.NoError(t, os.Mkdir(folder, 0o700))
	return base, folder
}

func makeOld(t *testing.T, path string) {
	t.Helper()
	old := time.Now().Add(-2 * youngest)
	require.NoError(t, os.Chtimes(path, old, old))
}

func TestSweep_RemovesOnlyAbandonedFolders(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)

	t.Run("a folder that is in use", func(t *testing.T) {
		t.Parallel()
		base, folder := socketFolder(t)
		lock, err := lockSocketDir(folder)
		require.NoError(t, err)
		makeOld(t, folder)
		sweepBase(base, self(), log)
		require.DirExists(t, folder)
		require.NoError(t, lock.Close())
		// A child that another test forks at this moment shares the lock until it executes its program.
		eventually(t, func() bool {
			sweepBase(base, self(), log)
			_, err := os.Stat(folder)
			return errors.Is(err, fs.ErrNotExist)
		}, "the folder stays")
	})
	t.Run("a folder that is being made", func(t *testing.T) {
		t.Parallel()
		base, folder := socketFolder(t)
		sweepBase(base, self(), log)
		require.DirExists(t, folder)
		makeOld(t, folder)
		sweepBase(base, self(), log)
		require.NoDirExists(t, folder)
	})
	t.Run("a server of an earlier version", func(t *testing.T) {
		t.Parallel()
		base, folder := socketFolder(t)
		listener, err := net.Listen("unix", filepath.Join(folder, socketFile()))
		require.NoError(t, err)
		makeOld(t, folder)
		sweepBase(base, self(), log)
		require.FileExists(t, filepath.Join(folder, socketFile()))
		require.NoError(t, listener.Close())
		makeOld(t, folder)
		sweepBase(base, self(), log)
		require.NoDirExists(t, folder)
	})
	t.Run("the files of somebody else in it", func(t *testing.T) {
		t.Parallel()
		base, folder := socketFolder(t)
		precious := filepath.Join(folder, "precious")
		require.NoError(t, os.WriteFile(precious, nil, 0o600))
		makeOld(t, folder)
		sweepBase(base, self(), log)
		require.FileExists(t, precious)
	})
	t.Run("the folder of another user", func(t *testing.T) {
		t.Parallel()
		needRoot(t)
		base, folder := socketFolder(t)
		require.NoError(t, os.Chown(folder, 12345, 12345))
		makeOld(t, folder)
		sweepBase(base, self(), log)
		require.DirExists(t, folder)
		sweepBase(base, account{uid: 12345, gid: 12345}, log)
		require.NoDirExists(t, folder)
	})
	t.Run("where a symbolic link leads", func(t *testing.T) {
		t.Parallel()
		base, folder := socketFolder(t)
		require.NoError(t, os.Remove(folder))
		target := t.TempDir()
		file := filepath.Join(target, socketFile())
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		makeOld(t, target)
		require.NoError(t, os.Symlink(target, folder))
		sweepBase(base, self(), log)
		require.FileExists(t, file)
	})
	t.Run("a pipe in place of the owner's file", func(t *testing.T) {
		t.Parallel()
		base, folder := socketFolder(t)
		require.NoError(t, syscall.Mkfifo(filepath.Join(folder, ownerFile), 0o600))
		sweepBase(base, self(), log) // does not wait for a writer of the pipe
		require.NoDirExists(t, folder, "nobody holds the lock")
	})
}
