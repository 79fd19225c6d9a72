package ledger

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/layout"
)

// withExtra adds extra currencies to a message.
func withExtra(m *tlb.InternalMessage, extra map[uint32]*big.Int) *tlb.InternalMessage {
	m.ExtraCurrencies = layout.Currencies{Extra: extra}.ExtraCell().AsDict(32)
	return m
}

// extraOf returns the extra currencies of an account in the newest state.
func extraOf(t *testing.T, c *Chain, addr *address.Address) map[uint32]int64 {
	t.Helper()
	amounts := map[uint32]int64{}
	dict := accountState(t, c, addr).ExtraCurrencies
	if dict == nil {
		return amounts
	}
	extra, err := layout.LoadExtra(cell.BeginCell().MustStoreDict(dict).EndCell().MustBeginParse())
	require.NoError(t, err)
	for id, n := range extra {
		amounts[id] = n.Int64()
	}
	return amounts
}

// TestCurrencies_AreMintedOnceAndMoveBetweenAccounts mints what config parameter 7 demands and the zerostate lacks, sends
// it to accounts of both workchains and of another shard, and to an account without code, from which it bounces.
func TestCurrencies_AreMintedOnceAndMoveBetweenAccounts(t *testing.T) {
	t.Parallel()
	minter, holder, far := newTestWallet(t, 1, -1, 1000e9), newTestWallet(t, 2, 0, 10e9), newTestWallet(t, 3, 0, 10e9)
	holder.account.Extra = map[uint32]*big.Int{100: big.NewInt(40)}
	c := openChain(t, Options{
		Genesis: accountsOf(minter, holder, far), InitialSplit: 2,
		Minter: minter.address, Mint: map[uint32]*big.Int{100: big.NewInt(1000), 7: big.NewInt(5), 9: new(big.Int).Lsh(big.NewInt(1), 240)},
	})
	mine(t, c, 1)
	minted := accountState(t, c, minter.address).ExtraCurrencies
	require.NotNil(t, minted)
	extra, err := layout.LoadExtra(cell.BeginCell().MustStoreDict(minted).EndCell().MustBeginParse())
	require.NoError(t, err)
	require.Equal(t, "960", extra[100].String(), "the zerostate has 40")
	require.Equal(t, "5", extra[7].String())
	require.Equal(t, 241, extra[9].BitLen())
	mine(t, c, 6)

	send := func(from *testWallet, seqno uint32, m *tlb.InternalMessage) {
		t.Helper()
		require.NoError(t, c.SendExternal(context.Background(), from.transfer(t, seqno, m)))
		mine(t, c, 4)
	}
	send(minter, 0, withExtra(pay(holder.address, 1e9), map[uint32]*big.Int{100: big.NewInt(60), 7: big.NewInt(5)}))
	require.Equal(t, map[uint32]int64{100: 100, 7: 5}, extraOf(t, c, holder.address))
	send(holder, 0, withExtra(pay(far.address, 1e9), map[uint32]*big.Int{100: big.NewInt(30)}))
	require.Equal(t, map[uint32]int64{100: 70, 7: 5}, extraOf(t, c, holder.address))
	require.Equal(t, map[uint32]int64{100: 30}, extraOf(t, c, far.address))

	back := withExtra(pay(newTestWallet(t, 4, 0, 0).address, 1e9), map[uint32]*big.Int{7: big.NewInt(5)})
	back.Bounce = true
	send(holder, 1, back)
	require.Equal(t, map[uint32]int64{100: 70, 7: 5}, extraOf(t, c, holder.address))
	send(holder, 2, withExtra(pay(minter.address, 1e9), map[uint32]*big.Int{7: big.NewInt(5)}))
	require.Equal(t, map[uint32]int64{100: 70}, extraOf(t, c, holder.address))

	replayAll(t, c)
	c.mu.RLock()
	global := c.ref.extra.GlobalBalance
	c.mu.RUnlock()
	require.Equal(t, "1000", global.Extra[100].String())
	require.Equal(t, "5", global.Extra[7].String())
}

// TestExtraFlags_AreNoValue sends messages with extra flags within a shard, to other shards and to the masterchain. They stand
// where the IHR fee was, and must not count in the value flow.
func TestExtraFlags_AreNoValue(t *testing.T) {
	t.Parallel()
	wallets := testWallets(t, 8, 0)
	master := newTestWallet(t, 20, -1, 10e9)
	c := openChain(t, Options{Genesis: accountsOf(append(wallets, master)...), InitialSplit: 2})
	mine(t, c, 7)
	require.Len(t, shardNames(c), 4)
	for i, to := range append(wallets[1:], master) {
		for flags := range uint64(4) {
			m := pay(to.address, 1e8)
			m.IHRFee, m.Bounce = tlb.FromNanoTONU(flags), true
			require.NoError(t, c.SendExternal(context.Background(), wallets[0].transfer(t, uint32(4*i)+uint32(flags), m)))
			mine(t, c, 1)
		}
	}
	mine(t, c, 3)
	require.Greater(t, accountState(t, c, master.address).Balance.Nano().Uint64(), uint64(10_300_000_000))
	replayAll(t, c)
}
