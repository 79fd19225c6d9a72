package embeddedpg

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/xi2/xz"
)

// mavenCentral is the repository that publishes the archives of the zonky project.
const mavenCentral = "https://repo1.maven.org/maven2"

// maxArchive limits the size of a download and of each unpacked file, in bytes.
const maxArchive = 256 << 20

// Bounds of all files of an archive together. A published archive has about 1,500 entries and 50 MB.
const (
	maxUnpacked = 1 << 30
	maxEntries  = 50_000
)

// archiveURL returns the URL of the jar with the programs of a PostgreSQL version for this machine.
func archiveURL(repository, version string) string {
	if repository == "" {
		repository = mavenCentral
	}
	machine := runtime.GOARCH
	switch machine {
	case "arm64":
		machine = "arm64v8"
	case "arm":
		machine = "arm32v7"
	}
	if _, err := os.Stat("/etc/alpine-release"); err == nil && runtime.GOOS == "linux" {
		machine += "-alpine" // linked with musl
	}
	name := "embedded-postgres-binaries-" + runtime.GOOS + "-" + machine
	return strings.TrimSuffix(repository, "/") + "/io/zonky/test/postgres/" + name + "/" + version + "/" + name + "-" + version + ".jar"
}

// fetchArchive downloads a jar and compares it with its published checksum, if there is one.
func fetchArchive(ctx context.Context, url string) ([]byte, error) {
	jar, err := get(ctx, url)
	if err != nil {
		return nil, err
	}
	sum, err := get(ctx, url+".sha256")
	if errors.Is(err, fs.ErrNotExist) {
		return jar, nil
	}
	if err != nil {
		return nil, err
	}
	if got := sha256.Sum256(jar); !strings.HasPrefix(string(sum), hex.EncodeToString(got[:])) {
		return nil, fmt.Errorf("archive repository: the checksum of %s differs from the published one", url)
	}
	return jar, nil
}

// get downloads one file. The error is fs.ErrNotExist when the repository does not have it.
func get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("archive repository: %w", err)
	}
	resp, err := (&http.Client{Timeout: downloadTimeout}).Do(req)
	if err != nil {
		return nil, fmt.Errorf("archive repository: %w", err)
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return nil, fmt.Errorf("archive repository: %s: %w", url, fs.ErrNotExist)
	default:
		return nil, fmt.Errorf("archive repository: %s: status %s", url, resp.Status)
	}
	return readLimited(resp.Body)
}

func readLimited(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxArchive+1))
	if err != nil {
		return nil, fmt.Errorf("archive of PostgreSQL: %w", err)
	}
	if len(data) > maxArchive {
		return nil, fmt.Errorf("archive of PostgreSQL: larger than %d bytes", maxArchive)
	}
	return data, nil
}

// unpack extracts the tar.xz inside a jar into dir, which has to exist.
func unpack(jar []byte, dir string) error {
	files, err := zip.NewReader(bytes.NewReader(jar), int64(len(jar)))
	if err != nil {
		return fmt.Errorf("archive of PostgreSQL: %w", err)
	}
	for _, f := range files.File {
		if path.Ext(f.Name) == ".txz" {
			packed, err := f.Open()
			if err != nil {
				return fmt.Errorf("archive of PostgreSQL: %w", err)
			}
			return errors.Join(untar(packed, dir), packed.Close())
		}
	}
	return errors.New("archive of PostgreSQL: no .txz file in it")
}

// untar extracts a tar.xz into dir.
func untar(packed io.Reader, dir string) error {
	plain, err := xz.NewReader(packed, 0)
	if err != nil {
		return fmt.Errorf("archive of PostgreSQL: %w", err)
	}
	return extractAll(plain, dir, maxUnpacked)
}

// extractAll extracts files, folders and symbolic links of a tar of at most limit bytes. It writes nothing outside dir.
func extractAll(plain io.Reader, dir string, limit int64) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	defer func() { _ = root.Close() }() // a handle of a folder
	entries := tar.NewReader(io.LimitReader(plain, limit))
	for n := 0; ; n++ {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && n == maxEntries {
			err = fmt.Errorf("more than %d entries", maxEntries)
		}
		if err == nil {
			err = extract(root, entry, entries)
		}
		if err != nil {
			return fmt.Errorf("archive of PostgreSQL: %w", err)
		}
	}
}

// extract writes one entry of an archive.
func extract(root *os.Root, entry *tar.Header, content io.Reader) error {
	name := filepath.Clean(entry.Name)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	switch entry.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeSymlink:
		return root.Symlink(entry.Linkname, name)
	case tar.TypeReg:
		if entry.Size > maxArchive {
			return fmt.Errorf("%s is larger than %d bytes", name, maxArchive)
		}
		file, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_EXCL, fs.FileMode(entry.Mode)&0o777)
		if err != nil {
			return err
		}
		_, err = io.CopyN(file, content, entry.Size)
		return errors.Join(err, file.Close())
	default:
		return nil // the archives have no other kinds of entries that matter
	}
}
