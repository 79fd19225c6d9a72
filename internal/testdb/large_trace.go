package testdb

import "tonql/internal/chain"

// LargeTrace returns blocks 2 to 4 with a trace of more transactions than one is shown with: one that sends 255 messages, whose receivers send 16 each.
// chosen are one of the transactions of each block.
func LargeTrace() (blocks []*chain.MasterBlock, chosen []chain.Transaction) {
	const wide, each = 255, chain.MaxTraceTransactions/255 + 1
	sent := []chain.Message{{Destination: new(Address())}}
	for level, messages := range []int{wide, each, 0} {
		mb := Master(uint32(2 + level))
		var next []chain.Message
		for i := range sent {
			tx := NewTransaction(mb, *sent[i].Destination)
			tx.LT = mb.Block.StartLT + uint64(i+1)*20
			if level == 0 {
				tx.LT = mb.Block.StartLT
			} else {
				sent[i].SentBy = nil
				Receive(&tx, &sent[i])
				mb.Messages = append(mb.Messages, sent[i])
			}
			for range messages {
				next = append(next, NewSent(mb, &tx, Address()))
			}
			if i == len(sent)/2 {
				chosen = append(chosen, tx)
			}
			AddTransaction(mb, &tx)
		}
		mb.Messages = append(mb.Messages, next...)
		blocks, sent = append(blocks, mb), next
	}
	return blocks, chosen
}
