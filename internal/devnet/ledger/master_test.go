package ledger

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// TestMasterchain_EmptyBlockTicksTocksAndPaysFees checks an empty masterchain block: the elector ticks and
// receives the created and collected coins, and the config contract tocks.
func TestMasterchain_EmptyBlockTicksTocksAndPaysFees(t *testing.T) {
	t.Parallel()
	c := openChain(t, Options{})
	before := accountState(t, c, genesis.ElectorAddress).Balance.Nano().Uint64()
	mine(t, c, 3)
	txs := blockTxs(t, c.Head())
	require.Len(t, txs, 3)
	var ticks, tocks, paid int
	for _, tx := range txs {
		switch d := tx.Description.(type) {
		case tlb.TransactionDescriptionTickTock:
			if d.IsTock {
				tocks++
				require.Equal(t, genesis.ConfigAddress.Data(), tx.AccountAddr)
			} else {
				ticks++
				require.Equal(t, genesis.ElectorAddress.Data(), tx.AccountAddr)
			}
		case tlb.TransactionDescriptionOrdinary:
			paid++
			require.Equal(t, genesis.MinterAddress.Data(), tx.IO.In.AsInternal().SrcAddr.Data())
		}
	}
	require.Equal(t, []int{1, 1, 1}, []int{ticks, tocks, paid})
	elector := accountState(t, c, genesis.ElectorAddress)
	require.Equal(t, before+3*2_700_000_000, elector.Balance.Nano().Uint64())
	require.Equal(t, uint64(3), elector.StateInit.Data.MustBeginParse().MustLoadUInt(64))
}

// TestConfigChange_MakesAKeyBlock sets a parameter through the config contract: the block is a
// key block, carries the new parameters, and the next blocks use them.
func TestConfigChange_MakesAKeyBlock(t *testing.T) {
	t.Parallel()
	c := openChain(t, Options{})
	mine(t, c, 2)
	require.False(t, c.Head().KeyBlock)
	value := cell.BeginCell().MustStoreUInt(42, 64).EndCell()
	msg, err := genesis.ConfigChange(c.opts.Seed, 0, genesisTime+60, 71, value)
	require.NoError(t, err)
	require.NoError(t, c.SendExternal(context.Background(), msg))
	key := mine(t, c, 1)
	require.True(t, key.KeyBlock)
	got, err := tlb.BlockchainConfig{Root: c.Config()}.GetParam(71)
	require.NoError(t, err)
	require.Equal(t, value.Hash(), got.Hash())

	var blk tlb.Block
	require.NoError(t, tlb.Parse(&blk, key.Root))
	require.NotNil(t, blk.Extra.Custom.ConfigParams)
	require.Equal(t, c.Config().Hash(), blk.Extra.Custom.ConfigParams.Config.Params.AsCell().Hash())
	next := mine(t, c, 1)
	require.False(t, next.KeyBlock)
	require.NoError(t, tlb.Parse(&blk, next.Root))
	require.Equal(t, key.ID.SeqNo, blk.BlockInfo.PrevKeyBlockSeqno)

	// The chain ignores a parameter with which it could not continue.
	msg, err = genesis.ConfigChange(c.opts.Seed, 1, genesisTime+60, 8, cell.BeginCell().EndCell())
	require.NoError(t, err)
	require.NoError(t, c.SendExternal(context.Background(), msg))
	require.False(t, mine(t, c, 1).KeyBlock)
	replayAll(t, c)
}

// TestMine_ManyRoundsFillTheListOfPreviousBlocks crosses a hundred masterchain blocks, so that all three parts of
// the list of previous blocks are in use, and looks blocks up by LT and time.
func TestMine_ManyRoundsFillTheListOfPreviousBlocks(t *testing.T) {
	t.Parallel()
	var c *Chain
	c = openChain(t, Options{Clock: roundClock(&c)})
	mine(t, c, 230)
	replayAll(t, c)

	full := layout.FullShard
	for _, wc := range []int32{layout.Masterchain, layout.Basechain} {
		b, err := c.BySeqno(wc, int64(full), 117)
		require.NoError(t, err)
		for _, lt := range []uint64{b.StartLT, b.StartLT - 5, b.EndLT} {
			got, err := c.ByLT(wc, 0x1234567812345678, lt)
			require.NoError(t, err)
			require.Equal(t, b.ID, got.ID)
		}
		got, err := c.ByLT(wc, int64(full), b.EndLT+1)
		require.NoError(t, err)
		require.Equal(t, uint32(118), got.ID.SeqNo)
		got, err = c.ByUtime(wc, int64(full), b.GenUtime)
		require.NoError(t, err)
		require.Equal(t, b.ID, got.ID)
		_, err = c.ByLT(wc, int64(full), 1<<62)
		require.True(t, IsNotFound(err))
	}
	_, err := c.BySeqno(layout.Basechain, int64(full), 231)
	require.True(t, IsNotFound(err))
	wrong := c.Head().ID
	wrong.RootHash = make([]byte, 32)
	_, err = c.Block(wrong)
	require.True(t, IsNotFound(err))
}
