package ledger

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"

	"tonql/internal/cellgraph/cellgraphtest"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/layout"
	"tonql/internal/pacetest"
)

// TestBlockSize_LargeBlocksEndAtTheSoftLimit sends 6 MB of messages at once. The first block ends near the soft limit of
// the configuration, 4 MiB, below the hard one, and the next ones have the rest.
func TestBlockSize_LargeBlocksEndAtTheSoftLimit(t *testing.T) {
	pacetest.Long(t)
	t.Parallel()
	const wallets, messages = 100, 28
	var senders []*contracts.Wallet
	var accounts []genesis.Account
	var exempt []*address.Address
	for i := range uint32(wallets) {
		seed := binary.BigEndian.AppendUint32(make([]byte, 28), i)
		w, err := contracts.NewWallet(contracts.V5R1, 0, ed25519.NewKeyFromSeed(seed), DefaultGlobalID)
		require.NoError(t, err)
		senders, exempt = append(senders, w), append(exempt, w.Address)
		accounts = append(accounts, genesis.Account{Address: w.Address, Balance: 1e13, Code: w.Init.Code, Data: w.Init.Data})
	}
	c := openChain(t, Options{Genesis: accounts, DeferExempt: exempt, MaxBlockTxs: 1 << 20})
	mine(t, c, 1)
	for i, w := range senders {
		orders := make([]contracts.Order, messages)
		for j := range orders {
			to := [32]byte{byte(i), byte(j)}
			text := bytes.Repeat(fmt.Appendf(nil, "%08d", i*messages+j), 256) // no two messages share a cell
			orders[j].Message = contracts.Transfer(address.NewAddress(0, 0, to[:]), 1e9, string(text))
		}
		ext, err := w.External(contracts.Ticket{ValidUntil: 0xffffffff}, orders...)
		require.NoError(t, err)
		require.NoError(t, c.SendExternal(context.Background(), ext))
	}
	var sizes []int
	for range 4 {
		mine(t, c, 1)
		committed, err := c.Committed(c.Head().ID.SeqNo)
		require.NoError(t, err)
		sizes = append(sizes, len(committed[0].Data))
	}
	t.Logf("blocks of %d bytes", sizes)
	require.InDelta(t, 4<<20, sizes[0], 1<<20)
	require.Greater(t, sizes[1], 1<<20)
	require.Zero(t, queued(c))
	requireReceivedOnce(t, c, wallets*messages)
	require.Equal(t, layout.FullShard, uint64(c.OutQueueSizes()[1].ID.Shard))
	replayAll(t, c)
}

// TestBlockSize_SharedCellsAreCountedOnce counts cells whose tree walk would not end.
func TestBlockSize_SharedCellsAreCountedOnce(t *testing.T) {
	t.Parallel()
	size := newBlockSize()
	shared := cellgraphtest.Shared(200, nil)
	size.add(shared)
	once := size.bytes
	require.Less(t, once, 200*(128+cellOverhead))
	size.add(shared)
	require.Equal(t, once, size.bytes)
}
