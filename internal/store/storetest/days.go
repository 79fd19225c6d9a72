package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/store"
	"tonql/internal/store/synthetic"
)

// secondsPerBlock makes 2,000 blocks last for some five days.
const secondsPerBlock = 220

// DayBlocks are blocks of some days, in two full ranges and the beginning of a third one.
func DayBlocks(t *testing.T) []*chain.MasterBlock {
	t.Helper()
	blocks, _ := synthetic.New(synthetic.Options{Transactions: 9000, Accounts: 60, PerBlock: 4, Shards: 2, Seed: 5, Contracts: true}).Batch(1 << 20)
	require.Greater(t, len(blocks), 2100)
	blocks = blocks[:2100]
	for _, mb := range blocks {
		now := synthetic.Epoch + mb.Block.Seqno*secondsPerBlock
		mb.Block.GenUtime = now
		for i := range mb.ShardBlocks {
			mb.ShardBlocks[i].GenUtime = now
		}
		for i := range mb.Transactions {
			mb.Transactions[i].Now = now
		}
		for i := range mb.JettonTransfers {
			mb.JettonTransfers[i].TxNow = now
		}
	}
	return blocks
}

// ComputeDays does what the indexer does in the background, until nothing is left.
func ComputeDays(t *testing.T, db *store.DB) {
	t.Helper()
	for {
		indexed, err := db.Reader().Ranges(t.Context())
		require.NoError(t, err)
		left := false
		for _, run := range indexed {
			for {
				within, missing, err := db.Reader().MissingDays(t.Context(), run, nil)
				require.NoError(t, err)
				if !missing {
					break
				}
				left = true
				stored, err := db.StoreDays(t.Context(), within)
				require.NoError(t, err)
				require.True(t, stored)
			}
		}
		require.NoError(t, db.SettleDays(t.Context()))
		day, outdated, err := db.Reader().OutdatedDay(t.Context(), nil)
		require.NoError(t, err)
		if outdated {
			require.NoError(t, db.StoreDay(t.Context(), day))
		} else if !left {
			return
		}
	}
}

// DaysOf returns the days of blocks.
func DaysOf(blocks []*chain.MasterBlock) chain.DayRange {
	return chain.DayRange{First: blocks[0].Block.GenUtime / chain.SecondsPerDay, Last: blocks[len(blocks)-1].Block.GenUtime / chain.SecondsPerDay}
}

// NetworkDays reads the sums of days.
func NetworkDays(t *testing.T, db *store.DB, within chain.DayRange) *chain.NetworkDays {
	t.Helper()
	days, err := db.Reader().NetworkDays(t.Context(), within)
	require.NoError(t, err)
	return days
}

// BusiestJetton is the Jetton with the most wallets.
func BusiestJetton(blocks []*chain.MasterBlock) (busiest chain.Address) {
	counts := map[chain.Address]int{}
	for _, mb := range blocks {
		for i := range mb.Contracts {
			if w := mb.Contracts[i].JettonWallet; w != nil {
				counts[w.Jetton]++
				if counts[w.Jetton] > counts[busiest] {
					busiest = w.Jetton
				}
			}
		}
	}
	return busiest
}
