package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	keyFile  = "webhook.key"
	chainDir = "devnet"
	// lockFile belongs to a running process.
	lockFile = "lock"
	// lostFound is a folder of the file system, which only root can read, where the data folder is a mount point.
	lostFound = "lost+found"
)

// belongs reports whether a backup contains a file of the data folder, by its path with slashes.
func belongs(name string) bool {
	trusted, err := path.Match("trust-*.json", name)
	return name == keyFile || err == nil && trusted || strings.HasPrefix(name, chainDir+"/") && path.Base(name) != lockFile && !strings.Contains(path.Base(name), ".tmp")
}

// listFiles returns the files of a data folder outside of the database in the order to copy them, and those that no backup
// contains. A snapshot of the local chain and the trusted blocks refer to its log, which is therefore the last.
func listFiles(data string) (ours, others []string, err error) {
	err = filepath.WalkDir(data, func(file string, entry fs.DirEntry, err error) error {
		name, relative := filepath.Rel(data, file)
		if relative != nil {
			return relative
		}
		name = filepath.ToSlash(name)
		if err != nil {
			if name == "." || name == chainDir || strings.HasPrefix(name, chainDir+"/") {
				return err
			}
			others = append(others, name) // a folder that somebody else made
			return fs.SkipDir
		}
		switch {
		case entry.IsDir() && (name == databasePart || name == lostFound):
			return fs.SkipDir
		case entry.IsDir() || path.Base(name) == lockFile:
			return nil
		case belongs(name) && entry.Type().IsRegular():
			ours = append(ours, name)
		default:
			others = append(others, name)
		}
		return nil
	})
	slices.SortStableFunc(ours, func(a, b string) int { return logs(a) - logs(b) })
	return ours, others, err
}

// logs is 1 for a file that grows by appending.
func logs(name string) int {
	if path.Ext(name) == ".log" {
		return 1
	}
	return 0
}

// copyOf copies a file with the size it has now, and returns its size and hash. The copy is readable by its owner alone.
func copyOf(ctx context.Context, from, to string) (File, error) {
	source, err := os.Open(from)
	if err != nil {
		return File{}, err
	}
	defer source.Close()
	return copyFrom(ctx, source, to)
}

// copyFrom is copyOf for an open file.
func copyFrom(ctx context.Context, source *os.File, to string) (File, error) {
	info, err := source.Stat()
	if err != nil {
		return File{}, err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return File{}, err
	}
	sum := sha256.New()
	content := &counter{ctx: ctx, from: io.TeeReader(io.LimitReader(source, info.Size()), sum)}
	if err := writeSynced(to, content); err != nil {
		return File{}, err
	}
	return File{Size: content.n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// openPart opens a file of a backup, which is untrusted: a link could lead out of it, and a pipe or a device has no end.
func openPart(backup, name string) (*os.File, error) {
	root, err := os.OpenRoot(backup)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // nothing is written
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", filepath.Join(backup, name))
	}
	return root.Open(name)
}

// check compares a file of a backup with the manifest.
func check(ctx context.Context, backup, name string, want File) error {
	source, err := openPart(backup, name)
	if err != nil {
		return err
	}
	defer source.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, &counter{ctx: ctx, from: io.LimitReader(source, want.Size+1)})
	if err != nil {
		return err
	}
	if found := hex.EncodeToString(sum.Sum(nil)); n != want.Size || found != want.SHA256 {
		return fmt.Errorf("%s differs from the backup's manifest: it has %s bytes with the hash %.16s…, the manifest %d bytes and %.16s…",
			filepath.Join(backup, name), bytesRead(n, want.Size), found, want.Size, want.SHA256)
	}
	return nil
}

// bytesRead is the number of bytes that were read, up to one more than expected.
func bytesRead(n, expected int64) string {
	if n > expected {
		return fmt.Sprintf("more than %d", expected)
	}
	return strconv.FormatInt(n, 10)
}

// counter counts what is read, until ctx ends.
type counter struct {
	ctx  context.Context
	from io.Reader
	n    int64
}

func (c *counter) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// writeSynced writes a new file that only its owner can read, and flushes it to disk.
func writeSynced(name string, content io.Reader) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Sync(), file.Close())
}
