package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// downloadTimeout bounds fetching and unpacking, which is about 15 MB.
const downloadTimeout = 5 * time.Minute

// published are the versions to download, by major version.
var published = map[int]string{
	15: "15.8.0",
	16: "16.4.0",
}

const newestPublished = 16

// download fetches PostgreSQL into the cache, once, and returns it. A major of 0
// means the newest one published.
func download(ctx context.Context, s Search, major int, a account) (binaries, error) {
	if major == 0 {
		major = newestPublished
	}
	version, ok := published[major]
	if !ok {
		return binaries{}, fmt.Errorf("no archive of PostgreSQL %d is published", major)
	}
	cache, err := s.cacheDir()
	if err != nil {
		return binaries{}, err
	}
	home := filepath.Join(cache, "postgresql-"+version)
	if a.drop && !a.mayPass(filepath.Join(home, "bin")) {
		// Every folder below the cache is readable for all, so the folders above it are the obstacle.
		if !a.mayPass(home) {
			return binaries{}, fmt.Errorf("user %d may not pass to the cache folder %s", a.uid, cache)
		}
	}
	if b, err := inspect(ctx, filepath.Join(home, "bin")); err == nil {
		return b, nil
	}
	ctx, cancel := context.WithTimeout(ctx, downloadTimeout)
	defer cancel()
	fetchErr := fetch(ctx, s.Repository, cache, home, version)
	b, err := inspect(ctx, filepath.Join(home, "bin"))
	if err != nil {
		return b, errors.Join(fetchErr, ctx.Err())
	}
	return b, nil
}

// cacheDir returns the folder of downloaded programs and creates it. The account that root drops to has to
// be able to read it, which is not possible below root's home.
func (s Search) cacheDir() (string, error) {
	dir := s.CacheDir
	if dir == "" && os.Geteuid() == 0 {
		dir = "/var/cache/tonql"
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("cache folder: %w", err)
		}
		dir = filepath.Join(user, "tonql")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	return dir, nil
}

// fetch downloads the programs of a version and unpacks them into home, which exists only once it is complete.
func fetch(ctx context.Context, repository, cache, home, version string) error {
	jar, err := fetchArchive(ctx, archiveURL(repository, version))
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(cache, "unpack-")
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer os.RemoveAll(work)
	unpacked := filepath.Join(work, "home")
	if err := os.Mkdir(unpacked, 0o755); err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	if err := errors.Join(unpack(jar, unpacked), readable(unpacked)); err != nil {
		return err
	}
	// Another process that was faster has unpacked the same files.
	if err := os.Rename(unpacked, home); err != nil && !isProgram(filepath.Join(home, "bin", "postgres")) {
		return fmt.Errorf("cache folder: %w", err)
	}
	return nil
}

// readable makes the unpacked files readable and executable for every account, independent of the umask.
func readable(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if info.IsDir() || mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}
