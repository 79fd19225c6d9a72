package ledger

import (
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/ton/wallet"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"go.uber.org/goleak"

	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const genesisTime = 1_800_000_000

// testWallet is a v3r2 wallet that exists from the zerostate on.
type testWallet struct {
	key     ed25519.PrivateKey
	address *address.Address
	account genesis.Account
}

func newTestWallet(t testing.TB, n uint32, wc int8, balance uint64) *testWallet {
	t.Helper()
	var seed [32]byte
	binary.BigEndian.PutUint32(seed[:], n)
	key := ed25519.NewKeyFromSeed(seed[:])
	init, err := wallet.GetStateInit(key.Public().(ed25519.PublicKey), wallet.V3R2, wallet.DefaultSubwallet)
	require.NoError(t, err)
	addr := init.CalcAddress(int(wc))
	return &testWallet{key: key, address: addr, account: genesis.Account{Address: addr, Balance: balance, Code: init.Code, Data: init.Data}}
}

func testWallets(t testing.TB, n int, wc int8) []*testWallet {
	t.Helper()
	out := make([]*testWallet, n)
	for i := range out {
		out[i] = newTestWallet(t, uint32(i), wc, 1000e9)
	}
	return out
}

func accountsOf(wallets ...*testWallet) (out []genesis.Account) {
	for _, w := range wallets {
		out = append(out, w.account)
	}
	return out
}

// transfer returns an external message with which the wallet sends up to four messages.
func (w *testWallet) transfer(t testing.TB, seqno uint32, messages ...*tlb.InternalMessage) *cell.Cell {
	t.Helper()
	order := cell.BeginCell().
		MustStoreUInt(wallet.DefaultSubwallet, 32).
		MustStoreUInt(0xffffffff, 32).
		MustStoreUInt(uint64(seqno), 32)
	for _, m := range messages {
		c, err := tlb.ToCell(m)
		require.NoError(t, err)
		order.MustStoreUInt(3, 8).MustStoreRef(c)
	}
	body := cell.BeginCell().MustStoreSlice(order.Copy().EndCell().Sign(w.key), 512).MustStoreBuilder(order).EndCell()
	ext, err := tlb.ToCell(&tlb.ExternalMessage{DstAddr: w.address, Body: body})
	require.NoError(t, err)
	return ext
}

func pay(to *address.Address, nano uint64) *tlb.InternalMessage {
	return &tlb.InternalMessage{IHRDisabled: true, DstAddr: to, Amount: tlb.FromNanoTONU(nano), Body: cell.BeginCell().EndCell()}
}

// steadyClock is a clock that advances by one second per round.
func steadyClock() func() uint32 { return func() uint32 { return genesisTime } }

func openChain(t testing.TB, opts Options) *Chain {
	t.Helper()
	if opts.Clock == nil {
		opts.Clock = steadyClock()
	}
	opts.Seed[0] = 7
	c, err := Open(context.Background(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func mine(t testing.TB, c *Chain, rounds int) *Block {
	t.Helper()
	var b *Block
	for range rounds {
		var err error
		b, err = c.Mine(context.Background())
		require.NoError(t, err)
	}
	return b
}

// accountState reads an account's balance and status in the newest state.
func accountState(t testing.TB, c *Chain, addr *address.Address) *tlb.AccountState {
	t.Helper()
	c.mu.RLock()
	at := c.tipOf(addr)
	c.mu.RUnlock()
	acc, _, err := findAccount(at.accounts, [32]byte(addr.Data()))
	require.NoError(t, err)
	var st tlb.AccountState
	require.NoError(t, tlb.Parse(&st, acc.Account))
	return &st
}

func blockTxs(t testing.TB, b *Block) []*tlb.Transaction {
	t.Helper()
	var blk tlb.Block
	require.NoError(t, tlb.Parse(&blk, b.Root))
	txs, err := blk.ListTransactions()
	require.NoError(t, err)
	return txs
}

func masterID(seqno uint32) ton.BlockIDExt {
	full := layout.FullShard
	return ton.BlockIDExt{Workchain: layout.Masterchain, Shard: int64(full), SeqNo: seqno}
}
