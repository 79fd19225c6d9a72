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
