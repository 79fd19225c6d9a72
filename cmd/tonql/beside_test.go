package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// Every command that uses the database or the network succeeds while `tonql up` runs on the same data folder: it uses
// the private PostgreSQL and the liteserver of the local chain.
func TestCommands_SucceedWhileUpRuns(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "500ms")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 5) })
	beside := func(args ...string) string { return runCommand(t, append(args, "--data", data)...) }

	require.Contains(t, beside("migrate"), "schema version ")
	require.Contains(t, beside("verify", "--to", "5"), "the database matches the chain")
	require.Contains(t, beside("verify", "--to", "5", "--digest"), "digest ")
	require.Contains(t, beside("index", "redetect"), "examined ")
	require.Contains(t, beside("index", "reclassify"), "classified ")
	require.Contains(t, beside("keys", "list"), "OWNER")
	report := runCommand(t, "doctor", "--data", data, "--listen", strings.TrimPrefix(base, "http://"))
	for _, line := range []string{
		"ok    configuration: ", "and is ready\n", "ok    postgresql: version 1", "ok    schema: ", "ok    clock of the database: ",
		"ok    webhook key: ", "ok    liteserver 127.0.0.1:", ", archive, ", "ok    liteservers: 1 of 1", "ok    clock: within", "is proven by the signatures of validators",
	} {
		require.Contains(t, report, line)
	}
	require.Contains(t, runCommand(t, "merchants", "create", "--data", data, "shop"), "API key of shop")
	require.Contains(t, beside("merchants", "list"), "shop")
	require.Contains(t, runCommand(t, "webhooks", "replay", "--data", data, "shop"), "0 deliveries")
	checkMerchantCommands(t, data)

	// A second gateway uses the liteserver of the chain for get-methods.
	gateway := start(t, "serve", "--data", data, "--listen", "127.0.0.1:0")
	second := "http://" + gateway.expect(`serves on http://([^/]+)/`, time.Minute)
	require.Len(t, readyz(t, second).Servers, 1)
	gateway.interrupt(10 * time.Second)

	// A second indexer waits as a standby.
	standby := start(t, "index", "--data", data)
	eventually(t, time.Minute, "the standby has found the liteserver", func() bool {
		return strings.Contains(standby.stderr.String(), "liteserver in use")
	})
	standby.interrupt(10 * time.Second)

	// A second writer of the same chain is refused, also with a separate database.
	output := runFailingCommand(t, "devnet", "--data", data)
	require.Contains(t, output, "is in use by another tonql (process ")
	output = runFailingCommand(t, "up", "--data", data, "--listen", "127.0.0.1:0")
	require.Contains(t, output, "is in use by another tonql (process ")

	last := readyz(t, base).Index.Last
	eventually(t, time.Minute, "up continues", func() bool { return follows(t, base, last+2) })
	p.interrupt(10 * time.Second)
	require.Contains(t, beside("verify", "--to", "5"), "the database matches the chain", "after up has stopped")
	require.Empty(t, children(t, data))
}

// Short commands that start at the same time on an unused data folder wait for each other.
func TestCommands_StartedTogetherSucceed(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	runCommand(t, "migrate", "--data", data)
	var all []*process
	for range 3 {
		all = append(all, start(t, "keys", "list", "--data", data))
	}
	for _, p := range all {
		select {
		case <-p.ended:
			require.NoError(t, p.err, p.stderr)
		case <-time.After(time.Minute):
			require.Fail(t, "a command does not end")
		}
	}
}

// checkMerchantCommands checks what the commands of merchants print and refuse, for the merchant shop.
func checkMerchantCommands(t *testing.T, data string) {
	t.Helper()
	require.Contains(t, runCommand(t, "merchants", "link", "--data", data, "shop"), "  http://127.0.0.1:8080/dashboard/link?token=")
	file := write(t, "tonql.yaml", "public-url: https://pay.example/\n")
	require.Contains(t, runCommand(t, "merchants", "link", "--data", data, "--config", file, "shop"), "  https://pay.example/dashboard/link?token=")
	require.Contains(t, runCommand(t, "merchants", "link", "--data", data, "--config", file, "--page", "http://inside:81", "shop"), "  http://inside:81/dashboard/link?token=")
	_, err := invoke(t, "merchants", "endpoint", "--data", data, "shop")
	require.ErrorContains(t, err, "--url is required")
	_, err = invoke(t, "webhooks", "resend", "--data", data, "1")
	require.ErrorContains(t, err, "there is no endpoint 1")
	require.Contains(t, runCommand(t, "merchants", "endpoint", "--data", data, "shop", "--url", "http://127.0.0.1:1/hook"), "endpoint 1 of shop")
	require.Contains(t, runCommand(t, "merchants", "endpoint", "--data", data, "shop", "--url", "http://127.0.0.1:2/hook"), "endpoint 2 of shop")
	require.Regexp(t, `shop +devnet +1,2 +20`, runCommand(t, "merchants", "list", "--data", data))
	require.Contains(t, runCommand(t, "webhooks", "resend", "--data", data, "1"), "0 deliveries")
}
