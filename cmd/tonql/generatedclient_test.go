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

	"tonql/internal/pacetest"
)

// shop is a merchant that generated clients register transfers for.
type shop struct{ key, payer string }

// newShop creates a merchant with a default wallet; payer is an account.
func newShop(t *testing.T, data, payer string) shop {
	t.Helper()
	output := runCommand(t, "merchants", "create", "shop", "--data", data, "--wallet", payer)
	return shop{submatch(t, `(tqpay_\S+)`, output), payer}
}

// checkGeneratedClients generates clients from our OpenAPI documents and from the published one of /api/v3 with
// openapi-typescript: they compile in strict mode and read rows of the service.
func checkGeneratedClients(t *testing.T, base string, s shop) {
	t.Helper()
	eventually(t, time.Minute, "items and transfers are indexed", func() bool {
		_, items := get(t, base+"/api/v3/nft/items?limit=2")
		_, moved := get(t, base+"/api/v3/jetton/transfers?limit=1")
		return countOf(t, items, "nft_items") == 2 && countOf(t, moved, "jetton_transfers") == 1
	})
	document := func(api string) []byte {
		status, text := get(t, base+"/api/"+api+"/openapi.json")
		require.Equal(t, http.StatusOK, status)
		return text
	}
	t.Run("v2", func(t *testing.T) {
		seen := runGenerated(t, "v2", document("v2"), base)
		require.GreaterOrEqual(t, seen["head"], seen["last"])
		require.Equal(t, 422, seen["refused"])
		for _, some := range []string{"last", "same", "shards", "transactions", "balance", "history"} {
			require.Positive(t, seen[some], some)
		}
	})
	t.Run("merchant", func(t *testing.T) {
		seen := runGenerated(t, "merchant", document("merchant/v1"), base, s.key, s.payer)
		require.Equal(t, map[string]int{"nanotons": 1_250_000_000, "pending": 1, "refused": 404}, seen)
	})
	t.Run("ours", func(t *testing.T) {
		seen := runGenerated(t, "ours", document("v3"), base)
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
		seen := runGenerated(t, "published", schema, base)
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
func runGenerated(t *testing.T, name string, schema []byte, args ...string) map[string]int {
	t.Helper()
	dir := copyNodeProject(t, "testdata/generated", "openapi-fetch", "package.json", "tsconfig.json", name+".ts")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "openapi.json"), schema, 0o600))
	runScript(t, dir, "node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", name+".schema.d.ts")
	runScript(t, dir, "node_modules/typescript/bin/tsc", "-p", ".")
	var seen map[string]int
	require.NoError(t, json.Unmarshal(runScript(t, dir, append([]string{"out/" + name + ".js"}, args...)...), &seen))
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

// copyNodeProject copies files of a folder to a temporary one with the same modules, of which one is named. It skips the
// test without Node, or without the modules.
func copyNodeProject(t *testing.T, folder, module string, files ...string) string {
	t.Helper()
	pacetest.Long(t)
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "node is not installed")
	}
	modules, err := filepath.Abs(filepath.Join(folder, "node_modules"))
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(modules, module)); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in "+folder)
	}
	dir := t.TempDir()
	require.NoError(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
	}
	return dir
}

// documents are the OpenAPI documents of the server: the names of the generated clients, and the paths of the APIs.
var documents = map[string]string{"v2": "v2", "v3": "v3", "merchant": "merchant/v1"}

// checkHeyAPI generates clients from all OpenAPI documents with @hey-api/openapi-ts: they compile and read rows.
func checkHeyAPI(t *testing.T, base string, s shop) {
	t.Helper()
	dir := copyNodeProject(t, "testdata/generated", "@hey-api/openapi-ts", "package.json", "tsconfig.json", "heyapi.ts")
	for api, path := range documents {
		status, document := get(t, base+"/api/"+path+"/openapi.json")
		require.Equal(t, http.StatusOK, status)
		require.NoError(t, os.WriteFile(filepath.Join(dir, api+".json"), document, 0o600))
		runScript(t, dir, "node_modules/@hey-api/openapi-ts/bin/run.js", "-i", api+".json", "-o", api, "--silent")
	}
	// The generator's own code does not fit exactOptionalPropertyTypes, and iterates objects of browsers.
	runScript(t, dir, "node_modules/typescript/bin/tsc", "-p", ".", "--exactOptionalPropertyTypes", "false", "--lib", "es2022,dom,dom.iterable")
	requireRead(t, runScript(t, dir, "out/heyapi.js", base, s.key, s.payer))
}

// requireRead checks what the scripts of generated clients read.
func requireRead(t *testing.T, output []byte) {
	t.Helper()
	var seen map[string]int
	require.NoError(t, json.Unmarshal(output, &seen), string(output))
	require.Positive(t, seen["last"])
	require.GreaterOrEqual(t, seen["head"], seen["last"])
	require.Equal(t, 5, seen["transactions"])
	require.Equal(t, 1, seen["states"])
	require.Equal(t, 1, seen["balance"])
	require.Equal(t, 1, seen["pending"], "a registered transfer")
	require.Equal(t, http.StatusUnprocessableEntity, seen["refused"])
}

// checkOAPICodegen generates Go clients from the OpenAPI 3.0 form of all documents with oapi-codegen: they compile and read
// rows. The generator is pinned by a module of its own.
func checkOAPICodegen(t *testing.T, base string, s shop) {
	t.Helper()
	const folder = "testdata/gogenerated"
	dir := t.TempDir()
	for _, file := range []string{"go.mod", "go.sum", "main.go"} {
		text, err := os.ReadFile(filepath.Join(folder, file))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
	}
	run := func(environment []string, args ...string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), environment...)
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			out = append(out, exit.Stderr...)
		}
		return out, err
	}
	if _, err := run([]string{"GOPROXY=off"}, "mod", "download"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_MODULES", "go mod download was not run in cmd/tonql/"+folder)
	}
	for api, path := range documents {
		status, document := get(t, base+"/api/"+path+"/openapi-3.0.json")
		require.Equal(t, http.StatusOK, status)
		require.NoError(t, os.WriteFile(filepath.Join(dir, api+".json"), document, 0o600))
		require.NoError(t, os.Mkdir(filepath.Join(dir, api), 0o700))
		// Schemas of the documents are named like the generator's own types for responses.
		out, err := run(nil, "tool", "oapi-codegen", "-response-type-suffix", "Reply", "-generate", "types,client", "-package", api, "-o", api+"/client.go", api+".json")
		require.NoError(t, err, string(out))
	}
	out, err := run(nil, "run", ".", base, s.key, s.payer)
	require.NoError(t, err, string(out))
	requireRead(t, out)
}

// checkTypeScriptClient compiles the client in clients/typescript in strict mode and runs it. What is generated of it is
// current.
func checkTypeScriptClient(t *testing.T, base string) {
	t.Helper()
	pacetest.Long(t)
	folder, err := filepath.Abs("../../clients/typescript")
	require.NoError(t, err)
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "node is not installed")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/graphql-ws")); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in clients/typescript")
	}
	dir := t.TempDir()
	runScript(t, folder, "generate.mjs", filepath.Join(dir, "generated.ts"))
	want, err := os.ReadFile(filepath.Join(dir, "generated.ts"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(folder, "src/generated.ts"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "npm run generate writes clients/typescript/src/generated.ts")

	runScript(t, folder, "node_modules/typescript/bin/tsc", "-p", ".", "--outDir", filepath.Join(dir, "dist"))
	runScript(t, folder, "node_modules/typescript/bin/tsc", "-p", "tsconfig.test.json", "--outDir", filepath.Join(dir, "out"))
	require.NoError(t, os.Symlink(filepath.Join(folder, "node_modules"), filepath.Join(dir, "node_modules")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o600))
	output := runScript(t, dir, "out/test/run.js", base)
	var seen map[string]int
	require.NoError(t, json.Unmarshal(output, &seen), string(output))
	require.Equal(t, 50, seen["transactions"])
	require.Equal(t, 5, seen["events"])
	require.Equal(t, http.StatusNotFound, seen["status"])
	require.GreaterOrEqual(t, seen["mcSeqno"], seen["head"])
	for _, holds := range []string{"shards", "same", "balance", "actions", "wallets", "cost", "invalid", "invalidCursor", "unreachable", "late"} {
		require.Positive(t, seen[holds], holds)
	}
}
