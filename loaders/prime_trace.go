package loaders

import "tonql/internal/chain"

// PrimeTrace puts an emulated trace into the loaders, so that they return its rows instead of reading the index, which does
// not have them.
func (s *Set) PrimeTrace(t *chain.FullTrace) {
	Prime(s.TraceByID, t.ID, &t.Trace)
	Prime(s.TraceContent, t.ID, t)
	for i := range t.Actions {
		Prime(s.ActionByID, t.Actions[i].ID, &t.Actions[i])
	}
	for i := range t.Transactions {
		tx := &t.Transactions[i]
		Prime(s.TransactionByKey, tx.Key(), &tx.Transaction)
		Prime(s.TransactionByHash, tx.Hash, &tx.Transaction)
		Prime(s.MessagesSentBy, tx.Key(), tx.OutMessages)
		if tx.InMessage != nil {
			Prime(s.MessageByKey, tx.InMessage.Key, tx.InMessage)
		}
		if tx.StateAfter.UsedBits > 0 { // the complete state, not only its hash
			Prime(s.AccountStateAt, tx.Key(), &tx.StateAfter)
		}
	}
}
