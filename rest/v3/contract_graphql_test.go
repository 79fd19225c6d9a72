package v3_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/indexer/trace"
	"tonql/internal/chain"
	"tonql/resolvers"
)

type printedValue struct {
	Name, Type string
	Value      any
	Items      []printedValue
}

type contractResult struct {
	Account struct {
		State      struct{ CodeHash string }
		GetMethods []struct {
			ID        int
			Name      *string
			Arguments []struct{ Name, Type string }
		}
	}
	Disassembly *struct {
		CodeHash, Text string
		LibraryHash    *string
		Complete       bool
		McSeqno        int
	}
	RunGetMethod struct {
		ExitCode int
		Stack    []entry
		Values   []printedValue
	}
	AccountsByCode struct {
		Nodes    []struct{ Address string }
		PageInfo struct {
			HasNextPage            bool
			StartCursor, EndCursor string
		}
	}
}

type sender = func(t *testing.T, query string, into any) string

// What the explorer shows of contracts and traces, and each example of the playground, on one network.
//
//nolint:tparallel // one after the other on one network
func TestGraphQLPages_OnANetwork(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 30)
	svc := resolvers.New(n.db.Reader(), n.node, resolvers.Options{Network: "devnet", HeadTTL: time.Nanosecond, Classifier: trace.Classifier{}})
	t.Cleanup(svc.Close)
	query := queryService(svc)
	t.Run("contract", func(t *testing.T) { requireContract(t, n, query) })
	t.Run("steps", func(t *testing.T) { requireSteps(t, query) })
	t.Run("simulate again", func(t *testing.T) { requireSimulatedAgain(t, query) })
	t.Run("examples", func(t *testing.T) { requireExamples(t, queryWith(svc)) })
}

type stepTransaction struct {
	Hash, TotalFees string
	Account         struct{ Address string }
	Description     struct{ Outcome string }
	InMessage       *struct{ Hash, Value string }
	OutMessages     []struct{ Hash string }
	StateBefore     *struct{ Balance string }
	StateAfter      *struct{ Balance string }
}

// requireSteps compares the steps of traces with their transactions: each step has its sender as parent.
func requireSteps(t *testing.T, query sender) {
	t.Helper()
	var got struct {
		Traces struct {
			Nodes []struct {
				Transactions struct{ Nodes []stepTransaction }
				Steps, Rest  []struct {
					Hash, Address, Outcome, TotalFees string
					Parent                            *int
					Value, BalanceChange              *string
				}
			}
		}
	}
	query(t, `{ traces(first: 12) { nodes {
		transactions(first: 100) { nodes { hash totalFees account { address } description { outcome } inMessage { hash value } outMessages { hash } stateBefore { balance } stateAfter { balance } } }
		steps { hash parent address outcome totalFees value balanceChange } rest: steps(skip: 1) { hash } } } }`, &got)
	children, changes := 0, 0
	for _, node := range got.Traces.Nodes {
		txs := node.Transactions.Nodes
		require.Len(t, node.Steps, len(txs))
		require.Len(t, node.Rest, len(txs)-1)
		for i, s := range node.Steps {
			tx := txs[i]
			require.Equal(t, []string{tx.Hash, tx.Account.Address, tx.Description.Outcome, tx.TotalFees}, []string{s.Hash, s.Address, s.Outcome, s.TotalFees})
			if i > 0 {
				require.Equal(t, s.Hash, node.Rest[i-1].Hash)
			}
			if s.Parent != nil {
				children++
				require.Less(t, *s.Parent, i, "messages go forward in time")
				require.Contains(t, txs[*s.Parent].OutMessages, struct{ Hash string }{tx.InMessage.Hash})
			}
			if s.BalanceChange != nil && tx.StateBefore != nil {
				changes++
				after, before := nanotons(t, tx.StateAfter.Balance), nanotons(t, tx.StateBefore.Balance)
				require.Equal(t, after-before, nanotons(t, *s.BalanceChange))
			}
		}
	}
	require.Positive(t, children)
	require.Positive(t, changes)
	require.Contains(t, query(t, `{ traces(first: 1) { nodes { steps(skip: -1) { hash } } } }`, nil), "skip must not be negative")
}

func nanotons(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	return n
}

// requireSimulatedAgain simulates the first messages of traces again: by default before the block that received them, with the
// same outcome.
func requireSimulatedAgain(t *testing.T, query sender) {
	t.Helper()
	var got struct {
		Traces struct {
			Nodes []struct {
				Root struct {
					McSeqno     int
					Account     struct{ Address string }
					Description struct{ Outcome string }
					InMessage   *struct{ Hash, Kind string }
				}
			}
		}
	}
	query(t, `{ traces(first: 50) { nodes { root { mcSeqno account { address } description { outcome } inMessage { hash kind } } } } }`, &got)
	same := 0
	for _, node := range got.Traces.Nodes {
		root := node.Root
		if root.InMessage == nil || root.McSeqno < 3 {
			continue
		}
		var again struct {
			Simulate struct {
				McSeqno  int
				Accepted bool
				Trace    *struct{ Root stepTransaction }
			}
		}
		query(t, `{ simulate(message: {hash: "`+root.InMessage.Hash+`"}) { mcSeqno accepted trace { root { account { address } description { outcome } } } } }`, &again)
		require.Equal(t, root.McSeqno-1, again.Simulate.McSeqno)
		if !again.Simulate.Accepted { // an earlier transaction of the same block made it acceptable
			continue
		}
		require.Equal(t, root.Account.Address, again.Simulate.Trace.Root.Account.Address)
		if root.Description.Outcome == again.Simulate.Trace.Root.Description.Outcome {
			same++
		}
		if same > 4 {
			break
		}
	}
	require.Positive(t, same)
	require.Contains(t, query(t, `{ simulate(message: {hash: "`+strings.Repeat("A", 43)+`="}) { accepted } }`, nil), `"code":"NOT_FOUND"`)
}

// refused are the examples for which this test has too little: a chain of 999 blocks, and a store of sent messages.
var refused = map[string]string{
	"Query.indexDigest":   "a digest needs all blocks of its range",
	"Query.pendingTraces": "this service does not emulate pending messages",
}

// requireExamples sends each example of the playground with samples of this service.
func requireExamples(t *testing.T, query func(t *testing.T, query string, variables, into any) string) {
	t.Helper()
	data, err := os.ReadFile("../graphql/assets/fields.json")
	require.NoError(t, err)
	var file struct {
		SampleQuery string
		Samples     map[string]string
		Examples    []struct {
			Name, Query string
			Variables   map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(data, &file))
	var samples any
	query(t, file.SampleQuery, nil, &samples)
	for name, path := range file.Samples {
		require.NotNil(t, sampleAt(samples, path), "the sample query finds no %s", name)
	}
	var filled func(v any) any
	filled = func(v any) any {
		switch v := v.(type) {
		case string:
			if path, ok := file.Samples[strings.Trim(v, "{}")]; ok && strings.HasPrefix(v, "{") {
				return sampleAt(samples, path)
			}
		case []any:
			list := make([]any, len(v))
			for i := range v {
				list[i] = filled(v[i])
			}
			return list
		case map[string]any:
			object := map[string]any{}
			for name := range v {
				object[name] = filled(v[name])
			}
			return object
		}
		return v
	}
	run, failed := 0, []string(nil)
	for _, e := range file.Examples {
		if !strings.HasPrefix(e.Name, "Query.") { // mutations change the chain; subscriptions are opened in the browser's test
			continue
		}
		response := query(t, e.Query, filled(e.Variables), nil)
		run++
		if refusal, ok := refused[e.Name]; ok {
			require.Contains(t, response, refusal)
			continue
		}
		if strings.Contains(response, `"errors"`) {
			failed = append(failed, e.Name+": "+response)
		}
	}
	require.Empty(t, failed)
	require.Greater(t, run, 40)
}

func sampleAt(v any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[part]
		case []any:
			if len(x) == 0 {
				return nil
			}
			v = x[0]
		}
	}
	return v
}

// requireContract reads a contract's methods with arguments and typed results, its code as text, and the other accounts with this
// code.
func requireContract(t *testing.T, n *network, query sender) {
	t.Helper()
	wallets, err := n.db.Reader().JettonWallets(n.ctx, chain.JettonWalletFilter{}, chain.Page{Limit: 20})
	require.NoError(t, err)
	require.NotEmpty(t, wallets)
	wallet := wallets[0]
	master := wallet.Jetton.String()

	var got contractResult
	query(t, `{ account(address: "`+master+`") { state { codeHash } getMethods { id name arguments { name type } } }
		disassembly(address: "`+master+`") { codeHash libraryHash text complete mcSeqno } }`, &got)
	var found bool
	for _, m := range got.Account.GetMethods {
		if m.Name != nil && *m.Name == "get_wallet_address" {
			found = true
			require.Equal(t, 103289, m.ID)
			require.Equal(t, []struct{ Name, Type string }{{"owner_address", "address"}}, m.Arguments)
		}
	}
	require.True(t, found, "get_wallet_address is listed")
	require.Equal(t, got.Account.State.CodeHash, got.Disassembly.CodeHash)
	require.True(t, got.Disassembly.Complete)
	require.Contains(t, got.Disassembly.Text, "// get_jetton_data")
	require.NotContains(t, got.Disassembly.Text, "not an instruction")

	// An address as an argument, a typed result.
	query(t, `{ runGetMethod(address: "`+master+`", method: "get_wallet_address", stack: [{type: "address", value: "`+wallet.Owner.Friendly(false, true)+`"}]) { exitCode stack values } }`, &got)
	require.Zero(t, got.RunGetMethod.ExitCode)
	require.Equal(t, []printedValue{{Name: "jetton_wallet_address", Type: "address", Value: wallet.Address.String()}}, got.RunGetMethod.Values)
	query(t, `{ runGetMethod(address: "`+master+`", method: "get_jetton_data") { exitCode stack values } }`, &got)
	names := make([]string, 0, 5)
	for _, v := range got.RunGetMethod.Values {
		names = append(names, v.Name+":"+v.Type)
	}
	require.Equal(t, []string{"total_supply:int", "mintable:bool", "admin_address:address", "jetton_content:content", "jetton_wallet_code:cell"}, names)

	// Arguments of every type reach the machine: a method that does not exist leaves them on the stack.
	query(t, `{ runGetMethod(address: "`+master+`", method: "no_such_method", stack: [{type: "num", value: "-1"}, {type: "null"},
		{type: "tuple", items: [{type: "num", value: "0x2a"}, {type: "address", value: ""}]}, {type: "list", items: [{type: "num", value: "1"}, {type: "num", value: "2"}]}]) { exitCode values } }`, &got)
	require.Equal(t, 11, got.RunGetMethod.ExitCode)
	for _, c := range []struct{ stack, want string }{
		{`{type: "tuple", value: "1"}`, "has items, not a value"},
		{`{type: "num", items: []}`, "only a tuple or list has items"},
		{`{type: "num"}`, "needs a value"},
		{`{type: "null", value: "1"}`, "null has no value"},
		{`{type: "address", value: "nonsense"}`, "address"},
		{`{type: "text", value: "1"}`, "an argument is a num, cell, slice, address, tuple, list or null"},
		{strings.Repeat(`{type: "tuple", items: [`, 9) + strings.Repeat(`]}`, 9), "at most 8 levels"},
		{`{type: "tuple", items: [` + strings.Repeat(`{type: "null"}, `, 256) + `]}`, "at most 255 entries"},
	} {
		response := query(t, `{ runGetMethod(address: "`+master+`", method: "get_jetton_data", stack: [`+c.stack+`]) { exitCode } }`, nil)
		require.Contains(t, response, c.want)
		require.Contains(t, response, `"code":"INVALID"`)
	}

	// All accounts with the code of a wallet, page by page and back.
	query(t, `{ account(address: "`+wallet.Address.String()+`") { state { codeHash } } }`, &got)
	hash := got.Account.State.CodeHash
	query(t, `{ accountsByCode(codeHash: "`+hash+`", first: 100) { nodes { address } pageInfo { hasNextPage } } }`, &got)
	all := got.AccountsByCode.Nodes
	require.Greater(t, len(all), 1)
	query(t, `{ accountsByCode(codeHash: "`+hash+`", first: 1) { nodes { address } pageInfo { hasNextPage endCursor } } }`, &got)
	require.Equal(t, all[:1], got.AccountsByCode.Nodes)
	require.True(t, got.AccountsByCode.PageInfo.HasNextPage)
	query(t, `{ accountsByCode(codeHash: "`+hash+`", first: 1, after: "`+got.AccountsByCode.PageInfo.EndCursor+`") { nodes { address } pageInfo { startCursor } } }`, &got)
	require.Equal(t, all[1:2], got.AccountsByCode.Nodes)
	query(t, `{ accountsByCode(codeHash: "`+hash+`", last: 1, before: "`+got.AccountsByCode.PageInfo.StartCursor+`") { nodes { address } } }`, &got)
	require.Equal(t, all[:1], got.AccountsByCode.Nodes)

	// An account without code.
	got.Disassembly = nil
	query(t, `{ disassembly(address: "0:`+strings.Repeat("1", 64)+`") { text } account(address: "0:`+strings.Repeat("1", 64)+`") { getMethods { id } } }`, &got)
	require.Nil(t, got.Disassembly)
}
