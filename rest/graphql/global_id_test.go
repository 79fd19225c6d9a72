package graphql_test

import (
	"encoding/json"
	"math/big"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// identity is an object with what it had when it was read.
type identity struct {
	ID      string
	Balance string
	McSeqno *uint32
	Owner   *struct{ Address string }
	Account struct{ Address string }
}

// Clients with normalised caches store objects by their ids. So an account, a Jetton wallet and an item of a past block have other ids than
// now, and by these ids they are fetched as they were.
func TestGlobalIDs_OfAPastBlockAreNotThoseOfNow(t *testing.T) {
	t.Parallel()
	k := newTokens(t)
	wallet, item := k.wallets[0][3], k.items[4]
	mb := testdb.Master(2)
	walletAddress, err := chain.ParseAddress(wallet)
	require.NoError(t, err)
	itemAddress, err := chain.ParseAddress(item)
	require.NoError(t, err)
	jetton, err := chain.ParseAddress(k.masters[3])
	require.NoError(t, err)
	testdb.AddContract(mb, walletAddress, func(c *chain.Contract) {
		c.JettonWallet = &chain.JettonWallet{Address: walletAddress, Owner: k.owners[0], Jetton: jetton, Balance: big.NewInt(999), LastTxLT: c.LT}
	})
	testdb.AddContract(mb, itemAddress, func(c *chain.Contract) {
		c.NFTItem = &chain.NFTItem{
			Address: itemAddress, Init: true, Index: big.NewInt(4), Collection: &k.collection, Owner: &k.owners[1], Content: chain.Content{}, LastTxLT: c.LT,
		}
	})
	require.NoError(t, k.db.Writer().Apply(t.Context(), mb))

	type list struct{ Nodes []identity }
	var got struct {
		Account, AccountThen identity
		Wallet, WalletThen   identity
		Item                 identity
		Owned, OwnedThen     struct{ JettonWallets, NftItems list }
	}
	k.query(t, `query($a: Address!, $w: Address!, $i: Address!) {
		account(address: $a) { id } accountThen: account(address: $a, at: {seqno: 1}) { id mcSeqno }
		wallet: jettonWallet(address: $w) { id balance } walletThen: jettonWallet(address: $w, at: {seqno: 1}) { id balance }
		item: nftItem(address: $i) { id owner { address } }
		owned: account(address: $a) { jettonWallets(first: 100) { nodes { id } } nftItems(first: 100) { nodes { id } } }
		ownedThen: account(address: $a, at: {seqno: 1}) {
			jettonWallets(first: 100) { nodes { id balance account { address } } } nftItems(first: 100) { nodes { id owner { address } account { address } } } }
	}`, map[string]any{"a": k.owners[0].String(), "w": wallet, "i": item}, &got)
	require.NotEqual(t, got.Account.ID, got.AccountThen.ID)
	require.NotEqual(t, got.Wallet.ID, got.WalletThen.ID)
	require.Equal(t, []string{"999", "103"}, []string{got.Wallet.Balance, got.WalletThen.Balance})
	now := map[string]bool{got.Wallet.ID: true, got.Item.ID: true}
	for _, n := range append(got.Owned.JettonWallets.Nodes, got.Owned.NftItems.Nodes...) {
		now[n.ID] = true
	}
	then := append(got.OwnedThen.JettonWallets.Nodes, got.OwnedThen.NftItems.Nodes...)
	require.Len(t, then, kinds+kinds/2)
	for _, n := range then {
		require.NotContains(t, now, n.ID)
	}

	ids := []string{got.AccountThen.ID}
	for _, n := range then {
		ids = append(ids, n.ID)
	}
	var again struct{ Nodes []identity }
	k.query(t, `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Account { mcSeqno } ... on JettonWallet { balance account { address } }
		... on NFTItem { owner { address } account { address } } } }`, map[string]any{"ids": ids}, &again)
	require.Equal(t, append([]identity{got.AccountThen}, then...), again.Nodes)
	require.Equal(t, uint32(1), *again.Nodes[0].McSeqno)
	require.Contains(t, then, identity{ID: got.WalletThen.ID, Balance: "103", Account: struct{ Address string }{wallet}})
}

// An id that cannot be read is null with an error at its position; the other objects are returned.
func TestNodes_AnIDThatIsNoneLeavesTheOthers(t *testing.T) {
	t.Parallel()
	w := newTestIndex(t, 1)
	good := w.txs[0].NodeID()
	rec, a := post(t, w.h, `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": []string{good, "nothing", good}})
	require.Equal(t, http.StatusOK, rec.Code)
	require.JSONEq(t, `{"nodes":[{"id":"`+good+`"},null,{"id":"`+good+`"}]}`, string(a.Data))
	var response struct {
		Errors []struct {
			Path       []any
			Extensions struct{ Code string }
		}
	}
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &response))
	require.Len(t, response.Errors, 1)
	require.Equal(t, []any{"nodes", 1.0}, response.Errors[0].Path)
	require.Equal(t, "INVALID", response.Errors[0].Extensions.Code)
}
