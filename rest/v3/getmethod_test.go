package v3_test

import (
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/toncenter"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/pacetest"
)

// methods lists the get-methods to call on every type of contract. Most contracts lack most of them, which is compared
// too.
func methods(owner chain.Address) map[string][]any {
	slice := cell.BeginCell().MustStoreAddr(std(owner)).EndCell().MustBeginParse()
	domain := cell.BeginCell().MustStoreSlice([]byte("ton\x00alice\x00"), 80).EndCell().MustBeginParse()
	return map[string][]any{
		"seqno": nil, "get_public_key": nil, "get_subwallet_id": nil, "get_wallet_id": nil, "is_signature_allowed": nil,
		"get_extensions": nil, "get_plugin_list": nil, "get_timeout": nil,
		"get_wallet_data": nil, "get_jetton_data": nil, "get_wallet_address": {slice},
		"get_nft_data": nil, "get_collection_data": nil, "royalty_params": nil, "get_nft_address_by_index": {big.NewInt(3)},
		"get_nft_content": {big.NewInt(1), cell.BeginCell().EndCell()}, "get_authority_address": nil, "get_revoked_time": nil,
		"dnsresolve": {domain, big.NewInt(0)}, "get_editor": nil, "get_domain": nil, "get_auction_info": nil,
		"calls": nil, "emitted": nil, "anything": {big.NewInt(-7)},
	}
}

// Get-methods of every contract on the devnet return the same results here and through the liteserver, for the latest
// and for past states.
//
//nolint:tparallel // the subtests use one chain, in order
func TestRunGetMethod_AgreesWithTheLiteserver(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	n := startNetwork(t, 60)
	kinds := map[chain.Hash]int{}
	rows, err := n.db.Reader().TopAccounts(n.ctx, chain.Page{Limit: 1000, Sort: chain.Descending})
	require.NoError(t, err)
	compared, succeeded, pasts := 0, map[string]int{}, 0
	sample := n.sample(rows, kinds)
	for _, a := range sample {
		for _, seqno := range []uint32{0, 30, 12} {
			for name, args := range methods(rows[0].Account) {
				if ok := n.agrees(a, name, seqno, args); ok {
					succeeded[name]++
					if seqno != 0 {
						pasts++
					}
				}
				compared++
			}
		}
	}
	require.Greater(t, len(kinds), 10, "kinds of contracts")
	require.Greater(t, compared, 1000)
	require.Greater(t, pasts, 50, "results in the past")
	require.Positive(t, kinds[chain.Hash(contracts.LibraryCode(contracts.JettonWalletCode()).HashKey())], "code in a library")
	for _, name := range []string{
		"seqno", "get_public_key", "get_wallet_data", "get_jetton_data", "get_wallet_address", "get_nft_data",
		"get_collection_data", "royalty_params", "get_nft_address_by_index", "dnsresolve", "get_domain",
	} {
		require.Positive(t, succeeded[name], name)
	}
	t.Run("context", func(t *testing.T) { sameContext(t, n) })
	t.Run("hostile", func(t *testing.T) { hostileMethods(t, n) })
	t.Run("client", func(t *testing.T) { clientRunsMethods(t, n) })
	t.Run("young index", func(t *testing.T) { youngIndex(t, n, sample) })
}

// sample picks up to two contracts of every code.
func (n *network) sample(rows []chain.AccountBalance, kinds map[chain.Hash]int) []chain.Address {
	n.t.Helper()
	var list []chain.Address
	for _, row := range rows {
		states, err := n.db.Reader().AccountStates(n.ctx, chain.AccountFilter{Addresses: []chain.Address{row.Account}}, chain.Page{Limit: 1})
		require.NoError(n.t, err)
		code := states[0].CodeHash
		if code == nil || row.Account == own(probe.Address) || kinds[*code] == 2 {
			continue
		}
		kinds[*code]++
		list = append(list, row.Account)
	}
	return list
}

// youngIndex tests an index with one block: accounts, configuration, libraries, the ids of older blocks and complete
// earlier states come from the node. Without a node, the error names what is missing.
func youngIndex(t *testing.T, n *network, sample []chain.Address) {
	t.Helper()
	y := n.young(t)
	n.devnet.WaitIndexed(t, n.db)
	sameAccounts(t, n, y, append(sample, own(n.faucet.Address), chain.Address{ID: chain.Hash{0xee}}))
	succeeded, past := 0, 0
	for _, a := range sample {
		for _, name := range []string{"seqno", "get_wallet_data", "get_jetton_data", "get_nft_data", "get_collection_data"} {
			if y.agrees(a, name, 0, nil) {
				succeeded++
			}
			if y.agrees(a, name, 12, nil) {
				past++
			}
		}
	}
	require.Greater(t, succeeded, 10)
	require.Greater(t, past, 10, "before the index")
	sameContextAt(t, y, y.head())
	sameContextAt(t, y, 12)
	status, _, text := y.run(sample[0], "seqno", y.head()+1)
	require.Equal(t, http.StatusNotFound, status, "after the index: %s", text)
	y.open(t, nil)
	for _, seqno := range []uint32{0, 12} {
		status, _, text = y.run(own(n.faucet.Address), "seqno", seqno)
		require.Equal(t, http.StatusNotFound, status, "no node to query at %d: %s", seqno, text)
	}
}

// sameAccounts compares the state of accounts in an index with that in one that begins later, where most of them are not.
func sameAccounts(t *testing.T, old, young *network, accounts []chain.Address) {
	t.Helper()
	wallets := 0
	for _, a := range accounts {
		for _, path := range []string{"/addressInformation", "/account", "/walletInformation", "/wallet"} {
			for _, form := range []string{"?address=", "?use_v2=true&address="} {
				want, got := old.do(path+form+escape(a)), young.do(path+form+escape(a))
				require.Equal(t, want.Code, got.Code, "%s of %s: %s", path, a, got.Body)
				require.JSONEq(t, want.Body.String(), got.Body.String(), "%s of %s", path, a)
				if strings.Contains(got.Body.String(), `"wallet_type"`) {
					wallets++
				}
			}
		}
	}
	require.NotZero(t, wallets)
	sameAccountsInGraphQL(t, old, young, accounts)
}

// sameAccountsInGraphQL compares the newest states of accounts and their wallets, which GraphQL reads from the node on request only.
func sameAccountsInGraphQL(t *testing.T, old, young *network, accounts []chain.Address) {
	t.Helper()
	type seen struct {
		State *struct {
			Status, Balance, Hash string
			Code                  string
			FromNode              bool
		}
		Wallet *struct{ Name string }
	}
	oldIndex, youngIndex := old.past(), young.past()
	read := func(query func(*testing.T, string, any) string, a chain.Address, arguments string) seen {
		var data struct{ Account seen }
		query(t, fmt.Sprintf(`{ account(address: %q%s) { state { status balance hash code fromNode } wallet { name } } }`, a, arguments), &data)
		return data.Account
	}
	fromNode, wallets := 0, 0
	for _, a := range accounts {
		want, got := read(oldIndex, a, ""), read(youngIndex, a, ", fromNode: true")
		indexed := read(youngIndex, a, ", fromNode: false")
		if got.State != nil && got.State.FromNode {
			require.Nil(t, indexed.State, "the index lacks %s", a)
			fromNode++
			if got.Wallet != nil {
				wallets++
			}
			got.State.FromNode = false
		} else {
			require.Equal(t, indexed, got)
		}
		require.Equal(t, want, got, a.String())
		require.Equal(t, want, read(oldIndex, a, ", fromNode: true"), "an index with every block queries no node")
	}
	require.Positive(t, fromNode)
	require.Positive(t, wallets)
}

// agrees compares one get-method call and reports whether it succeeded.
func (n *network) agrees(a chain.Address, name string, seqno uint32, args []any) bool {
	n.t.Helper()
	at := n.devnet.Chain.Head().ID
	if seqno != 0 {
		b, err := n.devnet.Chain.BySeqno(-1, -1<<63, seqno)
		require.NoError(n.t, err)
		at = b.ID
	}
	status, got, text := n.run(a, name, seqno, args...)
	require.Equal(n.t, http.StatusOK, status, text)
	want, err := n.lite.RunGetMethod(n.ctx, &at, std(a), name, args...)
	var failed ton.ContractExecError
	if errors.As(err, &failed) {
		code := int(failed.Code)
		if code == -256 { // the exit code of liteservers for an account without code
			code = -13
		}
		require.Equal(n.t, code, got.ExitCode, "%s of %s at %d: %s", name, a, seqno, text)
		return false
	}
	require.NoError(n.t, err)
	require.Zero(n.t, got.ExitCode)
	values := want.AsTuple()
	for i, v := range values {
		if s, ok := v.(*cell.Slice); ok {
			values[i] = s.Copy().MustToCell()
		}
	}
	require.Equal(n.t, expected(n.t, values), shown(n.t, got.Stack), "%s of %s at %d", name, a, seqno)
	return true
}

// sameContext compares the complete execution context of a contract, except the random seed.
func sameContext(t *testing.T, n *network) {
	t.Helper()
	for _, seqno := range []uint32{n.head(), 40, 17} {
		sameContextAt(t, n, seqno)
	}
}

func sameContextAt(t *testing.T, n *network, seqno uint32) {
	t.Helper()
	const seed = 6
	b, err := n.devnet.Chain.BySeqno(-1, -1<<63, seqno)
	require.NoError(t, err)
	want, err := n.lite.RunGetMethod(n.ctx, &b.ID, probe.Address, "anything")
	require.NoError(t, err)
	info := want.MustTuple(0)
	require.Len(t, info, 18)
	status, got, text := n.run(own(probe.Address), "anything", seqno)
	require.Equal(t, http.StatusOK, status, text)
	require.Len(t, got.Stack, 1)
	require.Equal(t, "tuple", got.Stack[0].Type)
	info[seed] = new(big.Int)
	ours := shown(t, got.Stack)[1:]
	ours[seed] = "num 0x0"
	require.Equal(t, append(expected(t, info), ")"), ours)
}

// hostileMethods checks that hostile get-methods stay within the budget, and that results that cannot be printed are
// errors.
func hostileMethods(t *testing.T, n *network) {
	t.Helper()
	a := own(looper.Address)
	start := time.Now()
	for range 10 {
		status, got, text := n.run(a, "loop", 0)
		require.Equal(t, http.StatusOK, status, text)
		require.Equal(t, -14, got.ExitCode)
		require.LessOrEqual(t, got.GasUsed, int64(4_000_100), "the last instruction may go over the limit")
	}
	require.Less(t, time.Since(start), pacetest.Slow*10*time.Second, "a loop ends with its gas")

	_, got, _ := n.run(a, "pair", 0)
	require.Equal(t, []string{"tuple(", "num 0x1", "num 0x2", ")"}, shown(t, got.Stack))
	_, got, _ = n.run(a, "list", 0)
	require.Equal(t, []string{"list(", "num 0x1", "num 0x2", ")"}, shown(t, got.Stack))
	for name, want := range map[string]string{"builder": "builder", "nan": "NaN"} {
		status, _, text := n.run(a, name, 0)
		require.Equal(t, http.StatusNotImplemented, status, text)
		require.Contains(t, text, "the stack holds a "+want)
	}
	status, got, text := n.run(a, "deep", 0)
	require.Equal(t, http.StatusOK, status, text)
	require.Equal(t, -14, got.ExitCode)
	_, got, text = n.run(own(n.faucet.Address), "0x14c97", 0) // a method by its number
	require.Equal(t, []string{"num " + signed(big.NewInt(int64(n.seqno)))}, shown(t, got.Stack), text)
	// A call on an account that does not exist has the published exit code.
	_, got, _ = n.run(chain.Address{ID: chain.Hash{9, 9, 9}}, "seqno", 0, big.NewInt(5))
	require.Equal(t, -13, got.ExitCode)
	require.Zero(t, got.GasUsed)
	require.Equal(t, []string{"num 0x5", "num 0x14c97"}, shown(t, got.Stack))
	for _, number := range []string{`"-6"`, `-6`} { // text, and a number of JSON
		w := n.post("/runGetMethod", "application/json",
			`{"address":"`+chain.Address{ID: chain.Hash{9}}.String()+`","method":"seqno","stack":[{"type":"num","value":`+number+`}]}`)
		require.Contains(t, w.Body.String(), `"stack":[{"type":"num","value":"-0x6"}`)
	}
}

// clientRunsMethods runs get-methods with a published client library.
func clientRunsMethods(t *testing.T, n *network) {
	t.Helper()
	server := httptest.NewServer(n.handler)
	defer server.Close()
	client := toncenter.New(server.URL, toncenter.WithHTTPClient(server.Client())).V3()
	res, err := client.RunGetMethod(n.ctx, n.faucet.Address, "seqno", nil, nil)
	require.NoError(t, err)
	require.Zero(t, res.ExitCode)
	require.Equal(t, int64(n.seqno), res.Stack[0].(*big.Int).Int64())
	early := uint64(1)
	res, err = client.RunGetMethod(n.ctx, n.faucet.Address, "seqno", nil, &early)
	require.NoError(t, err)
	require.Less(t, res.Stack[0].(*big.Int).Int64(), int64(n.seqno))

	wallet, err := client.GetWalletInformation(n.ctx, n.faucet.Address)
	require.NoError(t, err)
	require.Equal(t, "wallet v3 r2", wallet.WalletType)
	require.Equal(t, uint64(n.seqno), wallet.Seqno)
	info, err := client.GetAddressInformation(n.ctx, n.faucet.Address)
	require.NoError(t, err)
	require.Equal(t, "active", info.Status)
	require.Equal(t, n.faucet.Init.Code.Hash(), info.Code.Hash())
	require.Equal(t, wallet.Balance, info.Balance)
	require.Len(t, info.LastTxHash, 32)
}
