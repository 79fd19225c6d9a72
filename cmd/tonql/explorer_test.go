package main

import (
	"encoding/json"
	"errors"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
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
		Pages                                               []int
		Account, Jetton, Chosen                             string
		Requests, Renewed, Drawn                            int
		Seconds                                             float64
		Claims, Chips, Orders                               []string
		Domain, Credited                                    string
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
	require.Equal(t, seen.Transactions, seen.Boxes, "each transaction of the trace is drawn")
	require.Less(t, seen.Folded, seen.Boxes, "the tree folds")
	require.GreaterOrEqual(t, len(seen.Phases), 2)
	require.Positive(t, seen.Flow, "balances that changed")
	require.Contains(t, seen.Account, "Transactions")
	require.Len(t, seen.Pages, 2)
	require.LessOrEqual(t, seen.Pages[0], seen.Pages[1], "lists load the next page")
	require.Equal(t, "hit-0", seen.Chosen, "the arrow keys go through the hits")
	require.LessOrEqual(t, float64(seen.Requests), seen.Seconds+2, "the home page makes at most one request a second")
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
	require.Positive(t, seen.Renewed, "a limited page renews its token")
	require.NotEmpty(t, seen.Jetton)
	require.Positive(t, seen.Holders)
	require.Positive(t, seen.Items)
}
