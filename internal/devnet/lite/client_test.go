package lite

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/ton/wallet"

	"tonql/internal/devnet/contracts"
)

var policies = map[string]ton.ProofCheckPolicy{
	"unsafe": ton.ProofCheckPolicyUnsafe,
	"fast":   ton.ProofCheckPolicyFast,
	"secure": ton.ProofCheckPolicySecure,
}

// absent is an address without an account.
var absent = address.NewAddress(0, 0, bytes.Repeat([]byte{0xab}, 32))

// TestServer_ClientLibrarySendsEveryQuery sends every query of a client library, with each of its proof policies.
func TestServer_ClientLibrarySendsEveryQuery(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	someone := address.NewAddress(0, 0, bytes.Repeat([]byte{0x21}, 32))
	for i := range 3 {
		n.pay(someone, 1_000_000_000, fmt.Sprintf("payment %d", i))
	}
	for name, policy := range policies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := n.client(policy)
			head, err := c.GetMasterchainInfo(n.ctx)
			require.NoError(t, err)
			require.True(t, head.Equals(&n.chain.Head().ID))
			t.Run("blocks", func(t *testing.T) { requireBlocks(t, n, c, head) })
			t.Run("accounts", func(t *testing.T) { requireAccounts(t, n, c, head, someone) })
			t.Run("transactions", func(t *testing.T) { requireTransactions(t, n, c, head, policy) })
			t.Run("config", func(t *testing.T) { requireConfig(t, n, c, head) })
			t.Run("queues", func(t *testing.T) { requireQueues(t, n, c, head, someone) })
		})
	}
}

func requireBlocks(t *testing.T, n *network, c *ton.APIClient, head *ton.BlockIDExt) {
	t.Helper()
	now, err := c.GetTime(n.ctx)
	require.NoError(t, err)
	require.GreaterOrEqual(t, now, n.chain.Head().GenUtime)

	for seqno := uint32(1); seqno <= head.SeqNo; seqno++ {
		id, err := c.LookupBlock(n.ctx, -1, rootShard, seqno)
		require.NoError(t, err)
		block, err := c.GetBlockData(n.ctx, id)
		require.NoError(t, err)
		require.Equal(t, seqno, block.BlockInfo.SeqNo)
		header, err := c.GetBlockHeader(n.ctx, id)
		require.NoError(t, err)
		require.Equal(t, block.BlockInfo.EndLt, header.EndLt)

		shards, err := c.GetBlockShardsInfo(n.ctx, id)
		require.NoError(t, err)
		require.NotEmpty(t, shards)
		for _, s := range shards {
			b, err := c.GetBlockData(n.ctx, s)
			require.NoError(t, err)
			require.Equal(t, s.SeqNo, b.BlockInfo.SeqNo)
		}
	}
	_, err = c.LookupBlock(n.ctx, -1, rootShard, head.SeqNo+1000)
	require.ErrorIs(t, err, ton.ErrBlockNotFound)
}

func requireAccounts(t *testing.T, n *network, c *ton.APIClient, head *ton.BlockIDExt, someone *address.Address) {
	t.Helper()
	acc, err := c.GetAccount(n.ctx, head, n.faucet.Address)
	require.NoError(t, err)
	require.True(t, acc.IsActive)
	require.EqualValues(t, tlb.AccountStatusActive, acc.State.Status)
	require.NotZero(t, acc.LastTxLT)

	acc, err = c.GetAccount(n.ctx, head, someone)
	require.NoError(t, err)
	require.EqualValues(t, tlb.AccountStatusUninit, acc.State.Status)
	require.InDelta(t, 3_000_000_000, acc.State.Balance.Nano().Uint64(), 1000) // less storage fees

	acc, err = c.GetAccount(n.ctx, head, absent)
	require.NoError(t, err)
	require.False(t, acc.IsActive)

	elector := address.NewAddress(0, 0xff, bytes.Repeat([]byte{0x33}, 32))
	acc, err = c.GetAccount(n.ctx, head, elector)
	require.NoError(t, err)
	require.True(t, acc.IsActive)

	res, err := c.RunGetMethod(n.ctx, head, n.faucet.Address, "seqno")
	require.NoError(t, err)
	require.EqualValues(t, 3, res.MustInt(0).Int64())
	_, err = c.RunGetMethod(n.ctx, head, n.faucet.Address, "no_such_method")
	require.ErrorIs(t, err, ton.ContractExecError{Code: 32}, "this wallet's own code for methods it does not know")
	_, err = c.RunGetMethod(n.ctx, head, someone, "seqno")
	require.ErrorIs(t, err, ton.ContractExecError{Code: ton.ErrCodeContractNotInitialized})
	_, err = c.RunGetMethod(n.ctx, head, absent, "seqno")
	require.ErrorIs(t, err, ton.ContractExecError{Code: ton.ErrCodeContractNotInitialized})
}

func requireTransactions(t *testing.T, n *network, c *ton.APIClient, head *ton.BlockIDExt, policy ton.ProofCheckPolicy) {
	t.Helper()
	var total int
	for seqno := uint32(1); seqno <= head.SeqNo; seqno++ {
		committed, err := n.chain.Committed(seqno)
		require.NoError(t, err)
		master, err := n.chain.BySeqno(-1, rootShard, seqno)
		require.NoError(t, err)
		for _, b := range append(committed, master) {
			total += requireBlockTransactions(t, n, c, &b.ID)
		}
	}
	require.GreaterOrEqual(t, total, 6, "three transfers, each with its receiver")

	acc, err := c.GetAccount(n.ctx, head, n.faucet.Address)
	require.NoError(t, err)
	var history []*tlb.Transaction
	for lt, hash := acc.LastTxLT, acc.LastTxHash; lt != 0; {
		page, err := c.ListTransactions(n.ctx, n.faucet.Address, 2, lt, hash)
		require.NoError(t, err)
		history = append(page, history...)
		lt, hash = page[0].PrevTxLT, page[0].PrevTxHash
	}
	require.Len(t, history, 3)
	for i, tx := range history {
		outs, err := tx.IO.Out.ToSlice()
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("payment %d", i), outs[0].AsInternal().Comment())
	}
}

// requireBlockTransactions lists a block two at a time and fetches each transaction.
func requireBlockTransactions(t *testing.T, n *network, c *ton.APIClient, id *ton.BlockIDExt) (count int) {
	t.Helper()
	var after *ton.TransactionID3
	for {
		page, more, err := c.GetBlockTransactionsV2(n.ctx, id, 2, after)
		require.NoError(t, err)
		for _, short := range page {
			count++
			after = short.ID3()
			addr := address.NewAddress(0, byte(id.Workchain), short.Account)
			tx, err := c.GetTransaction(n.ctx, id, addr, short.LT)
			require.NoError(t, err)
			require.Equal(t, short.Hash, tx.Hash)
		}
		if !more {
			return count
		}
	}
}

func requireConfig(t *testing.T, n *network, c *ton.APIClient, head *ton.BlockIDExt) {
	t.Helper()
	full, err := c.GetBlockchainConfig(n.ctx, head)
	require.NoError(t, err)
	require.Equal(t, n.chain.Config().Hash(), full.Root.Hash())

	some, err := c.GetBlockchainConfig(n.ctx, head, 8, 34)
	require.NoError(t, err)
	require.NotNil(t, some.Get(8))
	require.NotNil(t, some.Get(34))
	require.Nil(t, some.Get(20))
	_, err = c.GetBlockchainConfig(n.ctx, head, 12345)
	require.Error(t, err, "a parameter that does not exist")

	libs, err := c.GetLibraries(n.ctx, bytes.Repeat([]byte{1}, 32))
	require.NoError(t, err)
	require.Len(t, libs, 1)
	require.Nil(t, libs[0])
}

func requireQueues(t *testing.T, n *network, c *ton.APIClient, head *ton.BlockIDExt, someone *address.Address) {
	t.Helper()
	sizes, err := c.GetOutMsgQueueSizes(n.ctx, nil, nil)
	require.NoError(t, err)
	require.Len(t, sizes.Shards, 2, "the masterchain and one shard")
	for _, s := range sizes.Shards {
		size, err := c.GetBlockOutMsgQueueSize(n.ctx, s.ID)
		require.NoError(t, err)
		require.EqualValues(t, s.Size, size.Size)

		info, err := c.GetDispatchQueueInfo(n.ctx, s.ID, nil, 10)
		require.NoError(t, err)
		require.True(t, info.Complete)
		require.Empty(t, info.AccountDispatchQueues)
		msgs, err := c.GetDispatchQueueMessages(n.ctx, s.ID, someone, 0, 10, ton.WithDispatchQueueMessagesBOC())
		require.NoError(t, err)
		require.True(t, msgs.Complete)
		require.Empty(t, msgs.Messages)
	}
	wc, shard := int32(0), rootShard
	sizes, err = c.GetOutMsgQueueSizes(n.ctx, &wc, &shard)
	require.NoError(t, err)
	require.Len(t, sizes.Shards, 1)
}

// TestServer_WalletsDeployAndPay deploys wallets of tonutils-go and sends transfers from them, end to end.
func TestServer_WalletsDeployAndPay(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	versions := map[string]wallet.VersionConfig{
		"v3r2": wallet.V3R2,
		"v4r2": wallet.V4R2,
		"v5r1": wallet.ConfigV5R1Final{NetworkGlobalID: n.chain.GlobalID()},
	}
	for name, version := range versions {
		key := seedKey("wallet " + name)
		payer := n.wallet(key, version)
		n.pay(payer.WalletAddress(), 10_000_000_000, "for "+name)

		receiver := address.NewAddress(0, 0, bytes.Repeat([]byte{byte(len(name)), name[1]}, 16))
		for i := range 2 { // the first external also deploys
			w := n.wallet(key, version)
			require.NoError(t, w.TransferNoBounce(n.ctx, receiver, tlb.MustFromTON("1.5"), fmt.Sprint("note ", i)))
			n.mine(3)
		}
		acc := n.account(receiver)
		// Storage fees may have taken a few nanotons meanwhile.
		require.InDelta(t, 3_000_000_000, acc.State.Balance.Nano().Uint64(), 1000, name)
		acc = n.account(payer.WalletAddress())
		require.EqualValues(t, tlb.AccountStatusActive, acc.State.Status, name)
	}
}

func TestSendMessage_RefusalHasTheTextOfNodes(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	send := func(seqno uint32) []byte {
		msg, err := n.faucet.External(
			contracts.Ticket{Seqno: seqno, ValidUntil: n.chain.Now() + 600},
			contracts.Order{Message: contracts.Transfer(absent, 1, "")},
		)
		require.NoError(t, err)
		return msg.ToBOC()
	}
	text := n.refused(ton.SendMessage{Body: send(77)}, 0)
	require.Contains(t, text, "cannot apply external message to current state : ")
	require.Contains(t, text, "exitcode=33", "the wallet's own code for a wrong seqno")

	for _, junk := range [][]byte{nil, []byte("junk"), bytes.Repeat([]byte{7}, 70_000), absentBOC()} {
		n.refused(ton.SendMessage{Body: junk}, 0)
	}
	require.Equal(t, ton.SendMessageStatus{Status: 1}, n.query(ton.SendMessage{Body: send(0)}))
}
