package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/pacetest"
)

// checkExplorer searches and navigates in the explorer of a running service, in a real browser.
func checkExplorer(t *testing.T, base string) {
	t.Helper()
	folder, shots := browser(t)
	cmd := exec.CommandContext(t.Context(), "node", "explorer.mjs", base, shots)
	cmd.Dir = folder
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	var seen struct {
		Outside, Console, Failed, Axe, Overflow, Raw, Plain []string
		Moved, Figures, Kinds, Phases                       []string
		Boxes, Folded, Transactions, Flow                   int
		Quiet, Holders, Items                               int
		Counterparties, ChartRequests                       int
		Charts                                              []int
		Pages                                               []int
		Account, Jetton, Chosen                             string
		Priced                                              int
		Requests, Renewed, Drawn                            int
		Seconds                                             float64
		Claims, Chips, Orders                               []string
		Domain, Credited, Cause                             string
		FailedCode, Stayed                                  int
		Groups                                              map[string][]string
		Prefix, Corrected                                   []string
		Mark, Checksum                                      string
		Sources, Commands                                   []string
		Playground, Network, UTC, Copied, Address           string
		QR                                                  int
		Filtered, Changes, CSV                              []string
		JSON                                                []map[string]any
		Back                                                []int

		Legend, Edges, Results, Typed []string
		SVG                           []int
		PNG, Again, Simulated         string
		ContractRequests, SameCode    int
		Exit, Code, Verification      string
		Large                         struct {
			Boxes, Height, Last int
			Median              float64
		}
		LargeSVG int
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Outside, "requests to other hosts")
	require.Empty(t, seen.Console, "errors in the console")
	require.Empty(t, seen.Failed, "requests that failed")
	require.Empty(t, seen.Axe, "violations reported by axe")
	require.Empty(t, seen.Overflow, "pages wider than the window")
	require.Empty(t, seen.Raw, "addresses that are not in the user-friendly form")
	require.Empty(t, seen.Plain, "actions without accounts and amounts")

	require.Len(t, seen.Moved, 2)
	require.NotEqual(t, seen.Moved[0], seen.Moved[1], "the list of blocks is updated")
	require.Len(t, seen.Figures, 4)
	require.Zero(t, seen.Quiet, "housekeeping is hidden")
	require.NotEmpty(t, seen.Kinds)
	require.GreaterOrEqual(t, seen.Boxes, seen.Transactions, "each transaction of the trace is drawn")
	require.Less(t, seen.Folded, seen.Boxes, "the tree folds")
	require.GreaterOrEqual(t, len(seen.Phases), 2)
	require.Equal(t, []string{"executed", "failed: cut corners", "code not run: dashed", "bounced message: pointed"}, seen.Legend)
	require.Contains(t, strings.Join(seen.Edges, " "), "TON", "values on edges")
	require.Contains(t, strings.Join(seen.Edges, " "), "fee ", "fees on edges")
	require.Equal(t, []int{seen.Transactions, 0}, seen.SVG, "the file has each transaction, and is well-formed")
	require.Equal(t, "PNG", seen.PNG)
	require.Contains(t, seen.Again, "/playground?query=query+Simulate")
	require.NotContains(t, seen.Simulated, `"errors"`)

	require.LessOrEqual(t, seen.ContractRequests, 5)
	require.Contains(t, seen.Typed[1], seen.Typed[0], "the address that the method returned")
	require.Equal(t, []string{"Total supply integer", "Mintable yes or no", "Admin address address", "Jetton content content of a token", "Jetton wallet code cell"}, seen.Results) //nolint:dupword // of a name and its type
	require.Contains(t, seen.Exit, "exit code 11: unknown error")
	require.Contains(t, seen.Exit, "no method of this name", "the cause of the exit code")
	require.Contains(t, seen.Code, "// get_jetton_data")
	require.Equal(t, "/docs/sources", seen.Verification)
	require.Positive(t, seen.SameCode)
	require.Greater(t, seen.Large.Boxes, 10)
	require.Less(t, seen.Large.Boxes, 200, "boxes in the document at a time")
	require.Positive(t, seen.Large.Last)
	require.Greater(t, seen.Large.Height, 100_000, "all rows can be reached")
	if t.Logf("%.1f ms for a frame while a trace of 4000 transactions scrolls", seen.Large.Median); os.Getenv("TONQL_PAGE_BUDGET") != "" {
		require.Less(t, seen.Large.Median, float64(20*pacetest.Slow))
	}
	require.Equal(t, 4000, seen.LargeSVG)
	require.Positive(t, seen.Flow, "balances that changed")
	require.Contains(t, seen.Account, "Transactions")
	require.Len(t, seen.Pages, 2)
	require.Zero(t, seen.Priced, "prices without a source")
	require.LessOrEqual(t, seen.Pages[0], seen.Pages[1], "lists load the next page")
	require.Equal(t, "hit-0", seen.Chosen, "the arrow keys go through the hits")
	require.Equal(t, []string{"GraphQL", "REST v3", "curl"}, seen.Sources[:3])
	filled := 0
	for _, command := range seen.Commands {
		response := runInShell(t, command)
		require.True(t, json.Valid([]byte(response)), "%s: %s", command, response)
		require.NotContains(t, response, `"error"`, command)
		if len(response) > len(`{}`) { // metadata may not be fetched yet
			filled++
		}
	}
	require.GreaterOrEqual(t, filled, 4)
	require.Contains(t, seen.Playground, `"hash"`, "the link opens the query with its variables")
	require.Positive(t, seen.QR)
	require.Equal(t, "Local chain", seen.Network)
	require.Regexp(t, `^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$`, seen.UTC)
	require.Equal(t, seen.Address, seen.Copied)
	require.Len(t, seen.Back, 5)
	require.Equal(t, seen.Back[0], seen.Back[1], "rows after going back")
	require.InDelta(t, seen.Back[2], seen.Back[3], 40, "position after going back")
	require.Zero(t, seen.Back[4], "requests to go back")

	for _, kind := range seen.Filtered {
		require.Equal(t, "Transfer", kind)
	}
	require.NotEmpty(t, seen.Changes)
	for _, change := range seen.Changes {
		require.Regexp(t, `^([+−]\d|0 )`, change, "the change of the balance on each row")
	}
	require.Equal(t, "time,lt,hash,message,outcome,exit_code,source,value,balance_change,balance,fees", seen.CSV[0])
	require.InDelta(t, len(seen.JSON), len(seen.CSV)-1, 40, "both have all rows, and the chain continues between them")
	require.GreaterOrEqual(t, len(seen.JSON), len(seen.Changes))
	require.Regexp(t, `^[0-9a-f]{64}$`, seen.JSON[0]["hash"])

	require.Contains(t, seen.Groups["symbol"], "Jettons")
	require.Contains(t, seen.Groups["prefix"], "Transactions")
	require.Contains(t, seen.Groups["prefix"], "Traces")
	require.Equal(t, []string{"Blocks"}, seen.Groups["block"])
	require.Contains(t, seen.Groups["system"], "Accounts")
	require.Equal(t, []string{"Similar addresses"}, seen.Groups["mistyped"])
	require.True(t, strings.HasPrefix(seen.Prefix[1], seen.Prefix[0]), "the hash begins with the text: %v", seen.Prefix)
	require.Equal(t, seen.Corrected[0], seen.Corrected[1], "the right address comes first")
	require.Equal(t, seen.Corrected[0][20:21], seen.Mark, "the place of the mistake")
	require.Contains(t, seen.Checksum, "checksum of this address is wrong")
	require.Positive(t, seen.Stayed, "a similar address is never opened by itself")
	require.LessOrEqual(t, float64(seen.Requests), seen.Seconds+3, "the home page makes at most one request a second, after three")
	require.Len(t, seen.Charts, 2)
	for _, rows := range seen.Charts {
		require.Positive(t, rows, "rows of the table of a chart")
	}
	require.Positive(t, seen.Counterparties)
	require.LessOrEqual(t, seen.ChartRequests, 5)
	require.Greater(t, len(seen.Claims), 2, "methods alone name several kinds of wallet")
	require.Equal(t, []string{"active"}, seen.Chips)
	for _, fact := range []string{"Domain", "Renewed", "Expires"} {
		require.Contains(t, seen.Domain, fact)
	}
	require.Subset(t, []string{"not initialised", "open", "expired", "sent for execution", "executed", "execution failed"}, seen.Orders)
	require.NotEmpty(t, seen.Orders)
	if seen.Credited != "" { // the scenario may not have sent any yet
		require.Equal(t, "credited", seen.Credited)
		require.Zero(t, seen.Drawn, "no failure is drawn")
	}
	require.Contains(t, seen.Cause, fmt.Sprintf("exit code %d", seen.FailedCode))
	require.Regexp(t, `\.`, seen.Cause, "the cause is a sentence")
	require.Positive(t, seen.Renewed, "a limited page renews its token")
	require.NotEmpty(t, seen.Jetton)
	require.Positive(t, seen.Holders)
	require.Positive(t, seen.Items)
}

// runInShell runs a command as a person would paste it into a shell, and returns its output, which has no error of GraphQL.
func runInShell(t *testing.T, command string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
	require.NoError(t, err, command)
	require.NotContains(t, string(out), `"errors"`, command)
	require.NotContains(t, string(out), `"error"`, command)
	return string(out)
}
