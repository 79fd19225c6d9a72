package main

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// runCommand runs a command to its end and returns its output.
func runCommand(t testing.TB, args ...string) string {
	t.Helper()
	p := start(t, args...)
	select {
	case <-p.ended:
	case <-time.After(busy * time.Minute):
		require.Fail(t, "the command does not end", args)
	}
	require.NoError(t, p.err, p.stderr)
	return p.stdout.String()
}

// checkKeys creates and revokes a key while the service runs on the same data folder.
func checkKeys(t *testing.T, base, data string) {
	t.Helper()
	printed := regexp.MustCompile(`(?s)^(tonql_\S+)\nkey (\d+) of alice`).FindStringSubmatch(runCommand(t, "keys", "create", "--data", data, "--owner", "alice"))
	require.Len(t, printed, 3)
	secret, id := printed[1], printed[2]
	request := func() *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/api/v3/masterchainInfo", nil)
		require.NoError(t, err)
		r.Header.Set("X-API-Key", secret)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp
	}
	resp := request()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, `"free";q=10;w=1`, resp.Header.Get("RateLimit-Policy"))
	list := runCommand(t, "keys", "list", "--data", data)
	require.Contains(t, list, "alice")
	require.NotContains(t, list, secret)
	require.Contains(t, runCommand(t, "keys", "revoke", "--data", data, id), "is revoked")
	eventually(t, 2*time.Second, "the key ends", func() bool { return request().StatusCode == http.StatusUnauthorized })
}
