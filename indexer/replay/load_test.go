package replay

import (
	"encoding/binary"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
)

// Large accounts without a share of the cells of a block are not executed, the same ones whatever is cached and however many are loaded at a time.
func TestReplay_CellsOfLargeAccountsOfABlockAreBounded(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	run := func(r *Replayer) (Stats, *decode.Master) {
		m, err := decode.MasterBlock(t.Context(), fat.Raw)
		require.NoError(t, err)
		stats, err := r.Run(t.Context(), m)
		require.NoError(t, err)
		return stats, m
	}
	stats, all := run(New(NewNetwork(fat), Options{}))
	require.Empty(t, stats.Unverified)
	var sizes []int // of the large accounts, in the order of lanes
	seen := map[chain.Address]int{}
	r := New(NewNetwork(fat), Options{})
	lanes := r.lanes(all, make([]*blockContext, len(all.Headers)))
	for _, l := range lanes {
		if used := all.Final[l.account]; used != nil && used.Row.UsedCells >= largeState {
			sizes, seen[l.account] = append(sizes, int(used.Row.UsedCells)), int(used.Row.UsedCells)
		}
	}
	require.NotEmpty(t, sizes)
	for _, limit := range []int{1, sizes[0] + 64} {
		var want []chain.UnverifiedTransaction
		for _, fetches := range []int{1, 7} {
			r := New(NewNetwork(fat), Options{LoadedCells: limit, Fetches: fetches})
			stats, m := run(r)
			require.Zero(t, stats.Mismatched)
			require.Len(t, m.Unverified, stats.Unverified["cells"])
			if limit == 1 {
				require.NotEmpty(t, m.Unverified)
			} else {
				require.Less(t, len(m.Unverified), len(seen))
			}
			if want == nil {
				want = m.Unverified
			}
			require.Equal(t, want, m.Unverified)
			for _, u := range m.Unverified {
				require.Contains(t, seen, u.Account)
				require.NotContains(t, m.Final, u.Account)
				require.NotContains(t, r.states.hot, u.Account)
			}
		}
	}
}

// largeAccount returns the state of an account with a tree of its own.
func largeAccount(t *testing.T, a chain.Address, cells int) *state {
	t.Helper()
	var data *cell.Cell
	for i := range cells {
		b := cell.BeginCell().MustStoreSlice(binary.BigEndian.AppendUint64(a.ID[:1], uint64(i)), 72)
		if data != nil && i%500 != 0 {
			b.MustStoreRef(data)
		}
		data = b.EndCell()
	}
	s, err := (&tlb.AccountState{
		IsValid: true, Address: stdAddress(a),
		StorageInfo: tlb.StorageInfo{
			StorageUsed:  tlb.StorageUsed{CellsUsed: big.NewInt(int64(cells)), BitsUsed: big.NewInt(int64(cells))},
			StorageExtra: tlb.StorageExtraNone{},
		},
		AccountStorage: tlb.AccountStorage{
			Status: tlb.AccountStatusActive, Balance: tlb.MustFromTON("1"),
			StateInit: &tlb.StateInit{Code: cell.BeginCell().EndCell(), Data: data},
		},
	}).ToCell()
	require.NoError(t, err)
	made, err := newState(a, s, chain.TransactionRef{LT: 5})
	require.NoError(t, err)
	return made
}

// Large states are serialized early, the least recently used first; ordinary ones stay prepared.
func TestCache_CellsOfLargePreparedStatesAreBounded(t *testing.T) {
	t.Parallel()
	c := newCache(64<<20, 2)
	c.maxCells = 2500
	account := func(i int) chain.Address { return chain.Address{ID: chain.Hash{byte(i + 1)}} }
	small := chain.Address{ID: chain.Hash{0xff}}
	c.put(small, largeAccount(t, small, largeState-1))
	for i := range 3 {
		c.put(account(i), largeAccount(t, account(i), 1000))
	}
	c.endRound()
	require.Len(t, c.hot, 3)
	require.NotContains(t, c.hot, account(0))
	require.Equal(t, 2000, c.hotCells)
	require.Equal(t, 1000, c.cold[account(0)].Value.(*coldState).cells)

	s, _ := c.take(account(1)) // used again: the other one is serialized first
	c.put(account(1), s)
	c.put(account(3), largeAccount(t, account(3), 1000))
	c.endRound()
	require.Contains(t, c.hot, account(1))
	require.Contains(t, c.hot, account(3))
	require.Contains(t, c.hot, small)
	require.NotContains(t, c.hot, account(2))
	_, cold := c.take(account(0))
	s, err := cold.thaw()
	require.NoError(t, err)
	require.Equal(t, 1000, s.largeCells())
	for range hotRounds {
		c.endRound()
	}
	require.Empty(t, c.hot)
	require.Zero(t, c.hotCells)
}
