package filelock_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/filelock"
)

func TestLock_IsHeldUntilClosed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	_, _, err := filelock.Held(path)
	require.ErrorIs(t, err, fs.ErrNotExist)

	file, err := filelock.Lock(path)
	require.NoError(t, err)
	require.NoError(t, filelock.Note(file, "ready"))
	note, held, err := filelock.Held(path)
	require.NoError(t, err)
	require.True(t, held)
	require.Equal(t, strconv.Itoa(os.Getpid())+"\nready\n", note)
	_, err = filelock.Lock(path)
	require.ErrorIs(t, err, filelock.ErrHeld)
	var by *filelock.HeldError
	require.ErrorAs(t, err, &by)
	require.Equal(t, strconv.Itoa(os.Getpid()), by.Owner())

	require.NoError(t, file.Close())
	_, held, err = filelock.Held(path)
	require.NoError(t, err)
	require.False(t, held)
	again, err := filelock.Lock(path)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}

func TestLock_FollowsNoSymlink(t *testing.T) {
	t.Parallel()
	target := filepath.Join(t.TempDir(), "target")
	require.NoError(t, os.WriteFile(target, []byte("precious"), 0o600))
	link := filepath.Join(t.TempDir(), "lock")
	require.NoError(t, os.Symlink(target, link))
	_, err := filelock.Lock(link)
	require.Error(t, err)
	_, _, err = filelock.Held(link)
	require.Error(t, err)
	text, err := os.ReadFile(target)
	require.NoError(t, err)
	require.Equal(t, "precious", string(text))
}

func TestShare_WaitsForNobodyAndAloneWaitsForAll(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "users")
	one, err := filelock.Share(path)
	require.NoError(t, err)
	two, err := filelock.Share(path)
	require.NoError(t, err)

	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = filelock.Alone(short, path)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	require.NoError(t, one.Close())
	time.AfterFunc(50*time.Millisecond, func() { _ = two.Close() })
	alone, err := filelock.Alone(t.Context(), path)
	require.NoError(t, err)
	_, err = filelock.Share(path)
	require.ErrorIs(t, err, filelock.ErrHeld)
	require.NoError(t, alone.Close())
	three, err := filelock.Share(path)
	require.NoError(t, err)
	require.NoError(t, three.Close())
}

// A folder has one process at a time. What a killed one has left in it is removed, and nothing that was not made so.
func TestFolder_IsThatOfOneProcess(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "draft")
	lock, err := filelock.Folder(path)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(path, "some", "files"), 0o700))
	_, err = filelock.Folder(path)
	require.ErrorIs(t, err, filelock.ErrHeld)
	require.DirExists(t, filepath.Join(path, "some", "files"))

	require.NoError(t, lock.Close()) // as the end of a process does
	lock, err = filelock.Folder(path)
	require.NoError(t, err)
	entries, err := os.ReadDir(path)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, filelock.FolderLock, entries[0].Name())

	complete := path + "-complete"
	require.NoError(t, os.Rename(path, complete))
	next, err := filelock.Folder(path)
	require.NoError(t, err, "the one that was renamed does not count")
	require.NoError(t, lock.Close())
	require.NoError(t, next.Close())
	require.FileExists(t, filepath.Join(complete, filelock.FolderLock))

	others := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(others, "file"), nil, 0o600))
	_, err = filelock.Folder(others)
	require.ErrorIs(t, err, fs.ErrExist)
	require.FileExists(t, filepath.Join(others, "file"))
	_, err = filelock.Folder(filepath.Join(others, "none", "draft"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}
