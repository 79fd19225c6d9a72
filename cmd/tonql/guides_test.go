package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// example is a listing of a guide: a GraphQL operation, or requests with curl.
var example = regexp.MustCompile("(?s)```(graphql|sh)\n(.*?)```")

// checkGuides sends every request of the guides to a running service, with objects of its index as variables.
func checkGuides(t *testing.T, base string) {
	t.Helper()
	var found struct {
		JettonWallets struct {
			Nodes []struct {
				Owner, JettonAccount struct{ Address string }
			}
		}
		Transactions struct{ Nodes []struct{ Hash string } }
		Masterchain  struct{ First, Last struct{ Seqno uint32 } }
	}
	eventually(t, time.Minute, "a Jetton has owners", func() bool {
		query(t, base, `{ jettonWallets(first: 1) { nodes { owner { address } jettonAccount { address } } }
			transactions(first: 1) { nodes { hash } } masterchain { first { seqno } last { seqno } } }`, &found)
		return len(found.JettonWallets.Nodes) > 0 && len(found.Transactions.Nodes) > 0
	})
	variables := map[string]any{
		"account": found.JettonWallets.Nodes[0].Owner.Address, "jetton": found.JettonWallets.Nodes[0].JettonAccount.Address,
		"hash": found.Transactions.Nodes[0].Hash, "first": found.Masterchain.First.Seqno, "last": found.Masterchain.Last.Seqno,
	}
	environment := append(os.Environ(), "TONQL="+base, "ACCOUNT="+found.JettonWallets.Nodes[0].Owner.Address,
		"SEQNO="+strconv.FormatUint(uint64(found.Masterchain.Last.Seqno), 10))
	guides, err := filepath.Glob("../../docs/guides/*.md")
	require.NoError(t, err)
	queries, requests := 0, 0
	for _, guide := range guides {
		text, err := os.ReadFile(guide)
		require.NoError(t, err)
		for _, m := range example.FindAllStringSubmatch(string(text), -1) {
			if m[1] == "graphql" {
				runGuideQuery(t, base, m[2], variables)
				queries++
				continue
			}
			for line := range strings.Lines(m[2]) {
				runGuideRequest(t, environment, strings.TrimSpace(line))
				requests++
			}
		}
	}
	require.Greater(t, queries, 8)
	require.Greater(t, requests, 8)
}

// runGuideQuery executes an operation: a query without errors, a subscription until its stream begins.
func runGuideQuery(t *testing.T, base, document string, variables map[string]any) {
	t.Helper()
	used := map[string]any{}
	for name, value := range variables {
		if strings.Contains(document, "$"+name+":") {
			used[name] = value
		}
	}
	body, err := json.Marshal(map[string]any{"query": document, "variables": used})
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/graphql", bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	subscription := strings.HasPrefix(document, "subscription")
	if subscription {
		req.Header.Set("Accept", "text/event-stream")
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	require.Equal(t, http.StatusOK, resp.StatusCode, document)
	if subscription { // an operation that is refused has errors in its first event, and the stream ends
		require.Contains(t, resp.Header.Get("Content-Type"), "text/event-stream")
		if strings.Contains(document, "blocks(") {
			first := make([]byte, 4096)
			for text := ""; !strings.Contains(text, `"data"`); {
				n, err := resp.Body.Read(first)
				text += string(first[:n])
				require.NoError(t, err, text)
				require.NotContains(t, text, `"errors"`)
			}
		}
		return
	}
	var response struct {
		Data   map[string]json.RawMessage
		Errors []json.RawMessage
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&response))
	require.Empty(t, joined(response.Errors), document)
	for field, value := range response.Data {
		require.NotEqual(t, "null", string(value), "%s in\n%s", field, document)
	}
}

// joined returns the errors of a response as text.
func joined(list []json.RawMessage) string {
	var text []string
	for _, e := range list {
		text = append(text, string(e))
	}
	return strings.Join(text, "\n")
}

// runGuideRequest runs a line with curl in a shell, as a reader would; one that follows events for seconds.
func runGuideRequest(t *testing.T, environment []string, line string) {
	t.Helper()
	require.True(t, strings.HasPrefix(line, "curl "), line)
	if _, err := exec.LookPath("curl"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_PROXIES", "curl is not installed")
	}
	seconds, follows := "60", strings.HasPrefix(line, "curl -N ")
	if follows {
		seconds = "3"
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(line, "curl ", "curl --fail-with-body --silent --show-error --max-time "+seconds+" ", 1))
	cmd.Env = environment
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if follows {
		require.Contains(t, string(out), `"status":"subscribed"`, "%s\n%s", line, failure.String())
		return
	}
	require.NoError(t, err, "%s\n%s\n%s", line, out, failure.String())
	require.True(t, json.Valid(out), "%s\n%s", line, out)
	require.NotContains(t, string(out), `"errors"`)
}
