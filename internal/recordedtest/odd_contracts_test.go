package recordedtest_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	_ "tonql/internal/contract/all" // registers every family
	"tonql/internal/contract/contracttest"
	"tonql/internal/testdb"
)

// form is a get-method and values that it returns, one of which is replaced by odd ones.
type form struct {
	method string
	values []any
	with   map[string]*cell.Cell // further methods
}

// drop is the number of arguments of the method.
func (f *form) drop() int {
	if f.method == "dnsresolve" {
		return 2
	}
	return 0
}

// dictionary makes a dictionary of cells by index.
func dictionary(size uint, values ...*cell.Cell) *cell.Cell {
	d := cell.NewDict(size)
	for i, v := range values {
		if err := d.Set(cell.BeginCell().MustStoreUInt(uint64(i), size).EndCell(), v); err != nil {
			panic(err)
		}
	}
	return d.AsCell()
}

// special are cells of each special kind.
func special() map[string]any {
	list := map[string]any{}
	for kind, b := range map[string]*cell.Builder{
		"pruned":  cell.BeginCell().MustStoreUInt(1, 8).MustStoreUInt(1, 8).MustStoreSlice(make([]byte, 34), 272),
		"library": cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(make([]byte, 32), 256),
	} {
		c, err := b.EndCellSpecial(true)
		if err != nil {
			panic(err)
		}
		list[kind] = c
	}
	return list
}

// oddities are values that no standard describes, by name.
func oddities() map[string]any {
	power := func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
	address := contracttest.Address("somebody")
	bits := func(text string) *cell.Slice {
		b := cell.BeginCell()
		for _, r := range text {
			b.MustStoreUInt(uint64(r-'0'), 1)
		}
		return b.ToSlice()
	}
	anycast := cell.BeginCell().MustStoreUInt(0b101, 3).MustStoreUInt(1, 5).MustStoreUInt(1, 1).MustStoreUInt(0, 8).MustStoreSlice(address.ID[:], 256).ToSlice()
	variable := cell.BeginCell().MustStoreUInt(0b110, 3).MustStoreUInt(256, 9).MustStoreUInt(0, 32).MustStoreSlice(address.ID[:], 256).ToSlice()
	external := cell.BeginCell().MustStoreUInt(0b01, 2).MustStoreUInt(16, 9).MustStoreUInt(77, 16).ToSlice()
	library := special()
	members := dictionary(8, contract.AddressSlice(address).MustToCell(), contract.AddressSlice(address).MustToCell())
	list := map[string]any{
		"null": nil, "-1": -1, "0": 0, "2^31": power(31), "2^32": power(32), "2^63": power(63), "2^64": power(64), "2^127": power(127),
		"2^128": power(128), "2^255": power(255), "2^256-1": new(big.Int).Sub(power(256), big.NewInt(1)), "-2^255": new(big.Int).Neg(power(255)),
		"address": address, "masterchain": chain.Address{Workchain: -1, ID: address.ID}, "workchain 77": chain.Address{Workchain: 77, ID: address.ID},
		"addr_none": (*chain.Address)(nil), "anycast": anycast, "addr_var": variable, "addr_extern": external, "no bits": bits(""), "one bit": bits("1"),
		"cut": bits("100"), "text": "text", "zeros": "a\x00b", "bytes": "\xff\xfe", "empty cell": cell.BeginCell().EndCell(),
		"offchain": cell.BeginCell().MustStoreUInt(1, 8).MustStoreSlice([]byte("ipfs://x"), 64).EndCell(),
		"nonsense": cell.BeginCell().MustStoreSlice([]byte("\x00\x80\x00"), 24).EndCell(), "members": members,
		"members cut":                     dictionary(8, cell.BeginCell().MustStoreUInt(4, 3).EndCell()),
		"leaf of a dictionary is special": cell.BeginCell().MustStoreUInt(1, 1).MustStoreRef(library["pruned"].(*cell.Cell)).EndCell(),
	}
	maps.Copy(list, library)
	return list
}

// forms are the get-methods of all families of contracts. self is the account, which confirms itself.
func forms(self chain.Address) []form {
	a, b, empty := contracttest.Address("a"), contracttest.Address("b"), cell.BeginCell().EndCell()
	content := cell.BeginCell().MustStoreUInt(1, 8).MustStoreSlice([]byte("https://a.example/x.json"), 24*8).EndCell()
	members := dictionary(8, contract.AddressSlice(a).MustToCell(), contract.AddressSlice(b).MustToCell())
	confirm := contracttest.MethodReturning(1, self)
	methods := func(pairs ...any) map[string]*cell.Cell {
		m := map[string]*cell.Cell{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1].(*cell.Cell)
		}
		return m
	}
	telemint := func(except string) map[string]*cell.Cell {
		m := methods("get_telemint_token_name", contracttest.MethodReturning(0, "name"),
			"get_telemint_auction_state", contracttest.MethodReturning(0, a, 5, 6, 7, 8),
			"get_telemint_auction_config", contracttest.MethodReturning(0, a, 1, 2, 3, 4, 5),
			"royalty_params", contracttest.MethodReturning(0, 1, 2, a))
		delete(m, except)
		return m
	}
	domain := func(except string) map[string]*cell.Cell {
		record := cell.BeginCell().MustStoreUInt(0x9fd3, 16).MustStoreBuilder(contract.AddressSlice(a).ToBuilder()).MustStoreUInt(0, 8).EndCell()
		records := cell.NewDict(256)
		category := sha256.Sum256([]byte("wallet"))
		if err := records.Set(cell.BeginCell().MustStoreSlice(category[:], 256).EndCell(), cell.BeginCell().MustStoreRef(record).EndCell()); err != nil {
			panic(err)
		}
		m := methods("get_nft_data", contracttest.MethodReturning(0, -1, 5, self, a, content), "get_nft_address_by_index", confirm,
			"get_nft_content", contracttest.MethodReturning(2, content), "get_domain", contracttest.MethodReturning(0, "alice"),
			"dnsresolve", contracttest.MethodReturning(2, 8, records.AsCell()), "get_last_fill_up_time", contracttest.MethodReturning(0, 1_700_000_000))
		delete(m, except)
		return m
	}
	auction := []any{0, 1_700_000_000, a, b, a, 5, b, 5, a, 5, 100, b, 5, 100, 0, 1, 1_700_000_000, 0, 0}
	return []form{
		{"get_jetton_data", []any{5, -1, a, content, empty}, methods("get_wallet_address", confirm)},
		{"get_wallet_data", []any{5, a, self, empty}, methods("get_wallet_address", confirm)},
		{"is_claimed", []any{-1}, methods("get_wallet_data", contracttest.MethodReturning(0, 5, a, self, empty), "get_wallet_address", confirm)},
		{"get_mintless_airdrop_hashmap_root", []any{7}, methods("get_jetton_data", contracttest.MethodReturning(0, 5, -1, a, content, empty), "get_wallet_address", confirm)},
		{"get_collection_data", []any{5, content, a}, methods("get_nft_address_by_index", confirm)},
		{"get_nft_data", []any{-1, 5, (*chain.Address)(nil), a, content}, nil},
		{"get_nft_data", []any{-1, 5, self, a, content}, methods("get_nft_address_by_index", confirm, "get_nft_content", contracttest.MethodReturning(2, content))},
		{"get_authority_address", []any{a}, methods("get_nft_data", contracttest.MethodReturning(0, -1, 5, nil, a, content))},
		{"get_sale_data", []any{0x46495850, 0, 1_700_000_000, a, b, a, 100, a, 5, b, 6}, nil},
		{"get_fix_price_data_v4", []any{0, 1_700_000_000, a, b, a, 100, a, 5000, b, 6000, 0, 0, nil}, nil},
		{"get_sale_data", append([]any{0x415543}, auction...), nil},
		{"get_auction_data_v4", append([]any{-1}, append(auction, 0, 0, a, b, 0, 0)...), nil},
		{"get_telemint_token_name", []any{"name"}, telemint("get_telemint_token_name")},
		{"get_telemint_auction_state", []any{a, 5, 6, 7, 8}, telemint("get_telemint_auction_state")},
		{"get_telemint_auction_config", []any{a, 1, 2, 3, 4, 5}, telemint("get_telemint_auction_config")},
		{"royalty_params", []any{1, 2, a}, telemint("royalty_params")},
		{"get_domain", []any{"alice"}, domain("get_domain")},
		{"dnsresolve", []any{8, members}, domain("dnsresolve")},
		{"get_last_fill_up_time", []any{1_700_000_000}, domain("get_last_fill_up_time")},
		{"get_multisig_data", []any{5, 2, members, members}, methods("get_order_address", confirm)},
		{"get_order_data", []any{self, 5, 2, 0, members, 3, 2, 1_800_000_000, members}, methods("get_order_address", confirm)},
	}
}

// each calls add for each value of each get-method and each odd value in its place.
func each(add func(name string, number, at int, odd any)) {
	for number, usual := range forms(chain.Address{}) {
		for at := range usual.values {
			for kind, odd := range oddities() {
				add(fmt.Sprintf("%d %d %s", number, at, kind), number, at, odd)
			}
		}
	}
}

// oddContracts returns blocks of contracts whose get-methods return odd values, one for each value of each get-method.
func oddContracts(tb testing.TB) []*chain.MasterBlock {
	tb.Helper()
	config, err := mainnet.OpenFatBlock(tb).Config(tb.Context(), chain.BlockIDExt{})
	require.NoError(tb, err)
	zones := map[chain.Address]string{}
	each(func(name string, _ int, _ int, _ any) { zones[contracttest.Address(name)] = ".ton" })
	r := contracttest.Runner(tb, config, contract.Env{Zones: zones}, contract.Options{})
	mb := testdb.Master(1)
	add := func(name string, f form, values []any) {
		methods := map[string]*cell.Cell{f.method: contracttest.MethodReturning(f.drop(), values...)}
		maps.Copy(methods, f.with)
		st := contracttest.Account(name, methods)
		tx := testdb.NewTransaction(mb, st.Address)
		st.LastTxLT = tx.LT
		facts, err := contract.Detect(tb.Context(), contracttest.Snapshot{}, r, st)
		require.NoError(tb, err)
		require.Empty(tb, facts.Failed, name)
		k := facts.Record(&st, 1)
		k.Interfaces, k.Methods = nil, nil
		if k.JettonMaster == nil && k.JettonWallet == nil && k.NFTCollection == nil && k.NFTItem == nil && k.NFTSale == nil && k.Multisig == nil && k.MultisigOrder == nil {
			return
		}
		mb.Contracts = append(mb.Contracts, k)
		mb.Transactions = append(mb.Transactions, tx)
		mb.States = append(mb.States, chain.AccountState{Account: st.Address, LT: tx.LT, TxHash: tx.Hash, Hash: tx.StateHashAfter, Status: chain.Active})
	}
	each(func(name string, number, at int, odd any) {
		f := forms(contracttest.Address(name))[number]
		f.values[at] = odd
		add(name, f, f.values)
	})
	return []*chain.MasterBlock{mb}
}
