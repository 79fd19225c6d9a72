package lite

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/genesis"
	"tonql/internal/devnet/ledger"
)

// deferredNetwork is a network on which two wallets have sent 40 messages each in the newest block, of which most are
// deferred.
func deferredNetwork(t *testing.T) (*network, []*contracts.Wallet) {
	t.Helper()
	var wallets []*contracts.Wallet
	var accounts []genesis.Account
	for _, name := range []string{"first", "second"} {
		w, err := contracts.NewWallet(contracts.V5R1, 0, seedKey(name), ledger.DefaultGlobalID)
		require.NoError(t, err)
		wallets = append(wallets, w)
		accounts = append(accounts, genesis.Account{Address: w.Address, Balance: 1e14, Code: w.Init.Code, Data: w.Init.Data})
	}
	n := newNetworkWith(t, accounts)
	for _, w := range wallets {
		orders := make([]contracts.Order, 40)
		for i := range orders {
			orders[i].Message = contracts.Transfer(address.NewAddress(0, 0, bytes.Repeat([]byte{byte(i)}, 32)), 1e9, "")
		}
		msg, err := w.External(contracts.Ticket{ValidUntil: n.chain.Now() + 600}, orders...)
		require.NoError(t, err)
		require.Equal(t, ton.SendMessageStatus{Status: 1}, n.query(ton.SendMessage{Body: msg.ToBOC()}))
	}
	n.mine(1)
	return n, wallets
}

// TestDispatchQueue_IsServedWithProofs reads the dispatch queue of a chain with a client library: accounts and messages in
// pages, and their end after the last block that takes some. The proofs are checked here: the library of the client does not
// skip the augmentation of the dictionary when it does.
func TestDispatchQueue_IsServedWithProofs(t *testing.T) {
	t.Parallel()
	n, wallets := deferredNetwork(t)
	newest := func() *ton.BlockIDExt {
		blocks := n.shardBlocks()
		return &blocks[len(blocks)-1].ID
	}
	c, id := n.client(ton.ProofCheckPolicyUnsafe), newest()
	all, err := c.GetDispatchQueueInfo(n.ctx, id, nil, 10)
	require.NoError(t, err)
	require.True(t, all.Complete)
	require.Len(t, all.AccountDispatchQueues, 2)
	page, err := c.GetDispatchQueueInfo(n.ctx, id, nil, 1)
	require.NoError(t, err)
	require.False(t, page.Complete)
	require.Equal(t, all.AccountDispatchQueues[:1], page.AccountDispatchQueues)
	page, err = c.GetDispatchQueueInfo(n.ctx, id, address.NewAddress(0, 0, page.AccountDispatchQueues[0].Addr), 10)
	require.NoError(t, err)
	require.Equal(t, all.AccountDispatchQueues[1:], page.AccountDispatchQueues)
	for _, q := range all.AccountDispatchQueues {
		require.EqualValues(t, 30, q.Size)
		require.Equal(t, q.MinLT+29, q.MaxLT)
		requireDispatched(t, n, c, id, q)
	}
	require.Equal(t, all.AccountDispatchQueues, provenDispatch(t, n, id))

	n.mine(3)
	info, err := n.client(ton.ProofCheckPolicySecure).GetDispatchQueueInfo(n.ctx, newest(), nil, 10)
	require.NoError(t, err)
	require.Empty(t, info.AccountDispatchQueues, "the blocks after have taken all messages")
	require.Equal(t, all.AccountDispatchQueues, provenDispatch(t, n, id), "the older state still has them")
	requireInitiators(t, n, wallets)
}

// provenDispatch reads the accounts out of a proof.
func provenDispatch(t *testing.T, n *network, id *ton.BlockIDExt) (list []ton.AccountDispatchQueueInfo) {
	t.Helper()
	r := call[ton.DispatchQueueInfo](n, ton.GetDispatchQueueInfo{Mode: queueProof, ID: id, MaxAccounts: 10, WantProof: &ton.True{}})
	state, err := ton.CheckBlockShardStateProof(roots(t, r.Proof), id.RootHash)
	require.NoError(t, err)
	queue, err := openQueue(state.OutMsgQueueInfo)
	require.NoError(t, err)
	for at, same := make([]byte, 32), true; ; same = false {
		key, v, err := nearest(queue.dispatch, bytesKey(at), 256, true, same)
		require.NoError(t, err)
		if key == nil {
			return list
		}
		info, err := openDispatchAccount(key, v)
		require.NoError(t, err)
		list = append(list, info)
		at = info.Addr
	}
}

// requireDispatched reads the messages of one account in pages.
func requireDispatched(t *testing.T, n *network, c *ton.APIClient, id *ton.BlockIDExt, q ton.AccountDispatchQueueInfo) {
	t.Helper()
	addr := address.NewAddress(0, 0, q.Addr)
	var after, count uint64
	for {
		page, err := c.GetDispatchQueueMessages(n.ctx, id, addr, after, 16, ton.WithDispatchQueueMessagesBOC(), ton.WithDispatchQueueOneAccount())
		require.NoError(t, err)
		bodies := roots(t, page.MessagesBOC)
		require.Len(t, bodies, len(page.Messages))
		for i, m := range page.Messages {
			require.Equal(t, q.Addr, m.Addr)
			require.Equal(t, q.MinLT+count, m.LT)
			require.Equal(t, m.Hash, bodies[i].Hash())
			require.Equal(t, q.Addr, m.Metadata.Initiator.ID)
			var msg tlb.InternalMessage
			require.NoError(t, tlb.LoadFromCell(&msg, bodies[i].MustBeginParse()))
			require.Equal(t, m.LT, msg.CreatedLT)
			require.Zero(t, msg.Amount.Nano().Cmp(big.NewInt(1e9)))
			after = m.LT
			count++
		}
		if page.Complete {
			require.EqualValues(t, q.Size, count)
			return
		}
	}
}

// requireInitiators lists all transactions with metadata: those of deferred messages name the wallet that sent them.
func requireInitiators(t *testing.T, n *network, wallets []*contracts.Wallet) {
	t.Helper()
	received := map[string]int{}
	for _, b := range n.shardBlocks() {
		for _, tx := range n.listIDs(&b.ID, 7|listMetadata, 256, nil) {
			if tx.Metadata != nil {
				received[string(tx.Metadata.Initiator.ID)]++
			}
		}
	}
	for _, w := range wallets {
		require.Equal(t, 40, received[string(w.Address.Data())])
	}
}
