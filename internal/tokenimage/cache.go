package tokenimage

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"tonql/internal/filelock"
)

// cache keeps files in a folder, with a checksum behind the data: a file that a crash left torn is removed when it is read.
// Files appear complete by a rename. The folder belongs to one process; another one works without a cache.
type cache struct {
	folder string
	max    int64
	logger *slog.Logger

	open sync.Once
	mu   sync.Mutex // guards the rest
	lock *os.File   // nil: nothing is cached
	size int64
	used *simplelru.LRU[string, *cached]
}

type cached struct {
	size    int64
	touched time.Time // modification time of the file: when it was last used, roughly
}

const (
	// maxFiles bounds the memory of the list of files.
	maxFiles = 1 << 20
	// maxFile bounds a file that is read, in bytes; an image of the largest size takes 1 MiB at most.
	maxFile  = 4 << 20
	tempName = "tmp-"
	// touchEvery is how often the use of a file is written to disk.
	touchEvery = time.Hour
)

func newCache(folder string, maxBytes int64, logger *slog.Logger) *cache {
	return &cache{folder: folder, max: maxBytes, logger: logger}
}

// ready opens the folder on first use and reports whether it is usable.
func (c *cache) ready() bool {
	if c.folder == "" || c.max <= 0 {
		return false
	}
	c.open.Do(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := c.load(); err != nil {
			c.logger.Warn("image cache not usable, images are not cached", "folder", c.folder, "err", err)
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lock != nil
}

// load locks the folder and lists its files. The caller holds mu.
func (c *cache) load() error {
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return err
	}
	lock, err := filelock.Lock(filepath.Join(c.folder, "lock"))
	if err != nil {
		return err
	}
	used, err := simplelru.NewLRU(maxFiles, func(name string, f *cached) {
		c.size -= f.size
		if err := os.Remove(c.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.logger.Warn("cached image not removed", "err", err)
		}
	})
	if err != nil {
		return err
	}
	c.used = used
	type file struct {
		name string
		cached
	}
	var files []file
	err = filepath.WalkDir(c.folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || e.Name() == "lock" {
			return err
		}
		info, err := e.Info()
		if err != nil || strings.HasPrefix(e.Name(), tempName) || len(files) >= maxFiles {
			return os.Remove(path)
		}
		files = append(files, file{e.Name(), cached{info.Size(), info.ModTime()}})
		return nil
	})
	if err != nil {
		return errors.Join(err, lock.Close())
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(a.touched.Compare(b.touched), cmp.Compare(a.name, b.name))
	})
	for _, f := range files {
		c.size += f.size
		c.used.Add(f.name, &f.cached)
	}
	c.lock = lock
	c.evict()
	return nil
}

// close releases the folder.
func (c *cache) close() error {
	c.open.Do(func() {})
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lock == nil {
		return nil
	}
	lock := c.lock
	c.lock = nil
	return lock.Close()
}

// path spreads the files over 256 folders. A name has two characters or more.
func (c *cache) path(name string) string { return filepath.Join(c.folder, name[:2], name) }

// evict removes the least recently used files until the rest fits. The caller holds mu.
func (c *cache) evict() {
	for c.size > c.max {
		if _, _, ok := c.used.RemoveOldest(); !ok {
			return
		}
	}
}

// get returns the data of a name.
func (c *cache) get(name string) ([]byte, bool) {
	if !c.ready() {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.used.Get(name)
	if !ok || c.lock == nil {
		return nil, false
	}
	body, err := readFile(c.path(name))
	if err != nil {
		c.used.Remove(name)
		return nil, false
	}
	if now := time.Now(); now.Sub(f.touched) > touchEvery {
		f.touched = now
		_ = os.Chtimes(c.path(name), now, now) // only the order of eviction after a restart depends on it
	}
	return body, true
}

var errTorn = errors.New("the checksum differs")

func readFile(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, errTorn
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(data) < sha256.Size {
		return nil, errTorn
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(want[:], sum) {
		return nil, errTorn
	}
	return body, nil
}

// put stores data under a name.
func (c *cache) put(name string, body []byte) {
	if !c.ready() || len(body) > maxFile-sha256.Size {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lock == nil {
		return
	}
	if err := c.write(name, body); err != nil {
		c.logger.Warn("image not cached", "err", err)
		return
	}
	c.used.Remove(name) // counts the old file out, and removes it
	if err := os.Rename(c.temp(name), c.path(name)); err != nil {
		c.logger.Warn("image not cached", "err", err)
		return
	}
	size := int64(len(body) + sha256.Size)
	c.size += size
	c.used.Add(name, &cached{size: size, touched: time.Now()})
	c.evict()
}

func (c *cache) temp(name string) string { return filepath.Join(c.folder, tempName+name) }

func (c *cache) write(name string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o700); err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	err := os.WriteFile(c.temp(name), append(slices.Clone(body), sum[:]...), 0o600)
	if err != nil {
		_ = os.Remove(c.temp(name)) // a full disk
	}
	return err
}

// bytes returns the size of all files.
func (c *cache) bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.size
}
