package snapshot_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
	"tonql/internal/snapshot"
	"tonql/internal/store/storetest"
	"tonql/internal/testdb"
)

// A connection to the database that is cut at any byte of an export leaves nothing, and at any byte of an import what the same command continues.
func TestSnapshot_ConnectionIsCutAtAnyByte(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	url := testdb.URL(t)
	source := testdb.Open(t, url)
	storetest.Apply(t, source.Writer(), storetest.SmallChain()[:20])
	random := rand.New(rand.NewPCG(5, 6))
	parent := t.TempDir()
	folder := filepath.Join(parent, "snapshot")
	proxy, through := testdb.NewProxy(t, url)
	from := handle(t, testdb.Open(t, through))
	lost := func(err error) {
		t.Helper()
		require.Regexp(t, "the connection to the database was lost|connect to the database", err.Error())
	}
	for range 6 {
		proxy.CutAfter(random.Int64N(200_000))
		_, _, err := snapshot.Export(t.Context(), from, snapshot.ExportOptions{Into: folder, Version: "test"}.WithPartBytes(64<<10))
		if err == nil {
			require.NoError(t, os.RemoveAll(folder)) // the cut was to come later
			continue
		}
		lost(err)
		entries, err := os.ReadDir(parent)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
	require.Greater(t, proxy.Cuts(), 3)
	proxy.CutAfter(-1)
	_, _, err := snapshot.Export(t.Context(), from, snapshot.ExportOptions{Into: folder, Version: "test"}.WithPartBytes(64<<10))
	require.NoError(t, err)

	proxy, through = testdb.NewProxy(t, testdb.URL(t))
	into := handle(t, testdb.Open(t, through))
	for tries := 0; ; tries++ {
		proxy.CutAfter(random.Int64N(60_000) * int64(1+tries/3))
		_, err := snapshot.Import(t.Context(), into, snapshot.ImportOptions{From: snapshot.Folders(folder)})
		if err == nil {
			break
		}
		lost(err)
	}
	require.Greater(t, proxy.Cuts(), 3)
	proxy.CutAfter(-1)
	require.NoError(t, snapshot.Complete(t.Context(), into))
	target := testdb.Open(t, proxy.Direct())
	requireEqual(t, handle(t, source), handle(t, target))
	require.Equal(t, definitions(t, handle(t, source)), definitions(t, handle(t, target)))
}
