package embeddedpg

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// installPrograms puts programs that only print their version into root/<name>/bin.
func installPrograms(t *testing.T, root, name, version string) string {
	t.Helper()
	dir := filepath.Join(root, name, "bin")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	script := fmt.Sprintf("#!/bin/sh\necho 'postgres (PostgreSQL) %s (Debian)'\n", version)
	for _, program := range []string{"postgres", "initdb"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, program), []byte(script), 0o755))
	}
	return dir
}

func TestFindBinaries_PrefersPathThenTheNewestComplete(t *testing.T) {
	t.Parallel()
	root, path := t.TempDir(), t.TempDir()
	for _, version := range []string{"9", "14", "15", "16", "17"} {
		installPrograms(t, root, version, version+".3")
	}
	require.NoError(t, os.Remove(filepath.Join(root, "17", "bin", "initdb"))) // as a client package
	onPath := installPrograms(t, path, "here", "16beta1")
	odd := installPrograms(t, path, "odd", "unreadable")
	s := Search{Path: t.TempDir(), Globs: []string{filepath.Join(root, "*", "bin")}, NoDownload: true}

	b, err := findBinaries(testContext(t), s, 0, self())
	require.NoError(t, err)
	require.Equal(t, binaries{dir: filepath.Join(root, "16", "bin"), major: 16, version: "16.3"}, b, "the newest complete installation")

	b, err = findBinaries(testContext(t), s, 15, self())
	require.NoError(t, err)
	require.Equal(t, "15.3", b.version, "the version of the cluster")

	s.Path = odd + string(filepath.ListSeparator) + onPath
	b, err = findBinaries(testContext(t), s, 0, self())
	require.NoError(t, err)
	require.Equal(t, binaries{dir: onPath, major: 16, version: "16beta1"}, b, "PATH comes first")

	tool := filepath.Join(t.TempDir(), "pg_config")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\necho "+strconv.Quote(onPath)+"\n"), 0o755))
	b, err = findBinaries(testContext(t), Search{Path: filepath.Dir(tool), Globs: []string{}, NoDownload: true}, 0, self())
	require.NoError(t, err)
	require.Equal(t, onPath, b.dir, "the folder that pg_config names")

	if os.Geteuid() == 0 { // t.TempDir is in a folder that only root may enter
		_, err = findBinaries(testContext(t), s, 0, account{uid: 12345, gid: 12345, drop: true})
		require.ErrorContains(t, err, "16beta1 in "+onPath+", where user 12345 may not pass")
	}

	_, err = findBinaries(testContext(t), s, 18, self())
	require.ErrorIs(t, err, ErrNoBinaries)
	require.ErrorContains(t, err, "made by PostgreSQL 18, which is not installed (found 16beta1 in ")
}

func TestStart_WithoutBinariesNamesThePackages(t *testing.T) {
	t.Parallel()
	const advice = ": install it (Debian: apt-get install postgresql; macOS: brew install postgresql@17) or give --database-url"
	nowhere := Search{Path: t.TempDir(), Globs: []string{}, NoDownload: true}
	dir := t.TempDir()
	_, err := Start(testContext(t), Options{Dir: dir, Binaries: nowhere})
	require.ErrorIs(t, err, ErrNoBinaries)
	require.EqualError(t, err, "no PostgreSQL 15 or newer found on this machine"+advice)
	require.NoDirExists(t, clusterDir(dir))

	old := nowhere
	old.Globs = []string{installPrograms(t, t.TempDir(), "14", "14.9")}
	_, err = Start(testContext(t), Options{Dir: dir, Binaries: old})
	require.EqualError(t, err, "no PostgreSQL 15 or newer found on this machine (found 14.9 in "+old.Globs[0]+")"+advice)
}
