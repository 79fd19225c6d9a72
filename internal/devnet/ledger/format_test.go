package ledger

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tonkeeper/tongo/boc"
	tongo "github.com/tonkeeper/tongo/tlb"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

// busyChain has transfers in two shards and to the masterchain, queued messages,
// a split and a merge: one block of every form.
func busyChain(t *testing.T) *Chain {
	t.Helper()
	wallets := testWallets(t, 8, 0)
	var c *Chain
	c = openChain(t, Options{Genesis: accountsOf(wallets...), Clock: roundClock(&c)})
	mineRounds(t, c, wallets, 0, 18)
	return c
}

func allBlocks(t *testing.T, c *Chain) (out []*Block) {
	t.Helper()
	for seqno := uint32(1); seqno <= c.Head().ID.SeqNo; seqno++ {
		blocks, err := c.Committed(seqno)
		require.NoError(t, err)
		head, err := c.Block(masterID(seqno))
		require.NoError(t, err)
		out = append(append(out, blocks...), head)
	}
	return out
}

// TestBlocks_AnotherLibraryParsesThem reads all blocks and states with another library, which
// supports all of block.tlb.
func TestBlocks_AnotherLibraryParsesThem(t *testing.T) {
	t.Parallel()
	c := busyChain(t)
	for _, b := range allBlocks(t, c) {
		roots, err := boc.DeserializeBoc(b.Data)
		require.NoError(t, err)
		var block tongo.Block
		require.NoError(t, tongo.Unmarshal(roots[0], &block), blockName(b.ID))
		require.Equal(t, b.ID.SeqNo, block.Info.SeqNo)
		require.Len(t, block.AllTransactions(), len(blockTxs(t, b)))
		flow := block.ValueFlow
		require.NotZero(t, flow.FeesCollected.Grams)

		root, err := c.State(b.ID)
		require.NoError(t, err)
		data, err := layout.Serialize(root)
		require.NoError(t, err)
		roots, err = boc.DeserializeBoc(data)
		require.NoError(t, err)
		var state tongo.ShardStateUnsplit
		require.NoError(t, tongo.Unmarshal(roots[0], &state), blockName(b.ID))
		require.Equal(t, b.ID.SeqNo, state.ShardStateUnsplit.SeqNo)
		require.Equal(t, b.EndLT, state.ShardStateUnsplit.GenLt)
	}
}

// TestMasterState_ClientLibraryReadsIt reads the masterchain's part with the client library: shards,
// old blocks, key blocks, and the validator's signatures.
func TestMasterState_ClientLibraryReadsIt(t *testing.T) {
	t.Parallel()
	c := busyChain(t)
	for _, b := range allBlocks(t, c) {
		if b.ID.Workchain != layout.Masterchain {
			continue
		}
		root, err := c.State(b.ID)
		require.NoError(t, err)
		var st tlb.ShardStateUnsplit
		require.NoError(t, tlb.Parse(&st, root))
		var extra tlb.McStateExtra
		require.NoError(t, tlb.Parse(&extra, st.McStateExtra))
		shards, err := ton.LoadShardsFromHashes(extra.ShardHashes, false)
		require.NoError(t, err)
		committed, err := c.Committed(b.ID.SeqNo)
		require.NoError(t, err)
		require.Len(t, shards, len(committed))
		for i, s := range committed {
			require.True(t, s.ID.Equals(shards[i]))
			require.Equal(t, b.ID.SeqNo, s.McSeqno)
		}
		var info tlb.McStateExtraBlockInfo
		require.NoError(t, tlb.Parse(&info, extra.Info))
		for seqno := range b.ID.SeqNo {
			ref, key, err := layout.OldMcBlock(info.PrevBlocks.AugmentedDictionary, seqno)
			require.NoError(t, err)
			require.Equal(t, seqno <= 1, key) // the zerostate and the first block
			if seqno > 0 {
				old, err := c.Block(masterID(seqno))
				require.NoError(t, err)
				require.Equal(t, old.ID.RootHash, ref.RootHash)
				require.Equal(t, old.EndLT, ref.EndLt)
			}
		}
		requireSignatures(t, c, b, extra.ConfigParams.Config.Params.AsCell())
	}
}

// requireSignatures checks the signatures of a block with the client library. The parameters are those of the key block
// before it.
func requireSignatures(t *testing.T, c *Chain, b *Block, params *cell.Cell) {
	t.Helper()
	config := tlb.BlockchainConfig{Root: params}
	set, err := config.GetCurrentValidators()
	require.NoError(t, err)
	catchain, err := config.GetCatchainConfig()
	require.NoError(t, err)
	var blk tlb.Block
	require.NoError(t, tlb.Parse(&blk, b.Root))
	validators, err := ton.GetMainValidators(&b.ID, catchain, *set, blk.BlockInfo.GenCatchainSeqno)
	require.NoError(t, err)
	sigs, err := c.Signatures(b.ID.SeqNo)
	require.NoError(t, err)
	seqno, hash := blk.BlockInfo.GenCatchainSeqno, blk.BlockInfo.GenValidatorListHashShort
	switch s := sigs.(type) {
	case ton.SignatureSet:
		require.Equal(t, genesis.Ordinary, genesis.ConsensusOf(params))
		require.Equal(t, []uint32{seqno, hash}, []uint32{uint32(s.CatchainSeqno), uint32(s.ValidatorSetHash)})
		require.NoError(t, ton.CheckBlockSignatures(&b.ID, seqno, hash, s.Signatures, validators))
	case ton.SignatureSetSimplex:
		require.Equal(t, genesis.Simplex, genesis.ConsensusOf(params))
		require.Equal(t, []uint32{seqno, hash}, []uint32{uint32(s.CCSeqno), uint32(s.ValidatorSetHash)})
		require.NoError(t, ton.CheckBlockSignaturesSimplex(&b.ID, seqno, hash, s.SessionID, s.Slot, s.Candidate, s.Signatures, validators))
	default:
		require.Failf(t, "unexpected signatures", "%T", sigs)
	}
}

// TestBlocks_SerializeToTheirFileHash checks that serializing a block again yields the stored
// bytes.
func TestBlocks_SerializeToTheirFileHash(t *testing.T) {
	t.Parallel()
	c := busyChain(t)
	for _, b := range allBlocks(t, c) {
		require.Equal(t, b.ID.FileHash, cell.ComputeFileHash(b.Root))
		data, err := layout.Serialize(b.Root)
		require.NoError(t, err)
		require.Equal(t, b.Data, data)
	}
	for _, wc := range []int32{layout.Masterchain, layout.Basechain} {
		root, err := c.ZerostateCell(wc)
		require.NoError(t, err)
		require.Equal(t, c.ZerostateID(wc).FileHash, cell.ComputeFileHash(root))
	}
}

// TestChain_ConcurrentReadersWhileMining reads from several goroutines while rounds are made.
func TestChain_ConcurrentReadersWhileMining(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 4, 0)
	c := openChain(t, Options{Genesis: accountsOf(wallets...), KeepStates: 2})
	mine(t, c, 1)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 3)
	for range 3 {
		go func() {
			for n := uint32(1); ctx.Err() == nil; n++ {
				head := c.Head()
				if _, err := c.State(head.ID); err != nil {
					done <- err
					return
				}
				if _, err := c.State(masterID(n%head.ID.SeqNo + 1)); err != nil {
					done <- err
					return
				}
				if _, err := c.ByLT(0, 0x1111111111111111, head.StartLT/2); err != nil {
					done <- err
					return
				}
				c.OutQueueSizes()
			}
			done <- nil
		}()
	}
	for n := range 40 {
		for i, w := range wallets {
			require.NoError(t, c.SendExternal(ctx, w.transfer(t, uint32(n), pay(wallets[(i+1)%4].address, 1))))
		}
		mine(t, c, 1)
	}
	stop()
	for range 3 {
		require.NoError(t, <-done)
	}
}
