package rest_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
)

// multiplier is a contract that sends n messages to as many accounts for each message that it receives. The body of each has a number of
// its own and a reference to the contract's data.
func multiplier(t *testing.T, n uint16, data *cell.Cell) contracts.Contract {
	t.Helper()
	loop := "71c8cb01" + // <b 1, of 2 bits: an internal message, ihr_disabled
		"7401cb06" + "7001cb07" + "f81001cbff" + // no bounce, no source; workchain 0; a random account
		"8103e8fa02" + "7101cb6a" + // 1000 nanotons; zeros up to the last bit: the body is in a reference
		"f810c8cbff" + "2201ccc9" + // a random number and the data
		"01ccc9" + "71fb00" // b> SENDRAWMSG, fees apart
	// SETCP0; ACCEPT; c4 PUSH; n PUSHINT; <{ loop }> PUSHCONT; REPEAT; DROP
	code, err := hex.DecodeString("ff00f800ed44" + fmt.Sprintf("81%04x8e%02x", n, len(loop)/2) + loop + "e430")
	require.NoError(t, err)
	init := &tlb.StateInit{Code: cell.BeginCell().MustStoreSlice(code, uint(len(code)*8)).EndCell(), Data: data}
	return contracts.Contract{Address: init.CalcAddress(0), Init: init}
}

// ballast is almost as large as a message from outside may be: 480 cells of 127 bytes.
func ballast() *cell.Cell {
	const leaves = 360
	list := make([]*cell.Cell, 0, leaves)
	for i := uint64(0); len(list) != 1; i++ {
		c := cell.BeginCell().MustStoreSlice(binary.BigEndian.AppendUint64(make([]byte, 119), i), 127*8)
		if i >= leaves {
			for range min(4, len(list)) {
				c.MustStoreRef(list[0])
				list = list[1:]
			}
		}
		if list = append(list, c.EndCell()); i == 0 {
			list = append(list, list[0])
		}
	}
	return list[0]
}

// A contract sends 250 messages of 60 kB with the cells of one, five times. All are indexed, each is returned, and a page of them that
// would not fit into memory is refused.
func TestHostileMessages_ThatShareCellsAreIndexedAndTooLargePagesAreRefused(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const sent, executions = 250, 5
	n := startHostile(t)
	c := multiplier(t, sent, ballast())
	n.order(c.Deploy(400e9, nil))
	n.advance(3)
	call := contracts.Call(c.Address, 400e9, cell.BeginCell().EndCell())
	for range executions - 1 {
		n.order(call)
		n.advance(2)
	}
	n.advance(30) // a block accepts some twenty of them
	a := url.QueryEscape(c.Address.String())

	// The messages of one transaction have 15 MB.
	_, text := n.do(http.MethodGet, "/api/v3/transactions?limit=1&account="+a, nil)
	var page struct {
		Transactions []struct {
			Hash string `json:"hash"`
			Out  []struct {
				Hash    string `json:"hash"`
				Content struct {
					Hash []byte `json:"hash"`
					Body []byte `json:"body"`
				} `json:"message_content"`
			} `json:"out_msgs"`
		} `json:"transactions"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &page))
	require.Len(t, page.Transactions, 1)
	require.Len(t, page.Transactions[0].Out, sent)
	for i, m := range page.Transactions[0].Out {
		require.Greater(t, len(m.Content.Body), 60_000)
		if i%50 == 0 {
			body, err := cell.FromBOC(m.Content.Body)
			require.NoError(t, err)
			require.Equal(t, body.Hash(), m.Content.Hash)
		}
	}
	last := page.Transactions[0].Out[sent-1]
	status, text := n.do(http.MethodGet, "/api/v3/messages?msg_hash="+url.QueryEscape(last.Hash), nil)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, encoded(last.Content.Body))
	query := `query($h: Hash!) { message(hash: $h) { body } }`
	require.Contains(t, n.graph(query, map[string]any{"h": last.Hash}), encoded(last.Content.Body))

	// Two transactions fit, five do not.
	for _, target := range []string{"/api/v3/transactions?account=" + a, "/api/v2/getTransactions?address=" + a, "/api/v2/getTransactionsStd?address=" + a} {
		status, text = n.do(http.MethodGet, target+"&limit=2", nil)
		require.Equal(t, http.StatusOK, status, "%s: %.300s", target, text)
		require.Greater(t, len(text), 2*sent*80_000, target)
		status, text = n.do(http.MethodGet, target+"&limit=10", nil)
		require.Equal(t, http.StatusUnprocessableEntity, status, "%s: %.300s", target, text)
		require.Contains(t, text, "longer than 64 MiB: request fewer rows at once", target)
	}
	// A batch ends with the call that exceeds the length of a response.
	one := map[string]any{"method": "getTransactions", "params": map[string]any{"address": c.Address.String(), "limit": 2}}
	status, text = n.do(http.MethodPost, "/api/v2/jsonRPC", []any{one, one, one, map[string]any{"method": "getMasterchainInfo", "id": "last"}})
	require.Equal(t, http.StatusOK, status)
	require.Less(t, len(text), 2*64<<20)
	require.Contains(t, text[len(text)-1000:], "longer than 64 MiB: request fewer rows at once")
	require.Contains(t, text[len(text)-300:], `"id":"last"`)

	status, text = n.do(http.MethodGet, "/api/v3/messages?limit=1000&source="+a, nil)
	require.Equal(t, http.StatusUnprocessableEntity, status, "%.300s", text)
	status, text = n.do(http.MethodGet, "/api/v3/traces?limit=10&account="+a, nil)
	require.Contains(t, []int{http.StatusUnprocessableEntity, http.StatusServiceUnavailable}, status, "%.300s", text) // too long, or not in time
	status, text = n.do(http.MethodGet, "/api/v3/pendingTraces?account="+a, nil)
	require.Less(t, status, http.StatusInternalServerError, "%.300s", text)
	query = `query($a: Address!) { account(address: $a) { transactions(first: 10) { nodes { outMessages { body } } } } }`
	require.Contains(t, n.graph(query, map[string]any{"a": c.Address.String()}), `"errors"`)

	// Live events of these blocks have all messages, and few of their bodies in memory.
	head := n.devnet.Head()
	txs, err := n.db.Reader().TransactionsOfMasterchain(n.ctx, chain.SeqnoRange{First: 1, Last: head})
	require.NoError(t, err)
	complete, err := n.db.Reader().WithMessages(n.ctx, txs)
	require.NoError(t, err)
	events, inMemory, bodies := 0, 0, 0
	for i := range complete {
		for j := range complete[i].OutMessages {
			m := &complete[i].OutMessages[j]
			events, inMemory, bodies = events+1, inMemory+len(m.Body), bodies+len(m.BodyBOC())
		}
	}
	require.Greater(t, events, sent*executions)
	require.Greater(t, bodies, sent*executions*60_000)
	require.Less(t, inMemory, 17<<20)

	// Their rows are those of the chain, read from a node and from the index alone.
	x := indexer.New(n.devnet.Client, n.db, indexer.Options{})
	within := chain.SeqnoRange{First: 1, Last: head}
	online, err := x.VerifyRange(n.ctx, within)
	require.NoError(t, err)
	require.True(t, online.OK(), online.String())
	require.Greater(t, online.Messages, sent*executions)
	offline, err := indexer.VerifyRows(n.ctx, n.db.Reader(), within, 2)
	require.NoError(t, err)
	require.True(t, offline.OK(), offline.String())
}

func encoded(boc []byte) string {
	text, _ := json.Marshal(boc)
	return string(text)
}
