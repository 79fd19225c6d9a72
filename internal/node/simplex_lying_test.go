package node_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tonql/internal/chain"
	"tonql/internal/devnet/genesis"
	"tonql/internal/node"
	"tonql/internal/node/nodetest"
)

// TestPool_ServerThatForgesVotesIsSetAside puts a server that forges votes of Simplex beside an honest one: the client
// follows the chain by the other one.
func TestPool_ServerThatForgesVotesIsSetAside(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]nodetest.Fault{
		"a missing vote":     nodetest.MissingVote(),
		"a repeated vote":    nodetest.RepeatedVote(),
		"another session":    nodetest.ForeignSession(),
		"another slot":       nodetest.OtherSlot(),
		"another candidate":  nodetest.OtherCandidate(),
		"a long candidate":   nodetest.LongCandidate(),
		"the ordinary form":  nodetest.OrdinaryForm(),
		"changed signatures": nodetest.WrongBlockProof(),
		"a foreign signer":   nodetest.ForeignSigner(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDevnet(t, 3)
			faulty, honest := d.proxy(t), d.proxy(t)
			c := open(t, d.through(faulty, honest))
			eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
			faulty.Break(fault)
			deadline := time.Now().Add(30 * time.Second)
			var state chain.ServerState
			for state.Usable = true; state.Usable; state = c.States()[0] {
				require.True(t, time.Now().Before(deadline), "the server was never set aside")
				nextBlock(t, d, c, 0)
			}
			require.Contains(t, state.SetAside, "returned a block proof that is not valid")
			require.Zero(t, c.States()[1].Failures)
		})
	}
}

// TestPool_LiarAcrossASwitchIsSetAside forges the votes while the chain leaves Simplex and returns.
func TestPool_LiarAcrossASwitchIsSetAside(t *testing.T) {
	t.Parallel()
	d := newDevnet(t, 3)
	liar, honest := d.proxy(t), d.proxy(t)
	c := open(t, d.through(liar, honest), func(o *node.Options) { o.LiarPause = 20 * time.Millisecond })
	eventually(t, "both in use", func() bool { return c.States()[0].Usable && c.States()[1].Usable })
	liar.Break(nodetest.WrongBlockProof())
	ctx := within(t, time.Minute)
	for i, to := range []genesis.Consensus{genesis.Ordinary, genesis.Simplex, genesis.Ordinary, genesis.Simplex} {
		d.setConsensus(t, uint32(i), to)
		d.mine(t, 2)
		head, err := c.Wait(ctx, d.head().Seqno)
		require.NoError(t, err)
		require.Equal(t, d.head(), head)
	}
	eventually(t, "the lie is detected", func() bool {
		nextBlock(t, d, c, 0)
		return c.States()[0].Failures > 0
	})
	require.Zero(t, c.States()[1].Failures)
}
