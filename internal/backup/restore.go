package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	"tonql/internal/chain"
	"tonql/internal/draft"
	"tonql/internal/embeddedpg"
	"tonql/internal/filelock"
)

// RestoreOptions select a backup and where it goes. All fields are required but the two of the key.
type RestoreOptions struct {
	From     string // folder of the backup
	Data     string // data folder: new or empty
	Database embeddedpg.Options
	// KeyFile replaces an excluded key of webhook secrets. WithoutKey accepts that these secrets are lost.
	KeyFile    string
	WithoutKey bool
	Log        *slog.Logger
}

// draftName is the folder in the data folder with a restore that is not complete.
const draftName = "restore.partial"

// Unfinished returns an Invalid error for a data folder with a restore that is not complete.
func Unfinished(data string) error {
	partial := filepath.Join(data, draftName)
	if _, err := os.Lstat(partial); err != nil {
		return nil //nolint:nilerr // what else is wrong with the folder is for others to report
	}
	return chain.Invalidf("%s exists: a restore runs, or was interrupted; in that case repeat 'tonql restore'", partial)
}

// Restore checks a backup completely and copies it into an empty data folder. Database.Dir has to be below Data. When Restore
// fails or is interrupted, the data folder has no database. What a killed one has left is removed.
func Restore(ctx context.Context, o RestoreOptions) (*Manifest, error) {
	m, err := readManifest(o.From)
	if err != nil {
		return nil, err
	}
	if err := checkKey(m, o); err != nil {
		return nil, err
	}
	for name, want := range m.Files {
		if err := check(ctx, o.From, filepath.Join(filesPart, filepath.FromSlash(name)), want); err != nil {
			return nil, fmt.Errorf("damaged backup: %w", err)
		}
	}
	if err := prepare(o.Data); err != nil {
		return nil, err
	}
	partial := filepath.Join(o.Data, draftName)
	lock, err := filelock.Folder(partial)
	switch {
	case errors.Is(err, filelock.ErrHeld):
		return nil, chain.Invalidf("another restore writes to %s: wait until it ends", partial)
	case errors.Is(err, fs.ErrExist):
		return nil, chain.Invalidf("%s exists, and is not of this version: remove it and repeat 'tonql restore'", partial)
	case err != nil:
		return nil, fmt.Errorf("data folder: %w", draft.Full(err, partial))
	}
	defer func() { _ = lock.Close() }() // nothing is written to it
	if err := unpack(ctx, m, o, partial); err != nil {
		return nil, errors.Join(draft.Named(draft.Full(err, partial), partial, o.Data), os.RemoveAll(partial))
	}
	// The database is the last: without it, nothing looks like a data folder.
	entries, err := os.ReadDir(partial)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() != databasePart && e.Name() != filelock.FolderLock {
			err = errors.Join(err, os.Rename(filepath.Join(partial, e.Name()), filepath.Join(o.Data, e.Name())))
		}
	}
	if err == nil {
		err = os.Rename(filepath.Join(partial, databasePart), filepath.Join(o.Data, databasePart))
	}
	if err == nil {
		err = os.RemoveAll(partial)
	}
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	return m, draft.Sync(o.Data)
}

// checkKey requires a decision on the key of webhook secrets, and that the given file is readable.
func checkKey(m *Manifest, o RestoreOptions) error {
	if o.KeyFile != "" {
		if _, included := m.Files[keyFile]; included {
			return chain.Invalidf("the backup includes the key of webhook secrets: leave out --webhook-key-file")
		}
		if _, err := os.Stat(o.KeyFile); err != nil {
			return chain.Invalidf("--webhook-key-file: %v", err)
		}
		return nil
	}
	if m.KeyExcluded && !o.WithoutKey {
		return chain.Invalidf("the key of webhook secrets was excluded from this backup: give your copy with --webhook-key-file FILE. " +
			"With --without-webhook-key, the secrets are lost, and every webhook endpoint has to be created again")
	}
	return nil
}

// prepare makes the data folder. Root is refused when it belongs to another user, who could not use the restored files.
func prepare(data string) error {
	if err := vacant(data, draftName); err != nil {
		return err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	info, err := os.Stat(data)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 && stat.Uid != 0 {
		return chain.Invalidf("data folder %s belongs to user %d: restore as that user, such as by runuser -u tonql", data, stat.Uid)
	}
	return nil
}

// copyPart copies a file of the data folder, by its path with slashes.
func copyPart(ctx context.Context, backup, name, draft string) (File, error) {
	source, err := openPart(backup, filepath.Join(filesPart, filepath.FromSlash(name)))
	if err != nil {
		return File{}, err
	}
	defer source.Close()
	return copyFrom(ctx, source, filepath.Join(draft, filepath.FromSlash(name)))
}

func unpack(ctx context.Context, m *Manifest, o RestoreOptions, draft string) error {
	for name, want := range m.Files {
		copied, err := copyPart(ctx, o.From, name, draft)
		if err == nil && copied != want {
			err = errors.New("the backup changed meanwhile")
		}
		if err != nil {
			return fmt.Errorf("restore of %s: %w", name, err)
		}
	}
	if o.KeyFile != "" {
		if _, err := copyOf(ctx, o.KeyFile, filepath.Join(draft, keyFile)); err != nil {
			return fmt.Errorf("--webhook-key-file: %w", err)
		}
	}
	relative, err := filepath.Rel(o.Data, o.Database.Dir)
	if err != nil || relative != databasePart {
		return fmt.Errorf("database folder %s is not %s of the data folder", o.Database.Dir, databasePart)
	}
	database := o.Database
	database.Dir = filepath.Join(draft, databasePart)
	return embeddedpg.Restore(ctx, database, filepath.Join(o.From, databasePart))
}
