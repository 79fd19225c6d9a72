package replay

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"go.uber.org/goleak"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/cellparts"
	"tonql/internal/chain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newMaster(tb testing.TB, fat *mainnet.FatBlock) *decode.Master {
	tb.Helper()
	m, err := decode.MasterBlock(tb.Context(), fat.Raw)
	require.NoError(tb, err)
	return m
}

func TestReplay_LargeBlockHasNoMismatch(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	m := newMaster(t, fat)
	r := New(NewNetwork(fat), Options{})
	stats, err := r.Run(t.Context(), m)
	require.NoError(t, err)
	for _, mm := range m.Mismatches {
		t.Log(mm.Account, mm.LT, mm.Reason)
	}
	require.Equal(t, fat.TxCount, stats.Replayed)
	require.Zero(t, stats.Mismatched)
	require.Empty(t, stats.Proven)
	require.Equal(t, 234, stats.Fetched)
	requireStates(t, m)

	// The same block produces the same rows again, although all cached states are later ones and are fetched again.
	states := m.States
	again := newMaster(t, fat)
	stats, err = New(NewNetwork(fat), Options{Workers: 1}).Run(t.Context(), again)
	require.NoError(t, err)
	require.Equal(t, fat.TxCount, stats.Replayed)
	require.Equal(t, states, again.States)
	require.Equal(t, m.MasterBlock.Cells, again.MasterBlock.Cells)
	require.Equal(t, m.Libraries, again.Libraries)
}

// requireStates compares the rows of states with the transactions that made them, and cells with their hashes.
func requireStates(t *testing.T, m *decode.Master) {
	t.Helper()
	hashes := map[chain.TransactionKey]chain.Hash{}
	var parts cellparts.Joiner
	for h, boc := range m.MasterBlock.Cells {
		require.NoError(t, parts.Add(h, boc))
	}
	require.Empty(t, parts.Missing())
	for _, s := range m.States {
		key := chain.TransactionKey{Account: s.Account, LT: s.LT}
		_, twice := hashes[key]
		require.False(t, twice)
		hashes[key] = s.Hash
		for _, h := range []*chain.Hash{s.CodeHash, s.DataHash} {
			if h == nil {
				continue
			}
			c, err := parts.Root(*h)
			require.NoError(t, err, "cell %s of %s", h.Hex(), s.Account)
			require.Equal(t, h.Bytes(), c.Hash())
		}
	}
	for i := range m.Transactions {
		tx := &m.Transactions[i]
		require.Equal(t, chain.Replayed, tx.Verification)
		require.Equal(t, tx.StateHashAfter, hashes[tx.Key()], "state after %s %d", tx.Account, tx.LT)
		if tx.StateHashBefore != noAccountHash {
			before := chain.TransactionKey{Account: tx.Account, LT: tx.PrevLT}
			require.Equal(t, tx.StateHashBefore, hashes[before], "state before %s %d", tx.Account, tx.LT)
		}
	}
	require.NotEmpty(t, m.Libraries)
}

func TestPrevBlocks_EqualTheRecordedTuple(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	m := newMaster(t, fat)
	h := &m.Headers[1]
	got, err := NewNetwork(fat).prevBlocksTuple(t.Context(), *h.MasterRef, h.Block.PrevKeyBlockSeqno, 13)
	require.NoError(t, err)
	require.Equal(t, flatten(fat.PrevBlocks), flatten(got))
}

// flatten returns tuples as nested slices of decimal numbers.
func flatten(v any) any {
	switch v := v.(type) {
	case tuple.Tuple:
		items := make([]any, v.Len())
		for i := range items {
			items[i], _ = v.RawIndex(i)
		}
		return flatten(items)
	case []any:
		items := make([]any, len(v))
		for i := range v {
			items[i] = flatten(v[i])
		}
		return items
	case *big.Int:
		return v.String()
	default:
		return v
	}
}

func TestReplay_WrongProvenStateIsNoMismatch(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	m := newMaster(t, fat)
	m.Transactions[0].StateHashBefore[0] ^= 1
	stats, err := New(NewNetwork(fat), Options{}).Run(t.Context(), m)
	require.NoError(t, err)
	require.Zero(t, stats.Mismatched)
	require.NotEmpty(t, stats.Proven)
	require.Equal(t, chain.Proven, m.Transactions[0].Verification)
}

// A network counts the distinct cells of a message, so messages with an endless tree walk are valid on the chain. Their
// transactions are not executed; all others are.
func TestReplay_EndlessMessagesAreNotExecuted(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	m := newMaster(t, fat)
	at := slices.DeleteFunc(loneTransactions(m), func(i int) bool { return m.Cells[i].InMsg == nil })[:2]
	to := address.NewAddress(0, 0, make([]byte, 32))
	leaf := cell.BeginCell().MustStoreBoolBit(true).MustStoreRef(cell.BeginCell().EndCell())
	for i, message := range []any{
		&tlb.ExternalMessage{DstAddr: to, Body: cellgraphtest.Shared(200, nil)},
		&tlb.ExternalMessage{
			DstAddr: to, Body: cell.BeginCell().EndCell(), StateInit: &tlb.StateInit{Lib: cellgraphtest.Dict(256, leaf).AsDict(256)},
		},
	} {
		c, err := tlb.ToCell(message)
		require.NoError(t, err)
		m.Cells[at[i]].InMsg = c
	}
	stats, err := New(NewNetwork(fat), Options{}).Run(t.Context(), m)
	require.NoError(t, err)
	require.Zero(t, stats.Mismatched)
	require.Equal(t, fat.TxCount-2, stats.Replayed)
	for _, i := range at {
		require.Equal(t, chain.Unverified, m.Transactions[i].Verification)
	}
	require.Len(t, m.Unverified, len(at))
	for _, u := range m.Unverified {
		require.Equal(t, "cells", u.Reason)
	}
	require.Equal(t, map[string]int{"cells": len(at)}, stats.Unverified)
}

func TestReplay_MismatchIsARow(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	m := newMaster(t, fat)
	// Two transactions have other results than their execution.
	lone := loneTransactions(m)
	first, second := lone[0], lone[1]
	m.Transactions[first].Hash[5] ^= 1
	m.Transactions[second].Hash[5] ^= 1
	m.Transactions[second].StateHashAfter[5] ^= 1
	stats, err := New(NewNetwork(fat), Options{}).Run(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, 2, stats.Mismatched)
	require.Len(t, m.Mismatches, 2)
	for i, at := range []int{first, second} {
		mm, tx := m.Mismatches[i], m.Transactions[at]
		require.Equal(t, tx.Key(), mm.TransactionKey)
		require.Equal(t, tx.Hash, mm.Hash)
		require.NotNil(t, mm.Got)
		require.NotEqual(t, tx.Hash, *mm.Got)
		require.NotEmpty(t, mm.Reason)
		require.Equal(t, chain.Mismatch, tx.Verification)
	}
	require.Equal(t, m.Transactions[first].StateHashAfter, *m.Mismatches[0].GotState)
	require.NotEqual(t, m.Transactions[second].StateHashAfter, *m.Mismatches[1].GotState)
}

// loneTransactions lists the transactions that are the only ones of their accounts in the block.
func loneTransactions(m *decode.Master) []int {
	count := map[chain.Address]int{}
	for i := range m.Transactions {
		count[m.Transactions[i].Account]++
	}
	var lone []int
	for i := range m.Transactions {
		if count[m.Transactions[i].Account] == 1 {
			lone = append(lone, i)
		}
	}
	return lone
}

func TestCache_IsBounded(t *testing.T) {
	t.Parallel()
	fat := mainnet.OpenFatBlock(t)
	m := newMaster(t, fat)
	r := New(NewNetwork(fat), Options{})
	_, err := r.Run(t.Context(), m)
	require.NoError(t, err)
	accounts := map[chain.Address]chain.Hash{}
	for i := range m.Transactions {
		accounts[m.Transactions[i].Account] = m.Transactions[i].StateHashAfter
	}
	require.Len(t, r.states.hot, len(accounts))
	for range hotRounds {
		r.states.endRound()
	}
	require.Empty(t, r.states.hot)
	require.Len(t, r.states.cold, len(accounts))
	for a, hash := range accounts {
		s, cold := r.states.take(a)
		require.Nil(t, s)
		s, err := cold.thaw()
		require.NoError(t, err)
		require.Equal(t, hash, s.hash)
		require.Equal(t, hash.Bytes(), s.root().Hash())
		r.states.put(a, s)
	}
	r.states.maxBytes = 20_000
	for range hotRounds + 1 {
		r.states.endRound()
	}
	require.LessOrEqual(t, r.states.coldBytes, 20_000)
	require.Equal(t, len(r.states.cold), r.states.order.Len())
	require.Less(t, len(r.states.cold), len(accounts))
}

func BenchmarkReplayFatBlock(b *testing.B) {
	fat := mainnet.OpenFatBlock(b)
	m := newMaster(b, fat)
	net := NewNetwork(fat)
	b.ReportAllocs()
	for b.Loop() {
		stats, err := New(net, Options{}).Run(b.Context(), m)
		require.NoError(b, err)
		require.Equal(b, fat.TxCount, stats.Replayed)
	}
	b.ReportMetric(float64(fat.TxCount*b.N)/b.Elapsed().Seconds(), "tx/s")
}

// BenchmarkColdStates packs and thaws the states of the block's accounts, as happens to accounts without transactions
// in the last rounds.
func BenchmarkColdStates(b *testing.B) {
	fat := mainnet.OpenFatBlock(b)
	m := newMaster(b, fat)
	r := New(NewNetwork(fat), Options{})
	_, err := r.Run(b.Context(), m)
	require.NoError(b, err)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for a, h := range r.states.hot {
			cold := &coldState{account: a}
			cold.fill(h.state)
			s, err := cold.thaw()
			require.NoError(b, err)
			require.Equal(b, h.hash, s.hash)
			n++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "us/account")
}
