package temptest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tonql/internal/filelock"
)

const (
	// ownerFile is locked by the process that uses a folder. The kernel releases the lock when the process ends; a
	// process id in its place could belong to another process by then.
	ownerFile = "owner"
	// unownedAge is the age from which a folder without an owner file counts as left behind: a new folder has none for
	// a moment.
	unownedAge = time.Hour
)

// Folder makes a temporary folder for this process, and removes those with the same prefix whose process was killed.
// The prefix is the beginning of the folder's name, and belongs to one user of this function. remove deletes the
// folder; a test binary calls it before it exits.
func Folder(prefix string) (path string, remove func() error, err error) {
	base := os.TempDir()
	sweep(base, prefix)
	path, err = os.MkdirTemp(base, prefix)
	if err != nil {
		return "", nil, err
	}
	lock, err := claim(path)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(path))
	}
	return path, func() error { return errors.Join(os.RemoveAll(path), lock.Close()) }, nil
}

// claim marks a new folder as used by this process. The file gets its name when it is locked, so that no other process
// finds it unlocked.
func claim(path string) (*os.File, error) {
	draft := filepath.Join(path, ownerFile+".new")
	lock, err := filelock.Lock(draft)
	if err != nil {
		return nil, err
	}
	if err := os.Rename(draft, filepath.Join(path, ownerFile)); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// sweep removes the folders without an owner. What it cannot read or remove stays for the next run.
func sweep(base, prefix string) {
	root, err := os.OpenRoot(base)
	if err != nil {
		return
	}
	defer root.Close() //nolint:errcheck // it was only read
	entries, _ := fs.ReadDir(root.FS(), ".")
	for _, entry := range entries {
		if entry.IsDir() && strings.HasPrefix(entry.Name(), prefix) {
			removeUnowned(root, entry.Name())
		}
	}
}

func removeUnowned(root *os.Root, name string) {
	owner, err := root.OpenFile(filepath.Join(name, ownerFile), os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would block
	switch {
	case err == nil:
		defer owner.Close() // releases the lock
		if filelock.HeldFile(owner) {
			return
		}
	case !errors.Is(err, fs.ErrNotExist):
		return
	default:
		if info, err := root.Lstat(name); err != nil || time.Since(info.ModTime()) < unownedAge {
			return
		}
	}
	_ = root.RemoveAll(name)
}
