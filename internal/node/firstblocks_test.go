package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/indexer/mainnet"
	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
)

// network returns a configuration of the main network that names the archive's liteserver and no init block.
func (a *archive) network(t *testing.T) *liteclient.GlobalConfig {
	t.Helper()
	base := &liteclient.GlobalConfig{}
	base.Validator.ZeroState = liteclient.ConfigBlock{
		Workchain: -1, Shard: -1 << 63, RootHash: a.Zerostate.RootHash[:], FileHash: a.Zerostate.FileHash[:],
	}
	return nodetest.Config(base, a.serve(t).Liteserver())
}

func TestFirstBlocks_SignaturesHoldFromTheZerostate(t *testing.T) {
	t.Parallel()
	a := openArchive(t)
	require.GreaterOrEqual(t, len(a.signatures), mainnet.RecordedMasters)
	require.Len(t, a.signatures, int(a.head.Seqno))
	for seqno := uint32(1); seqno <= a.head.Seqno; seqno++ {
		to := a.ids[chain.MasterBlockID(seqno)]
		part, ok := a.blockProof(a.Zerostate, to).(ton.PartialBlockProof)
		require.True(t, ok)
		proven, err := node.CheckPart(part, a.Zerostate, to)
		require.NoError(t, err, seqno)
		require.Equal(t, []chain.BlockIDExt{to}, proven)

		link := part.Steps[0].(ton.BlockLinkForward) //nolint:forcetypeassert // has been checked
		other, ok := link.SignatureSet.(ton.SignatureSet)
		require.True(t, ok)
		other.Signatures = append(other.Signatures[:0:0], other.Signatures...)
		other.Signatures[0].Signature = a.signatures[chain.MasterBlockID(seqno%a.head.Seqno+1)].Signatures[0].Signature
		link.SignatureSet = other
		part.Steps[0] = link
		_, err = node.CheckPart(part, a.Zerostate, to)
		require.Error(t, err, "a signature of another block")
	}
}

func TestFirstBlocks_LinksWithOneChangedBitAreRefused(t *testing.T) {
	t.Parallel()
	a := openArchive(t)
	q := node.Expectation{From: a.Zerostate, To: a.ids[chain.MasterBlockID(50)]}
	raw, err := tl.Serialize(a.blockProof(q.From, q.To), true)
	require.NoError(t, err)
	want := content(parseProof(t, raw))
	refused, count := 0, len(raw)*8/5
	bits(raw, count, func(bit int, changed []byte) {
		believed, err := node.CheckResponse(changed, q)
		if err != nil || believed == node.NoLink(q) {
			refused++
			return
		}
		require.Equal(t, want, content(parseProof(t, changed)), "bit %d", bit)
	})
	require.Greater(t, refused, count*9/10)
}

// The client reads all first blocks of the main network from the zerostate alone, through ADNL.
func TestFirstBlocks_AreReadFromTheZerostate(t *testing.T) {
	t.Parallel()
	a := openArchive(t)
	c := open(t, a.network(t), func(o *node.Options) { o.Anchor = node.Anchor{Zerostate: true} })
	ctx := within(t, 3*time.Minute)
	head, err := c.Head(ctx)
	require.NoError(t, err)
	require.Equal(t, a.head, head)
	shards, splits := 0, 0
	for seqno := uint32(1); seqno <= head.Seqno; seqno++ {
		want, err := a.MasterBlock(ctx, seqno)
		require.NoError(t, err)
		got, err := c.MasterBlock(ctx, seqno)
		require.NoError(t, err, seqno)
		require.Equal(t, want.Master.ID, got.Master.ID)
		require.Equal(t, want.Top, got.Top)
		require.Len(t, got.Shards, len(want.Shards))
		splits = max(splits, len(got.Top))
		signatures, err := c.BlockSignatures(ctx, seqno)
		require.NoError(t, err, seqno)
		require.Len(t, signatures.Signatures, len(a.signatures[got.Master.ID.BlockID].Signatures))
		for _, b := range append(got.Shards, got.Master) {
			var block tlb.Block
			require.NoError(t, tlb.Parse(&block, b.Root))
			root, err := c.StateRoot(ctx, b.ID)
			require.NoError(t, err)
			require.Equal(t, chain.Hash(a.State(b.ID.BlockID).HashKey()), root, "the updates lead from the zerostates to the state after %s", b.ID)
		}
		shards += len(got.Shards)
	}
	if a.Further() {
		require.Greater(t, shards, mainnet.RecordedShards)
	} else {
		require.Equal(t, mainnet.RecordedShards, shards)
	}
	require.Greater(t, splits, 1)
	require.Zero(t, c.States()[0].Failures)
}

func TestFirstBlocks_ShardBlocksAndAccountsAreProven(t *testing.T) {
	t.Parallel()
	a := openArchive(t)
	c := open(t, a.network(t))
	ctx := within(t, time.Minute)
	links := 0
	for id, top := range a.committed {
		if id.IsMaster() {
			continue
		}
		p, err := c.ShardBlockProof(ctx, a.ids[id], top)
		require.NoError(t, err, id)
		require.Equal(t, top, p.Master)
		links += len(p.Links)
	}
	require.Greater(t, links, 200, "some shard blocks are no tops")

	accounts := 0
	for _, seqno := range []uint32{1, 33, 99} {
		at := a.ids[chain.MasterBlockID(seqno)]
		root, err := c.Config(ctx, at)
		require.NoError(t, err)
		want, err := a.Config(ctx, at)
		require.NoError(t, err)
		require.Equal(t, want.HashKey(), root.HashKey())
		for id, found := range accountsOf(t, a, at) {
			got, err := c.Account(ctx, at, id)
			require.NoError(t, err, id)
			require.Equal(t, found.Root.HashKey(), got.Root.HashKey())
			require.Equal(t, found.LastTxLT, got.LastTxLT)
			accounts++
		}
		got, err := c.Account(ctx, at, chain.Address{ID: chain.Hash{1, 2, 3}})
		require.NoError(t, err)
		require.Nil(t, got.Root)
	}
	require.Greater(t, accounts, 10)
}

// accountsOf lists the accounts in the states after a masterchain block and the shard blocks it commits.
func accountsOf(t *testing.T, a *archive, at chain.BlockIDExt) map[chain.Address]*chain.RawAccount {
	t.Helper()
	m, err := a.MasterBlock(t.Context(), at.Seqno)
	require.NoError(t, err)
	found := map[chain.Address]*chain.RawAccount{}
	for _, id := range append(m.Top, at) {
		var state tlb.ShardStateUnsplit
		require.NoError(t, tlb.Parse(&state, a.State(id.BlockID)))
		if state.Accounts.ShardAccounts.IsEmpty() {
			continue
		}
		list, err := state.Accounts.ShardAccounts.RangeExtra(false, false)
		require.NoError(t, err)
		for _, kv := range list {
			account := chain.Address{Workchain: id.Workchain, ID: chain.HashFrom(kv.Key.MustBeginParse().MustLoadSlice(256))}
			found[account], err = a.Account(t.Context(), id, account)
			require.NoError(t, err)
		}
	}
	return found
}
