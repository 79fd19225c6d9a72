package rest_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer"
	"tonql/indexer/replay"
	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// warehouse is a contract with a counter in front of many cells. A message with a reference adds its cells, and one with 16 bits increments the
// counter and, unless they are zero, sends the contract another one with a smaller number.
func warehouse(t *testing.T) contracts.Contract {
	t.Helper()
	grow := "d430" + "ed44d0d33fd430" + "c8cc5801ccc9" + "01c8cb3fccc9ed54" // the data become the counter and both trees
	loop := "d30f30" + "ed44d0d33f01a4c8cb3fcec9ed54" + "20dda5" +          // the counter; return at zero
		"74c8cb03" + "7001cb01" + "f82801ce" + // an internal message to the contract
		"821002faf080fa02" + "7001cb6a" + "cb0fc9" + "71fb00" // 0.05 toncoins, the number, fees apart
	// SETCP0; ACCEPT; DROP; DUP; SREFS; <{ grow }> PUSHCONT; IFJMP; DUP; SEMPTY; IFRET; loop
	code, err := hex.DecodeString("ff00f80030" + "20d74a" + fmt.Sprintf("8e%02x", len(grow)/2) + grow + "e0" + "20c700dc" + loop)
	require.NoError(t, err)
	init := &tlb.StateInit{
		Code: cell.BeginCell().MustStoreSlice(code, uint(len(code)*8)).EndCell(),
		Data: cell.BeginCell().MustStoreUInt(0, 64).MustStoreRef(cell.BeginCell().EndCell()).EndCell(),
	}
	return contracts.Contract{Address: init.CalcAddress(0), Init: init}
}

// goods is a tree of 480 cells, almost as large as a message from outside may be.
func goods(n uint64) *cell.Cell {
	const leaves = 360
	var list []*cell.Cell
	for i := uint64(0); i < leaves || len(list) != 1; i++ {
		b := cell.BeginCell().MustStoreUInt(n, 64).MustStoreSlice(binary.BigEndian.AppendUint64(make([]byte, 100), i), 108*8)
		if i >= leaves {
			for range min(4, len(list)) {
				b.MustStoreRef(list[0])
				list = list[1:]
			}
		}
		list = append(list, b.EndCell())
	}
	return list[0]
}

// A contract of 9,600 cells, which are a megabyte, changes a counter in front of them 300 times, as it may hundreds of times in a block for a
// thousandth of a toncoin each. What is stored is in proportion to what changes, and every API has all cells.
func TestHostileStates_ThatShareCellsAreStoredOnce(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const trees, changes = 20, 300
	n := startHostile(t)
	c := warehouse(t)
	n.order(c.Deploy(400e9, nil))
	n.advance(3)
	for i := range uint64(trees) {
		m, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: c.Address, Body: cell.BeginCell().MustStoreRef(goods(i)).EndCell()})
		require.NoError(t, err)
		require.NoError(t, n.devnet.Chain.SendExternal(n.ctx, m))
		n.advance(1)
	}
	before := n.cellBytes()
	require.Greater(t, before, trees*50_000)
	n.order(contracts.Call(c.Address, 1e9, cell.BeginCell().MustStoreUInt(changes-1, 16).EndCell()))
	n.advance(10)
	require.Less(t, n.cellBytes()-before, changes*500) // a megabyte for each would be 300 MB

	// Both the newest state and an older one are complete.
	a := url.QueryEscape(c.Address.String())
	_, text := n.do(http.MethodGet, "/api/v3/accountStates?address="+a, nil)
	var page struct {
		Accounts []struct {
			DataHash []byte `json:"data_hash"`
			DataBOC  []byte `json:"data_boc"`
		} `json:"accounts"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &page), text)
	require.Len(t, page.Accounts, 1)
	data, err := cell.FromBOC(page.Accounts[0].DataBOC)
	require.NoError(t, err)
	require.Equal(t, page.Accounts[0].DataHash, data.Hash())
	counter := data.MustBeginParse().MustLoadUInt(64)
	require.EqualValues(t, changes, counter)
	_, text = n.do(http.MethodGet, "/api/v2/getAddressInformation?address="+a, nil)
	var information struct {
		Result struct {
			Data []byte `json:"data"`
		} `json:"result"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &information))
	data, err = cell.FromBOC(information.Result.Data)
	require.NoError(t, err)
	require.Equal(t, page.Accounts[0].DataHash, data.Hash())
	method := map[string]any{"address": c.Address.String(), "method": "get", "stack": []any{}}
	status, text := n.do(http.MethodPost, "/api/v3/runGetMethod", method)
	require.Equal(t, http.StatusOK, status, text)
	require.Contains(t, text, `"exit_code"`)
	query := `query($a: Address!) { account(address: $a) { state { data } transactions(first: 2) { nodes { stateBefore { data } stateAfter { data } } } } }`
	text = n.graph(query, map[string]any{"a": c.Address.String()})
	require.NotContains(t, text, `"errors"`)
	require.Equal(t, 2, strings.Count(text, encoded(page.Accounts[0].DataBOC))) // now, and after the newest transaction
	n.requireStatesAreBounded(c.Address.String(), encoded(page.Accounts[0].DataBOC))

	head := n.devnet.Head()
	x := indexer.New(n.devnet.Client, n.db, indexer.Options{})
	within := chain.SeqnoRange{First: 1, Last: head}
	online, err := x.VerifyRange(n.ctx, within)
	require.NoError(t, err)
	require.True(t, online.OK(), online.String())
	require.Greater(t, online.Transactions, changes)
	offline, err := indexer.VerifyRows(n.ctx, n.db.Reader(), within, 2)
	require.NoError(t, err)
	require.True(t, offline.OK(), offline.String())

	// Earlier versions did not store the data of accounts of this size. Get-methods then have those of a node.
	db := n.db.SQLDB()
	_, err = db.ExecContext(n.ctx, `DELETE FROM cells WHERE hash = $1`, page.Accounts[0].DataHash)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	n.advance(1) // states are cached by block
	status, text = n.do(http.MethodPost, "/api/v3/runGetMethod", method)
	require.Equal(t, http.StatusOK, status, text)
	require.Contains(t, text, `"exit_code"`)
	_, text = n.do(http.MethodGet, "/api/v2/getAddressInformation?address="+a, nil)
	information.Result.Data = nil
	require.NoError(t, json.Unmarshal([]byte(text), &information))
	data, err = cell.FromBOC(information.Result.Data)
	require.NoError(t, err)
	require.Equal(t, page.Accounts[0].DataHash, data.Hash())

	// The cells that the transactions of a block may walk are bounded: those that follow are not executed, and the account continues from the
	// state that the network proves.
	bounded := testdb.New(t)
	n.devnet.Index(t, bounded, indexer.Options{Replay: replay.Options{StateCells: 1}})
	n.devnet.WaitIndexed(t, bounded)
	account := chain.Address{ID: chain.HashFrom(c.Address.Data())}
	rows, err := bounded.Reader().AccountStates(n.ctx, chain.AccountFilter{Addresses: []chain.Address{account}}, chain.Page{Limit: 1})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, page.Accounts[0].DataHash, rows[0].DataHash.Bytes())
	unverified, err := bounded.Reader().Unverified(n.ctx, within, 10_000)
	require.NoError(t, err)
	require.Greater(t, len(unverified), changes/2)
	require.Less(t, len(unverified), changes)
	require.Equal(t, "cells", unverified[0].Reason)
	report, err := indexer.VerifyRows(n.ctx, bounded.Reader(), within, 2)
	require.NoError(t, err)
	require.True(t, report.OK(), report.String())
}

// requireStatesAreBounded requires that a response of GraphQL ends at 16 MB of values, also if resolvers return them last, that a request joins not
// more cells than that, in all its batches together, and that the cost of both is that of reading them. The account has data of a megabyte.
func (n *localNetwork) requireStatesAreBounded(account, data string) {
	t, variables := n.t, map[string]any{"a": account}
	t.Helper()
	const in = `query($a: Address!) { account(address: $a) { `
	aliases := func(many int) (fields string) {
		for i := range many {
			fields += fmt.Sprintf(" a%d: account { state { data } }", i)
		}
		return fields
	}
	text := n.graph(in+`transactions(first: 9) { nodes {`+aliases(1)+`} } } }`, variables)
	require.Equal(t, 9, strings.Count(text, data))
	text = n.graph(in+`transactions(first: 100) { nodes {`+aliases(9)+`} } } }`, variables) // a gigabyte
	require.Less(t, len(text), 1000)
	require.Contains(t, text, `"data":null`)
	require.Contains(t, text, "the response has too many values")
	text = n.graph(in+`transactions(first: 100) { nodes {`+aliases(10)+`} } } }`, variables)
	require.Contains(t, text, "the query costs too much")

	// Each state is another one, of which seven are cached. Nested lists are read one after the other, and together they are
	// too large here.
	require.InDelta(t, 1.53e6, len(data), 1e4)
	const states = `nodes { stateAfter { data } }`
	text = n.graph(in+`transactions(first: 9) { `+states+` } } }`, variables)
	require.NotContains(t, text, `"errors"`)
	text = n.tooManyCells(in+`transactions(first: 100) { `+states+` } } }`, variables)
	require.Contains(t, text, "the code and data of these accounts have more than 16 MiB: request fewer at once")
	require.NotContains(t, text, `"data":"`)
	transactions := n.graph(in+`transactions(first: 40) { nodes { lt } } } }`, variables)
	lts := regexp.MustCompile(`"lt":"(\d+)"`).FindAllStringSubmatch(transactions, -1)
	require.Len(t, lts, 40)
	n.tooManyCells(in+`transactions(first: 9) { `+states+` } t: transactions(first: 1) { nodes { account {
		transactions(first: 13, where: {endLt: "`+lts[20][1]+`"}) { `+states+` } } } } } }`, variables)

	// Executions are apart from that: they have a limit of their own.
	text = n.tooManyCells(`query($a: Address!) { account(address: $a) { transactions(first: 100) { `+states+` } }
		runGetMethod(address: $a, method: "get", stack: []) { exitCode } }`, variables)
	require.Regexp(t, `"exitCode":\d+`, text)
}

// tooManyCells sends a query that joins too many cells and returns the response. On a busy machine a batch may be loaded in parts, and then the
// response is too long before the cells are too many: the query is sent again.
func (n *localNetwork) tooManyCells(query string, variables map[string]any) (text string) {
	n.t.Helper()
	for range 10 {
		if text = n.graph(query, variables); !strings.Contains(text, "the response has too many values") {
			break
		}
	}
	require.Contains(n.t, text, "request fewer at once")
	return text
}

// cellBytes returns the size of all stored code and data.
func (n *localNetwork) cellBytes() (size int) {
	n.t.Helper()
	db := n.db.SQLDB()
	defer func() { require.NoError(n.t, db.Close()) }()
	require.NoError(n.t, db.QueryRowContext(n.ctx, `SELECT sum(length(boc)) FROM cells`).Scan(&size))
	return size
}
