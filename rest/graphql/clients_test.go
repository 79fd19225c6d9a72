package graphql_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/graph"
	"tonql/internal/pacetest"
	gql "tonql/rest/graphql"
)

// script runs a script with a published client and returns its output.
func script(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	pacetest.Long(t)
	const folder = "testdata/clients"
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "node is not installed")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/graphql-ws")); err != nil {
		skipUnlessRequired(t, "npm ci was not run in rest/graphql/"+folder)
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{name}, args...)...)
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s%s", out, exit.Stderr)
	}
	require.NoError(t, err)
	return out
}

func skipUnlessRequired(t *testing.T, reason string) {
	t.Helper()
	require.Empty(t, os.Getenv("TONQL_REQUIRE_NODE"), "%s, but TONQL_REQUIRE_NODE is set", reason)
	t.Skip(reason)
}

func TestTransport_PassesTheAuditsOfGraphQLOverHTTP(t *testing.T) {
	t.Parallel()
	var audits struct {
		Total  int
		Failed []struct{ ID, Name, Status, Reason string }
	}
	require.NoError(t, json.Unmarshal(script(t, "audits.mjs", newLive(t, nil).URL), &audits))
	require.Equal(t, 61, audits.Total)
	require.Empty(t, audits.Failed)
}

func TestSchema_ReferenceImplementationAcceptsIt(t *testing.T) {
	t.Parallel()
	var read struct {
		Problems []string
		Types    int
		SDL      string
	}
	documents, err := json.Marshal(gql.PlaygroundDocuments(t))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(script(t, "schema.mjs", newLive(t, nil).URL, string(documents)), &read))
	require.Empty(t, read.Problems)
	require.Greater(t, read.Types, 100)
	for name, def := range graph.NewExecutableSchema(graph.Config{}).Schema().Types {
		if !def.BuiltIn && !strings.HasPrefix(name, "__") {
			require.Contains(t, read.SDL, " "+name, "introspection lists it")
		}
	}
}

func TestSchema_FollowsItsLintPresets(t *testing.T) {
	t.Parallel()
	folder, err := filepath.Abs("../../graph")
	require.NoError(t, err)
	var found []struct {
		Rule, File, Message string
		Line                int
	}
	require.NoError(t, json.Unmarshal(script(t, "lint.mjs", folder), &found))
	for _, f := range found {
		t.Errorf("%s:%d: %s: %s", f.File, f.Line, f.Rule, f.Message)
	}
}

// half is the number of events that a client receives before its connection is closed, and after.
const half = 30

// hashes indexes blocks with twice as many transactions as half, and returns their hashes in order.
func (l *live) hashes(t *testing.T) []string {
	t.Helper()
	var want []string
	accounts := addresses(5)
	for seqno := uint32(1); len(want) < 2*half; seqno++ {
		mb := l.block(t, seqno, accounts...)
		for i := range mb.Transactions {
			want = append(want, mb.Transactions[i].Hash.String())
		}
	}
	return want
}

func TestWebSocket_PublishedClientsWork(t *testing.T) {
	t.Parallel()
	l := newLive(t, func(o *gql.Options) { o.Timing.Init = 2 * time.Second })
	want := l.hashes(t)
	var got struct {
		Cases          map[string]string
		Hashes         []string
		Query, Refused string
	}
	require.NoError(t, json.Unmarshal(script(t, "sockets.mjs", l.URL, strconv.Itoa(half)), &got))
	require.Equal(t, map[string]string{
		"invalid message":        "4400",
		"unknown type":           "connection_ack 4400",
		"subscribe before init":  "4401",
		"init timeout":           "4408",
		"duplicate id":           "connection_ack 4409",
		"init twice":             "connection_ack 4429",
		"no subprotocol":         "4406",
		"legacy subprotocol":     "1006", // this client closes the connection itself; others receive 4406
		"ping":                   "connection_ack pong 1000",
		"query":                  "connection_ack next:q complete:q 1000",
		"error without complete": "1000 complete:r connection_ack error:q next:r",
		"cancel frees the id":    "connection_ack next:a complete:a 1000",
		"cross origin":           "refused 403",
		"binary":                 "4400",
	}, got.Cases)
	require.Equal(t, want, got.Hashes)
	require.Equal(t, "Query", got.Query)
	require.Contains(t, got.Refused, "Cannot query field")
}

func TestEventStream_PublishedClientWorks(t *testing.T) {
	t.Parallel()
	for mode, requests := range map[string]string{"distinct": `["POST"]`, "single": `["PUT","GET","POST","DELETE"]`} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			l := newLive(t, nil)
			want := l.hashes(t)
			lines := strings.Split(strings.TrimSpace(string(script(t, "events.mjs", l.URL, strconv.Itoa(half), strconv.Itoa(half), mode))), "\n")
			require.Len(t, lines, 2*half+1)
			for i := range want {
				var hash string
				require.NoError(t, json.Unmarshal([]byte(lines[i]), &hash))
				require.Equal(t, want[i], hash)
			}
			var end struct {
				Query, Refused string
				Together       []string
				Requests       json.RawMessage
			}
			require.NoError(t, json.Unmarshal([]byte(lines[2*half]), &end))
			require.Equal(t, "Query", end.Query)
			require.Contains(t, end.Refused, "Cannot query field")
			require.Equal(t, []string{want[0], want[5]}, end.Together, "the first after block 0 and after block 1")
			require.JSONEq(t, requests, string(end.Requests))
		})
	}
}
