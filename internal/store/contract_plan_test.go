package store_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
)

// contractPlans returns queries of contracts, for busy and idle owners, Jettons and collections.
func contractPlans(t *testing.T, r *store.Reader, last chain.Block) []planCase {
	t.Helper()
	hot, idle := []chain.Address{synthetic.Address(0)}, []chain.Address{synthetic.Address(1500)}
	pair := []chain.Address{hot[0], idle[0]}
	wallet, top, rare := synthetic.JettonWallet(0), synthetic.JettonMaster(0), synthetic.JettonMaster(190)
	ten, ascending := chain.Page{Limit: 10}, chain.Page{Limit: 10, Sort: chain.Ascending}
	list := []planCase{
		{"tokens by name", 40, store.TokensNamedStatement("rope", 10)},
	}
	add := func(name string, pages int, s store.Statement) { list = append(list, planCase{name, pages, s}) }

	wallets := func(name string, pages int, f chain.JettonWalletFilter, p chain.Page) {
		add("Jetton wallets "+name, pages, store.JettonWalletsStatement(f, p))
		f.ByBalance = true
		add("Jetton wallets "+name+" by balance", pages, store.JettonWalletsStatement(f, p))
	}
	someWallet, err := r.JettonWallets(t.Context(), chain.JettonWalletFilter{Owners: hot}, chain.Page{Limit: 1, Offset: 30})
	require.NoError(t, err)
	wallets("all", 60, chain.JettonWalletFilter{}, ten)
	offset := chain.Page{Limit: 10, Offset: 1000}
	wallets("all by offset", 80, chain.JettonWalletFilter{}, offset)
	wallets("of hot Jetton by offset", 120, chain.JettonWalletFilter{Jettons: []chain.Address{top}}, offset)
	wallets("of two owners by offset", 100, chain.JettonWalletFilter{Owners: pair}, chain.Page{Limit: 10, Offset: 100})
	wallets("by address", 60, chain.JettonWalletFilter{Addresses: []chain.Address{wallet}}, ten)
	wallets("of hot owner", 60, chain.JettonWalletFilter{Owners: hot}, ten)
	wallets("of hot owner by cursor", 60, chain.JettonWalletFilter{Owners: hot}, chain.Page{Limit: 10, After: new(someWallet[0].Cursor())})
	wallets("of two owners", 100, chain.JettonWalletFilter{Owners: pair}, ten)
	wallets("of hot owner, not empty", 60, chain.JettonWalletFilter{Owners: hot, ExcludeZero: true}, ten)
	wallets("of hot Jetton", 60, chain.JettonWalletFilter{Jettons: []chain.Address{top}}, ten)
	wallets("of hot Jetton, ascending", 60, chain.JettonWalletFilter{Jettons: []chain.Address{top}}, ascending)
	// In this data an owner has many wallets of one Jetton.
	wallets("of hot owner and Jetton", 1000, chain.JettonWalletFilter{Owners: hot, Jettons: []chain.Address{top}}, ten)
	wallets("of hot owner and two Jettons", 1000, chain.JettonWalletFilter{Owners: hot, Jettons: []chain.Address{top, rare}}, ten)

	transferPlans(t, r, last, pair, []chain.Address{top, rare}, add)

	items := func(name string, pages int, f chain.NFTItemFilter) {
		add("NFT items "+name, pages, store.NFTItemsStatement(f, ten))
		f.ByLastTxLT = true
		add("NFT items "+name+" by last change", pages, store.NFTItemsStatement(f, ten))
	}
	large := []chain.Address{synthetic.NFTCollection(0)}
	someItem, err := r.NFTItems(t.Context(), chain.NFTItemFilter{Owners: hot}, chain.Page{Limit: 1, Offset: 20})
	require.NoError(t, err)
	items("all", 60, chain.NFTItemFilter{})
	for _, f := range []chain.NFTItemFilter{{}, {ByLastTxLT: true}, {Collections: large}, {Collections: large, ByLastTxLT: true}} {
		add(fmt.Sprintf("NFT items by offset, of collections %d, by last change %t", len(f.Collections), f.ByLastTxLT), 100, store.NFTItemsStatement(f, offset))
	}
	items("by address", 60, chain.NFTItemFilter{Addresses: []chain.Address{synthetic.NFTItem(5)}})
	items("of hot owner", 60, chain.NFTItemFilter{Owners: hot})
	add("NFT items of hot owner by cursor", 80, store.NFTItemsStatement(chain.NFTItemFilter{Owners: hot}, chain.Page{Limit: 10, After: new(someItem[0].Cursor())}))
	items("of two owners", 100, chain.NFTItemFilter{Owners: pair})
	items("of hot owner, on sale, too", 100, chain.NFTItemFilter{Owners: hot, OnSale: true})
	items("of hot owner in large collection", 100, chain.NFTItemFilter{Owners: hot, Collections: large})
	items("of large collection", 60, chain.NFTItemFilter{Collections: large})
	items("of large collection by number", 60, chain.NFTItemFilter{Collections: large, Indexes: []*big.Int{big.NewInt(7)}})

	red := &chain.Trait{Name: "trait 3", Value: "value 7"}
	items("of large collection by trait", 60, chain.NFTItemFilter{Collections: large, Trait: red})
	add("NFT items of large collection by trait by cursor", 60,
		store.NFTItemsStatement(chain.NFTItemFilter{Collections: large, Trait: red}, chain.Page{Limit: 10, After: new(someItem[0].Cursor())}))
	items("of large collection by absent trait", 30, chain.NFTItemFilter{Collections: large, Trait: &chain.Trait{Name: "trait 3", Value: "none"}})
	add("traits of large collection", 12_000, store.TraitCountsStatement(large[0]))
	add("items without traits", 400, store.Statement{Text: store.SelectTraitless, Args: []any{int64(20)}})

	add("Jetton masters", 60, store.JettonMastersStatement(chain.JettonMasterFilter{}, ten))
	add("Jetton masters by admin", 60, store.JettonMastersStatement(chain.JettonMasterFilter{Admins: hot}, ten))
	add("NFT collections by owner", 60, store.NFTCollectionsStatement(chain.NFTCollectionFilter{Owners: pair}, ten))
	add("domains by name", 60, store.DNSStatement(chain.DNSFilter{Domain: "a.ton"}, ten))
	add("domains by wallet", 60, store.DNSStatement(chain.DNSFilter{Wallet: &hot[0]}, ten))
	add("auctions of domains by bidder", 60, store.DNSAuctionStatement(chain.DNSAuctionFilter{Bidder: hot[0]}, ten))
	add("ended auctions of domains by bidder", 60, store.DNSAuctionStatement(chain.DNSAuctionFilter{Bidder: hot[0], Ended: new(true), Now: synthetic.Epoch}, ten))
	add("open auctions of domains by bidder", 60, store.DNSAuctionStatement(chain.DNSAuctionFilter{Bidder: hot[0], Ended: new(false), Now: synthetic.Epoch}, ten))
	add("multisigs by member", 60, store.MultisigsStatement(chain.MultisigFilter{Members: pair}, ten))
	add("multisigs by address and member", 60, store.MultisigsStatement(chain.MultisigFilter{Addresses: pair, Members: pair}, ten))
	// A busy account takes the place of an order: only its newest messages are read.
	add("executions of orders", 400, store.Statement{
		Text: store.SelectOrderExecutions, Args: []any{[][]byte{hot[0].Bytes(), idle[0].Bytes()}, [][]byte{idle[0].Bytes(), hot[0].Bytes()}, int64(256), int64(chain.OpOrderExecute)},
	})
	add("orders of multisig", 60, store.MultisigOrdersStatement(chain.OrderFilter{Multisigs: hot}, ten))
	add("vestings by wallet", 60, store.VestingsStatement(chain.VestingFilter{Wallets: pair, CheckWhitelist: true}, ten))

	rich, err := r.TopAccounts(t.Context(), chain.Page{Limit: 1})
	require.NoError(t, err)
	nominator, validator := rich[0].Account, append(hot[0].Bytes()[:1:1], 0x33)
	add("positions of a nominator", 60, store.NominatorPositionsStatement(nominator, ten))
	add("positions of a nominator by cursor", 60, store.NominatorPositionsStatement(nominator, chain.Page{
		Limit: 10, After: new((&chain.NominatorPosition{Pool: hot[0]}).Cursor()),
	}))
	add("pools of a validator", 60, store.Statement{Text: store.SelectPoolsOfValidator, Args: []any{validator, int64(10)}})

	key, old := wallet.Bytes(), int64(last.Seqno/2)
	both := [][]byte{wallet.Bytes(), top.Bytes()}
	add("Jetton wallet at a block", 60, store.Statement{Text: store.SelectBalanceAt, Args: []any{key, old}})
	add("NFT owner at a block", 60, store.Statement{Text: store.SelectOwnerAt, Args: []any{synthetic.NFTItem(3).Bytes(), old}})
	add("metadata", 60, store.Statement{Text: store.SelectMetadata, Args: []any{both}})
	add("sales of items", 60, store.Statement{Text: store.SelectSalesOf, Args: []any{both, both}})
	add("collections of items", 60, store.Statement{Text: store.SelectCollectionsOf, Args: []any{both}})
	add("address book", 60, store.Statement{Text: store.SelectAddressBook, Args: []any{[][]byte{hot[0].Bytes(), idle[0].Bytes()}}})
	add("address book without interfaces", 40, store.Statement{Text: store.SelectAddressBookBase, Args: []any{both}})
	add("interfaces of codes", 10, store.Statement{Text: store.SelectInterfaces, Args: []any{[][]byte{make([]byte, 32)}}})
	add("changes of names", 20, store.Statement{Text: store.SelectNameChanges, Args: []any{int64(100)}})
	add("head", 12, store.Statement{Text: store.SelectHead})
	ranges := []any{[][]byte{hot[0].Bytes(), idle[0].Bytes()}, []int64{int64(last.EndLT / 2), 0}, []int64{int64(last.EndLT/2 + synthetic.StepLT), int64(synthetic.StepLT)}}
	add("messages of runs", 60, store.Statement{Text: store.SelectMessagesBetween, Args: ranges})
	add("ends of messages of runs", 60, store.Statement{Text: store.SelectEndsBetween, Args: ranges})
	keys := []any{both, []int64{int64(last.EndLT / 2), 0}}
	add("states by key", 20, store.Statement{Text: store.SelectStatesByKey, Args: keys})
	add("transactions with states by key", 20, store.Statement{Text: store.SelectTransactionsWithStates, Args: keys})
	add("states that exist", 30, store.Statement{Text: store.SelectStateKeys, Args: keys})
	return list
}

// transferPlans adds the lists of transfers and burns: each filter with the newest rows, by cursor, long ago and
// between LTs.
func transferPlans(t *testing.T, r *store.Reader, last chain.Block, owners, tokens []chain.Address, add func(string, int, store.Statement)) {
	t.Helper()
	newest, err := r.JettonTransfers(t.Context(), chain.JettonTransferFilter{}, chain.Page{Limit: 1, Offset: 2000})
	require.NoError(t, err)
	deep := chain.Page{Limit: 10, After: new(newest[0].Cursor())}
	old, from, to := uint32(synthetic.Epoch+40), last.EndLT/4, last.EndLT/2
	filters := []struct {
		name string
		chain.JettonTransferFilter
	}{
		{"all", chain.JettonTransferFilter{}},
		{"of hot owner", chain.JettonTransferFilter{Owners: owners[:1]}},
		{"to hot owner", chain.JettonTransferFilter{Owners: owners[:1], Direction: chain.Incoming}},
		{"of two owners", chain.JettonTransferFilter{Owners: owners}},
		{"of hot owner with rare token", chain.JettonTransferFilter{Owners: owners[:1], Jetton: &tokens[1]}},
		{"with hot token", chain.JettonTransferFilter{Jetton: &tokens[0]}},
		{"of hot wallet", chain.JettonTransferFilter{JettonWallets: []chain.Address{synthetic.JettonWallet(0)}}},
	}
	for _, w := range filters {
		f := w.JettonTransferFilter
		nft := func() chain.NFTTransferFilter {
			n := chain.NFTTransferFilter{Owners: f.Owners, Direction: f.Direction, TransferRange: f.TransferRange}
			if f.Jetton != nil {
				n.Collection = new(synthetic.NFTCollection(0))
			}
			if f.JettonWallets != nil {
				n.NFTs = []chain.Address{synthetic.NFTItem(0)}
			}
			return n
		}
		burn := func() chain.JettonBurnFilter {
			return chain.JettonBurnFilter{Owners: f.Owners, JettonWallets: f.JettonWallets, Jetton: f.Jetton, TransferRange: f.TransferRange}
		}
		every := func(name string, pages int, p chain.Page) {
			add("Jetton transfers "+w.name+name, pages, store.JettonTransfersStatement(f, p))
			add("Jetton burns "+w.name+name, pages, store.JettonBurnsStatement(burn(), p))
			add("NFT transfers "+w.name+name, pages, store.NFTTransfersStatement(nft(), p))
		}
		every("", 150, chain.Page{Limit: 10})
		every(" by cursor", 150, deep)
		if w.name == "all" {
			every(" by offset", 150, chain.Page{Limit: 10, Offset: 2000})
		}
		f.TransferRange = chain.TransferRange{EndUtime: &old}
		every(", long ago", 400, chain.Page{Limit: 10})
		f.TransferRange = chain.TransferRange{StartLT: &from, EndLT: &to}
		every(" between LTs", 150, chain.Page{Limit: 10})
	}
}
