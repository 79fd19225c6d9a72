package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
)

// A snapshot is exported while the service indexes, and imported into a new data folder: a sample of it is compared with the network, the
// index follows the chain from there, and equals the first one.
func TestSnapshot_ImportedIndexFollows(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	folder := t.TempDir()
	data, imported, snapshot := filepath.Join(folder, "data"), filepath.Join(folder, "imported"), filepath.Join(folder, "snapshot")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 12) })
	sum := submatch(t, `SHA-256 of the manifest: (\S+)`, runCommand(t, "snapshot", "export", snapshot, "--data", data))
	head := readyz(t, base).Index.Last
	eventually(t, time.Minute, "indexing continues", func() bool { return follows(t, base, head+3) })

	network := []string{"--global-config", filepath.Join(data, "devnet", "global.config.json"), "--data", imported}
	command := func(args ...string) []string { return append(args, network...) }
	require.Contains(t, runFailing(t, command("snapshot", "import", snapshot, "--sha256", "00")...), "was expected")
	out := runCommand(t, command("snapshot", "import", snapshot, "--sha256", sum, "--sample", "5")...)
	require.Contains(t, out, "and checked a sample")
	require.Contains(t, out, "masterchain block 1 matches the chain")
	imports := func() { // its output was lost
		t.Helper()
		require.Contains(t, runCommand(t, command("snapshot", "import", snapshot, "--sha256", sum)...), "the snapshot was imported before")
	}
	imports()
	later := filepath.Join(folder, "later")
	runCommand(t, "snapshot", "export", later, "--data", data)
	require.Contains(t, runFailing(t, command("snapshot", "import", later)...), "the database has an index")
	second := start(t, command("up", "--listen", "127.0.0.1:0")...)
	other := "http://" + second.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, 2*time.Minute, "the imported index follows", func() bool { return follows(t, other, head+3) })
	imports()
	second.interrupt(20 * time.Second)
	runCommand(t, command("verify")...)
	runCommand(t, "verify", "--offline", "--data", imported)
	digests := [2]string{}
	for i, from := range []string{data, imported} {
		digests[i] = runCommand(t, "digest", "--data", from, "--from", "1", "--to", "12")
	}
	require.Equal(t, digests[0], digests[1])
}

// Parts of a history that were indexed into databases of their own become one index: samples are compared with the network, blocks that
// none of them has are filled, and it equals the index that followed.
func TestSnapshot_PartsOfAHistoryBecomeOneIndex(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	folder := t.TempDir()
	data, imported := filepath.Join(folder, "data"), filepath.Join(folder, "imported")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "300ms", "--traffic", "300")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 33) })
	config := filepath.Join(data, "devnet", "global.config.json")
	command := append([]string{"snapshot", "import"}, "--global-config", config, "--data", imported, "--sample", "3")
	var sums []string
	for _, part := range [][2]string{{"21", "24"}, {"1", "10"}, {"11", "20"}, {"28", "33"}} { // 25 to 27 are in none
		own, into := filepath.Join(folder, "part"+part[0]), filepath.Join(folder, "snapshot"+part[0])
		runCommand(t, "index", "--from", part[0], "--to", part[1], "--data", own, "--global-config", config)
		sums = append(sums, submatch(t, `SHA-256 of the manifest: (\S+)`, runCommand(t, "snapshot", "export", into, "--data", own)))
		command = append(command, into)
	}
	require.Contains(t, runFailing(t, append(command, "--sha256", sums[0])...), "--sha256: 1 hashes for 4 snapshots")
	require.Contains(t, runFailing(t, append(command, "--sha256", sums[1], "--sha256", sums[0], "--sha256", sums[2], "--sha256", sums[3])...), "was expected")
	for _, sum := range sums {
		command = append(command, "--sha256", sum)
	}
	out := runCommand(t, command...)
	for _, seqno := range []string{"1", "10", "11", "20", "21", "24", "28", "33"} {
		require.Contains(t, out, "masterchain block "+seqno+" matches the chain")
	}
	require.Contains(t, runCommand(t, command...), "imported before")
	second := start(t, "up", "--global-config", config, "--data", imported, "--listen", "127.0.0.1:0")
	other := "http://" + second.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, 2*time.Minute, "the imported index follows, and lacks no block", func() bool {
		r := readyz(t, other).Index
		return follows(t, other, 40) && r.First == 1
	})
	second.interrupt(20 * time.Second)
	runCommand(t, "verify", "--global-config", config, "--data", imported)
	runCommand(t, "verify", "--offline", "--data", imported)
	var digests [2]string
	for i, from := range []string{data, imported} {
		digests[i] = runCommand(t, "digest", "--data", from, "--from", "1", "--to", "33")
	}
	require.Equal(t, digests[0], digests[1])
}

// The sample has the first and the last block, and no block that is not indexed.
func TestSnapshotSample_CoversTheIndexedRanges(t *testing.T) {
	t.Parallel()
	spans := []chain.SeqnoRange{{First: 5, Last: 9}, {First: 100, Last: 100_000}, {First: 200_000, Last: 4_000_000_000}}
	for range 100 {
		list := sample(spans, 52)
		require.Len(t, list, 7)
		require.Equal(t, chain.SeqnoRange{First: 4_000_000_000, Last: 4_000_000_000}, list[0])
		require.Equal(t, chain.SeqnoRange{First: 5, Last: 5}, list[1])
		for _, r := range list {
			require.Empty(t, r.MissingIn(spans), r)
			require.LessOrEqual(t, r.Last-r.First, uint32(9))
		}
	}
	require.Equal(t, spans[:1], sample(spans[:1], 5))
	require.Equal(t, []chain.SeqnoRange{{First: 7, Last: 7}}, sample([]chain.SeqnoRange{{First: 7, Last: 7}}, 2))
	require.Len(t, sample(spans[:1], 3), 3)
}
