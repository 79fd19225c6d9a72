package embeddedpg

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// A hostile archive exceeds no limit and writes no file outside of the folder.
func TestExtractAll_HostileArchivesAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	file := func(name string, size int) []tar.Header {
		return []tar.Header{{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(size)}}
	}
	many := make([]tar.Header, maxEntries+1)
	for i := range many {
		many[i] = tar.Header{Name: "d" + strconv.Itoa(i%10), Typeflag: tar.TypeDir}
	}
	for name, entries := range map[string][]tar.Header{
		"a file outside":            file("../outside", 1),
		"a file below an outer one": append([]tar.Header{{Name: "link", Typeflag: tar.TypeSymlink, Linkname: ".."}}, file("link/outside", 1)...),
		"a file that is too large":  {{Name: "large", Typeflag: tar.TypeReg, Size: maxArchive + 1}},
		"files too large together":  append(file("a", 1<<20), file("b", 1<<20)...),
		"too many entries":          many,
	} {
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		for i := range entries {
			require.NoError(t, w.WriteHeader(&entries[i]), name)
			if entries[i].Size <= 1<<20 {
				_, err := w.Write(make([]byte, entries[i].Size))
				require.NoError(t, err, name)
			}
		}
		dir := filepath.Join(t.TempDir(), "cache")
		require.NoError(t, os.Mkdir(dir, 0o700))
		limit := int64(maxUnpacked)
		if name == "files too large together" {
			limit = 3 << 19
		}
		require.Error(t, extractAll(&archive, dir, limit), name)
		require.NoFileExists(t, filepath.Join(dir, "..", "outside"), name)
	}
}
