package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

const smallTrace = `{"trace_id":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","end_lt":"3","end_utime":7,"mc_seqno_end":1,
"transactions":[{"hash":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
"account":"0:0100000000000000000000000000000000000000000000000000000000000000","lt":"3","now":7,"mc_block_seqno":1,
"orig_status":"active","end_status":"active","descr":{"type":"ord","aborted":true,"compute_exit_code":33},
"in_msg":{"hash":"AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
"destination":"0:0100000000000000000000000000000000000000000000000000000000000000"},"out_msgs":[]}],"interfaces":{}}`

func TestClassify_PrintsOneLinePerFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "trace.json")
	require.NoError(t, os.WriteFile(name, []byte(smallTrace), 0o600))
	var out bytes.Buffer
	root := app()
	root.Writer = &out
	require.NoError(t, root.Run(t.Context(), []string{"tonql", "classify", name, name}))
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	require.Len(t, lines, 2)
	require.Equal(t, lines[0], lines[1])
	var line struct {
		State   string `json:"state"`
		Actions []struct {
			Type    string `json:"type"`
			Success bool   `json:"success"`
		} `json:"actions"`
	}
	require.NoError(t, json.Unmarshal(lines[0], &line))
	require.Equal(t, "ok", line.State)
	require.Len(t, line.Actions, 1)
	require.Equal(t, "unknown", line.Actions[0].Type)
	require.False(t, line.Actions[0].Success)

	require.NoError(t, os.WriteFile(name, []byte("{"), 0o600))
	for _, args := range [][]string{{"tonql", "classify"}, {"tonql", "classify", name}, {"tonql", "classify", name + "x"}} {
		root := app()
		root.Writer = &out
		require.Equal(t, chain.Invalid, chain.KindOf(root.Run(t.Context(), args)))
	}
}
