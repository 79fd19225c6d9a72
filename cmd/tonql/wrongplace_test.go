package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// A folder or network that is named by mistake is refused, and nothing is created in it: an empty database or another local chain would
// hide the mistake.
func TestWrongDataFolder_IsRefusedAndStaysEmpty(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	folder := t.TempDir()
	for _, command := range [][]string{
		{"serve", "--listen", "127.0.0.1:0"}, {"verify"}, {"verify", "--offline"}, {"digest"}, {"keys", "list"}, {"merchants", "list"},
		{"webhooks", "replay", "shop"}, {"index", "complete"}, {"index", "reclassify"}, {"index", "redetect"}, {"index", "reverify"},
		{"snapshot", "export", filepath.Join(folder, "snapshot")},
	} {
		require.Contains(t, runFailing(t, append(command, "--data", filepath.Join(folder, "none"))...), "has no database: name that of the service", command)
	}
	url, data := emptyDatabase(t), filepath.Join(folder, "data")
	runCommand(t, "migrate", "--database-url", url, "--data", data)
	p := start(t, "up", "--database-url", url, "--data", filepath.Join(folder, "chain"), "--listen", "127.0.0.1:0")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 3) })
	for _, command := range [][]string{{"verify"}, {"index", "complete"}, {"index", "redetect"}, {"index", "reverify"}} {
		require.Contains(t, runFailing(t, append(command, "--database-url", url, "--data", data)...), "has no local chain: name the network", command)
	}
	other := start(t, "devnet", "--data", filepath.Join(folder, "other"))
	other.expect(`local chain at block`, time.Minute)
	output := runFailing(t, "verify", "--database-url", url, "--data", data, "--global-config", filepath.Join(folder, "other", "devnet", "global.config.json"))
	require.Contains(t, output, "give another database")
	require.NotContains(t, output, "differs from the chain")
	require.NoDirExists(t, filepath.Join(folder, "none"))
	require.NoDirExists(t, filepath.Join(folder, "snapshot"))
	require.NoDirExists(t, filepath.Join(data, "postgres"))
	require.NoDirExists(t, filepath.Join(data, "devnet"))
}

// Flags that a command would not use are refused, also those of the command above it.
func TestFlags_BeforeTheNameOfACommandAreRefused(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	file := filepath.Join(t.TempDir(), "tonql.yaml")
	require.NoError(t, os.WriteFile(file, []byte("data: "+folder+"\n"), 0o600))
	for want, args := range map[string]string{
		"--data is before the name of the command, which would not use it: give it behind, 'tonql index redetect --data …'": "index --data " + folder + " redetect",
		"--config is before the name of the command":   "index --config " + file + " reclassify",
		"tonql index redetect has no flag --from; see": "index redetect --from 5 --data " + folder,
		"tonql index complete has no flag --workers":   "index --workers 8 complete --data " + folder,
		"tonql verify has no flag --first":             "verify --first 5 --data " + folder,
	} {
		require.Contains(t, runFailing(t, strings.Fields(args)...), want)
	}
	require.NoDirExists(t, folder)
}

// A command that a signal ends before its work is done does not report success.
func TestInterrupt_UnfinishedWorkHasAStatus(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	folder := t.TempDir()
	data, backup := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 3) })
	// In memory, a command takes a tenth of a second.
	begins := func(begun func() bool, args ...string) *process {
		c := start(t, args...)
		require.Eventually(t, begun, busy*time.Minute, time.Millisecond, strings.Join(args, " ")+" begins")
		return c
	}
	interruptedWhen := func(begun func() bool, args ...string) {
		c := begins(begun, args...)
		require.NoError(t, c.cmd.Process.Signal(os.Interrupt))
		<-c.ended
		require.Equal(t, exitInterrupted, c.cmd.ProcessState.ExitCode(), c.stderr)
		require.Contains(t, c.stderr.String(), "tonql: interrupted")
	}
	exists := func(path string) func() bool {
		return func() bool { _, err := os.Stat(path); return err == nil }
	}
	interruptedWhen(exists(backup+".partial"), "backup", backup, "--data", data, "--secrets", "include")
	require.NoDirExists(t, backup)
	require.NoDirExists(t, backup+".partial")
	// What a kill leaves is removed by the next backup.
	killed := begins(exists(backup+".partial"), "backup", backup, "--data", data, "--secrets", "include")
	require.NoError(t, killed.cmd.Process.Kill())
	<-killed.ended
	runCommand(t, "backup", backup, "--data", data, "--secrets", "include")
	require.NoDirExists(t, backup+".partial")
	require.NoFileExists(t, filepath.Join(backup, "lock"))
	restored := filepath.Join(folder, "restored")
	interruptedWhen(exists(filepath.Join(restored, "restore.partial")), "restore", backup, "--data", restored)
	entries, err := os.ReadDir(restored)
	require.NoError(t, err)
	require.Empty(t, entries)
	// A kill leaves the part that was copied, which nothing takes for a data folder, and the next restore removes.
	killed = begins(exists(filepath.Join(restored, "restore.partial")), "restore", backup, "--data", restored)
	require.NoError(t, killed.cmd.Process.Kill())
	<-killed.ended
	for _, args := range [][]string{{"up", "--listen", "127.0.0.1:0"}, {"migrate"}} {
		require.Contains(t, runFailing(t, append(args, "--data", restored)...), "in that case repeat 'tonql restore'", args)
	}
	entries, err = os.ReadDir(restored)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Contains(t, runCommand(t, "restore", backup, "--data", restored), "restored the backup")
	require.NoDirExists(t, filepath.Join(restored, "restore.partial"))
	p.interrupt(20 * time.Second)
}

// A service whose database is elsewhere stores its trusted blocks in a data folder that does not exist yet, so that the next start need not prove all
// of the chain again.
func TestDataFolder_IsCreatedForTrustedBlocks(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	folder, url := t.TempDir(), emptyDatabase(t)
	p := start(t, "devnet", "--data", filepath.Join(folder, "chain"))
	p.expect(`local chain at block`, time.Minute)
	common := []string{"--database-url", url, "--global-config", filepath.Join(folder, "chain", "devnet", "global.config.json")}
	for _, service := range [][]string{{"index"}, {"serve", "--listen", "127.0.0.1:0", "--no-webhooks"}} {
		data := filepath.Join(folder, service[0])
		q := start(t, append(append(service, "--data", data), common...)...)
		eventually(t, time.Minute, service[0]+" has proven a block", func() bool {
			_, err := os.Stat(filepath.Join(data, "trust-devnet.json"))
			return err == nil
		})
		require.NotContains(t, q.stderr.String(), "trusted blocks not saved")
	}
	// A command with an end creates none, and does not mention it.
	absent := filepath.Join(folder, "absent")
	q := start(t, append([]string{"index", "complete", "--data", absent}, common...)...)
	<-q.ended
	require.NoError(t, q.err, q.stderr.String())
	require.NotContains(t, q.stderr.String(), "not saved")
	require.NoDirExists(t, absent)
}
