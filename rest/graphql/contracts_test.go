package graphql_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// tokens is an index with two owners of wallets of the same Jettons, the second with smaller balances, and of items
// of one collection, half of which the first has put on sale.
type tokens struct {
	*testIndex
	owners     [2]chain.Address
	collection chain.Address
	masters    []string // ascending
	wallets    [2][]string
	items      []string // of the first owner by number, those on sale at the end
}

const kinds = 12

func newTokens(t *testing.T) *tokens {
	t.Helper()
	w, db := emptyTestIndex(t)
	k := &tokens{testIndex: w, owners: [2]chain.Address{testdb.Address(), testdb.Address()}, collection: testdb.Address()}
	mb := testdb.Master(1)
	add := func(a chain.Address, edit func(*chain.Contract)) { testdb.AddContract(mb, a, edit) }
	sale := testdb.Address()
	add(k.collection, func(c *chain.Contract) {
		c.NFTCollection = &chain.NFTCollection{
			Address: c.Account, NextItemIndex: big.NewInt(kinds), Content: chain.Content{"name": "C"}, LastTxLT: c.LT,
		}
	})
	for i := range kinds {
		master := testdb.Address()
		k.masters = append(k.masters, master.String())
		add(master, func(c *chain.Contract) {
			c.JettonMaster = &chain.JettonMaster{
				Address: master, TotalSupply: big.NewInt(int64(i)), Admin: &k.owners[1], Content: chain.Content{"symbol": "S"}, LastTxLT: c.LT,
			}
		})
		for o, owner := range k.owners {
			add(testdb.Address(), func(c *chain.Contract) {
				k.wallets[o] = append(k.wallets[o], c.Account.String())
				c.JettonWallet = &chain.JettonWallet{
					Address: c.Account, Owner: owner, Jetton: master, Balance: big.NewInt(int64(100 - 50*o + i)), LastTxLT: c.LT,
				}
			})
		}
		add(testdb.Address(), func(c *chain.Contract) {
			holder := &k.owners[0]
			if i%2 == 1 {
				holder = new(testdb.Address())
				sale = *holder
			}
			k.items = append(k.items, c.Account.String())
			c.NFTItem = &chain.NFTItem{
				Address: c.Account, Init: true, Index: big.NewInt(int64(i)), Collection: &k.collection, Owner: holder,
				Content: chain.Content{}, LastTxLT: c.LT,
			}
		})
		if i%2 == 1 {
			item := mb.Contracts[len(mb.Contracts)-1].Account
			add(sale, func(c *chain.Contract) {
				c.NFTSale = &chain.NFTSale{
					Kind: chain.FixedPriceSale, Address: c.Account, NFT: &item, NFTOwner: &k.owners[0], Known: true,
					FixedPrice: &chain.NFTFixedPrice{FullPrice: big.NewInt(5)}, LastTxLT: c.LT,
				}
			})
		}
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	slices.Sort(k.masters)
	return k
}

// rows is a page of one of the lists.
type rows struct {
	Nodes []struct {
		Account struct{ Address string }
		Content map[string]string
		Jetton  *struct{ Account struct{ Address string } }
		Seller  *struct{ Address string }
	}
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       *string
	}
}

// walk reads a list in pages of five rows and returns the accounts in the order of the list.
func (k *tokens) walk(t *testing.T, list, where string, backwards bool) []string {
	t.Helper()
	var found []string
	position, of := "", "first: 5"
	if backwards {
		of = "last: 5"
	}
	for range 20 {
		var p map[string]rows
		k.query(t, `{ `+list+`(`+of+position+where+`) { nodes { account { address } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, nil, &p)
		page := p[list]
		var accounts []string
		for _, n := range page.Nodes {
			accounts = append(accounts, n.Account.Address)
		}
		if backwards {
			found = append(accounts, found...)
			if !page.PageInfo.HasPreviousPage {
				return found
			}
			position = `, before: "` + *page.PageInfo.StartCursor + `"`
			continue
		}
		found = append(found, accounts...)
		if !page.PageInfo.HasNextPage {
			return found
		}
		position = `, after: "` + *page.PageInfo.EndCursor + `"`
	}
	require.Fail(t, "the list does not end")
	return nil
}

// Every list of contracts returns each of its rows once, in order, from both ends.
func TestContractPages_ReturnEveryRowOnce(t *testing.T) {
	t.Parallel()
	k := newTokens(t)
	all := slices.Sorted(slices.Values(append(slices.Clone(k.wallets[0]), k.wallets[1]...)))
	byBalance := slices.Clone(k.wallets[0])
	slices.Reverse(byBalance)
	var owned []string
	for i := 0; i < kinds; i += 2 {
		owned = append(owned, k.items[i])
	}
	newest := slices.Clone(k.items)
	slices.Reverse(newest)
	owner := `["` + k.owners[0].String() + `"]`
	for _, c := range []struct {
		list, where string
		want        []string
	}{
		{"jettonMasters", "", k.masters},
		{"jettonMasters", `, where: {admins: ["` + k.owners[1].String() + `"]}`, k.masters},
		{"jettonMasters", `, where: {admins: ` + owner + `}`, nil},
		{"jettonWallets", "", all},
		{"jettonWallets", `, where: {owners: ` + owner + `}`, k.wallets[0]}, // in the order of their Jettons
		{"jettonWallets", `, where: {owners: ` + owner + `, byBalance: true}`, byBalance},
		{"jettonWallets", `, sort: ASC, where: {owners: ` + owner + `, byBalance: true}`, k.wallets[0]},
		{"nftCollections", "", []string{k.collection.String()}},
		{"nftItems", `, where: {collections: ["` + k.collection.String() + `"]}`, k.items},
		{"nftItems", `, where: {owners: ` + owner + `}`, owned},
		{"nftItems", `, where: {owners: ` + owner + `, onSale: true}`, k.items},
		{"nftItems", `, where: {byLastTxLt: true}`, newest},
		{"nftItems", `, where: {collections: ["` + k.collection.String() + `"], indexes: ["3", "7"]}`, []string{k.items[3], k.items[7]}},
	} {
		forth, back := k.walk(t, c.list, c.where, false), k.walk(t, c.list, c.where, true)
		require.Equal(t, c.want, forth, "%s %s", c.list, c.where)
		require.Equal(t, c.want, back, "%s %s backwards", c.list, c.where)
		k.requireWindows(t, c.list, c.where, c.want)
	}
}

// requireWindows reads pages between every two cursors of a list, with each page size from either end: the slices that the Relay
// specification defines.
func (k *tokens) requireWindows(t *testing.T, list, where string, want []string) {
	t.Helper()
	type page struct {
		Edges []struct {
			Cursor string
			Node   struct{ Account struct{ Address string } }
		}
		PageInfo struct{ HasNextPage, HasPreviousPage bool }
	}
	read := func(arguments string) (p page, accounts []string) {
		var data map[string]page
		k.query(t, `{ `+list+`(`+arguments+where+`) { edges { cursor node { account { address } } } pageInfo { hasNextPage hasPreviousPage } } }`, nil, &data)
		for _, e := range data[list].Edges {
			accounts = append(accounts, e.Node.Account.Address)
		}
		return data[list], accounts
	}
	all, accounts := read("first: 100")
	require.Equal(t, want, accounts)
	for i := -1; i < len(want); i++ { // -1 and len(want): no cursor
		for j := i + 1; j <= len(want); j += 2 {
			var cursors string
			if i >= 0 {
				cursors = `, after: "` + all.Edges[i].Cursor + `"`
			}
			if j < len(want) {
				cursors += `, before: "` + all.Edges[j].Cursor + `"`
			}
			window := append([]string{}, want[i+1:j]...)
			n := min(2, len(window))
			p, first := read("first: 2" + cursors)
			require.Equal(t, window[:n], append([]string{}, first...), "first 2 of %d to %d of %s %s", i, j, list, where)
			require.Equal(t, len(window) > 2, p.PageInfo.HasNextPage)
			p, last := read("last: 2" + cursors)
			require.Equal(t, window[len(window)-n:], append([]string{}, last...), "last 2 of %d to %d of %s %s", i, j, list, where)
			require.Equal(t, len(window) > 2, p.PageInfo.HasPreviousPage)
		}
	}
}

// A contract by its address includes the contracts it refers to, and is null if the account is another contract.
// References of all rows of a page are read together.
func TestContracts_ByAddressHaveTheirReferences(t *testing.T) {
	t.Parallel()
	k := newTokens(t)
	var one struct {
		JettonWallet struct {
			Balance string
			Owner   struct{ Address string }
			Jetton  struct {
				Account     struct{ Address string }
				TotalSupply string
				Admin       struct{ Address string }
				Content     map[string]string
			}
		}
		NftItem struct {
			Index      string
			Seller     struct{ Address string }
			Collection struct{ Content map[string]string }
		}
		NftCollection struct{ Owner *struct{ Address string } }
		Nothing       *struct{ Balance string }
		NoMaster      *struct{ Mintable bool }
	}
	k.query(t, `query($w: Address!, $i: Address!, $c: Address!) {
		jettonWallet(address: $w) { balance owner { address } jetton { account { address } totalSupply admin { address } content } }
		nftItem(address: $i) { index seller { address } collection { content } }
		nftCollection(address: $c) { owner { address } }
		nothing: jettonWallet(address: $c) { balance }
		noMaster: jettonMaster(address: $w) { mintable }
	}`, map[string]any{"w": k.wallets[1][3], "i": k.items[5], "c": k.collection.String()}, &one)
	require.Equal(t, "53", one.JettonWallet.Balance)
	require.Equal(t, k.owners[1].String(), one.JettonWallet.Owner.Address)
	require.Equal(t, k.masters[3], one.JettonWallet.Jetton.Account.Address)
	require.Equal(t, "3", one.JettonWallet.Jetton.TotalSupply)
	require.Equal(t, map[string]string{"symbol": "S"}, one.JettonWallet.Jetton.Content)
	require.Equal(t, "5", one.NftItem.Index)
	require.Equal(t, k.owners[0].String(), one.NftItem.Seller.Address)
	require.Equal(t, map[string]string{"name": "C"}, one.NftItem.Collection.Content)
	require.Nil(t, one.NftCollection.Owner)
	require.Nil(t, one.Nothing)
	require.Nil(t, one.NoMaster)

	var page map[string]rows
	k.query(t, `{ indexStatus { lagSeconds } }`, nil, new(any)) // caches the head
	before := k.count.n.Load()
	k.query(t, `{ jettonWallets(first: 20) { nodes { jetton { account { address } } } } }`, nil, &page)
	require.Len(t, page["jettonWallets"].Nodes, 20)
	for _, n := range page["jettonWallets"].Nodes {
		require.Contains(t, k.masters, n.Jetton.Account.Address)
	}
	require.LessOrEqual(t, k.count.n.Load()-before, int64(4), "one statement for the page, one for its masters, or a batch in two parts")
}

// Errors of filters name the argument.
func TestContractFilters_InvalidOnesAreRefused(t *testing.T) {
	t.Parallel()
	k := newTokens(t)
	many := make([]string, chain.MaxInputs+1)
	for i := range many {
		many[i] = k.masters[0]
	}
	for query, want := range map[string]string{
		`query($many: [Address!]) { jettonMasters(where: {addresses: $many}) { nodes { mintable } } }`: "each list takes at most 100 values",
		`query($many: [Address!]) { jettonWallets(where: {jettons: $many}) { nodes { balance } } }`:    "each list takes at most 100 values",
		`query($c: String) { nftItems(after: $c) { nodes { index } } }`:                                "is not one this list gave",
		`{ nftItems(where: {indexes: ["1"]}) { nodes { index } } }`:                                    "index parameter is not allowed without the collection_address",
		`query($two: [Address!]) { jettonWallets(where: {jettons: $two}) { nodes { balance } } }`:      "exact one owner_address required",
		`{ jettonMasters(first: 1, last: 1) { nodes { mintable } } }`:                                  "give first or last, not both",
	} {
		_, a := post(t, k.h, query, map[string]any{"many": many, "two": many[:2], "c": "nonsense"})
		require.Len(t, a.Errors, 1, query)
		require.Contains(t, a.Errors[0].Message, want)
	}
}
