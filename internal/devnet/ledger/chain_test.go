package ledger

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"tonql/internal/devnet/layout"
)

func TestMine_TransferArrivesInTheFirstBlock(t *testing.T) {
	t.Parallel()
	from, to := newTestWallet(t, 1, 0, 10e9), newTestWallet(t, 2, 0, 0)
	c := openChain(t, Options{Genesis: accountsOf(from)})
	require.Nil(t, c.Head())

	require.NoError(t, c.SendExternal(context.Background(), from.transfer(t, 0, pay(to.address, 1e9))))
	head := mine(t, c, 1)
	require.Equal(t, uint32(1), head.ID.SeqNo)
	require.True(t, head.KeyBlock)

	shards, err := c.Committed(1)
	require.NoError(t, err)
	require.Len(t, shards, 1)
	require.Len(t, blockTxs(t, shards[0]), 2)
	require.Equal(t, uint64(1e9), accountState(t, c, to.address).Balance.Nano().Uint64())

	state, err := c.State(shards[0].ID)
	require.NoError(t, err)
	update, err := shards[0].Root.PeekRef(2)
	require.NoError(t, err)
	after, err := update.PeekRef(1)
	require.NoError(t, err)
	require.Equal(t, after.Hash(0), state.Hash())
	mine(t, c, 3)
	require.Equal(t, uint32(4), c.Head().ID.SeqNo)
	require.Equal(t, layout.Masterchain, c.Head().ID.Workchain)
}
