package main

import (
	"encoding/json"
	"errors"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// explorerInABrowser searches and looks around in the explorer of a running service.
func explorerInABrowser(t *testing.T, base string) {
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
		Outside, Console, Failed, Axe, Moved []string
		Boxes, Folded, Transactions          int
		Account, Jetton                      string
		Overflow                             int
	}
	require.NoError(t, json.Unmarshal(out, &seen), string(out))
	require.Empty(t, seen.Outside, "requests to other hosts")
	require.Empty(t, seen.Console, "errors in the console")
	require.Empty(t, seen.Failed, "requests that failed")
	require.Empty(t, seen.Axe, "what keeps people from using it")
	require.Len(t, seen.Moved, 2)
	require.NotEqual(t, seen.Moved[0], seen.Moved[1], "the list of blocks moves")
	require.Equal(t, seen.Transactions, seen.Boxes, "each transaction of the trace is drawn")
	require.Less(t, seen.Folded, seen.Boxes, "the tree folds")
	require.Contains(t, seen.Account, "Transactions")
	require.NotEmpty(t, seen.Jetton)
	require.LessOrEqual(t, seen.Overflow, 0, "a phone shows all of it")
}
