package backup

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/embeddedpg"
	"tonql/internal/filelock"
	"tonql/internal/pacetest"
)

// dataFolder returns a data folder with a running database and one file of each kind.
func dataFolder(t *testing.T) (string, embeddedpg.Options) {
	t.Helper()
	data := t.TempDir()
	opts := embeddedpg.Options{Dir: filepath.Join(data, "postgres"), Logger: slog.New(slog.DiscardHandler)}
	server, err := embeddedpg.Start(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop(context.Background())) })
	for name, content := range map[string]string{
		"webhook.key": "key", "trust-devnet.json": "{}", "devnet/rounds.log": "rounds", "devnet/snapshot": "states", "devnet/lock": "12", "notes.txt": "mine", "lost+found/#12": "of the disk",
	} {
		path := filepath.Join(data, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return data, opts
}

func create(t *testing.T, key Key) (data, backup string) {
	t.Helper()
	data, opts := dataFolder(t)
	backup = filepath.Join(t.TempDir(), "backup")
	_, err := Create(t.Context(), CreateOptions{Data: data, Into: backup, Database: opts, Key: key, Version: "v1", Log: opts.Logger})
	require.NoError(t, err)
	return data, backup
}

func restoreOptions(t *testing.T, backup string) RestoreOptions {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	return RestoreOptions{
		From: backup, Data: data, Log: slog.New(slog.DiscardHandler),
		Database: embeddedpg.Options{Dir: filepath.Join(data, "postgres"), Logger: slog.New(slog.DiscardHandler)},
	}
}

func TestCreate_KeyNeedsADecision(t *testing.T) {
	t.Parallel()
	data, opts := dataFolder(t)
	backup := filepath.Join(t.TempDir(), "backup")
	_, err := Create(t.Context(), CreateOptions{Data: data, Into: backup, Database: opts, Version: "v1", Log: opts.Logger})
	require.ErrorContains(t, err, "--secrets include")
	require.NoDirExists(t, backup)
	require.NoDirExists(t, backup+".partial")
}

// The folder around a backup has to exist, outside of the data folder: a backup in it would be lost with it, and be part of the next one.
func TestCreate_WrongPlacesAreRefused(t *testing.T) {
	t.Parallel()
	data, opts := dataFolder(t)
	elsewhere := t.TempDir()
	linked := filepath.Join(elsewhere, "link")
	require.NoError(t, os.Symlink(data, linked))
	disk := filepath.Join(elsewhere, "disk") // its lost+found cannot be replaced
	require.NoError(t, os.MkdirAll(filepath.Join(disk, "lost+found"), 0o700))
	for into, want := range map[string]string{
		filepath.Join(elsewhere, "none", "backup"): "folder " + filepath.Join(elsewhere, "none") + " has to exist",
		filepath.Join(data, "backup"):              "is in the data folder",
		filepath.Join(data, "devnet", "a"):         "is in the data folder",
		filepath.Join(linked, "backup"):            "is in the data folder",
		disk:                                       "a backup replaces its folder, so name a new one, such as " + disk + "/backup",
		data + "-2":                                "",
	} {
		_, err := Create(t.Context(), CreateOptions{Data: data, Into: into, Database: opts, Key: KeyInclude, Version: "v1", Log: opts.Logger})
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
		require.NoDirExists(t, into+".partial")
	}
}

func TestRestore_WritesTheFilesOfTheBackup(t *testing.T) {
	t.Parallel()
	_, backup := create(t, KeyInclude)
	o := restoreOptions(t, backup)
	m, err := Restore(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, "v1", m.Version)
	require.Len(t, m.Files, 4)
	for name, content := range map[string]string{"webhook.key": "key", "trust-devnet.json": "{}", "devnet/rounds.log": "rounds", "devnet/snapshot": "states"} {
		for _, folder := range []string{o.Data, filepath.Join(backup, "data")} {
			data, err := os.ReadFile(filepath.Join(folder, name))
			require.NoError(t, err)
			require.Equal(t, content, string(data))
			info, err := os.Stat(filepath.Join(folder, name))
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode(), "readable by the owner alone")
		}
	}
	require.NoFileExists(t, filepath.Join(o.Data, "notes.txt"))
	require.NoDirExists(t, filepath.Join(o.Data, "restore.partial"))
	_, err = Restore(t.Context(), o)
	require.ErrorContains(t, err, "is not empty")
	server, err := embeddedpg.Start(t.Context(), o.Database)
	require.NoError(t, err)
	require.NoError(t, server.Stop(t.Context()))
}

// Files of a restore that fails are removed: its error names the data folder alone.
func TestRestore_ErrorsNameTheDataFolder(t *testing.T) {
	t.Parallel()
	_, backup := create(t, KeyInclude)
	o := restoreOptions(t, backup)
	// The lock of the unfinished folder has the longest path that the system accepts, and devnet/rounds.log a longer one.
	const maxPath = 4095
	for more := maxPath - len(filepath.Join(o.Data, draftName, filelock.FolderLock)); more > 0; more = maxPath - len(filepath.Join(o.Data, draftName, filelock.FolderLock)) {
		size := min(more-1, 200)
		if more-1-size == 1 {
			size-- // a separator has to be followed by a name
		}
		o.Data = filepath.Join(o.Data, strings.Repeat("d", size))
	}
	o.Database.Dir = filepath.Join(o.Data, "postgres")
	_, err := Restore(t.Context(), o)
	require.ErrorIs(t, err, syscall.ENAMETOOLONG)
	require.ErrorContains(t, err, o.Data+"/")
	require.NotContains(t, err.Error(), draftName)
}

func TestRestore_ExcludedKeyIsRequired(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	_, backup := create(t, KeyExclude)
	require.NoFileExists(t, filepath.Join(backup, "data/webhook.key"))
	o := restoreOptions(t, backup)
	_, err := Restore(t.Context(), o)
	require.ErrorContains(t, err, "--webhook-key-file")
	require.NoDirExists(t, o.Data)
	o.KeyFile = filepath.Join(t.TempDir(), "copy")
	_, err = Restore(t.Context(), o)
	require.ErrorContains(t, err, "no such file")
	require.NoError(t, os.WriteFile(o.KeyFile, []byte("copy"), 0o600))
	_, err = Restore(t.Context(), o)
	require.NoError(t, err)
	key, err := os.ReadFile(filepath.Join(o.Data, "webhook.key"))
	require.NoError(t, err)
	require.Equal(t, "copy", string(key))

	without := restoreOptions(t, backup)
	without.WithoutKey = true
	_, err = Restore(t.Context(), without)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(without.Data, "webhook.key"))
}

// A backup that is damaged, incomplete or hostile leaves the data folder without anything.
func TestRestore_RefusesOtherFolders(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	_, backup := create(t, KeyInclude)
	manifest := filepath.Join(backup, manifestName)
	complete, err := os.ReadFile(manifest)
	require.NoError(t, err)
	edited := func(change func(*Manifest)) []byte {
		var m Manifest
		require.NoError(t, json.Unmarshal(complete, &m))
		change(&m)
		data, err := json.Marshal(m)
		require.NoError(t, err)
		return data
	}
	for want, content := range map[string][]byte{
		"unexpected end of JSON":    complete[:20],
		"format 7, made by tonql":   edited(func(m *Manifest) { m.Format = 7 }),
		"which no data folder has":  edited(func(m *Manifest) { m.Files["../../etc/passwd"] = File{} }),
		"a file \"other\"":          edited(func(m *Manifest) { m.Files["other"] = File{} }),
		"damaged backup":            edited(func(m *Manifest) { m.Files["webhook.key"] = File{Size: 3, SHA256: "00"} }),
		"no such file or directory": edited(func(m *Manifest) { m.Files["trust-mainnet.json"] = File{} }),
		"more than 4194304 bytes":   slices.Concat(complete, make([]byte, maxManifest)),
	} {
		require.NoError(t, os.WriteFile(manifest, content, 0o600))
		o := restoreOptions(t, backup)
		_, err = Restore(t.Context(), o)
		require.ErrorContains(t, err, want)
		require.NoDirExists(t, o.Data)
	}
	require.NoError(t, os.WriteFile(manifest, complete, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(backup, "postgres/PG_VERSION"), []byte("15 \n"), 0o600))
	o := restoreOptions(t, backup)
	_, err = Restore(t.Context(), o)
	require.ErrorIs(t, err, embeddedpg.ErrBackup)
	entries, err := os.ReadDir(o.Data)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// The log of the local chain is copied last: what refers to it is not ahead of it.
// Links, pipes and devices in a backup are not followed, and do not keep a restore waiting.
func TestRestore_RefusesFilesThatAreNone(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	_, backup := create(t, KeyInclude)
	for _, name := range []string{manifestName, "data/webhook.key", "data/devnet/rounds.log"} {
		for kind, replace := range map[string]func(path string) error{
			"link":   func(path string) error { return os.Symlink("/etc/hostname", path) },
			"device": func(path string) error { return os.Symlink("/dev/zero", path) },
			"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		} {
			path := filepath.Join(backup, name)
			require.NoError(t, os.Rename(path, path+".aside"))
			require.NoError(t, replace(path))
			o := restoreOptions(t, backup)
			ended := make(chan error, 1)
			go func() { _, err := Restore(t.Context(), o); ended <- err }()
			select {
			case err := <-ended:
				require.ErrorContains(t, err, "is not a file", "%s: %s", name, kind)
			case <-time.After(time.Minute):
				require.Fail(t, "the restore waits", "%s: %s", name, kind)
			}
			require.NoDirExists(t, o.Data)
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.Rename(path+".aside", path))
		}
	}
	require.NoError(t, os.Rename(filepath.Join(backup, "data"), filepath.Join(backup, "moved")))
	require.NoError(t, os.Symlink(t.TempDir(), filepath.Join(backup, "data")))
	_, err := Restore(t.Context(), restoreOptions(t, backup))
	require.ErrorContains(t, err, "escapes from parent")
}

func TestCreate_CopiesTheLogLast(t *testing.T) {
	t.Parallel()
	data, _ := dataFolder(t)
	names, others, err := listFiles(data)
	require.NoError(t, err)
	require.Equal(t, "devnet/rounds.log", names[len(names)-1])
	require.Equal(t, []string{"notes.txt"}, others)
}
