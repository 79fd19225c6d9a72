package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkReferences sends every example of the pages of the APIs, in a real browser.
func checkReferences(t *testing.T, base string) {
	t.Helper()
	indexObjects(t, base)
	folder, _ := browser(t)
	cmd := exec.CommandContext(t.Context(), "node", "reference.mjs", base)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var seen struct {
		Statuses                                                        map[string]int
		Missing, Console, Undescribed, Filtered                         []string
		Example, Command, Sent, Key, Refused, Retained, Printed, Copied string
		Plain                                                           bool
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Console, "errors in the console")
	require.Empty(t, seen.Undescribed, "parameters without a description")
	require.GreaterOrEqual(t, len(seen.Statuses), 110, "operations of all APIs")
	for operation, status := range seen.Statuses {
		want := []int{http.StatusOK}
		method, path, _ := strings.Cut(operation, " ")
		api, below, _ := strings.Cut(strings.TrimPrefix(path, "/api/"), "/")
		if refused, ok := refusedRequests[api+" "+method+" /"+below]; ok {
			want = refused
		}
		if path == "/api/merchant/v1/transfer" { // without a key nothing is registered
			want = []int{http.StatusBadRequest, http.StatusNotFound}
		}
		require.Contains(t, want, status, operation)
	}
	require.Equal(t, []string{"GET /api/merchant/v1/transfer"}, seen.Missing, "operations without an example")

	require.Regexp(t, `^GET /api/v3/blocks\?mc_seqno=\d+$`, seen.Example)
	require.Equal(t, "/api/v3/blocks?limit=2", seen.Sent, "only what the reader sets is sent")
	require.Equal(t, "a reader's key", seen.Key)
	require.Equal(t, "a reader's key", seen.Retained, "the key stays while the tab is open")
	require.Equal(t, `curl -H "X-API-Key: $API_KEY" '`+base+`/api/v3/blocks?limit=2'`, seen.Command)
	require.Contains(t, seen.Refused, "error")
	//nolint:testifylint // the text is what is compared
	require.Equal(t, "{\n  \"lt\": 18446744073709551615,\n  \"empty\": [],\n  \"text\": \"a\\\"{,\"\n}", seen.Printed)
	require.Equal(t, []string{"/api/v3/jetton/burns"}, seen.Filtered)
	require.Regexp(t, `^curl '`+base+`/api/v3/blocks`, seen.Copied)
	require.True(t, seen.Plain)
}
