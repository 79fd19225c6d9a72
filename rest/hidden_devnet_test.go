package rest_test

import (
	"encoding/base64"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/cellgraph/cellgraphtest"
)

// A bag whose root claims to be complete above pruned branches has the hash of the complete cells. Nodes refuse it, and so does every entry
// point that takes cells: what is emulated, sent and stored by its hash is what the network would execute.
func TestHiddenCells_AreRefusedByEveryEntryPoint(t *testing.T) {
	t.Parallel()
	n := startHostile(t)
	n.advance(3)
	empty := cell.BeginCell().EndCell()
	body := cell.BeginCell().MustStoreUInt(7, 32).MustStoreRef(cell.BeginCell().MustStoreUInt(8, 8).EndCell()).EndCell()
	message := externalTo(t, &tlb.ExternalMessage{DstAddr: n.faucet.Address, Body: body, StateInit: &tlb.StateInit{Code: empty, Data: empty}})
	hidden := func(c *cell.Cell) string { return base64.StdEncoding.EncodeToString(cellgraphtest.Hidden(c)) }
	a, boc, part := n.faucet.Address.String(), hidden(message), hidden(body)
	const refusal = "not a bag of cells"

	for target, parameters := range map[string]map[string]any{
		"/api/v2/sendBoc":           {"boc": boc},
		"/api/v2/sendBocReturnHash": {"boc": boc},
		"/api/v3/message":           {"boc": boc},
		"/api/v2/estimateFee":       {"address": a, "body": part},
		"/api/v3/estimateFee":       {"address": a, "body": part},
		"/api/v3/runGetMethod":      {"address": a, "method": "seqno", "stack": []map[string]any{{"type": "cell", "value": part}}},
		"/api/v2/runGetMethod":      {"address": a, "method": "seqno", "stack": [][]string{{"tvm.Cell", part}}},
	} {
		status, text := n.do(http.MethodPost, target, parameters)
		require.GreaterOrEqual(t, status, http.StatusBadRequest, "%s: %s", target, text) // v2 has other codes for messages
		require.Contains(t, text, refusal, target)
	}
	for query, variables := range map[string]map[string]any{
		sendMutation:  {"b": boc},
		simulateQuery: {"b": boc},
		estimateQuery: {"a": a, "b": part},
		internalQuery: {"m": map[string]any{"source": a, "destination": a, "value": "1000000000", "body": part}},
		methodQuery:   {"a": a, "s": []map[string]any{{"type": "cell", "value": part}}},
	} {
		require.Contains(t, n.graph(query, variables), refusal, query)
	}
	// The same cells without the claim are read.
	status, text := n.do(http.MethodPost, "/api/v3/estimateFee", map[string]any{"address": a, "body": bag(body), "ignore_chksig": true})
	require.Equal(t, http.StatusOK, status, text)
}
