package lite

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"

	"tonql/internal/devnet/contracts"
	"tonql/internal/devnet/ledger"
)

// busyBlock makes one block with several transactions: the faucet pays four at once.
func (n *network) busyBlock() *ledger.Block {
	n.t.Helper()
	orders := make([]contracts.Order, 4)
	for i := range orders {
		to := address.NewAddress(0, 0, bytes.Repeat([]byte{byte(0x40 + 16*i)}, 32))
		orders[i].Message = contracts.Transfer(to, 1_000_000_000, "many")
	}
	msg, err := n.faucet.External(contracts.Ticket{Seqno: n.faucetSeqno(), ValidUntil: n.chain.Now() + 600}, orders...)
	require.NoError(n.t, err)
	require.Equal(n.t, ton.SendMessageStatus{Status: 1}, n.query(ton.SendMessage{Body: msg.ToBOC()}))
	n.mine(2)
	for _, b := range slices.Backward(n.shardBlocks()) {
		blocks, _, err := openBlockAccounts(b.Root)
		require.NoError(n.t, err)
		refs, _, err := blocks.list(newListing(0, 256, nil))
		require.NoError(n.t, err)
		if len(refs) >= 5 {
			return b
		}
	}
	require.Fail(n.t, "no block with all transactions")
	return nil
}

// TestListBlockTransactions_FormsAgree compares the forms of the listing with one another.
func TestListBlockTransactions_FormsAgree(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	id := n.busyBlock().ID.Copy()
	want := n.listIDs(id, 7, 256, nil)
	require.Len(t, want, 5)

	reversed := n.listIDs(id, 7|listReverse, 256, nil)
	slices.Reverse(reversed)
	for i := range want {
		require.Equal(t, want[i].Hash, reversed[i].Hash)
	}
	after := &ton.TransactionID3{Account: want[1].Account, LT: want[1].LT}
	rest := n.listIDs(id, 7|listAfter, 256, after)
	require.Len(t, rest, 3)
	require.Equal(t, want[2].Hash, rest[0].Hash)
	before := n.listIDs(id, 7|listAfter|listReverse, 256, after)
	require.Len(t, before, 1)
	require.Equal(t, want[0].Hash, before[0].Hash)
	require.Empty(t, n.listIDs(id, 7, 0, nil))

	n.requireExt(id, want)
	n.requireMetadata(id)
}

func (n *network) listIDs(id *ton.BlockIDExt, mode, count uint32, after *ton.TransactionID3) []ton.TransactionID {
	n.t.Helper()
	r := call[ton.BlockTransactions](n, ton.ListBlockTransactions{
		ID: id, Mode: mode, Count: count, After: after, ReverseOrder: &ton.True{}, WantProof: &ton.True{},
	})
	require.True(n.t, r.ID.Equals(id))
	require.EqualValues(n.t, count, r.ReqCount)
	return r.TransactionIds
}

// requireExt checks the listing that sends the transactions themselves, in two pages.
func (n *network) requireExt(id *ton.BlockIDExt, want []ton.TransactionID) {
	n.t.Helper()
	first := call[ton.BlockTransactionsExt](n, ton.ListBlockTransactionsExt{ID: id, Mode: 0, Count: 2})
	require.True(n.t, first.Incomplete)
	require.Empty(n.t, first.Proof)
	require.Len(n.t, first.Transactions, 2)

	second := call[ton.BlockTransactionsExt](n, ton.ListBlockTransactionsExt{
		ID: id, Mode: listProof | listAfter | listMetadata, Count: 10, WantProof: &ton.True{},
		After: &ton.TransactionID3{Account: want[1].Account, LT: want[1].LT},
	})
	require.False(n.t, second.Incomplete)
	for i, tx := range append(first.Transactions, second.Transactions...) {
		require.Equal(n.t, want[i].Hash, tx.Hash())
	}
	proof := mustBOC(n.t, second.Proof)
	refs := make([]txRef, 0, 3)
	for i, id := range want[2:] {
		refs = append(refs, txRef{account: id.Account, lt: id.LT, cell: second.Transactions[i]})
	}
	body, err := cell.UnwrapProof(proof, id.RootHash)
	require.NoError(n.t, err)
	blocks, extra, err := openBlockAccounts(body)
	require.NoError(n.t, err)
	for _, ref := range refs {
		found, err := blocks.find(ref.account, ref.lt)
		require.NoError(n.t, err)
		require.Equal(n.t, ref.cell.Hash(), found.Hash(0))
		_, err = messageMetadata(extra.inMsgs, ref.cell)
		require.NoError(n.t, err, "the proof contains the envelopes, too")
	}
}

// requireMetadata checks the initiator of the chain of messages in the receivers' transactions.
func (n *network) requireMetadata(id *ton.BlockIDExt) {
	n.t.Helper()
	var started int
	for _, tx := range n.listIDs(id, 7|listMetadata, 256, nil) {
		if bytes.Equal(tx.Account, n.faucet.Address.Data()) {
			require.Nil(n.t, tx.Metadata, "an external message started it")
			continue
		}
		require.NotNil(n.t, tx.Metadata)
		require.Equal(n.t, n.faucet.Address.Data(), tx.Metadata.Initiator.ID)
		started++
	}
	require.Equal(n.t, 4, started)
}
