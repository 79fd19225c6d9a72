package indexer_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/chain"
	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/ledger"
	"tonql/internal/devnet/lite"
	"tonql/internal/node"
)

// smallNet is a chain without traffic, mined by hand, on which one wallet of the masterchain sends messages.
type smallNet struct {
	ctx    context.Context
	chain  *ledger.Chain
	owner  *contracts.Wallet
	seqno  uint32 // of the owner's next external message
	client *node.Client
}

// newSmallNet starts a chain with the owner and other accounts.
func newSmallNet(ctx context.Context, tb testing.TB, accounts func(owner *address.Address) []genesis.Account) *smallNet {
	tb.Helper()
	seed := sha256.Sum256([]byte("small network"))
	owner, err := contracts.NewWallet(contracts.V3R2, -1, ed25519.NewKeyFromSeed(seed[:]), 0)
	require.NoError(tb, err)
	const genesisTime = 1_800_000_000
	var seconds atomic.Uint32
	c, err := ledger.Open(ctx, ledger.Options{
		Seed: seed, Clock: func() uint32 { return genesisTime + seconds.Add(1) }, GenesisTime: genesisTime,
		Genesis: append([]genesis.Account{{
			Address: owner.Address, Balance: 1e15, Code: owner.Init.Code, Data: owner.Init.Data,
		}}, accounts(owner.Address)...),
	})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, c.Close()) })
	n := &smallNet{ctx: ctx, chain: c, owner: owner}
	n.mine(tb)
	server, err := lite.New(c, ed25519.NewKeyFromSeed(seed[:]))
	require.NoError(tb, err)
	require.NoError(tb, server.Listen("127.0.0.1:0"))
	tb.Cleanup(func() { require.NoError(tb, server.Close()) })
	config, err := server.GlobalConfig()
	require.NoError(tb, err)
	n.client = connect(ctx, tb, config)
	return n
}

func (n *smallNet) mine(tb testing.TB) {
	tb.Helper()
	_, err := n.chain.Mine(n.ctx)
	require.NoError(tb, err)
}

func (n *smallNet) head() uint32 { return n.chain.Head().ID.SeqNo }

// send sends messages from the owner, and mines until they have arrived.
func (n *smallNet) send(tb testing.TB, messages ...*tlb.InternalMessage) {
	tb.Helper()
	orders := make([]contracts.Order, len(messages))
	for i, m := range messages {
		orders[i].Message = m
	}
	ext, err := n.owner.External(contracts.Ticket{Seqno: n.seqno, ValidUntil: n.chain.Now() + 600}, orders...)
	require.NoError(tb, err)
	require.NoError(tb, n.chain.SendExternal(n.ctx, ext))
	n.seqno++
	for range 3 {
		n.mine(tb)
	}
}

// contractAt returns an account of the zerostate with the code.
func contractAt(code *cell.Cell, workchain int8, name string) genesis.Account {
	id := sha256.Sum256([]byte(name))
	return genesis.Account{
		Address: address.NewAddress(0, byte(workchain), id[:]), Balance: 10e9, Code: code, Data: cell.BeginCell().EndCell(),
	}
}

func addressOf(a *address.Address) chain.Address {
	return chain.Address{Workchain: a.Workchain(), ID: chain.HashFrom(a.Data())}
}

// codeOf returns a code from hex digits.
func codeOf(tb testing.TB, digits string) *cell.Cell {
	tb.Helper()
	data, err := hex.DecodeString(digits)
	require.NoError(tb, err)
	return cell.BeginCell().MustStoreSlice(data, uint(len(data))*8).EndCell()
}
