package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

type report struct {
	Status string
	Checks []struct{ Name, Status, Detail, Advice string }
}

func examined(t *testing.T, args ...string) (r report, err error) {
	t.Helper()
	out, err := invoke(t, append([]string{"doctor", "--json"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(out), &r), out)
	for _, c := range r.Checks {
		require.Equal(t, c.Status == "ok", c.Advice == "", "%v", c)
	}
	return r, err
}

func TestDoctor_NothingIsStartedOrCreated(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	r, err := examined(t, "--data", data, "--listen", "127.0.0.1:0")
	require.NoError(t, err)
	require.NotEqual(t, "fail", r.Status)
	require.Greater(t, len(r.Checks), 8)
	require.NoDirExists(t, data)
}

func TestDoctor_WrongValuesAreALineOfTheReport(t *testing.T) {
	t.Parallel()
	r, err := examined(t, "--network", "mainet", "--workers", "0")
	require.Error(t, err)
	require.Equal(t, "fail", r.Status)
	require.Len(t, r.Checks, 1, "nothing else is checked with wrong values")
	require.Contains(t, r.Checks[0].Detail, `--network should be devnet, testnet or mainnet, not "mainet"`)
	require.Contains(t, r.Checks[0].Detail, "--workers")
}

func TestDoctor_DatabaseAndLiteserverThatAreGoneFail(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	r, err := examined(t, "--data", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--network", "testnet",
		"--global-config", filepath.Join("testdata", "global.config.json"), "--node-timeout", "1s", "--check-timeout", "3s",
		"--database-url", "postgres://user:hunter2@127.0.0.1:1/tonql")
	require.Error(t, err)
	failed := map[string]bool{}
	for _, c := range r.Checks {
		failed[c.Name] = c.Status == "fail"
		require.NotContains(t, c.Detail, "hunter2")
		if c.Name == "trust" {
			require.Contains(t, c.Detail, "127.0.0.1:1: it cannot be reached")
		}
	}
	for _, name := range []string{"postgresql", "liteserver 127.0.0.1:1", "liteservers", "trust"} {
		require.True(t, failed[name], name)
	}
}
