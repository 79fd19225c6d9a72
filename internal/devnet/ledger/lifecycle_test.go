package ledger

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"github.com/xssnick/tonutils-go/ton/wallet"
)

// destroy returns an external message with which a wallet sends its complete balance and deletes its account
// (mode 128+32).
func (w *testWallet) destroy(t *testing.T, seqno uint32, to *testWallet) *cell.Cell {
	t.Helper()
	msg, err := tlb.ToCell(pay(to.address, 0))
	require.NoError(t, err)
	order := cell.BeginCell().
		MustStoreUInt(wallet.DefaultSubwallet, 32).
		MustStoreUInt(0xffffffff, 32).
		MustStoreUInt(uint64(seqno), 32).
		MustStoreUInt(160, 8).MustStoreRef(msg)
	body := cell.BeginCell().MustStoreSlice(order.Copy().EndCell().Sign(w.key), 512).MustStoreBuilder(order).EndCell()
	ext, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: w.address, Body: body})
	require.NoError(t, err)
	return ext
}

// TestAccount_DestroyedOneCanBePaidAgain deletes an account and pays it again; a message to an
// address without code bounces.
func TestAccount_DestroyedOneCanBePaidAgain(t *testing.T) {
	t.Parallel()
	a, b := newTestWallet(t, 1, 0, 5e9), newTestWallet(t, 2, 0, 10e9)
	c := openChain(t, Options{Genesis: accountsOf(a, b)})
	require.NoError(t, c.SendExternal(context.Background(), a.destroy(t, 0, b)))
	mine(t, c, 1)
	require.False(t, accountState(t, c, a.address).IsValid)
	require.Greater(t, accountState(t, c, b.address).Balance.Nano().Uint64(), uint64(14e9))

	back := pay(a.address, 1e9)
	back.Bounce = true
	require.NoError(t, c.SendExternal(context.Background(), b.transfer(t, 0, back)))
	mine(t, c, 1)
	require.False(t, accountState(t, c, a.address).IsValid)
	blocks, err := c.Committed(2)
	require.NoError(t, err)
	bounced := 0
	for _, tx := range blockTxs(t, blocks[0]) {
		if in := tx.IO.In; in.MsgType == tlb.MsgTypeInternal && in.AsInternal().Bounced {
			bounced++
			require.Equal(t, b.address.Data(), tx.AccountAddr)
		}
	}
	require.Equal(t, 1, bounced)

	require.NoError(t, c.SendExternal(context.Background(), b.transfer(t, 1, pay(a.address, 1e9))))
	mine(t, c, 1)
	require.EqualValues(t, tlb.AccountStatusUninit, accountState(t, c, a.address).Status)
	replayAll(t, c)
}

// TestInitialSplit_StartsWithSeveralShards starts with more than one shard.
func TestInitialSplit_StartsWithSeveralShards(t *testing.T) {
	t.Parallel()
	c := openChain(t, Options{InitialSplit: 2})
	mine(t, c, 7)
	require.Len(t, shardNames(c), 4)
	mine(t, c, 5)
	require.Len(t, shardNames(c), 4)
	require.Error(t, c.RequestSplit(0, 0x7000000000000000))
	require.Error(t, c.RequestMerge(0, 0x2000000000000000))
}
