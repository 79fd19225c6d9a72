package node_test

import (
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
)

// otherSet is a validator set without the validators of a set.
func otherSet(t *testing.T, root *cell.Cell) *cell.Cell {
	t.Helper()
	var set tlb.ValidatorSetAny
	require.NoError(t, tlb.Parse(&set, root))
	ext, ok := set.Validators.(tlb.ValidatorSetExt)
	require.True(t, ok)
	list := cell.NewDict(16)
	for i := range int64(ext.Total) {
		value, err := ext.List.LoadValueByIntKey(big.NewInt(i))
		require.NoError(t, err)
		var v tlb.ValidatorAddr
		require.NoError(t, tlb.LoadFromCell(&v, value))
		v.PublicKey.Key[0] ^= 1
		changed, err := tlb.ToCell(v)
		require.NoError(t, err)
		require.NoError(t, list.SetIntKey(big.NewInt(i), changed))
	}
	ext.List = list
	changed, err := tlb.ToCell(ext)
	require.NoError(t, err)
	return changed
}

// While parameter 35 is set, its validators sign and those of 34 do not. Both are changed on the chain.
func TestProofs_TemporaryValidatorsSign(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 2)
	value, err := d.chain.Config().AsDict(32).LoadValueByIntKey(big.NewInt(34))
	require.NoError(t, err)
	signers := value.MustLoadRef().MustToCell()
	d.setParam(t, 0, 35, signers)
	d.setParam(t, 1, 34, otherSet(t, signers))
	d.mine(t, 3)

	c := open(t, d.config)
	ctx := within(t, time.Minute)
	head, err := c.Wait(ctx, d.head().Seqno)
	require.NoError(t, err)
	require.Equal(t, d.head(), head)
	signatures, err := c.BlockSignatures(ctx, head.Seqno)
	require.NoError(t, err)
	require.NotEmpty(t, signatures.Signatures)

	// A server that prunes 35 could pass off the validators of 34.
	p := d.proxy(t)
	p.Break(nodetest.Falsify(func(r ton.PartialBlockProof) tl.Serializable {
		for i, step := range r.Steps {
			if l, ok := step.(ton.BlockLinkForward); ok {
				from, err := d.chain.BySeqno(-1, -1<<63, l.From.SeqNo)
				require.NoError(t, err)
				l.ConfigProof = withoutParam35(t, from.Root)
				r.Steps[i] = l
			}
		}
		return r
	}))
	log := &recorder{}
	lying := open(t, d.through(p), func(o *node.Options) { o.Logger = slog.New(log) })
	_, err = lying.Head(ctx)
	require.Equal(t, chain.Unavailable, chain.KindOf(err))
	require.NotEmpty(t, log.about("config parameter 35: a branch that is needed is pruned"), "%q", log.about(""))
}

// withoutParam35 proves a key block's configuration as a server would that hides parameter 35.
func withoutParam35(t *testing.T, keyBlock *cell.Cell) []byte {
	t.Helper()
	b := cell.NewMerkleProofBuilder(keyBlock)
	var block tlb.Block
	require.NoError(t, tlb.LoadFromCellAsProof(&block, b.Root().MustBeginParse()))
	params := block.Extra.Custom.ConfigParams.Config.Params
	for _, n := range []uint64{28, 34} {
		value, err := params.LoadValueByUintKey(n)
		require.NoError(t, err)
		visit(value.MustLoadRef())
	}
	pruned, err := b.CreateProof()
	require.NoError(t, err)
	return pruned.ToBOC()
}

// visit reads every cell below a slice.
func visit(s *cell.Slice) {
	for s.RefsNum() > 0 {
		visit(s.MustLoadRef())
	}
}
