package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/node/nodetest"
)

// unsigned invalidates the signatures of every forward link and changes nothing else.
func unsigned() nodetest.Fault {
	return nodetest.Falsify(func(a ton.PartialBlockProof) tl.Serializable {
		for i, step := range a.Steps {
			if l, ok := step.(ton.BlockLinkForward); ok {
				l.SignatureSet = ton.SignatureSet{Signatures: []ton.Signature{{NodeIDShort: make([]byte, 32)}}}
				a.Steps[i] = l
			}
		}
		return a
	})
}

// TestProofs_UnsignedForkIsReplaced serves an unsigned chain before the signed one. With secure proofs the client
// refuses the unsigned one; with fast ones it accepts it until the signed one contradicts it, and then drops it.
func TestProofs_UnsignedForkIsReplaced(t *testing.T) {
	t.Parallel()
	signed, fork := newDevnet(t, 2), newDevnet(t, 2)
	require.Equal(t, signed.config.Validator, fork.config.Validator)
	signed.pay(t, addresses(2)...)
	fork.pay(t, addresses(4)...)
	signed.mine(t, 3)
	fork.mine(t, 9)
	require.NotZero(t, signed.config.Validator.InitBlock.SeqNo)
	ctx := within(t, time.Minute)

	down, forged := signed.proxy(t), fork.proxy(t)
	forged.Break(unsigned())
	config := nodetest.Config(signed.config, down.Liteserver(), forged.Liteserver())

	secure := open(t, config)
	eventually(t, "the real chain is in use", func() bool { return secure.States()[0].Usable })
	head, err := secure.Head(ctx)
	require.NoError(t, err)
	require.Equal(t, signed.head(), head)
	eventually(t, "the forger is set aside", func() bool { return secure.States()[1].Failures > 0 })
	require.Contains(t, secure.States()[1].SetAside, "returned a block proof that is not valid")

	down.Break(nodetest.HangUps())
	c := open(t, config, fast)
	eventually(t, "the fork is in use", func() bool { return c.States()[1].Usable })
	head, err = c.Head(ctx)
	require.NoError(t, err)
	require.Equal(t, fork.head(), head)
	_, err = c.MasterBlock(ctx, 3)
	require.NoError(t, err)

	down.Heal()
	eventually(t, "the real chain takes over", func() bool {
		head, err := c.Head(ctx)
		return err == nil && head == signed.head()
	})
	forged.Break(nodetest.HangUps())
	for seqno := uint32(1); seqno <= signed.head().Seqno; seqno++ {
		b, err := c.MasterBlock(ctx, seqno)
		require.NoError(t, err)
		sameBlocks(t, signed, b, seqno)
	}
}
