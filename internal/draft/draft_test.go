package draft_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/draft"
	"tonql/internal/filelock"
)

// A folder has its name once it is complete; what an interrupted one has left is removed by the next.
func TestFolder_HasItsNameWhenItIsComplete(t *testing.T) {
	t.Parallel()
	into := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.Mkdir(into+".partial", 0o700))
	for _, left := range []string{filelock.FolderLock, "half"} {
		require.NoError(t, os.WriteFile(filepath.Join(into+".partial", left), nil, 0o600))
	}
	f, err := draft.New(into, "copy")
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(f.Path, "half"))
	require.NoError(t, os.WriteFile(filepath.Join(f.Path, "content"), nil, 0o600))
	_, err = draft.New(into, "copy")
	require.EqualError(t, err, "another copy is written to "+f.Path+": wait until it ends")
	require.NoDirExists(t, into)
	require.NoError(t, f.Complete())
	entries, err := os.ReadDir(into)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoDirExists(t, f.Path)
}

// A full disk is named, whoever met it, and nothing is left.
func TestDiscard_NamesAFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	f, err := draft.New(filepath.Join(disk, "copy"), "copy")
	require.NoError(t, err)
	err = f.Discard(fmt.Errorf("file 7: %w", &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}))
	require.Equal(t, chain.Invalid, chain.KindOf(err))
	require.EqualError(t, err, "the disk of "+disk+" is full: free some space, or choose another folder")
	entries, err := os.ReadDir(disk)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// The folder is gone when its error is read: the text has the name that was to be given to it.
func TestDiscard_ErrorsHaveTheNameOfTheFolder(t *testing.T) {
	t.Parallel()
	into := filepath.Join(t.TempDir(), "copy")
	f, err := draft.New(into, "copy")
	require.NoError(t, err)
	cause := &os.PathError{Op: "write", Path: filepath.Join(f.Path, "part", "7"), Err: syscall.EIO}
	err = f.Discard(fmt.Errorf("file 7: %w", cause))
	require.EqualError(t, err, "file 7: write "+filepath.Join(into, "part", "7")+": input/output error")
	require.ErrorIs(t, err, syscall.EIO)
	require.NoError(t, draft.Named(nil, "a", "b"))
	require.Same(t, cause, draft.Named(cause, "elsewhere", into))
}
