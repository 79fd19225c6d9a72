package tokenimage

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func openCache(t *testing.T, folder string, maxBytes int64) *cache {
	t.Helper()
	c := newCache(folder, maxBytes, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { require.NoError(t, c.close()) })
	return c
}

// onDisk returns the size of all files but the lock.
func onDisk(t *testing.T, folder string) (size int64, files int) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "lock" {
			return err
		}
		info, err := e.Info()
		size += info.Size()
		files++
		return err
	}))
	return size, files
}

func TestCache_StaysBelowItsSizeAndEvictsTheLeastRecentlyUsed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const each = 1000 + sha256.Size
	c := openCache(t, folder, 10*each)
	for i := range 10 {
		c.put(fmt.Sprintf("%02d-name", i), make([]byte, 1000))
	}
	_, ok := c.get("00-name")
	require.True(t, ok)
	c.put("10-name", make([]byte, 1000))
	_, ok = c.get("01-name")
	require.False(t, ok, "the least recently used")
	_, ok = c.get("00-name")
	require.True(t, ok)
	for i := range 200 {
		c.put(fmt.Sprintf("%03d-name", i), bytes.Repeat([]byte{1}, i*7))
		size, _ := onDisk(t, folder)
		require.LessOrEqual(t, size, int64(10*each))
		require.Equal(t, size, c.bytes())
	}
	c.put("huge", make([]byte, maxFile))
	_, ok = c.get("huge")
	require.False(t, ok)
}

// A process that starts again finds the files, in the order of their use, and removes what a crash left.
func TestCache_SurvivesARestartAndACrash(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := openCache(t, folder, 1<<20)
	for _, name := range []string{"aa", "bb", "cc", "dd"} {
		c.put(name, []byte(strings.Repeat(name, 50)))
	}
	old := time.Now().Add(-48 * time.Hour)
	require.NoError(t, os.Chtimes(c.path("dd"), old, old))
	require.NoError(t, c.close())
	require.NoError(t, os.WriteFile(filepath.Join(folder, tempName+"ee"), make([]byte, 500), 0o600))
	require.NoError(t, os.Truncate(c.path("bb"), 40))
	require.NoError(t, os.WriteFile(c.path("cc"), bytes.Repeat([]byte("x"), 132), 0o600))

	c = openCache(t, folder, 1<<20)
	body, ok := c.get("aa")
	require.True(t, ok)
	require.Equal(t, strings.Repeat("aa", 50), string(body))
	for _, torn := range []string{"bb", "cc"} {
		_, ok = c.get(torn)
		require.False(t, ok, torn)
		require.NoFileExists(t, c.path(torn))
	}
	require.NoFileExists(t, filepath.Join(folder, tempName+"ee"))
	size, files := onDisk(t, folder)
	require.Equal(t, 2, files)
	require.Equal(t, size, c.bytes())
	require.NoError(t, c.close())

	c = openCache(t, folder, 132)
	_, ok = c.get("dd")
	require.False(t, ok, "the oldest is removed when the limit is lowered")
	_, ok = c.get("aa")
	require.True(t, ok)
}

// Two processes do not share a folder: the second one works without a cache.
func TestCache_FolderOfAnotherProcessIsNotUsed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first, second := openCache(t, folder, 1<<20), openCache(t, folder, 1<<20)
	first.put("aa", []byte("a"))
	second.put("bb", []byte("b"))
	_, ok := second.get("aa")
	require.False(t, ok)
	_, files := onDisk(t, folder)
	require.Equal(t, 1, files)

	none := openCache(t, filepath.Join(folder, "lock", "below a file"), 1<<20)
	none.put("aa", []byte("a"))
	_, ok = none.get("aa")
	require.False(t, ok)
}

// A file that someone replaced by a link or a folder is not followed.
func TestCache_LinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := openCache(t, folder, 1<<20)
	c.put("aa", []byte("a"))
	secret := filepath.Join(t.TempDir(), "secret")
	body := []byte("secret")
	sum := sha256.Sum256(body)
	require.NoError(t, os.WriteFile(secret, append(body, sum[:]...), 0o600))
	require.NoError(t, os.Remove(c.path("aa")))
	require.NoError(t, os.Symlink(secret, c.path("aa")))
	_, ok := c.get("aa")
	require.False(t, ok)
	require.FileExists(t, secret)
}
