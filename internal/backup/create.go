package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"tonql/internal/chain"
	"tonql/internal/embeddedpg"
	"tonql/internal/filelock"
)

// Key says what happens to the key of webhook secrets. Who has it can read the secrets in the database.
type Key string

// Values of Key. KeyUnset refuses a data folder that has a key.
const (
	KeyUnset   Key = ""
	KeyInclude Key = "include"
	KeyExclude Key = "exclude"
)

// CreateOptions select what to back up. All fields are required but Key.
type CreateOptions struct {
	Data     string // data folder
	Into     string // folder of the backup: new or empty
	Database embeddedpg.Options
	Key      Key
	Version  string
	Log      *slog.Logger
}

// Create makes a backup of a data folder whose private PostgreSQL runs, in this process or another one. Until it is complete,
// the folder has the ending .partial; one that a killed backup has left is emptied.
func Create(ctx context.Context, o CreateOptions) (*Manifest, error) {
	names, others, err := listFiles(o.Data)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	m := &Manifest{Format: format, Version: o.Version, Created: time.Now().UTC().Truncate(time.Second), Files: map[string]File{}}
	if slices.Contains(names, keyFile) {
		switch o.Key {
		case KeyInclude:
		case KeyExclude:
			m.KeyExcluded = true
			names = slices.DeleteFunc(names, func(name string) bool { return name == keyFile })
		default:
			return nil, chain.Invalidf("%s has a key that decrypts the webhook secrets of merchants. --secrets include puts it into the backup, "+
				"which is then as secret as the key; --secrets exclude leaves it out, and a restore needs your copy of it", filepath.Join(o.Data, keyFile))
		}
	}
	if err := errors.Join(vacant(o.Into), outside(o.Data, o.Into)); err != nil {
		return nil, err
	}
	if len(others) > 0 {
		o.Log.Warn("files are not part of the backup", "count", len(others), "file", others[0])
	}
	draft := o.Into + ".partial"
	lock, err := filelock.Folder(draft)
	switch {
	case errors.Is(err, filelock.ErrHeld):
		return nil, chain.Invalidf("another backup writes to %s: wait until it ends", draft)
	case errors.Is(err, fs.ErrExist):
		return nil, chain.Invalidf("%s exists, and is not of a backup: remove it, or choose another folder", draft)
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, chain.Invalidf("%v: folder %s has to exist, and the user of this command has to be able to write to it", err, filepath.Dir(draft))
	case err != nil:
		return nil, fmt.Errorf("backup: %w", full(err, draft))
	}
	defer func() { _ = lock.Close() }() // nothing is written to it
	// What cannot be replaced in the end, such as a mount point, is refused before hours of work.
	if err := os.Remove(o.Into); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(chain.Invalidf("%v: a backup replaces its folder, so name a new one, such as %s", err, filepath.Join(o.Into, "backup")), os.RemoveAll(draft))
	}
	if err := fill(ctx, o, m, names, draft); err != nil {
		return nil, errors.Join(full(err, draft), os.RemoveAll(draft))
	}
	if err := os.Rename(draft, o.Into); err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	_ = os.Remove(filepath.Join(o.Into, filelock.FolderLock)) // it means nothing there
	return m, syncFolder(filepath.Dir(o.Into))
}

// full names the disk in the error of a full one. That of the database has it already.
func full(err error, draft string) error {
	if errors.Is(err, syscall.ENOSPC) {
		return chain.Invalidf("the disk of %s is full: free some space, or choose another folder", filepath.Dir(draft))
	}
	return err
}

// fill writes the parts of a backup into its folder, the manifest last.
func fill(ctx context.Context, o CreateOptions, m *Manifest, names []string, draft string) error {
	if err := embeddedpg.Backup(ctx, o.Database, filepath.Join(draft, databasePart)); err != nil {
		return err
	}
	for _, name := range names {
		copied, err := copyOf(ctx, filepath.Join(o.Data, name), filepath.Join(draft, filesPart, name))
		if errors.Is(err, fs.ErrNotExist) && name != keyFile {
			continue // replaced by a newer snapshot meanwhile
		}
		if err != nil {
			return fmt.Errorf("backup of %s: %w", name, err)
		}
		m.Files[name] = copied
	}
	if err := m.write(draft); err != nil {
		return fmt.Errorf("manifest of the backup: %w", err)
	}
	return syncFolder(draft)
}

// outside refuses a backup below the data folder. A folder that does not exist is for the caller to report.
func outside(data, into string) error {
	data, err := filepath.Abs(data)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if data, err = filepath.EvalSymlinks(data); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(into))
	if err != nil {
		return nil //nolint:nilerr // Create reports it
	}
	if relative, err := filepath.Rel(data, parent); err == nil && filepath.IsLocal(relative) {
		return chain.Invalidf("%s is in the data folder, with which it would be lost: choose a folder elsewhere", into)
	}
	return nil
}

// vacant refuses a folder that has something else in it than these names.
func vacant(folder string, except ...string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return chain.Invalidf("folder %s: %v", folder, err)
	}
	for _, e := range entries {
		if e.Name() != lostFound && !slices.Contains(except, e.Name()) {
			return chain.Invalidf("folder %s is not empty, it has %s: choose a new or empty one", folder, chain.Quote(e.Name()))
		}
	}
	return nil
}
