package rest_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/devnettest"
	"tonql/internal/devnet/ledger"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// restTrace is a trace with its transactions, as v3 returns it.
type restTrace struct {
	Info struct {
		State string `json:"trace_state"`
	} `json:"trace_info"`
	Order        []string `json:"transactions_order"`
	Transactions map[string]struct {
		Account string
		LT      string
		McSeqno uint32 `json:"mc_block_seqno"`
		InMsg   struct {
			Source    string
			CreatedLT string `json:"created_lt"`
		} `json:"in_msg"`
	}
}

// A wallet sends 60 messages at once to accounts of several shards. The chain defers most of them: the trace stays
// incomplete over several blocks, and then contains each message once, in the order in which it was sent. All
// transactions are re-executed with the same result.
func TestDeferredMessages_TraceIsCompleteWhenTheLastIsProcessed(t *testing.T) {
	t.Parallel()
	const messages, receivers = 60, 4
	ctx, cancel := context.WithTimeout(t.Context(), pacetest.Slow*3*time.Minute)
	t.Cleanup(cancel)
	net := devnettest.Start(ctx, t, devnettest.Options{Devnet: devnet.Options{Seed: [32]byte{0xde}, InitialSplit: 1}, Blocks: 8})
	db := testdb.New(t)
	net.Index(t, db, indexer.Options{})
	advance := func() {
		net.AdvanceTo(t, net.Head()+1)
		net.WaitIndexed(t, db)
	}
	wallet, err := contracts.NewWallet(contracts.V5R1, 0, ed25519.NewKeyFromSeed(make([]byte, 32)), ledger.DefaultGlobalID)
	require.NoError(t, err)
	require.NoError(t, net.Faucet.Send(ctx, wallet.Address, 1000e9, ""))
	for range 4 {
		advance()
	}
	orders := make([]contracts.Order, messages)
	for i := range orders {
		to := [32]byte{byte(i % receivers * 0x40), 1}
		orders[i].Message = contracts.Transfer(address.NewAddress(0, 0, to[:]), 1e8, strconv.Itoa(i))
	}
	ext, err := wallet.External(contracts.Ticket{ValidUntil: net.Chain.Now() + 600, Deploy: true}, orders...)
	require.NoError(t, err)
	require.NoError(t, net.Chain.SendExternal(ctx, ext))
	h := newService(t, db, net.Client)
	raw := wallet.Address.StringRaw()
	advance()
	root := rootOf(t, h, raw, ext.Hash())

	var open []int
	for range 12 {
		trace := traceOf(t, h, root)
		require.Equal(t, strings.ToUpper(trace.Info.State), graphState(t, h, root))
		if trace.Info.State != "pending" {
			break
		}
		open = append(open, len(trace.Transactions))
		advance()
	}
	require.Greater(t, len(open), 3, "the messages are processed in several blocks: %v", open)
	require.IsIncreasing(t, open)
	trace := traceOf(t, h, root)
	require.Equal(t, "complete", trace.Info.State)
	require.Len(t, trace.Transactions, messages+1)
	requireOrder(t, trace, raw, messages)

	txs, err := db.Reader().Transactions(ctx, chain.TransactionFilter{}, chain.Page{Limit: 1000})
	require.NoError(t, err)
	for i := range txs {
		require.Equal(t, chain.Replayed, txs[i].Verification)
	}
	list, err := net.Client.MasterBlock(ctx, net.Head())
	require.NoError(t, err)
	require.Greater(t, len(list.Top), 1)
}

// requireOrder checks that each receiver got its messages in the order in which they were sent, over several blocks.
func requireOrder(t *testing.T, trace restTrace, source string, messages int) {
	t.Helper()
	received, blocks := map[string]bool{}, map[uint32]bool{}
	last := map[string][2]uint64{}
	for _, hash := range trace.Order {
		tx := trace.Transactions[hash]
		if !equalAddress(t, tx.InMsg.Source, source) {
			continue
		}
		created, err := strconv.ParseUint(tx.InMsg.CreatedLT, 10, 64)
		require.NoError(t, err)
		lt, err := strconv.ParseUint(tx.LT, 10, 64)
		require.NoError(t, err)
		require.Equal(t, created > last[tx.Account][0], lt > last[tx.Account][1])
		last[tx.Account] = [2]uint64{max(created, last[tx.Account][0]), max(lt, last[tx.Account][1])}
		received[tx.InMsg.CreatedLT], blocks[tx.McSeqno] = true, true
	}
	require.Len(t, received, messages)
	require.Greater(t, len(blocks), 3)
}

func equalAddress(t *testing.T, got, raw string) bool {
	t.Helper()
	if got == "" {
		return false
	}
	a, err := chain.ParseAddress(got)
	require.NoError(t, err)
	b, err := chain.ParseAddress(raw)
	require.NoError(t, err)
	return a == b
}

// rootOf returns the id of the trace that an external message began.
func rootOf(t *testing.T, h http.Handler, account string, message []byte) string {
	t.Helper()
	var page struct {
		Transactions []struct {
			TraceID string                `json:"trace_id"`
			InMsg   struct{ Hash string } `json:"in_msg"`
		}
	}
	fetch(t, h, http.MethodGet, "/api/v3/transactions?account="+url.QueryEscape(account), "", &page)
	for _, tx := range page.Transactions {
		if tx.InMsg.Hash == base64.StdEncoding.EncodeToString(message) {
			return tx.TraceID
		}
	}
	require.Fail(t, "the external message made no transaction")
	return ""
}

func traceOf(t *testing.T, h http.Handler, root string) restTrace {
	t.Helper()
	var page struct{ Traces []restTrace }
	fetch(t, h, http.MethodGet, fmt.Sprintf("/api/v3/traces?trace_id=%s", url.QueryEscape(root)), "", &page)
	require.Len(t, page.Traces, 1)
	return page.Traces[0]
}

func graphState(t *testing.T, h http.Handler, root string) string {
	t.Helper()
	var graph struct {
		Traces struct{ Nodes []struct{ State string } }
	}
	query(t, h, `query($id: Hash!) { traces(where: {hashes: [$id]}) { nodes { state } } }`, map[string]any{"id": root}, &graph)
	require.Len(t, graph.Traces.Nodes, 1)
	return graph.Traces.Nodes[0].State
}
