package indexer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
)

// An indexer is live when nothing is missing below the newest block, it waits for nothing, and it is a few blocks behind the head at most.
func TestStatus_LiveAtTheHead(t *testing.T) {
	t.Parallel()
	require.True(t, (&Status{LagBlocks: 10}).Live())
	require.False(t, (&Status{LagBlocks: 11}).Live())
	require.False(t, (&Status{Remaining: 1}).Live())
	require.False(t, (&Status{Trouble: []string{"the database cannot be reached now"}}).Live())
}

// The lag is that to the head of the network in blocks, and the age of the newest block, which grows at the head of liteservers that are behind. A
// process that fills a range has none.
func TestTracker_LagIsThatToTheHead(t *testing.T) {
	t.Parallel()
	block := func(seqno uint32, age time.Duration) *chain.MasterBlock {
		m := &chain.MasterBlock{Transactions: make([]chain.Transaction, 2), Messages: make([]chain.Message, 3), States: make([]chain.AccountState, 4)}
		m.Block.Seqno, m.Block.GenUtime = seqno, uint32(time.Now().Add(-age).Unix())
		m.ShardBlocks, m.Mismatches = make([]chain.Block, 1), make([]chain.ReplayMismatch, 1)
		return m
	}
	tr := newTracker()
	tr.enter(Following)
	plan := newPlan(1, 100, []chain.SeqnoRange{{First: 1, Last: 90}})
	tr.start(100, block(90, time.Hour).Block, plan)
	s := tr.snapshot()
	require.Equal(t, uint32(90), s.Indexed)
	require.Equal(t, uint32(10), s.LagBlocks)
	require.InDelta(t, time.Hour.Seconds(), s.LagSeconds, 30, "of a block that an earlier process wrote, too")
	tr.start(100, block(80, 2*time.Hour).Block, plan)
	require.Equal(t, uint32(90), tr.snapshot().Indexed, "of the newest block")
	tr.wrote([]*chain.MasterBlock{block(95, time.Minute), block(94, time.Hour), block(93, 2*time.Hour)})
	s = tr.snapshot()
	require.Equal(t, uint32(95), s.Indexed, "blocks may be written in any order")
	require.Equal(t, uint32(5), s.LagBlocks)
	require.InDelta(t, 60, s.LagSeconds, 30)
	require.EqualValues(t, 3, s.Blocks)
	require.EqualValues(t, 6, s.Transactions)
	require.EqualValues(t, 3*(1+1+2+3+4), s.Rows)
	require.EqualValues(t, 3, s.Mismatches)
	tr.sawHead(94)
	require.Equal(t, uint32(100), tr.snapshot().Head, "another server may lag behind")
	tr.sawHead(101)
	require.Equal(t, uint32(6), tr.snapshot().LagBlocks)
	tr.enter(Filling)
	s = tr.snapshot()
	require.Zero(t, s.LagBlocks)
	require.Zero(t, s.LagSeconds)
	tr.enter(Following)
	tr.wrote([]*chain.MasterBlock{block(101, time.Minute)})
	s = tr.snapshot()
	require.Zero(t, s.LagBlocks)
	require.InDelta(t, 60, s.LagSeconds, 30, "the network makes no blocks, or its liteservers are behind")
	tr.setGaps([]chain.SeqnoRange{{First: 1, Last: 3}, {First: 7, Last: 7}})
	require.EqualValues(t, 4, tr.snapshot().Remaining)
	tr.trouble("b", "second")
	tr.trouble("a", "first")
	require.Equal(t, []string{"first", "second"}, tr.snapshot().Trouble)
	tr.trouble("a", "")
	require.Equal(t, []string{"second"}, tr.snapshot().Trouble)
}
