package v3_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
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

// What the explorer shows of a contract: its methods with arguments and typed results, its code as text, and the other accounts
// with this code.
func TestGraphQLContract_MethodsCodeAndItsOtherAccounts(t *testing.T) {
	t.Parallel()
	n := startNetwork(t, 30)
	query := n.past()
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
