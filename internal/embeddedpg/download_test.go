package embeddedpg

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// archiveHost serves one archive and its checksum under the names of the Maven repository.
func archiveHost(t *testing.T, jar []byte) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	sum := sha256.Sum256(jar)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		switch {
		case !strings.HasPrefix(r.URL.Path, "/maven2/io/zonky/test/postgres/"):
			w.WriteHeader(http.StatusNotFound)
		case strings.HasSuffix(r.URL.Path, ".sha256"):
			_, _ = w.Write([]byte(hex.EncodeToString(sum[:])))
		default:
			_, _ = w.Write(jar)
		}
	}))
	t.Cleanup(host.Close)
	return host.URL + "/maven2", requests
}

// The archive contains the programs of this machine, in the layout of the published ones.
func TestFindBinaries_DownloadsAndCachesAnArchive(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	local, err := findBinaries(testContext(t), Search{NoDownload: true}.withDefaults(), 0, self())
	require.NoError(t, err, "the tests need a PostgreSQL on this machine")
	url, requests := archiveHost(t, packArchive(t, local.dir))
	search := Search{Path: t.TempDir(), Globs: []string{}, CacheDir: publicFolder(t), Repository: url}

	s := startWith(t, Options{Dir: t.TempDir(), Fast: true, Binaries: search})
	require.True(t, strings.HasPrefix(s.bin.dir, search.CacheDir), s.bin.dir)
	require.Equal(t, local.version, s.Version())
	insertValue(t, s.DSN(), "fetched")
	require.EqualValues(t, 2, requests.Load(), "the archive and its checksum")

	again := startWith(t, Options{Dir: t.TempDir(), Fast: true, Binaries: search})
	require.Equal(t, s.bin, again.bin)
	require.EqualValues(t, 2, requests.Load(), "the second start uses the cache")
}

func TestFindBinaries_DownloadErrorsAreReported(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	search := Search{Path: t.TempDir(), Globs: []string{}, CacheDir: t.TempDir(), Repository: gone.URL}
	_, err := findBinaries(testContext(t), search, 0, self())
	require.ErrorIs(t, err, ErrNoBinaries)
	require.ErrorContains(t, err, "no PostgreSQL 15 or newer found on this machine and it could not be downloaded (archive repository: ")
	require.ErrorContains(t, err, "connection refused): install it")
	require.NotContains(t, err.Error(), "\n", "one sentence")

	search.Repository, _ = archiveHost(t, []byte("not an archive"))
	_, err = findBinaries(testContext(t), search, 0, self())
	require.ErrorIs(t, err, ErrNoBinaries)

	_, err = findBinaries(testContext(t), search, 31, self())
	require.ErrorContains(t, err, "no archive of PostgreSQL 31 is published")
	left, err := os.ReadDir(search.CacheDir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// The repository never responds.
func TestFindBinaries_DownloadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	requested := make(chan struct{})
	stalling := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(requested)
		<-r.Context().Done()
	}))
	defer stalling.Close()
	ctx, cancel := context.WithCancel(testContext(t))
	go func() {
		<-requested
		cancel()
	}()
	search := Search{Path: t.TempDir(), Globs: []string{}, CacheDir: t.TempDir(), Repository: stalling.URL}
	_, err := findBinaries(ctx, search, 0, self())
	require.ErrorIs(t, err, context.Canceled)
}

// packArchive makes the archive of a PostgreSQL: a zip with a tar.xz of the files that a start needs.
func packArchive(t *testing.T, bin string) []byte {
	t.Helper()
	var tarred bytes.Buffer
	files := tar.NewWriter(&tarred)
	// The programs find their libraries relative to themselves.
	for _, name := range []string{"bin/initdb", "bin/postgres", "bin/pg_ctl", "lib/dict_snowball.so", "lib/plpgsql.so"} {
		data, err := os.ReadFile(filepath.Join(filepath.Dir(bin), name))
		require.NoError(t, err)
		require.NoError(t, files.WriteHeader(&tar.Header{Name: name, Mode: 0o700, Size: int64(len(data)), Typeflag: tar.TypeReg}))
		_, err = files.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, files.Close())
	var jar bytes.Buffer
	entries := zip.NewWriter(&jar)
	entry, err := entries.Create("postgres.txz")
	require.NoError(t, err)
	_, err = entry.Write(storeXZ(tarred.Bytes()))
	require.NoError(t, err)
	require.NoError(t, entries.Close())
	return jar.Bytes()
}

// storeXZ wraps data into an xz stream of uncompressed LZMA2 chunks, without check
// sums of the content.
func storeXZ(data []byte) []byte {
	var out bytes.Buffer
	withCRC := func(b []byte) { out.Write(binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))) }
	varint := func(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

	flags := []byte{0, 0}
	out.WriteString("\xfd7zXZ\x00")
	withCRC(flags)

	start := out.Len()
	withCRC([]byte{2, 0, 0x21, 1, 22, 0, 0, 0}) // one filter: LZMA2 with a dictionary of 8 MiB
	for rest, control := data, byte(1); len(rest) > 0; control = 2 {
		n := min(len(rest), 1<<16)
		out.Write([]byte{control, byte((n - 1) >> 8), byte(n - 1)})
		out.Write(rest[:n])
		rest = rest[n:]
	}
	out.WriteByte(0)
	unpadded := out.Len() - start
	pad(&out)

	index := varint(varint([]byte{0, 1}, unpadded), len(data))
	for len(index)%4 != 0 {
		index = append(index, 0)
	}
	withCRC(index)
	footer := append(binary.LittleEndian.AppendUint32(nil, uint32((len(index)+4)/4-1)), flags...)
	out.Write(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(footer)))
	out.Write(footer)
	out.WriteString("YZ")
	return out.Bytes()
}

func pad(out *bytes.Buffer) {
	for out.Len()%4 != 0 {
		out.WriteByte(0)
	}
}
