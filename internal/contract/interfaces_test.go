package contract_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

func TestMethodID_AgreesWithPublishedIDs(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]int32{
		"seqno": 85143, "get_public_key": 78748, "get_subwallet_id": 81467, "get_wallet_data": 97026,
		"get_jetton_data": 106029, "get_wallet_address": 103289, "get_nft_data": 102351, "get_collection_data": 102491,
		"get_nft_address_by_index": 92067, "dnsresolve": 123660,
	} {
		require.Equal(t, id, contract.MethodID(name), name)
	}
}

func TestAllInterfaces_NamesAndCodesAreUnique(t *testing.T) {
	t.Parallel()
	all := contract.AllInterfaces()
	require.Len(t, all, 107)
	names, hashes := map[string]bool{}, map[chain.Hash]string{}
	var empty []string
	for _, i := range all {
		require.False(t, names[i.Name], "%s twice", i.Name)
		names[i.Name] = true
		if len(i.Methods)+len(i.CodeHashes) == 0 {
			empty = append(empty, i.Name)
		}
		for _, h := range i.CodeHashes {
			require.Empty(t, hashes[h], "%s and %s share a code", hashes[h], i.Name)
			hashes[h] = i.Name
		}
	}
	require.True(t, names["dedust_liquidity_deposit "], "published with a space at its end")
	require.Equal(t, []string{"coffee_vault_native", "coffee_vault_jetton", "coffee_vault_extra"}, empty)
	for text, name := range map[string]string{
		"IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=": "wallet_v5r1",
		"5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=": "wallet_v5_beta",
		"iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=": "jetton_wallet_governed",
	} {
		h, err := chain.ParseHash(text)
		require.NoError(t, err)
		got, ok := contract.CodeName(h)
		require.True(t, ok)
		require.Equal(t, name, got)
	}
}

func ids(names ...string) []int32 {
	var list []int32
	for _, n := range names {
		list = append(list, contract.MethodID(n))
	}
	slices.Sort(list)
	return list
}

func TestInterfaces_CodeWinsOverMethods(t *testing.T) {
	t.Parallel()
	v4, err := chain.ParseHash("/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=")
	require.NoError(t, err)
	for _, tc := range []struct {
		name    string
		code    chain.Hash
		methods []int32
		want    []string
	}{
		{"exact code beats methods", v4, ids("get_wallet_data", "seqno"), []string{"wallet_v4r2"}},
		{"one method", chain.Hash{}, ids("get_wallet_data"), []string{"jetton_wallet"}},
		{"all methods are needed", chain.Hash{}, ids("get_jetton_data"), []string{}},
		{"several names, ascending", chain.Hash{}, ids("get_sale_data", "get_editor"), []string{"editable", "nft_auction_v1", "nft_sale"}},
		{"nothing", chain.Hash{}, nil, []string{}},
		{
			"a name per set of methods", chain.Hash{}, ids("get_jetton_data", "get_wallet_address", "seqno"),
			[]string{"jetton_master", "wallet_v1r2", "wallet_v2r1", "wallet_v3r1", "wallet_v5_beta"},
		},
	} {
		require.Equal(t, tc.want, contract.Interfaces(tc.code, tc.methods), tc.name)
	}
}

func TestMethods_AreThoseOfTheDictionary(t *testing.T) {
	t.Parallel()
	code := contracttest.Code(map[string]*cell.Cell{"seqno": contracttest.MethodReturning(0, 7), "get_public_key": contracttest.Asm("71")})
	require.Equal(t, ids("seqno", "get_public_key"), contract.Methods(code), "receivers are left out")
	require.Nil(t, contract.Methods(nil))
	require.Nil(t, contract.Methods(contracttest.Asm("")))
	require.Nil(t, contract.Methods(contracttest.Asm("ff0020dd2082014c97ba")), "no dictionary")
	broken := cell.BeginCell().MustStoreSlice([]byte{0xff, 0, 0xf4, 0xa4, 0x13, 0xf4, 0xbc}, 56).
		MustStoreRef(contracttest.Asm("ffffffffffffffff")).EndCell()
	require.Nil(t, contract.Methods(broken), "no dictionary where one should be")
}

func library(t *testing.T, hash []byte) *cell.Cell {
	t.Helper()
	c, err := cell.BeginCell().MustStoreUInt(2, 8).MustStoreSlice(hash, 256).EndCellSpecial(true)
	require.NoError(t, err)
	return c
}

func TestLibraries_CodeIsFoundOncePublished(t *testing.T) {
	t.Parallel()
	code := contracttest.Code(map[string]*cell.Cell{"seqno": contracttest.MethodReturning(0, 7)})
	first := library(t, code.Hash())
	libs := contract.LibraryMap{hashOf(code): code, hashOf(first): first}

	got, ok := contract.Resolve(library(t, first.Hash()), libs)
	require.True(t, ok, "a library cell that refers to another library cell")
	require.Equal(t, code.Hash(), got.Hash())
	_, ok = contract.Resolve(first, nil)
	require.False(t, ok)
	_, ok = contract.Resolve(first, contract.LibraryMap{})
	require.False(t, ok)
	require.Equal(t, []chain.Hash{hashOf(code)}, contract.LibraryRefs(cell.BeginCell().MustStoreRef(first).MustStoreRef(first).EndCell()))

	// The methods are read once the library is published, and cached under the hash of the code.
	st := contract.State{Address: contracttest.Address("x"), Code: first, Data: cell.BeginCell().EndCell()}
	m := contract.NewMachine(contract.Options{})
	t.Cleanup(m.Close)
	before, err := m.At(contract.Env{Config: mainnetBlock(t).env.Config})
	require.NoError(t, err)
	require.Nil(t, before.Methods(first))
	_, err = before.Run(t.Context(), &st, "seqno")
	require.True(t, contract.IsFault(err))
	after, err := m.At(contract.Env{Config: mainnetBlock(t).env.Config, Libraries: libs})
	require.NoError(t, err)
	require.Equal(t, ids("seqno"), after.Methods(first))
	res, err := after.Run(t.Context(), &st, "seqno")
	require.NoError(t, err)
	require.Equal(t, int64(7), res.Read().Int64())
	require.Nil(t, before.Methods(first), "the library does not exist there")
	_, err = before.Run(t.Context(), &st, "seqno")
	require.True(t, contract.IsFault(err))
}

// Library cells may be a part of the code, and libraries may contain library cells.
func TestLibraries_InsideCodeAreNeededToo(t *testing.T) {
	t.Parallel()
	leaf := contracttest.MethodReturning(0, 9)
	middle := cell.BeginCell().MustStoreRef(library(t, leaf.Hash())).EndCell() // jumps into its reference
	body := cell.BeginCell().MustStoreRef(library(t, middle.Hash())).EndCell()
	st := contracttest.Account("x", map[string]*cell.Cell{"seqno": body})
	for name, tc := range map[string]struct {
		libs contract.LibraryMap
		good bool
	}{
		"both":   {contract.LibraryMap{hashOf(leaf): leaf, hashOf(middle): middle}, true},
		"first":  {contract.LibraryMap{hashOf(middle): middle}, false},
		"second": {contract.LibraryMap{hashOf(leaf): leaf}, false},
	} {
		r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{Libraries: tc.libs}, contract.Options{})
		res, err := r.Run(t.Context(), &st, "seqno")
		if !tc.good {
			require.True(t, contract.IsFault(err), name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, int64(9), res.Read().Int64())
	}
}

func hashOf(c *cell.Cell) chain.Hash { return chain.Hash(c.HashKey()) }

// Data and arguments may name libraries, too.
func TestLibraries_OfDataAndArgumentsAreLoaded(t *testing.T) {
	t.Parallel()
	content := cell.BeginCell().MustStoreUInt(42, 32).EndCell()
	named := library(t, content.Hash())
	// c4 PUSH; CTOS; PLDREF; CTOS; 32 PLDU, and the same from an argument
	st := contracttest.Account("x", map[string]*cell.Cell{
		"data": contracttest.Asm("ed44d0d74cd0d70b1f"), "cell": contracttest.Asm("d0d70b1f"), "slice": contracttest.Asm("d74cd0d70b1f"),
	})
	holder := cell.BeginCell().MustStoreRef(named).EndCell()
	st.Data = holder
	libs := contract.LibraryMap{chain.Hash(content.HashKey()): content}
	detection := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{Libraries: libs}, contract.Options{})
	r := detection.WithNamedLibraries()
	for method, args := range map[string][]any{"data": nil, "cell": {named}, "slice": {holder.MustBeginParse()}} {
		res, err := r.Run(t.Context(), &st, method, args...)
		require.NoError(t, err, method)
		require.Equal(t, []any{big.NewInt(42)}, res.Stack, method)
	}
	res, err := detection.Execute(t.Context(), &st, contract.MethodID("data"))
	require.NoError(t, err)
	require.EqualValues(t, 9, res.Exit, "detection has those of the code only")
	require.ElementsMatch(t, []*cell.Cell{named, holder}, contract.ArgumentCells([]any{int64(1), nil, []any{named, []any{holder}}}))
}
