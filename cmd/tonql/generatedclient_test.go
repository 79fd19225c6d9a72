package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// checkGeneratedClients generates clients from our OpenAPI document of /api/v3 and from the published one with
// openapi-typescript: they compile in strict mode and read rows of the service.
func checkGeneratedClients(t *testing.T, base string) {
	t.Helper()
	eventually(t, time.Minute, "items and transfers are indexed", func() bool {
		_, items := get(t, base+"/api/v3/nft/items?limit=2")
		_, moved := get(t, base+"/api/v3/jetton/transfers?limit=1")
		return countOf(t, items, "nft_items") == 2 && countOf(t, moved, "jetton_transfers") == 1
	})
	status, ours := get(t, base+"/api/v3/openapi.json")
	require.Equal(t, http.StatusOK, status)
	t.Run("ours", func(t *testing.T) {
		seen := runGenerated(t, "ours", base, ours)
		require.Equal(t, 100, seen["transactions"], "five pages")
		require.Equal(t, 5, seen["states"])
		require.Equal(t, 5, seen["book"])
		require.Equal(t, 5, seen["stack"])
		require.Equal(t, 422, seen["refused"])
		require.GreaterOrEqual(t, seen["mcSeqno"], seen["last"])
		for _, some := range []string{"jettons", "wallets", "transfers", "metadata", "items", "collections", "decoded"} {
			require.Positive(t, seen[some], some)
		}
	})
	t.Run("published", func(t *testing.T) {
		path := os.Getenv("TONQL_V3_OPENAPI")
		if path == "" {
			t.Skip("TONQL_V3_OPENAPI does not name the published OpenAPI document")
		}
		schema, err := os.ReadFile(path)
		require.NoError(t, err)
		seen := runGenerated(t, "published", base, schema)
		require.Equal(t, 1, seen["byHash"])
		require.Equal(t, 1, seen["adjacent"])
		for name, rows := range seen {
			require.GreaterOrEqual(t, rows, 0, name)
		}
		for _, some := range []string{"blocks", "transactions", "messages", "states", "book", "balance", "masters", "metadata", "holders", "items"} {
			require.Positive(t, seen[some], some)
		}
	})
}

// countOf returns the number of rows of a response.
func countOf(t *testing.T, body []byte, list string) int {
	t.Helper()
	var response map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(body, &response))
	var rows []json.RawMessage
	require.NoError(t, json.Unmarshal(response[list], &rows))
	return len(rows)
}

// runGenerated generates a client of a document, compiles a script that uses it, and runs the script.
func runGenerated(t *testing.T, name, base string, schema []byte) map[string]int {
	t.Helper()
	const folder = "testdata/generated"
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "node is not installed")
	}
	modules, err := filepath.Abs(filepath.Join(folder, "node_modules"))
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(modules, "openapi-fetch")); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in cmd/tonql/"+folder)
	}
	dir := t.TempDir()
	require.NoError(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	for _, file := range []string{"package.json", "tsconfig.json", name + ".ts"} {
		text, err := os.ReadFile(filepath.Join(folder, file))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "openapi.json"), schema, 0o600))
	runScript(t, dir, "node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", name+".schema.d.ts")
	runScript(t, dir, "node_modules/typescript/bin/tsc", "-p", ".")
	var seen map[string]int
	require.NoError(t, json.Unmarshal(runScript(t, dir, "out/"+name+".js", base), &seen))
	return seen
}

// runScript runs a script with Node and returns its output.
func runScript(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%v: %s%s", args, out, exit.Stderr)
	}
	require.NoError(t, err)
	return out
}
