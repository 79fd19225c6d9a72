package graphql_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// portfolio is an index of owners who each have contracts of every kind: Jetton wallets, items, domains, multisig
// wallets with orders and vesting wallets, with transfers of Jettons and items between them.
type portfolio struct {
	*testIndex
	people   []chain.Address
	masters  []chain.Address
	wallets  map[chain.Address][]chain.Address // of a person, by Jetton
	multisig map[chain.Address]chain.Address
	item     map[chain.Address]chain.Address // that is a domain
	vesting  map[chain.Address]chain.Address

	collection chain.Address
}

const (
	jettonsOfOne   = 3
	transfersOfOne = 4 // sent; as many are received
)

func newPortfolio(t *testing.T, people int) *portfolio {
	t.Helper()
	w, db := emptyTestIndex(t)
	h := &portfolio{
		testIndex: w, wallets: map[chain.Address][]chain.Address{}, multisig: map[chain.Address]chain.Address{},
		item: map[chain.Address]chain.Address{}, vesting: map[chain.Address]chain.Address{},
	}
	mb := testdb.Master(1)
	lt := mb.Block.StartLT
	next := func() uint64 { lt++; return lt }
	add := func(edit func(*chain.Contract)) chain.Address { return testdb.AddContract(mb, testdb.Address(), edit) }
	for range people {
		h.people = append(h.people, testdb.Address())
	}
	for range jettonsOfOne {
		h.masters = append(h.masters, add(func(c *chain.Contract) {
			c.JettonMaster = &chain.JettonMaster{Address: c.Account, TotalSupply: big.NewInt(1), Content: chain.Content{}, LastTxLT: c.LT}
		}))
	}
	collection := add(func(c *chain.Contract) {
		c.NFTCollection = &chain.NFTCollection{Address: c.Account, NextItemIndex: big.NewInt(-1), Content: chain.Content{}, LastTxLT: c.LT}
	})
	h.collection = collection
	for i, person := range h.people {
		other := h.people[(i+1)%people]
		for j, master := range h.masters {
			h.wallets[person] = append(h.wallets[person], add(func(c *chain.Contract) {
				c.JettonWallet = &chain.JettonWallet{Address: c.Account, Owner: person, Jetton: master, Balance: big.NewInt(int64(j)), LastTxLT: c.LT}
			}))
		}
		h.item[person] = add(func(c *chain.Contract) {
			name := fmt.Sprintf("person-%02d.ton", i)
			c.NFTItem = &chain.NFTItem{
				Address: c.Account, Init: true, Index: big.NewInt(int64(i)), Collection: &collection, Owner: &person,
				Content: chain.Content{}, Domain: name, LastTxLT: c.LT,
			}
			c.DNS = &chain.DNSRecord{Item: c.Account, Owner: &person, Domain: name, Wallet: &person, LastTxLT: c.LT}
		})
		h.multisig[person] = add(func(c *chain.Contract) {
			c.Multisig = &chain.Multisig{
				Address: c.Account, NextOrderSeqno: big.NewInt(2), Threshold: 1, Signers: []chain.Address{person},
				Proposers: []chain.Address{other}, LastTxLT: c.LT,
			}
		})
		for seqno := range 2 {
			add(func(c *chain.Contract) {
				c.MultisigOrder = &chain.MultisigOrder{
					Address: c.Account, Multisig: h.multisig[person], Seqno: big.NewInt(int64(seqno)), Order: chain.BOC{1}, LastTxLT: c.LT,
				}
			})
		}
		h.vesting[person] = add(func(c *chain.Contract) {
			c.Vesting = &chain.Vesting{
				Address: c.Account, TotalAmount: big.NewInt(9), Sender: person, Owner: person, Whitelist: []chain.Address{other}, LastTxLT: c.LT,
			}
		})
		for j := range transfersOfOne {
			mb.JettonTransfers = append(mb.JettonTransfers, chain.JettonTransfer{
				Source: person, Destination: &other, Amount: big.NewInt(int64(j)), SourceWallet: h.wallets[person][j%jettonsOfOne],
				Jetton: h.masters[j%jettonsOfOne], TxHash: testdb.Hash(), TxLT: next(), ForwardAmount: big.NewInt(0),
			})
			mb.JettonBurns = append(mb.JettonBurns, chain.JettonBurn{
				Owner: person, JettonWallet: h.wallets[person][0], Jetton: h.masters[0], TxHash: testdb.Hash(), TxLT: next(), Amount: big.NewInt(int64(j)),
			})
			mb.NFTTransfers = append(mb.NFTTransfers, chain.NFTTransfer{
				NFT: h.item[person], Collection: &collection, TxHash: testdb.Hash(), TxLT: next(), OldOwner: person, NewOwner: &other,
				ForwardAmount: big.NewInt(0),
			})
		}
		state := testdb.NewState(mb, person)
		state.Balance = chain.Coins(1000 + i)
		mb.States = append(mb.States, state)
	}
	require.NoError(t, db.Writer().Apply(t.Context(), mb))
	return h
}

// The nested lists of an account equal the root lists filtered by it.
func TestOwned_ListsEqualFilteredRootLists(t *testing.T) {
	t.Parallel()
	h := newPortfolio(t, 4)
	me, other := h.people[1], h.people[2]
	type accountOf struct{ Account struct{ Address string } }
	type of[T any] struct{ Nodes []T }
	type wallet struct {
		accountOf
		Balance string
		Jetton  accountOf
	}
	type transfer struct {
		ID, Lt              string
		Source, Destination struct{ Address string }
	}
	type domain struct {
		Domain string
		Item   struct {
			Index string
			Dns   struct{ Domain string }
		}
	}
	var got struct {
		Account struct {
			JettonWallets, Full, Richest of[wallet]
			JettonTransfers, In, Out     of[transfer]
			JettonBurns                  of[transfer]
			NftItems                     of[struct {
				Domain    string
				Transfers of[transfer]
			}]
			NftTransfers of[transfer]
			DnsRecords   of[domain]
			Multisigs    of[struct {
				accountOf
				Signers []struct{ Address string }
				Orders  of[struct {
					Seqno    string
					Multisig accountOf
					Actions  []struct{ Error string }
				}]
			}]
			Vestings of[struct {
				accountOf
				Whitelist []struct{ Address string }
			}]
			Vesting, Multisig, NftItem, JettonWallet *accountOf
		}
		JettonTransfers, Incoming of[transfer]
		NftTransfers              of[transfer]
		DnsRecords                of[domain]
		Multisigs                 of[accountOf]
		MultisigOrders            of[struct{ Seqno string }]
		Vestings                  of[accountOf]
		Itself                    struct {
			Vesting, Multisig *accountOf
			NftItem           *accountOf
		}
	}
	h.query(t, `query($a: Address!, $m: Address!, $v: Address!) { account(address: $a) {
		jettonWallets { nodes { account { address } balance jetton { account { address } } } }
		full: jettonWallets(excludeZero: true) { nodes { balance } }
		richest: jettonWallets(byBalance: true, first: 2) { nodes { balance } }
		jettonTransfers { nodes { lt source { address } destination { address } } }
		in: jettonTransfers(direction: IN, sort: ASC) { nodes { lt source { address } destination { address } } }
		out: jettonTransfers(direction: OUT, first: 3) { nodes { lt source { address } destination { address } } }
		jettonBurns { nodes { lt } } nftItems { nodes { domain transfers { nodes { lt } } } } nftTransfers { nodes { lt } }
		dnsRecords { nodes { domain item { index dns { domain } } } }
		multisigs { nodes { account { address } signers { address } orders { nodes { seqno multisig { account { address } } actions { error } } } } }
		vestings { nodes { account { address } whitelist { address } } }
		vesting { account { address } } multisig { account { address } } nftItem { account { address } } jettonWallet { account { address } } }
	jettonTransfers(where: {owners: [$a]}) { nodes { lt source { address } destination { address } } }
	incoming: jettonTransfers(where: {owners: [$a], direction: IN}, sort: ASC) { nodes { lt source { address } destination { address } } }
	nftTransfers(where: {owners: [$a]}) { nodes { lt } }
	dnsRecords(where: {domain: "person-01.ton"}) { nodes { domain item { index } } }
	multisigs(where: {members: [$a]}) { nodes { account { address } } }
	multisigOrders(where: {multisigs: [$m]}) { nodes { seqno } }
	vestings(where: {wallets: [$a]}) { nodes { account { address } } }
	itself: account(address: $v) { vesting { account { address } } multisig { account { address } } nftItem { account { address } } } }`,
		map[string]any{"a": me.String(), "m": h.multisig[me].String(), "v": h.vesting[me].String()}, &got)
	a := got.Account
	require.Len(t, a.JettonWallets.Nodes, jettonsOfOne)
	for _, n := range a.JettonWallets.Nodes {
		i := strings.Index("012", n.Balance)
		require.Equal(t, h.wallets[me][i].String(), n.Account.Address)
		require.Equal(t, h.masters[i].String(), n.Jetton.Account.Address)
	}
	require.Len(t, a.Full.Nodes, jettonsOfOne-1)
	require.Equal(t, []wallet{{Balance: "2"}, {Balance: "1"}}, a.Richest.Nodes)
	require.Len(t, a.JettonTransfers.Nodes, 2*transfersOfOne)
	require.Equal(t, got.JettonTransfers, a.JettonTransfers)
	require.Len(t, a.In.Nodes, transfersOfOne)
	require.Equal(t, got.Incoming, a.In)
	require.Len(t, a.Out.Nodes, 3)
	for _, n := range a.Out.Nodes {
		require.Equal(t, other.String(), n.Destination.Address)
	}
	require.Len(t, a.JettonBurns.Nodes, transfersOfOne)
	require.Len(t, a.NftItems.Nodes, 1)
	require.Len(t, a.NftItems.Nodes[0].Transfers.Nodes, transfersOfOne)
	require.Equal(t, got.NftTransfers, a.NftTransfers)
	require.Len(t, a.NftTransfers.Nodes, 2*transfersOfOne)
	require.Len(t, a.DnsRecords.Nodes, 1)
	require.Equal(t, "person-01.ton", a.DnsRecords.Nodes[0].Domain)
	require.Equal(t, "person-01.ton", a.DnsRecords.Nodes[0].Item.Dns.Domain)
	require.Equal(t, got.DnsRecords.Nodes[0].Domain, a.DnsRecords.Nodes[0].Domain)
	require.Len(t, a.Multisigs.Nodes, 2) // as a signer of one and a proposer of another
	require.Len(t, got.Multisigs.Nodes, 2)
	for i, n := range a.Multisigs.Nodes {
		require.Equal(t, got.Multisigs.Nodes[i].Account, n.Account)
		require.Len(t, n.Orders.Nodes, 2)
		require.Equal(t, "1", n.Orders.Nodes[0].Seqno)
		require.Equal(t, n.Account, n.Orders.Nodes[0].Multisig.Account)
		require.Equal(t, "an order that is no readable bag of cells", n.Orders.Nodes[0].Actions[0].Error)
	}
	require.Len(t, got.MultisigOrders.Nodes, 2)
	require.Len(t, a.Vestings.Nodes, 1)
	require.Equal(t, other.String(), a.Vestings.Nodes[0].Whitelist[0].Address)
	require.Equal(t, h.vesting[me].String(), got.Vestings.Nodes[0].Account.Address)
	require.Nil(t, a.Vesting)
	require.Nil(t, a.Multisig)
	require.Nil(t, a.NftItem)
	require.Nil(t, a.JettonWallet)
	require.NotNil(t, got.Itself.Vesting)
	require.Nil(t, got.Itself.Multisig)
}

// Pages of nested lists return each row once, and node returns the rows by their ids.
func TestNestedPages_ReturnEveryRowOnce(t *testing.T) {
	t.Parallel()
	h := newPortfolio(t, 3)
	for list, want := range map[string]int{
		"jettonWallets": jettonsOfOne, "jettonTransfers": 2 * transfersOfOne, "jettonBurns": transfersOfOne, "nftItems": 1,
		"nftTransfers": 2 * transfersOfOne, "multisigs": 2, "vestings": 1, "dnsRecords": 1,
	} {
		for _, way := range []struct{ size, cursor string }{{"first: 2", "after"}, {"last: 2", "before"}} {
			seen, position := map[string]bool{}, ""
			for range 10 {
				var got map[string]map[string]struct {
					Edges    []struct{ Cursor string }
					PageInfo struct {
						HasNextPage, HasPreviousPage bool
						StartCursor, EndCursor       string
					}
				}
				h.query(t, `query($a: Address!) { account(address: $a) { `+list+`(`+way.size+position+
					`) { edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
					map[string]any{"a": h.people[0].String()}, &got)
				page := got["account"][list]
				for _, e := range page.Edges {
					require.False(t, seen[e.Cursor], list)
					seen[e.Cursor] = true
				}
				more, cursor := page.PageInfo.HasNextPage, page.PageInfo.EndCursor
				if way.cursor == "before" {
					more, cursor = page.PageInfo.HasPreviousPage, page.PageInfo.StartCursor
				}
				if !more {
					break
				}
				position = `, ` + way.cursor + `: "` + cursor + `"`
			}
			require.Len(t, seen, want, "%s %s", list, way.cursor)
		}
	}
	var ids struct {
		Account struct {
			JettonWallets, NftItems, DnsRecords, Multisigs, Vestings struct{ Nodes []struct{ ID string } }
		}
	}
	h.query(t, `query($a: Address!) { account(address: $a) { jettonWallets { nodes { id } } nftItems { nodes { id } }
		dnsRecords { nodes { id } } multisigs { nodes { id } } vestings { nodes { id } } } }`,
		map[string]any{"a": h.people[0].String()}, &ids)
	a := ids.Account
	requested := []string{a.JettonWallets.Nodes[0].ID, a.NftItems.Nodes[0].ID, a.DnsRecords.Nodes[0].ID, a.Multisigs.Nodes[0].ID, a.Vestings.Nodes[0].ID}
	var got struct {
		Nodes []struct {
			Typename string `json:"__typename"`
			ID       string
		}
	}
	h.query(t, `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }`, map[string]any{"ids": requested}, &got)
	for i, name := range []string{"JettonWallet", "NFTItem", "DNSRecord", "Multisig", "Vesting"} {
		require.Equal(t, name, got.Nodes[i].Typename)
		require.Equal(t, requested[i], got.Nodes[i].ID)
	}
	for _, query := range []string{
		`{ jettonTransfers(where: {direction: IN}) { nodes { lt } } }`,
		`{ nftTransfers(where: {direction: OUT}) { nodes { lt } } }`,
		`{ multisigs(where: {}) { nodes { threshold } } }`,
		`{ vestings(where: {}) { nodes { totalAmount } } }`,
		`query($d: String) { dnsRecords(where: {domain: $d}) { nodes { domain } } }`,
	} {
		_, got := post(t, h.h, query, nil)
		require.Len(t, got.Errors, 1, query)
	}
}

// Nested lists take the same number of statements for pages of 10 and of 100 accounts.
//
//nolint:tparallel // the statements of one shape at a time are counted
func TestStatements_DoNotGrowWithAccounts(t *testing.T) {
	t.Parallel()
	h := newPortfolio(t, 100)
	for name, c := range map[string]struct {
		most   int64
		fields string
	}{
		"Jetton wallets":       {5, `jettonWallets(first: 3) { nodes { balance jetton { totalSupply account { metadata { name } } } } }`},
		"richest wallets":      {2, `jettonWallets(first: 3, byBalance: true, excludeZero: true) { nodes { balance } }`},
		"Jetton transfers":     {4, `jettonTransfers(first: 2) { nodes { amount jetton { totalSupply } transaction { hash } } }`},
		"Jetton burns":         {3, `jettonBurns(first: 2) { nodes { amount jetton { totalSupply } } }`},
		"items":                {5, `nftItems(first: 2) { nodes { domain dns { domain } collection { nextItemIndex } } }`},
		"transfers of items":   {5, `nftTransfers(first: 2) { nodes { item { domain } } }`},
		"domains":              {5, `dnsRecords(first: 2) { nodes { domain item { index } } }`},
		"multisigs and orders": {4, `multisigs(first: 2) { nodes { threshold orders(first: 2) { nodes { seqno actions { error } } } } }`},
		"vestings":             {3, `vestings(first: 2) { nodes { totalAmount owner { state { balance } } } }`},
		"what accounts are":    {8, `jettonMaster { mintable } jettonWallet { balance } nftItem { domain } nftSale { kind } multisig { threshold } vesting { totalAmount } wallet { name }`},
	} {
		t.Run(name, func(t *testing.T) {
			statements := map[int]int64{}
			for _, rows := range []int{10, 100} {
				best := int64(1 << 62)
				for range 5 {
					var ignored any
					before := h.count.n.Load()
					h.query(t, `query($n: Int!) { topAccounts(first: $n) { nodes { address `+c.fields+` } } }`, map[string]any{"n": rows}, &ignored)
					best = min(best, h.count.n.Load()-before)
				}
				statements[rows] = best
				require.LessOrEqual(t, best, c.most, "%d rows", rows)
			}
			require.Equal(t, statements[10], statements[100])
		})
	}
}
