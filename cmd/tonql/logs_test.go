package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// logSchema compiles docs/logs.schema.json.
func logSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../docs/logs.schema.json")
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("logs.json", document))
	schema, err := compiler.Compile("logs.json")
	require.NoError(t, err)
	return schema
}

type logLine struct {
	Level, Msg, Err, Path, Component, Statement, Query string
	RequestID                                          string `json:"request_id"`
	Status                                             int
}

// parseLogs checks that every line has the form of the schema.
func parseLogs(t *testing.T, text string) []logLine {
	t.Helper()
	schema := logSchema(t)
	var parsed []logLine
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		require.NoError(t, err, line)
		require.NoError(t, schema.Validate(value), line)
		var l logLine
		require.NoError(t, json.Unmarshal([]byte(line), &l))
		parsed = append(parsed, l)
	}
	return parsed
}

// send sends a request with an id and returns the status and the id of the response.
func send(t *testing.T, method, url, id, body string) (status int, responseID string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	if id != "" {
		req.Header.Set("X-Request-Id", id)
	}
	client := http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header.Get("X-Request-Id")
}

// The lines of a complete service have the form of the schema, those about a request its id, also in statements and queries
// of liteservers, and each response of a failure has one line with the cause.
func TestLogs_LinesHaveTheFormAndTheRequest(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0", "--block-interval", "300ms", "--from", "4", "--log-format", "json", "--log-level", "debug")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 8) })

	status, id := send(t, http.MethodGet, base+"/api/v3/transactions?limit=3", "from-the-client.1", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "from-the-client.1", id)
	// A block that is not in the index is read from the network.
	status, id = send(t, http.MethodGet, base+"/api/v2/getBlockHeader?workchain=-1&shard=8000000000000000&seqno=1", "network", "")
	require.Less(t, status, 600)
	require.Equal(t, "network", id)
	_, invalid := send(t, http.MethodGet, base+"/api/v3/masterchainInfo", "not\tvalid", "")
	require.Regexp(t, "^[0-9a-f]{16}$", invalid)
	send(t, http.MethodGet, base+"/"+strings.Repeat("long/", 20_000), "long", "")

	require.NoError(t, syscall.Kill(postmaster(data), syscall.SIGKILL))
	var mu sync.Mutex
	failed := map[string]string{} // id → path
	var group sync.WaitGroup
	for _, r := range [][3]string{
		{http.MethodGet, "/api/v3/transactions?limit=1"},
		{http.MethodGet, "/api/v2/getTransactions?address=0:" + strings.Repeat("5a", 32)},
		{http.MethodPost, "/api/v2/jsonRPC", `{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo","params":{}}`},
		{http.MethodPost, "/graphql", `{"query":"{ transactions(first: 1) { nodes { hash } } }"}`},
		{http.MethodGet, "/api/merchant/v1/transfer?reference=x"},
		{http.MethodGet, "/readyz"},
		{http.MethodGet, "/dashboard"},
	} {
		group.Go(func() {
			tick := time.NewTicker(50 * time.Millisecond) // so that all failures are within the bound of lines
			defer tick.Stop()
			for range 60 {
				<-tick.C
				status, id := send(t, r[0], base+r[1], "", r[2])
				if status >= http.StatusInternalServerError {
					path, _, _ := strings.Cut(r[1], "?")
					mu.Lock()
					failed[id] = path
					mu.Unlock()
				}
			}
		})
	}
	group.Wait()
	require.GreaterOrEqual(t, len(failed), 3)
	eventually(t, time.Minute, "the index follows again", func() bool { return readyz(t, base).Ready })
	p.interrupt(15 * time.Second)

	parsed := parseLogs(t, p.stderr.String())
	seen := map[string][]logLine{}
	components := map[string]bool{}
	for _, l := range parsed {
		seen[l.RequestID] = append(seen[l.RequestID], l)
		components[l.Component] = true
		require.LessOrEqual(t, len(l.Path), 1100)
	}
	for id, message := range map[string]string{
		"from-the-client.1": "statement", "network": "liteserver query", invalid: "request", "long": "request",
	} {
		require.True(t, slices.ContainsFunc(seen[id], func(l logLine) bool { return l.Msg == message }), "%s of %s: %+v", message, id, seen[id])
	}
	require.True(t, components["goose"], "lines of migrations")
	require.True(t, components["postgresql"])
	paths := map[string]bool{}
	for id, path := range failed {
		paths[path] = true
		causes := 0
		for _, l := range seen[id] {
			if l.Level == "ERROR" {
				causes++
				require.NotEmpty(t, l.Err, "%+v", l)
			}
		}
		want := 1
		if path == "/readyz" {
			want = 0 // a state of the service, which is logged when it changes
		}
		require.Equal(t, want, causes, "lines with the cause of %s: %+v", path, seen[id])
	}
	t.Log("APIs that failed:", paths)
	require.GreaterOrEqual(t, len(paths), 2)
}
