package filelock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// FolderLock is the name of the file in a folder of [Folder] that its process locks.
const FolderLock = "lock"

// folderTries bounds the attempts to lock a folder that other processes make and rename at the same time.
const folderTries = 100

// Folder makes a new folder for files that are not complete, until the caller renames or removes it, or empties one whose process was killed. Closing the file ends the
// claim. The error is a [HeldError] while another process has the folder, and one of [fs.ErrExist] for a folder that was not made so.
func Folder(path string) (*os.File, error) {
	name := filepath.Join(path, FolderLock)
	for range folderTries {
		made := os.Mkdir(path, 0o700)
		if made != nil {
			if !errors.Is(made, fs.ErrExist) {
				return nil, made
			}
			if _, err := os.Lstat(name); err != nil {
				return nil, made
			}
		}
		lock, err := Lock(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was renamed or removed
		}
		if err != nil {
			return nil, err
		}
		if !isFile(lock, name) {
			_ = lock.Close() // it belongs to the folder that was here
			continue
		}
		if err := empty(path); err != nil {
			return nil, errors.Join(err, lock.Close())
		}
		return lock, nil
	}
	return nil, &HeldError{Path: name}
}

// isFile reports whether an open file is the one at path.
func isFile(file *os.File, path string) bool {
	open, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(open, there)
}

// empty removes everything in a folder but its lock.
func empty(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if e.Name() != FolderLock {
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, e.Name())))
		}
	}
	return err
}
