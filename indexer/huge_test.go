package indexer_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"

	"tonql/indexer"
	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/ledger"
	"tonql/internal/devnet/lite"
	"tonql/internal/pacetest"
	"tonql/internal/testdb"
)

// hugeLoad is wallets that send 28 messages of 2 KB each at once: blocks of more than 4 MiB.
type hugeLoad struct {
	wallets []*contracts.Wallet
	opts    ledger.Options
}

const hugeMessages = 28

func newHugeLoad(t *testing.T, wallets int) *hugeLoad {
	t.Helper()
	l := &hugeLoad{opts: ledger.Options{Seed: testSeed(), MaxBlockTxs: 1 << 20}}
	for i := range wallets {
		seed := binary.BigEndian.AppendUint32(make([]byte, 28), uint32(i))
		w, err := contracts.NewWallet(contracts.V5R1, 0, ed25519.NewKeyFromSeed(seed), ledger.DefaultGlobalID)
		require.NoError(t, err)
		l.wallets = append(l.wallets, w)
		l.opts.DeferExempt = append(l.opts.DeferExempt, w.Address)
		l.opts.Genesis = append(l.opts.Genesis, genesis.Account{Address: w.Address, Balance: 1e13, Code: w.Init.Code, Data: w.Init.Data})
	}
	return l
}

func (l *hugeLoad) send(t *testing.T, c *ledger.Chain) {
	t.Helper()
	for i, w := range l.wallets {
		orders := make([]contracts.Order, hugeMessages)
		for j := range orders {
			to := [32]byte{byte(i), byte(j)}
			text := bytes.Repeat(fmt.Appendf(nil, "%08d", i*hugeMessages+j), 256)
			orders[j].Message = contracts.Transfer(address.NewAddress(0, 0, to[:]), 1e9, string(text))
		}
		ext, err := w.External(contracts.Ticket{ValidUntil: c.Now() + 600}, orders...)
		require.NoError(t, err)
		require.NoError(t, c.SendExternal(t.Context(), ext))
	}
}

// Blocks near the main network's largest are followed like any other: every transaction is indexed and re-executed, and the
// index is at the head again soon after.
func TestFollow_BlocksOfFourMegabytes(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	ctx := testContext(t)
	load := newHugeLoad(t, 64)
	c, err := ledger.Open(ctx, load.opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	_, err = c.Mine(ctx)
	require.NoError(t, err)
	server, err := lite.New(c, ed25519.NewKeyFromSeed(make([]byte, 32)))
	require.NoError(t, err)
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	config, err := server.GlobalConfig()
	require.NoError(t, err)
	src := connect(ctx, t, config)
	db := testdb.New(t)
	start(ctx, t, indexer.New(src, db, indexer.Options{Logger: logger(t)}))
	waitIndexed(ctx, t, db, 1, 1)

	load.send(t, c)
	began, largest := time.Time{}, 0
	for range 3 {
		head, err := c.Mine(ctx)
		require.NoError(t, err)
		if began.IsZero() {
			began = time.Now()
		}
		committed, err := c.Committed(head.ID.SeqNo)
		require.NoError(t, err)
		largest = max(largest, len(committed[0].Data))
	}
	waitIndexed(ctx, t, db, 1, 4)
	t.Logf("block of %d bytes, three blocks indexed in %s", largest, time.Since(began))
	require.Greater(t, largest, 4<<20)
	require.Less(t, time.Since(began), pacetest.Slow*time.Minute)
	received := 0
	for page := (chain.Page{Limit: 1000}); ; page.Offset += page.Limit {
		txs, err := db.Reader().Transactions(ctx, chain.TransactionFilter{}, page)
		require.NoError(t, err)
		for i := range txs {
			require.Equal(t, chain.Replayed, txs[i].Verification)
			if txs[i].Account.Workchain == 0 {
				received++
			}
		}
		if len(txs) < page.Limit {
			break
		}
	}
	require.Equal(t, 64*(hugeMessages+1), received)
}
