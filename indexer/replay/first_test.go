package replay

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/indexer/decode"
	"tonql/indexer/mainnet"
	"tonql/internal/chain"
)

// replayFirst re-executes the first masterchain blocks of the main network up to a seqno. Each block is changed before it
// is executed.
func replayFirst(tb testing.TB, first *mainnet.FirstBlocks, upTo uint32, change func(*decode.Master)) (Stats, []chain.ReplayMismatch) {
	tb.Helper()
	r := New(NewNetwork(first), Options{})
	sum := Stats{Proven: map[string]int{}, Unverified: map[string]int{}, OldRules: map[string]int{}}
	var mismatches []chain.ReplayMismatch
	for seqno := uint32(1); seqno <= upTo; seqno++ {
		raw, err := first.MasterBlock(tb.Context(), seqno)
		require.NoError(tb, err)
		m, err := decode.MasterBlock(tb.Context(), raw)
		require.NoError(tb, err)
		change(m)
		stats, err := r.Run(tb.Context(), m)
		require.NoError(tb, err)
		sum.Replayed += stats.Replayed
		sum.Mismatched += stats.Mismatched
		sum.Fetched += stats.Fetched
		for why, n := range stats.Proven {
			sum.Proven[why] += n
		}
		for why, n := range stats.Unverified {
			sum.Unverified[why] += n
		}
		for why, n := range stats.OldRules {
			sum.OldRules[why] += n
		}
		mismatches = append(mismatches, m.Mismatches...)
	}
	return sum, mismatches
}

func unchanged(*decode.Master) {}

func TestFirstBlocks_EveryTransactionReplays(t *testing.T) {
	t.Parallel()
	first := mainnet.OpenFirstBlocks(t)
	head, err := first.Head(t.Context())
	require.NoError(t, err)
	stats, mismatches := replayFirst(t, first, head.Seqno, unchanged)
	require.Empty(t, mismatches)
	require.Empty(t, stats.Proven)
	require.Empty(t, stats.Unverified)
	if first.Further() {
		t.Logf("%d transactions replayed, old rules: %v", stats.Replayed, stats.OldRules)
		return
	}
	require.Equal(t, 1087, stats.Replayed)
	require.Empty(t, stats.OldRules)
	require.Equal(t, 5, stats.Fetched)
}

// A transaction of the first blocks that is not what its execution gives is a mismatch, as it is in any other block.
func TestFirstBlocks_ChangedTransactionIsAMismatch(t *testing.T) {
	t.Parallel()
	const seqno = 9
	first := mainnet.OpenFirstBlocks(t)
	for name, change := range map[string]func(m *decode.Master, i int){
		"another result": func(m *decode.Master, i int) {
			m.Transactions[i].Hash[7] ^= 1
		},
		"another state": func(m *decode.Master, i int) {
			m.Transactions[i].Hash[7] ^= 1
			m.Transactions[i].StateHashAfter[7] ^= 1
		},
		"another message": func(m *decode.Master, i int) {
			message := m.Cells[i].InMsg
			b := cell.BeginCell().MustStoreSlice(message.MustBeginParse().MustPreloadSlice(message.BitsSize()-1), message.BitsSize()-1)
			bit, err := message.MustBeginParse().BitAt(message.BitsSize() - 1)
			require.NoError(t, err)
			b.MustStoreBoolBit(bit == 0)
			for n := range int(message.RefsNum()) {
				b.MustStoreRef(message.MustPeekRef(n))
			}
			m.Cells[i].InMsg = b.EndCell()
		},
		"another time": func(m *decode.Master, i int) {
			m.Headers[m.BlockOf[i]].Block.GenUtime++
		},
	} {
		var changed chain.TransactionKey
		stats, mismatches := replayFirst(t, first, seqno, func(m *decode.Master) {
			if m.Block.Seqno != seqno {
				return
			}
			i := withMessage(t, m)
			changed = m.Transactions[i].Key()
			change(m, i)
		})
		require.NotZero(t, stats.Mismatched, name)
		var found bool
		for _, mm := range mismatches {
			found = found || mm.TransactionKey == changed
			require.Equal(t, uint32(seqno), mm.McSeqno, name)
			require.NotEmpty(t, mm.Reason, name)
		}
		require.True(t, found, "%s: %s", name, fmt.Sprint(mismatches))
	}
}

// withMessage returns the first transaction that executed code on a message.
func withMessage(t *testing.T, m *decode.Master) int {
	t.Helper()
	for i := range m.Transactions {
		c := m.Transactions[i].Description.Compute
		if m.Cells[i].InMsg != nil && c != nil && !c.Skipped {
			return i
		}
	}
	require.Fail(t, "no transaction has a message")
	return 0
}
