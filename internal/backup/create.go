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
	"time"

	"tonql/internal/chain"
	"tonql/internal/draft"
	"tonql/internal/embeddedpg"
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
	folder, err := draft.New(o.Into, "backup")
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller has the text
	}
	if err := fill(ctx, o, m, names, folder.Path); err != nil {
		return nil, folder.Discard(err)
	}
	return m, folder.Complete()
}

// fill writes the parts of a backup into its folder, the manifest last.
func fill(ctx context.Context, o CreateOptions, m *Manifest, names []string, into string) error {
	if err := embeddedpg.Backup(ctx, o.Database, filepath.Join(into, databasePart)); err != nil {
		return err
	}
	for _, name := range names {
		copied, err := copyOf(ctx, filepath.Join(o.Data, name), filepath.Join(into, filesPart, name))
		if errors.Is(err, fs.ErrNotExist) && name != keyFile {
			continue // replaced by a newer snapshot meanwhile
		}
		if err != nil {
			return fmt.Errorf("backup of %s: %w", name, err)
		}
		m.Files[name] = copied
	}
	if err := m.write(into); err != nil {
		return fmt.Errorf("manifest of the backup: %w", err)
	}
	return nil
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
