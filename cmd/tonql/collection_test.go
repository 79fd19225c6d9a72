package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// refusedRequests are the requests of the collections that do not get 200, with the statuses that they may get.
var refusedRequests = map[string][]int{
	// The collections have a message to an account that does not exist.
	"v2 POST /sendBoc":                  {http.StatusInternalServerError},
	"v2 POST /sendBocReturnHash":        {http.StatusInternalServerError},
	"v2 POST /sendBocReturnHashNoError": {http.StatusBadRequest},
	"v3 POST /message":                  {http.StatusInternalServerError},
	// Unless a message of this account is on its way.
	"v3 GET /pendingTransactions": {http.StatusNotFound, http.StatusOK},
}

// checkCollections generates the Postman collections in clients/postman anew, and sends every request of them.
func checkCollections(t *testing.T, base string, s shop) {
	t.Helper()
	pacetest.Long(t)
	folder, err := filepath.Abs("../../clients/postman")
	require.NoError(t, err)
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "node is not installed")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/newman")); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in clients/postman")
	}
	dir := t.TempDir()
	runScript(t, folder, "generate.mjs", base, dir)
	const pattern = "*.postman_collection.json"
	generated, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	committed, err := filepath.Glob(filepath.Join(folder, pattern))
	require.NoError(t, err)
	require.Len(t, generated, len(committed))
	for _, path := range generated {
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(folder, filepath.Base(path)))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "npm run generate -- SERVER writes clients/postman/%s", filepath.Base(path))
		require.Less(t, len(got), 2<<20)
	}

	eventually(t, time.Minute, "objects of all kinds are indexed", func() bool { return hasExamples(t, base, folder) })
	var statuses map[string]map[string]int
	require.NoError(t, json.Unmarshal(runScript(t, folder, "run.mjs", base, s.key), &statuses))
	for api, atLeast := range map[string]int{"graphql": 7, "merchant": 2, "v2": 70, "v3": 40} {
		require.GreaterOrEqual(t, len(statuses[api]), atLeast, api)
	}
	for api, requests := range statuses {
		for name, status := range requests {
			want := []int{http.StatusOK}
			if refused, ok := refusedRequests[api+" "+name]; ok {
				want = refused
			}
			require.Contains(t, want, status, "%s %s", api, name)
		}
	}
}

// hasExamples reports whether the index has an object for every variable of the collections but nftSale: sales end.
func hasExamples(t *testing.T, base, folder string) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "examples.graphql"))
	require.NoError(t, err)
	type nodes struct{ Nodes []json.RawMessage }
	var found struct {
		Externals, JettonTransfers, Traces, Orders, Vestings, Stakes nodes
		Messages                                                     struct {
			Nodes []struct{ SourceTransaction, DestinationTransaction *struct{ Hash string } }
		}
		NFTItems struct {
			Nodes []struct {
				Collection *struct{}
				Domain     *string
			}
		}
	}
	query(t, base, string(text), &found)
	for _, list := range []nodes{found.Externals, found.JettonTransfers, found.Traces, found.Orders, found.Vestings, found.Stakes} {
		if len(list.Nodes) == 0 {
			return false
		}
	}
	delivered, domain, item := false, false, false
	for _, m := range found.Messages.Nodes {
		delivered = delivered || m.SourceTransaction != nil && m.DestinationTransaction != nil
	}
	for _, n := range found.NFTItems.Nodes {
		domain, item = domain || n.Domain != nil, item || n.Collection != nil
	}
	return delivered && domain && item
}
