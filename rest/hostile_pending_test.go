package rest_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/pacetest"
)

// Messages cost their sender nothing before a block accepts one. Each of these makes a contract send 250 messages of 60 kB. The emulation of
// each ends at the limit, lists of a few are returned, and larger ones are refused.
func TestHostilePending_TracesOfLargeMessagesAreBounded(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const sent, messages = 250, 8
	n := startHostile(t)
	c := multiplier(t, sent, ballast())
	n.order(c.Deploy(400e9, nil))
	n.advance(20)
	a := url.QueryEscape(c.Address.String())
	hashes := make([]string, messages)
	for i := range hashes {
		root := externalTo(t, &tlb.ExternalMessage{DstAddr: c.Address, Body: cell.BeginCell().MustStoreUInt(uint64(i), 32).EndCell()})
		status, text := n.do(http.MethodPost, "/api/v3/message", map[string]any{"boc": base64.StdEncoding.EncodeToString(root.ToBOC())})
		require.Equal(t, http.StatusOK, status, text)
		hashes[i] = url.QueryEscape(base64.StdEncoding.EncodeToString(root.Hash()))
	}

	// A list has no traces that are not emulated within a second.
	text := n.doUntil("/api/v3/pendingTraces?ext_msg_hash="+hashes[0], func(status int, text string) bool {
		return status == http.StatusOK && len(text) > 1<<20
	})
	var list struct {
		Traces []struct {
			Info struct {
				Transactions int `json:"transactions"`
				Pending      int `json:"pending_messages"`
			} `json:"trace_info"`
			Transactions map[string]struct {
				In struct {
					Content struct {
						Body []byte `json:"body"`
					} `json:"message_content"`
				} `json:"in_msg"`
				Out []json.RawMessage `json:"out_msgs"`
			} `json:"transactions"`
		} `json:"traces"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	require.Len(t, list.Traces, 1)
	trace := list.Traces[0]
	require.Less(t, trace.Info.Transactions, 100, "the emulation ends at the limit")
	require.Equal(t, 1+sent, trace.Info.Transactions+trace.Info.Pending, "the rest is in flight")
	large := 0
	for _, tx := range trace.Transactions {
		if len(tx.Out) == 0 {
			require.Greater(t, len(tx.In.Content.Body), 60_000)
			large++
		}
	}
	require.Equal(t, trace.Info.Transactions-1, large)

	for _, target := range []string{
		"pendingTraces?account=" + a, "pendingActions?include_transactions=1&account=" + a, "pendingTransactions?account=" + a,
		"pendingTraces?ext_msg_hash=" + hashes[1] + "&ext_msg_hash=" + hashes[2] + "&ext_msg_hash=" + hashes[3] + "&ext_msg_hash=" + hashes[4],
	} {
		text := n.doUntil("/api/v3/"+target, func(status int, _ string) bool { return status == http.StatusUnprocessableEntity })
		require.Contains(t, text, "64 MiB: request", target)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	t.Logf("heap after %d messages: %d MiB", messages, m.HeapAlloc>>20)
}

// doUntil repeats a GET request until ok reports true, and returns the body of the response.
func (n *localNetwork) doUntil(target string, ok func(status int, text string) bool) string {
	n.t.Helper()
	for {
		status, text := n.do(http.MethodGet, target, nil)
		if ok(status, text) {
			return text
		}
		require.NoError(n.t, n.ctx.Err(), "%s: status %d, %d bytes, %.300s", target, status, len(text), text)
	}
}
