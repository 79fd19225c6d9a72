package resolvers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// Without the common types, a list follows the index of types; otherwise it would be searched for among all actions.
func TestChooseTypes_ExcludedTypesLeaveAnIndexedList(t *testing.T) {
	t.Parallel()
	account := chain.Address{ID: chain.Hash{1}}
	supported := []string{"call_contract", "jetton_transfer", "nft_mint", "ton_transfer", "tick_tock"}
	for name, tc := range map[string]struct {
		f              chain.ActionFilter
		types, without []string
		nothing        bool
	}{
		"no exclusion":            {f: chain.ActionFilter{Types: []string{"nft_mint"}}, types: []string{"nft_mint"}},
		"a common type is left":   {f: chain.ActionFilter{ExcludeTypes: []string{"jetton_transfer", "ton_transfer"}}, without: []string{"jetton_transfer", "ton_transfer"}},
		"no common type is left":  {f: chain.ActionFilter{ExcludeTypes: commonTypes}, types: []string{"nft_mint", "tick_tock"}},
		"of an account":           {f: chain.ActionFilter{Account: &account, ExcludeTypes: []string{"ton_transfer"}}, types: []string{"call_contract", "jetton_transfer", "nft_mint", "tick_tock"}},
		"some of the types":       {f: chain.ActionFilter{Types: []string{"nft_mint", "ton_transfer"}, ExcludeTypes: []string{"nft_mint"}}, types: []string{"ton_transfer"}},
		"all of the types":        {f: chain.ActionFilter{Types: []string{"ton_transfer"}, ExcludeTypes: []string{"ton_transfer"}}, types: []string{}, nothing: true},
		"all that are understood": {f: chain.ActionFilter{ExcludeTypes: supported}, types: []string{}, nothing: true},
	} {
		f := tc.f
		f.Supported = supported
		require.Equal(t, !tc.nothing, chooseTypes(&f), name)
		require.Equal(t, tc.types, f.Types, name)
		require.Equal(t, tc.without, f.ExcludeTypes, name)
		require.Equal(t, supported, f.Supported, name)
	}
}

func TestChooseAccounts_ExcludedOnesAreNotSearched(t *testing.T) {
	t.Parallel()
	a, b, c := chain.Address{ID: chain.Hash{1}}, chain.Address{ID: chain.Hash{2}}, chain.Address{ID: chain.Hash{3}}
	of := func(accounts, without []chain.Address) (chain.TransactionFilter, bool) {
		f := chain.TransactionFilter{Accounts: accounts, ExcludeAccounts: without}
		some := chooseAccounts(&f)
		return f, some
	}
	f, some := of([]chain.Address{a, b}, []chain.Address{b, c})
	require.True(t, some)
	require.Equal(t, chain.TransactionFilter{Accounts: []chain.Address{a}}, f)
	_, some = of([]chain.Address{a}, []chain.Address{a})
	require.False(t, some)
	f, some = of(nil, []chain.Address{a})
	require.True(t, some)
	require.Equal(t, []chain.Address{a}, f.ExcludeAccounts)
}
