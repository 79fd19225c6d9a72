package filelock_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

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
