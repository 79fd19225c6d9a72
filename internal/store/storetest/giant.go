package storetest

import (
	"tonql/internal/chain"
	"tonql/internal/testdb"
)

// GiantTrace makes a trace of n transactions, in which each sends up to children messages, spread over blocks in
// the order of creation.
func GiantTrace(n, children, perBlock int) []*chain.MasterBlock {
	type sent struct {
		message chain.Message
		block   int
	}
	var blocks []*chain.MasterBlock
	var flying []sent
	made, pending := 0, 0
	for made < n {
		mb := testdb.Master(uint32(len(blocks) + 1))
		blocks = append(blocks, mb)
		at := len(blocks) - 1
		for i := range perBlock {
			if made == n || made > 0 && (len(flying) == 0 || flying[0].block == at) {
				break
			}
			account := testdb.Address()
			tx := testdb.NewTransaction(mb, account)
			tx.LT = mb.Block.StartLT + uint64(i+1)*500
			made++
			if made > 1 {
				in := flying[0]
				flying = flying[1:]
				in.message.SentBy = nil
				tx.Account = *in.message.Destination
				in.message.ReceivedBy = &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
				tx.InMsg = new(in.message.Key)
				mb.Messages = append(mb.Messages, in.message)
				pending--
			}
			for c := range min(children, n-made-pending) {
				m := testdb.NewMessage(mb, tx.Account, testdb.Address())
				m.Key.LT = tx.LT + uint64(c) + 1
				m.CreatedLT = new(m.Key.LT)
				m.SentBy = &chain.TransactionRef{LT: tx.LT, Hash: tx.Hash}
				tx.OutMsgCount++
				pending++
				mb.Messages = append(mb.Messages, m)
				flying = append(flying, sent{m, at})
			}
			mb.Transactions = append(mb.Transactions, tx)
		}
		mb.ShardBlocks[0].TxCount = int32(len(mb.Transactions))
	}
	return blocks
}
