// Package draft makes folders that have their name only when they are complete: until then they end in .partial, and what a killed process has
// left of one is removed by the next.
package draft

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tonql/internal/chain"
	"tonql/internal/filelock"
)

// Folder is a folder that this process fills.
type Folder struct {
	Path string // while it is not complete

	into, what string
	lock       *os.File
}

// New makes an empty folder for what becomes into, a new or empty folder. What names the content in errors, such as "backup". An error of kind Invalid says what is
// in the way. Of a folder, either Complete or Discard is called.
func New(into, what string) (*Folder, error) {
	path := into + ".partial"
	lock, err := filelock.Folder(path)
	switch {
	case errors.Is(err, filelock.ErrHeld):
		return nil, chain.Invalidf("another %s is written to %s: wait until it ends", what, path)
	case errors.Is(err, fs.ErrExist):
		return nil, chain.Invalidf("%s exists, and no interrupted %s has left it: remove it, or choose another folder", path, what)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, chain.Invalidf("%v: folder %s has to exist, and the user of this command has to be able to write to it", err, filepath.Dir(path))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", what, Full(err, path))
	}
	f := &Folder{Path: path, into: into, what: what, lock: lock}
	// What cannot be replaced in the end, such as a mount point, is refused before hours of work.
	if err := os.Remove(into); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, f.Discard(chain.Invalidf("%v: a %s replaces its folder, so name a new one, such as %s", err, what, filepath.Join(into, what)))
	}
	return f, nil
}

// Complete gives the folder its name. Its files have been synced.
func (f *Folder) Complete() error {
	defer f.unlock()
	if err := Sync(f.Path); err != nil {
		return fmt.Errorf("%s: %w", f.what, err)
	}
	if err := os.Rename(f.Path, f.into); err != nil {
		return fmt.Errorf("%s: %w", f.what, err)
	}
	_ = os.Remove(filepath.Join(f.into, filelock.FolderLock)) // it means nothing there
	return Sync(filepath.Dir(f.into))
}

// Discard removes the folder after an error, which it returns.
func (f *Folder) Discard(err error) error {
	defer f.unlock()
	return errors.Join(Named(Full(err, f.Path), f.Path, f.into), os.RemoveAll(f.Path))
}

// Named returns the error of something that is moved to another path when it is complete, and removed after an error: its text has the path to which it would have
// been moved, for the other one is gone when it is read.
func Named(err error, unfinished, complete string) error {
	if err == nil || !strings.Contains(err.Error(), unfinished) {
		return err
	}
	return &namedError{text: strings.ReplaceAll(err.Error(), unfinished, complete), err: err}
}

type namedError struct {
	text string
	err  error
}

func (e *namedError) Error() string { return e.text }
func (e *namedError) Unwrap() error { return e.err }

func (f *Folder) unlock() { _ = f.lock.Close() } // nothing is written to it

// Full names the disk in the error of a full one: that of the folder that has path.
func Full(err error, path string) error {
	if errors.Is(err, syscall.ENOSPC) {
		return chain.Invalidf("the disk of %s is full: free some space, or choose another folder", filepath.Dir(path))
	}
	return err
}

// Sync writes the entries of a folder to the disk.
func Sync(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return errors.Join(folder.Sync(), folder.Close())
}
