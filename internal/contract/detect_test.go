package contract_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
)

func TestRegister_RefusesADuplicateFamily(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"jetton", "multisig", "nft", "nominator", "vesting", "wallet", "dns"}, contract.Families())
	require.Panics(t, func() { contract.Register(contract.Family{Name: "dns"}) })
}

// brokenSnapshot fails every read.
type brokenSnapshot struct{}

var errGone = errors.New("gone")

func (brokenSnapshot) State(context.Context, chain.Address) (contract.State, bool, error) {
	return contract.State{}, false, errGone
}

// An error of the snapshot is returned; it is no fault of the contract.
func TestDetect_SnapshotErrorIsNoFault(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	for name, methods := range map[string]map[string]*cell.Cell{
		"wallet": {"get_wallet_data": contracttest.MethodReturning(0, 1, contracttest.Address("o"), contracttest.Address("m"), contracttest.Asm(""))},
		"item":   {"get_nft_data": contracttest.MethodReturning(0, -1, 1, contracttest.Address("c"), contracttest.Address("o"), contracttest.Asm(""))},
	} {
		_, err := contract.Detect(t.Context(), brokenSnapshot{}, r, contracttest.Account(name, methods))
		require.ErrorIs(t, err, errGone, name)
		require.False(t, contract.IsFault(err))
	}
}

// A contract may implement several interfaces and confirm itself.
func TestDetect_OneContractMayHaveSeveralRecords(t *testing.T) {
	t.Parallel()
	r := contracttest.Runner(t, mainnetBlock(t).env.Config.Root(), contract.Env{}, contract.Options{})
	self := contracttest.Address("all")
	st := contracttest.Account("all", map[string]*cell.Cell{
		"get_jetton_data":          contracttest.MethodReturning(0, 10, 0, self, contracttest.Asm(""), contracttest.Asm("")),
		"get_wallet_address":       contracttest.MethodReturning(1, self),
		"get_wallet_data":          contracttest.MethodReturning(0, 10, self, self, contracttest.Asm("")),
		"get_collection_data":      contracttest.MethodReturning(0, 1, contracttest.Asm(""), self),
		"get_nft_address_by_index": contracttest.MethodReturning(1, self),
		"get_nft_content":          contracttest.MethodReturning(2, contracttest.Asm("0178")),
		"get_nft_data":             contracttest.MethodReturning(0, -1, 0, self, self, contracttest.Asm("")),
	})
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
	require.Equal(t, []string{"jetton_master", "jetton_wallet", "nft_collection", "nft_item"}, facts.Interfaces)
	require.Equal(t, chain.Content{"uri": "x"}, facts.NFTItem.Content)

	record := facts.Record(&st, 9)
	require.Equal(t, self, record.Account)
	require.Equal(t, st.LastTxLT, record.LT)
	require.Equal(t, uint32(9), record.McSeqno)
	require.Equal(t, st.CodeHash(), record.CodeHash)
	require.Same(t, facts.JettonWallet, record.JettonWallet)
	require.Same(t, facts.NFTItem, record.NFTItem)
}
