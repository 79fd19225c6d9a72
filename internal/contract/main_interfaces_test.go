package contract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/contract"
)

// interfacesOf returns the interfaces of unrecognised code with the methods.
func interfacesOf(methods ...string) []string {
	ids := make([]int32, len(methods))
	for i, m := range methods {
		ids[i] = contract.MethodID(m)
	}
	slices.Sort(ids)
	return contract.Interfaces(chain.Hash{}, ids)
}

func TestMainInterfaces_NameNoTwoWalletVersions(t *testing.T) {
	t.Parallel()
	vesting := interfacesOf("seqno", "get_public_key", "get_vesting_data")
	require.Greater(t, len(vesting), 5, "methods alone name many wallets")
	require.Equal(t, []string{"wallet_vesting"}, contract.MainInterfaces(vesting))
	require.Equal(t, []string{"wallet"}, contract.MainInterfaces(interfacesOf("seqno", "get_public_key")))
	require.Equal(t, []string{"wallet"}, contract.MainInterfaces(interfacesOf("seqno")))
	require.Equal(t, []string{"wallet_v4r2"}, contract.MainInterfaces([]string{"wallet_v4r2"}), "known by its code")
	require.Equal(t, []string{"jetton_master"}, contract.MainInterfaces(interfacesOf("get_jetton_data", "get_wallet_address")))
	require.Empty(t, contract.MainInterfaces(nil))
	require.Equal(t, []string{"a", "b"}, contract.MainInterfaces([]string{"a", "b"}), "names that are in no table")

	// At most one wallet version is named, for any set of methods.
	var everything []string
	for _, i := range contract.AllInterfaces() {
		everything = append(everything, i.Methods...)
	}
	for range 3 {
		main := contract.MainInterfaces(interfacesOf(everything...))
		require.NotEmpty(t, main)
		versions := slices.DeleteFunc(slices.Clone(main), func(n string) bool { return !strings.HasPrefix(n, "wallet_v") || n == "wallet_vesting" })
		require.LessOrEqual(t, len(versions), 1, main)
		everything = everything[len(everything)/2:]
	}
}
