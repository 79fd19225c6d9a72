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
	"tonql/internal/devnet/contracts"
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

// wallet makes a vesting wallet with a whitelist; nil for an empty one.
func wallet(t *testing.T, terms contracts.VestingTerms, whitelist *cell.Cell) contract.State {
	t.Helper()
	w := contracts.VestingWallet(terms)
	st := contracttest.Deployed(w.Address, w.Init)
	if whitelist == nil {
		return st
	}
	s, err := st.Data.BeginParse()
	require.NoError(t, err)
	const before = 32 + 32 + 256
	head, err := s.LoadSlice(before)
	require.NoError(t, err)
	after, err := s.LoadRefCell()
	require.NoError(t, err)
	st.Data = cell.BeginCell().MustStoreSlice(head, before).MustStoreMaybeRef(whitelist).MustStoreRef(after).EndCell()
	return st
}

func TestDetect_VestingNeedsValidDataAndPublishedCode(t *testing.T) {
	t.Parallel()
	config, err := mainnet.OpenFatBlock(t).Config(t.Context(), chain.BlockIDExt{})
	require.NoError(t, err)
	r := contracttest.Runner(t, config, contract.Env{}, contract.Options{})
	sender, owner, elector := contracttest.Address("sender"), contracttest.Address("owner"), chain.Address{Workchain: -1, ID: chain.Hash{0x33}}
	terms := contracts.VestingTerms{
		Start: 1_700_000_000, Duration: 31_536_000, Period: 2_592_000, Cliff: 7_776_000, Amount: 5_000_000_000,
		Sender: contracttest.Party("sender"), Owner: contracttest.Party("owner"), Key: make([]byte, 32),
	}
	st := wallet(t, terms, whitelist(t, contracttest.Address("friend"), elector))
	facts := contracttest.Detect(t, r, contracttest.Snapshot{}, st)
	require.Equal(t, &chain.Vesting{
		Address: st.Address, StartTime: 1_700_000_000, TotalDuration: 31_536_000, UnlockPeriod: 2_592_000,
		CliffDuration: 7_776_000, TotalAmount: big.NewInt(5_000_000_000), Sender: sender, Owner: owner,
		Whitelist: []chain.Address{elector, contracttest.Address("friend")},
		CodeHash:  st.CodeHash(), DataHash: st.DataHash(), LastTxLT: st.LastTxLT,
	}, facts.Vesting)

	empty := wallet(t, terms, nil)
	require.Equal(t, []chain.Address{}, contracttest.Detect(t, r, contracttest.Snapshot{}, empty).Vesting.Whitelist)
	terms.Owner = nil
	require.Nil(t, contracttest.Detect(t, r, contracttest.Snapshot{}, wallet(t, terms, nil)).Vesting, "no owner")

	// Another code returns the same: anyone may name a famous owner and an amount that is not there.
	values := []any{1_700_000_000, 31_536_000, 2_592_000, 7_776_000, 5_000_000_000, sender, owner, nil}
	liar := contracttest.Account("liar", map[string]*cell.Cell{
		"get_vesting_data": contracttest.MethodReturning(0, values...), "seqno": contracttest.MethodReturning(0, 1),
		"get_public_key": contracttest.MethodReturning(0, 1),
	})
	facts = contracttest.Detect(t, r, contracttest.Snapshot{}, liar)
	require.Nil(t, facts.Vesting)
	require.Contains(t, facts.Interfaces, "wallet_vesting", "the methods alone name the interface")
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
