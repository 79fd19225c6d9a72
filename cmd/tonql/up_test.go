package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

type readyBody struct {
	Ready   bool
	Reasons []string
	Index   *struct{ First, Last uint32 }
	Servers []struct {
		Name      string
		Usable    bool
		HeadSeqno uint32 `json:"head_seqno"`
	}
}

func readyz(t *testing.T, base string) readyBody {
	t.Helper()
	_, body := get(t, base+"/readyz")
	var r readyBody
	require.NoError(t, json.Unmarshal(body, &r), string(body))
	return r
}

// follows reports whether the index is at most two blocks behind the network's head and has reached seqno.
func follows(t *testing.T, base string, seqno uint32) bool {
	t.Helper()
	r := readyz(t, base)
	return r.Ready && r.Index != nil && len(r.Servers) == 1 && r.Index.Last >= seqno && r.Servers[0].HeadSeqno <= r.Index.Last+2
}

// The first use: one command, all pages, Ctrl-C, and the same command again.
//
//nolint:tparallel // its subtests use the process before it is stopped
func TestUp_StartsFromAnEmptyFolder(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	p := start(t, "up", "--data", data, "--listen", "127.0.0.1:0")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	p.expect(`Ctrl-C stops everything`, time.Minute)
	eventually(t, time.Minute, "the chain advances and the index follows", func() bool { return follows(t, base, 5) })
	require.NotContains(t, p.stderr.String(), `level=WARN msg="contracts`, "contracts of the local chain are no reason to worry")

	// Transactions with their messages and accounts, by GraphQL.
	type object = map[string]any
	var seen struct {
		Transactions struct {
			Nodes []struct {
				Hash         string
				Verification string
				Account      struct {
					Address string
					State   object
				}
				InMessage   object
				OutMessages []object
			}
		}
	}
	eventually(t, time.Minute, "traffic arrives", func() bool {
		query(t, base, `{ transactions(first: 100) { nodes { hash verification account { address state { balance } }
			inMessage { hash value source { address } } outMessages { hash destination { address } } } } }`, &seen)
		for _, n := range seen.Transactions.Nodes {
			if n.InMessage != nil && len(n.OutMessages) > 0 && n.Account.State != nil {
				return true
			}
		}
		return false
	})
	for _, n := range seen.Transactions.Nodes {
		require.Equal(t, "REPLAYED", n.Verification, n.Hash)
	}

	// The same by REST v3.
	status, body := get(t, base+"/api/v3/transactions?limit=10")
	require.Equal(t, 200, status)
	var page struct {
		Transactions []struct {
			Hash, Account, Lt string
			InMsg             *struct{ Hash string } `json:"in_msg"`
		}
		AddressBook map[string]any `json:"address_book"`
	}
	require.NoError(t, json.Unmarshal(body, &page))
	require.Len(t, page.Transactions, 10)
	require.Contains(t, page.AddressBook, page.Transactions[0].Account)

	t.Run("keys beside it", func(t *testing.T) { checkKeys(t, base, data) })
	t.Run("pages in a browser", func(t *testing.T) { checkPages(t, base) })
	t.Run("documentation in a browser", func(t *testing.T) { checkDocumentation(t, base) })
	t.Run("pages of the APIs in a browser", func(t *testing.T) { checkReferences(t, base) })
	t.Run("explorer in a browser", func(t *testing.T) { checkExplorer(t, base) })
	t.Run("lists in a browser", func(t *testing.T) { checkLists(t, base) })

	before := readyz(t, base)
	p.interrupt(10 * time.Second)
	require.Empty(t, children(t, data), "processes left behind")

	// The second start continues the same chain with the same data.
	p = start(t, "up", "--data", data, "--listen", "127.0.0.1:0")
	base = "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the chain continues", func() bool { return follows(t, base, before.Index.Last+2) })
	require.Equal(t, uint32(1), readyz(t, base).Index.First)
	status, body = get(t, base+"/api/v3/transactions?hash="+escape(page.Transactions[0].Hash))
	require.Equal(t, 200, status)
	require.Contains(t, string(body), page.Transactions[0].Hash)
	p.interrupt(10 * time.Second)
	require.Empty(t, children(t, data), "processes left behind")
}

func escape(hash string) string {
	var out []byte
	for _, c := range []byte(hash) {
		out = fmt.Appendf(out, "%%%02X", c)
	}
	return string(out)
}

// tonql up indexes the chain of another process and starts none.
func TestUp_IndexesAnotherDevnet(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	chainData, indexData := filepath.Join(t.TempDir(), "chain"), filepath.Join(t.TempDir(), "index")
	net := start(t, "devnet", "--data", chainData, "--seed", "another", "--block-interval", "500ms")
	config := net.expect(`global config +(\S+)`, time.Minute)
	p := start(t, "up", "--data", indexData, "--listen", "127.0.0.1:0", "--global-config", config, "--from", "3")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows the other chain", func() bool { return follows(t, base, 8) })
	require.Equal(t, uint32(3), readyz(t, base).Index.First)
	require.NoDirExists(t, filepath.Join(indexData, "devnet"))
	p.interrupt(10 * time.Second)

	// The database matches the chain.
	check := start(t, "verify", "--data", indexData, "--global-config", config)
	check.expect(`the database matches the chain`, time.Minute)
	check.expect(`digest ([0-9a-f]{64})`, time.Second)
	<-check.ended
	require.NoError(t, check.err)

	// Another chain is refused: the two would mix.
	other := start(t, "up", "--data", indexData, "--listen", "127.0.0.1:0")
	<-other.ended
	require.Error(t, other.err)
	require.Contains(t, other.stderr.String(), "give another database, or another data folder")

	// Redetection does not write the contracts of one network into the database of another either.
	again := start(t, "index", "redetect", "--data", indexData)
	<-again.ended
	require.Error(t, again.err)
	require.Contains(t, again.stderr.String(), "give another database, or another data folder")

	net.interrupt(10 * time.Second)
	require.Empty(t, children(t, indexData))
}

// browser returns the folder of the browser scripts, and the folder for screenshots, which may be empty. It skips the
// test without a browser.
func browser(t *testing.T) (folder, shots string) {
	t.Helper()
	pacetest.Long(t)
	folder = "testdata/page"
	if _, err := exec.LookPath("node"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "node is not installed")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules/playwright-core")); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_NODE", "npm ci was not run in cmd/tonql/"+folder)
	}
	if _, err := exec.LookPath("chromium"); err != nil {
		skipUnlessRequired(t, "TONQL_REQUIRE_BROWSER", "chromium is not installed")
	}
	return folder, os.Getenv("TONQL_SCREENSHOTS")
}

// checkPages uses the landing page, the playground and the documentation in a real browser.
func checkPages(t *testing.T, base string) {
	t.Helper()
	folder, shots := browser(t)
	cmd := exec.CommandContext(t.Context(), "node", "playground.mjs", base, shots)
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var seen struct {
		Landing, Result          string
		Links, Events            []string
		Event                    string
		Stopped                  bool
		Examples                 []string
		Example                  string
		Phone                    []float64
		Outside, Console, Failed []string
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Outside, "requests to other hosts")
	require.Empty(t, seen.Console, "errors in the console")
	require.Empty(t, seen.Failed, "requests that failed")
	require.Contains(t, seen.Landing, "tonql")
	require.Contains(t, seen.Links, "/playground")
	require.Contains(t, seen.Result, `"hash"`)
	require.Len(t, seen.Events, 3, "events of a subscription, one after the other")
	require.Contains(t, seen.Event, `"mcSeqno"`)
	require.True(t, seen.Stopped, "a stopped subscription receives nothing")
	require.Subset(t, seen.Examples, []string{"Query.account", "Query.simulate", "Subscription.blocks", "Mutation.sendMessage"})
	require.NotContains(t, seen.Example, `"errors"`)
	require.LessOrEqual(t, seen.Phone[0], 0.0, "the page is not wider than a phone")
	require.Greater(t, seen.Phone[1], 250.0, "width of the query")
	require.Greater(t, seen.Phone[2], 250.0, "width of the result, below it")
	require.GreaterOrEqual(t, seen.Phone[3], 0.0)
}

// checkDocumentation reads and searches the pages at /docs in a real browser.
func checkDocumentation(t *testing.T, base string) {
	t.Helper()
	folder, shots := browser(t)
	var seen struct {
		Marked, Found                    string
		Requests, Console, Axe, Overflow []string
	}
	cmd := exec.CommandContext(t.Context(), "node", "documentation.mjs", base, shots)
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Requests, "requests of the documentation, or to other hosts")
	require.Empty(t, seen.Console, "errors in the console")
	require.Empty(t, seen.Axe, "violations of accessibility rules")
	require.Empty(t, seen.Overflow, "pages wider than the screen")
	require.Equal(t, "pgbouncer", strings.ToLower(seen.Marked))
	require.Equal(t, "/docs/scale", seen.Found)
}

func skipUnlessRequired(t *testing.T, variable, reason string) {
	t.Helper()
	if os.Getenv(variable) != "" {
		require.Fail(t, reason, "%s is set", variable)
	}
	t.Skip(reason)
}

// Without a usable server, /readyz gives the reason; when one returns, indexing continues automatically.
func TestUp_WithoutLiteserverIsNotReady(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	chainData, indexData := filepath.Join(t.TempDir(), "chain"), filepath.Join(t.TempDir(), "index")
	run := func(listen string) *process {
		return start(t, "devnet", "--data", chainData, "--block-interval", "500ms", "--devnet-listen", listen)
	}
	net := run("127.0.0.1:0")
	config := net.expect(`global config +(\S+)`, time.Minute)
	p := start(t, "up", "--data", indexData, "--listen", "127.0.0.1:0", "--global-config", config, "--node-timeout", "2s")
	base := "http://" + p.expect(`page +http://([^/]+)/`, time.Minute)
	eventually(t, time.Minute, "the index follows", func() bool { return follows(t, base, 3) })
	address := readyz(t, base).Servers[0].Name

	net.interrupt(10 * time.Second)
	eventually(t, time.Minute, "the loss is detected", func() bool {
		r := readyz(t, base)
		return !r.Ready && len(r.Reasons) > 0 && !r.Servers[0].Usable
	})
	last := readyz(t, base).Index.Last
	status, _ := get(t, base+"/api/v3/masterchainInfo")
	require.Equal(t, 200, status, "what is indexed is still served")

	run(address)
	eventually(t, 2*time.Minute, "indexing continues by itself", func() bool { return follows(t, base, last+3) })
	p.interrupt(10 * time.Second)
}
