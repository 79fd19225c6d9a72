package vesting_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/contract"
	"tonql/internal/contract/contracttest"
	"tonql/internal/contract/vesting"
)

// whitelist makes a dictionary of addresses.
func whitelist(t testing.TB, list ...chain.Address) *cell.Cell {
	t.Helper()
	d := cell.NewDict(264)
	for _, a := range list {
		key := cell.BeginCell().MustStoreInt(int64(a.Workchain), 8).MustStoreSlice(a.ID[:], 256).EndCell()
		require.NoError(t, d.Set(key, cell.BeginCell().MustStoreInt(-1, 1).EndCell()))
	}
	return d.AsCell()
}

func TestDetect_VestingNeedsValidData(t *testing.T) {
	t.Parallel()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	r := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	sender, owner, elector := contracttest.Address("sender"), contracttest.Address("owner"), chain.Address{Workchain: -1, ID: chain.Hash{0x33}}
	st := contracttest.Account("vesting", map[string]*cell.Cell{
		"get_vesting_data": contracttest.MethodReturning(0, 1_700_000_000, 31_536_000, 2_592_000, 7_776_000, 5_000_000_000, sender, owner,
			whitelist(t, contracttest.Address("friend"), elector)),
	})
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
	require.Equal(t, &chain.Vesting{
		Address: st.Address, StartTime: 1_700_000_000, TotalDuration: 31_536_000, UnlockPeriod: 2_592_000,
		CliffDuration: 7_776_000, TotalAmount: big.NewInt(5_000_000_000), Sender: sender, Owner: owner,
		Whitelist: []chain.Address{elector, contracttest.Address("friend")},
		CodeHash:  st.CodeHash(), DataHash: st.DataHash(), LastTxLT: 77,
	}, facts.Vesting)

	st = contracttest.Account("bare", map[string]*cell.Cell{"get_vesting_data": contracttest.MethodReturning(0, 1, 2, 3, 4, 5, sender, owner, nil)})
	facts = contracttest.Detect(t, r, contracttest.Snapshot{}, st)
	require.Equal(t, []chain.Address{}, facts.Vesting.Whitelist)
	for name, values := range map[string][]any{
		"no owner":          {1, 2, 3, 4, 5, sender, (*chain.Address)(nil), nil},
		"negative start":    {-1, 2, 3, 4, 5, sender, owner, nil},
		"giant duration":    {1, 1 << 40, 3, 4, 5, sender, owner, nil},
		"another's vesting": {sender, 1, 2},
	} {
		st = contracttest.Account(name, map[string]*cell.Cell{"get_vesting_data": contracttest.MethodReturning(0, values...)})
		require.Nil(t, contracttest.Detect(t, r, contracttest.Snapshot{}, st).Vesting, name)
	}
}

func TestWhitelist_UnreadableIsEmpty(t *testing.T) {
	t.Parallel()
	require.Equal(t, []chain.Address{}, vesting.Whitelist(nil))
	require.Equal(t, []chain.Address{}, vesting.Whitelist(contracttest.Asm("ffff")))
}

func FuzzWhitelist_IsNeverNil(f *testing.F) {
	f.Add(contracttest.Seed(whitelist(f, contracttest.Address("a"), contracttest.Address("b"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NotNil(t, vesting.Whitelist(contracttest.Tree(data)))
	})
}
