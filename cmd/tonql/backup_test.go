package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// runFailing returns the error output of a command that fails.
func runFailing(t *testing.T, args ...string) string {
	t.Helper()
	p := start(t, args...)
	select {
	case <-p.ended:
	case <-time.After(busy * time.Minute):
		require.Fail(t, "the command does not end", args)
	}
	require.Error(t, p.err)
	return p.stderr.String()
}

// A backup is made while the service indexes. After a kill, it is restored elsewhere: the local chain continues, the index
// follows it and equals it, and keys of merchants are valid.
func TestBackup_RestoredServiceFollowsAndVerifies(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	folder := t.TempDir()
	data, restored, backup := filepath.Join(folder, "data"), filepath.Join(folder, "restored"), filepath.Join(folder, "backup")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	key := submatch(t, `(tqpay_\S+)`, runCommand(t, "merchants", "create", "shop", "--data", data))
	endpoint := submatch(t, `(whsec_\S+)`, runCommand(t, "merchants", "endpoint", "shop", "--data", data, "--url", "http://127.0.0.1:1/hook"))
	require.NotEmpty(t, endpoint)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 10) })
	require.Contains(t, runFailing(t, "backup", backup, "--data", data), "--secrets include")
	require.NoDirExists(t, backup)
	require.Contains(t, runCommand(t, "backup", backup, "--data", data, "--secrets", "include"), "complete and verified")
	head := readyz(t, base).Index.Last
	eventually(t, time.Minute, "indexing continues", func() bool { return follows(t, base, head+3) })
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGKILL))
	<-p.ended
	err := os.Rename(data, filepath.Join(folder, "lost"))
	require.NoError(t, err)

	require.Contains(t, runCommand(t, "restore", backup, "--data", restored), "restored the backup")
	p = start(t, "up", "--data", restored, "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	base = "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, 2*time.Minute, "the index follows", func() bool { return follows(t, base, head+3) })
	resp, body := request(t, base+"/api/merchant/v1/transfer?reference=none", "X-API-Key", key)
	require.Equal(t, 404, resp.StatusCode, body)
	keys := [2][]byte{}
	for i, folder := range []string{filepath.Join(folder, "lost"), restored} {
		keys[i], err = os.ReadFile(filepath.Join(folder, "webhook.key"))
		require.NoError(t, err)
	}
	require.Equal(t, keys[0], keys[1])
	require.Contains(t, runCommand(t, "merchants", "list", "--data", restored), "shop")
	runCommand(t, "verify", "--data", restored)
	runCommand(t, "verify", "--offline", "--data", restored)
	p.interrupt(10 * time.Second)
	// Without the service, the command starts the database itself.
	require.Contains(t, runCommand(t, "backup", backup+"2", "--data", restored, "--secrets", "exclude"), "webhook.key is not part of it")
	require.Empty(t, children(t, restored))
}

// A database elsewhere is not backed up, which the command says.
func TestBackup_OtherDatabasesAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	folder := t.TempDir()
	for want, args := range map[string][]string{
		"pg_basebackup":           {"--database-url", "postgres://127.0.0.1:1/tonql"},
		"has no private database": {"--data", filepath.Join(folder, "none")},
	} {
		require.Contains(t, runFailing(t, append([]string{"backup", filepath.Join(folder, "backup")}, args...)...), want)
	}
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, entries)
}
