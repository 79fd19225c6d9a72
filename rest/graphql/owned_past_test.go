package graphql_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// Holdings at a past block are those of that block, in the order of the list. Accounts that have owned more than 500 are refused, as the schema says.
func TestOwnedAt_ListsUpTo500OfAPastBlock(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const most = 500
	w, db := emptyTestIndex(t)
	few, rich, buyer := testdb.Address(), testdb.Address(), testdb.Address()
	wallets := map[chain.Address][]chain.JettonWallet{}
	jetton := testdb.Address()
	mb := testdb.Master(1)
	for owner, n := range map[chain.Address]int{few: most, rich: most + 1} {
		for i := range n {
			testdb.AddContract(mb, testdb.Address(), func(c *chain.Contract) {
				c.JettonWallet = &chain.JettonWallet{Address: c.Account, Owner: owner, Jetton: jetton, Balance: big.NewInt(int64(i)), LastTxLT: c.LT}
				wallets[owner] = append(wallets[owner], *c.JettonWallet)
			})
		}
	}
	for i := range most + 2 {
		testdb.AddContract(mb, testdb.Address(), func(c *chain.Contract) {
			c.NFTItem = &chain.NFTItem{Address: c.Account, Init: true, Index: big.NewInt(int64(i)), Owner: &rich, Content: chain.Content{}, LastTxLT: c.LT}
			if i == 0 {
				c.NFTItem.Owner = &few
			}
		})
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	richest := wallets[few][most-1]
	mb = testdb.Master(2)
	testdb.AddContract(mb, richest.Address, func(c *chain.Contract) {
		richest.Owner, richest.LastTxLT = buyer, c.LT
		c.JettonWallet = &richest
	})
	require.NoError(t, db.Writer().Apply(t.Context(), mb))

	type page struct {
		Nodes    []struct{ Balance string }
		PageInfo struct{ HasNextPage, HasPreviousPage bool }
	}
	const fields = `{ nodes { balance } pageInfo { hasNextPage hasPreviousPage } }`
	balances := func(owner chain.Address, arguments string) (list []string, more bool) {
		var data struct{ Account struct{ JettonWallets page } }
		w.query(t, fmt.Sprintf(`{ account(address: %q) { jettonWallets(%s) %s } }`, owner, arguments, fields), nil, &data)
		for _, n := range data.Account.JettonWallets.Nodes {
			list = append(list, n.Balance)
		}
		return list, data.Account.JettonWallets.PageInfo.HasNextPage
	}
	for arguments, want := range map[string][]string{
		`at: {seqno: 1}, byBalance: true, first: 2`:                               {"499", "498"},
		`at: {seqno: 2}, byBalance: true, first: 2`:                               {"498", "497"},
		`at: {seqno: 1}, byBalance: true, sort: ASC, first: 2`:                    {"0", "1"},
		`at: {seqno: 1}, byBalance: true, sort: ASC, excludeZero: true, first: 2`: {"1", "2"},
	} {
		got, more := balances(few, arguments)
		require.Equal(t, want, got, arguments)
		require.True(t, more, arguments)
	}
	got, _ := balances(buyer, `at: {seqno: 1}`)
	require.Empty(t, got)
	got, _ = balances(buyer, `at: {seqno: 2}`)
	require.Equal(t, []string{"499"}, got)
	for _, list := range []string{"jettonWallets(at: {seqno: 1}, first: 1) { nodes { balance } }", "nftItems(at: {seqno: 1}, first: 1) { nodes { index } }"} {
		_, a := post(t, w.h, fmt.Sprintf(`{ account(address: %q) { %s } }`, rich, list), nil)
		require.Len(t, a.Errors, 1, list)
		require.Equal(t, fmt.Sprintf("account %s has had more than 500 of these: they cannot be listed at a past block", rich), a.Errors[0].Message)
		require.Equal(t, "TOO_LARGE", a.Errors[0].Extensions["code"])
		_, a = post(t, w.h, fmt.Sprintf(`{ account(address: %q) { %s } }`, few, list), nil)
		require.Empty(t, a.Errors, list)
	}
}
